//! What the program prints.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use baton_tools::Event;
use serde_json::Value;

use crate::outputs;

/// How long the value of the end may be, in bytes. Each call has told its own result before, so here it may be cut.
const RESULT_LIMIT: usize = 4 * 1024 * 1024;

/// How the work came out.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct JobResult {
    /// What it gave, also in part.
    pub(crate) value: Option<Value>,
    /// Named values beside `result`.
    pub(crate) named: Vec<(&'static str, String)>,
    /// Why it was not done.
    pub(crate) failure: Option<String>,
}

/// The lines on standard output.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Two calls that end at once must not mix their lines.
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
        // Who listened may be gone; the work goes on, and its end decides.
        let _ = out.write_all(&line).and_then(|()| out.flush());
    }

    /// Writes the named outputs and prints the end. Whether the work was done.
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
                .or_else(|| Some(format!("could not write the outputs: {error}")));
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
