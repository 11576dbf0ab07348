//! Calls Baton's operations through the `baton` command.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call_error::CallError;
use crate::program;
use crate::stop::Stop;

/// The limit on an operation's output, in bytes.
const RESPONSE_LIMIT: usize = 64 * 1024 * 1024;
/// How many characters from the end of the error output are reported.
const ERROR_TAIL_CHARS: usize = 1000;

/// The command, and the data directory that it uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatonClient<'a> {
    pub(crate) program: &'a Path,
    pub(crate) data_directory: &'a Path,
    pub(crate) stop: &'a Arc<Stop>,
}

impl BatonClient<'_> {
    /// Calls an operation. One that starts a run returns once the run has stopped.
    pub(crate) fn ask<T: DeserializeOwned>(
        &self,
        operation: &'static str,
        input: &Value,
    ) -> Result<T, CallError> {
        let mut command = Command::new(self.program);
        command
            .args(["call", operation, "-"])
            .env("BATON_DATA_DIR", self.data_directory)
            .env("NO_COLOR", "1");
        let input = input.to_string().into_bytes();
        let finished =
            program::run(command, Some(input), RESPONSE_LIMIT, self.stop).map_err(|source| {
                CallError::System {
                    doing: "start",
                    path: self.program.to_path_buf(),
                    source,
                }
            })?;
        if self.stop.reason().is_some() {
            return Err(CallError::Stopped);
        }
        if !finished.status.success() {
            let output = finished.stderr.tail(ERROR_TAIL_CHARS);
            // The operation's name is repeated by the caller, so that only the reason is kept.
            let why = output
                .strip_prefix("baton: ")
                .and_then(|output| output.split_once(&format!("{operation}: ")));
            return Err(CallError::Refused(
                why.map_or(output.clone(), |(_, why)| why.to_owned()),
            ));
        }
        let text = finished.stdout.text();
        // The result is the first JSON value; an operation that waits may print more.
        let mut answers = serde_json::Deserializer::from_str(&text).into_iter::<T>();
        let answer = answers.next().unwrap_or_else(|| serde_json::from_str(""));
        answer.map_err(|source| CallError::Answer { operation, source })
    }
}
