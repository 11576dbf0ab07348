//! When a node's parents let it start: the trigger rules as arithmetic over how parents ended.

use super::state::NodeState;
use crate::node::TriggerRule;

/// How many of a node's hard parents stand where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    /// Done, or skipped by somebody's decision.
    pub(crate) done: u32,
    /// Failed, interrupted or blocked.
    pub(crate) failed: u32,
    /// Skipped because of the course of the run.
    pub(crate) skipped: u32,
    /// Not at rest yet.
    pub(crate) open: u32,
}

/// What the tally means for the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// May start now.
    Ready,
    /// Cannot be told yet.
    Wait,
    /// Cannot start any more because a parent failed.
    Blocked,
    /// Need not start any more.
    Skip,
}

/// The column of a tally to which a parent in `state` belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Done,
    Failed,
    Skipped,
    Open,
}

impl Column {
    /// Where a parent in `state` is counted.
    pub(crate) fn of(state: &NodeState) -> Self {
        match state {
            NodeState::Done { .. } => Self::Done,
            NodeState::Skipped { reason } if reason.lets_children_run() => Self::Done,
            NodeState::Skipped { .. } => Self::Skipped,
            NodeState::Failed { .. } | NodeState::Interrupted { .. } | NodeState::Blocked { .. } => Self::Failed,
            NodeState::Pending | NodeState::Waiting { .. } | NodeState::Running => Self::Open,
        }
    }
}

impl Tally {
    /// A tally of `parents` parents, none of which has ended.
    pub(crate) fn open(parents: u32) -> Self {
        Self { open: parents, ..Self::default() }
    }

    /// Moves one parent from a column to another.
    pub(crate) fn shift(&mut self, from: Column, to: Column) {
        *self.column(from) = self.column(from).saturating_sub(1);
        *self.column(to) += 1;
    }

    fn column(&mut self, column: Column) -> &mut u32 {
        match column {
            Column::Done => &mut self.done,
            Column::Failed => &mut self.failed,
            Column::Skipped => &mut self.skipped,
            Column::Open => &mut self.open,
        }
    }

    /// What `rule` says to this tally. A node without parents is always ready.
    pub(crate) fn verdict(self, rule: TriggerRule) -> Verdict {
        let all = self.done + self.failed + self.skipped + self.open;
        if all == 0 {
            return Verdict::Ready;
        }
        let at_the_end = |holds: bool, otherwise: Verdict| match (self.open, holds) {
            (0, true) => Verdict::Ready,
            (0, false) => otherwise,
            _ => Verdict::Wait,
        };
        match rule {
            TriggerRule::AllSuccess if self.failed > 0 => Verdict::Blocked,
            TriggerRule::AllSuccess if self.skipped > 0 => Verdict::Skip,
            TriggerRule::AllSuccess => at_the_end(true, Verdict::Skip),
            TriggerRule::AllDone => at_the_end(true, Verdict::Skip),
            TriggerRule::OneSuccess if self.done > 0 => Verdict::Ready,
            TriggerRule::OneSuccess => {
                at_the_end(false, if self.failed > 0 { Verdict::Blocked } else { Verdict::Skip })
            }
            TriggerRule::OneFailed if self.failed > 0 => Verdict::Ready,
            TriggerRule::OneFailed => at_the_end(false, Verdict::Skip),
            TriggerRule::NoneFailed | TriggerRule::NoneFailedMinOneSuccess if self.failed > 0 => Verdict::Blocked,
            TriggerRule::NoneFailed => at_the_end(true, Verdict::Skip),
            TriggerRule::NoneFailedMinOneSuccess => at_the_end(self.done > 0, Verdict::Skip),
        }
    }
}

/// Whether a node with this rule may still start after a failure has ended the run: its rule asks for that.
pub(crate) fn runs_after_failure(rule: TriggerRule) -> bool {
    matches!(rule, TriggerRule::AllDone | TriggerRule::OneFailed)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn every_rule_over_every_end_of_two_parents() {
        let rules = [
            TriggerRule::AllSuccess,
            TriggerRule::AllDone,
            TriggerRule::OneSuccess,
            TriggerRule::OneFailed,
            TriggerRule::NoneFailed,
            TriggerRule::NoneFailedMinOneSuccess,
        ];
        let mut table = String::new();
        for rule in rules {
            for (name, done, failed, skipped, open) in [
                ("done done", 2, 0, 0, 0),
                ("done open", 1, 0, 0, 1),
                ("done failed", 1, 1, 0, 0),
                ("done skipped", 1, 0, 1, 0),
                ("failed open", 0, 1, 0, 1),
                ("failed failed", 0, 2, 0, 0),
                ("failed skipped", 0, 1, 1, 0),
                ("skipped skipped", 0, 0, 2, 0),
                ("skipped open", 0, 0, 1, 1),
                ("open open", 0, 0, 0, 2),
            ] {
                let verdict = Tally { done, failed, skipped, open }.verdict(rule);
                writeln!(table, "{rule:?} | {name} | {verdict:?}").expect("a text grows");
            }
        }
        insta::assert_snapshot!(table);
    }
}
