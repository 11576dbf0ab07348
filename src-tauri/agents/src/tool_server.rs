//! The server of Baton's own tools, with which a session reads its input and sets its outputs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// The server's name in the agent. It is part of its tools' names.
pub const SERVER_NAME: &str = "baton";

/// The tools of the server. None decides anything, so no permission is needed.
pub const SESSION_TOOLS: [&str; 5] = [
    "context_get",
    "output_set",
    "report",
    "ask",
    "replan_propose",
];

/// A program that serves tools over its standard input and output, by the Model Context Protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolServer {
    /// The program, an absolute path.
    pub command: String,
    #[expect(missing_docs, reason = "the name says it")]
    pub args: Vec<String>,
    /// Variables that identify the attempt. Agents don't pass on all of their own.
    pub env: BTreeMap<String, String>,
}

/// How an agent accepts a server of tools for one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolServerSupport {
    /// Only in its own settings, which Baton does not change for a session.
    None,
    /// On its command line.
    CommandLine,
    /// When the session is opened, in the agent's protocol. How it names the tools is up to the
    /// agent.
    Protocol,
}

impl ToolServer {
    /// The value of `--mcp-config`.
    #[must_use]
    pub(crate) fn to_config(&self) -> String {
        let server =
            json!({"type": "stdio", "command": self.command, "args": self.args, "env": self.env});
        json!({"mcpServers": {SERVER_NAME: server}}).to_string()
    }

    /// The settings below `mcp_servers.baton`, as `key=value` with values in TOML.
    #[must_use]
    pub(crate) fn to_overrides(&self) -> [String; 3] {
        // A string in JSON is one in TOML.
        let word = |text: &String| Value::from(text.as_str()).to_string();
        let args: Vec<_> = self.args.iter().map(word).collect();
        let env = self.env.iter();
        let env: Vec<_> = env
            .map(|(name, value)| format!("{name}={}", word(value)))
            .collect();
        [
            format!("mcp_servers.{SERVER_NAME}.command={}", word(&self.command)),
            format!("mcp_servers.{SERVER_NAME}.args=[{}]", args.join(",")),
            format!("mcp_servers.{SERVER_NAME}.env={{{}}}", env.join(",")),
        ]
    }

    /// An element of `mcpServers` in the Agent Client Protocol.
    #[must_use]
    pub(crate) fn to_acp(&self) -> Value {
        let env = self.env.iter();
        let env: Vec<_> = env
            .map(|(name, value)| json!({"name": name, "value": value}))
            .collect();
        json!({"name": SERVER_NAME, "command": self.command, "args": self.args, "env": env})
    }
}

/// Returns whether an agent calls one of the server's tools by this name.
#[must_use]
pub(crate) fn is_session_tool(name: &str) -> bool {
    let own = name.strip_prefix("mcp__baton__");
    own.is_some_and(|tool| SESSION_TOOLS.contains(&tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> ToolServer {
        ToolServer {
            command: "/opt/my \"baton\"/baton".to_owned(),
            args: vec!["mcp".to_owned()],
            env: [("BATON_NODE_ID".to_owned(), "n".to_owned())].into(),
        }
    }

    #[test]
    fn server_is_written_as_each_agent_reads_it() {
        let config: Value = serde_json::from_str(&server().to_config()).expect("JSON");
        let written = &config["mcpServers"]["baton"];
        assert_eq!(written["command"], "/opt/my \"baton\"/baton");
        assert_eq!(written["env"]["BATON_NODE_ID"], "n");
        assert_eq!(
            server().to_overrides(),
            [
                r#"mcp_servers.baton.command="/opt/my \"baton\"/baton""#,
                r#"mcp_servers.baton.args=["mcp"]"#,
                r#"mcp_servers.baton.env={BATON_NODE_ID="n"}"#,
            ]
        );
        let variable = &server().to_acp()["env"][0];
        assert_eq!(variable, &json!({"name": "BATON_NODE_ID", "value": "n"}));
    }

    #[test]
    fn only_known_tools_of_the_server_are_its_own() {
        for (name, is_own) in [
            ("mcp__baton__output_set", true),
            ("mcp__baton__plan_propose", false),
            ("mcp__other__output_set", false),
            ("output_set", false),
        ] {
            assert_eq!(is_session_tool(name), is_own, "{name}");
        }
    }
}
