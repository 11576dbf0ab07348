//! Baton's own operations, carried out by the command `baton`.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call_error::CallError;
use crate::program;
use crate::stop::Stop;

/// The longest answer that is read.
const RESPONSE_LIMIT: usize = 64 * 1024 * 1024;
/// How many characters of its last words explain a refusal.
const ERROR_TAIL_CHARS: usize = 1000;

/// The command, and the data that it works on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatonClient<'a> {
    pub(crate) program: &'a Path,
    pub(crate) data_directory: &'a Path,
    pub(crate) stop: &'a Arc<Stop>,
}

impl BatonClient<'_> {
    /// Carries out an operation. One that begins a run comes back when the run has come to rest.
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
            // What was to be carried out is known here, and why it was not comes behind it.
            let why = output
                .strip_prefix("baton: ")
                .and_then(|output| output.split_once(&format!("{operation}: ")));
            return Err(CallError::Refused(
                why.map_or(output.clone(), |(_, why)| why.to_owned()),
            ));
        }
        let text = finished.stdout.text();
        // The answer comes first; an operation that waits may say more.
        let mut answers = serde_json::Deserializer::from_str(&text).into_iter::<T>();
        let answer = answers.next().unwrap_or_else(|| serde_json::from_str(""));
        answer.map_err(|source| CallError::Answer { operation, source })
    }
}
