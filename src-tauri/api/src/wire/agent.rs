//! Agents on this machine.

use baton_agents::custom::Protocol;

use super::wire;

wire! {
    /// An agent and its state on this machine.
    pub struct AgentView {
        /// Its id in plan files.
        pub id: String,
        /// The display name, such as `Claude Code`.
        pub title: String,
        /// One letter for icons.
        pub mark: String,
        /// Baton lists the sessions that the agent ran outside of Baton.
        pub keeps_history: bool,
        /// Defined in the settings, not built in.
        pub custom: bool,
        /// The default agent, for nodes that don't specify one.
        pub default: bool,
        /// Path of the program, if it was found.
        pub path: Option<String>,
        /// The version that the program reports.
        pub version: Option<String>,
        /// Whether it seems to be logged in; `None` if that can't be known without calling a model.
        pub logged_in: Option<bool>,
        /// What to do to make it work, if anything is missing.
        pub mend: Option<String>,
        /// The command line, for custom agents.
        pub command: Vec<String>,
        /// The output protocol of a custom agent.
        pub protocol: Protocol,
        /// How far a node's tool list can be enforced.
        pub reach: AgentToolControl,
    }
    /// How far an agent's tool use can be restricted to a node's tool list.
    pub struct AgentToolControl {
        /// It asks before running tools and waits for the answer.
        pub asks: bool,
        /// The tool list applies to every call.
        pub lists: bool,
        /// The consequences, in a sentence to show to people.
        pub sentence: String,
    }
    /// A custom agent: any program that accepts a prompt.
    pub struct CustomAgent {
        /// Its id in plan files: letters, digits, `-`, and `_`.
        pub id: String,
        /// Program and arguments. `{prompt_file}` is replaced by the path of a file with the
        /// prompt; without it, the prompt is passed on standard input.
        pub command: Vec<String>,
        /// The program's output protocol; plain text by default.
        #[serde(default)]
        pub protocol: Protocol,
    }
    /// References a tool server.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ServerRef {
        pub name: String,
    }
    /// References a team of agents.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TeamRef {
        pub name: String,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct AgentRef {
        pub id: String,
    }
}
