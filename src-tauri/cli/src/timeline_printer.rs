//! Prints a session's timeline incrementally.
//!
//! Entries can change while a session is running: output grows, and a tool call gets its result.
//! Printed text is never changed; only additions are printed.

use std::collections::HashMap;

use baton_agents::event::ToolResult;
use baton_agents::timeline::{PermissionState, TimelineKind};
use baton_agents::{TimelineEntry, Usage};

use crate::style::{self, Tone};
use baton_model::count::format_quantity;

/// Maximum number of lines shown of a tool's result.
const MAX_RESULT_LINES: usize = 20;

/// Returns a text in the color of a tone.
type Paint<'a> = &'a dyn Fn(&str, Tone) -> String;

/// What has been printed of each entry, by `seq`.
#[derive(Default)]
pub(crate) struct TimelinePrinter {
    printed: HashMap<u64, PrintedEntry>,
    open_line: bool,
}

#[derive(Default, Clone, Copy)]
struct PrintedEntry {
    bytes: usize,
    head: bool,
    end: bool,
}

impl TimelinePrinter {
    /// Returns the new text of `entry`, with line ends.
    pub(crate) fn print(&mut self, entry: &TimelineEntry, paint: Paint<'_>) -> String {
        let mut printed = self.printed.get(&entry.seq).copied().unwrap_or_default();
        let mut text = String::new();
        let mut line = |tone, line: &str| {
            text += &paint(line, tone);
            text.push('\n');
        };
        match &entry.kind {
            TimelineKind::Output { text: output, .. } => {
                let new_output = self.new_output(&mut printed, output);
                self.printed.insert(entry.seq, printed);
                return new_output;
            }
            _ if printed.end => return String::new(),
            TimelineKind::Prompt { text } => {
                line(Tone::Active, &format!("› {}", style::lines(text)))
            }
            TimelineKind::Text { markdown } => line(Tone::Plain, &style::lines(markdown)),
            TimelineKind::Thinking { text } => line(Tone::Faint, &style::lines(text)),
            TimelineKind::ToolCall {
                name,
                summary,
                result,
                ..
            } => {
                if !printed.head {
                    line(
                        Tone::Strong,
                        &format!("• {} {}", style::one_line(name), style::one_line(summary)),
                    );
                }
                if let Some(result) = result {
                    line(
                        if result.ok { Tone::Faint } else { Tone::Bad },
                        &result_text(result),
                    );
                }
                printed.head = true;
                printed.end = result.is_some();
            }
            TimelineKind::Permission {
                tool,
                summary,
                state,
                ..
            } => {
                let what = format!("{} {}", style::one_line(tool), style::one_line(summary));
                if *state != PermissionState::Asked || !printed.head {
                    line(
                        Tone::Attention,
                        &format!("? {what}: {}", permission_label(*state)),
                    );
                }
                printed.head = true;
                printed.end = *state != PermissionState::Asked;
            }
            TimelineKind::Retry {
                attempt,
                max,
                reason,
                ..
            } => {
                line(
                    Tone::Attention,
                    &format!("↻ attempt {attempt} of {max}: {}", style::one_line(reason)),
                );
            }
            TimelineKind::Usage { usage } => line(Tone::Faint, &usage_text(usage)),
            TimelineKind::Error { text } => line(Tone::Bad, &format!("✗ {}", style::lines(text))),
            TimelineKind::Note { text } => {
                line(Tone::Faint, &format!("· {}", style::one_line(text)))
            }
            TimelineKind::TodoList { items } => {
                for item in items {
                    line(
                        Tone::Faint,
                        &format!("· {}", style::one_line(&item.to_line())),
                    );
                }
            }
            TimelineKind::Image { image } => line(
                Tone::Faint,
                &format!("· {}", style::one_line(&image.to_line())),
            ),
            TimelineKind::Unknown { raw } => line(
                Tone::Faint,
                &format!("· {}", style::cut(&style::one_line(raw), 200)),
            ),
        }
        if !matches!(
            entry.kind,
            TimelineKind::ToolCall { .. } | TimelineKind::Permission { .. }
        ) {
            printed.end = true;
            if entry.left_out_bytes > 0 {
                let more = format_quantity(entry.left_out_bytes, "more byte", "more bytes");
                line(Tone::Faint, &format!("… {more} (use --full)"));
            }
        }
        self.printed.insert(entry.seq, printed);
        if std::mem::take(&mut self.open_line) && !text.is_empty() {
            format!("\n{text}")
        } else {
            text
        }
    }

    fn new_output(&mut self, printed: &mut PrintedEntry, output: &str) -> String {
        let new = output.get(printed.bytes..).unwrap_or_default();
        printed.bytes = printed.bytes.max(output.len());
        let new = style::lines(new);
        if !new.is_empty() {
            self.open_line = !new.ends_with('\n');
        }
        new
    }

