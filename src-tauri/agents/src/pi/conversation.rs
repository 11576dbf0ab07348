//! The driver of a `pi --mode rpc` session: the prompt, the handoff prompt, the end.
//!
//! The end of the model's work (`agent_end`) is not the end of a turn: pi may retry, or compact
//! its context and continue. Versions differ in what they report about that. The driver therefore
//! asks pi for its state, and the turn is over when pi is idle.

use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::lenient_json;
use crate::pi::message::{self, ParsedLine, sum};
use crate::pi::stop_reason::{self, StopReason};
use crate::plain_text::strip_terminal_codes;
use crate::scope::ToolScope;
use crate::stderr_summary::StderrSummary;
use crate::task::{Input, Task};
use crate::usage::Usage;
use serde_json::json;

/// How often pi is asked again after it reported that it was not idle and nothing followed.
const MAX_IDLE_CHECKS: u32 = 20;

/// The state of one session, from the first line to the end of its input.
#[derive(Debug)]
pub(super) struct Conversation {
    scope: ToolScope,
    handoff_prompt: String,
    phase: Phase,
    session: Option<String>,
    /// The model works, or pi is about to run it again.
    busy: bool,
    interrupted: bool,
    /// The last stop reason in this turn.
    stop: Option<StopReason>,
    work: Option<Work>,
    last_message: String,
    handoff: Option<String>,
    outbox: Vec<Input>,
    /// The running tool calls, oldest first: id and one line for people.
    tools: Vec<(String, String)>,
    retry: Option<String>,
    usage: Usage,
    stderr_summary: StderrSummary,
    /// The number of state requests so far, and of those since the last event.
    asked: u32,
    idle_checks: u32,
    interrupts: u32,
}

/// The progress of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The agent works on the prompt.
    Working,
    /// The handoff prompt was sent.
    AwaitingHandoff,
    Closed,
}

/// The outcome of the work.
#[derive(Debug)]
enum Work {
    Stopped(StopReason),
    /// pi refused the prompt.
    Refused(String),
}

/// The first lines to write in a session.
pub(super) fn first_inputs(task: &Task) -> Vec<Input> {
    vec![state("state"), prompt("prompt", &task.prompt)]
}

fn state(key: &str) -> Input {
    line(key, &json!({"id": key, "type": "get_state"}))
}

fn prompt(key: &str, text: &str) -> Input {
    line(key, &json!({"id": key, "type": "prompt", "message": text}))
}

fn line(key: &str, message: &serde_json::Value) -> Input {
    Input::text(key, format!("{message}\n"))
}

impl Conversation {
    pub(super) fn new(task: &Task) -> Self {
        Self {
            scope: task.scope.clone(),
            handoff_prompt: task.handoff_prompt.clone(),
            phase: Phase::Working,
            session: None,
            busy: false,
            interrupted: false,
            stop: None,
            work: None,
            last_message: String::new(),
            handoff: None,
            outbox: Vec::new(),
            tools: Vec::new(),
            retry: None,
            usage: Usage::default(),
            stderr_summary: StderrSummary::default(),
            asked: 0,
            idle_checks: 0,
            interrupts: 0,
        }
    }

    /// Applies a line to the state. Returns an event that follows from it.
    fn observe(&mut self, parsed: &ParsedLine) -> Option<SessionEvent> {
        match parsed {
            ParsedLine::Event(event) => return self.event(event),
            ParsedLine::AssistantMessage {
                events,
                usage,
                stop,
            } => {
                self.usage = sum(self.usage, *usage);
                self.stop = Some(stop.clone());
                if let Some(SessionEvent::Text { markdown }) = events.last() {
                    self.last_message.clone_from(markdown);
                }
            }
            ParsedLine::Began => {
                self.busy = true;
                self.retry = None;
            }
            ParsedLine::Ended {
                will_retry, stop, ..
            } => {
                if self.stop.is_none() {
                    self.stop.clone_from(stop);
                }
                self.busy = *will_retry;
                self.tools.clear();
                self.restart_idle_checks();
            }
            ParsedLine::State {
                id,
                started,
                is_idle,
            } => self.state(id, started, *is_idle),
            ParsedLine::Settled { .. } => {
                self.busy = false;
                self.restart_idle_checks();
            }
            ParsedLine::Stopped => {
                self.interrupted = true;
                self.busy = false;
                self.restart_idle_checks();
            }
            ParsedLine::Refused { id, message } => self.refused(id, message),
            ParsedLine::Question { id, .. } => {
                let answer = json!({"type": "extension_ui_response", "id": id, "cancelled": true});
                self.outbox.push(line(&format!("answer:{id}"), &answer));
            }
            ParsedLine::Ignored | ParsedLine::Plain | ParsedLine::Unknown => {}
        }
        None
    }

