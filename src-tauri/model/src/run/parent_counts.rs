//! When a node's parents let it start: the trigger rules as arithmetic over the parents' outcomes.

use super::state::{NodeState, SkipReason};
use crate::graph::StartRule;
use crate::node::TriggerRule;

/// The number of a node's hard parents with each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ParentCounts {
    pub(crate) done: u32,
    pub(crate) tolerated: u32,
    pub(crate) handled: u32,
    pub(crate) failed: u32,
    pub(crate) passed: u32,
    pub(crate) not_run: u32,
    pub(crate) open: u32,
}

/// What the counts mean for the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// The node may start now.
    Ready,
    /// Undecided until more parents end.
    Wait,
    /// Can't start unless a failed parent is retried.
    Blocked,
    /// Can't start, even if open or failed parents succeed.
    Skip,
}

/// The outcome of a parent, as evaluated by trigger rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParentOutcome {
    Done,
    /// It failed, and its policy is to skip it (`onFailure: skip`).
    Tolerated,
    /// It failed, and the run continued at the node named by its policy.
    Handled,
    /// It failed or was interrupted, or is blocked by such a node.
    Failed,
    /// A person skipped it, or the plan disables it.
    Passed,
    /// It did not run: its branch was not taken, it was jumped over, permission was denied, or its
    /// parents prevented it.
    NotRun,
    /// It has not ended.
    Open,
}

impl ParentOutcome {
    /// The outcome of a parent in `state`, regardless of the edge to the child.
    pub(crate) fn from_state(state: &NodeState) -> Self {
        match state {
            NodeState::Done { .. } => Self::Done,
            NodeState::Skipped {
                reason: SkipReason::AfterFailure { .. },
            } => Self::Tolerated,
            NodeState::Skipped { reason } if reason.lets_children_run() => Self::Passed,
            NodeState::Skipped { .. } => Self::NotRun,
            NodeState::Failed {
                went_on_at: Some(_),
                ..
            } => Self::Handled,
            NodeState::Failed { .. }
            | NodeState::Interrupted { .. }
            | NodeState::Blocked { .. } => Self::Failed,
            NodeState::Pending | NodeState::Waiting { .. } | NodeState::Running => Self::Open,
        }
    }
}

impl ParentCounts {
    /// The counts for `parents` parents of which none has ended.
    pub(crate) fn open(parents: u32) -> Self {
        Self {
            open: parents,
            ..Self::default()
        }
    }

    /// Counts one more parent.
    pub(crate) fn add(&mut self, outcome: ParentOutcome) {
        *self.count(outcome) += 1;
    }

    /// Moves one parent from one outcome to another.
    pub(crate) fn move_parent(&mut self, from: ParentOutcome, to: ParentOutcome) {
        *self.count(from) = self.count(from).saturating_sub(1);
        *self.count(to) += 1;
    }

    fn count(&mut self, outcome: ParentOutcome) -> &mut u32 {
        match outcome {
            ParentOutcome::Done => &mut self.done,
            ParentOutcome::Tolerated => &mut self.tolerated,
            ParentOutcome::Handled => &mut self.handled,
            ParentOutcome::Failed => &mut self.failed,
            ParentOutcome::Passed => &mut self.passed,
            ParentOutcome::NotRun => &mut self.not_run,
            ParentOutcome::Open => &mut self.open,
        }
    }

    /// Evaluates `rule` for these counts. A node without parents is always ready.
    ///
    /// If a failed parent prevents the rule, the node waits until a person retries that parent. If
    /// any other outcome prevents it, the node never starts.
    pub(crate) fn readiness(self, rule: StartRule) -> Readiness {
        let Self {
            done,
            tolerated,
            handled,
            failed,
            passed,
            not_run,
            open,
        } = self;
        if done + tolerated + handled + failed + passed + not_run + open == 0 {
            return Readiness::Ready;
        }
        let is_out = |parents: u32| {
            if parents > 0 {
                Some(Readiness::Skip)
            } else {
                None
            }
        };
        let is_held = || {
            if failed > 0 {
                Some(Readiness::Blocked)
            } else {
                None
            }
        };
        let is_open = || {
            if open > 0 {
                Some(Readiness::Wait)
            } else {
                None
            }
        };
        let ready_if = |holds: bool| {
            if holds {
                Readiness::Ready
            } else {
                Readiness::Skip
            }
        };
        match rule {
            StartRule::Written(TriggerRule::AllSuccess) => is_out(handled + not_run)
                .or_else(is_held)
                .or_else(is_open)
                .unwrap_or(Readiness::Ready),
            StartRule::Written(TriggerRule::AllDone) => is_open().unwrap_or(Readiness::Ready),
            StartRule::Written(TriggerRule::OneSuccess) if done + passed > 0 => Readiness::Ready,
            StartRule::Written(TriggerRule::OneSuccess) => {
                is_open().or_else(is_held).unwrap_or(Readiness::Skip)
            }
            StartRule::Written(TriggerRule::OneFailed) if failed + tolerated + handled > 0 => {
                Readiness::Ready
            }
            StartRule::Written(TriggerRule::OneFailed) => is_open().unwrap_or(Readiness::Skip),
            StartRule::Written(TriggerRule::NoneFailed) => is_out(tolerated + handled)
                .or_else(is_held)
                .or_else(is_open)
                .unwrap_or(Readiness::Ready),
            StartRule::Written(TriggerRule::NoneFailedMinOneSuccess) => {
                let ends = is_out(tolerated + handled)
                    .or_else(is_held)
                    .or_else(is_open);
                ends.unwrap_or_else(|| ready_if(done + passed > 0))
            }
            StartRule::Join => {
                let ends = is_out(handled).or_else(is_held).or_else(is_open);
                ends.unwrap_or_else(|| ready_if(done + tolerated + passed > 0))
            }
        }
    }
}

