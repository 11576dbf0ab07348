//! What an executor found when it took a running run over, and what happens before the run goes on.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::state::{Ending, NodeState, RunState};
use super::{Run, is_live, is_reserved};
use crate::plan::OnTakeover;
use crate::{Attempt, ExecutorId, NodeId, SessionId, Timestamp};

/// How many nodes a record names of each kind; more are counted.
const NAMED_LIMIT: usize = 200;
/// The most bytes that are kept of the words of a failure.
const MESSAGE_LIMIT: usize = 2000;

/// What was known at the moment of a takeover. The history keeps it: the tables that it comes from move on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TakeoverRecord {
    /// Who had the run before.
    pub former: FormerExecutor,
    /// Why it was taken over.
    pub reason: TakeoverReason,
    /// The goal of the plan.
    pub goal: String,
    /// The title of the plan.
    pub plan: String,
    /// Milliseconds since the run began.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub elapsed_ms: u64,
    /// The nodes that were done and are not run again; the first ones of very many.
    pub inherited: Vec<NodeId>,
    /// How many nodes were done.
    pub inherited_count: u32,
    /// The sessions that were reserved or at work; the first ones of very many.
    pub unfinished: Vec<UnfinishedSession>,
    /// Where the run had failed by then; the first ones of very many.
    pub failures: Vec<FailurePoint>,
    /// How many nodes are still to be done, those under way included.
    pub remaining_count: u32,
}

/// An executor that lost a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FormerExecutor {
    /// Its id.
    pub executor: ExecutorId,
    /// Its process id, if it is known.
    pub pid: Option<u32>,
    /// What kind of process it was, for people: "worker".
    pub kind: Option<String>,
    /// The name of its machine.
    pub host: Option<String>,
    /// When it last said that it lived.
    pub last_beat: Option<Timestamp>,
}

/// Why a run was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum TakeoverReason {
    /// Its executor had ended, or its process is provably gone.
    Left,
    /// Its executor said nothing for too long. It may still live.
    Silent {
        /// For how long, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
    /// Its executor belongs to another machine, so that nobody here knows whether it still lives.
    Foreign {
        /// How long it had said nothing, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        silence_ms: u64,
    },
}

impl TakeoverReason {
    /// Whether the one before may still have been at work. Otherwise Baton only goes on with what it left.
    #[must_use]
    pub fn displaces(&self) -> bool {
        !matches!(self, Self::Left)
    }
}

/// A session that had not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UnfinishedSession {
    /// Its node.
    pub node: NodeId,
    /// Which attempt.
    pub attempt: Attempt,
    /// The session.
    pub session: SessionId,
    /// It was known to be at work. Otherwise a place was set aside for it.
    pub started: bool,
    /// The last line that it printed, or that its agent said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub last_line: Option<String>,
}

/// A node that had failed, was interrupted, or is being tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FailurePoint {
    /// The node.
    pub node: NodeId,
    /// Its latest attempt.
    pub attempt: Attempt,
    /// What is known of it, as a fragment for people.
    pub message: String,
}

impl Run {
    /// What is found by whoever takes the run over at `now`. Last lines are the caller's to add.
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

    /// A run whose executor was displaced is not simply gone on with.
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
            OnTakeover::Verify => self.begin_to_verify(),
            OnTakeover::Review => {
                self.inherited_checks = None;
                self.state = RunState::Running {
                    ending: Some(Ending::Reviewing),
                };
            }
        }
    }

    /// How the run goes when nothing holds it: inherited work is looked at before anything starts.
    pub(super) fn free_state(&self) -> RunState {
        RunState::Running {
            ending: self.inherited_checks.is_some().then_some(Ending::Verifying),
        }
    }

    /// What the next executor does about checks that are still to be made.
    pub(super) fn orders_to_verify(&self) -> Vec<Effect> {
        let verify = self.verify_order();
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
