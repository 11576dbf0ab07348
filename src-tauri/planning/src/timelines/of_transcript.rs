//! The timelines of transcripts. An index of the entries is built once, follows the file while it grows, and only
//! what somebody looks at is read again. Of a very long one the beginning is shown while the rest is being read.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use baton_agents::TimelineEntry;
use baton_transcripts::{Reading, Row, TranscriptsError};

use super::ahead::{self, Ahead, Wanted};
use super::{Range, TimelineHits, TimelinePage, TimelineReading};
use crate::context::Growth;
use crate::{Context, PlanningError, Reason};

/// How many are kept ready; the one that was not looked at for longest goes first.
const KEPT: usize = 4;
/// The most entries of one page.
const PAGE: u32 = 1000;
/// How many entries a search reads at once.
const STRIDE: u64 = 200;

/// The transcripts that are ready.
#[derive(Default)]
pub(crate) struct TranscriptTimelines {
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
pub fn page(
    context: &Context,
    id: &str,
    range: Range,
    at: Option<u64>,
) -> Result<TimelinePage, PlanningError> {
    let wanted = if at.is_some() {
        Wanted::All
    } else {
        Wanted::from(range.from)
    };
    with_reading(context, id, wanted, |Transcript { reading, .. }, unread| {
        let Some(index) = reading.index() else {
            return Ok(TimelinePage::default());
        };
        let total = index.len();
        let base = at.map_or(0, |at| index.seq_at(at));
        let from = match (u64::try_from(range.from), at) {
            (Ok(from), _) => base.saturating_add(from).min(total),
            (Err(_), Some(_)) => base.saturating_sub(range.from.unsigned_abs()),
            (Err(_), None) => total.saturating_sub(range.from.unsigned_abs()),
        };
        let to = from
            .saturating_add(u64::from(range.limit.min(PAGE)))
            .min(total);
        let entries = match range.since {
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
    })
}

/// Shows one entry whole, up to 4 MiB of it.
pub fn entry(context: &Context, id: &str, seq: u64) -> Result<TimelineEntry, PlanningError> {
    with_reading(context, id, Wanted::Entry(seq), |transcript, _| {
        transcript.reading.entry(seq)
    })?
    .ok_or_else(|| PlanningError::new(Reason::NotFound, format!("the timeline has no entry {seq}")))
}

/// Finds a text in a transcript's timeline, in any case.
pub fn search(
    context: &Context,
    id: &str,
    text: &str,
    limit: u32,
) -> Result<TimelineHits, PlanningError> {
    let wanted = text.to_lowercase();
    if wanted.is_empty() {
        return Ok(TimelineHits::default());
    }
    with_reading(
        context,
        id,
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
                        if entries.len() >= limit as usize {
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
    context: &Context,
    id: &str,
    wanted: Wanted,
    look: impl FnOnce(&Transcript, Option<TimelineReading>) -> Result<T, TranscriptsError>,
) -> Result<T, PlanningError> {
    let row = context.transcripts(false)?.get(id)?;
    let transcript = ready(context, &row);
    let (listener, id) = (context.listener(), id.to_owned());
    let tell = move || {
        listener(Growth::Transcripts {
            ids: vec![id.clone()],
        })
    };
    let mut locked = transcript.lock().unwrap_or_else(PoisonError::into_inner);
    locked.row = row;
    let unread = ahead::read(&transcript, &mut locked, wanted, tell)?;
    Ok(look(&locked, unread)?)
}

fn ready(context: &Context, row: &Row) -> Arc<Mutex<Transcript>> {
    let mut readings = context
        .transcript_timelines
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
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
