//! Repeated measurements and their median.

use std::time::Duration;

/// Measured times, in order.
#[derive(Debug, Default)]
pub(crate) struct Sample(Vec<Duration>);

impl Sample {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Returns the median in seconds, or the upper one of two. Zero for an empty sample.
    pub(crate) fn median(&self) -> f64 {
        let mut times = self.0.clone();
        times.sort_unstable();
        times
            .get(times.len() / 2)
            .map_or(0.0, Duration::as_secs_f64)
    }

    /// Formats all times in seconds, to show their spread.
    pub(crate) fn shown(&self) -> String {
        self.0
            .iter()
            .map(|time| format!("{:.2}", time.as_secs_f64()))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_run_does_not_move_the_median() {
        let mut sample = Sample::default();
        assert_eq!(sample.median(), 0.0);
        for seconds in [3, 1, 90, 2, 2] {
            sample.add(Duration::from_secs(seconds));
        }
        assert_eq!(sample.median(), 2.0);
        assert_eq!(sample.shown(), "3.00 1.00 90.00 2.00 2.00");
    }
}
