//! Agents on this machine.

use baton_agents::custom::Protocol;

use super::wire;

wire! {
    /// An agent, and what is known of it here.
    pub struct AgentView {
        /// What plan files call it.
        pub id: String,
        /// For people.
        pub title: String,
        /// Defined in the settings, not by Baton.
        pub custom: bool,
        /// Nodes that name no agent take this one.
        pub default: bool,
        /// The program, if it was found.
        pub path: Option<String>,
        /// What it says its version is.
        pub version: Option<String>,
        /// Whether it seems to be logged in; none: cannot be told without spending.
        pub logged_in: Option<bool>,
        /// What to do so that it works, when something is to be done.
        pub mend: Option<String>,
        /// The command line, for custom agents.
        pub command: Vec<String>,
        /// What a custom agent speaks.
        pub protocol: Protocol,
        /// How far it can be held to a node's list of tools.
        pub reach: AgentReach,
    }
    /// How far an agent can be held to a node's list of tools.
    pub struct AgentReach {
        /// It asks before tools run, and waits for the answer.
        pub asks: bool,
        /// The list binds every call.
        pub lists: bool,
        /// What that means, for a person.
        pub sentence: String,
    }
    /// An agent that a person defines: any program that takes a prompt.
    pub struct CustomAgent {
        /// What plan files call it: letters, digits, `-` and `_`.
        pub id: String,
        /// Program and arguments. `{prompt_file}` becomes the path of a file with the prompt; without it the prompt comes on standard input.
        pub command: Vec<String>,
        /// What the program speaks; by default nothing, just text.
        #[serde(default)]
        pub protocol: Protocol,
    }
    /// Names a server of tools.
    pub struct ServerRef {
        /// The server.
        pub name: String,
    }
    /// Names a team of agents.
    pub struct TeamRef {
        /// The team.
        pub name: String,
    }
    /// Names an agent.
    pub struct AgentRef {
        /// The agent.
        pub id: String,
    }
}
