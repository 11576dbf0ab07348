//! The kinds of lines that the shell prints while it follows a run.

use baton_model::Outcome;
use baton_model::run::{Event, RecheckResult};

use crate::style::Tone;

/// What kind of news a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// About the run as a whole.
    Run,
    /// A session began.
    Started,
    /// Work was done.
    Done,
    /// Work failed.
    Failed,
    /// Work failed and is tried again.
    Retry,
    /// A node will not run.
    NotRun,
    /// A person is needed.
    NeedsPerson,
}

impl LineKind {
    /// Its symbol and color.
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

    /// The kind of an event's line; none for an event that the run's last lines or other lines cover.
    pub(super) fn from_event(event: &Event) -> Option<Self> {
        match event {
            Event::NodeStarted { .. } | Event::NodeHeard { .. } => Some(Self::Started),
            Event::InputGiven { .. }
            | Event::NodeInherited { .. }
            | Event::NodeMarkedDone { .. } => Some(Self::Done),
            Event::NodeParked { .. } => Some(Self::Retry),
            Event::NodeMarkedFailed { .. } => Some(Self::Failed),
            Event::NodeSkipped { .. }
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
            // A failed check has a line of its own as an unverified node; one that did not run is in the history.
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
