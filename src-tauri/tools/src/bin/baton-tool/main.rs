//! `baton-tool run JOB.json` runs the job of one attempt. `baton-tool list SERVERS.json` lists the
//! tools of MCP servers.
//!
//! Events are printed as JSON lines. The exit code is 0 if the job succeeded, 1 if it failed, and 2
//! if it couldn't be read. SIGTERM ends the job and every process that it started.

mod baton_client;
mod call_error;
mod caller;
mod captured;
mod files;
mod glob_files;
mod http;
mod iteration_call;
mod job_runner;
mod journal;
mod mcp;
mod network;
mod outputs;
mod plans;
mod program;
mod shell;
mod stop;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use caller::ToolCaller;
use job_runner::JobRunner;
use journal::Journal;
use network::HttpClient;
use stop::{Stop, StopReason};

const USAGE: &str = "usage: baton-tool run JOB.json | baton-tool list SERVERS.json";

/// Why the program couldn't start.
#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error("{USAGE}")]
    Usage,
    #[error("couldn't read {path}")]
    Unreadable {
        path: String,
        source: std::io::Error,
    },
    #[error("couldn't parse {path}: {source}")]
    NotUnderstood {
        path: String,
        source: serde_json::Error,
    },
    #[error("couldn't listen for signals")]
    Signals(#[source] std::io::Error),
    #[error("couldn't write to standard output")]
    Print(#[source] std::io::Error),
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = match arguments.as_slice() {
        [verb, path] if verb == "run" => run(Path::new(path)),
        [verb, path] if verb == "list" => list(Path::new(path)),
        _ => Err(StartError::Usage),
    };
    done.unwrap_or_else(|error| {
        // Nothing can be reported if standard error is closed.
        let _ = writeln!(std::io::stderr(), "{}", call_error::error_chain(&error));
        ExitCode::from(2)
    })
}

fn run(path: &Path) -> Result<ExitCode, StartError> {
    let job = read(path)?;
    let stop = listen()?;
    let journal = Journal::new();
    let caller = ToolCaller::new(&job, &stop);
    let job_result = JobRunner {
        caller: &caller,
        journal: &journal,
        stop: &stop,
    }
    .run(&job.task);
    caller.close();
    Ok(if journal.finish(job_result) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn list(path: &Path) -> Result<ExitCode, StartError> {
    let servers = read::<Vec<baton_tools::McpServer>>(path)?;
    let stop = listen()?;
    let rows = mcp::list(&servers, &HttpClient::default(), &stop);
    let mut text = serde_json::to_string(&rows).unwrap_or_default();
    text.push('\n');
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(StartError::Print)?;
    Ok(ExitCode::SUCCESS)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StartError> {
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|source| StartError::Unreadable {
        path: name.clone(),
        source,
    })?;
    serde_json::from_slice(&text).map_err(|source| StartError::NotUnderstood { path: name, source })
}

/// Returns a stop that signals trigger.
fn listen() -> Result<Arc<Stop>, StartError> {
    let stop = Arc::new(Stop::default());
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP]).map_err(StartError::Signals)?;
    let signaled = Arc::clone(&stop);
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            signaled.stop(StopReason::Signal);
        }
    });
    Ok(stop)
}
