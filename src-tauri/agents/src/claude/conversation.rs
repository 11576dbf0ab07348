//! What to say to `claude` when: the prompt, then answers, then the question for the handoff, then goodbye.
//!
//! The input is closed only when the last answer is in and nothing runs in the background any more: closing
//! ends the process, and its background work with it.

use std::collections::{BTreeMap, HashMap, HashSet};

use baton_model::time::Timestamp;

use crate::claude::line;
use crate::claude::spending::Spending;
use crate::claude::{ending, reply};
use crate::complaint::Complaint;
use crate::driver::{Decision, Driver, PermissionRequest, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::notice::Notice;
use crate::odd;
use crate::original::Place;
use crate::part::Part;
use crate::scope::{Ruling, ToolScope};
use crate::task::{Input, Task};
use crate::turn_result::TurnResult;
use crate::usage::Usage;

/// The tool with which the agent asks a question of its own. Nobody can be asked that way.
const QUESTION_TOOL: &str = "AskUserQuestion";

/// One session, from the prompt to the end of its input.
#[derive(Debug)]
pub(super) struct Conversation {
    scope: ToolScope,
    handoff_prompt: String,
    phase: Phase,
    in_turn: bool,
    work: Option<Turn>,
    handoff: Option<String>,
    outbox: Vec<Input>,
    pending: Vec<PermissionRequest>,
    /// What the pending requests want to do, to the letter, and where they said it.
    inputs: HashMap<String, (String, Place)>,
    /// Where the next line begins.
    at: u64,
    /// The tool calls that leave was asked for, by request.
    asked: HashMap<String, String>,
    /// The tool calls that were refused leave.
    refused: HashSet<String>,
    jobs: BTreeMap<String, String>,
    /// Running tool calls: id and line for people, oldest first.
    tools: Vec<(String, String)>,
    retry: Option<String>,
    spending: Spending,
    session: Option<String>,
    limit_resets_at: Option<Timestamp>,
    complaint: Complaint,
    interrupts: u32,
    /// The agent has heard, in this turn, that it shall stop.
    stopping: bool,
    /// Calls outside the list that nobody was told of yet.
    outside: Vec<SessionEvent>,
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The work of the prompt goes on, perhaps in the background.
    Working,
    /// The handoff was asked for.
    AwaitingHandoff,
    /// All is said; background work that began meanwhile may hold the end.
    Finishing,
    /// The input is closed.
    Closed,
}

/// The turn that decides about the work.
#[derive(Debug)]
struct Turn {
    end: TurnEnd,
    words: String,
    api_status: Option<u32>,
}

impl Conversation {
    pub(super) fn new(task: &Task) -> Self {
        Self {
            scope: task.scope.clone(),
            handoff_prompt: task.handoff_prompt.clone(),
            phase: Phase::Working,
            in_turn: true,
            work: None,
            handoff: None,
            outbox: Vec::new(),
            pending: Vec::new(),
            inputs: HashMap::new(),
            at: 0,
            asked: HashMap::new(),
            refused: HashSet::new(),
            jobs: BTreeMap::new(),
            tools: Vec::new(),
            retry: None,
            spending: Spending::default(),
            session: None,
            limit_resets_at: None,
            complaint: Complaint::default(),
            interrupts: 0,
            stopping: false,
            outside: Vec::new(),
        }
    }

    fn observe(&mut self, part: &Part<'_>) {
        if !matches!(
            part,
            Part::Notice(Notice::Retrying { .. } | Notice::Nothing)
        ) {
            self.retry = None;
        }
        match part {
            Part::ToolResult(result) => {
                self.tools.retain(|(id, _)| *id != result.id);
                let asks =
                    |request: &PermissionRequest| request.tool_use.as_ref() == Some(&result.id);
                for request in self.pending.extract_if(.., |request| asks(request)) {
                    self.inputs.remove(&request.request);
                }
            }
            Part::Asked {
                request,
                tool_use,
                input,
                ..
            } => {
                self.asked.extend(
                    tool_use
                        .as_ref()
                        .map(|call| (request.clone(), call.clone())),
                );
                let place = Place {
                    line: self.at,
                    pointer: "/request/input".to_owned(),
                };
                self.inputs
                    .insert(request.clone(), (input.get().to_owned(), place));
            }
            Part::Answered { request, allowed } => {
                self.stopping |= request.starts_with(reply::INTERRUPT);
                self.forget_request(request);
                let call = self.asked.remove(request);
                self.refused
                    .extend(call.filter(|_| *allowed == Some(false)));
            }
            Part::Notice(notice) => self.notice(notice),
            Part::Text { .. }
            | Part::Chunk { .. }
            | Part::ToolCall { .. }
            | Part::Call(_)
            | Part::Event(_)
            | Part::Plain
            | Part::Unknown => {}
        }
    }

    fn notice(&mut self, notice: &Notice) {
        match notice {
            Notice::Started { session, .. } => {
                self.session = Some(session.clone());
                self.in_turn = true;
            }
            Notice::Usage(usage) => self.spending.settle(*usage),
            Notice::TurnEnded { turn, .. } => self.turn_ended(turn),
            Notice::Retrying {
                attempt,
                max,
                reason,
                ..
            } => {
                self.retry = Some(format!("retrying after {reason} ({attempt} of {max})"));
            }
            Notice::RateLimit {
                rejected: true,
                resets_at,
                ..
            } => self.limit_resets_at = *resets_at,
            Notice::Background(jobs) => {
                self.jobs.clone_from(jobs);
                self.advance();
            }
            Notice::JobStarted { id, title } => {
                self.jobs.insert(id.clone(), title.clone());
            }
            Notice::JobEnded { id, .. } => {
                self.jobs.remove(id);
                self.advance();
            }
            Notice::Withdrawn { request } => self.forget_request(request),
            Notice::Announced {
                request,
                call,
                tool,
                input,
            } => {
                self.outside.extend(self.scope.outside(call, tool, input));
                let ruling = self.scope.on_announcement(tool, input);
                let decision = match &ruling {
                    Ruling::Allow => None,
                    Ruling::Ask => Some(("ask", "A person decides about this tool.")),
                    Ruling::Deny(reason) => Some(("deny", reason.as_str())),
                };
                self.outbox.push(reply::hook(request, decision));
            }
            Notice::Foreign { request, subtype } => {
                self.outbox.push(reply::unsupported(request, subtype))
            }
            Notice::Denied { call, .. } => self.refused.extend(call.clone()),
            Notice::RateLimit { .. } | Notice::Over { .. } | Notice::Words(_) | Notice::Nothing => {
            }
        }
    }

    fn turn_ended(&mut self, result: &TurnResult) {
        self.in_turn = false;
        let stopped = std::mem::take(&mut self.stopping);
        let end = ending::end(result, self.limit_resets_at, stopped);
        let is_done = end == TurnEnd::Done;
        // A helper in the background goes on with its calls, and with its questions.
        if self.jobs.is_empty() || !is_done {
            self.tools.clear();
            self.pending.clear();
            self.inputs.clear();
        }
        if self.phase == Phase::AwaitingHandoff && !result.unprompted {
            self.handoff =
                Some(result.text.clone()).filter(|text| is_done && !text.trim().is_empty());
            self.phase = Phase::Finishing;
        } else if matches!(self.phase, Phase::Working | Phase::AwaitingHandoff) {
            let words = if result.text.is_empty() {
                result.subtype.clone()
            } else {
                result.text.clone()
            };
            self.work = Some(Turn {
                end,
                words,
                api_status: result.api_status,
            });
        }
        if is_done {
            self.advance()
        } else {
            self.close()
        }
    }

    /// Says what is due, if the agent is silent and nothing runs.
    ///
    /// The end of background work is followed by a turn of its own, which the agent takes before it reads a
    /// message that comes meanwhile. So the question can be put at once, and a session whose client does not
    /// take that turn does not hang.
    fn advance(&mut self) {
        if self.in_turn || !self.jobs.is_empty() {
            return;
        }
        match self.phase {
            Phase::Working if self.work.is_some() && !self.handoff_prompt.is_empty() => {
                self.outbox
                    .push(reply::user("handoff", &self.handoff_prompt));
                self.phase = Phase::AwaitingHandoff;
            }
            Phase::Working if self.work.is_some() => self.close(),
            Phase::Finishing => self.close(),
            Phase::Working | Phase::AwaitingHandoff | Phase::Closed => {}
        }
    }

    fn close(&mut self) {
        if self.phase != Phase::Closed {
            self.phase = Phase::Closed;
            self.outbox.push(Input::close());
        }
    }

    fn forget_request(&mut self, request: &str) {
        self.inputs.remove(request);
        self.pending.retain(|pending| pending.request != request);
    }

    fn on_request(&self, request: &PermissionRequest) -> Ruling {
        match self.scope.on_request(&request.tool, &request.input) {
            Ruling::Allow if request.tool == QUESTION_TOOL && !self.scope.lists(QUESTION_TOOL) => {
                Ruling::Deny(
                    "Nobody can answer here. Decide yourself and say what you decided.".to_owned(),
                )
            }
            ruling => ruling,
        }
    }

    fn decide(&mut self, request: &str, decision: &Decision) -> Option<Input> {
        let (input, place) = self.inputs.remove(request)?;
        Some(match decision {
            Decision::Allow => reply::allow(request, &input, &place),
            Decision::Deny { reason } => reply::refuse(request, reason),
        })
    }

    /// Keeps what the decoded events say: lines for people, and questions that need their input.
    fn keep(&mut self, event: &mut SessionEvent) {
        match event {
            // Not every version says why a tool did not run.
            SessionEvent::ToolEnded { id, result } => result.denied |= self.refused.remove(id),
            SessionEvent::ToolStarted {
                id, name, summary, ..
            } => {
                self.tools.push((id.clone(), activity_line(name, summary)));
            }
            SessionEvent::PermissionAsked { request } => match self.on_request(request) {
                Ruling::Ask => self.pending.push(request.clone()),
                Ruling::Allow => {
                    let answer = self.decide(&request.request, &Decision::Allow);
                    self.outbox.extend(answer);
                }
                Ruling::Deny(reason) => {
                    let answer = self.decide(&request.request, &Decision::Deny { reason });
                    self.outbox.extend(answer);
                }
            },
            _ => {}
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
        self.spending.line(line);
        let record = line::read(line);
        let mut events = Vec::with_capacity(record.parts.len());
        for part in &record.parts {
            self.observe(part);
            events.append(&mut self.outside);
            if let Some(mut event) = part.event(line) {
                self.keep(&mut event);
                events.push(event);
            }
        }
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
        self.pending.remove(place);
        self.decide(request, decision)
    }

    fn interrupt(&mut self) -> Option<Input> {
        if self.phase == Phase::Closed {
            return None;
        }
        self.interrupts += 1;
        Some(reply::interrupt(self.interrupts))
    }

    fn pending_permissions(&self) -> &[PermissionRequest] {
        &self.pending
    }

    fn waits_for_service(&self) -> Option<String> {
        // Work that is done does not become undone while its handoff is waited for.
        self.retry.clone().filter(|_| self.work.is_none())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        let Some(turn) = &self.work else {
            return self.complaint.verdict(exit, "without a result");
        };
        // Work that was still going on in the background died with its process.
        if turn.end == TurnEnd::Done && !self.jobs.is_empty() && *exit != ProcessEnd::Exited(0) {
            return self.complaint.verdict(exit, "without a result");
        }
        ending::of_turn(&turn.end, &turn.words, turn.api_status)
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
        if let Some(retry) = &self.retry {
            return Some(retry.clone());
        }
        if let Some((_, line)) = self.tools.last() {
            return Some(line.clone());
        }
        if !self.in_turn && !self.jobs.is_empty() {
            let titles: Vec<&str> = self.jobs.values().map(String::as_str).collect();
            return Some(format!("background work: {}", titles.join(", ")));
        }
        (self.phase == Phase::AwaitingHandoff).then(|| "writing the handoff".to_owned())
    }
}

fn activity_line(tool: &str, summary: &str) -> String {
    if summary.is_empty() {
        tool.to_owned()
    } else {
        format!("{tool}: {summary}")
    }
}
