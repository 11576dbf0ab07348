//! Whose tool a name means.

use crate::McpServer;
use crate::catalog::BuiltInTool;

/// A tool as a plan names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ToolName<'a> {
    /// One of Baton's own.
    BuiltIn(BuiltInTool),
    /// A tool of a server that the settings name.
    Mcp {
        server: &'a McpServer,
        /// The tool's name there.
        tool: &'a str,
    },
    /// A tool of a server that nobody has named.
    NoServer { server: &'a str },
    /// None of all these.
    Unknown,
}

/// How agents write the tools of servers.
const AGENT_PREFIX: &str = "mcp__";

impl<'a> ToolName<'a> {
    /// Reads `server/tool`, `server.tool`, `mcp__server__tool`, or the name of a tool of Baton's own.
    #[must_use]
    pub fn parse(name: &'a str, servers: &'a [McpServer]) -> Self {
        if let Some(own) = BuiltInTool::from_name(name) {
            return Self::BuiltIn(own);
        }
        let found = servers
            .iter()
            .filter_map(|server| Some((server, tool_on_server(name, server)?)));
        // A server `a` may have a tool `b.c`, and another server may be called `a.b`: the longer name means the server.
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

/// The tool that `name` means if it is one of `server`.
fn tool_on_server<'a>(name: &'a str, server: &McpServer) -> Option<&'a str> {
    let tool = match name.strip_prefix(AGENT_PREFIX) {
        // Agents write `_` for whatever is not a letter, a digit, `_` or `-`.
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
