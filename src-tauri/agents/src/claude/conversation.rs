//! The driver of a session: the prompt, permission answers, the handoff prompt, the end.
//!
//! The input is closed only after the last answer and the end of all background work. Closing it
//! ends the process, and with it any background work.

use std::collections::{BTreeMap, HashMap, HashSet};

use baton_model::time::Timestamp;

use crate::claude::line;
use crate::claude::usage_tracker::UsageTracker;
use crate::claude::{reply, turn_outcome};
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream, TurnEnd};
use crate::lenient_json;
use crate::notice::Notice;
use crate::permission::{Decision, PermissionRequest};
use crate::quoted_value::ValueLocation;
use crate::record_part::RecordPart;
use crate::scope::{Ruling, ToolScope};
use crate::stderr_summary::StderrSummary;
use crate::task::{Input, Task};
use crate::turn_result::TurnResult;
use crate::usage::Usage;

/// The tool with which the agent asks a question. Nobody can answer it in this mode.
const QUESTION_TOOL: &str = "AskUserQuestion";

/// The state of one session, from the prompt to the end of its input.
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
    /// The exact input of each pending request, and its place in the output.
    inputs: HashMap<String, (String, ValueLocation)>,
    /// The byte offset at which the next line begins.
    at: u64,
    /// The tool call of each permission request.
    asked: HashMap<String, String>,
    /// The tool calls that were denied.
    refused: HashSet<String>,
    jobs: BTreeMap<String, String>,
    /// The running tool calls, oldest first: id and one line for people.
    tools: Vec<(String, String)>,
    retry: Option<String>,
    usage_tracker: UsageTracker,
    session: Option<String>,
    limit_resets_at: Option<Timestamp>,
    stderr_summary: StderrSummary,
    interrupts: u32,
    /// The agent has confirmed in this turn that it stops.
    stopping: bool,
    /// Out-of-scope calls that were not reported yet.
    outside: Vec<SessionEvent>,
}

/// The progress of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The agent works on the prompt, perhaps in the background.
    Working,
    /// The handoff prompt was sent.
    AwaitingHandoff,
    /// Everything is done, but background work that began meanwhile may delay the end.
    Finishing,
    Closed,
}

/// The turn that decides the outcome of the work.
#[derive(Debug)]
struct Turn {
    end: TurnEnd,
    message: String,
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
            usage_tracker: UsageTracker::default(),
            session: None,
            limit_resets_at: None,
            stderr_summary: StderrSummary::default(),
            interrupts: 0,
            stopping: false,
            outside: Vec::new(),
        }
    }

    fn observe(&mut self, part: &RecordPart<'_>) {
        if !matches!(
            part,
            RecordPart::Notice(Notice::Retrying { .. } | Notice::Ignored)
        ) {
            self.retry = None;
        }
        match part {
            RecordPart::ToolResult(result) => {
                self.tools.retain(|(id, _)| *id != result.id);
                let asks =
                    |request: &PermissionRequest| request.tool_use.as_ref() == Some(&result.id);
                for request in self.pending.extract_if(.., |request| asks(request)) {
                    self.inputs.remove(&request.request);
                }
            }
            RecordPart::PermissionAsked {
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
                let place = ValueLocation {
                    line: self.at,
                    pointer: "/request/input".to_owned(),
                };
                self.inputs
                    .insert(request.clone(), (input.get().to_owned(), place));
            }
            RecordPart::PermissionAnswered { request, allowed } => {
                self.stopping |= request.starts_with(reply::INTERRUPT);
                self.forget_request(request);
                let call = self.asked.remove(request);
                self.refused
                    .extend(call.filter(|_| *allowed == Some(false)));
            }
            RecordPart::Notice(notice) => self.notice(notice),
            RecordPart::Text { .. }
            | RecordPart::Chunk { .. }
            | RecordPart::ToolCall { .. }
            | RecordPart::Call(_)
            | RecordPart::Event(_)
            | RecordPart::Plain
            | RecordPart::Unknown => {}
        }
    }

    fn notice(&mut self, notice: &Notice) {
        match notice {
            Notice::Started { session, .. } => {
                self.session = Some(session.clone());
                self.in_turn = true;
            }
            Notice::Usage(usage) => self.usage_tracker.set_total(*usage),
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
            Notice::ToolAnnounced {
                request,
                call,
                tool,
                input,
            } => {
                self.outside
                    .extend(self.scope.out_of_scope_event(call, tool, input));
                let ruling = self.scope.on_announcement(tool, input);
                let decision = match &ruling {
                    Ruling::Allow => None,
                    Ruling::Ask => {
                        Some(("ask", "A person will decide whether to allow this call."))
                    }
                    Ruling::Deny(reason) => Some(("deny", reason.as_str())),
                };
                self.outbox.push(reply::hook(request, decision));
            }
            Notice::UnsupportedRequest { request, subtype } => {
                self.outbox.push(reply::unsupported(request, subtype))
            }
            Notice::Denied { call, .. } => self.refused.extend(call.clone()),
            Notice::RateLimit { .. }
            | Notice::TurnFinished { .. }
            | Notice::Note(_)
            | Notice::Ignored => {}
        }
    }

    fn turn_ended(&mut self, result: &TurnResult) {
        self.in_turn = false;
        let stopped = std::mem::take(&mut self.stopping);
        let end = turn_outcome::turn_end(result, self.limit_resets_at, stopped);
        let is_done = end == TurnEnd::Done;
        // A subagent in the background continues its calls and permission requests.
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
            let message = if result.text.is_empty() {
                result.subtype.clone()
            } else {
                result.text.clone()
            };
            self.work = Some(Turn {
                end,
                message,
                api_status: result.api_status,
            });
        }
        if is_done {
            self.advance()
        } else {
            self.close()
        }
    }

    /// Sends the next message if the agent is idle and nothing runs.
    ///
    /// The end of background work starts a separate turn, which the agent takes before it reads a
    /// new message. The next prompt can therefore be sent immediately, and a session whose client
    /// does not take that turn does not hang.
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

    /// Remembers facts from the decoded events: lines for people, and the inputs of permission
    /// requests.
    fn apply_event(&mut self, event: &mut SessionEvent) {
        match event {
            // Not every version reports why a tool did not run.
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
    fn set_line_offset(&mut self, at: u64) {
        self.at = at;
    }

    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        if stream == Stream::Stderr {
            return vec![self.stderr_summary.add_line(line)];
        }
        let line = &*lenient_json::sanitize_line(line);
        self.usage_tracker.add_line(line);
        let record = line::read(line);
        let mut events = Vec::with_capacity(record.parts.len());
        for part in &record.parts {
            self.observe(part);
            events.append(&mut self.outside);
            if let Some(mut event) = part.event(line) {
                self.apply_event(&mut event);
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

    fn service_wait_reason(&self) -> Option<String> {
        // Work that is done stays done while the agent waits to write its handoff.
        self.retry.clone().filter(|_| self.work.is_none())
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        let Some(turn) = &self.work else {
            return self.stderr_summary.verdict(exit, "without a result");
        };
        // Background work that was still running died with its process.
        if turn.end == TurnEnd::Done && !self.jobs.is_empty() && *exit != ProcessEnd::Exited(0) {
            return self.stderr_summary.verdict(exit, "without a result");
        }
        turn_outcome::verdict(&turn.end, &turn.message, turn.api_status)
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
