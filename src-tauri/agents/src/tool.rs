//! The session of a node that calls tools or asks a condition: `baton-tool` prints what happens as JSON lines.
//!
//! Such a session has no agent, and nothing is ever said to it. What it prints is described in the crate of the program;
//! here it is only read, so that a log of a version that knew more is still a log.

pub(crate) mod record;

use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::json_text::string;
use crate::part::Part;
use crate::plain_text::{one_line, plain};
use baton_model::outcome::Failure;

/// A session of `baton-tool`.
#[derive(Debug, Default)]
pub struct ToolSession {
    /// The calls that run: id and line for people, oldest first.
    running: Vec<(String, String)>,
    end: Option<End>,
}

/// The program's own word on how it ended.
#[derive(Debug)]
enum End {
    Done,
    Failed(String),
}

impl Driver for ToolSession {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![SessionEvent::Output {
                stream,
                text: plain(line),
            }];
        }
        if let Some(end) = end_of(line) {
            self.running.clear();
            self.end = Some(end);
        }
        let events: Vec<_> = record::read(line)
            .parts
            .iter()
            .filter_map(|part: &Part<'_>| part.event(line))
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

    fn reads(&self, stream: Stream) -> bool {
        stream == Stream::Stdout
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match (&self.end, exit) {
            (Some(End::Done), _) => Verdict::Succeeded,
            (Some(End::Failed(detail)), _) => Verdict::Failed(Failure::ToolError {
                detail: detail.clone(),
            }),
            // It never goes without a word unless something is very wrong.
            (None, ProcessEnd::Exited(0)) => Verdict::Failed(Failure::ExitCode { code: 0 }),
            (None, exit) => Verdict::of_process(exit),
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

fn end_of(line: &[u8]) -> Option<End> {
    let line: record::Line<'_> = serde_json::from_slice(line).ok()?;
    match (&*line.kind, line.ok?) {
        ("end", true) => Some(End::Done),
        ("end", false) => {
            let words = line.message.map(string).unwrap_or_default();
            Some(End::Failed(one_line(&words, 2000)))
        }
        _ => None,
    }
}
