//! Permissions for more than one tool call, and the tool calls that sessions ask about.

use baton_model::{Grant, NodeId, PlanId, RunId, SessionId, Timestamp};
use serde_json::Value;

use super::wire;

wire! {
    /// Selects the grants to list.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct GrantsFilter {
        pub plan: PlanId,
    }
    /// Permission to use a tool without asking again.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct GrantView {
        pub grant: Grant,
        /// The node and run that it applies to; `None` for every node in all runs of the plan.
        pub of: Option<GrantHolder>,
        /// The node in which a permission for the plan was given. It ends when a version changes
        /// that node.
        pub given_in: Option<NodeId>,
        pub at: Timestamp,
    }
    /// A node of one run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct GrantHolder {
        pub run: RunId,
        pub node: NodeId,
    }
    /// Revokes a permission. Tool calls that are already running continue.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct GrantRevoke {
        pub plan: PlanId,
        pub grant: Grant,
        /// The node and run that it was given to; `None` for the plan.
        pub of: Option<GrantHolder>,
    }
    /// References a question of a session.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct SessionQuestion {
        pub session: SessionId,
        /// The id from [`WaitingFor::Person`](baton_model::run::WaitingFor::Person).
        pub request: String,
    }
    /// The complete tool call that a question is about.
    pub struct QuestionView {
        /// The tool's name as the agent uses it.
        pub tool: String,
        /// What it would do, in one line.
        pub summary: String,
        /// The complete input of the call.
        pub input: Value,
        /// For commands: prefixes that can be allowed instead of the exact command, shortest first.
        /// Each choice lists prefixes that together cover the call, for
        /// [`Answer::AllowNode`](baton_model::run::Answer::AllowNode) and for the plan.
        pub begins: Vec<Vec<String>>,
    }
}
