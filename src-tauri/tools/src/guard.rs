//! Which calls a person may want to be asked about (product E9).

use crate::{McpServer, ToolCall, ToolName};

/// Whether the call could change something outside the run.
///
/// Of a server's tools only those count as harmless that the settings trust: what a server says of itself is a claim.
#[must_use]
pub fn is_guarded(call: &ToolCall, servers: &[McpServer]) -> bool {
    match ToolName::parse(&call.tool_name, servers) {
        ToolName::Mcp { server, tool } => !server.trusts(tool),
        ToolName::BuiltIn(_) => call.is_guarded(),
        ToolName::NoServer { .. } | ToolName::Unknown => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use crate::{Transport, catalogue};

    fn call(name: &str) -> ToolCall {
        ToolCall { tool_name: name.to_owned(), tool_args: Map::new() }
    }

    #[test]
    fn what_changes_something_is_guarded() {
        let transport = Transport::Stdio { command: "x".to_owned(), args: Vec::new(), env: Default::default() };
        let server = |name: &str, trusted: &[&str]| McpServer {
            name: name.to_owned(),
            transport: transport.clone(),
            trusted: trusted.iter().map(|&tool| tool.to_owned()).collect(),
        };
        let servers = [server("notes", &["search"]), server("own", &["*"])];
        for (name, guarded) in [
            ("shell", true),
            ("write", true),
            ("read", false),
            ("http", false),
            ("delete_plan", true),
            ("list_plans", false),
            ("notes/search", false),
            ("notes/erase", true),
            ("own/erase", false),
            ("nobody/search", true),
            ("nothing", true),
        ] {
            assert_eq!(is_guarded(&call(name), &servers), guarded, "{name}");
        }
        let mut post = call("http");
        post.tool_args.insert("method".to_owned(), json!("post"));
        assert!(is_guarded(&post, &[]));
    }

    #[test]
    fn the_catalogue_says_the_same() {
        for info in catalogue() {
            // Whether a request is guarded depends on its method, so the catalogue warns of it.
            if info.name != "http" {
                assert_eq!(info.guarded, is_guarded(&call(&info.name), &[]), "{}", info.name);
            }
        }
    }
}
