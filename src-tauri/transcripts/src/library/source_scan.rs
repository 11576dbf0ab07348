//! Reading of one source, for the list or for search.

use std::io;
use std::path::Path;

use serde::de::IgnoredAny;

use crate::history::TranscriptStats;
use crate::history::search_text::SearchText;
use crate::history_reader::HistoryReader;
use crate::index::sources::{IndexedSource, ScannedSource, TextBacklog};
use crate::line_reader::{LineBuffer, LineReader};
use crate::source::{self, Source};

/// The maximum size of a batch of text, in bytes.
const BATCH: usize = 512 * 1024;

/// A source to scan, with its stored state.
#[derive(Debug)]
pub(crate) struct ScanJob {
    pub(crate) source: Source,
    pub(crate) id: i64,
    pub(crate) known: Option<(IndexedSource, TranscriptStats)>,
}

/// Scans the new part of a source. Errors become part of its statistics.
pub(crate) fn scan(job: ScanJob, buffer: &mut LineBuffer) -> ScannedSource {
    let ScanJob { source, id, known } = job;
    let was_known = known.is_some();
    let mut reading = SourceScan {
        stats: TranscriptStats::default(),
        read_to: 0,
        mark: 0,
        rescanned: true,
    };
    if let Err(error) = reading.read(&source, known, buffer) {
        reading.stats.failure = Some(error.to_string());
    }
    let SourceScan {
        stats,
        read_to,
        mark,
        rescanned,
    } = reading;
    let helper = stats.helper || source.agent.layout().is_helper(&source.path);
    ScannedSource {
        key: key(&source, &stats, helper),
        id,
        known: was_known,
        rescanned,
        helper,
        stats,
        read_to,
        mark,
        source,
    }
}

struct SourceScan {
    stats: TranscriptStats,
    read_to: u64,
    mark: i64,
    rescanned: bool,
}

impl SourceScan {
    fn read(
        &mut self,
        source: &Source,
        known: Option<(IndexedSource, TranscriptStats)>,
        buffer: &mut LineBuffer,
    ) -> io::Result<()> {
        let reader = HistoryReader::of(source.agent);
        let file = reader.open_lines(&source.path)?;
        if let Some((kept, stats)) = known
            && reader.is_append_only()
            && stats.failure.is_none()
            && file.metadata()?.len() >= kept.read_to
            && source::fingerprint(&file, kept.read_to)? == kept.mark
        {
            (self.stats, self.read_to, self.rescanned) = (stats, kept.read_to, false);
        }
        self.stats.unfinished = false;
        let marked = file.try_clone()?;
        let mut lines = LineReader::from(file, self.read_to, buffer)?;
        let mut passed_over = None;
        while let Some(line) = lines.next()? {
            if line.complete && reader.affects_only_time(line.bytes) {
                passed_over = Some(line.start);
                self.read_to = line.end;
                continue;
            }
            passed_over = None;
            if !line.complete && serde_json::from_slice::<IgnoredAny>(line.bytes).is_err() {
                self.stats.unfinished = true;
                break;
            }
            self.stats.too_long += u32::from(line.too_long);
            let taken = reader.update_stats(line.bytes, &mut self.stats);
            self.stats.unreadable += u32::from(taken.is_err());
            self.read_to = line.end;
        }
        if let Some(start) = passed_over {
            let mut line = LineReader::from(marked.try_clone()?, start, buffer)?;
            let last = line
                .next()?
                .map(|line| reader.update_stats(line.bytes, &mut self.stats));
            self.stats.unreadable += u32::from(last.is_some_and(|taken| taken.is_err()));
        }
        self.mark = source::fingerprint(&marked, self.read_to)?;
        Ok(())
    }
}

/// The transcript that a source belongs to. Claude copies records of other conversations into a
/// new file, which is named after its own conversation. The records of a subagent name the
/// conversation they belong to.
fn key(source: &Source, stats: &TranscriptStats, helper: bool) -> String {
    let stem = || stem(&source.path);
    let native = match &stats.native_id {
        _ if source.agent.layout().is_file_named_by_session && !helper => stem(),
        Some(id) => id.clone(),
        None => stem(),
    };
    format!("{}:{native}", source.agent)
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.rsplit_once('#')
        .map_or(&*stem, |(_, session)| session)
        .to_owned()
}

/// Reads the text of a source and passes it on in batches until `on_batch` returns false. Returns
/// the byte offset reached.
pub(crate) fn read_text(
    source: &TextBacklog,
    buffer: &mut LineBuffer,
    mut on_batch: impl FnMut(Vec<(u64, String)>) -> bool,
) -> io::Result<u64> {
    let reader = HistoryReader::of(source.agent);
    let mut lines = LineReader::from(reader.open_lines(&source.path)?, source.from, buffer)?;
    let mut search_text = SearchText::default();
    let (mut batch, mut held, mut to) = (Vec::new(), 0, source.from);
    while let Some(line) = lines.next()? {
        if line.start >= source.to {
            break;
        }
        to = line.end;
        search_text.clear();
        reader.collect_text(line.bytes, &mut search_text);
        if search_text.text().is_empty() {
            continue;
        }
        held += search_text.text().len();
        batch.push((line.start, search_text.text().to_owned()));
        if held > BATCH {
            held = 0;
            if !on_batch(std::mem::take(&mut batch)) {
                return Ok(source.from);
            }
        }
    }
    on_batch(batch);
    Ok(to.max(source.to))
}
