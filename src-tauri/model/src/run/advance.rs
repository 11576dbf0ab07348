//! What a run does on its own: fill free slots, and detect its end.

use crate::StartRule;
use crate::duration::format_duration;
use crate::node::{NodeKind, TriggerRule};
use crate::plan::Autonomy;
use crate::short_title::shorten_title;

use super::assignment::StartDecision;
use super::effect::Effect;
use super::event::{Event, Goal};
use super::parent_counts::Readiness;
use super::permits::ClosedLanes;
use super::semantics::Semantics;
use super::state::{Ending, NodeState, RunState};
use super::{Context, Counts, Run, reservation};

/// Further titles in a message are only counted.
const MAX_LISTED_TITLES: usize = 5;

impl Run {
    /// The next events that follow from the state alone; empty if the run has to wait.
    pub(super) fn advance(&self, context: &mut Context<'_>) -> Vec<Event> {
        let RunState::Running { ending } = &self.state else {
            return Vec::new();
        };
        if self.is_verifying() {
            return Vec::new();
        }
        match ending {
            None | Some(Ending::Verifying) => self.reserve_or_settle(context, false),
            Some(Ending::Aborting { .. }) => self.reserve_or_settle(context, true),
            Some(Ending::TimeUp { limit_ms }) => self.cleanup_or_end(context, *limit_ms),
            Some(_) if self.counts.live + self.counts.reserved > 0 => Vec::new(),
            Some(Ending::Pausing { .. } | Ending::Reviewing) => vec![Event::Paused {
                goal_reached: false,
            }],
            Some(Ending::Cancelling) => vec![Event::Cancelled],
            Some(Ending::BudgetSpent) => vec![self.end_at_a_limit(Self::budget_message)],
        }
    }

    fn reserve_or_settle(&self, context: &mut Context<'_>, aborting: bool) -> Vec<Event> {
        let (next, closed) = self.next_starts(context, aborting);
        if !next.is_empty() || !closed.is_empty() || !self.is_idle() {
            return next;
        }
        vec![
            self.plan_retry(context)
                .unwrap_or_else(|| self.final_event()),
        ]
    }

    /// After the time limit, only clean-up nodes still start: those that are ready, and, once
    /// nothing else progresses, those whose remaining parents will never start.
    fn cleanup_or_end(&self, context: &mut Context<'_>, limit_ms: u64) -> Vec<Event> {
        let (next, closed) = self.next_starts(context, true);
        if !next.is_empty() || !closed.is_empty() || !self.is_idle() {
            return next;
        }
        let end = || vec![self.end_at_a_limit(|run| run.time_up_message(limit_ms))];
        let Some(number) = self.find_late_cleanup() else {
            return end();
        };
        match self.try_take_permits(number, context, false) {
            Some(obstacle) => self.held_back_events(&ClosedLanes::of(number, obstacle)),
            None => self
                .first_event(number, context)
                .map_or_else(end, |event| vec![event]),
        }
    }

    fn is_idle(&self) -> bool {
        let Counts {
            live,
            reserved,
            retrying,
            asking,
        } = self.counts;
        live + reserved + retrying + asking == 0
    }

    /// A node that starts when all parents have ended, although some of them never will because
    /// nothing else starts.
    fn find_late_cleanup(&self) -> Option<usize> {
        let cleans_up = |number: usize| {
            self.nodes[number].state == NodeState::Pending
                && self.is_wanted(number)
                && self.rule(number) == StartRule::Written(TriggerRule::AllDone)
                && self.readiness(number) == Readiness::Wait
        };
        let waits_for_another = |number: usize| {
            self.graph
                .gated_parents(number)
                .any(|(parent, _)| cleans_up(parent))
        };
        self.unfinished_nodes
            .iter()
            .copied()
            .find(|&number| cleans_up(number) && !waits_for_another(number))
    }

    /// The first event of a node whose turn it is: a reservation, or a question to a person.
    fn first_event(&self, number: usize, context: &mut Context<'_>) -> Option<Event> {
        match self.starts_with_question(number) {
            true => Some(self.start_question(number, context)),
            false => self.start_event(number, context),
        }
    }

