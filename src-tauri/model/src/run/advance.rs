//! What a run does by itself: fill free places, and notice its own end.

use std::collections::BTreeMap;

use crate::node::{NodeKind, ToolCall};
use crate::plan::Autonomy;

use super::event::{Event, Goal};
use super::state::{Ending, NodeState, RunState};
use super::tally::runs_after_failure;
use super::{Context, Counts, Run};

/// How many names a message lists before it only counts.
const NAMES_IN_A_MESSAGE: usize = 5;

impl Run {
    /// The next events that follow from the state alone; empty when there is nothing to do but wait.
    pub(super) fn advance(&self, context: &mut Context<'_>) -> Vec<Event> {
        let RunState::Running { ending } = &self.state else { return Vec::new() };
        match ending {
            None => self.reserve_or_settle(context, |_| true),
            Some(Ending::Aborting { .. }) => {
                self.reserve_or_settle(context, |number| runs_after_failure(self.rule(number)))
            }
            Some(_) if self.counts.live + self.counts.reserved > 0 => Vec::new(),
            Some(Ending::Pausing { .. }) => vec![Event::Paused { goal_reached: false }],
            Some(Ending::Cancelling) => vec![Event::Cancelled],
            Some(Ending::TimeUp { limit_ms }) => vec![Event::Failed { message: self.time_up_message(*limit_ms) }],
            Some(Ending::BudgetSpent) => vec![Event::Failed { message: self.budget_message() }],
        }
    }

    fn reserve_or_settle(&self, context: &mut Context<'_>, may_start: impl Fn(usize) -> bool) -> Vec<Event> {
        let next = self.next_starts(context, may_start);
        let Counts { live, reserved, retrying, asking } = self.counts;
        if next.is_empty() && live + reserved + retrying + asking == 0 { vec![self.settlement()] } else { next }
    }

    /// What the nodes that come next begin with: a place, or a question to a person.
    ///
    /// Twice as many places are given away as there are: an executor whose place becomes free goes on with the
    /// next reserved attempt at once, while the end of the last one is still being written to the disk.
    fn next_starts(&self, context: &mut Context<'_>, may_start: impl Fn(usize) -> bool) -> Vec<Event> {
        let places = (self.limit as usize).saturating_mul(2);
        let mut free = places.saturating_sub(self.counts.live + self.counts.reserved);
        let mut busy_agents = self.busy_agents.clone();
        let mut events = Vec::new();
        for number in self.ready.iter().map(|key| key.2).filter(|&number| may_start(number)) {
            if let Some(question) = self.question_before(number, context) {
                events.push(question);
            } else if free > 0 && self.takes_agent(number, &mut busy_agents) {
                free -= 1;
                events.push(self.reservation(number, context));
            }
            if free == 0 && !self.may_ask {
                break;
            }
        }
        events
    }

    fn reservation(&self, number: usize, context: &mut Context<'_>) -> Event {
        let run = &self.nodes[number];
        Event::NodeReserved {
            node: self.graph.id(number),
            attempt: run.attempt.next(),
            session: (context.new_session)(),
            resumes: run.session.filter(|_| run.resume_next),
        }
    }

    /// The question that has to be answered before anything of the node runs, or that is the whole node.
    fn question_before(&self, number: usize, context: &mut Context<'_>) -> Option<Event> {
        if !self.may_ask {
            return None;
        }
        let (definition, node) = (self.definition(number), self.graph.id(number));
        if let NodeKind::UserInput(question) = &definition.kind {
            let due = question.timeout.or(definition.timeout_ms).map(|limit| context.now.plus_ms(limit));
            let question = (context.words)(node, &question.question);
            return Some(Event::InputAsked { node, attempt: self.nodes[number].attempt.next(), question, due });
        }
        if self.nodes[number].approved || !self.needs_leave(number) {
            return None;
        }
        Some(Event::NodeHeld { node, question: format!("May '{}' start?", definition.title) })
    }