    /// Returns the line end that is missing, if any.
    pub(crate) fn finish(&mut self) -> &'static str {
        if std::mem::take(&mut self.open_line) {
            "\n"
        } else {
            ""
        }
    }
}

fn result_text(result: &ToolResult) -> String {
    let text = style::lines(&result.text);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let shown = lines
        .iter()
        .take(MAX_RESULT_LINES)
        .map(|line| format!("  {line}"));
    let mut shown: Vec<String> = shown.collect();
    match lines.len().saturating_sub(MAX_RESULT_LINES) {
        0 => {}
        1 => shown.push("  … 1 more line".to_owned()),
        more => shown.push(format!("  … {more} more lines")),
    }
    if shown.is_empty() {
        let outcome = if result.denied {
            "denied"
        } else if result.ok {
            "done"
        } else {
            "failed"
        };
        shown.push(format!("  {outcome}"));
    }
    shown.join("\n")
}

fn permission_label(state: PermissionState) -> &'static str {
    match state {
        PermissionState::Asked => "asks for permission",
        PermissionState::Allowed => "allowed",
        PermissionState::Denied => "denied",
        PermissionState::Withdrawn => "withdrawn",
    }
}

fn usage_text(usage: &Usage) -> String {
    let count = |name, tokens: Option<u64>| tokens.map(|tokens| format!("{tokens} {name}"));
    let parts = [
        count("input tokens", usage.input_tokens),
        count("output tokens", usage.output_tokens),
        usage.usd.map(|usd| format!("${usd:.4}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!(
        "· usage so far: {}",
        if parts.is_empty() {
            "unknown".to_owned()
        } else {
            parts.join(", ")
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use baton_agents::Stream;
    use baton_agents::timeline::Position;

    fn entry(seq: u64, kind: TimelineKind) -> TimelineEntry {
        let at = Position {
            stream: Stream::Stdout,
            offset: 0,
            at_ms: None,
        };
        TimelineEntry {
            seq,
            at,
            parent: None,
            left_out_bytes: 0,
            kind,
        }
    }

    fn output(seq: u64, text: &str) -> TimelineEntry {
        entry(
            seq,
            TimelineKind::Output {
                stream: Stream::Stdout,
                text: text.to_owned(),
                styles: Vec::new(),
            },
        )
    }

    fn call(result: Option<&str>) -> TimelineEntry {
        let result = result.map(|text| ToolResult {
            ok: true,
            denied: false,
            text: text.to_owned(),
            styles: Vec::new(),
            truncated_bytes: 0,
            end_unknown: false,
            diff: None,
            images: Vec::new(),
            exit_code: None,
        });
        let (id, name, summary) = ("1".to_owned(), "Bash".to_owned(), "ls -l".to_owned());
        entry(
            7,
            TimelineKind::ToolCall {
                id,
                name,
                summary,
                input: serde_json::Value::Null,
                result,
                ended: None,
                edits: Vec::new(),
                todos: Vec::new(),
            },
        )
    }

    fn print_all(entries: &[TimelineEntry]) -> String {
        let mut printer = TimelinePrinter::default();
        let mut text: String = entries
            .iter()
            .map(|entry| printer.print(entry, &|text, _| text.to_owned()))
            .collect();
        text += printer.finish();
        text
    }

    #[test]
    fn growing_output_is_printed_once() {
        assert_eq!(
            print_all(&[
                output(0, "one\ntw"),
                output(0, "one\ntwo\nthr"),
                output(0, "one\ntwo\nthr")
            ]),
            "one\ntwo\nthr\n"
        );
    }

    #[test]
    fn tool_result_is_printed_when_it_arrives() {
        assert_eq!(
            print_all(&[
                call(None),
                call(None),
                call(Some("a\nb")),
                call(Some("a\nb"))
            ]),
            "• Bash ls -l\n  a\n  b\n"
        );
    }

    #[test]
    fn entry_after_an_unfinished_line_starts_a_new_line() {
        let note = entry(
            1,
            TimelineKind::Note {
                text: "a note".to_owned(),
            },
        );
        assert_eq!(
            print_all(&[output(0, "no end"), note]),
            "no end\n· a note\n"
        );
    }

    #[test]
    fn unknown_usage_is_not_printed_as_zero() {
        assert_eq!(usage_text(&Usage::default()), "· usage so far: unknown");
        assert_eq!(
            usage_text(&Usage {
                output_tokens: Some(12),
                ..Usage::default()
            }),
            "· usage so far: 12 output tokens"
        );
    }
}