    /// The first events of the next nodes: reservations, or questions to a person.
    ///
    /// Twice as many attempts are reserved as there are slots. An executor with a free slot can
    /// then continue with the next reserved attempt immediately, while the end of the last one is
    /// still being written to disk.
    ///
    /// A node that needs permits held by others lets later ones go first. The lanes that this
    /// closes are returned too.
    fn next_starts(&self, context: &mut Context<'_>, aborting: bool) -> (Vec<Event>, ClosedLanes) {
        let is_open = reservation::lane_filter(aborting);
        let mut events: Vec<Event> = self
            .ready
            .questions(is_open)
            .map(|number| self.start_question(number, context))
            .collect();
        let (places, taken) = (self.limit as usize, self.counts.live + self.counts.reserved);
        let free = places.saturating_sub(taken);
        let is_ahead = free == 0;
        let most = if is_ahead {
            usize::from(taken < places.saturating_mul(2))
        } else {
            free
        };
        let has_turn = |number| self.start_decision(number, context) != StartDecision::Waits;
        let mut closed = ClosedLanes::default();
        let is_held_back = |number| match self.try_take_permits(number, context, is_ahead) {
            Some(obstacle) => {
                obstacle
                    .into_iter()
                    .for_each(|obstacle| closed.add(number, obstacle));
                true
            }
            None => false,
        };
        let mut next = self.ready.next(
            most,
            is_open,
            |agent| self.room_for(agent),
            has_turn,
            is_held_back,
        );
        next.retain(|&number| !is_ahead || self.may_be_reserved_ahead(number, is_open));
        events.extend(
            next.into_iter()
                .filter_map(|number| self.start_event(number, context)),
        );
        events.extend(self.held_back_events(&closed));
        (events, closed)
    }

    /// Withdraws reservations in favor of nodes with higher priority that have become ready.
    pub(super) fn yield_reserved_slots(&mut self) -> Vec<Effect> {
        match &self.state {
            RunState::Running { ending: None } => {
                self.withdraw_lower_priority(reservation::lane_filter(false))
            }
            RunState::Running {
                ending: Some(Ending::Aborting { .. }),
            } => self.withdraw_lower_priority(reservation::lane_filter(true)),
            _ => Vec::new(),
        }
    }

    fn start_event(&self, number: usize, context: &mut Context<'_>) -> Option<Event> {
        let (node, run) = (self.graph.id(number), &self.nodes[number]);
        if self.definition(number).disabled {
            return Some(Event::NodeSkipped { node });
        }
        match self.start_decision(number, context) {
            StartDecision::Start { choice, asks } => Some(Event::NodeReserved {
                node,
                attempt: run.attempt.next(),
                session: (context.new_session)(),
                resumes: run.session.filter(|_| run.resumes_session()),
                choice,
                asks,
            }),
            StartDecision::Parks { until } => Some(Event::NodeParked { node, until }),
            StartDecision::Waits => None,
        }
    }

    /// The question that must be answered before the node runs, or that is the whole node.
    fn start_question(&self, number: usize, context: &Context<'_>) -> Event {
        let (definition, node) = (self.definition(number), self.graph.id(number));
        if definition.disabled {
            return Event::NodeSkipped { node };
        }
        if let NodeKind::UserInput(question) = &definition.kind {
            let due = question
                .timeout
                .or(definition.timeout_ms)
                .map(|limit| context.now.plus_ms(limit));
            let question = (context.fill_templates)(node, &question.question);
            return Event::InputAsked {
                node,
                attempt: self.nodes[number].attempt.next(),
                question,
                due,
            };
        }
        let calls = definition.kind.tool_calls().iter();
        let open: Vec<String> = calls
            .filter_map(|call| self.plan.unapproved_address(call))
            .map(|url| (context.fill_templates)(node, url))
            .collect();
        let question = match &open[..] {
            [] => format!("Start '{}'?", definition.title),
            open => {
                format!(
                    "Start '{}'? It calls {}, which the approved plan does not specify.",
                    definition.title,
                    open.join(", ")
                )
            }
        };
        Event::NodeHeld { node, question }
    }

    /// Whether a person must approve the start: always at level 0; at levels 1 and 2 for calls with
    /// an address that the approval does not cover. At level 3 such calls are refused when they are
    /// made.
    pub(super) fn needs_start_approval(&self, number: usize) -> bool {
        let calls = || self.definition(number).kind.tool_calls();
        match self.plan.settings.effective_autonomy() {
            Autonomy::AskAll => true,
            Autonomy::AskNew | Autonomy::AskGuarded if self.semantics >= Semantics::V4 => calls()
                .iter()
                .any(|call| self.plan.unapproved_address(call).is_some()),
            Autonomy::AskGuarded => calls()
                .iter()
                .any(|call| call.is_guarded() && !self.trusted_tools.contains(&call.tool_name)),
            Autonomy::AskNew | Autonomy::RefuseGuarded | Autonomy::Free => false,
        }
    }

