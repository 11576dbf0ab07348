//! Why a call failed, as a fragment that follows the tool's name.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use baton_tools::CallFault;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// It could not be made as it is written.
    #[error("{}", join_faults(.0))]
    InvalidCall(Vec<CallFault>),
    /// An argument could not be read although its type is right.
    #[error("its arguments do not fit: {0}")]
    InvalidArguments(#[from] serde_json::Error),
    #[error("could not {doing} {}", path.display())]
    System {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// A file is too long to be given back whole.
    #[error("{} is longer than {limit} bytes: say with offset and limit which lines are wanted", path.display())]
    TooLong { path: PathBuf, limit: u64 },
    /// A pattern that is none.
    #[error("'{pattern}' is not a pattern: {reason}")]
    Pattern { pattern: String, reason: String },
    /// Too much was found.
    #[error("more than {limit} files match '{pattern}'")]
    TooMany { pattern: String, limit: usize },
    /// A program ended badly.
    #[error("{}{}", describe_exit(.status), after_colon(.output))]
    ProgramFailed { status: ExitStatus, output: String },
    /// A request could not be sent or answered.
    #[error("could not {method} {url}")]
    Request {
        method: String,
        url: String,
        source: reqwest::Error,
    },
    /// An address or a header that is none.
    #[error("'{0}' is not an address that begins with http:// or https://")]
    Address(String),
    /// A header that cannot be sent.
    #[error("'{0}' is not a header that can be sent")]
    Header(String),
    /// The other side names an address of another server, which the plan does not name.
    #[error(
        "{method} {url} leads to {to}, on another server: call that address itself if it is meant"
    )]
    CrossOriginRedirect {
        method: String,
        url: String,
        to: String,
    },
    /// The other side refused.
    #[error("{method} {url} was answered with {status}{}", after_colon(.output))]
    Status {
        method: String,
        url: String,
        status: reqwest::StatusCode,
        output: String,
    },
    /// Requests cannot be sent at all.
    #[error("could not get ready for the network")]
    Network(#[source] io::Error),
    /// A server could not be used.
    #[error("the MCP server '{server}' {reason}")]
    Server { server: String, reason: String },
    /// A server has no such tool.
    #[error("the MCP server '{server}' has no tool '{tool}'{}", did_you_mean(.nearest))]
    NoTool {
        server: String,
        tool: String,
        nearest: Vec<String>,
    },
    /// The tool says that it failed.
    #[error("{0}")]
    ToolFailed(String),
    /// Baton itself refused what was asked of a plan.
    #[error("baton refused: {0}")]
    Refused(String),
    /// What Baton answered is not what was expected.
    #[error("what baton answered to {operation} is not understood")]
    Answer {
        operation: &'static str,
        source: serde_json::Error,
    },
    /// No plan, or more than one, is called so.
    #[error("{0}")]
    AmbiguousPlan(String),
    /// A node that the plan does not take.
    #[error("the plan would not be right with it: {0}")]
    Step(String),
    /// The run of a plan did not succeed.
    #[error("the run {run} is {state}{}", after_colon(.output))]
    Run {
        run: String,
        state: String,
        output: String,
    },
    /// The work ended before the call did.
    #[error("it was stopped")]
    Stopped,
}

/// An error with its causes, on one line.
pub(crate) fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        // Many errors repeat their cause in their own words.
        if !text.contains(&words) {
            text.extend([": ", &words]);
        }
        cause = error.source();
    }
    text
}

fn join_faults(faults: &[CallFault]) -> String {
    faults
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

fn after_colon(output: &str) -> String {
    if output.is_empty() {
        String::new()
    } else {
        format!(": {output}")
    }
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}", nearest.join(" or "))
    }
}

fn describe_exit(status: &ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;

    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was terminated by signal {signal}"),
        (None, None) => "ended without saying how".to_owned(),
    }
}
