//! The names of the live events that programs receive.

use serde::{Deserialize, Serialize};

use crate::run::Event;
use crate::{HistoryType, NodeState};

/// The name of a live event, as programs receive it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub enum EventName {
    #[serde(rename = "plan:started")]
    PlanStarted,
    #[serde(rename = "plan:completed")]
    PlanCompleted,
    #[serde(rename = "plan:failed")]
    PlanFailed,
    #[serde(rename = "plan:cancelled")]
    PlanCancelled,
    /// A person paused it, or everything in it that could go on waits for a person.
    #[serde(rename = "plan:paused")]
    PlanPaused,
    #[serde(rename = "plan:resumed")]
    PlanResumed,
    #[serde(rename = "step:started")]
    StepStarted,
    #[serde(rename = "step:completed")]
    StepCompleted,
    /// It failed, and no retry is left.
    #[serde(rename = "step:failed")]
    StepFailed,
    #[serde(rename = "step:skipped")]
    StepSkipped,
    #[serde(rename = "approval:required")]
    ApprovalRequired,
    #[serde(rename = "plans:created")]
    PlansCreated,
    #[serde(rename = "plans:changed")]
    PlansChanged,
    #[serde(rename = "plans:proposed")]
    PlansProposed,
    #[serde(rename = "plans:approved")]
    PlansApproved,
    #[serde(rename = "plans:rejected")]
    PlansRejected,
    #[serde(rename = "plans:withdrawn")]
    PlansWithdrawn,
    #[serde(rename = "plans:expired")]
    PlansExpired,
}

impl EventName {
    /// The name of the live event that an event of a run is, if programs are told of it.
    ///
    /// `node` is the state of the event's node afterwards: a failure with a retry to come isn't told.
    #[must_use]
    pub fn of(event: &Event, node: Option<&NodeState>) -> Option<Self> {
        Some(match HistoryType::of(event)? {
            HistoryType::Started => Self::PlanStarted,
            HistoryType::StepStarted => Self::StepStarted,
            HistoryType::StepCompleted => Self::StepCompleted,
            HistoryType::StepFailed if has_retry(event, node) => return None,
            HistoryType::StepFailed => Self::StepFailed,
            HistoryType::StepSkipped => Self::StepSkipped,
            HistoryType::Paused | HistoryType::Stalled => Self::PlanPaused,
            HistoryType::Resumed => Self::PlanResumed,
            HistoryType::Completed => Self::PlanCompleted,
            HistoryType::Failed => Self::PlanFailed,
            HistoryType::Cancelled => Self::PlanCancelled,
            HistoryType::Approval if asks(event) => Self::ApprovalRequired,
            _ => return None,
        })
    }

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PlanStarted => "plan:started",
            Self::PlanCompleted => "plan:completed",
            Self::PlanFailed => "plan:failed",
            Self::PlanCancelled => "plan:cancelled",
            Self::PlanPaused => "plan:paused",
            Self::PlanResumed => "plan:resumed",
            Self::StepStarted => "step:started",
            Self::StepCompleted => "step:completed",
            Self::StepFailed => "step:failed",
            Self::StepSkipped => "step:skipped",
            Self::ApprovalRequired => "approval:required",
            Self::PlansCreated => "plans:created",
            Self::PlansChanged => "plans:changed",
            Self::PlansProposed => "plans:proposed",
            Self::PlansApproved => "plans:approved",
            Self::PlansRejected => "plans:rejected",
            Self::PlansWithdrawn => "plans:withdrawn",
            Self::PlansExpired => "plans:expired",
        }
    }
}

fn has_retry(event: &Event, node: Option<&NodeState>) -> bool {
    let is_due = matches!(
        event,
        Event::NodeEnded {
            retry_at: Some(_),
            ..
        }
    );
    is_due || matches!(node, Some(NodeState::Waiting { .. }))
}

fn asks(event: &Event) -> bool {
    matches!(
        event,
        Event::NodeHeld { .. }
            | Event::NodeAsked { .. }
            | Event::InputAsked { .. }
            | Event::NodeConflicted { .. }
    )
}
