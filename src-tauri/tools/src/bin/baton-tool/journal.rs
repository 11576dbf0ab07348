//! Prints the job's events.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use baton_tools::Event;
use serde_json::Value;

use crate::outputs;

/// The limit on the final value, in bytes. Each call's result has already been printed, so that
/// this one may be truncated.
const RESULT_LIMIT: usize = 4 * 1024 * 1024;

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct JobResult {
    /// The value, which may be partial.
    pub(crate) value: Option<Value>,
    /// Named outputs besides `result`.
    pub(crate) named: Vec<(&'static str, String)>,
    /// Why the job failed.
    pub(crate) failure: Option<String>,
}

/// Writes events to standard output, one per line.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Keeps the lines of parallel calls from mixing.
    lines: Mutex<()>,
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn emit(&self, event: &Event) {
        let Ok(mut line) = serde_json::to_vec(event) else {
            return;
        };
        line.push(b'\n');
        let _guard = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out = io::stdout().lock();
        // The reader may be gone. The job continues, and its exit code counts.
        let _ = out.write_all(&line).and_then(|()| out.flush());
    }

    /// Writes the named outputs and prints the end. Returns whether the job succeeded.
    pub(crate) fn finish(&self, mut job_result: JobResult) -> bool {
        let named = job_result
            .named
            .iter()
            .map(|(key, value)| (*key, value.clone()));
        let result = job_result
            .value
            .as_ref()
            .map(|value| ("result", outputs::one_line(value)));
        if let Err(error) = outputs::append(result.into_iter().chain(named)) {
            job_result.failure = job_result
                .failure
                .or_else(|| Some(format!("couldn't write the outputs: {error}")));
        }
        let ok = job_result.failure.is_none();
        let value = job_result
            .value
            .map(|value| outputs::shorten_to_fit(&value, RESULT_LIMIT).into_owned());
        self.emit(&Event::End {
            ok,
            value,
            message: job_result.failure,
        });
        ok
    }
}
