//! The driver of a session: initialization, a session, its model, the prompt, permission answers,
//! the handoff prompt, and the end.
//!
//! All messages follow from the agent's output, so that a driver that reads the same log again
//! writes the same messages under the same keys. A person's decisions are not in that log. What
//! depends on them is derived from what the agent did next.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use crate::acp::message::{Message, read as message};
use crate::acp::record::{self, Answer};
use crate::acp::reply::{self, PermissionOption};
use crate::acp::turn_outcome::{self, TurnOutcome};
use crate::acp::usage_tracker::UsageTracker;
use crate::call_part::{Call, CallPart, Stage};
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::json_text::parse;
use crate::json_text::string;
use crate::lenient_json;
use crate::notice::Notice;
use crate::permission::{Decision, PermissionRequest};
use crate::record_part::RecordPart;
use crate::role::{Role, text_event};
use crate::scope::{Ruling, ToolScope};
use crate::stderr_summary::StderrSummary;
use crate::task::{Input, PriorSession, Task};
use crate::tool_server::ToolServer;
use crate::usage::Usage;

/// How often an agent that stopped at a denied call is prompted to continue.
const MAX_NUDGES: u32 = 3;
/// Longer messages are emitted in pieces. Limits memory, in bytes.
const MAX_STREAMED_TEXT_BYTES: usize = 1024 * 1024;

/// The state of one session, from initialization to the end of its input.
#[derive(Debug)]
pub(super) struct Conversation {
    agent: String,
    login_hint: String,
    cwd: String,
    /// The servers of tools that the session gets.
    tool_servers: Vec<Value>,
    prompt: String,
    handoff_prompt: String,
    resume: Option<PriorSession>,
    model: Option<String>,
    scope: ToolScope,
    phase: Phase,
    /// Baton's requests without an answer.
    open: BTreeMap<u64, Question>,
    last_question: u64,
    session: Option<String>,
    version: String,
    work: Option<TurnOutcome>,
    handoff: Option<String>,
    outbox: Vec<Input>,
    pending: Vec<PermissionRequest>,
    /// For each permission request: the options it offers, and the byte offset of its line.
    choices: HashMap<String, (Vec<PermissionOption>, u64)>,
    /// The byte offset at which the next line begins.
    at: u64,
    /// The calls for which the agent asked for permission.
    asked: HashSet<String>,
    /// The reasons of denied calls, by call.
    refused: HashMap<String, String>,
    calls: HashMap<String, Call>,
    /// The running calls, oldest first, with one line for people.
    running: Vec<(String, String)>,
    streamed: Option<StreamedText>,
    /// The agent's text in this turn since its last tool call.
    last_message: String,
    turn: TurnSoFar,
    nudges: u32,
    usage_tracker: UsageTracker,
    stderr_summary: StderrSummary,
    interrupts: u32,
}

/// The progress of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// There is no session yet.
    Opening,
    /// The agent works on the prompt.
    Working,
    /// The handoff prompt was sent.
    AwaitingHandoff,
    Closed,
}

/// The request that an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Initialize,
    Session,
    Model,
    Prompt,
}

/// A message that arrives in pieces.
#[derive(Debug)]
struct StreamedText {
    role: Role,
    message: Option<String>,
    text: String,
}

/// The events of the current turn that decide its outcome.
#[derive(Debug, Default)]
struct TurnSoFar {
    did_anything: bool,
    /// A call that asked for permission failed, and the agent has done nothing since.
    stopped_at: Option<String>,
}

impl Conversation {
    pub(super) fn new(task: &Task, agent: &str, login_hint: &str) -> Self {
        Self {
            agent: agent.to_owned(),
            login_hint: login_hint.to_owned(),
            cwd: task.cwd.clone(),
            tool_servers: task.tool_server.iter().map(ToolServer::to_acp).collect(),
            prompt: task.prompt.clone(),
            handoff_prompt: task.handoff_prompt.clone(),
            resume: task.resume.clone(),
            model: task.model.clone(),
            scope: task.scope.clone(),
            phase: Phase::Opening,
            open: BTreeMap::from([(reply::INITIALIZE, Question::Initialize)]),
            last_question: reply::INITIALIZE,
            session: None,
            version: String::new(),
            work: None,
            handoff: None,
            outbox: Vec::new(),
            pending: Vec::new(),
            choices: HashMap::new(),
            at: 0,
            asked: HashSet::new(),
            refused: HashMap::new(),
            calls: HashMap::new(),
            running: Vec::new(),
            streamed: None,
            last_message: String::new(),
            turn: TurnSoFar::default(),
            nudges: 0,
            usage_tracker: UsageTracker::default(),
            stderr_summary: StderrSummary::default(),
            interrupts: 0,
        }
    }

