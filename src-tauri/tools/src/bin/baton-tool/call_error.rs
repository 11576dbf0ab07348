//! Why a call failed, as a fragment that follows the tool's name.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use baton_tools::CallFault;

/// An error of a tool call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The call is invalid.
    #[error("{}", join_faults(.0))]
    InvalidCall(Vec<CallFault>),
    /// An argument has the right type, but can't be parsed.
    #[error("invalid arguments: {0}")]
    InvalidArguments(#[from] serde_json::Error),
    #[error("couldn't {doing} {}", path.display())]
    System {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// A file is too long to be returned whole.
    #[error("{} is longer than {limit} bytes. Use offset and limit to read a part of it", path.display())]
    TooLong { path: PathBuf, limit: u64 },
    /// The pattern has a syntax error.
    #[error("'{pattern}' is not a valid pattern: {reason}")]
    Pattern { pattern: String, reason: String },
    /// Too many files match.
    #[error("more than {limit} files match '{pattern}'")]
    TooMany { pattern: String, limit: usize },
    /// A program exited with an error.
    #[error("{}{}", describe_exit(.status), after_colon(.output))]
    ProgramFailed { status: ExitStatus, output: String },
    /// A request failed without a response.
    #[error("couldn't {method} {url}")]
    Request {
        method: String,
        url: String,
        source: reqwest::Error,
    },
    /// The URL is invalid.
    #[error("'{0}' is not an http:// or https:// URL")]
    Address(String),
    /// The header's name or value is invalid.
    #[error("'{0}' is not a valid header")]
    Header(String),
    /// A redirect to another server, which the plan doesn't name.
    #[error(
        "{method} {url} redirects to another server: {to}. Call that URL directly if you trust it"
    )]
    CrossOriginRedirect {
        method: String,
        url: String,
        to: String,
    },
    /// The response has an error status.
    #[error("{method} {url} returned {status}{}", after_colon(.output))]
    Status {
        method: String,
        url: String,
        status: reqwest::StatusCode,
        output: String,
    },
    /// The HTTP client can't be created.
    #[error("couldn't create the HTTP client")]
    Network(#[source] io::Error),
    /// An MCP server can't be used.
    #[error("the MCP server '{server}' {reason}")]
    Server { server: String, reason: String },
    /// The MCP server doesn't have this tool.
    #[error("the MCP server '{server}' has no tool '{tool}'{}", did_you_mean(.nearest))]
    NoTool {
        server: String,
        tool: String,
        nearest: Vec<String>,
    },
    /// The tool reports that it failed.
    #[error("{0}")]
    ToolFailed(String),
    /// The `baton` command reports an error.
    #[error("baton failed: {0}")]
    Refused(String),
    /// The `baton` command printed an unexpected result.
    #[error("couldn't parse the result of {operation}")]
    Answer {
        operation: &'static str,
        source: serde_json::Error,
    },
    /// No plan, or more than one, has this title.
    #[error("{0}")]
    AmbiguousPlan(String),
    /// The run of a plan didn't complete.
    #[error("the run {run} {}{}", run_end(.state), after_colon(.output))]
    Run {
        run: String,
        state: String,
        output: String,
    },
    /// The job was stopped during the call.
    #[error("stopped")]
    Stopped,
}

/// Formats an error with its causes on one line.
pub(crate) fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        // Many errors already include their cause.
        if !text.contains(&words) {
            text.extend([": ", &words]);
        }
        cause = error.source();
    }
    text
}

/// The state of a run that didn't complete, as a predicate.
fn run_end(state: &str) -> String {
    match state {
        "failed" => "failed".to_owned(),
        "cancelled" => "was canceled".to_owned(),
        state => format!("is {state}"),
    }
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
        format!("; did you mean '{}'?", nearest.join("' or '"))
    }
}

fn describe_exit(status: &ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;

    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was terminated by signal {signal}"),
        (None, None) => "ended for an unknown reason".to_owned(),
    }
}
