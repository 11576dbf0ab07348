//! Prints a line for each step that takes time, with the seconds since the start.

use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The steps of a `cargo xtask` command and their durations.
pub(crate) struct Stages {
    started: Instant,
    begun: RefCell<Vec<(String, Duration)>>,
}

impl Stages {
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            begun: RefCell::default(),
        }
    }

    /// Starts a stage and prints its description.
    pub(crate) fn begin(&self, what: &str) {
        let at = self.started.elapsed();
        println!("[{:7.1} s] {what}", at.as_secs_f64());
        self.begun.borrow_mut().push((what.to_owned(), at));
    }

    /// Returns finished stages that took at least `least`, longest first.
    pub(crate) fn longest(&self, least: Duration) -> Vec<(String, Duration)> {
        longest(&self.begun.borrow(), least)
    }
}

fn longest(begun: &[(String, Duration)], least: Duration) -> Vec<(String, Duration)> {
    let mut took: Vec<_> = begun
        .windows(2)
        .map(|pair| (pair[0].0.clone(), pair[1].1.saturating_sub(pair[0].1)))
        .filter(|(_, took)| *took >= least)
        .collect();
    took.sort_by_key(|(_, took)| std::cmp::Reverse(*took));
    took
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_lists_long_finished_stages() {
        let seconds = Duration::from_secs;
        let begun = [("lint", 0), ("build", 3), ("test", 40), ("summary", 200)]
            .map(|(what, at)| (what.to_owned(), seconds(at)));
        let expected =
            [("test", 160), ("build", 37)].map(|(what, took)| (what.to_owned(), seconds(took)));
        assert_eq!(longest(&begun, seconds(10)), expected);
        assert!(longest(&begun[..1], Duration::ZERO).is_empty());
    }
}
