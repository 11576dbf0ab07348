//! Resolves the name of a tool.

use crate::McpServer;
use crate::catalog::BuiltInTool;

/// A tool as named in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ToolName<'a> {
    BuiltIn(BuiltInTool),
    /// A tool of an MCP server in the settings.
    Mcp {
        server: &'a McpServer,
        /// The name within the server.
        tool: &'a str,
    },
    /// A tool of a server that isn't in the settings.
    NoServer {
        server: &'a str,
    },
    /// Neither a built-in tool nor of the form `server/tool`.
    Unknown,
}

/// The prefix that agents use for MCP tools.
const AGENT_PREFIX: &str = "mcp__";

impl<'a> ToolName<'a> {
    /// Parses `server/tool`, `server.tool`, `mcp__server__tool`, or the name of a built-in tool.
    #[must_use]
    pub fn parse(name: &'a str, servers: &'a [McpServer]) -> Self {
        if let Some(own) = BuiltInTool::from_name(name) {
            return Self::BuiltIn(own);
        }
        let found = servers
            .iter()
            .filter_map(|server| Some((server, tool_on_server(name, server)?)));
        // A server `a` may have a tool `b.c` while another server is named `a.b`: the longest
        // server name wins.
        if let Some((server, tool)) = found.max_by_key(|(server, _)| server.name.len()) {
            return Self::Mcp { server, tool };
        }
        let agent_syntax = name
            .strip_prefix(AGENT_PREFIX)
            .and_then(|rest| rest.split_once("__"));
        match agent_syntax.or_else(|| name.split_once(['/', '.'])) {
            Some((server, tool)) if !server.is_empty() && !tool.is_empty() => {
                Self::NoServer { server }
            }
            _ => Self::Unknown,
        }
    }
}

/// Returns the tool's name if `name` refers to a tool of `server`.
fn tool_on_server<'a>(name: &'a str, server: &McpServer) -> Option<&'a str> {
    let tool = match name.strip_prefix(AGENT_PREFIX) {
        // Agents replace characters other than letters, digits, `_` and `-` by `_`.
        Some(rest) => {
            let written = rest.get(..server.name.len())?;
            let same = written
                .chars()
                .zip(server.name.chars())
                .all(|(w, s)| w == s || w == '_' && !s.is_alphanumeric());
            rest[server.name.len()..]
                .strip_prefix("__")
                .filter(|_| same)
        }
        None => name
            .strip_prefix(&server.name)
            .and_then(|rest| rest.strip_prefix(['/', '.'])),
    };
    tool.filter(|tool| !tool.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Transport;

    #[test]
    fn tool_names_are_unambiguous() {
        let server = |name: &str| McpServer {
            name: name.to_owned(),
            transport: Transport::Http {
                url: String::new(),
                headers: BTreeMap::new(),
            },
            trusted: Vec::new(),
        };
        let servers = [server("git"), server("git.hub"), server("my files")];
        for (name, meant) in [
            ("git/log", Some(("git", "log"))),
            ("git.log", Some(("git", "log"))),
            ("git/log/last", Some(("git", "log/last"))),
            ("mcp__git__log", Some(("git", "log"))),
            ("git.hub.star", Some(("git.hub", "star"))),
            ("git.hub/star", Some(("git.hub", "star"))),
            ("mcp__git_hub__star", Some(("git.hub", "star"))),
            ("mcp__my_files__read", Some(("my files", "read"))),
            ("mcp__gät", None),
            ("git/", None),
            ("git", None),
        ] {
            let found = match ToolName::parse(name, &servers) {
                ToolName::Mcp { server, tool } => Some((server.name.as_str(), tool)),
                _ => None,
            };
            assert_eq!(found, meant, "{name}");
        }
        assert_eq!(
            ToolName::parse("read", &servers),
            ToolName::BuiltIn(BuiltInTool::Read)
        );
        assert_eq!(
            ToolName::parse("svn/log", &servers),
            ToolName::NoServer { server: "svn" }
        );
        assert_eq!(
            ToolName::parse("mcp__svn__log", &servers),
            ToolName::NoServer { server: "svn" }
        );
        assert_eq!(ToolName::parse("raed", &servers), ToolName::Unknown);
    }
}