    fn ask(&mut self, question: Question, input: impl FnOnce(u64) -> Input) {
        self.last_question += 1;
        self.open.insert(self.last_question, question);
        self.outbox.push(input(self.last_question));
    }

    /// Sends `text` as the person.
    fn send_prompt(&mut self, key: &str, text: &str) {
        let session = self.session.clone().unwrap_or_default();
        self.turn = TurnSoFar::default();
        self.last_message.clear();
        self.ask(Question::Prompt, |id| {
            reply::prompt(key, id, &session, text)
        });
    }

    fn close(&mut self) {
        if self.phase != Phase::Closed {
            self.phase = Phase::Closed;
            self.outbox.push(Input::close());
        }
    }

    /// Ends the conversation after a failure of the work.
    fn fail(&mut self, end: TurnOutcome) {
        self.work.get_or_insert(end);
        self.close();
    }

    fn fail_because(&mut self, message: String) {
        self.fail(TurnOutcome {
            end: TurnEnd::Failed,
            message,
            needs_login: false,
        });
    }

    fn answered(&mut self, question: Question, answer: Answer) -> Option<SessionEvent> {
        match question {
            Question::Initialize => self.on_initialized(&answer),
            Question::Session => return self.on_session_started(&answer),
            Question::Model => self.send_task_prompt(),
            Question::Prompt => {
                let end = turn_outcome::from_stop_reason(answer.stop_reason.as_deref());
                return Some(self.turn_ended(end));
            }
        }
        None
    }

    fn on_initialized(&mut self, answer: &Answer) {
        if let Some(version) = answer
            .agent_info
            .as_ref()
            .and_then(|agent| agent.version.as_ref())
        {
            self.version.clone_from(version);
        }
        if let Some(name) = answer
            .agent_info
            .as_ref()
            .and_then(|agent| agent.name.as_ref())
        {
            self.usage_tracker.set_agent(name);
        }
        let offers = |pointer: &str| {
            answer
                .agent_capabilities
                .pointer(pointer)
                .is_some_and(|value| !value.is_null())
        };
        let loads = answer.agent_capabilities["loadSession"] == true;
        match (answer.protocol_version, self.resume.clone()) {
            (Some(version), _) if version != reply::VERSION => self.fail_because(format!(
                "it speaks version {version} of the Agent Client Protocol, but Baton supports version {}",
                reply::VERSION
            )),
            (_, None) => {
                let (cwd, servers) = (self.cwd.clone(), self.tool_servers.clone());
                self.ask(Question::Session, |id| reply::new_session(id, &cwd, &servers));
            }
            (
                _,
                Some(PriorSession {
                    native_id,
                    fork: true,
                }),
            ) if offers("/sessionCapabilities/fork") => {
                let (cwd, servers) = (self.cwd.clone(), self.tool_servers.clone());
                self.ask(Question::Session, |id| {
                    reply::resume_session(id, "session/fork", &native_id, &cwd, &servers)
                });
            }
            (_, Some(PriorSession { fork: true, .. })) => {
                self.fail_because(
                    "it can't copy a session; the earlier one is unchanged".to_owned(),
                );
            }
            (_, Some(PriorSession { native_id: old, .. }))
                if offers("/sessionCapabilities/resume") || loads =>
            {
                // Loading repeats the whole old conversation; resuming does not.
                let resumes = offers("/sessionCapabilities/resume");
                let method = if resumes {
                    "session/resume"
                } else {
                    "session/load"
                };
                let (cwd, servers) = (self.cwd.clone(), self.tool_servers.clone());
                self.session = Some(old.clone());
                self.ask(Question::Session, |id| {
                    reply::resume_session(id, method, &old, &cwd, &servers)
                });
            }
            (_, Some(_)) => self.fail_because("it can't resume an earlier session".to_owned()),
        }
    }

