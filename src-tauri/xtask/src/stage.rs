//! Prints a line for each step that takes time, with the seconds since the start.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The steps of a `cargo xtask` command and their durations.
pub(crate) struct Stages {
    started: Instant,
    begun: Mutex<Vec<(String, Duration)>>,
    /// What ran beside others, with its own durations.
    beside: Mutex<Vec<(String, Duration)>>,
}

impl Stages {
    pub(crate) fn start() -> Self {
        Self {
            started: Instant::now(),
            begun: Mutex::default(),
            beside: Mutex::default(),
        }
    }

    /// Starts a stage and prints its description.
    pub(crate) fn begin(&self, what: &str) {
        let at = self.started.elapsed();
        println!("[{:7.1} s] {what}", at.as_secs_f64());
        lock(&self.begun).push((what.to_owned(), at));
    }

    /// Prints what a program that ran beside others printed, all at once.
    pub(crate) fn ended(&self, what: &str, took: Duration, text: &str) {
        let mut beside = lock(&self.beside);
        let at = self.started.elapsed().as_secs_f64();
        println!("[{at:7.1} s] {what}, {:.1} s\n{text}", took.as_secs_f64());
        beside.push((what.to_owned(), took));
    }

    /// Returns finished stages that took at least `least`, longest first.
    pub(crate) fn longest(&self, least: Duration) -> Vec<(String, Duration)> {
        longest(&lock(&self.begun), &lock(&self.beside), least)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn longest(
    begun: &[(String, Duration)],
    beside: &[(String, Duration)],
    least: Duration,
) -> Vec<(String, Duration)> {
    let mut took: Vec<_> = begun
        .windows(2)
        .map(|pair| (pair[0].0.clone(), pair[1].1.saturating_sub(pair[0].1)))
        .chain(beside.iter().cloned())
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
        let beside = [("page".to_owned(), seconds(90))];
        let expected = [("test", 160), ("page", 90), ("build", 37)]
            .map(|(what, took)| (what.to_owned(), seconds(took)));
        assert_eq!(longest(&begun, &beside, seconds(10)), expected);
        assert!(longest(&begun[..1], &[], Duration::ZERO).is_empty());
    }
}
