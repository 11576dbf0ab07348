//! The trigger rules as the documentation of [`TriggerRule`] words them.

use super::layout::Ways;
use super::reference::Fact;
use crate::node::TriggerRule;

/// What a node may do, worked out from its parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Fact(Fact),
    Ready,
    Waits,
    Blocked,
    LeftOut,
}

/// What a parent means to a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent {
    Good,
    Bad,
    LeftOut,
    Open,
}

impl Parent {
    pub(super) fn of(standing: Standing, taken: Option<bool>, ways: Ways) -> Self {
        let only_after_failure = ways.on_failure && !ways.drawn && !ways.on_success && !ways.if_true && !ways.if_false;
        match standing {
            standing if Self::is_open(standing) => Self::Open,
            Standing::Blocked | Standing::Fact(Fact::Failed | Fact::Interrupted) => Self::Bad,
            Standing::Fact(Fact::Done { .. } | Fact::Passed) if only_after_failure => Self::LeftOut,
            Standing::Fact(Fact::Passed) => Self::Good,
            Standing::Fact(Fact::Done { .. }) => {
                let other_way = match taken {
                    Some(true) => ways.if_false && !ways.if_true,
                    Some(false) => ways.if_true && !ways.if_false,
                    None => false,
                };
                if other_way { Self::LeftOut } else { Self::Good }
            }
            _ => Self::LeftOut,
        }
    }

    /// Whether the node has not come to an end.
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
                        | Fact::AsksLeave
                        | Fact::AsksWords { .. }
                )
        )
    }
}

pub(super) fn judge(rule: TriggerRule, parents: &[Parent]) -> Standing {
    let any = |parent: Parent| parents.contains(&parent);
    if parents.is_empty() {
        return Standing::Ready;
    }
    match rule {
        TriggerRule::AllSuccess | TriggerRule::NoneFailed | TriggerRule::NoneFailedMinOneSuccess
            if any(Parent::Bad) =>
        {
            Standing::Blocked
        }
        TriggerRule::AllSuccess if any(Parent::LeftOut) => Standing::LeftOut,
        TriggerRule::OneSuccess if any(Parent::Good) => Standing::Ready,
        TriggerRule::OneFailed if any(Parent::Bad) => Standing::Ready,
        _ if any(Parent::Open) => Standing::Waits,
        TriggerRule::AllSuccess | TriggerRule::AllDone | TriggerRule::NoneFailed => Standing::Ready,
        TriggerRule::NoneFailedMinOneSuccess if any(Parent::Good) => Standing::Ready,
        TriggerRule::OneSuccess if any(Parent::Bad) => Standing::Blocked,
        TriggerRule::OneSuccess | TriggerRule::OneFailed | TriggerRule::NoneFailedMinOneSuccess => Standing::LeftOut,
    }
}
