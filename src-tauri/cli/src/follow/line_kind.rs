//! Kinds of lines printed while following a run, with their symbols.

use baton_model::Outcome;
use baton_model::run::{Event, RecheckResult};

use crate::style::Tone;

/// Determines a line's symbol and color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// About the run as a whole.
    Run,
    /// A node started or continued to work.
    Started,
    Done,
    Failed,
    /// A node failed or paused, and will be retried.
    Retry,
    /// A node won't run, or a tool call was outside its list.
    NotRun,
    /// A person is needed, or has acted.
    NeedsPerson,
}

impl LineKind {
    pub(super) fn symbol(self) -> (&'static str, Tone) {
        match self {
            Self::Run => ("·", Tone::Faint),
            Self::Started => ("▶", Tone::Active),
            Self::Done => ("✓", Tone::Good),
            Self::Failed => ("✗", Tone::Bad),
            Self::Retry => ("↻", Tone::Attention),
            Self::NotRun => ("–", Tone::Faint),
            Self::NeedsPerson => ("?", Tone::Attention),
        }
    }

    /// Returns the kind of an event's line. `None` for events that have no line, because the
    /// summary or another line covers them.
    pub(super) fn from_event(event: &Event) -> Option<Self> {
        match event {
            Event::NodeStarted { .. } | Event::NodeHeard { .. } => Some(Self::Started),
            Event::InputGiven { .. }
            | Event::NodeInherited { .. }
            | Event::NodePinned { .. }
            | Event::NodeMarkedDone { .. } => Some(Self::Done),
            Event::NodeParked { .. } => Some(Self::Retry),
            Event::NodeMarkedFailed { .. } => Some(Self::Failed),
            Event::NodeSkipped { .. }
            | Event::NodeLeftOut { .. }
            | Event::ToolOutside { .. }
            | Event::NodeReleased { allow: false, .. } => Some(Self::NotRun),
            Event::NodeAsked { .. }
            | Event::NodeAnswered { .. }
            | Event::NodeUnasked { .. }
            | Event::NodeHeld { .. }
            | Event::NodeReleased { allow: true, .. }
            | Event::NodeConflicted { .. }
            | Event::MergeDecided { .. }
            | Event::InputAsked { .. }
            | Event::NodeSilent { .. } => Some(Self::NeedsPerson),
            Event::MergeTried { outcome, .. } if *outcome != Outcome::Succeeded => {
                Some(Self::NeedsPerson)
            }
            Event::Granted { of, .. } | Event::GrantRevoked { of, .. } if of.is_some() => {
                Some(Self::NeedsPerson)
            }
            // A failed check appears as an unverified node; a check that didn't run appears only in
            // the history.
            Event::InheritedChecked { checks, .. } => {
                let has = |wanted: fn(&RecheckResult) -> bool| {
                    checks.iter().any(|check| wanted(&check.now))
                };
                let held = has(|now| matches!(now, RecheckResult::Held { .. }));
                let broken = has(|now| matches!(now, RecheckResult::Broken { .. }));
                (held && !broken).then_some(Self::Run)
            }
            Event::Started { .. }
            | Event::TakenOver { .. }
            | Event::ExecutorReturned { .. }
            | Event::PauseRequested { .. }
            | Event::Resumed
            | Event::CancelRequested
            | Event::TimeUp { .. }
            | Event::NodeHeldBack { .. }
            | Event::Granted { .. }
            | Event::GrantRevoked { .. }
            | Event::MergeTried { .. }
            | Event::BudgetSpent { .. }
            | Event::CheckpointMade { .. }
            | Event::RolledBack { .. }
            | Event::NodeUnverified { .. }
            | Event::NodeAccepted { .. }
            | Event::GitRestored { .. }
            | Event::HandoffPinned { .. }
            | Event::HandoffUnpinned { .. }
            | Event::ArtifactEdited { .. }
            | Event::NodeStopRequested { .. }
            | Event::PlanRetried { .. }
            | Event::HandlerDecided { .. }
            | Event::NodesReset { .. }
            | Event::NodeContinued { .. }
            | Event::ReplanBegun { .. }
            | Event::ReplanEnded { .. } => Some(Self::Run),
            Event::GoalSet { .. }
            | Event::Paused { .. }
            | Event::Cancelled
            | Event::Completed
            | Event::Failed { .. }
            | Event::Stalled { .. }
            | Event::NodeEnded { .. }
            | Event::NodeReserved { .. }
            | Event::NodeAssigned { .. }
            | Event::NodePassedOn { .. }
            | Event::NodeUsed { .. }
            | Event::NodeWithdrawn { .. }
            | Event::NodeRetryDue { .. } => None,
        }
    }
}
