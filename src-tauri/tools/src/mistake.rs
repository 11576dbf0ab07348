//! What can be wrong with a call before it is made.

/// A mistake in a call. Its text is a sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// There is no such tool.
    #[error("there is no tool '{name}'; did you mean {}", list(nearest, " or "))]
    UnknownTool {
        /// The name.
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
        /// The server.
        server: String,
        /// The servers that there are.
        known: Vec<String>,
    },
    /// An argument that must be there is not.
    #[error("{tool} needs the argument '{argument}'")]
    Missing {
        /// The tool.
        tool: &'static str,
        /// The argument.
        argument: String,
    },
    /// An argument means nothing to the tool.
    #[error("{tool} has no argument '{argument}'; it takes {}", list(known, ", "))]
    UnknownArgument {
        /// The tool.
        tool: &'static str,
        /// The argument.
        argument: String,
        /// What it takes.
        known: Vec<String>,
    },
    /// An argument is of another type.
    #[error("the argument '{argument}' of {tool} must be {expected}, not {found}")]
    WrongType {
        /// The tool.
        tool: &'static str,
        /// The argument.
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
        /// The tool.
        tool: &'static str,
        /// The argument.
        argument: String,
        /// What it may be.
        allowed: Vec<String>,
        /// What it is.
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
