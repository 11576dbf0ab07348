//! What to say to `codex app-server` when: who we are, the thread, the prompt, answers, the question for the handoff,
//! then goodbye. Closing the input ends the process.

use std::collections::HashMap;

use baton_model::time::Timestamp;
use serde_json::Value;

use crate::codex::message::{self, AnswerForm, Said, TurnStatus};
use crate::codex::spending::Spending;
use crate::codex::trouble::Trouble;
use crate::codex::{request, scope};
use crate::complaint::Complaint;
use crate::driver::{Decision, Driver, PermissionRequest, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::odd;
use crate::plain_text::plain;
use crate::scope::{Ruling, ToolScope};
use crate::task::{Input, Task};
use crate::usage::Usage;

/// One session, from the first line to the end of its input.
#[derive(Debug)]
pub(super) struct Conversation {
    scope: ToolScope,
    prompt: String,
    handoff_prompt: String,
    phase: Phase,
    thread: Option<String>,
    /// The turn that runs.
    turn: Option<String>,
    /// How the turn that decides about the work ended.
    work: Option<TurnStatus>,
    /// What the agent said last in this turn.
    last_words: String,
    handoff: Option<String>,
    outbox: Vec<Input>,
    pending: Vec<PermissionRequest>,
    forms: HashMap<String, AnswerForm>,
    /// Where the next line begins.
    at: u64,
    /// Running tool calls, oldest first.
    tools: Vec<Running>,
    retry: Option<String>,
    spending: Spending,
    limit_resets_at: Option<Timestamp>,
    complaint: Complaint,
    interrupts: u32,
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The thread is not open yet.
    Opening,
    /// The work of the prompt goes on.
    Working,
    /// The handoff was asked for.
    AwaitingHandoff,
    /// The input is closed.
    Closed,
}

/// A tool call that runs.
#[derive(Debug)]
struct Running {
    id: String,
    line: String,
    input: Value,
}

impl Conversation {
    pub(super) fn new(task: &Task) -> Self {
        Self {
            scope: task.scope.clone(),
            prompt: task.prompt.clone(),
            handoff_prompt: task.handoff_prompt.clone(),
            phase: Phase::Opening,
            thread: None,
            turn: None,
            work: None,
            last_words: String::new(),
            handoff: None,
            outbox: Vec::new(),
            pending: Vec::new(),
            forms: HashMap::new(),
            at: 0,
            tools: Vec::new(),
            retry: None,
            spending: Spending::default(),
            limit_resets_at: None,
            complaint: Complaint::default(),
            interrupts: 0,
        }
    }

    /// Takes what was said, and returns what of it is for people.
    fn observe(&mut self, said: &mut Said) -> Vec<SessionEvent> {
        let mut notes = Vec::new();
        match said {
            Said::Event(event) => notes = self.event(event),
            Said::Refused { id, trouble } => self.refused(&id.clone(), trouble.clone()),
            Said::TurnStarted { thread, turn } if self.is_ours(thread) => {
                self.turn = Some(turn.clone());
                self.last_words.clear();
            }
            Said::TurnEnded { thread, status } if self.is_ours(thread) => {
                self.turn_ended(status.clone())
            }
            Said::Tokens {
                thread,
                total,
                last,
            } if self.is_ours(thread) => {
                self.spending.take(*total, *last, self.turn.is_some());
            }
            Said::Limits { resets_at, .. } => {
                self.limit_resets_at = resets_at.or(self.limit_resets_at)
            }
            Said::Asked { request, form } => notes.extend(self.asked(request, form.clone())),
            Said::Foreign { id, method } => self.outbox.push(request::unsupported(id, method)),
            Said::Resolved { request } => {
                self.pending.retain(|pending| pending.request != *request)
            }
            Said::TurnStarted { .. }
            | Said::TurnEnded { .. }
            | Said::Tokens { .. }
            | Said::Nothing
            | Said::Plain
            | Said::Unknown => {}
        }
        notes
    }

    /// A thread of a helper agent is not ours.
    /// One whose name could not be read may be: a turn that never ends would hold the session for ever.
    fn is_ours(&self, thread: &str) -> bool {
        thread.is_empty() || self.thread.as_deref() == Some(thread)
    }

    /// What an event means here; returns what it makes worth a line.
    fn event(&mut self, event: &SessionEvent) -> Vec<SessionEvent> {
        if !matches!(
            event,
            SessionEvent::Note { .. } | SessionEvent::Retrying { .. }
        ) {
            self.retry = None;
        }
        match event {
            SessionEvent::Started { native_session, .. } if self.phase == Phase::Opening => {
                self.outbox
                    .push(request::turn("prompt", native_session, &self.prompt));
                self.thread = Some(native_session.clone());
                self.phase = Phase::Working;
            }
            SessionEvent::Text { markdown } => self.last_words.clone_from(markdown),
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
                self.tools.push(Running {
                    id: id.clone(),
                    line: line.clone(),
                    input: input.clone(),
                });
                return self
                    .scope
                    .would_have(id, line, name, input)
                    .into_iter()
                    .collect();
            }
            SessionEvent::ToolEnded { id, .. } => {
                self.tools.retain(|running| running.id != *id);
                self.pending
                    .retain(|request| request.tool_use.as_ref() != Some(id));
            }
            SessionEvent::Retrying { reason, .. } => {
                self.retry = Some(format!("retrying after {reason}"))
            }
            _ => {}
        }
        Vec::new()
    }

    /// The request for a change of files does not say which; the call before it did.
    fn asked(&mut self, request: &mut PermissionRequest, form: AnswerForm) -> Option<SessionEvent> {
        let form = form.said_at(self.at);
        let call = self
            .tools
            .iter()
            .find(|running| Some(&running.id) == request.tool_use.as_ref());
        if let (Some(call), Some(input)) = (call, request.input.as_object_mut()) {
            for (key, value) in call.input.as_object().into_iter().flatten() {
                input.entry(key.clone()).or_insert_with(|| value.clone());
            }
            if request.summary.is_empty() {
                let told = call
                    .line
                    .split_once(": ")
                    .map_or(call.line.as_str(), |(_, told)| told);
                request.summary = told.to_owned();
            }
        }
        let decision = match scope::ruling(&self.scope, &request.tool, &request.input) {
            Ruling::Ask => {
                self.forms.insert(request.request.clone(), form);
                self.pending.push(request.clone());
                return None;
            }
            Ruling::Allow => Decision::Allow,
            Ruling::Deny(reason) => Decision::Deny { reason },
        };
        let answer = request::permission(&request.request, &form, &decision, self.place());
        self.outbox.push(answer);
        match &decision {
            Decision::Deny { reason } => {
                let call = request.tool_use.as_ref().unwrap_or(&request.request);
                Some(ToolScope::refused(
                    call,
                    &request.tool,
                    &request.input,
                    reason,
                ))
            }
            Decision::Allow => None,
        }
    }

    fn place(&self) -> Option<(&str, &str)> {
        Some((self.thread.as_deref()?, self.turn.as_deref()?))
    }

    fn refused(&mut self, id: &str, trouble: Trouble) {
        match (id, self.phase) {
            ("initialize" | "thread" | "prompt", Phase::Opening | Phase::Working) => {
                self.work.get_or_insert(TurnStatus::Failed(trouble));
                self.close();
            }
            ("handoff", _) => self.close(),
            _ => {}
        }
    }

    fn turn_ended(&mut self, status: TurnStatus) {
        self.turn = None;
        self.retry = None;
        self.tools.clear();
        self.pending.clear();
        let is_done = status == TurnStatus::Done;
        match self.phase {
            Phase::Working => {
                self.work = Some(status);
                if is_done && !self.handoff_prompt.is_empty() {
                    self.phase = Phase::AwaitingHandoff;
                    let thread = self.thread.clone().unwrap_or_default();
                    return self.outbox.push(request::turn(
                        "handoff",
                        &thread,
                        &self.handoff_prompt,
                    ));
                }
            }
            Phase::AwaitingHandoff => {
                self.handoff =
                    Some(self.last_words.clone()).filter(|text| is_done && !text.trim().is_empty());
            }
            Phase::Opening | Phase::Closed => {}
        }
        self.close();
    }

    fn close(&mut self) {
        if self.phase != Phase::Closed {
            self.phase = Phase::Closed;
            self.outbox.push(Input::close());
        }
    }
}

