//! Queries for timelines of transcripts. The index of a very long one is built in the background;
//! until then queries return the beginning, or the end of a history whose file only grows.

use std::ops::Range;
use std::sync::PoisonError;

use baton_agents::{TimelineEntry, TimelineIndex};
use baton_transcripts::{TranscriptReader, TranscriptsError};

use super::page::{EntryRange, TimelineHits, TimelinePage};
use crate::log_update::LogUpdate;
use crate::open_timelines::{ReadTarget, TimelineReading, TranscriptTimeline, read_until};
use crate::{Context, PlanningError, RefusalReason};

/// The maximum number of entries of one page.
const MAX_PAGE_ENTRIES: u32 = 1000;
/// How many entries a search reads at once.
const SEARCH_BATCH: u64 = 200;

/// Returns a part of a transcript's timeline.
///
/// A part of the end has entry numbers of its own as long as the timeline isn't read completely
/// when its last entries are asked for.
pub fn page(
    context: &Context,
    id: &str,
    range: EntryRange,
    at: Option<u64>,
) -> Result<TimelinePage, PlanningError> {
    let wanted = |reading: &TranscriptReader| match (range.of_end, at) {
        (true, _) => wanted_for_end(reading),
        (false, Some(_)) => ReadTarget::All,
        (false, None) => ReadTarget::from(range.from),
    };
    with_reading(context, id, wanted, |transcript, unread| {
        page_in(transcript, range, at, unread)
    })
}

fn page_in(
    TranscriptTimeline { reading, row, .. }: &mut TranscriptTimeline,
    range: EntryRange,
    at: Option<u64>,
    unread: Option<TimelineReading>,
) -> Result<TimelinePage, TranscriptsError> {
    // Once all is read, its end has its final numbers.
    if range.of_end && reading.has_end() && (range.from >= 0 || unread.is_some()) {
        reading.read_end(row)?;
        let page = |range| reading.page_of_end(range);
        return page_of(reading.end_index(), &page, range, None, unread);
    }
    let page = |range| reading.page(range);
    page_of(reading.index(), &page, range, at, unread)
}

/// How much must be read before the end of a transcript can be returned.
fn wanted_for_end(reading: &TranscriptReader) -> ReadTarget {
    if reading.has_end() {
        ReadTarget::Nothing
    } else {
        ReadTarget::All
    }
}

type ReadEntries<'a> = &'a dyn Fn(Range<u64>) -> Result<Vec<TimelineEntry>, TranscriptsError>;

fn page_of(
    index: Option<&TimelineIndex>,
    read: ReadEntries<'_>,
    range: EntryRange,
    at: Option<u64>,
    unread: Option<TimelineReading>,
) -> Result<TimelinePage, TranscriptsError> {
    let Some(index) = index else {
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
        None => read(from..to)?,
        Some(since) => {
            let wanted = index.touched_in(from..to, since).into_iter();
            wanted
                .map(|seq| read(seq..seq + 1))
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
}

/// Returns one entry in full, up to 4 MiB. With `of_end`, `seq` counts in the end of the timeline.
pub fn entry(
    context: &Context,
    id: &str,
    seq: u64,
    of_end: bool,
) -> Result<TimelineEntry, PlanningError> {
    let wanted = |reading: &TranscriptReader| {
        if of_end {
            wanted_for_end(reading)
        } else {
            ReadTarget::Entry(seq)
        }
    };
    with_reading(context, id, wanted, |transcript, _| {
        let TranscriptTimeline { reading, row, .. } = transcript;
        if of_end && reading.has_end() {
            reading.read_end(row)?;
            return reading.entry_of_end(seq);
        }
        reading.entry(seq)
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
        |_| ReadTarget::Entry(0),
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
    wanted: impl FnOnce(&TranscriptReader) -> ReadTarget,
    use_timeline: impl FnOnce(
        &mut TranscriptTimeline,
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
    let wanted = wanted(&locked.reading);
    let unread = read_until(&transcript, &mut locked, wanted, tell)?;
    Ok(use_timeline(&mut locked, unread)?)
}

#[cfg(test)]
mod tests {
    use baton_transcripts::{Filter, HistoryLocations, Library, Pagination, Sort};

    use super::*;
    use crate::open_timelines::TranscriptTimelines;

    fn write_history(home: &std::path::Path, lines: u32) {
        let folder = home.join(".claude/projects/-p");
        std::fs::create_dir_all(&folder).expect("room");
        let text: String = (0..lines)
            .map(|number| {
                let message = format!(
                    r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"number {number}"}}]}}}}"#
                );
                format!("{message:<1023}\n")
            })
            .collect();
        std::fs::write(folder.join("a.jsonl"), text).expect("room");
    }

    fn last_entry(page: &TimelinePage) -> (u64, String) {
        let entry = page.entries.last().expect("an entry");
        (entry.seq, serde_json::to_string(&entry.kind).expect("JSON"))
    }

    #[test]
    fn end_of_a_transcript_has_its_own_numbers_until_all_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        write_history(folder.path(), 6_000);
        let library = Library::new(
            folder.path(),
            HistoryLocations::discover(folder.path(), |_| None),
        );
        library.refresh(true).expect("an index");
        let part = Pagination {
            offset: 0,
            limit: 1,
        };
        let rows = library.page(&Filter::default(), Sort::Latest, part);
        let row = rows.expect("an index").rows.remove(0);
        let shared = TranscriptTimelines::default().open(&row);
        let mut transcript = shared.lock().expect("no other thread");
        let mut ask = |from, of_end, unread| {
            let range = EntryRange {
                from,
                limit: 2,
                since: None,
                of_end,
            };
            page_in(&mut transcript, range, None, unread).expect("readable")
        };
        let unread = Some(TimelineReading { read: 0, size: 1 });
        let end = ask(-2, true, unread);
        let (seq, shown) = last_entry(&end);
        assert!(shown.contains("number 5999"), "{shown}");
        assert_eq!((seq, end.reading), (end.total - 1, unread));
        assert!(end.total < 6_000, "{}", end.total);
        assert_eq!(
            ask(end.total.cast_signed() - 2, true, None),
            TimelinePage {
                reading: None,
                ..end
            }
        );

        transcript.reading.catch_up(&row).expect("readable");
        let mut ask = |of_end| {
            let range = EntryRange {
                from: -2,
                limit: 2,
                since: None,
                of_end,
            };
            page_in(&mut transcript, range, None, None).expect("readable")
        };
        assert_eq!(last_entry(&ask(false)), (5_999, shown));
        assert_eq!(ask(true), ask(false));
    }
}
