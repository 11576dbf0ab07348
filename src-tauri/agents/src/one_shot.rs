//! Agents that are told everything at once and stream what they do until they end, as [`gemini`](crate::gemini) and
//! [`opencode`](crate::opencode) can beside the protocol that Baton runs them by.
//!
//! A person chooses these streams for an agent of their own. Nobody can answer such an agent: what it may do is for
//! its own settings to say, and it is stopped by signals alone. The handoff is asked for along with the work.

use baton_model::artifact::MARKER;

use crate::acp::ending::End;
use crate::complaint::Complaint;
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::json_text::string;
use crate::notice::Notice;
use crate::odd;
use crate::part::Part;
use crate::record::Record;
use crate::role::Role;
use crate::scope::ToolScope;
use crate::usage::Usage;

/// What a stream told, as far as its end is judged by it.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// The end, by the stream's own word.
    pub(crate) end: Option<End>,
    /// The last error since the agent did or said something.
    pub(crate) error: Option<String>,
    /// The agent's own name for the session.
    pub(crate) session: Option<String>,
    pub(crate) usage: Usage,
    /// Why the model stopped last.
    pub(crate) last_stop: Option<String>,
    /// A step ended.
    pub(crate) has_finished: bool,
    pub(crate) complaint: Complaint,
}

/// One of the streams.
pub(crate) trait Dialect: Send {
    /// Takes a line apart.
    fn read<'a>(&self, line: &'a [u8]) -> Record<'a>;

    /// Keeps what a line tells beyond its parts.
    fn keep(&self, line: &[u8], told: &mut Told);

    /// How the session ended.
    fn verdict(&self, told: &Told, exit: &ProcessEnd) -> Verdict;
}

/// A session of such an agent.
pub(crate) struct OneShot<D> {
    dialect: D,
    scope: ToolScope,
    told: Told,
    /// What the agent has said since its last tool call.
    words: String,
    speech: Option<(Role, String)>,
    running: Vec<(String, String)>,
}

/// The most of an agent's last words that is kept, in bytes.
const WORDS_LIMIT: usize = 256 * 1024;

impl<D: Dialect> OneShot<D> {
    pub(crate) fn new(dialect: D, scope: ToolScope) -> Self {
        Self {
            dialect,
            scope,
            told: Told::default(),
            words: String::new(),
            speech: None,
            running: Vec::new(),
        }
    }

    fn silence(&mut self) -> Option<SessionEvent> {
        let (role, text) = self.speech.take()?;
        Some(crate::role::text_event(role, text))
    }

    fn spoken(&mut self, role: Role, text: &str) {
        if role != Role::Error {
            self.told.error = None;
        }
        if role == Role::Answer && self.words.len() + text.len() < WORDS_LIMIT {
            self.words.push_str(text);
        }
    }

    fn chunk(&mut self, role: Role, text: &str) -> Option<SessionEvent> {
        self.spoken(role, text);
        if let Some((speaker, speech)) = &mut self.speech
            && *speaker == role
        {
            speech.push_str(text);
            return None;
        }
        let before = self.silence();
        self.speech = Some((role, text.to_owned()));
        before
    }

    fn observe(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::ToolStarted {
                id, name, summary, ..
            } => {
                self.words.clear();
                self.told.error = None;
                self.running
                    .push((id.clone(), format!("{name}: {summary}")));
            }
            SessionEvent::ToolEnded { id, .. } => self.running.retain(|(running, _)| running != id),
            SessionEvent::Error { text } => self.told.error = Some(text.clone()),
            _ => {}
        }
    }
}

impl<D: Dialect> Driver for OneShot<D> {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.told.complaint.hear(line)];
        }
        let line = &*odd::legible(line);
        let before = self.told.usage;
        self.dialect.keep(line, &mut self.told);
        let mut events = Vec::new();
        for part in self.dialect.read(line).parts {
            match &part {
                Part::Chunk { role, raw, .. } => {
                    events.extend(self.chunk(*role, &string(raw)));
                    continue;
                }
                Part::Text { role, raw } => {
                    self.words.clear();
                    self.spoken(*role, &string(raw));
                }
                Part::Notice(Notice::Over { end, text }) => {
                    self.told.end = Some(End {
                        end: end.clone(),
                        words: text.clone(),
                        wants_login: false,
                    });
                }
                _ => {}
            }
            let Some(event) = part.event(line) else {
                continue;
            };
            events.extend(self.silence());
            self.observe(&event);
            let outside = match &event {
                SessionEvent::ToolStarted {
                    id,
                    name,
                    summary,
                    input,
                } => self
                    .scope
                    .would_have(id, format!("{name}: {summary}"), name, input),
                _ => None,
            };
            events.push(event);
            events.extend(outside);
        }
        let is_told = events
            .iter()
            .any(|event| matches!(event, SessionEvent::Usage { .. }));
        if self.told.usage != before && !is_told {
            events.push(SessionEvent::Usage {
                usage: self.told.usage,
            });
        }
        events
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match &self.told.end {
            Some(end) if end.end == TurnEnd::Done => Verdict::Succeeded,
            _ => self.dialect.verdict(&self.told, exit),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.words.rfind(MARKER).map(|start| &self.words[start..])
    }

    fn usage(&self) -> Usage {
        self.told.usage
    }

    fn native_session(&self) -> Option<&str> {
        self.told.session.as_deref()
    }

    fn activity(&self) -> Option<String> {
        self.running.last().map(|(_, line)| line.clone())
    }
}