impl Driver for Conversation {
    fn next_line_begins(&mut self, at: u64) {
        self.at = at;
    }

    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.complaint.hear(line)];
        }
        let line = &*odd::legible(line);
        let ((mut said, _), is_odd) = odd::watch(|| message::read(line));
        let notes = self.observe(&mut said);
        let told = match said {
            Said::Plain => Some(SessionEvent::Output {
                stream,
                text: plain(line),
            }),
            Said::Unknown => Some(SessionEvent::Unknown {
                raw: String::from_utf8_lossy(line).into_owned(),
            }),
            Said::Tokens { .. } => Some(SessionEvent::Usage {
                usage: self.spending.session(),
            }),
            said => said.event(),
        };
        let raw = || SessionEvent::Unknown {
            raw: String::from_utf8_lossy(line).into_owned(),
        };
        told.into_iter()
            .chain(notes)
            .chain(is_odd.then(raw))
            .collect()
    }

    fn take_inputs(&mut self) -> Vec<Input> {
        std::mem::take(&mut self.outbox)
    }

    fn answer(&mut self, request: &str, decision: &Decision) -> Option<Input> {
        let place = self
            .pending
            .iter()
            .position(|pending| pending.request == request)?;
        let pending = self.pending.remove(place);
        let form = self.forms.get(request)?;
        Some(request::permission(
            &pending.request,
            form,
            decision,
            self.place(),
        ))
    }

    fn interrupt(&mut self) -> Option<Input> {
        let (thread, turn) = (self.thread.clone()?, self.turn.clone()?);
        self.interrupts += 1;
        Some(request::interrupt(self.interrupts, &thread, &turn))
    }

    fn pending_permissions(&self) -> &[PermissionRequest] {
        &self.pending
    }

    fn waits_for_service(&self) -> Option<String> {
        // Work that is done does not become undone while its handoff is waited for.
        self.retry.clone().filter(|_| self.work.is_none())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match &self.work {
            None => self.complaint.verdict(exit, "before its turn did"),
            Some(TurnStatus::Done) => Verdict::Succeeded,
            Some(TurnStatus::Interrupted) => Verdict::Cancelled,
            Some(TurnStatus::Failed(trouble)) => trouble.verdict(self.limit_resets_at),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.handoff.as_deref()
    }

    fn usage(&self) -> Usage {
        self.spending.session()
    }

    fn native_session(&self) -> Option<&str> {
        self.thread.as_deref()
    }

    fn activity(&self) -> Option<String> {
        if let Some(request) = self.pending.first() {
            return Some(format!(
                "waiting for an answer: {}: {}",
                request.tool, request.summary
            ));
        }
        let running = || self.tools.last().map(|running| running.line.clone());
        let writing =
            || (self.phase == Phase::AwaitingHandoff).then(|| "writing the handoff".to_owned());
        self.retry.clone().or_else(running).or_else(writing)
    }
}
