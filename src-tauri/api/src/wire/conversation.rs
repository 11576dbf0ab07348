//! Sessions that go on because a person says something to them.

use baton_model::{NodeId, RunId, SessionId};

use super::wire;

wire! {
    /// Says something to the agent of a node that has ended.
    pub struct NodeContinue {
        /// The run.
        pub run: RunId,
        /// The node.
        pub node: NodeId,
        /// The session that the person has before them; refused when the node has a later one. None: its latest.
        pub session: Option<SessionId>,
        /// What is said.
        pub message: String,
    }
    /// Says something to a session outside of its run.
    pub struct SessionPlan {
        /// A session that Baton ran. Either this or `transcript`.
        pub session: Option<SessionId>,
        /// A transcript: `<agent>:<the agent's own id>`.
        pub transcript: Option<String>,
        /// What is said.
        pub message: String,
        /// A copy of the session goes on, and the session is left as it is; otherwise it goes on in its own file.
        pub fork: bool,
        /// Where the agent works; none: where the session was.
        pub cwd: Option<String>,
    }
    /// Names a session that might go on. Either by `session` or by `transcript`.
    pub struct SessionReachRef {
        /// A session that Baton ran.
        pub session: Option<SessionId>,
        /// A transcript.
        pub transcript: Option<String>,
    }
    /// Which acts a session allows.
    pub struct SessionReach {
        /// Why it cannot go on, as a sentence; none: it can.
        pub cannot_continue: Option<String>,
        /// Why no copy of it can go on.
        pub cannot_fork: Option<String>,
    }
}
