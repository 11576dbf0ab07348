//! What an executor found when it took over a running run, and what happens before the run resumes.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::state::{Ending, NodeState, RunState};
use super::{Run, is_live, is_reserved};
use crate::plan::OnTakeover;
use crate::{Attempt, ExecutorId, NodeId, SessionId, Timestamp};

/// The maximum number of nodes of each kind in a record; further ones are counted.
const NAMED_LIMIT: usize = 200;
/// The maximum size of a failure message, in bytes.
const MESSAGE_LIMIT: usize = 2000;

/// What was known at the time of a takeover. Stored in the history, because the underlying tables
/// change later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct TakeoverRecord {
    /// The executor that had the run before.
    pub former: FormerExecutor,
    pub reason: TakeoverReason,
    /// The goal of the plan.
    pub goal: String,
    /// The title of the plan.
    pub plan: String,
    /// Milliseconds since the run began.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub elapsed_ms: u64,
    /// The finished nodes, which are not run again; truncated if there are very many.
    pub inherited: Vec<NodeId>,
    /// The number of finished nodes.
    pub inherited_count: u32,
    /// The sessions that were reserved or running; truncated if there are very many.
    pub unfinished: Vec<UnfinishedSession>,
    /// Failures up to that time; truncated if there are very many.
    pub failures: Vec<FailurePoint>,
    /// The number of unfinished nodes, including running ones.
    pub remaining_count: u32,
}

/// An executor that lost a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct FormerExecutor {
    pub executor: ExecutorId,
    /// The process ID, if known.
    pub pid: Option<u32>,
    /// The kind of process, for people: "worker".
    pub kind: Option<String>,
    /// The host name of its machine.
    pub host: Option<String>,
    /// The time of its last heartbeat.
    pub last_beat: Option<Timestamp>,
}

/// Why a run was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum TakeoverReason {
    /// Its executor had ended, or its process is provably gone.
    Left,
    /// Its executor was silent for too long. It may still be alive.
    Silent {
        /// How long it had been silent, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
    /// Its executor is on another machine, so it can't be determined whether it is alive.
    Foreign {
        /// How long it had been silent, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
}

impl TakeoverReason {
    /// Whether the previous executor may still have been working. Otherwise Baton simply continues
    /// the run.
    #[must_use]
    pub fn displaces(&self) -> bool {
        !matches!(self, Self::Left)
    }
}

/// A session that had not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct UnfinishedSession {
    pub node: NodeId,
    pub attempt: Attempt,
    pub session: SessionId,
    /// Whether it was known to be running. Otherwise a slot was reserved for it.
    pub started: bool,
    /// The last line of its output, or of its agent's messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub last_line: Option<String>,
}

/// A node that had failed, was interrupted, or is being retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct FailurePoint {
    pub node: NodeId,
    pub attempt: Attempt,
    /// What is known about it, as a fragment for people.
    pub message: String,
}

impl Run {
    /// The record for a takeover at `now`. The caller adds the last lines of output.
    #[must_use]
    pub fn takeover_record(
        &self,
        former: FormerExecutor,
        reason: TakeoverReason,
        now: Timestamp,
    ) -> TakeoverRecord {
        let done = || {
            self.nodes()
                .filter(|(_, run)| matches!(run.state, NodeState::Done { .. }))
        };
        let remaining = self
            .nodes()
            .filter(|(_, run)| !run.state.has_ended())
            .count();
        TakeoverRecord {
            former,
            reason,
            goal: self.plan.description.clone(),
            plan: self.plan.title.clone(),
            elapsed_ms: self.started_at.map_or(0, |began| now.ms_since(began)),
            inherited: done().take(NAMED_LIMIT).map(|(node, _)| node.id).collect(),
            inherited_count: count(done().count()),
            unfinished: self.unfinished_sessions().take(NAMED_LIMIT).collect(),
            failures: self.failure_points().take(NAMED_LIMIT).collect(),
            remaining_count: count(remaining),
        }
    }

    fn unfinished_sessions(&self) -> impl Iterator<Item = UnfinishedSession> {
        self.busy.iter().filter_map(|&number| {
            let run = &self.nodes[number];
            debug_assert!(
                is_live(&run.state) || is_reserved(&run.state),
                "what is busy has a session"
            );
            Some(UnfinishedSession {
                node: self.graph.id(number),
                attempt: run.attempt,
                session: run.session?,
                started: is_live(&run.state),
                last_line: None,
            })
        })
    }

    fn failure_points(&self) -> impl Iterator<Item = FailurePoint> {
        self.nodes().filter_map(|(node, run)| {
            let message = match &run.state {
                NodeState::Failed { failure, .. } => failure.to_string(),
                NodeState::Skipped {
                    reason: super::SkipReason::AfterFailure { failure },
                } => failure.to_string(),
                NodeState::Interrupted { detail } => detail.clone(),
                state if !state.has_ended() && run.own_failures + run.losses > 0 => {
                    let failed = run.own_failures + run.losses;
                    format!(
                        "{failed} failed {}",
                        if failed == 1 { "attempt" } else { "attempts" }
                    )
                }
                _ => return None,
            };
            let end = message.floor_char_boundary(MESSAGE_LIMIT);
            Some(FailurePoint {
                node: node.id,
                attempt: run.attempt,
                message: message[..end].to_owned(),
            })
        })
    }

    /// A run whose executor was displaced does not simply continue.
    pub(super) fn begin_after_displacement(&mut self, record: Option<&TakeoverRecord>) {
        let displaces = record.is_some_and(|record| record.reason.displaces());
        let goes_on = RunState::Running { ending: None };
        let verifies = RunState::Running {
            ending: Some(Ending::Verifying),
        };
        if !displaces || (self.state != goes_on && self.state != verifies) {
            return;
        }
        match self.plan.settings.on_takeover {
            OnTakeover::Continue => {
                self.inherited_checks = None;
                self.state = goes_on;
            }
            OnTakeover::Verify => self.begin_verification(),
            OnTakeover::Review => {
                self.inherited_checks = None;
                self.state = RunState::Running {
                    ending: Some(Ending::Reviewing),
                };
            }
        }
    }

    /// The state of the run if nothing else holds it: inherited work is checked before anything
    /// starts.
    pub(super) fn running_or_verifying(&self) -> RunState {
        RunState::Running {
            ending: self.inherited_checks.is_some().then_some(Ending::Verifying),
        }
    }

    /// The effects for outstanding checks, for a new executor.
    pub(super) fn verify_effects(&self) -> Vec<Effect> {
        let verify = self.verify_effect();
        let stop = verify.is_some() && self.stops_checks();
        verify
            .into_iter()
            .chain(stop.then_some(Effect::StopVerifying))
            .collect()
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
