//! Errors in a call that can be found before it is made.

/// An error in a call. Its message is a sentence without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CallFault {
    #[error(
        "there is no tool '{name}'; did you mean '{}'?",
        list(nearest, "' or '")
    )]
    UnknownTool {
        name: String,
        /// The most similar tool names.
        nearest: Vec<String>,
    },
    /// The settings contain no MCP server with this name.
    #[error("the settings have no MCP server '{server}'; {}", servers(known))]
    UnknownServer {
        server: String,
        /// The configured servers.
        known: Vec<String>,
    },
    /// A required argument is missing.
    #[error("{tool} needs the argument '{argument}'")]
    Missing {
        tool: &'static str,
        argument: String,
    },
    /// The tool has no such argument.
    #[error("{tool} has no argument '{argument}'; it takes {}", list(known, ", "))]
    UnknownArgument {
        tool: &'static str,
        argument: String,
        known: Vec<String>,
    },
    #[error("the argument '{argument}' of {tool} must be {expected}, not {found}")]
    WrongType {
        tool: &'static str,
        argument: String,
        /// The expected type, in words.
        expected: &'static str,
        /// The actual value, as truncated JSON.
        found: String,
    },
    /// The argument is an enumeration, and the value isn't part of it.
    #[error(
        "the argument '{argument}' of {tool} must be one of {}, not '{found}'",
        list(allowed, ", ")
    )]
    NotAllowed {
        tool: &'static str,
        argument: String,
        allowed: Vec<String>,
        found: String,
    },
}

fn list(words: &[String], between: &str) -> String {
    words.join(between)
}

fn servers(known: &[String]) -> String {
    if known.is_empty() {
        "none is configured".to_owned()
    } else {
        format!("configured: {}", known.join(", "))
    }
}
