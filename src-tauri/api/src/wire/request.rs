//! Held calls: calls by agents that wait for a person.

use baton_model::{NodeId, PlanId, RunId, SessionId, Slug, Timestamp};
pub use baton_store::HeldCallOutcome;
use baton_store::{Actor, HeldCallId};
use serde_json::Value;

use super::wire;

wire! {
    /// References a held call.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RequestRef {
        pub request: HeldCallId,
    }
    /// A call that an agent may not make without approval.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RequestView {
        pub id: HeldCallId,
        pub actor: Actor,
        /// The node whose session made it; `None` for an agent outside of Baton.
        pub of: Option<RequestOrigin>,
        pub operation: String,
        /// What the operation does, in one line.
        pub summary: String,
        /// The complete input of the call.
        pub input: Value,
        /// The plan that the call is about, if any.
        pub plan: Option<PlanId>,
        /// `None` if the plan was deleted.
        pub plan_title: Option<String>,
        pub asked_at: Timestamp,
        /// `None` while the call is waiting.
        pub outcome: Option<HeldCallOutcome>,
        pub decided_by: Option<Actor>,
        pub decided_at: Option<Timestamp>,
    }
    /// A question of a session to a person. The same question and name return what became of it.
    pub struct QuestionAsk {
        /// The question, for people.
        pub question: String,
        /// The answers to choose from; empty for an answer in words.
        #[serde(default)]
        pub options: Vec<String>,
        /// What the session does without an answer, for people.
        #[serde(default)]
        pub default: Option<String>,
        /// The caller's name for the question.
        pub request_id: String,
        /// How long to wait for an answer, in milliseconds: at most 50,000.
        #[serde(default)]
        pub wait_ms: u32,
    }
    /// What became of a question.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct QuestionAsked {
        pub request: HeldCallId,
        pub state: QuestionState,
        /// A person's answer.
        pub answer: Option<String>,
    }
    /// A person's answer to a question.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct QuestionAnswer {
        pub request: HeldCallId,
        /// Not empty, at most 4,000 bytes.
        pub answer: String,
    }
    /// The node whose session made a call.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RequestOrigin {
        pub session: SessionId,
        pub run: RunId,
        pub plan: PlanId,
        /// The title in the run's plan version.
        pub plan_title: String,
        pub node: NodeId,
        /// Its name within the plan file.
        pub slug: Slug,
        pub title: String,
    }
}

/// What became of a question of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    /// Nobody has answered it.
    WaitsForPerson,
    /// A person has answered it.
    Answered,
    /// A person doesn't answer it.
    Declined,
    /// The run of its session has ended.
    Outdated,
}
