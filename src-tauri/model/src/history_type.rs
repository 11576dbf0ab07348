//! The types of entries in a plan's history.

use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::run::Event;

/// The type of an entry in a plan's history, over all of its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum HistoryType {
    /// The plan itself: a new plan.
    Created,
    /// The plan itself: a new version.
    Edited,
    /// The plan itself: its review.
    Proposed,
    Approved,
    Rejected,
    /// Its proposer took it back.
    Withdrawn,
    Started,
    StepStarted,
    StepCompleted,
    StepFailed,
    StepSkipped,
    Paused,
    Resumed,
    Completed,
    Failed,
    Cancelled,
    Stalled,
    Checkpoint,
    Rollback,
    Takeover,
    /// A question to a person, or a person's answer.
    Approval,
    Replanning,
    Replanned,
}

impl HistoryType {
    /// The type of the entry that an event of a run makes; `None` for details that only the history
    /// of the run shows.
    ///
    /// A spent time limit or budget makes no entry of its own: the run's failure follows it. Neither
    /// does an attempt that was stopped or lost, which is no failure of its node.
    #[must_use]
    pub fn of(event: &Event) -> Option<Self> {
        Some(match event {
            Event::Started { .. } => Self::Started,
            Event::NodeStarted { .. } => Self::StepStarted,
            Event::NodeEnded { outcome, .. } if *outcome == Outcome::Succeeded => {
                Self::StepCompleted
            }
            Event::NodeEnded {
                outcome: Outcome::Failed { .. },
                ..
            }
            | Event::NodeMarkedFailed { .. } => Self::StepFailed,
            Event::NodeMarkedDone { .. }
            | Event::InputGiven { .. }
            | Event::NodeInherited { .. }
            | Event::NodePinned { .. } => Self::StepCompleted,
            Event::NodeSkipped { .. } | Event::NodeLeftOut { .. } => Self::StepSkipped,
            Event::Paused { .. } => Self::Paused,
            Event::Resumed => Self::Resumed,
            Event::Completed => Self::Completed,
            Event::Failed { .. } => Self::Failed,
            Event::Cancelled => Self::Cancelled,
            Event::Stalled { .. } => Self::Stalled,
            Event::CheckpointMade { .. } => Self::Checkpoint,
            Event::RolledBack { .. } => Self::Rollback,
            Event::TakenOver { .. } => Self::Takeover,
            Event::NodeHeld { .. }
            | Event::NodeReleased { .. }
            | Event::NodeAsked { .. }
            | Event::NodeAnswered { .. }
            | Event::InputAsked { .. }
            | Event::NodeConflicted { .. }
            | Event::MergeDecided { .. }
            | Event::Granted { .. } => Self::Approval,
            Event::ReplanBegun { .. } => Self::Replanning,
            Event::ReplanEnded { .. } => Self::Replanned,
            _ => return None,
        })
    }
}
