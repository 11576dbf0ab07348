//! What can be wrong with a call before it is made.

/// A mistake in a call. Its text is a sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CallFault {
    /// There is no such tool.
    #[error("there is no tool '{name}'; did you mean {}", list(nearest, " or "))]
    UnknownTool {
        name: String,
        /// The known names that are most like it.
        nearest: Vec<String>,
    },
    /// The settings name no such server.
    #[error(
        "there is no MCP server '{server}' in the settings; {}",
        servers(known)
    )]
    UnknownServer {
        server: String,
        /// The servers that there are.
        known: Vec<String>,
    },
    /// An argument that must be there is not.
    #[error("{tool} needs the argument '{argument}'")]
    Missing {
        tool: &'static str,
        argument: String,
    },
    /// An argument means nothing to the tool.
    #[error("{tool} has no argument '{argument}'; it takes {}", list(known, ", "))]
    UnknownArgument {
        tool: &'static str,
        argument: String,
        known: Vec<String>,
    },
    /// An argument is of another type.
    #[error("the argument '{argument}' of {tool} must be {expected}, not {found}")]
    WrongType {
        tool: &'static str,
        argument: String,
        /// What it must be.
        expected: &'static str,
        /// What it is, as JSON and cut.
        found: String,
    },
    /// An argument is none of the values that it may have.
    #[error(
        "the argument '{argument}' of {tool} must be one of {}, not '{found}'",
        list(allowed, ", ")
    )]
    NotAllowed {
        tool: &'static str,
        argument: String,
        /// What it may be.
        allowed: Vec<String>,
        found: String,
    },
}

fn list(words: &[String], between: &str) -> String {
    words.join(between)
}

fn servers(known: &[String]) -> String {
    if known.is_empty() {
        "it names none yet".to_owned()
    } else {
        format!("it names {}", known.join(", "))
    }
}