    /// Whether a person has to say yes first (product E9): at level 0 always, at level 2 for calls of guarded tools.
    fn needs_leave(&self, number: usize) -> bool {
        let calls = || self.definition(number).kind.tool_calls();
        match self.plan.settings.autonomy {
            Autonomy::AskAll => true,
            Autonomy::AskGuarded => calls().iter().any(ToolCall::is_guarded),
            Autonomy::AskNew | Autonomy::RefuseGuarded | Autonomy::Free => false,
        }
    }

    /// Takes a session of the node's agent if the plan allows one more.
    fn takes_agent(&self, number: usize, busy: &mut BTreeMap<String, u32>) -> bool {
        let Some(agent) = self.limited_agent(number) else { return true };
        let limit = self.plan.settings.agent_concurrency.get(agent).copied().unwrap_or(u32::MAX);
        let used = busy.entry(agent.to_owned()).or_default();
        if *used < limit.max(1) {
            *used += 1;
            return true;
        }
        false
    }

    /// The node's agent, if the plan limits its sessions.
    pub(super) fn limited_agent(&self, number: usize) -> Option<&str> {
        let limits = &self.plan.settings.agent_concurrency;
        if limits.is_empty() {
            return None;
        }
        let agent = self.definition(number).kind.agent()?.or(self.default_agent.as_deref())?;
        limits.contains_key(agent).then_some(agent)
    }

    fn settlement(&self) -> Event {
        let failed = self.titles(|state| matches!(state, NodeState::Failed { went_on_at: None, .. }));
        if !failed.is_empty() {
            return Event::Failed { message: self.failure_message() };
        }
        let interrupted = self.titles(|state| matches!(state, NodeState::Interrupted { .. }));
        if !interrupted.is_empty() {
            let names = named(&interrupted);
            let message = format!("{names} did not come to an end: retry, skip or mark as done to go on");
            return Event::Stalled { message };
        }
        let open = self.titles(|state| !state.has_ended());
        match (&self.goal, open.is_empty()) {
            (_, true) => Event::Completed,
            (Goal::Only { .. }, false) => Event::Paused { goal_reached: true },
            (Goal::All, false) => Event::Stalled { message: format!("{} can never start", named(&open)) },
        }
    }

    fn budget_message(&self) -> String {
        let spent = self.spent.beyond(&self.plan.settings.budget).unwrap_or_default();
        let unfinished = self.titles(|state| !matches!(state, NodeState::Done { .. } | NodeState::Skipped { .. }));
        format!("the budget of the plan is spent: {spent}. Not done: {}", named(&unfinished))
    }

    fn time_up_message(&self, limit_ms: u64) -> String {
        let unfinished = self.titles(|state| !matches!(state, NodeState::Done { .. } | NodeState::Skipped { .. }));
        let seconds = limit_ms.div_ceil(1000);
        format!("the run took longer than its limit of {seconds} s. Not done: {}", named(&unfinished))
    }

    fn failure_message(&self) -> String {
        let mut causes = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let NodeState::Failed { failure, went_on_at: None } = &node.state {
                causes.push(format!("'{}' {failure}", self.title(number)));
            }
        }
        let left_out = causes.len().saturating_sub(NAMES_IN_A_MESSAGE);
        causes.truncate(NAMES_IN_A_MESSAGE);
        let mut message = causes.join("; ");
        if left_out > 0 {
            message.extend(["; and ", &left_out.to_string(), " more"]);
        }
        let unstarted = self.titles(|state| matches!(state, NodeState::Blocked { .. } | NodeState::Pending));
        if !unstarted.is_empty() {
            message.extend([". Not started: ", &named(&unstarted)]);
        }
        message
    }

    pub(super) fn titles(&self, which: impl Fn(&NodeState) -> bool) -> Vec<&str> {
        let numbers = 0..self.nodes.len();
        numbers.filter(|&number| which(&self.nodes[number].state)).map(|number| self.title(number)).collect()
    }
}

pub(super) fn named(titles: &[&str]) -> String {
    let shown: Vec<String> = titles.iter().take(NAMES_IN_A_MESSAGE).map(|title| format!("'{title}'")).collect();
    match titles.len().saturating_sub(NAMES_IN_A_MESSAGE) {
        0 => shown.join(", "),
        left_out => format!("{} and {left_out} more", shown.join(", ")),
    }
}
