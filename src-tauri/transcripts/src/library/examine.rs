//! Reading one source: for the list, or for its words.

use std::io;
use std::path::Path;

use serde::de::IgnoredAny;

use crate::history::words::Words;
use crate::history::{self, Figures};
use crate::index::keep::{Kept, Listed, Unsearched};
use crate::lines::{Lines, Room};
use crate::source::{self, Source};
use crate::{Agent, layout};

/// How much text is handed on at once, in bytes.
const BATCH: usize = 512 * 1024;

/// A source to be read for the list, with what is known of it.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) source: Source,
    pub(crate) id: i64,
    pub(crate) known: Option<(Kept, Figures)>,
}

/// Reads what is new in a source. What goes wrong is said in the figures.
pub(crate) fn list(job: Job, room: &mut Room) -> Listed {
    let Job { source, id, known } = job;
    let was_known = known.is_some();
    let mut reading = Counting {
        figures: Figures::default(),
        read_to: 0,
        mark: 0,
        anew: true,
    };
    if let Err(error) = reading.read(&source, known, room) {
        reading.figures.failure = Some(error.to_string());
    }
    let Counting {
        figures,
        read_to,
        mark,
        anew,
    } = reading;
    let helper = figures.helper || is_helper(&source);
    Listed {
        key: key(&source, &figures, helper),
        id,
        known: was_known,
        anew,
        helper,
        figures,
        read_to,
        mark,
        source,
    }
}

struct Counting {
    figures: Figures,
    read_to: u64,
    mark: i64,
    anew: bool,
}

impl Counting {
    fn read(
        &mut self,
        source: &Source,
        known: Option<(Kept, Figures)>,
        room: &mut Room,
    ) -> io::Result<()> {
        let file = layout::open(source.agent, &source.path)?;
        if let Some((kept, figures)) = known
            && layout::grows(source.agent)
            && figures.failure.is_none()
            && file.metadata()?.len() >= kept.read_to
            && source::mark(&file, kept.read_to)? == kept.mark
        {
            (self.figures, self.read_to, self.anew) = (figures, kept.read_to, false);
        }
        self.figures.unfinished = false;
        let marked = file.try_clone()?;
        let mut lines = Lines::from(file, self.read_to, room)?;
        let mut passed_over = None;
        while let Some(line) = lines.next()? {
            if line.whole && history::tells_only_time(source.agent, line.bytes) {
                passed_over = Some(line.start);
                self.read_to = line.end;
                continue;
            }
            passed_over = None;
            if !line.whole && serde_json::from_slice::<IgnoredAny>(line.bytes).is_err() {
                self.figures.unfinished = true;
                break;
            }
            self.figures.too_long += u32::from(line.too_long);
            let taken = history::take(source.agent, line.bytes, &mut self.figures);
            self.figures.unreadable += u32::from(taken.is_err());
            self.read_to = line.end;
        }
        if let Some(start) = passed_over {
            let mut line = Lines::from(marked.try_clone()?, start, room)?;
            let last = line
                .next()?
                .map(|line| history::take(source.agent, line.bytes, &mut self.figures));
            self.figures.unreadable += u32::from(last.is_some_and(|taken| taken.is_err()));
        }
        self.mark = source::mark(&marked, self.read_to)?;
        Ok(())
    }
}

fn is_helper(source: &Source) -> bool {
    let name = source
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    source.agent == Agent::Claude && name.starts_with("agent-")
}

/// The transcript that a source belongs to. Claude copies records of other conversations into a new file, and names
/// the file after the conversation it is; a helper's records name the conversation they help.
fn key(source: &Source, figures: &Figures, helper: bool) -> String {
    let stem = || stem(&source.path);
    let native = match (source.agent, &figures.native_id) {
        (Agent::Claude, _) if !helper => stem(),
        (_, Some(id)) => id.clone(),
        (_, None) => stem(),
    };
    format!("{}:{native}", source.agent)
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.rsplit_once('#')
        .map_or(&*stem, |(_, session)| session)
        .to_owned()
}

/// Reads the words of a source and hands them on in batches, until somebody wants no more; returns how far it came.
pub(crate) fn words(
    source: &Unsearched,
    room: &mut Room,
    mut hand_on: impl FnMut(Vec<(u64, String)>) -> bool,
) -> io::Result<u64> {
    let mut lines = Lines::from(layout::open(source.agent, &source.path)?, source.from, room)?;
    let mut words = Words::default();
    let (mut batch, mut held, mut to) = (Vec::new(), 0, source.from);
    while let Some(line) = lines.next()? {
        if line.start >= source.to {
            break;
        }
        to = line.end;
        words.clear();
        history::collect(source.agent, line.bytes, &mut words);
        if words.text().is_empty() {
            continue;
        }
        held += words.text().len();
        batch.push((line.start, words.text().to_owned()));
        if held > BATCH {
            held = 0;
            if !hand_on(std::mem::take(&mut batch)) {
                return Ok(source.from);
            }
        }
    }
    hand_on(batch);
    Ok(to.max(source.to))
}