/// Whether a node with this rule may still start after a failure has ended the run, because its
/// rule asks for failures.
pub(crate) fn runs_after_failure(rule: StartRule) -> bool {
    matches!(
        rule,
        StartRule::Written(TriggerRule::AllDone | TriggerRule::OneFailed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    use ParentOutcome::{
        Done as D, Failed as F, Handled as H, NotRun as N, Open, Passed as P, Tolerated as T,
    };
    use Readiness::{Blocked, Ready, Skip, Wait};
    use TriggerRule::{
        AllDone, AllSuccess, NoneFailed, NoneFailedMinOneSuccess, OneFailed, OneSuccess,
    };

    /// The table in the README for one parent, and for a done parent with each other outcome.
    #[test]
    fn trigger_rules_follow_the_documented_table() {
        let written = StartRule::Written;
        let ends = [D, T, H, F, P, N, Open];
        let table = [
            (
                written(AllSuccess),
                [Ready, Ready, Skip, Blocked, Ready, Skip, Wait],
                [Ready, Ready, Skip, Blocked, Ready, Skip, Wait],
            ),
            (
                written(OneSuccess),
                [Ready, Skip, Skip, Blocked, Ready, Skip, Wait],
                [Ready; 7],
            ),
            (
                written(OneFailed),
                [Skip, Ready, Ready, Ready, Skip, Skip, Wait],
                [Skip, Ready, Ready, Ready, Skip, Skip, Wait],
            ),
            (
                written(NoneFailed),
                [Ready, Skip, Skip, Blocked, Ready, Ready, Wait],
                [Ready, Skip, Skip, Blocked, Ready, Ready, Wait],
            ),
            (
                written(NoneFailedMinOneSuccess),
                [Ready, Skip, Skip, Blocked, Ready, Skip, Wait],
                [Ready, Skip, Skip, Blocked, Ready, Ready, Wait],
            ),
            (
                written(AllDone),
                [Ready, Ready, Ready, Ready, Ready, Ready, Wait],
                [Ready, Ready, Ready, Ready, Ready, Ready, Wait],
            ),
            (
                StartRule::Join,
                [Ready, Ready, Skip, Blocked, Ready, Skip, Wait],
                [Ready, Ready, Skip, Blocked, Ready, Ready, Wait],
            ),
        ];
        for (rule, alone, beside_done) in table {
            for (at, end) in ends.into_iter().enumerate() {
                assert_eq!(
                    of(&[end]).readiness(rule),
                    alone[at],
                    "{rule:?} after {end:?}"
                );
                assert_eq!(
                    of(&[D, end]).readiness(rule),
                    beside_done[at],
                    "{rule:?} after Done and {end:?}"
                );
            }
        }
    }

    #[test]
    fn permanent_outcomes_win_over_retryable_ones() {
        let all_success = StartRule::Written(AllSuccess);
        assert_eq!(
            of(&[F, N]).readiness(all_success),
            Skip,
            "a retry would not help"
        );
        assert_eq!(
            of(&[N, Open]).readiness(all_success),
            Skip,
            "nothing has to be waited for"
        );
        assert_eq!(of(&[F, Open]).readiness(all_success), Blocked);
        assert_eq!(of(&[F, T]).readiness(StartRule::Written(NoneFailed)), Skip);
        assert_eq!(
            of(&[F, N]).readiness(StartRule::Written(OneSuccess)),
            Blocked,
            "the retry may succeed"
        );
        assert_eq!(
            of(&[N, N]).readiness(StartRule::Join),
            Skip,
            "no branch was taken"
        );
        assert_eq!(of(&[T, N]).readiness(StartRule::Join), Ready);
    }

    #[test]
    fn node_without_parents_is_always_ready() {
        for rule in [
            AllSuccess,
            AllDone,
            OneSuccess,
            OneFailed,
            NoneFailed,
            NoneFailedMinOneSuccess,
        ] {
            assert_eq!(
                ParentCounts::default().readiness(StartRule::Written(rule)),
                Ready
            );
        }
        assert_eq!(ParentCounts::default().readiness(StartRule::Join), Ready);
    }

    fn of(parents: &[ParentOutcome]) -> ParentCounts {
        let mut counts = ParentCounts::default();
        parents.iter().for_each(|&outcome| counts.add(outcome));
        counts
    }
}
