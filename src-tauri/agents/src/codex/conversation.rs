//! The driver of a `codex app-server` session: initialization, the thread, the prompt, approvals,
//! the handoff prompt, the end. Closing the input ends the process.

use std::collections::HashMap;

use baton_model::time::Timestamp;
use serde_json::Value;

use crate::codex::error::CodexError;
use crate::codex::message::{self, AnswerForm, ParsedLine, TurnStatus};
use crate::codex::usage_tracker::UsageTracker;
use crate::codex::{request, scope};
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::lenient_json;
use crate::permission::{Decision, PermissionRequest};
use crate::plain_text::strip_terminal_codes;
use crate::scope::{Ruling, ToolScope};
use crate::stderr_summary::StderrSummary;
use crate::task::{Input, Task};
use crate::usage::Usage;

/// The state of one session, from the first line to the end of its input.
#[derive(Debug)]
pub(super) struct Conversation {
    scope: ToolScope,
    prompt: String,
    handoff_prompt: String,
    phase: Phase,
    thread: Option<String>,
    /// The id of the running turn.
    turn: Option<String>,
    /// The end of the turn that decides the outcome of the work.
    work: Option<TurnStatus>,
    /// The last message in this turn.
    last_message: String,
    handoff: Option<String>,
    outbox: Vec<Input>,
    pending: Vec<PermissionRequest>,
    forms: HashMap<String, AnswerForm>,
    /// The byte offset at which the next line begins.
    at: u64,
    /// The running tool calls, oldest first.
    tools: Vec<Running>,
    retry: Option<String>,
    usage_tracker: UsageTracker,
    limit_resets_at: Option<Timestamp>,
    stderr_summary: StderrSummary,
    interrupts: u32,
}

/// The progress of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The thread is not open yet.
    Opening,
    /// The agent works on the prompt.
    Working,
    /// The handoff prompt was sent.
    AwaitingHandoff,
    Closed,
}

