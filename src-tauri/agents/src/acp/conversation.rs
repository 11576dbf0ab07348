//! What to say to an agent when: hello, a session, its model, the prompt, then answers, the question for the
//! handoff, and goodbye.
//!
//! Everything follows from what the agent prints, so that a driver that hears the same log again says the same
//! under the same keys. A person's answers are not in that log: what depends on them is derived from what the
//! agent did next.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::acp::call::{Call, CallPart, Stage};
use crate::acp::ending::{self, End};
use crate::acp::message::{Message, parse, read as message};
use crate::acp::record::{self, Answer};
use crate::acp::reply::{self, Choice};
use crate::acp::spending::Spending;
use crate::complaint::Complaint;
use crate::driver::{Decision, Driver, PermissionRequest, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::json_text::string;
use crate::notice::Notice;
use crate::odd;
use crate::part::Part;
use crate::role::{Role, text_event};
use crate::scope::{Ruling, ToolScope};
use crate::task::{Earlier, Input, Task};
use crate::usage::Usage;

/// How often an agent that stopped at a refused call is told to go on.
const ENCOURAGEMENTS: u32 = 3;
/// The most of one message that is held in memory, in bytes; what is longer comes out in pieces.
const SPEECH_LIMIT: usize = 1024 * 1024;

/// One session, from the first question to the end of its input.
#[derive(Debug)]
pub(super) struct Conversation {
    agent: String,
    mend: String,
    cwd: String,
    prompt: String,
    handoff_prompt: String,
    resume: Option<Earlier>,
    model: Option<String>,
    scope: ToolScope,
    phase: Phase,
    /// What Baton asked and the agent has not answered.
    open: BTreeMap<u64, Question>,
    last_question: u64,
    session: Option<String>,
    version: String,
    work: Option<End>,
    handoff: Option<String>,
    outbox: Vec<Input>,
    pending: Vec<PermissionRequest>,
    /// The answers that each question of the agent offers, and where the question was put.
    choices: HashMap<String, (Vec<Choice>, u64)>,
    /// Where the next line begins.
    at: u64,
    /// The calls that leave was asked for.
    asked: HashSet<String>,
    /// Why calls were refused, by call.
    refused: HashMap<String, String>,
    calls: HashMap<String, Call>,
    /// Calls that a person was told of, oldest first, with their lines.
    running: Vec<(String, String)>,
    speech: Option<Speech>,
    /// What the agent has said in this turn since its last tool call.
    last_words: String,
    turn: TurnSoFar,
    encouragements: u32,
    spending: Spending,
    complaint: Complaint,
    interrupts: u32,
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// There is no session yet.
    Opening,
    /// The work of the prompt goes on.
    Working,
    /// The handoff was asked for.
    AwaitingHandoff,
    /// The input is closed.
    Closed,
}

/// What an answer of the agent will be the answer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Initialize,
    Session,
    Model,
    Prompt,
}

/// A message that comes in pieces.
#[derive(Debug)]
struct Speech {
    role: Role,
    message: Option<String>,
    text: String,
}

/// What happened in the turn.
#[derive(Debug, Default)]
struct TurnSoFar {
    did_anything: bool,
    /// A call that leave was asked for failed, and the agent has said and done nothing since.
    stopped_at: Option<String>,
}

impl Conversation {
    pub(super) fn new(task: &Task, agent: &str, mend: &str) -> Self {
        Self {
            agent: agent.to_owned(),
            mend: mend.to_owned(),
            cwd: task.cwd.clone(),
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
            speech: None,
            last_words: String::new(),
            turn: TurnSoFar::default(),
            encouragements: 0,
            spending: Spending::default(),
            complaint: Complaint::default(),
            interrupts: 0,
        }
    }

    fn ask(&mut self, question: Question, input: impl FnOnce(u64) -> Input) {
        self.last_question += 1;
        self.open.insert(self.last_question, question);
        self.outbox.push(input(self.last_question));
    }

