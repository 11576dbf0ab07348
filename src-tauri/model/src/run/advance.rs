//! What a run does by itself: fill free places, and notice its own end.

use crate::StartRule;
use crate::duration::format_duration;
use crate::node::{NodeKind, TriggerRule};
use crate::plan::Autonomy;

use super::assignment::Turn;
use super::effect::Effect;
use super::event::{Event, Goal};
use super::permits::Closed;
use super::semantics::Semantics;
use super::state::{Ending, NodeState, RunState};
use super::tally::Verdict;
use super::{Context, Counts, Run, lookahead};

/// How many names a message lists before it only counts.
const NAMES_IN_A_MESSAGE: usize = 5;

impl Run {
    /// The next events that follow from the state alone; empty when there is nothing to do but wait.
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
            Some(Ending::TimeUp { limit_ms }) => self.clean_up_or_end(context, *limit_ms),
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
        if !next.is_empty() || !closed.is_empty() || !self.nothing_moves() {
            return next;
        }
        vec![
            self.plan_retry(context)
                .unwrap_or_else(|| self.settlement()),
        ]
    }

    /// Out of time, only nodes that clean up still start: those that are ready, and when nothing else moves, those that
    /// wait for nodes that no longer start.
    fn clean_up_or_end(&self, context: &mut Context<'_>, limit_ms: u64) -> Vec<Event> {
        let (next, closed) = self.next_starts(context, true);
        if !next.is_empty() || !closed.is_empty() || !self.nothing_moves() {
            return next;
        }
        let end = || vec![self.end_at_a_limit(|run| run.time_up_message(limit_ms))];
        let Some(number) = self.late_clean_up() else {
            return end();
        };
        match self.is_held_back(number, context, false) {
            Some(obstacle) => self.holding_back(&Closed::of(number, obstacle)),
            None => self
                .first_event(number, context)
                .map_or_else(end, |event| vec![event]),
        }
    }

    fn nothing_moves(&self) -> bool {
        let Counts {
            live,
            reserved,
            retrying,
            asking,
        } = self.counts;
        live + reserved + retrying + asking == 0
    }

    /// A node that starts when all its parents have ended, some of which never will, now that nothing else starts.
    fn late_clean_up(&self) -> Option<usize> {
        let cleans_up = |number: usize| {
            self.nodes[number].state == NodeState::Pending
                && self.is_wanted(number)
                && self.rule(number) == StartRule::Written(TriggerRule::AllDone)
                && self.verdict(number) == Verdict::Wait
        };
        let waits_for_another = |number: usize| {
            self.graph
                .gated_parents(number)
                .any(|(parent, _)| cleans_up(parent))
        };
        self.unended
            .iter()
            .copied()
            .find(|&number| cleans_up(number) && !waits_for_another(number))
    }

    /// What a node begins with whose turn it is: a place, or a question to a person.
    fn first_event(&self, number: usize, context: &mut Context<'_>) -> Option<Event> {
        match self.begins_with_a_question(number) {
            true => Some(self.question_before(number, context)),
            false => self.beginning(number, context),
        }
    }

    /// What the nodes that come next begin with: a place, or a question to a person.
    ///
    /// Twice as many places are given away as there are: an executor whose place becomes free goes on with the
    /// next reserved attempt at once, while the end of the last one is still being written to the disk.
    ///
    /// A node that needs what others hold lets those behind it go first; the lanes that are closed by that come along.
    fn next_starts(&self, context: &mut Context<'_>, aborting: bool) -> (Vec<Event>, Closed) {
        let is_open = lookahead::is_open(aborting);
        let mut events: Vec<Event> = self
            .ready
            .questions(is_open)
            .map(|number| self.question_before(number, context))
            .collect();
        let (places, taken) = (self.limit as usize, self.counts.live + self.counts.reserved);
        let free = places.saturating_sub(taken);
        let is_ahead = free == 0;
        let most = if is_ahead {
            usize::from(taken < places.saturating_mul(2))
        } else {
            free
        };
        let has_turn = |number| self.turn(number, context) != Turn::Waits;
        let mut closed = Closed::default();
        let is_held_back = |number| match self.is_held_back(number, context, is_ahead) {
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
                .filter_map(|number| self.beginning(number, context)),
        );
        events.extend(self.holding_back(&closed));
        (events, closed)
    }

    /// What is reserved gives way to nodes of higher priority that may start since.
    pub(super) fn give_way(&mut self) -> Vec<Effect> {
        match &self.state {
            RunState::Running { ending: None } => self.make_way(lookahead::is_open(false)),
            RunState::Running {
                ending: Some(Ending::Aborting { .. }),
            } => self.make_way(lookahead::is_open(true)),
            _ => Vec::new(),
        }
    }

    fn beginning(&self, number: usize, context: &mut Context<'_>) -> Option<Event> {
        let (node, run) = (self.graph.id(number), &self.nodes[number]);
        if self.definition(number).disabled {
            return Some(Event::NodeSkipped { node });
        }
        match self.turn(number, context) {
            Turn::Begins { choice, asks } => Some(Event::NodeReserved {
                node,
                attempt: run.attempt.next(),
                session: (context.new_session)(),
                resumes: run.session.filter(|_| run.goes_on()),
                choice,
                asks,
            }),
            Turn::Parks { until } => Some(Event::NodeParked { node, until }),
            Turn::Waits => None,
        }
    }

    /// The question that has to be answered before anything of the node runs, or that is the whole node.
    fn question_before(&self, number: usize, context: &Context<'_>) -> Event {
        let (definition, node) = (self.definition(number), self.graph.id(number));
        if definition.disabled {
            return Event::NodeSkipped { node };
        }
        if let NodeKind::UserInput(question) = &definition.kind {
            let due = question
                .timeout
                .or(definition.timeout_ms)
                .map(|limit| context.now.plus_ms(limit));
            let question = (context.words)(node, &question.question);
            return Event::InputAsked {
                node,
                attempt: self.nodes[number].attempt.next(),
                question,
                due,
            };
        }
        let calls = definition.kind.tool_calls().iter();
        let open: Vec<String> = calls
            .filter_map(|call| self.plan.open_address(call))
            .map(|url| (context.words)(node, url))
            .collect();
        let question = match &open[..] {
            [] => format!("May '{}' start?", definition.title),
            open => {
                format!(
                    "May '{}' start? It calls {}, which the plan leaves open.",
                    definition.title,
                    open.join(", ")
                )
            }
        };
        Event::NodeHeld { node, question }
    }

    /// Whether a person has to say yes first: at level 0 always, at 1 and 2 for calls whose address the
    /// approval does not name. At 3 these are refused when they are to be made.
    pub(super) fn needs_leave(&self, number: usize) -> bool {
        let calls = || self.definition(number).kind.tool_calls();
        match self.plan.settings.effective_autonomy() {
            Autonomy::AskAll => true,
            Autonomy::AskNew | Autonomy::AskGuarded if self.semantics >= Semantics::V4 => calls()
                .iter()
                .any(|call| self.plan.open_address(call).is_some()),
            Autonomy::AskGuarded => calls()
                .iter()
                .any(|call| call.is_guarded() && !self.trusted_tools.contains(&call.tool_name)),
            Autonomy::AskNew | Autonomy::RefuseGuarded | Autonomy::Free => false,
        }
    }

    fn settlement(&self) -> Event {
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
            return Event::Failed {
                message: self.failure_message(),
            };
        }
        let interrupted = self.titles(|state| matches!(state, NodeState::Interrupted { .. }));
        if !interrupted.is_empty() {
            let names = named(&interrupted);
            let message =
                format!("{names} did not come to an end: retry, skip or mark as done to go on");
            return Event::Stalled { message };
        }
        let open = self.titles(|state| !state.has_ended());
        match (&self.goal, open.is_empty()) {
            (_, true) => Event::Completed,
            (Goal::Only { .. }, false) => Event::Paused { goal_reached: true },
            (Goal::All, false) => Event::Stalled {
                message: format!("{} can never start", named(&open)),
            },
        }
    }

    /// The end of a run that reached a limit: a failure, unless what still ran came to its end meanwhile and
    /// nothing is left to be done.
    fn end_at_a_limit(&self, message: impl Fn(&Self) -> String) -> Event {
        if self.unfinished().is_empty() {
            self.settlement()
        } else {
            Event::Failed {
                message: message(self),
            }
        }
    }

    fn budget_message(&self) -> String {
        let spent = self
            .spent
            .beyond(&self.plan.settings.budget)
            .unwrap_or_default();
        format!(
            "the budget of the plan is spent: {spent}. Not done: {}",
            named(&self.unfinished())
        )
    }

    fn time_up_message(&self, limit_ms: u64) -> String {
        let (limit, names) = (format_duration(limit_ms), named(&self.unfinished()));
        format!("the run took longer than its limit of {limit}. Not done: {names}")
    }

    /// The wanted nodes that are neither done nor dealt with.
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
                causes.push(format!("'{}' {failure}", self.title(number)));
            }
        }
        let left_out = causes.len().saturating_sub(NAMES_IN_A_MESSAGE);
        causes.truncate(NAMES_IN_A_MESSAGE);
        let mut message = causes.join("; ");
        if left_out > 0 {
            message.extend(["; and ", &left_out.to_string(), " more"]);
        }
        let unstarted =
            self.titles(|state| matches!(state, NodeState::Blocked { .. } | NodeState::Pending));
        if !unstarted.is_empty() {
            message.extend([". Not started: ", &named(&unstarted)]);
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

pub(super) fn named(titles: &[&str]) -> String {
    let shown: Vec<String> = titles
        .iter()
        .take(NAMES_IN_A_MESSAGE)
        .map(|title| format!("'{title}'"))
        .collect();
    match titles.len().saturating_sub(NAMES_IN_A_MESSAGE) {
        0 => shown.join(", "),
        left_out => format!("{} and {left_out} more", shown.join(", ")),
    }
}