    fn on_session_started(&mut self, answer: &Answer) -> Option<SessionEvent> {
        if let Some(session) = &answer.session_id {
            self.session = Some(session.clone());
        }
        let Some(session) = self.session.clone() else {
            self.fail_because("it started a session without an id".to_owned());
            return None;
        };
        let option = answer.model_option().map(|option| option.id.clone());
        match self.model.clone() {
            Some(model) if option.is_some() || answer.models.is_some() => {
                self.ask(Question::Model, |id| {
                    reply::set_model(id, &session, option.as_deref(), &model)
                });
            }
            Some(model) => self.fail_because(format!(
                "it can't switch models, but the node requires {model}"
            )),
            None => self.send_task_prompt(),
        }
        let model = answer.model().unwrap_or_default();
        Some(SessionEvent::Started {
            native_session: session,
            model,
            version: self.version.clone(),
        })
    }

    fn send_task_prompt(&mut self) {
        self.phase = Phase::Working;
        let prompt = self.prompt.clone();
        self.send_prompt("prompt", &prompt);
    }

    fn turn_ended(&mut self, end: TurnOutcome) -> SessionEvent {
        self.calls.clear();
        self.pending.clear();
        self.running.clear();
        let ended = SessionEvent::TurnEnded {
            end: end.end.clone(),
            text: self.final_text(&end),
            unprompted: false,
        };
        let is_done = end.end == TurnEnd::Done;
        match self.phase {
            Phase::Working if is_done => self.work_ended(end),
            Phase::AwaitingHandoff => {
                let message = std::mem::take(&mut self.last_message);
                self.handoff =
                    Some(message).filter(|message| is_done && !message.trim().is_empty());
                self.close();
            }
            _ => self.fail(end),
        }
        ended
    }

    fn final_text(&self, end: &TurnOutcome) -> String {
        if end.end == TurnEnd::Done {
            self.last_message.clone()
        } else {
            end.message.clone()
        }
    }

    /// Handles the regular end of a turn of work.
    fn work_ended(&mut self, end: TurnOutcome) {
        if let Some(call) = self.turn.stopped_at.take()
            && self.nudges < MAX_NUDGES
        {
            self.nudges += 1;
            let reason = self
                .refused
                .get(&call)
                .map(|reason| format!(" {}.", reason.trim_end_matches('.')))
                .unwrap_or_default();
            let text = format!(
                "Your last tool call was not executed.{reason} Continue without it, or say what can't be done."
            );
            return self.send_prompt(&format!("go-on:{}", self.nudges), &text);
        }
        if !self.turn.did_anything {
            let message = "it ended its turn without an answer".to_owned();
            return self.fail(TurnOutcome {
                end: TurnEnd::Failed,
                message,
                needs_login: false,
            });
        }
        self.work = Some(end);
        if self.handoff_prompt.is_empty() {
            return self.close();
        }
        self.phase = Phase::AwaitingHandoff;
        let prompt = self.handoff_prompt.clone();
        self.send_prompt("handoff", &prompt);
    }

    /// Adds a piece of a message. Returns the previous message if this piece starts another one.
    fn record_text(
        &mut self,
        role: Role,
        message: Option<&str>,
        text: &str,
    ) -> Option<SessionEvent> {
        self.turn.did_anything = true;
        self.turn.stopped_at = None;
        let continues = self
            .streamed
            .as_ref()
            .is_some_and(|streamed| streamed.is_part_of(role, message));
        if role == Role::Answer {
            if !continues && !self.last_message.is_empty() {
                self.last_message.push_str("\n\n");
            }
            self.last_message.push_str(text);
        }
        match &mut self.streamed {
            Some(streamed) if continues && streamed.text.len() < MAX_STREAMED_TEXT_BYTES => {
                streamed.text.push_str(text);
                None
            }
            _ => {
                let before = self.flush_text();
                self.streamed = Some(StreamedText {
                    role,
                    message: message.map(str::to_owned),
                    text: text.to_owned(),
                });
                before
            }
        }
    }

    /// The message so far. Called when something else follows it.
    fn flush_text(&mut self) -> Option<SessionEvent> {
        let text = self.take_text();
        self.streamed = None;
        text
    }