    fn final_event(&self) -> Event {
        let failed = self.titles(|state| {
            matches!(
                state,
                NodeState::Failed {
                    went_on_at: None,
                    ..
                }
            )
        });
        if !failed.is_empty() {
            return self.failed_event(self.failure_message());
        }
        let interrupted = self.titles(|state| matches!(state, NodeState::Interrupted { .. }));
        if !interrupted.is_empty() {
            let names = format_titles(&interrupted);
            let message =
                format!("{names} did not finish: retry, skip or mark as done to continue");
            return Event::Stalled { message };
        }
        let open = self.titles(|state| !state.has_ended());
        match (&self.goal, open.is_empty()) {
            (_, true) => Event::Completed,
            (Goal::Only { .. }, false) => Event::Paused { goal_reached: true },
            (Goal::All, false) => Event::Stalled {
                message: format!("{} can never start", format_titles(&open)),
            },
        }
    }

    /// The end of a run that reached a limit. A failure, unless the remaining work finished in the
    /// meantime.
    fn end_at_a_limit(&self, message: impl Fn(&Self) -> String) -> Event {
        if self.unfinished().is_empty() {
            self.final_event()
        } else {
            self.failed_event(message(self))
        }
    }

    fn failed_event(&self, message: String) -> Event {
        let handler = self.handler_after_failure();
        Event::Failed { message, handler }
    }

    fn budget_message(&self) -> String {
        let spent = self
            .spent
            .describe_excess(&self.plan.settings.budget)
            .unwrap_or_default();
        format!(
            "the plan's budget ran out: {spent}. Not finished: {}",
            format_titles(&self.unfinished())
        )
    }

    fn time_up_message(&self, limit_ms: u64) -> String {
        let (limit, names) = (format_duration(limit_ms), format_titles(&self.unfinished()));
        format!("the run exceeded its time limit of {limit}. Not finished: {names}")
    }

    /// The wanted nodes that are neither done nor otherwise settled.
    fn unfinished(&self) -> Vec<&str> {
        let is_finished = |state: &NodeState| {
            matches!(
                state,
                NodeState::Done { .. }
                    | NodeState::Skipped { .. }
                    | NodeState::Failed {
                        went_on_at: Some(_),
                        ..
                    }
            )
        };
        let numbers = (0..self.nodes.len()).filter(|&number| self.is_wanted(number));
        numbers
            .filter(|&number| !is_finished(&self.nodes[number].state))
            .map(|number| self.title(number))
            .collect()
    }

    fn failure_message(&self) -> String {
        let mut causes = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let NodeState::Failed {
                failure,
                went_on_at: None,
            } = &node.state
            {
                let title = shorten_title(self.title(number));
                causes.push(format!("'{title}' {failure}"));
            }
        }
        let left_out = causes.len().saturating_sub(MAX_LISTED_TITLES);
        causes.truncate(MAX_LISTED_TITLES);
        let mut message = causes.join("; ");
        if left_out > 0 {
            message.extend(["; and ", &left_out.to_string(), " more"]);
        }
        let unstarted =
            self.titles(|state| matches!(state, NodeState::Blocked { .. } | NodeState::Pending));
        if !unstarted.is_empty() {
            message.extend([". Not started: ", &format_titles(&unstarted)]);
        }
        message
    }

    pub(super) fn titles(&self, which: impl Fn(&NodeState) -> bool) -> Vec<&str> {
        let numbers = 0..self.nodes.len();
        numbers
            .filter(|&number| which(&self.nodes[number].state))
            .map(|number| self.title(number))
            .collect()
    }
}

pub(super) fn format_titles(titles: &[&str]) -> String {
    let shown: Vec<String> = titles
        .iter()
        .take(MAX_LISTED_TITLES)
        .map(|title| format!("'{}'", shorten_title(title)))
        .collect();
    match titles.len().saturating_sub(MAX_LISTED_TITLES) {
        0 => shown.join(", "),
        left_out => format!("{} and {left_out} more", shown.join(", ")),
    }
}
