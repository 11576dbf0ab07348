//! A session as text for planners: messages and tool calls, without the output of tools.

use baton_agents::TimelineEntry;
use baton_agents::timeline::TimelineKind;
use baton_keeper::Launch;
use baton_model::SessionId;

use super::directory::quoted;
use crate::timelines::{self, EntryRange, TimelinePage};
use crate::{Context, PlanningError};

/// The maximum length of a session, in bytes. Longer ones are reduced to their beginning and end.
const TEXT_LIMIT: usize = 60_000;
/// The maximum number of entries that are read from each end.
const MAX_ENTRIES: u32 = 400;
/// The maximum length of an entry, in characters.
const ENTRY_LIMIT: usize = 2_000;

/// The working directory of a session.
pub(super) fn session_cwd(context: &Context, session: SessionId) -> Option<String> {
    let folder = baton_engine::session_folder(context.store.data_dir(), session);
    let launch = Launch::read(&folder).ok()?;
    Some(launch.cwd.display().to_string()).filter(|cwd| !cwd.is_empty())
}

/// The text of a session that Baton ran.
pub(super) fn session_text(context: &Context, session: SessionId) -> Result<String, PlanningError> {
    let folder = baton_engine::session_folder(context.store.data_dir(), session);
    let input = baton_engine::session_input(&folder)
        .map(|(_, input)| input)
        .unwrap_or_default();
    let page = |from| timelines::page(context, session, range(from));
    Ok(format_text(&input, first_and_last_lines(page)?))
}

/// The entries of a timeline as lines: all of a short one, the first and last ones of a long one.
fn first_and_last_lines(
    page: impl Fn(i64) -> Result<TimelinePage, PlanningError>,
) -> Result<Vec<String>, PlanningError> {
    let first = page(0)?;
    let mut entries = first.entries;
    if first.total > u64::from(MAX_ENTRIES) || first.reading.is_some() {
        let seen = entries.len() as u64;
        let last = page(-i64::from(MAX_ENTRIES))?.entries;
        entries.extend(last.into_iter().filter(|entry| entry.seq >= seen));
    }
    Ok(entries.iter().filter_map(line).collect())
}

fn format_text(input: &str, lines: Vec<String>) -> String {
    let whole = lines.concat();
    let shortened = if whole.len() > TEXT_LIMIT {
        let (head, tail) = (
            whole.floor_char_boundary(TEXT_LIMIT / 2),
            whole.ceil_char_boundary(whole.len() - TEXT_LIMIT / 2),
        );
        format!("{}\n… (cut)\n{}", &whole[..head], &whole[tail..])
    } else {
        whole
    };
    let task: String = input.chars().take(TEXT_LIMIT / 4).collect();
    let asked = if task.trim().is_empty() {
        String::new()
    } else {
        format!("What was asked:\n\n{}\n", quoted(&task))
    };
    format!("{asked}What happened:\n\n{}", quoted(&shortened))
}

fn line(entry: &TimelineEntry) -> Option<String> {
    let cut = |text: &str| text.trim().chars().take(ENTRY_LIMIT).collect::<String>();
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

/// The working directory of a transcript.
pub(super) fn transcript_cwd(
    context: &Context,
    transcript: &str,
) -> Result<Option<String>, PlanningError> {
    Ok(context.transcripts(false)?.get(transcript)?.project)
}

/// The text of a transcript.
pub(super) fn transcript_text(
    context: &Context,
    transcript: &str,
) -> Result<String, PlanningError> {
    let page = |from| timelines::transcript_page(context, transcript, range(from), None);
    Ok(format_text("", first_and_last_lines(page)?))
}

fn range(from: i64) -> EntryRange {
    EntryRange {
        from,
        limit: MAX_ENTRIES,
        since: None,
        of_end: false,
    }
}
