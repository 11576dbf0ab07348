//! One line for each thing that takes time, with the seconds since the start.

use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Counts the time of one `cargo xtask` command.
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

    /// Says what happens from now on.
    pub(crate) fn begin(&self, what: &str) {
        let at = self.started.elapsed();
        println!("[{:7.1} s] {what}", at.as_secs_f64());
        self.begun.borrow_mut().push((what.to_owned(), at));
    }

    /// What took at least `least` so far, the longest first, with its time. The last stage has not ended and is left
    /// out.
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
    fn stages_are_listed_by_their_length_without_the_short_and_the_last() {
        let seconds = Duration::from_secs;
        let begun = [("lint", 0), ("build", 3), ("test", 40), ("summary", 200)]
            .map(|(what, at)| (what.to_owned(), seconds(at)));
        let expected =
            [("test", 160), ("build", 37)].map(|(what, took)| (what.to_owned(), seconds(took)));
        assert_eq!(longest(&begun, seconds(10)), expected);
        assert!(longest(&begun[..1], Duration::ZERO).is_empty());
    }
}
