//! Live events: what programs that follow plans are told.

use baton_model::{ArtifactId, EventName, NodeId, PlanId, ProposalId, RunId, Timestamp};

use super::wire;

wire! {
    /// Selects live events.
    pub struct PlanEventsQuery {
        /// Only events of this plan.
        #[serde(default)]
        pub plan: Option<PlanId>,
        /// Only events after this number; without it, no events, but the number to continue from.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub after: Option<u64>,
        /// Maximum number of events, from 1 to 1,000.
        pub limit: u32,
    }
    /// A part of the live events, earliest first.
    pub struct PlanEventsPage {
        /// The events.
        pub events: Vec<PlanEvent>,
        /// The number to continue after.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub next: u64,
        /// Whether there may be more events already.
        pub has_more: bool,
        /// Whether events after the given number were deleted, or it is from other data. Then there
        /// are no events here: read everything again, and continue after `next`.
        pub is_stale: bool,
    }
    /// Something that happened to a plan or in one of its runs.
    pub struct PlanEvent {
        /// Its number, which grows over all plans.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub id: u64,
        /// What kind of event it is.
        pub event: EventName,
        /// When it happened.
        pub at: Timestamp,
        /// `None` for a proposal that isn't a plan yet.
        pub plan: Option<PlanOfEvent>,
        /// The node that it is about.
        pub step: Option<StepOfEvent>,
        /// The proposal that it is about.
        pub proposal: Option<ProposalId>,
        /// The run that it happened in.
        pub run: Option<RunId>,
        /// Its position in the history of the run.
        #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
        pub seq: Option<u64>,
        /// The plan's version, for an act on the plan itself.
        pub version: Option<u32>,
        /// A person, a program, a session or Baton; `None` if that is damaged.
        pub actor: Option<String>,
        /// What a completed step left.
        pub result: Option<StepResult>,
        /// Why it failed.
        pub error: Option<String>,
        /// Why it was skipped or paused, or what a person is asked.
        pub reason: Option<String>,
        /// What happened, as a sentence.
        pub message: String,
    }
    /// The plan of an event.
    pub struct PlanOfEvent {
        /// The plan.
        pub id: PlanId,
        /// Its title at that time; `None` if that can't be read.
        pub title: Option<String>,
        /// Whose plan it is, as it says itself.
        pub user: Option<String>,
    }
    /// The node of an event.
    pub struct StepOfEvent {
        /// The node.
        pub id: NodeId,
        /// Its name in the plan file; `None` if that can't be read.
        pub slug: Option<String>,
        /// Its title; `None` if that can't be read.
        pub title: Option<String>,
    }
    /// What a completed step left.
    pub struct StepResult {
        /// Its handoff.
        pub artifact_id: Option<ArtifactId>,
        /// The branch that a condition took.
        pub taken: Option<bool>,
        /// The answer of a person.
        pub value: Option<String>,
    }
}
