//! When a node's parents let it start: the trigger rules as arithmetic over how parents ended.

use super::state::{NodeState, SkipReason};
use crate::graph::StartRule;
use crate::node::TriggerRule;

/// How many of a node's hard parents came to which outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub(crate) done: u32,
    pub(crate) tolerated: u32,
    pub(crate) handled: u32,
    pub(crate) failed: u32,
    pub(crate) passed: u32,
    pub(crate) not_run: u32,
    pub(crate) open: u32,
}

/// What the tally means for the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// May start now.
    Ready,
    /// Cannot be told yet.
    Wait,
    /// Cannot start unless a parent that failed is tried again.
    Blocked,
    /// Cannot start, whatever becomes of the parents that are open or failed.
    Skip,
}

/// What became of a parent: the outcomes that trigger rules judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParentOutcome {
    /// Its work was done.
    Done,
    /// It failed, and its policy is to go on without it (`onFailure: skip`).
    Tolerated,
    /// It failed, and the run went on at the node that its policy names.
    Handled,
    /// It failed or was interrupted, or cannot start because of such a node.
    Failed,
    /// A person passed over it, or the plan disables it.
    Passed,
    /// It did not run: its branch was not taken, it was jumped over, permission was denied, or its parents prevented it.
    NotRun,
    /// It has not ended.
    Open,
}

impl ParentOutcome {
    /// The outcome of a parent in `state`, whatever way leads from it to the child.
    pub(crate) fn of(state: &NodeState) -> Self {
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

impl Tally {
    /// A tally of `parents` parents, none of which has ended.
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

    /// Moves one parent from an outcome to another.
    pub(crate) fn shift(&mut self, from: ParentOutcome, to: ParentOutcome) {
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

    /// What `rule` says to this tally. A node without parents is always ready.
    ///
    /// A rule that cannot hold any more because of a parent that failed waits for a person who tries that parent again;
    /// one that cannot hold because of any other outcome never will.
    pub(crate) fn verdict(self, rule: StartRule) -> Verdict {
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
            return Verdict::Ready;
        }
        let is_out = |parents: u32| {
            if parents > 0 {
                Some(Verdict::Skip)
            } else {
                None
            }
        };
        let is_held = || {
            if failed > 0 {
                Some(Verdict::Blocked)
            } else {
                None
            }
        };
        let is_open = || if open > 0 { Some(Verdict::Wait) } else { None };
        let ready_if = |holds: bool| if holds { Verdict::Ready } else { Verdict::Skip };
        match rule {
            StartRule::Written(TriggerRule::AllSuccess) => is_out(handled + not_run)
                .or_else(is_held)
                .or_else(is_open)
                .unwrap_or(Verdict::Ready),
            StartRule::Written(TriggerRule::AllDone) => is_open().unwrap_or(Verdict::Ready),
            StartRule::Written(TriggerRule::OneSuccess) if done + passed > 0 => Verdict::Ready,
            StartRule::Written(TriggerRule::OneSuccess) => {
                is_open().or_else(is_held).unwrap_or(Verdict::Skip)
            }
            StartRule::Written(TriggerRule::OneFailed) if failed + tolerated + handled > 0 => {
                Verdict::Ready
            }
            StartRule::Written(TriggerRule::OneFailed) => is_open().unwrap_or(Verdict::Skip),
            StartRule::Written(TriggerRule::NoneFailed) => is_out(tolerated + handled)
                .or_else(is_held)
                .or_else(is_open)
                .unwrap_or(Verdict::Ready),
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

/// Whether a node with this rule may still start after a failure has ended the run: its rule asks for that.
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
    use TriggerRule::{
        AllDone, AllSuccess, NoneFailed, NoneFailedMinOneSuccess, OneFailed, OneSuccess,
    };
    use Verdict::{Blocked, Ready, Skip, Wait};

    /// The table of the README, spelled out for one parent and for a done parent beside each other outcome.
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
                    of(&[end]).verdict(rule),
                    alone[at],
                    "{rule:?} after {end:?}"
                );
                assert_eq!(
                    of(&[D, end]).verdict(rule),
                    beside_done[at],
                    "{rule:?} after Done and {end:?}"
                );
            }
        }
    }

    #[test]
    fn outcome_that_rules_a_node_out_counts_before_one_that_a_retry_changes() {
        let all_success = StartRule::Written(AllSuccess);
        assert_eq!(
            of(&[F, N]).verdict(all_success),
            Skip,
            "a retry would not help"
        );
        assert_eq!(
            of(&[N, Open]).verdict(all_success),
            Skip,
            "nothing has to be waited for"
        );
        assert_eq!(of(&[F, Open]).verdict(all_success), Blocked);
        assert_eq!(of(&[F, T]).verdict(StartRule::Written(NoneFailed)), Skip);
        assert_eq!(
            of(&[F, N]).verdict(StartRule::Written(OneSuccess)),
            Blocked,
            "the retry may succeed"
        );
        assert_eq!(
            of(&[N, N]).verdict(StartRule::Join),
            Skip,
            "no branch was taken"
        );
        assert_eq!(of(&[T, N]).verdict(StartRule::Join), Ready);
    }

    #[test]
    fn node_without_parents_is_ready_by_every_rule() {
        for rule in [
            AllSuccess,
            AllDone,
            OneSuccess,
            OneFailed,
            NoneFailed,
            NoneFailedMinOneSuccess,
        ] {
            assert_eq!(Tally::default().verdict(StartRule::Written(rule)), Ready);
        }
        assert_eq!(Tally::default().verdict(StartRule::Join), Ready);
    }

    fn of(parents: &[ParentOutcome]) -> Tally {
        let mut tally = Tally::default();
        parents.iter().for_each(|&outcome| tally.add(outcome));
        tally
    }
}
