//! One line for each thing that takes time, with the seconds since the start.

use std::time::Instant;

/// Counts the time of one `cargo xtask` command.
pub(crate) struct Stages {
    started: Instant,
}

impl Stages {
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
        }
    }

    /// Says what happens from now on.
    pub(crate) fn begin(&self, what: &str) {
        println!("[{:7.1} s] {what}", self.started.elapsed().as_secs_f64());
    }
}
