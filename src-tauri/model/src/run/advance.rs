//! What a run does by itself: fill free places, and notice its own end.

use super::event::{Event, Goal};
use super::state::{Ending, NodeState, RunState};
use super::tally::runs_after_failure;
use super::{Context, Run};

/// How many names a message lists before it only counts.
const NAMES_IN_A_MESSAGE: usize = 5;

impl Run {
    /// The next events that follow from the state alone; empty when there is nothing to do but wait.
    pub(super) fn advance(&self, context: &mut Context<'_>) -> Vec<Event> {
        let RunState::Running { ending } = &self.state else { return Vec::new() };
        match ending {
            None => self.reserve_or_settle(context, |_| true),
            Some(Ending::Aborting { .. }) => {
                self.reserve_or_settle(context, |number| runs_after_failure(self.definition(number).trigger_rule))
            }
            Some(_) if self.counts.live + self.counts.reserved > 0 => Vec::new(),
            Some(Ending::Pausing { .. }) => vec![Event::Paused { goal_reached: false }],
            Some(Ending::Cancelling) => vec![Event::Cancelled],
            Some(Ending::TimeUp { limit_ms }) => vec![Event::Failed { message: self.time_up_message(*limit_ms) }],
        }
    }

    fn reserve_or_settle(&self, context: &mut Context<'_>, may_start: impl Fn(usize) -> bool) -> Vec<Event> {
        let reservations = self.reservations(context, may_start);
        let nothing_moves = self.counts.live + self.counts.reserved + self.counts.retrying == 0;
        if reservations.is_empty() && nothing_moves { vec![self.settlement()] } else { reservations }
    }

    /// Attempts for the nodes that come next.
    ///
    /// Twice as many as there are places: an executor whose place becomes free goes on with the next reserved
    /// attempt at once, while the end of the last one is still being written to the disk.
    fn reservations(&self, context: &mut Context<'_>, may_start: impl Fn(usize) -> bool) -> Vec<Event> {
        let places = (self.limit as usize).saturating_mul(2);
        let free = places.saturating_sub(self.counts.live + self.counts.reserved);
        self.ready
            .iter()
            .map(|key| key.2)
            .filter(|&number| may_start(number))
            .take(free)
            .map(|number| Event::NodeReserved {
                node: self.graph.id(number),
                attempt: self.nodes[number].attempt.next(),
                session: (context.new_session)(),
            })
            .collect()
    }

    fn settlement(&self) -> Event {
        let failed = self.titles(|state| matches!(state, NodeState::Failed { .. }));
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

    fn time_up_message(&self, limit_ms: u64) -> String {
        let unfinished = self.titles(|state| !matches!(state, NodeState::Done { .. } | NodeState::Skipped { .. }));
        let seconds = limit_ms.div_ceil(1000);
        format!("the run took longer than its limit of {seconds} s. Not done: {}", named(&unfinished))
    }

    fn failure_message(&self) -> String {
        let mut causes = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let NodeState::Failed { failure } = &node.state {
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

    fn titles(&self, which: impl Fn(&NodeState) -> bool) -> Vec<&str> {
        let numbers = 0..self.nodes.len();
        numbers.filter(|&number| which(&self.nodes[number].state)).map(|number| self.title(number)).collect()
    }
}

fn named(titles: &[&str]) -> String {
    let shown: Vec<String> = titles.iter().take(NAMES_IN_A_MESSAGE).map(|title| format!("'{title}'")).collect();
    match titles.len().saturating_sub(NAMES_IN_A_MESSAGE) {
        0 => shown.join(", "),
        left_out => format!("{} and {left_out} more", shown.join(", ")),
    }
}
