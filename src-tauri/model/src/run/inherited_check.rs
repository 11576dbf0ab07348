//! Verifies inherited work after a takeover: command criteria are rerun before anything new starts.
//! Nothing fails because of it; a node is only marked as unverified.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Run;
use super::command::Refusal;
use super::effect::Effect;
use super::event::Event;
use super::parent_counts::runs_after_failure;
use super::state::{Ending, NodeState, RunState};
use crate::duration::format_duration;
use crate::node::Criterion;
use crate::{Attempt, Epoch, NodeId, SessionId};

/// The time limit for all checks after one takeover, in milliseconds.
pub const VERIFY_BUDGET_MS: u64 = 5 * 60 * 1000;
/// A command that took longer than this last time is not rerun. In milliseconds.
pub const VERIFY_CHECK_LIMIT_MS: u64 = 30 * 1000;

/// The result of rechecking one criterion after a takeover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InheritedCheck {
    /// The criterion's command line.
    pub criterion: String,
    /// How it ended when the node was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub then: Option<CheckEnd>,
    /// The result of the recheck.
    pub now: RecheckResult,
}

/// How a criterion's command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckEnd {
    /// The exit code; `None` if a signal terminated it.
    pub code: Option<i32>,
    /// How long the command ran, in milliseconds.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub took_ms: u64,
}

/// The result of rechecking a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum RecheckResult {
    /// It is still met.
    Held { end: CheckEnd },
    /// It is no longer met.
    Broken {
        end: CheckEnd,
        /// The end of its output.
        detail: String,
    },
    /// It was not run.
    NotRun { why: NotRun },
}

/// Why a criterion was not checked again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum NotRun {
    /// No file has changed since it was met.
    Unchanged,
    /// It was not met when the node was done, or the result is unknown.
    NeverHeld,
    /// Its directory is gone.
    DirectoryGone,
    /// A session is running in its directory.
    SessionRuns,
    /// It took too long last time.
    TooSlow {
        /// How long it took last time, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        took_ms: u64,
    },
    /// The time limit for all checks was reached before or during it.
    OutOfTime,
    /// A person ended or paused the run, or the run reached a limit.
    Stopped,
    /// It did not finish.
    Unknown {
        /// What is known about it.
        detail: String,
    },
}

/// A finished node whose criteria should be checked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct InheritedNode {
    pub node: NodeId,
    /// The attempt that did the work.
    pub attempt: Attempt,
    /// The session of that attempt.
    pub session: SessionId,
}

/// The outstanding checks after a takeover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InheritedChecks {
    /// The epoch of the takeover that requested them. A later adoption continues them.
    epoch: Epoch,
    /// The nodes without a result.
    open: BTreeSet<usize>,
    /// The time used by finished checks, in milliseconds.
    took_ms: u64,
}

impl InheritedCheck {
    /// Why the work is unverified, as a fragment for people.
    fn failure_reason(&self) -> Option<String> {
        let RecheckResult::Broken { end, detail } = &self.now else {
            return None;
        };
        let then = self.then.map_or("unknown".to_owned(), CheckEnd::describe);
        let last = detail
            .trim()
            .lines()
            .last()
            .map(|line| format!(": {line}"))
            .unwrap_or_default();
        Some(format!(
            "`{}` passed before the takeover ({then}) and now fails ({}){last}",
            self.criterion,
            end.describe()
        ))
    }
}

impl CheckEnd {
    /// "exit 1 after 2 s".
    #[must_use]
    pub fn describe(self) -> String {
        let took = format_duration(self.took_ms);
        self.code.map_or_else(
            || format!("terminated by a signal after {took}"),
            |code| format!("exit {code} after {took}"),
        )
    }
}

impl Run {
    /// Whether inherited work is still being checked.
    #[must_use]
    pub fn is_verifying(&self) -> bool {
        self.inherited_checks.is_some()
    }

    /// Makes the run wait until every finished node with rerunnable commands has a result.
    pub(super) fn begin_verification(&mut self) {
        let open: BTreeSet<usize> = (0..self.nodes.len())
            .filter(|&number| self.may_be_verified(number))
            .collect();
        let epoch = self.epoch;
        self.inherited_checks = (!open.is_empty()).then_some(InheritedChecks {
            epoch,
            open,
            took_ms: 0,
        });
        self.state = self.running_or_verifying();
    }

