//! The state of a plan in one word, for programs: its review and its latest run together.

use serde::{Deserialize, Serialize};

use crate::{ReviewState, RunState};

/// A plan's state, as the REST API and the lists of programs name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// It hasn't run, or was approved again since.
    Pending,
    /// Its latest run is running, or a new version is being planned for it.
    Running,
    /// Its latest run continues only after a person did something.
    Paused,
    /// Its latest run is completed.
    Completed,
    /// Its latest run has failed.
    Failed,
    /// Its latest run was canceled, or the plan was rejected before it ran.
    Cancelled,
}

impl PlanStatus {
    /// All of them, in the order of a plan's life.
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::Running,
        Self::Paused,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
    ];

    /// The status of a plan.
    #[must_use]
    pub fn of(review: ReviewState, latest: Option<&LatestRun<'_>>) -> Self {
        // The approval of a version ends what the runs of earlier versions say of the plan.
        let counts = |run: &&LatestRun<'_>| review != ReviewState::Approved || run.is_current;
        match latest.filter(counts) {
            Some(run) => run.status(),
            None => match review {
                ReviewState::Rejected | ReviewState::Cancelled => Self::Cancelled,
                ReviewState::Draft
                | ReviewState::Proposed
                | ReviewState::NeedsReview
                | ReviewState::Approved => Self::Pending,
            },
        }
    }

    /// The serialized name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What the latest run of a plan says of the plan.
#[derive(Debug, Clone, Copy)]
pub struct LatestRun<'a> {
    /// Its state.
    pub state: &'a RunState,
    /// Whether every node that could go on waits for a person.
    pub waits_for_person: bool,
    /// Whether it executes the plan's newest version.
    pub is_current: bool,
}

impl LatestRun<'_> {
    fn status(&self) -> PlanStatus {
        match self.state {
            RunState::Running { .. } if self.waits_for_person => PlanStatus::Paused,
            RunState::Running { .. } | RunState::Replanning { .. } => PlanStatus::Running,
            RunState::Paused { .. } | RunState::Stalled { .. } => PlanStatus::Paused,
            RunState::Completed => PlanStatus::Completed,
            RunState::Failed { .. } => PlanStatus::Failed,
            RunState::Cancelled => PlanStatus::Cancelled,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::run::PauseReason;

    /// Covers every review state with every run state. The table is the specification.
    #[test]
    fn table_of_statuses() {
        use ReviewState::*;
        let message = || "a".to_owned();
        let runs = [
            ("running", RunState::Running { ending: None }, false),
            (
                "waiting for a person",
                RunState::Running { ending: None },
                true,
            ),
            (
                "paused",
                RunState::Paused {
                    reason: PauseReason::Asked,
                },
                false,
            ),
            ("stalled", RunState::Stalled { message: message() }, false),
            ("completed", RunState::Completed, false),
            (
                "failed",
                RunState::Failed {
                    message: message(),
                    handler: None,
                },
                false,
            ),
            ("canceled", RunState::Cancelled, false),
        ];
        let mut table = String::new();
        for review in [Draft, Proposed, Approved, Rejected, NeedsReview, Cancelled] {
            let none = PlanStatus::of(review, None).as_str();
            writeln!(table, "{review:?}, no run: {none}").expect("a text grows");
            for (name, state, waits_for_person) in &runs {
                let status = |is_current| {
                    let (state, waits_for_person) = (state, *waits_for_person);
                    let run = LatestRun {
                        state,
                        waits_for_person,
                        is_current,
                    };
                    PlanStatus::of(review, Some(&run)).as_str()
                };
                let (current, older) = (status(true), status(false));
                writeln!(
                    table,
                    "{review:?}, {name}: {current}, of an older version: {older}"
                )
                .expect("a text grows");
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn names_are_the_serialized_ones() {
        for status in PlanStatus::ALL {
            let json = serde_json::to_value(status).expect("serializes");
            assert_eq!(json, status.as_str());
        }
    }
}
