//! Leave for more than one tool call, and the calls that sessions ask leave for.

use baton_model::{Grant, NodeId, PlanId, RunId, SessionId, Timestamp};
use serde_json::Value;

use super::wire;

wire! {
    /// Whose leave.
    pub struct GrantsFilter {
        /// The plan.
        pub plan: PlanId,
    }
    /// Leave to use a tool again without being asked.
    pub struct GrantView {
        /// What for.
        pub grant: Grant,
        /// The node of one run that has it; none: every node, in all runs of the plan.
        pub of: Option<GrantHolder>,
        /// The node in which leave for the plan was given. It ends with a version that changes this node.
        pub given_in: Option<NodeId>,
        /// When it was given.
        pub at: Timestamp,
    }
    /// A node of one run.
    pub struct GrantHolder {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
    }
    /// Takes leave back. Calls that run by now go on.
    pub struct GrantRevoke {
        /// The plan.
        pub plan: PlanId,
        /// What was allowed.
        pub grant: Grant,
        /// The node of one run that was given it; none: the plan.
        pub of: Option<GrantHolder>,
    }
    /// Names a question of a session.
    pub struct SessionQuestion {
        /// The session.
        pub session: SessionId,
        /// The question, as [`WaitingFor::Person`](baton_model::run::WaitingFor::Person) names it.
        pub request: String,
    }
    /// The whole call that a question is about.
    pub struct QuestionView {
        /// The tool, as the agent calls it.
        pub tool: String,
        /// What it would do, on one line.
        pub summary: String,
        /// Its input, whole.
        pub input: Value,
        /// Where it runs commands: what can be allowed instead of these to the letter, the shortest first. Each choice lists first
        /// words that cover the call together, for [`Answer::AllowNode`](baton_model::run::Answer::AllowNode) and for the plan.
        pub begins: Vec<Vec<String>>,
    }
}