    /// The message so far; more pieces of it may follow.
    fn take_text(&mut self) -> Option<SessionEvent> {
        let streamed = self
            .streamed
            .as_mut()
            .filter(|streamed| !streamed.text.is_empty())?;
        Some(text_event(
            streamed.role,
            std::mem::take(&mut streamed.text),
        ))
    }

    fn call(&mut self, part: &CallPart<'_>) -> Vec<SessionEvent> {
        self.usage_tracker.record_call();
        self.turn.did_anything = true;
        self.turn.stopped_at = None;
        let call = self.calls.entry(part.id.clone()).or_default();
        call.merge(part);
        let mut events = Vec::new();
        let is_told = part.stage == Stage::Announced && !part.has_input();
        let line = activity_line(&call.name(), &call.summary());
        match self.running.iter_mut().find(|(id, _)| *id == part.id) {
            None if is_told => {}
            None => {
                self.running.push((part.id.clone(), line.clone()));
                events.push(call.started(&part.id));
                events.extend(self.scope.would_block_event(
                    &part.id,
                    line,
                    &call.name(),
                    &call.input(),
                ));
            }
            // opencode reports the command only after the beginning of the call.
            Some((_, shown)) if *shown != line && call.is_command() => {
                *shown = line;
                events.push(call.started(&part.id));
            }
            Some(_) => {}
        }
        match &part.stage {
            Stage::Announced => {}
            Stage::Asked { request } => {
                let question = call.question(&part.id, request);
                self.asked.insert(part.id.clone());
                let refused = self.on_permission_request(&question);
                events.push(SessionEvent::PermissionAsked { request: question });
                events.extend(refused);
            }
            Stage::Ended { ok } => {
                let mut result = call.result(*ok);
                result.denied |= !ok && self.refused.contains_key(&part.id);
                self.running.retain(|(id, _)| *id != part.id);
                self.pending
                    .retain(|request| request.tool_use.as_ref() != Some(&part.id));
                self.calls.remove(&part.id);
                self.last_message.clear();
                if !ok && self.asked.contains(&part.id) {
                    self.turn.stopped_at = Some(part.id.clone());
                }
                events.push(SessionEvent::ToolEnded {
                    id: part.id.clone(),
                    result,
                });
            }
        }
        events
    }

    /// Answers immediately if the rules decide. Returns the event for a denial.
    fn on_permission_request(&mut self, question: &PermissionRequest) -> Option<SessionEvent> {
        let decision = match self.scope.on_request(&question.tool, &question.input) {
            Ruling::Ask => {
                self.pending.push(question.clone());
                return None;
            }
            Ruling::Allow => Decision::Allow,
            Ruling::Deny(reason) => Decision::Deny { reason },
        };
        let input = self.decide(question, &decision);
        self.outbox.push(input);
        match &decision {
            Decision::Deny { reason } => {
                let call = question.tool_use.as_ref().unwrap_or(&question.request);
                Some(ToolScope::refusal_event(
                    call,
                    &question.tool,
                    &question.input,
                    reason,
                ))
            }
            Decision::Allow => None,
        }
    }

    fn decide(&mut self, question: &PermissionRequest, decision: &Decision) -> Input {
        if let (Decision::Deny { reason }, Some(call)) = (decision, &question.tool_use) {
            self.refused.insert(call.clone(), reason.clone());
        }
        let (choices, at) = self.choices.remove(&question.request).unwrap_or_default();
        reply::permission_answer(
            &question.request,
            &choices,
            *decision == Decision::Allow,
            at,
        )
    }

    /// Handles what a line means for the conversation, beyond the parts that timelines show.
    fn observe(&mut self, line: &[u8]) -> Option<SessionEvent> {
        match message(line)? {
            Message::Answer { id, result } => {
                let question = self.open.remove(&id)?;
                match result {
                    Ok(result) => {
                        return self.answered(question, result.and_then(parse).unwrap_or_default());
                    }
                    Err(error) => {
                        let end = turn_outcome::from_error(&error);
                        return Some(self.turn_ended(end));
                    }
                }
            }
            Message::Request { id, method, params } if method == "session/request_permission" => {
                self.choices
                    .insert(id.to_owned(), (reply::permission_options(params), self.at));
            }
            Message::Request { id, method, .. } => {
                self.outbox.push(reply::unsupported(id, &method))
            }
            Message::Update { .. } | Message::Notification { .. } => {}
        }
        None
    }