    fn event(&mut self, event: &SessionEvent) -> Option<SessionEvent> {
        match event {
            SessionEvent::Started { native_session, .. } if !native_session.is_empty() => {
                self.session = Some(native_session.clone());
            }
            SessionEvent::ToolStarted {
                id,
                name,
                summary,
                input,
            } => {
                let line = if summary.is_empty() {
                    name.clone()
                } else {
                    format!("{name}: {summary}")
                };
                self.tools.push((id.clone(), line.clone()));
                return self.scope.would_block_event(id, line, name, input);
            }
            SessionEvent::ToolEnded { id, .. } => self.tools.retain(|(running, _)| running != id),
            SessionEvent::Retrying {
                attempt,
                max,
                reason,
                ..
            } => {
                self.busy = true;
                self.retry = Some(format!("retrying after {reason} ({attempt} of {max})"));
            }
            _ => {}
        }
        None
    }

    fn restart_idle_checks(&mut self) {
        self.idle_checks = 0;
        self.check();
    }

    fn check(&mut self) {
        if self.phase != Phase::Closed && !self.busy {
            self.asked += 1;
            self.outbox.push(state(&format!("settled:{}", self.asked)));
        }
    }

    /// Handles the answer to a state request. An answer to an older request is ignored.
    fn state(&mut self, id: &str, started: &SessionEvent, is_idle: bool) {
        if let (None, SessionEvent::Started { native_session, .. }) = (&self.session, started)
            && !native_session.is_empty()
        {
            self.session = Some(native_session.clone());
        }
        // An unreadable id may be the expected one, and no other answer would come.
        if !(id.is_empty() || id == format!("settled:{}", self.asked)) || self.busy {
            return;
        }
        self.idle_checks += 1;
        if is_idle || self.idle_checks > MAX_IDLE_CHECKS {
            self.turn_ended()
        } else {
            self.check()
        }
    }

    fn turn_ended(&mut self) {
        let stop = self
            .stop
            .take()
            .filter(|_| !self.interrupted)
            .unwrap_or(StopReason::Aborted);
        self.retry = None;
        let is_done = stop == StopReason::Done;
        match self.phase {
            Phase::Working => {
                self.work = Some(Work::Stopped(stop));
                if is_done && !self.handoff_prompt.is_empty() {
                    self.phase = Phase::AwaitingHandoff;
                    self.last_message.clear();
                    return self.outbox.push(prompt("handoff", &self.handoff_prompt));
                }
            }
            Phase::AwaitingHandoff => {
                self.handoff = Some(self.last_message.clone())
                    .filter(|text| is_done && !text.trim().is_empty());
            }
            Phase::Closed => {}
        }
        self.close();
    }

    fn refused(&mut self, id: &str, message: &str) {
        match (id, self.phase) {
            ("prompt", Phase::Working) => {
                self.work
                    .get_or_insert_with(|| Work::Refused(message.to_owned()));
                self.close();
            }
            ("handoff", _) => self.close(),
            _ => {}
        }
    }

    fn close(&mut self) {
        if self.phase != Phase::Closed {
            self.phase = Phase::Closed;
            self.outbox.push(Input::close());
        }
    }
}

impl Driver for Conversation {
    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.stderr_summary.add_line(line)];
        }
        let line = &*lenient_json::sanitize_line(line);
        let (parsed, has_losses) = lenient_json::detect_losses(|| message::read(line));
        let note = self.observe(&parsed);
        let mut events = match parsed {
            ParsedLine::Plain => vec![SessionEvent::Output {
                stream,
                text: strip_terminal_codes(line),
            }],
            ParsedLine::Unknown => vec![SessionEvent::Unknown {
                raw: String::from_utf8_lossy(line).into_owned(),
            }],
            parsed => parsed.events(),
        };
        for event in &mut events {
            if let SessionEvent::Usage { usage } = event {
                *usage = self.usage;
            }
        }
        events.extend(note);
        events.extend(has_losses.then(|| SessionEvent::Unknown {
            raw: String::from_utf8_lossy(line).into_owned(),
        }));
        events
    }

    fn take_inputs(&mut self) -> Vec<Input> {
        std::mem::take(&mut self.outbox)
    }

    fn interrupt(&mut self) -> Option<Input> {
        if self.phase == Phase::Closed {
            return None;
        }
        self.interrupts += 1;
        let key = format!("interrupt:{}", self.interrupts);
        Some(line(&key, &json!({"id": key, "type": "abort"})))
    }

    fn service_wait_reason(&self) -> Option<String> {
        // Work that is done stays done while the agent waits to write its handoff.
        self.retry.clone().filter(|_| self.work.is_none())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match (&self.work, &self.stop) {
            (Some(Work::Stopped(stop)), _) => stop.verdict(),
            (Some(Work::Refused(message)), _) => stop_reason::refused(message),
            // A run of `--mode json` exits on its own, and so does a process whose input
            // another program closed.
            (None, Some(stop)) if !self.busy && *exit == ProcessEnd::Exited(0) => stop.verdict(),
            (None, _) => self
                .stderr_summary
                .verdict(exit, "before finishing its turn"),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.handoff.as_deref()
    }

    fn usage(&self) -> Usage {
        self.usage
    }

    fn native_session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn activity(&self) -> Option<String> {
        let running = || self.tools.last().map(|(_, line)| line.clone());
        let writing =
            || (self.phase == Phase::AwaitingHandoff).then(|| "writing the handoff".to_owned());
        self.retry.clone().or_else(running).or_else(writing)
    }
}
