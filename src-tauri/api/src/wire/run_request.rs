//! Runs that agents ask for.

use baton_model::{PlanId, RunId};
use baton_store::HeldCallId;

use super::wire;

wire! {
    /// Asks for a run of all nodes of an approved plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunRequest {
        pub plan: PlanId,
        /// The version to run: refused unless it is the current one and approved.
        pub version: u32,
        /// Why, for the person who decides.
        pub reason: String,
        /// A name for this request that the caller chooses. Asking again with the same name and
        /// input returns the same request, also after it was answered.
        #[serde(default)]
        pub request_id: Option<String>,
    }
    /// A requested run.
    pub struct RunRequested {
        /// What became of the request.
        pub state: RunRequestState,
        /// The request in the Inbox; `None` if a person asked, who needs no permission.
        pub request: Option<HeldCallId>,
        /// The run, once started.
        pub run: Option<RunId>,
        /// Why it couldn't be started, if a person allowed it.
        pub message: Option<String>,
        /// Whether a process that executes requested runs is alive.
        pub has_executor: bool,
    }
}

/// What became of the request for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunRequestState {
    /// A person has to allow it.
    WaitsForPerson,
    /// A person lets agents start this version, so the next executor starts it.
    WaitsForExecutor,
    /// The run was started.
    Started,
    /// A person denied it.
    Denied,
    /// It was allowed, but the run couldn't be started.
    Failed,
    /// The plan changed before it was answered, or the session's run ended.
    Outdated,
}
