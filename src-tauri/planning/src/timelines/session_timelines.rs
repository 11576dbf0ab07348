//! Queries for timelines of sessions that Baton ran. The index of a very long timeline is built in
//! the background; until then queries return the beginning.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use baton_agents::timeline::TimelineKind;
use baton_agents::{LogFormat, TimelineEntry, TimelineIndex};
use baton_model::{RunId, SessionId};
use baton_store::SessionRow;

use super::page::{EntryRange, TimelineHits, TimelinePage};
use crate::log_update::LogUpdate;
use crate::open_timelines::{ReadTarget, SessionLog, SessionTimeline, read_until};
use crate::plan_versions::plan_version;
use crate::{Context, PlanningError, RefusalReason};

/// The maximum number of entries of one page.
const MAX_PAGE_ENTRIES: u32 = 1000;

/// Returns a part of a session's timeline.
///
/// A part of the end has entry numbers of its own as long as the timeline isn't read completely
/// when its last entries are asked for.
pub fn page(
    context: &Context,
    session: SessionId,
    range: EntryRange,
) -> Result<TimelinePage, PlanningError> {
    let wanted = if range.of_end {
        ReadTarget::Nothing
    } else {
        ReadTarget::from(range.from)
    };
    with_timeline(context, session, wanted, |timeline| {
        // Once all is read, its end has its final numbers.
        let of_end = range.of_end && (range.from >= 0 || timeline.unread.is_some());
        if of_end {
            timeline.read_end()?;
        }
        let end = timeline.end().filter(|_| of_end);
        page_of(timeline, end.unwrap_or(&timeline.index), range)
    })
}

fn page_of(
    timeline: &SessionTimeline,
    index: &TimelineIndex,
    range: EntryRange,
) -> io::Result<TimelinePage> {
    let total = index.len();
    let from = match u64::try_from(range.from) {
        Ok(from) => from.min(total),
        Err(_) => total.saturating_sub(range.from.unsigned_abs()),
    };
    let to = from
        .saturating_add(u64::from(range.limit.min(MAX_PAGE_ENTRIES)))
        .min(total);
    let entries = match range.since {
        None => timeline.page_of(index, from..to)?,
        Some(since) => {
            let mut entries = Vec::new();
            for seq in index.touched_in(from..to, since) {
                entries.extend(timeline.page_of(index, seq..seq + 1)?);
            }
            entries
        }
    };
    Ok(TimelinePage {
        entries,
        total,
        revision: index.revision(),
        ended: timeline.ended,
        reading: timeline.unread,
    })
}

/// Returns one entry in full, up to 4 MiB. With `of_end`, `seq` counts in the end of the timeline.
pub fn entry(
    context: &Context,
    session: SessionId,
    seq: u64,
    of_end: bool,
) -> Result<TimelineEntry, PlanningError> {
    let wanted = if of_end {
        ReadTarget::Nothing
    } else {
        ReadTarget::Entry(seq)
    };
    with_timeline(context, session, wanted, |timeline| {
        let mut log = SessionLog::new(&timeline.folder);
        if of_end {
            timeline.read_end()?;
        }
        let end = timeline.end().filter(|_| of_end);
        let entry = end.unwrap_or(&timeline.index).entry_full(seq, &mut log)?;
        Ok(entry.map(|entry| timeline.with_times(entry)))
    })?
    .ok_or_else(|| {
        PlanningError::new(
            RefusalReason::NotFound,
            format!("the timeline has no entry {seq}"),
        )
    })
}

/// Returns the full entry of a session's permission request, regardless of its length.
pub fn question(
    context: &Context,
    session: SessionId,
    request: &str,
) -> Result<TimelineEntry, PlanningError> {
    with_timeline(context, session, ReadTarget::All, |timeline| {
        // An open request is among the latest entries.
        let mut to = timeline.index.len();
        while to > 0 {
            let from = to.saturating_sub(100);
            for entry in timeline.page(from..to)?.iter().rev() {
                if is_permission_request(entry, request) {
                    return timeline
                        .index
                        .entry_unlimited(entry.seq, &mut SessionLog::new(&timeline.folder));
                }
            }
            to = from;
        }
        Ok(None)
    })?
    .ok_or_else(|| {
        PlanningError::new(
            RefusalReason::NotFound,
            format!("the session has no open request '{request}'"),
        )
    })
}

fn is_permission_request(entry: &TimelineEntry, wanted: &str) -> bool {
    matches!(&entry.kind, TimelineKind::Permission { request: Some(request), .. } if request == wanted)
}

/// Finds a text in a session's timeline, ignoring case.
pub fn search(
    context: &Context,
    session: SessionId,
    text: &str,
    limit: u32,
) -> Result<TimelineHits, PlanningError> {
    let wanted = text.to_lowercase();
    if wanted.is_empty() {
        return Ok(TimelineHits::default());
    }
    with_timeline(context, session, ReadTarget::Entry(0), |timeline| {
        let mut entries = Vec::new();
        let total = timeline.index.len();
        let mut from = 0;
        while from < total {
            let to = (from + 200).min(total);
            for entry in timeline.page(from..to)? {
                let text = serde_json::to_string(&entry.kind).map_err(io::Error::other)?;
                if text.to_lowercase().contains(&wanted) {
                    if entries.len() >= limit as usize {
                        return Ok(TimelineHits {
                            entries,
                            more: true,
                            reading: timeline.unread,
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
            reading: timeline.unread,
        })
    })
}

/// Calls `use_timeline` with the session's timeline, which has been read as far as `wanted`.
fn with_timeline<T>(
    context: &Context,
    session: SessionId,
    wanted: ReadTarget,
    use_timeline: impl FnOnce(&mut SessionTimeline) -> io::Result<T>,
) -> Result<T, PlanningError> {
    let (shared, run) = open_timeline(context, session)?;
    let listener = context.listener();
    let tell = move || listener(LogUpdate::Session { session, run });
    let mut timeline = shared.lock().unwrap_or_else(PoisonError::into_inner);
    if !timeline.ended && !context.executes(run) {
        context
            .session_watcher
            .watch(&timeline.folder, session, run);
    }
    let caught_up = read_until(&shared, &mut timeline, wanted, tell);
    if timeline.ended {
        context.session_watcher.unwatch(&timeline.folder);
    }
    caught_up
        .and_then(|_| use_timeline(&mut timeline))
        .map_err(|error| {
            let message = format!(
                "the files of the session in {} can't be read: {error}",
                timeline.folder.display()
            );
            PlanningError::new(RefusalReason::Unavailable, message)
        })
}

/// Whether the session runs only `baton-tool`, not an agent or a command of the plan.
fn runs_only_tools(context: &Context, row: &SessionRow) -> Result<bool, PlanningError> {
    let run = context.store.runs().get(row.run)?;
    let plan = plan_version(context, run.plan, run.version)?;
    Ok(plan
        .node(row.node)
        .is_some_and(|node| node.kind.runs_only_tools()))
}

fn open_timeline(
    context: &Context,
    session: SessionId,
) -> Result<(Arc<Mutex<SessionTimeline>>, RunId), PlanningError> {
    let row = context.store.sessions().get(session)?;
    let format = match &row.agent {
        None if runs_only_tools(context, &row)? => baton_agents::tool::LOG_FORMAT,
        None => LogFormat::PLAIN,
        Some(agent) => context
            .engine
            .agents()
            .find(Some(agent))
            .map_or(LogFormat::PLAIN, |agent| agent.log_format()),
    };
    let folder = context.store.data_dir().join(&row.folder);
    let timeline = context
        .session_timelines
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .open(session, folder, format);
    Ok((timeline, row.run))
}
