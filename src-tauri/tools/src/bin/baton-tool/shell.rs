//! The tool `shell`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::call_error::CallError;
use crate::program;
use crate::stop::Stop;

/// The limit on each returned output, in bytes.
const OUTPUT_LIMIT: usize = 256 * 1024;
/// How many characters from the end of the output an error reports.
const ERROR_TAIL_CHARS: usize = 1000;
/// The variable with the iteration's number, in a loop.
const ITERATION_VARIABLE: &str = "BATON_ITERATION";

#[derive(Debug, Deserialize)]
pub(crate) struct ShellArguments {
    command: String,
    cwd: Option<PathBuf>,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

/// Runs a command line with `sh -c`. Processes that it leaves running end with it.
pub(crate) fn run(
    line: ShellArguments,
    directory: &Path,
    iteration: Option<u32>,
    stop: &Arc<Stop>,
) -> Result<Value, CallError> {
    let mut command = Command::new("/bin/sh");
    let directory = line
        .cwd
        .map_or_else(|| directory.to_path_buf(), |own| directory.join(own));
    command.args(["-c", &line.command]).current_dir(&directory);
    if let Some(iteration) = iteration {
        command.env(ITERATION_VARIABLE, iteration.to_string());
    }
    command.envs(line.env);
    let finished =
        program::run(command, None, OUTPUT_LIMIT, stop).map_err(|source| CallError::System {
            doing: "run the shell in",
            path: directory,
            source,
        })?;
    if stop.reason().is_some() && !finished.status.success() {
        return Err(CallError::Stopped);
    }
    if !finished.status.success() {
        let said = if finished.stderr.tail(1).is_empty() {
            &finished.stdout
        } else {
            &finished.stderr
        };
        return Err(CallError::ProgramFailed {
            status: finished.status,
            output: said.tail(ERROR_TAIL_CHARS),
        });
    }
    let mut value = json!({ "exitCode": 0, "stdout": finished.stdout.text(), "stderr": finished.stderr.text() });
    let left_out = finished.stdout.left_out() + finished.stderr.left_out();
    if left_out > 0 {
        value["leftOutBytes"] = left_out.into();
    }
    Ok(value)
}
