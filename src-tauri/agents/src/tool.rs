//! Sessions of tool and condition nodes, which run `baton-tool`. It prints events as JSON lines.
//!
//! Such a session has no agent and gets no input. The output is described in the program's own
//! crate. This module ignores unknown fields and events, so that logs of newer versions can still
//! be read.

pub(crate) mod record;

pub use record::LOG_FORMAT;

use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::json_text::string;
use crate::plain_text::{one_line, strip_terminal_codes};
use crate::record_part::RecordPart;
use baton_model::outcome::Failure;

/// The driver of a `baton-tool` session.
#[derive(Debug, Default)]
pub struct ToolSession {
    /// Running calls, oldest first: id and one line for people.
    running: Vec<(String, String)>,
    end: Option<ToolOutcome>,
}

/// The outcome that the program reports.
#[derive(Debug)]
enum ToolOutcome {
    Done,
    Failed(String),
}

impl Driver for ToolSession {
    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![SessionEvent::Output {
                stream,
                text: strip_terminal_codes(line),
            }];
        }
        if let Some(end) = parse_outcome(line) {
            self.running.clear();
            self.end = Some(end);
        }
        let events: Vec<_> = record::read(line)
            .parts
            .iter()
            .filter_map(|part: &RecordPart<'_>| part.event(line))
            .collect();
        for event in &events {
            match event {
                SessionEvent::ToolStarted {
                    id, name, summary, ..
                } => {
                    let line = if summary.is_empty() {
                        name.clone()
                    } else {
                        format!("{name}: {summary}")
                    };
                    self.running.push((id.clone(), line));
                }
                SessionEvent::ToolEnded { id, .. } => {
                    self.running.retain(|(running, _)| running != id)
                }
                _ => {}
            }
        }
        events
    }

    fn reads_stream(&self, stream: Stream) -> bool {
        stream == Stream::Stdout
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match (&self.end, exit) {
            (Some(ToolOutcome::Done), _) => Verdict::Succeeded,
            (Some(ToolOutcome::Failed(detail)), _) => Verdict::Failed(Failure::ToolError {
                detail: detail.clone(),
            }),
            // The program always reports an outcome unless something went badly wrong.
            (None, ProcessEnd::Exited(0)) => Verdict::Failed(Failure::ExitCode { code: 0 }),
            (None, exit) => Verdict::from_process_end(exit),
        }
    }

    fn activity(&self) -> Option<String> {
        let (_, line) = self.running.last()?;
        Some(match self.running.len() {
            1 => line.clone(),
            more => format!("{line} (and {} more)", more - 1),
        })
    }
}

fn parse_outcome(line: &[u8]) -> Option<ToolOutcome> {
    let line: record::Line<'_> = serde_json::from_slice(line).ok()?;
    match (&*line.kind, line.ok?) {
        ("end", true) => Some(ToolOutcome::Done),
        ("end", false) => {
            let message = line.message.map(string).unwrap_or_default();
            Some(ToolOutcome::Failed(one_line(&message, 2000)))
        }
        _ => None,
    }
}