/// A running tool call.
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
            last_message: String::new(),
            handoff: None,
            outbox: Vec::new(),
            pending: Vec::new(),
            forms: HashMap::new(),
            at: 0,
            tools: Vec::new(),
            retry: None,
            usage_tracker: UsageTracker::default(),
            limit_resets_at: None,
            stderr_summary: StderrSummary::default(),
            interrupts: 0,
        }
    }

    /// Applies a line to the state. Returns its events for people.
    fn observe(&mut self, parsed: &mut ParsedLine) -> Vec<SessionEvent> {
        let mut notes = Vec::new();
        match parsed {
            ParsedLine::Event(event) => notes = self.event(event),
            ParsedLine::Refused { id, error } => self.refused(&id.clone(), error.clone()),
            ParsedLine::TurnStarted { thread, turn } if self.is_own_thread(thread) => {
                self.turn = Some(turn.clone());
                self.last_message.clear();
            }
            ParsedLine::TurnEnded { thread, status } if self.is_own_thread(thread) => {
                self.turn_ended(status.clone())
            }
            ParsedLine::Tokens {
                thread,
                total,
                last,
            } if self.is_own_thread(thread) => {
                self.usage_tracker
                    .update(*total, *last, self.turn.is_some());
            }
            ParsedLine::Limits { resets_at, .. } => {
                self.limit_resets_at = resets_at.or(self.limit_resets_at)
            }
            ParsedLine::Asked { request, form } => {
                notes.extend(self.on_permission_request(request, form.clone()))
            }
            ParsedLine::UnsupportedRequest { id, method } => {
                self.outbox.push(request::unsupported(id, method))
            }
            ParsedLine::Resolved { request } => {
                self.pending.retain(|pending| pending.request != *request)
            }
            ParsedLine::TurnStarted { .. }
            | ParsedLine::TurnEnded { .. }
            | ParsedLine::Tokens { .. }
            | ParsedLine::Ignored
            | ParsedLine::Plain
            | ParsedLine::Unknown => {}
        }
        notes
    }

    /// Returns whether the thread is the session's own and not a subagent's. A thread with an
    /// unreadable id counts as the session's own: a turn that never ends would block the session
    /// forever.
    fn is_own_thread(&self, thread: &str) -> bool {
        thread.is_empty() || self.thread.as_deref() == Some(thread)
    }

    /// Applies an event to the state. Returns further events that follow from it.
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
            SessionEvent::Text { markdown } => self.last_message.clone_from(markdown),
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
                    .would_block_event(id, line, name, input)
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

    /// A request to change files does not say which; the call before it did.
    fn on_permission_request(
        &mut self,
        request: &mut PermissionRequest,
        form: AnswerForm,
    ) -> Option<SessionEvent> {
        let form = form.with_line_offset(self.at);
        let call = self
            .tools
            .iter()
            .find(|running| Some(&running.id) == request.tool_use.as_ref());
        if let (Some(call), Some(input)) = (call, request.input.as_object_mut()) {
            for (key, value) in call.input.as_object().into_iter().flatten() {
                input.entry(key.clone()).or_insert_with(|| value.clone());
            }
            if request.summary.is_empty() {
                let line = call
                    .line
                    .split_once(": ")
                    .map_or(call.line.as_str(), |(_, line)| line);
                request.summary = line.to_owned();
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
        let answer = request::permission(&request.request, &form, &decision, self.active_turn());
        self.outbox.push(answer);
        match &decision {
            Decision::Deny { reason } => {
                let call = request.tool_use.as_ref().unwrap_or(&request.request);
                Some(ToolScope::refusal_event(
                    call,
                    &request.tool,
                    &request.input,
                    reason,
                ))
            }
            Decision::Allow => None,
        }
    }

    fn active_turn(&self) -> Option<(&str, &str)> {
        Some((self.thread.as_deref()?, self.turn.as_deref()?))
    }

    fn refused(&mut self, id: &str, error: CodexError) {
        match (id, self.phase) {
            ("initialize" | "thread" | "prompt", Phase::Opening | Phase::Working) => {
                self.work.get_or_insert(TurnStatus::Failed(error));
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
                self.handoff = Some(self.last_message.clone())
                    .filter(|text| is_done && !text.trim().is_empty());
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
    fn set_line_offset(&mut self, at: u64) {
        self.at = at;
    }

    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.stderr_summary.add_line(line)];
        }
        let line = &*lenient_json::sanitize_line(line);
        let ((mut parsed, _), has_losses) = lenient_json::detect_losses(|| message::read(line));
        let notes = self.observe(&mut parsed);
        let event = match parsed {
            ParsedLine::Plain => Some(SessionEvent::Output {
                stream,
                text: strip_terminal_codes(line),
            }),
            ParsedLine::Unknown => Some(SessionEvent::Unknown {
                raw: String::from_utf8_lossy(line).into_owned(),
            }),
            ParsedLine::Tokens { .. } => Some(SessionEvent::Usage {
                usage: self.usage_tracker.session(),
            }),
            parsed => parsed.event(),
        };
        let raw = || SessionEvent::Unknown {
            raw: String::from_utf8_lossy(line).into_owned(),
        };
        event
            .into_iter()
            .chain(notes)
            .chain(has_losses.then(raw))
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
            self.active_turn(),
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

    fn service_wait_reason(&self) -> Option<String> {
        // Work that is done stays done while the agent waits to write its handoff.
        self.retry.clone().filter(|_| self.work.is_none())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match &self.work {
            None => self
                .stderr_summary
                .verdict(exit, "before finishing its turn"),
            Some(TurnStatus::Done) => Verdict::Succeeded,
            Some(TurnStatus::Interrupted) => Verdict::Cancelled,
            Some(TurnStatus::Failed(error)) => error.verdict(self.limit_resets_at),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.handoff.as_deref()
    }

    fn usage(&self) -> Usage {
        self.usage_tracker.session()
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
