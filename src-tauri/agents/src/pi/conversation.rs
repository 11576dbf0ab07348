//! What to say to `pi --mode rpc` when: the prompt, the question for the handoff, then goodbye.
//!
//! The end of the model's work (`agent_end`) is not the end of a turn: pi may try again, or make room and go on.
//! Versions differ in what they tell of that, so pi is asked for its state, and is done when it is at rest.

use crate::complaint::Complaint;
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::odd;
use crate::pi::ending::{self, Stop};
use crate::pi::message::{self, Said, sum};
use crate::plain_text::plain;
use crate::scope::ToolScope;
use crate::task::{Input, Task};
use crate::usage::Usage;
use serde_json::json;

/// How often pi is asked again whether it is at rest, when it said that it was not and nothing followed.
const CHECKS: u32 = 20;

/// One session, from the first line to the end of its input.
#[derive(Debug)]
pub(super) struct Conversation {
    scope: ToolScope,
    handoff_prompt: String,
    phase: Phase,
    session: Option<String>,
    /// Whether the model works, or pi is about to let it work again.
    busy: bool,
    interrupted: bool,
    /// How the model stopped last in this turn.
    stop: Option<Stop>,
    work: Option<Work>,
    last_words: String,
    handoff: Option<String>,
    outbox: Vec<Input>,
    /// Running tool calls: id and line for people, oldest first.
    tools: Vec<(String, String)>,
    retry: Option<String>,
    usage: Usage,
    complaint: Complaint,
    /// The questions for the state so far, and how many of them were asked since anything happened.
    asked: u32,
    in_vain: u32,
    interrupts: u32,
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The work of the prompt goes on.
    Working,
    /// The handoff was asked for.
    AwaitingHandoff,
    /// The input is closed.
    Closed,
}

/// What became of the work.
#[derive(Debug)]
enum Work {
    /// The model stopped.
    Stopped(Stop),
    /// pi did not take the prompt.
    Refused(String),
}

/// The lines that a session begins with.
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
            last_words: String::new(),
            handoff: None,
            outbox: Vec::new(),
            tools: Vec::new(),
            retry: None,
            usage: Usage::default(),
            complaint: Complaint::default(),
            asked: 0,
            in_vain: 0,
            interrupts: 0,
        }
    }

    /// Takes what was said; returns what it makes worth a line.
    fn observe(&mut self, said: &Said) -> Option<SessionEvent> {
        match said {
            Said::Event(event) => return self.event(event),
            Said::Spoke {
                events,
                usage,
                stop,
            } => {
                self.usage = sum(self.usage, *usage);
                self.stop = Some(stop.clone());
                if let Some(SessionEvent::Text { markdown }) = events.last() {
                    self.last_words.clone_from(markdown);
                }
            }
            Said::Began => {
                self.busy = true;
                self.retry = None;
            }
            Said::Ended {
                will_retry, stop, ..
            } => {
                if self.stop.is_none() {
                    self.stop.clone_from(stop);
                }
                self.busy = *will_retry;
                self.tools.clear();
                self.check_anew();
            }
            Said::State {
                id,
                started,
                at_rest,
            } => self.state(id, started, *at_rest),
            Said::Settled { .. } => {
                self.busy = false;
                self.check_anew();
            }
            Said::Stopped => {
                self.interrupted = true;
                self.busy = false;
                self.check_anew();
            }
            Said::Refused { id, words } => self.refused(id, words),
            Said::Question { id, .. } => {
                let answer = json!({"type": "extension_ui_response", "id": id, "cancelled": true});
                self.outbox.push(line(&format!("answer:{id}"), &answer));
            }
            Said::Nothing | Said::Plain | Said::Unknown => {}
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
                return self.scope.would_have(id, line, name, input);
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

    fn check_anew(&mut self) {
        self.in_vain = 0;
        self.check();
    }

    fn check(&mut self) {
        if self.phase != Phase::Closed && !self.busy {
            self.asked += 1;
            self.outbox.push(state(&format!("settled:{}", self.asked)));
        }
    }

    /// The state that was asked for. An answer to an older question than the last tells nothing.
    fn state(&mut self, id: &str, started: &SessionEvent, at_rest: bool) {
        if let (None, SessionEvent::Started { native_session, .. }) = (&self.session, started)
            && !native_session.is_empty()
        {
            self.session = Some(native_session.clone());
        }
        // One whose name could not be read may be the answer, and no other would come.
        if !(id.is_empty() || id == format!("settled:{}", self.asked)) || self.busy {
            return;
        }
        self.in_vain += 1;
        if at_rest || self.in_vain > CHECKS {
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
            .unwrap_or(Stop::Aborted);
        self.retry = None;
        let is_done = stop == Stop::Done;
        match self.phase {
            Phase::Working => {
                self.work = Some(Work::Stopped(stop));
                if is_done && !self.handoff_prompt.is_empty() {
                    self.phase = Phase::AwaitingHandoff;
                    self.last_words.clear();
                    return self.outbox.push(prompt("handoff", &self.handoff_prompt));
                }
            }
            Phase::AwaitingHandoff => {
                self.handoff =
                    Some(self.last_words.clone()).filter(|text| is_done && !text.trim().is_empty());
            }
            Phase::Closed => {}
        }
        self.close();
    }

    fn refused(&mut self, id: &str, words: &str) {
        match (id, self.phase) {
            ("prompt", Phase::Working) => {
                self.work
                    .get_or_insert_with(|| Work::Refused(words.to_owned()));
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
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.complaint.hear(line)];
        }
        let line = &*odd::legible(line);
        let (said, is_odd) = odd::watch(|| message::read(line));
        let note = self.observe(&said);
        let mut events = match said {
            Said::Plain => vec![SessionEvent::Output {
                stream,
                text: plain(line),
            }],
            Said::Unknown => vec![SessionEvent::Unknown {
                raw: String::from_utf8_lossy(line).into_owned(),
            }],
            said => said.events(),
        };
        for event in &mut events {
            if let SessionEvent::Usage { usage } = event {
                *usage = self.usage;
            }
        }
        events.extend(note);
        events.extend(is_odd.then(|| SessionEvent::Unknown {
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

    fn waits_for_service(&self) -> Option<String> {
        // Work that is done does not become undone while its handoff is waited for.
        self.retry.clone().filter(|_| self.work.is_none())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match (&self.work, &self.stop) {
            (Some(Work::Stopped(stop)), _) => stop.verdict(),
            (Some(Work::Refused(words)), _) => ending::refused(words),
            // A run of `--mode json` ends by itself, and so does a process whose input was closed by somebody else.
            (None, Some(stop)) if !self.busy && *exit == ProcessEnd::Exited(0) => stop.verdict(),
            (None, _) => self.complaint.verdict(exit, "before its turn did"),
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
