//! Continuing sessions with a new message.

use baton_model::{NodeId, RunId, SessionId};

use super::wire;

wire! {
    /// Sends a message to the agent of a node that has ended.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodeContinue {
        pub run: RunId,
        pub node: NodeId,
        /// The session shown to the person; refused if the node has a later one. `None` for the
        /// latest.
        pub session: Option<SessionId>,
        pub message: String,
    }
    /// Sends a message to a session outside of its run.
    pub struct SessionPlan {
        /// A session that Baton ran. Either this or `transcript` is set.
        pub session: Option<SessionId>,
        /// A transcript id: `<agent>:<the agent's own id>`.
        pub transcript: Option<String>,
        /// The message to the agent.
        pub message: String,
        /// Continue in a copy and leave the session unchanged. Otherwise, the session's own file is
        /// continued.
        pub fork: bool,
        /// Working directory; `None` for that of the session.
        pub cwd: Option<String>,
    }
    /// References a session that may be continued, either by `session` or by `transcript`.
    pub struct SessionResumabilityRef {
        /// A session that Baton ran.
        pub session: Option<SessionId>,
        /// A transcript id: `<agent>:<the agent's own id>`.
        pub transcript: Option<String>,
    }
    /// How a session can be continued.
    pub struct SessionResumability {
        /// Why the session can't be continued, as a sentence; `None` if it can.
        pub cannot_continue: Option<String>,
        /// Why a copy can't be continued, as a sentence; `None` if it can.
        pub cannot_fork: Option<String>,
    }
}
