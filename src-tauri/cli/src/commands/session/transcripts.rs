//! `baton session` for transcripts, the agents' own session files.

use baton_agents::TimelineEntry;
use baton_api::wire::*;
use serde_json::json;

use crate::client::Client;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;
use crate::timeline_printer::TimelinePrinter;

/// Number of timeline entries per request.
const TIMELINE_PAGE_SIZE: u32 = 200;

/// Whether `given` has a transcript's form: `<agent>:<id>`.
pub(super) fn is_transcript_ref(given: &str) -> bool {
    given.split_once(':').is_some_and(|(agent, id)| {
        !id.is_empty() && agent.bytes().all(|byte| byte.is_ascii_lowercase())
    })
}

pub(super) fn list(client: &Client<'_>, agent: Option<String>, limit: u32) -> Result<(), Failure> {
    let filter = TranscriptsFilter {
        agent,
        limit: Some(limit),
        ..TranscriptsFilter::default()
    };
    let page: TranscriptsPage = client.ask("list the transcripts", "transcripts_list", &filter)?;
    if client.output.json {
        return client.output.json(&page);
    }
    page.indexing
        .trouble
        .iter()
        .for_each(|trouble| client.output.note(trouble));
    if page.rows.is_empty() {
        client.output.note("No transcripts.");
        return Ok(());
    }
    let rows: Vec<_> = page.rows.iter().map(row).collect();
    table::print(
        client.output,
        [
            "transcript",
            "title",
            "project",
            "messages",
            "tokens",
            "cost",
            "last",
        ],
        &rows,
    )
}

fn row(row: &TranscriptRow) -> [Cell; 7] {
    let usage = row.usage;
    let tokens = [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
    ];
    let tokens = tokens
        .into_iter()
        .flatten()
        .reduce(|sum, count| sum + count);
    let about = if row.usd_is_estimate { "~" } else { "" };
    [
        Cell::from(&row.id).tone(Tone::Faint),
        Cell::from(row.title.as_deref().unwrap_or("")).tone(Tone::Strong),
        row.project.as_deref().unwrap_or("").into(),
        row.messages.to_string().into(),
        tokens
            .map(|count| count.to_string())
            .unwrap_or_default()
            .into(),
        usage
            .usd
            .map(|usd| format!("{about}${usd:.2}"))
            .unwrap_or_default()
            .into(),
        row.ended_at.map(date).unwrap_or_default().into(),
    ]
}

pub(super) fn search(client: &Client<'_>, words: &[String], limit: u32) -> Result<(), Failure> {
    let search = TranscriptsSearch {
        text: words.join(" "),
        filter: TranscriptsFilter::default(),
        offset: 0,
        limit,
    };
    let found: TranscriptHits =
        client.ask("search the transcripts", "transcripts_search", &search)?;
    let output = client.output;
    if output.json {
        return output.json(&found);
    }
    if found.hits.is_empty() {
        output.note("No matches.");
    }
    for hit in &found.hits {
        let title = style::one_line(hit.row.title.as_deref().unwrap_or(""));
        let id = output.paint(&style::one_line(&hit.row.id), Tone::Faint);
        output.line(&format!("{id}  {}", output.paint(&title, Tone::Strong)))?;
        for excerpt in &hit.excerpts {
            let pieces = excerpt.pieces.iter().map(|piece| {
                let text = spaced(&piece.text);
                if piece.found {
                    output.paint(&text, Tone::Strong)
                } else {
                    text
                }
            });
            output.line(&format!("  {}", pieces.collect::<String>()))?;
        }
    }
    Ok(())
}

/// Makes a piece safe to print on one line and keeps the spaces at its ends, which separate it from
/// its neighbors.
fn spaced(piece: &str) -> String {
    let space = |is_there: bool| if is_there { " " } else { "" };
    format!(
        "{}{}{}",
        space(piece.starts_with(' ')),
        style::one_line(piece),
        space(piece.len() > 1 && piece.ends_with(' '))
    )
}

/// Prints a transcript's timeline.
pub(super) fn show(
    client: &Client<'_>,
    id: &str,
    last: Option<u32>,
    full: bool,
) -> Result<(), Failure> {
    let wanted = TranscriptRef { id: id.to_owned() };
    let row: TranscriptRow = client.ask("load the transcript", "transcript_get", &wanted)?;
    if client.output.json {
        client.output.json(&json!({ "transcript": row }))?;
    } else if !client.output.quiet {
        let title = style::one_line(row.title.as_deref().unwrap_or(&row.id));
        client
            .output
            .line(&client.output.paint(&title, Tone::Strong))?;
        client.output.line(
            &client
                .output
                .paint(&style::one_line(&row.path), Tone::Faint),
        )?;
    }
    let mut printer = TimelinePrinter::default();
    let mut from = i64::from(last.unwrap_or(0)).saturating_neg();
    loop {
        let range = TranscriptRange {
            id: id.to_owned(),
            from,
            limit: TIMELINE_PAGE_SIZE,
            since: None,
            at: None,
            of_end: false,
        };
        let page: TimelinePage = client.ask("load the timeline", "transcript_timeline", &range)?;
        let Some(end) = page.entries.last().map(|entry| entry.seq + 1) else {
            break;
        };
        for entry in page.entries {
            print_entries(client, id, full, entry, &mut printer)?;
        }
        from = i64::try_from(end).unwrap_or(i64::MAX);
    }
    client.output.text(printer.finish())
}

fn print_entries(
    client: &Client<'_>,
    id: &str,
    full: bool,
    entry: TimelineEntry,
    printer: &mut TimelinePrinter,
) -> Result<(), Failure> {
    let entry = if full && entry.left_out_bytes > 0 {
        let wanted = TranscriptEntryRef {
            id: id.to_owned(),
            seq: entry.seq,
            of_end: false,
        };
        client.ask("load an entry", "transcript_entry", &wanted)?
    } else {
        entry
    };
    if client.output.json {
        return client.output.json(&entry);
    }
    let text = printer.print(&entry, &|text, tone| client.output.paint(text, tone));
    client.output.text(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_keep_spaces_and_drop_control_characters() {
        for (piece, expected) in [
            ("and ", "and "),
            (" its", " its"),
            (" ", " "),
            ("a", "a"),
            ("", ""),
        ] {
            assert_eq!(spaced(piece), expected, "{piece:?}");
        }
        assert!(!spaced("\u{1b}[2Jx").contains('\u{1b}'));
    }

    #[test]
    fn transcript_ref_is_agent_and_id() {
        for (given, expected) in [
            ("claude:1", true),
            ("pi:", false),
            ("My title: a node", false),
            ("0199aa", false),
        ] {
            assert_eq!(is_transcript_ref(given), expected, "{given}");
        }
    }
}