    fn may_be_verified(&self, number: usize) -> bool {
        let (definition, node) = (self.definition(number), &self.nodes[number]);
        let asks = |criterion: &Criterion| match criterion {
            Criterion::Run {
                verify_on_takeover, ..
            } => *verify_on_takeover && !criterion.is_empty(),
            Criterion::Sentence(_) | Criterion::Ask { .. } => false,
        };
        node.state == NodeState::Done { by_hand: false }
            && node.session.is_some()
            && !node.unverified
            && definition
                .acceptance_criteria
                .iter()
                .any(|criterion| asks(criterion) && self.plan.checks(definition, criterion))
    }

    pub(super) fn verify_effect(&self) -> Option<Effect> {
        let checks = self.inherited_checks.as_ref()?;
        let nodes = checks.open.iter().filter_map(|&number| {
            let run = &self.nodes[number];
            Some(InheritedNode {
                node: self.graph.id(number),
                attempt: run.attempt,
                session: run.session?,
            })
        });
        let budget_ms = VERIFY_BUDGET_MS.saturating_sub(checks.took_ms);
        Some(Effect::VerifyInherited {
            epoch: checks.epoch,
            nodes: nodes.collect(),
            budget_ms,
        })
    }

    /// Whether the run is being ended, so checks are not waited for.
    pub(super) fn stops_checks(&self) -> bool {
        matches!(
            self.state,
            RunState::Running {
                ending: Some(
                    Ending::Cancelling
                        | Ending::TimeUp { .. }
                        | Ending::BudgetSpent
                        | Ending::Aborting { .. }
                        | Ending::Pausing { stop_running: true }
                )
            }
        )
    }

    /// The effect that stops the checks, if there are any.
    pub(super) fn stop_checks(&self) -> Option<Effect> {
        self.inherited_checks
            .is_some()
            .then_some(Effect::StopVerifying)
    }

    pub(super) fn decide_inherited(
        &self,
        (node, attempt): (NodeId, Attempt),
        epoch: Epoch,
        checks: &[InheritedCheck],
        took_ms: u64,
    ) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        if !self.awaits_check(number, epoch) {
            return Err(Refusal::Late {
                title: self.title(number).to_owned(),
                attempt,
            });
        }
        let doubts: Vec<String> = checks
            .iter()
            .filter_map(InheritedCheck::failure_reason)
            .collect();
        let run = &self.nodes[number];
        let still_done = run.attempt == attempt && matches!(run.state, NodeState::Done { .. });
        let checked = Event::InheritedChecked {
            node,
            attempt,
            epoch,
            checks: checks.to_vec(),
            took_ms,
        };
        let doubt = doubts.join("; ");
        let doubted = (still_done && !doubts.is_empty()).then_some(Event::NodeUnverified {
            node,
            attempt,
            doubt,
        });
        // The node must be marked before the last result lets the run continue.
        Ok(doubted
            .into_iter()
            .chain(std::iter::once(checked))
            .collect())
    }

    pub(super) fn awaits_check(&self, number: usize, epoch: Epoch) -> bool {
        let checks = self.inherited_checks.as_ref();
        checks.is_some_and(|checks| checks.epoch == epoch && checks.open.contains(&number))
    }

    /// Records the result of one node. After the last one the run continues.
    pub(super) fn note_inherited(&mut self, number: usize, took_ms: u64) -> Vec<Effect> {
        if let Some(checks) = &mut self.inherited_checks {
            checks.open.remove(&number);
            checks.took_ms = checks.took_ms.saturating_add(took_ms);
        }
        self.inherited_checks
            .take_if(|checks| checks.open.is_empty());
        if self.inherited_checks.is_some() {
            return Vec::new();
        }
        if self.state
            == (RunState::Running {
                ending: Some(Ending::Verifying),
            })
        {
            self.state = self.running_or_verifying();
        }
        match &self.state {
            RunState::Running { ending: None } => self.start_reserved(|_| true),
            RunState::Running {
                ending: Some(Ending::Aborting { .. } | Ending::TimeUp { .. }),
            } => self.start_reserved(runs_after_failure),
            _ => Vec::new(),
        }
    }
}