    /// Whether the output belongs to a turn of this session, and not to an older one that is
    /// repeated.
    fn is_in_turn(&self) -> bool {
        matches!(self.phase, Phase::Working | Phase::AwaitingHandoff)
    }
}

impl StreamedText {
    fn is_part_of(&self, role: Role, message: Option<&str>) -> bool {
        self.role == role
            && (self.message.is_none() || message.is_none() || self.message.as_deref() == message)
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
        let mut events = Vec::new();
        let observed = self.observe(line);
        for part in record::read(line).parts {
            match &part {
                RecordPart::Chunk { role, raw, message } => {
                    if self.is_in_turn() {
                        events.extend(self.record_text(*role, message.as_deref(), &string(raw)));
                    }
                    continue;
                }
                RecordPart::Call(part) if self.is_in_turn() => {
                    events.extend(self.flush_text());
                    events.extend(self.call(part));
                    continue;
                }
                RecordPart::Call(_) => continue,
                RecordPart::Notice(Notice::Usage(usage)) if usage.usd.is_some() => {
                    self.usage_tracker.record_price(*usage)
                }
                RecordPart::Notice(Notice::Usage(usage)) => self.usage_tracker.record_turn(*usage),
                // `observe` reports it, with the agent's last message.
                RecordPart::Notice(Notice::TurnFinished { .. }) => {
                    events.extend(self.flush_text());
                    continue;
                }
                _ => {}
            }
            let event = part.event(line).filter(|event| {
                *event
                    != SessionEvent::Usage {
                        usage: Usage::default(),
                    }
            });
            match &event {
                // Some clients report usage in the middle of a message (opencode 1.2).
                Some(SessionEvent::Usage { .. }) => events.extend(self.take_text()),
                Some(_) => events.extend(self.flush_text()),
                None => {}
            }
            events.extend(event);
        }
        events.extend(observed);
        events
    }

    fn take_inputs(&mut self) -> Vec<Input> {
        std::mem::take(&mut self.outbox)
    }

    fn answer(&mut self, request: &str, decision: &Decision) -> Option<Input> {
        let place = self
            .pending
            .iter()
            .position(|pending| pending.request == request)?;
        let question = self.pending.remove(place);
        Some(self.decide(&question, decision))
    }

    fn interrupt(&mut self) -> Option<Input> {
        let session = self.session.clone().filter(|_| self.is_in_turn())?;
        self.interrupts += 1;
        let open: Vec<String> = self
            .pending
            .drain(..)
            .map(|request| request.request)
            .collect();
        Some(reply::cancel(self.interrupts, &session, &open))
    }

    fn is_finished(&self) -> bool {
        self.phase == Phase::Closed
    }

    fn pending_permissions(&self) -> &[PermissionRequest] {
        &self.pending
    }

    /// The protocol has no message for this. An agent that got a prompt and has done nothing
    /// since is waiting for its model.
    fn service_wait_reason(&self) -> Option<String> {
        // Work that is done stays done while the agent waits to write its handoff.
        let waits =
            self.phase == Phase::Working && !self.turn.did_anything && self.pending.is_empty();
        waits.then(|| "no response since the prompt".to_owned())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match (&self.work, self.phase) {
            (Some(end), _) => end.verdict(&self.login_hint),
            (None, Phase::Opening) => {
                let doing = format!("before {} started a session", self.agent);
                self.stderr_summary.verdict(exit, &doing)
            }
            (None, _) => self
                .stderr_summary
                .verdict(exit, "before finishing its turn"),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.handoff.as_deref()
    }

    fn usage(&self) -> Usage {
        self.usage_tracker.total()
    }

    fn native_session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn activity(&self) -> Option<String> {
        if let Some(request) = self.pending.first() {
            return Some(format!(
                "waiting for an answer: {}",
                activity_line(&request.tool, &request.summary)
            ));
        }
        if let Some((_, line)) = self.running.last() {
            return Some(line.clone());
        }
        match self.phase {
            Phase::Opening => Some(format!("starting {}", self.agent)),
            Phase::AwaitingHandoff => Some("writing the handoff".to_owned()),
            Phase::Working | Phase::Closed => None,
        }
    }
}

fn activity_line(tool: &str, summary: &str) -> String {
    if summary.is_empty() {
        tool.to_owned()
    } else {
        format!("{tool}: {summary}")
    }
}
