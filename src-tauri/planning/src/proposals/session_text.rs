//! A session as a planner reads it: what was asked and said, and which tools ran, without their output.

use baton_agents::TimelineEntry;
use baton_agents::timeline::TimelineKind;
use baton_keeper::Launch;
use baton_model::SessionId;

use super::directory::quoted;
use crate::timelines::{self, Range, TimelinePage};
use crate::{Context, PlanningError};

/// The most of a session that a planner is told, in bytes; of a longer one, the beginning and the end.
const LIMIT: usize = 60_000;
/// The most entries that are looked at, from each end.
const ENTRIES: u32 = 400;
/// How much of one entry is told, in characters.
const ENTRY: usize = 2_000;

/// Where a session ran.
pub(super) fn place_of(context: &Context, session: SessionId) -> Option<String> {
    let folder = baton_engine::session_folder(context.store.data_dir(), session);
    let launch = Launch::read(&folder).ok()?;
    Some(launch.cwd.display().to_string()).filter(|cwd| !cwd.is_empty())
}

/// A session of a node in words.
pub(super) fn of_session(context: &Context, session: SessionId) -> Result<String, PlanningError> {
    let folder = baton_engine::session_folder(context.store.data_dir(), session);
    let told = baton_engine::given(&folder)
        .map(|(_, told)| told)
        .unwrap_or_default();
    let page = |from| timelines::page(context, session, range(from));
    Ok(bounded(&told, both_ends(page)?))
}

/// The entries of a timeline in words: all of a short one, the first and the last of a long one.
fn both_ends(
    page: impl Fn(i64) -> Result<TimelinePage, PlanningError>,
) -> Result<Vec<String>, PlanningError> {
    let first = page(0)?;
    let mut entries = first.entries;
    if first.total > u64::from(ENTRIES) || first.reading.is_some() {
        let seen = entries.len() as u64;
        let last = page(-i64::from(ENTRIES))?.entries;
        entries.extend(last.into_iter().filter(|entry| entry.seq >= seen));
    }
    Ok(entries.iter().filter_map(line).collect())
}

fn bounded(told: &str, lines: Vec<String>) -> String {
    let whole = lines.concat();
    let said = if whole.len() > LIMIT {
        let (head, tail) = (
            whole.floor_char_boundary(LIMIT / 2),
            whole.ceil_char_boundary(whole.len() - LIMIT / 2),
        );
        format!("{}\n… (cut)\n{}", &whole[..head], &whole[tail..])
    } else {
        whole
    };
    let told: String = told.chars().take(LIMIT / 4).collect();
    let asked = if told.trim().is_empty() {
        String::new()
    } else {
        format!("What was asked:\n\n{}\n", quoted(&told))
    };
    format!("{asked}What happened:\n\n{}", quoted(&said))
}

fn line(entry: &TimelineEntry) -> Option<String> {
    let cut = |text: &str| text.trim().chars().take(ENTRY).collect::<String>();
    match &entry.kind {
        TimelineKind::Prompt { text } => Some(format!("Person: {}\n", cut(text))),
        TimelineKind::Text { markdown } => Some(format!("Agent: {}\n", cut(markdown))),
        TimelineKind::ToolCall { name, summary, .. } => {
            Some(format!("Tool: {name} {}\n", cut(summary)))
        }
        TimelineKind::Error { text } => Some(format!("Error: {}\n", cut(text))),
        _ => None,
    }
}

/// Where a transcript was made.
pub(super) fn place_of_transcript(
    context: &Context,
    transcript: &str,
) -> Result<Option<String>, PlanningError> {
    Ok(context.transcripts(false)?.get(transcript)?.project)
}

/// A transcript in words.
pub(super) fn of_transcript(context: &Context, transcript: &str) -> Result<String, PlanningError> {
    let page = |from| timelines::transcript_page(context, transcript, range(from), None);
    Ok(bounded("", both_ends(page)?))
}

fn range(from: i64) -> Range {
    Range {
        from,
        limit: ENTRIES,
        since: None,
    }
}
