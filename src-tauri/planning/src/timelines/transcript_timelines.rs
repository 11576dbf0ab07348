//! Queries for timelines of transcripts. The index of a very long one is built in the background;
//! until then queries return the beginning.

use std::sync::PoisonError;

use baton_agents::TimelineEntry;
use baton_transcripts::TranscriptsError;

use super::page::{EntryRange, TimelineHits, TimelinePage};
use crate::log_update::LogUpdate;
use crate::open_timelines::{ReadTarget, TimelineReading, TranscriptTimeline, read_until};
use crate::{Context, PlanningError, RefusalReason};

/// The maximum number of entries of one page.
const MAX_PAGE_ENTRIES: u32 = 1000;
/// How many entries a search reads at once.
const SEARCH_BATCH: u64 = 200;

/// Returns a part of a transcript's timeline.
pub fn page(
    context: &Context,
    id: &str,
    range: EntryRange,
    at: Option<u64>,
) -> Result<TimelinePage, PlanningError> {
    let wanted = if at.is_some() {
        ReadTarget::All
    } else {
        ReadTarget::from(range.from)
    };
    with_reading(
        context,
        id,
        wanted,
        |TranscriptTimeline { reading, .. }, unread| {
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
                .saturating_add(u64::from(range.limit.min(MAX_PAGE_ENTRIES)))
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
        },
    )
}

/// Returns one entry in full, up to 4 MiB.
pub fn entry(context: &Context, id: &str, seq: u64) -> Result<TimelineEntry, PlanningError> {
    with_reading(context, id, ReadTarget::Entry(seq), |transcript, _| {
        transcript.reading.entry(seq)
    })?
    .ok_or_else(|| {
        PlanningError::new(
            RefusalReason::NotFound,
            format!("the timeline has no entry {seq}"),
        )
    })
}

/// Finds a text in a transcript's timeline, ignoring case.
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
        ReadTarget::Entry(0),
        |TranscriptTimeline { reading, .. }, unread| {
            let mut entries = Vec::new();
            let total = reading.index().map_or(0, |index| index.len());
            let mut from = 0;
            while from < total {
                let to = (from + SEARCH_BATCH).min(total);
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

/// Calls `use_timeline` with the transcript, which has been read as far as `wanted`, and with how
/// far that is.
fn with_reading<T>(
    context: &Context,
    id: &str,
    wanted: ReadTarget,
    use_timeline: impl FnOnce(
        &TranscriptTimeline,
        Option<TimelineReading>,
    ) -> Result<T, TranscriptsError>,
) -> Result<T, PlanningError> {
    let row = context.transcripts(false)?.get(id)?;
    let transcript = context
        .transcript_timelines
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .open(&row);
    let (listener, id) = (context.listener(), id.to_owned());
    let tell = move || {
        listener(LogUpdate::Transcripts {
            ids: vec![id.clone()],
        })
    };
    let mut locked = transcript.lock().unwrap_or_else(PoisonError::into_inner);
    locked.row = row;
    let unread = read_until(&transcript, &mut locked, wanted, tell)?;
    Ok(use_timeline(&locked, unread)?)
}
