//! The timelines of transcripts. An index of the entries is built once, follows the file while it grows, and only
//! what somebody looks at is read again. Of a very long one the beginning is shown while the rest is being read.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use baton_agents::TimelineEntry;
use baton_transcripts::{Reading, Row, TranscriptsError};

use crate::ahead::{Ahead, Wanted};
use crate::wire::*;
use crate::{ApiError, App, Code, ahead};

/// How many are kept ready; the one that was not looked at for longest goes first.
const KEPT: usize = 4;
/// The most entries of one page.
const PAGE: u32 = 1000;
/// How many entries a search reads at once.
const STRIDE: u64 = 200;

/// The transcripts that are ready.
#[derive(Default)]
pub(crate) struct Readings {
    ready: HashMap<String, Arc<Mutex<Transcript>>>,
    order: VecDeque<String>,
}

/// One that is ready.
struct Transcript {
    reading: Reading,
    /// By what the list knew when it was last asked for.
    row: Row,
    is_read_ahead: bool,
}

impl Ahead for Transcript {
    type Error = TranscriptsError;

    fn read_on(&mut self, enough: &dyn Fn(u64) -> bool) -> Result<(), TranscriptsError> {
        self.reading
            .read_on(&self.row, &|index| enough(index.len()))
    }

    fn unread(&self) -> Option<TimelineReading> {
        self.reading
            .unread()
            .map(|(read, size)| TimelineReading { read, size })
    }

    fn is_read_ahead(&mut self) -> &mut bool {
        &mut self.is_read_ahead
    }
}

/// Shows a part of a transcript's timeline.
pub(crate) fn timeline(app: &App, input: TranscriptRange) -> Result<TimelinePage, ApiError> {
    let wanted = if input.at.is_some() {
        Wanted::All
    } else {
        Wanted::from(input.from)
    };
    with_reading(
        app,
        &input.id,
        wanted,
        |Transcript { reading, .. }, unread| {
            let Some(index) = reading.index() else {
                return Ok(TimelinePage::default());
            };
            let total = index.len();
            let base = input.at.map_or(0, |at| index.seq_at(at));
            let from = match (u64::try_from(input.from), input.at) {
                (Ok(from), _) => base.saturating_add(from).min(total),
                (Err(_), Some(_)) => base.saturating_sub(input.from.unsigned_abs()),
                (Err(_), None) => total.saturating_sub(input.from.unsigned_abs()),
            };
            let to = from
                .saturating_add(u64::from(input.limit.min(PAGE)))
                .min(total);
            let entries = match input.since {
                None => reading.page(from..to)?,
                Some(since) => {
                    let wanted = index.touched_in(from..to, since).into_iter();
                    wanted
                        .map(|seq| reading.page(seq..seq + 1))
                        .collect::<Result<Vec<_>, _>>()?
                        .concat()
                }
            };
            Ok(TimelinePage {
                entries,
                total,
                revision: index.revision(),
                ended: false,
                reading: unread,
            })
        },
    )
}

/// Shows one entry whole, up to 4 MiB of it.
pub(crate) fn entry(app: &App, input: TranscriptEntryRef) -> Result<TimelineEntry, ApiError> {
    with_reading(app, &input.id, Wanted::Entry(input.seq), |transcript, _| {
        transcript.reading.entry(input.seq)
    })?
    .ok_or_else(|| {
        ApiError::new(
            Code::NotFound,
            format!("the timeline has no entry {}", input.seq),
        )
    })
}

/// Finds a text in a transcript's timeline, in any case.
pub(crate) fn find(app: &App, input: TranscriptFind) -> Result<TimelineHits, ApiError> {
    let wanted = input.text.to_lowercase();
    if wanted.is_empty() {
        return Ok(TimelineHits {
            entries: Vec::new(),
            more: false,
            reading: None,
        });
    }
    with_reading(
        app,
        &input.id,
        Wanted::Entry(0),
        |Transcript { reading, .. }, unread| {
            let mut entries = Vec::new();
            let total = reading.index().map_or(0, |index| index.len());
            let mut from = 0;
            while from < total {
                let to = (from + STRIDE).min(total);
                for entry in reading.page(from..to)? {
                    let text = serde_json::to_string(&entry.kind).unwrap_or_default();
                    if text.to_lowercase().contains(&wanted) {
                        if entries.len() >= input.limit as usize {
                            return Ok(TimelineHits {
                                entries,
                                more: true,
                                reading: unread,
                            });
                        }
                        entries.push(entry.seq);
                    }
                }
                from = to;
            }
            Ok(TimelineHits {
                entries,
                more: false,
                reading: unread,
            })
        },
    )
}

/// Calls `look` with the transcript, read as far as is wanted, and with what is still unread of it.
fn with_reading<T>(
    app: &App,
    id: &str,
    wanted: Wanted,
    look: impl FnOnce(&Transcript, Option<TimelineReading>) -> Result<T, TranscriptsError>,
) -> Result<T, ApiError> {
    let row = app.transcripts(false)?.get(id)?;
    let transcript = ready(app, &row);
    let (onlookers, id) = (app.onlookers.clone(), id.to_owned());
    let tell = move || {
        onlookers.tell(Change::Transcripts {
            ids: vec![id.clone()],
        })
    };
    let mut locked = transcript.lock().unwrap_or_else(PoisonError::into_inner);
    locked.row = row;
    let unread = ahead::read(&transcript, &mut locked, wanted, tell)?;
    Ok(look(&locked, unread)?)
}

fn ready(app: &App, row: &Row) -> Arc<Mutex<Transcript>> {
    let mut readings = app.readings.lock().unwrap_or_else(PoisonError::into_inner);
    readings.order.retain(|other| *other != row.id);
    readings.order.push_back(row.id.clone());
    while readings.order.len() > KEPT {
        let oldest = readings.order.pop_front();
        readings.ready.retain(|id, _| Some(id) != oldest.as_ref());
    }
    let reading = readings.ready.entry(row.id.clone());
    let fresh = || Transcript {
        reading: Reading::of(row),
        row: row.clone(),
        is_read_ahead: false,
    };
    Arc::clone(reading.or_insert_with(|| Arc::new(Mutex::new(fresh()))))
}
