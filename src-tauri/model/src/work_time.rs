//! How long attempts, nodes, and runs took: worked, waited, and elapsed are different numbers.
//!
//! Every view, statistic, and shell output takes its numbers from here, so that they agree.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// What is stored about the times of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptTimes {
    /// When its concurrency slot was reserved.
    pub reserved_at: Timestamp,
    /// When its session started.
    pub started_at: Option<Timestamp>,
    /// `None` while it is live.
    pub ended_at: Option<Timestamp>,
    /// How long its program ran, in milliseconds, as its keeper measured it. `None` if it wasn't
    /// measured: in rows of earlier versions, and if nothing was started.
    pub worked_ms: Option<u64>,
    /// Nobody saw its end, so how long it ran is unknown.
    pub lost: bool,
}

/// The times of an attempt or a node, or of several nodes together. All in milliseconds.
///
/// The time between attempts, for example before a rerun, is part of `elapsed_ms` only. A node that
/// was skipped or marked as done without an attempt has worked for 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WorkTime {
    /// How long the programs of its ended attempts ran, from spawn to exit; `None` if unknown for
    /// any of them. Measured by the keeper with a monotonic clock. Of attempts of earlier versions
    /// and of nested runs, from start to end.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub worked_ms: Option<u64>,
    /// How long its attempts took to start after their slots were reserved.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub waited_ms: u64,
    /// From the first start to the last end; `None` if nothing was started or an attempt is live.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub elapsed_ms: Option<u64>,
    /// When the live attempt started. Its time isn't part of `worked_ms` yet.
    pub working_since: Option<Timestamp>,
}

impl Default for WorkTime {
    /// Nothing was started.
    fn default() -> Self {
        Self::of_attempts([])
    }
}

impl AttemptTimes {
    /// How long the program of an ended attempt ran. `None` while the attempt is live, and if
    /// nobody saw its end.
    #[must_use]
    pub fn worked_ms(&self) -> Option<u64> {
        let ended = self.ended_at?;
        if self.lost {
            return self.worked_ms;
        }
        let span = self.started_at.map_or(0, |start| ended.ms_since(start));
        Some(self.worked_ms.unwrap_or(span))
    }

    /// When its program started. An engine may record the start after the program has run for a
    /// while; then the measured time shows that it started earlier.
    fn program_started_at(&self) -> Option<Timestamp> {
        let recorded = self.started_at?;
        let measured = self.ended_at.zip(self.worked_ms());
        let spawned =
            measured.map(|(ended, worked)| Timestamp(ended.0.saturating_sub_unsigned(worked)));
        Some(spawned.map_or(recorded, |spawned| spawned.min(recorded)))
    }

    fn waited_ms(&self) -> u64 {
        let until = self.program_started_at().or(self.ended_at);
        until.map_or(0, |until| until.ms_since(self.reserved_at))
    }
}

impl WorkTime {
    /// The times of a node with these attempts.
    #[must_use]
    pub fn of_attempts(attempts: impl IntoIterator<Item = AttemptTimes>) -> Self {
        let mut times = Self {
            worked_ms: Some(0),
            waited_ms: 0,
            elapsed_ms: None,
            working_since: None,
        };
        let (mut first, mut last, mut live) = (None, None, false);
        for attempt in attempts {
            times.waited_ms = times.waited_ms.saturating_add(attempt.waited_ms());
            first = first.into_iter().chain(attempt.program_started_at()).min();
            match attempt.ended_at {
                Some(end) => {
                    last = last.max(Some(end));
                    let worked = times.worked_ms.zip(attempt.worked_ms());
                    times.worked_ms = worked.map(|(all, one)| all.saturating_add(one));
                }
                None => {
                    live = true;
                    times.working_since = times.working_since.max(attempt.started_at);
                }
            }
        }
        if let (false, Some(first), Some(last)) = (live, first, last) {
            times.elapsed_ms = Some(last.ms_since(first));
        }
        times
    }

    /// How long the ended attempts of several nodes worked together; `None` if unknown for any.
    /// Nodes work at the same time, so this can be more than the run's elapsed time.
    #[must_use]
    pub fn total_worked_ms(nodes: impl IntoIterator<Item = Self>) -> Option<u64> {
        nodes.into_iter().try_fold(0, |all: u64, node| {
            Some(all.saturating_add(node.worked_ms?))
        })
    }
}

#[cfg(test)]
mod tests;
