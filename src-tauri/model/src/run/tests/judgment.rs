//! The trigger rules as in the table of the README.
//!
//! Only evaluates rules once all parents have ended. What a node may do before that is found by
//! trying all possible ends.

use super::layout::Ways;
use super::reference::Fact;
use crate::node::TriggerRule;

/// What a node may do, based on its parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Fact(Fact),
    Ready,
    Waits,
    Blocked,
    LeftOut,
}

/// The rule of a node: one from the plan, or the default of a join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Written(TriggerRule),
    Join,
}

/// What a parent means for a child, in the letters of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent {
    D,
    T,
    H,
    F,
    P,
    N,
    Open,
}

impl Parent {
    pub(super) fn of(standing: Standing, taken: Option<bool>, ways: Ways) -> Self {
        let is_branch = ways.if_true || ways.if_false;
        match standing {
            standing if Self::is_open(standing) => Self::Open,
            Standing::Blocked | Standing::Fact(Fact::Failed | Fact::Interrupted) => Self::F,
            Standing::Fact(Fact::WentOn { .. }) => Self::H,
            Standing::Fact(Fact::Done { .. } | Fact::Tolerated | Fact::Passed)
                if ways.is_only_after_failure() =>
            {
                Self::N
            }
            Standing::Fact(Fact::Tolerated | Fact::Passed) if is_branch => Self::N,
            Standing::Fact(Fact::Tolerated) => Self::T,
            Standing::Fact(Fact::Passed) => Self::P,
            Standing::Fact(Fact::Done { .. }) => match taken {
                Some(true) if ways.if_false && !ways.if_true => Self::N,
                Some(false) if ways.if_true && !ways.if_false => Self::N,
                _ => Self::D,
            },
            _ => Self::N,
        }
    }

    /// Whether the node has not ended.
    pub(super) fn is_open(standing: Standing) -> bool {
        matches!(
            standing,
            Standing::Ready
                | Standing::Waits
                | Standing::Fact(
                    Fact::Untouched
                        | Fact::Reserved
                        | Fact::Lives
                        | Fact::Retrying
                        | Fact::Parked
                        | Fact::AsksApproval
                        | Fact::AsksInput { .. }
                )
        )
    }
}

/// A set of ends. Rules only depend on which ends occur, not on how often.
type Ends = u8;

const ALL: Ends = 0b11_1111;

impl Parent {
    fn ends(self) -> Ends {
        match self {
            Self::D => 1,
            Self::T => 2,
            Self::H => 4,
            Self::F => 8,
            Self::P => 16,
            Self::N => 32,
            Self::Open => 0,
        }
    }
}

pub(super) fn judge(rule: Rule, parents: &[Parent]) -> Standing {
    if parents.is_empty() {
        return Standing::Ready;
    }
    let count = |which: Parent| parents.iter().filter(|&&parent| parent == which).count();
    let (open, failed) = (count(Parent::Open), count(Parent::F));
    let ended = set(parents);
    let waits_for_all = !matches!(
        rule,
        Rule::Written(TriggerRule::OneSuccess | TriggerRule::OneFailed)
    ) && open > 0;
    let mut after_retries = all_ends(ended & !Parent::F.ends(), open + failed);
    if all_ends(ended, open).all(|ends| holds(rule, ends)) && !waits_for_all {
        Standing::Ready
    } else if !after_retries.any(|ends| holds(rule, ends)) {
        Standing::LeftOut
    } else if !all_ends(ended, open).any(|ends| holds(rule, ends)) {
        Standing::Blocked
    } else {
        Standing::Waits
    }
}

fn set(parents: &[Parent]) -> Ends {
    parents.iter().fold(0, |ends, parent| ends | parent.ends())
}

/// All possible ends of `open` parents, combined with those that have `ended`.
fn all_ends(ended: Ends, open: usize) -> impl Iterator<Item = Ends> {
    let some = if open == 0 { 0..=0 } else { 1..=ALL };
    some.filter(move |ends| ends.count_ones() as usize <= open)
        .map(move |ends| ended | ends)
}

/// Whether `rule` is satisfied by these ends: the README's table.
fn holds(rule: Rule, ends: Ends) -> bool {
    use Parent::{D, F, H, P, T};
    let all = |of: &[Parent]| ends & !set(of) == 0;
    let any = |of: &[Parent]| ends & set(of) != 0;
    match rule {
        Rule::Written(TriggerRule::AllSuccess) => all(&[D, T, P]),
        Rule::Written(TriggerRule::OneSuccess) => any(&[D, P]),
        Rule::Written(TriggerRule::OneFailed) => any(&[F, T, H]),
        Rule::Written(TriggerRule::NoneFailed) => !any(&[F, T, H]),
        Rule::Written(TriggerRule::NoneFailedMinOneSuccess) => !any(&[F, T, H]) && any(&[D, P]),
        Rule::Written(TriggerRule::AllDone) => true,
        Rule::Join => !any(&[F, H]) && any(&[D, T, P]),
    }
}
