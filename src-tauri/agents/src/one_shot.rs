//! Agents that get everything at once and stream events until they exit.
//! [`gemini`](crate::gemini) and [`opencode`](crate::opencode) have such a mode beside the
//! protocol that Baton uses for them.
//!
//! Only custom agents use these streams. Such an agent cannot be answered: its own settings
//! decide what it may do, and only signals stop it. The prompt already asks for the handoff.

use baton_model::artifact::MARKER;

use crate::acp::turn_outcome::TurnOutcome;
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::json_text::string;
use crate::lenient_json;
use crate::notice::Notice;
use crate::record::Record;
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::scope::ToolScope;
use crate::stderr_summary::StderrSummary;
use crate::usage::Usage;

/// The facts in a stream that decide the verdict.
#[derive(Debug, Default)]
pub(crate) struct StreamState {
    /// The outcome that the stream itself reports.
    pub(crate) end: Option<TurnOutcome>,
    /// The last error after the agent's last text or tool call.
    pub(crate) error: Option<String>,
    /// The agent's own id for the session.
    pub(crate) session: Option<String>,
    pub(crate) usage: Usage,
    /// The last stop reason of the model.
    pub(crate) last_stop: Option<String>,
    /// At least one step finished.
    pub(crate) has_finished: bool,
    pub(crate) stderr_summary: StderrSummary,
}

/// One of the stream formats.
pub(crate) trait Dialect: Send {
    fn read<'a>(&self, line: &'a [u8]) -> Record<'a>;

    /// Updates the state with what the parts of a line do not carry.
    fn update_state(&self, line: &[u8], state: &mut StreamState);

    fn verdict(&self, state: &StreamState, exit: &ProcessEnd) -> Verdict;
}

/// The driver of such a session.
pub(crate) struct OneShot<D> {
    dialect: D,
    scope: ToolScope,
    state: StreamState,
    /// The agent's text since its last tool call.
    last_message: String,
    streamed: Option<(Role, String)>,
    running: Vec<(String, String)>,
}

/// Longer last messages are truncated, in bytes.
const MAX_LAST_MESSAGE_BYTES: usize = 256 * 1024;

impl<D: Dialect> OneShot<D> {
    pub(crate) fn new(dialect: D, scope: ToolScope) -> Self {
        Self {
            dialect,
            scope,
            state: StreamState::default(),
            last_message: String::new(),
            streamed: None,
            running: Vec::new(),
        }
    }

    fn flush_text(&mut self) -> Option<SessionEvent> {
        let (role, text) = self.streamed.take()?;
        Some(crate::role::text_event(role, text))
    }

    fn record_text(&mut self, role: Role, text: &str) {
        if role != Role::Error {
            self.state.error = None;
        }
        if role == Role::Answer && self.last_message.len() + text.len() < MAX_LAST_MESSAGE_BYTES {
            self.last_message.push_str(text);
        }
    }

    fn chunk(&mut self, role: Role, text: &str) -> Option<SessionEvent> {
        self.record_text(role, text);
        if let Some((speaker, streamed)) = &mut self.streamed
            && *speaker == role
        {
            streamed.push_str(text);
            return None;
        }
        let before = self.flush_text();
        self.streamed = Some((role, text.to_owned()));
        before
    }

    fn observe(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::ToolStarted {
                id, name, summary, ..
            } => {
                self.last_message.clear();
                self.state.error = None;
                self.running
                    .push((id.clone(), format!("{name}: {summary}")));
            }
            SessionEvent::ToolEnded { id, .. } => self.running.retain(|(running, _)| running != id),
            SessionEvent::Error { text } => self.state.error = Some(text.clone()),
            _ => {}
        }
    }
}

impl<D: Dialect> Driver for OneShot<D> {
    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.state.stderr_summary.add_line(line)];
        }
        let line = &*lenient_json::sanitize_line(line);
        let before = self.state.usage;
        self.dialect.update_state(line, &mut self.state);
        let mut events = Vec::new();
        for part in self.dialect.read(line).parts {
            match &part {
                RecordPart::Chunk { role, raw, .. } => {
                    events.extend(self.chunk(*role, &string(raw)));
                    continue;
                }
                RecordPart::Text { role, raw } => {
                    self.last_message.clear();
                    self.record_text(*role, &string(raw));
                }
                RecordPart::Notice(Notice::TurnFinished { end, text }) => {
                    self.state.end = Some(TurnOutcome {
                        end: end.clone(),
                        message: text.clone(),
                        needs_login: false,
                    });
                }
                _ => {}
            }
            let Some(event) = part.event(line) else {
                continue;
            };
            events.extend(self.flush_text());
            self.observe(&event);
            let outside = match &event {
                SessionEvent::ToolStarted {
                    id,
                    name,
                    summary,
                    input,
                } => self
                    .scope
                    .would_block_event(id, format!("{name}: {summary}"), name, input),
                _ => None,
            };
            events.push(event);
            events.extend(outside);
        }
        let is_told = events
            .iter()
            .any(|event| matches!(event, SessionEvent::Usage { .. }));
        if self.state.usage != before && !is_told {
            events.push(SessionEvent::Usage {
                usage: self.state.usage,
            });
        }
        events
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match &self.state.end {
            Some(end) if end.end == TurnEnd::Done => Verdict::Succeeded,
            _ => self.dialect.verdict(&self.state, exit),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.last_message
            .rfind(MARKER)
            .map(|start| &self.last_message[start..])
    }

    fn usage(&self) -> Usage {
        self.state.usage
    }

    fn native_session(&self) -> Option<&str> {
        self.state.session.as_deref()
    }

    fn activity(&self) -> Option<String> {
        self.running.last().map(|(_, line)| line.clone())
    }
}