    /// Says `text` as the person.
    fn say(&mut self, key: &str, text: &str) {
        let session = self.session.clone().unwrap_or_default();
        self.turn = TurnSoFar::default();
        self.last_words.clear();
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

    /// The work has ended, for better or worse.
    fn fail(&mut self, end: End) {
        self.work.get_or_insert(end);
        self.close();
    }

    fn fail_because(&mut self, words: String) {
        self.fail(End {
            end: TurnEnd::Failed,
            words,
            wants_login: false,
        });
    }

    fn answered(&mut self, question: Question, answer: Answer) -> Option<SessionEvent> {
        match question {
            Question::Initialize => self.introduced(&answer),
            Question::Session => return self.session_began(&answer),
            Question::Model => self.say_the_prompt(),
            Question::Prompt => {
                let end = ending::of_reason(answer.stop_reason.as_deref());
                return Some(self.turn_ended(end));
            }
        }
        None
    }

    fn introduced(&mut self, answer: &Answer) {
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
            self.spending.agent(name);
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
                "it speaks version {version} of the agent client protocol, and Baton version {}",
                reply::VERSION
            )),
            (_, None) => {
                let cwd = self.cwd.clone();
                self.ask(Question::Session, |id| reply::new_session(id, &cwd));
            }
            (_, Some(Earlier { native, fork: true })) if offers("/sessionCapabilities/fork") => {
                let cwd = self.cwd.clone();
                self.ask(Question::Session, |id| {
                    reply::old_session(id, "session/fork", &native, &cwd)
                });
            }
            (_, Some(Earlier { fork: true, .. })) => {
                self.fail_because(
                    "it cannot copy an earlier session, so that one was left as it is".to_owned(),
                );
            }
            (_, Some(Earlier { native: old, .. }))
                if offers("/sessionCapabilities/resume") || loads =>
            {
                // Loading tells the whole old conversation again, resuming does not.
                let resumes = offers("/sessionCapabilities/resume");
                let method = if resumes {
                    "session/resume"
                } else {
                    "session/load"
                };
                let cwd = self.cwd.clone();
                self.session = Some(old.clone());
                self.ask(Question::Session, |id| {
                    reply::old_session(id, method, &old, &cwd)
                });
            }
            (_, Some(_)) => self.fail_because("it cannot go on with an earlier session".to_owned()),
        }
    }

    fn session_began(&mut self, answer: &Answer) -> Option<SessionEvent> {
        if let Some(session) = &answer.session_id {
            self.session = Some(session.clone());
        }
        let Some(session) = self.session.clone() else {
            self.fail_because("it began a session without a name".to_owned());
            return None;
        };
        let option = answer.model_option().map(|option| option.id.clone());
        match self.model.clone() {
            Some(model) if option.is_some() || answer.models.is_some() => {
                self.ask(Question::Model, |id| {
                    reply::model(id, &session, option.as_deref(), &model)
                });
            }
            Some(model) => self.fail_because(format!(
                "it lets nobody choose a model, and the node wants {model}"
            )),
            None => self.say_the_prompt(),
        }
        let model = answer.model().unwrap_or_default();
        Some(SessionEvent::Started {
            native_session: session,
            model,
            version: self.version.clone(),
        })
    }

    fn say_the_prompt(&mut self) {
        self.phase = Phase::Working;
        let prompt = self.prompt.clone();
        self.say("prompt", &prompt);
    }

    fn turn_ended(&mut self, end: End) -> SessionEvent {
        self.calls.clear();
        self.pending.clear();
        self.running.clear();
        let told = SessionEvent::TurnEnded {
            end: end.end.clone(),
            text: self.said_or(&end),
            unprompted: false,
        };
        let is_done = end.end == TurnEnd::Done;
        match self.phase {
            Phase::Working if is_done => self.work_ended(end),
            Phase::AwaitingHandoff => {
                let words = std::mem::take(&mut self.last_words);
                self.handoff = Some(words).filter(|words| is_done && !words.trim().is_empty());
                self.close();
            }
            _ => self.fail(end),
        }
        told
    }

    fn said_or(&self, end: &End) -> String {
        if end.end == TurnEnd::Done {
            self.last_words.clone()
        } else {
            end.words.clone()
        }
    }

    /// A turn of the work came to its natural end.
    fn work_ended(&mut self, end: End) {
        if let Some(call) = self.turn.stopped_at.take()
            && self.encouragements < ENCOURAGEMENTS
        {
            self.encouragements += 1;
            let reason = self
                .refused
                .get(&call)
                .map(|reason| format!(" {}.", reason.trim_end_matches('.')))
                .unwrap_or_default();
            let text = format!(
                "Your last tool call was not carried out.{reason} Go on without it, or say what cannot be done."
            );
            return self.say(&format!("go-on:{}", self.encouragements), &text);
        }
        if !self.turn.did_anything {
            let words = "it ended its turn without a word".to_owned();
            return self.fail(End {
                end: TurnEnd::Failed,
                words,
                wants_login: false,
            });
        }
        self.work = Some(end);
        if self.handoff_prompt.is_empty() {
            return self.close();
        }
        self.phase = Phase::AwaitingHandoff;
        let prompt = self.handoff_prompt.clone();
        self.say("handoff", &prompt);
    }

    /// Takes a piece of a message; the message before, if this is of another one.
    fn spoken(&mut self, role: Role, message: Option<&str>, text: &str) -> Option<SessionEvent> {
        self.turn.did_anything = true;
        self.turn.stopped_at = None;
        let goes_on = self
            .speech
            .as_ref()
            .is_some_and(|speech| speech.is_part_of(role, message));
        if role == Role::Answer {
            if !goes_on && !self.last_words.is_empty() {
                self.last_words.push_str("\n\n");
            }
            self.last_words.push_str(text);
        }
        match &mut self.speech {
            Some(speech) if goes_on && speech.text.len() < SPEECH_LIMIT => {
                speech.text.push_str(text);
                None
            }
            _ => {
                let before = self.silence();
                self.speech = Some(Speech {
                    role,
                    message: message.map(str::to_owned),
                    text: text.to_owned(),
                });
                before
            }
        }
    }

    /// The message that was spoken so far, now that something else comes.
    fn silence(&mut self) -> Option<SessionEvent> {
        let said = self.pause();
        self.speech = None;
        said
    }

    /// The message that was spoken so far, of which more may come.
    fn pause(&mut self) -> Option<SessionEvent> {
        let speech = self
            .speech
            .as_mut()
            .filter(|speech| !speech.text.is_empty())?;
        Some(text_event(speech.role, std::mem::take(&mut speech.text)))
    }

    fn call(&mut self, part: &CallPart<'_>) -> Vec<SessionEvent> {
        self.spending.called();
        self.turn.did_anything = true;
        self.turn.stopped_at = None;
        let call = self.calls.entry(part.id.clone()).or_default();
        call.absorb(part);
        let mut events = Vec::new();
        let is_told = part.stage == Stage::Told && !part.has_input();
        let line = activity_line(&call.name(), &call.summary());
        match self.running.iter_mut().find(|(id, _)| *id == part.id) {
            None if is_told => {}
            None => {
                self.running.push((part.id.clone(), line.clone()));
                events.push(call.started(&part.id));
                events.extend(
                    self.scope
                        .would_have(&part.id, line, &call.name(), &call.input()),
                );
            }
            // opencode tells what it runs only after it has told that it runs something.
            Some((_, told)) if *told != line && call.is_command() => {
                *told = line;
                events.push(call.started(&part.id));
            }
            Some(_) => {}
        }
        match &part.stage {
            Stage::Told => {}
            Stage::Asked { request } => {
                let question = call.question(&part.id, request);
                self.asked.insert(part.id.clone());
                let refused = self.questioned(&question);
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
                self.last_words.clear();
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

    /// Answers at once where the rules say what; what the record says of a refusal.
    fn questioned(&mut self, question: &PermissionRequest) -> Option<SessionEvent> {
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
                Some(ToolScope::refused(
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
        reply::leave(
            &question.request,
            &choices,
            *decision == Decision::Allow,
            at,
        )
    }

    /// What a message means beyond the parts that timelines show.
    fn observe(&mut self, line: &[u8]) -> Option<SessionEvent> {
        match message(line)? {
            Message::Answer { id, result } => {
                let question = self.open.remove(&id)?;
                match result {
                    Ok(result) => {
                        return self.answered(question, result.and_then(parse).unwrap_or_default());
                    }
                    Err(error) => {
                        let end = ending::of_error(&error);
                        return Some(self.turn_ended(end));
                    }
                }
            }
            Message::Request { id, method, params } if method == "session/request_permission" => {
                self.choices
                    .insert(id.to_owned(), (reply::choices(params), self.at));
            }
            Message::Request { id, method, .. } => {
                self.outbox.push(reply::unsupported(id, &method))
            }
            Message::Update { .. } | Message::Notification { .. } => {}
        }
        None
    }

    /// Whether what comes now belongs to a turn of this session, not to an older one that is told again.
    fn is_in_turn(&self) -> bool {
        matches!(self.phase, Phase::Working | Phase::AwaitingHandoff)
    }
}

impl Speech {
    fn is_part_of(&self, role: Role, message: Option<&str>) -> bool {
        self.role == role
            && (self.message.is_none() || message.is_none() || self.message.as_deref() == message)
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
        let mut events = Vec::new();
        let observed = self.observe(line);
        for part in record::read(line).parts {
            match &part {
                Part::Chunk { role, raw, message } => {
                    if self.is_in_turn() {
                        events.extend(self.spoken(*role, message.as_deref(), &string(raw)));
                    }
                    continue;
                }
                Part::Call(part) if self.is_in_turn() => {
                    events.extend(self.silence());
                    events.extend(self.call(part));
                    continue;
                }
                Part::Call(_) => continue,
                Part::Notice(Notice::Usage(usage)) if usage.usd.is_some() => {
                    self.spending.price(*usage)
                }
                Part::Notice(Notice::Usage(usage)) => self.spending.turn(*usage),
                // What is observed tells it with the agent's own last words.
                Part::Notice(Notice::Over { .. }) => {
                    events.extend(self.silence());
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
                // Some clients count in the middle of a sentence (opencode 1.2).
                Some(SessionEvent::Usage { .. }) => events.extend(self.pause()),
                Some(_) => events.extend(self.silence()),
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

    /// The protocol has no word for it, but an agent that was asked and has not said or done anything since is at it.
    fn waits_for_service(&self) -> Option<String> {
        // Work that is done does not become undone while its handoff is waited for.
        let waits =
            self.phase == Phase::Working && !self.turn.did_anything && self.pending.is_empty();
        waits.then(|| "it has said nothing since it was asked".to_owned())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        match (&self.work, self.phase) {
            (Some(end), _) => end.verdict(&self.mend),
            (None, Phase::Opening) => {
                let doing = format!("before {} had begun a session", self.agent);
                self.complaint.verdict(exit, &doing)
            }
            (None, _) => self.complaint.verdict(exit, "before its turn was over"),
        }
    }

    fn handoff(&self) -> Option<&str> {
        self.handoff.as_deref()
    }

    fn usage(&self) -> Usage {
        self.spending.total()
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
