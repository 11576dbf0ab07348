//! Whether the work that an executor inherits still holds: its commands among the acceptance criteria run again before
//! anything new starts. Nothing fails because of it; a node is marked unverified.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Run;
use super::command::Refusal;
use super::effect::Effect;
use super::event::Event;
use super::state::{Ending, NodeState, RunState};
use super::tally::runs_after_failure;
use crate::duration::format_duration;
use crate::node::Criterion;
use crate::{Attempt, Epoch, NodeId, SessionId};

/// How long all checks after one takeover may take together, in milliseconds.
pub const VERIFY_BUDGET_MS: u64 = 5 * 60 * 1000;
/// A command that took longer than this when it ran last is not run again, in milliseconds.
pub const VERIFY_CHECK_LIMIT_MS: u64 = 30 * 1000;

/// What came of one criterion after a takeover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InheritedCheck {
    /// The command line.
    pub criterion: String,
    /// How it had ended when the node was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub then: Option<CheckEnd>,
    /// What came of it now.
    pub now: Recheck,
}

/// How a command that checks ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CheckEnd {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// How long it took, in milliseconds.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub took_ms: u64,
}

/// What came of the second look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Recheck {
    /// It holds.
    Held {
        /// How it ended.
        end: CheckEnd,
    },
    /// It does not hold any more.
    Broken {
        /// How it ended.
        end: CheckEnd,
        /// The end of its output.
        detail: String,
    },
    /// It was not run.
    NotRun {
        /// Why.
        why: NotRun,
    },
}

/// Why a criterion was not looked at again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum NotRun {
    /// No file has changed since it held.
    Unchanged,
    /// It did not hold when the node was done, or nobody knows.
    NeverHeld,
    /// Its directory is gone.
    DirectoryGone,
    /// A session is at work in its directory.
    SessionRuns,
    /// It took too long when it ran last.
    TooSlow {
        /// How long, in milliseconds.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        took_ms: u64,
    },
    /// The time for all checks was up, before it or while it ran.
    OutOfTime,
    /// A person ended or paused the run, or the run reached a limit.
    Stopped,
    /// It did not come to an end of its own.
    Unknown {
        /// What is known.
        detail: String,
    },
}

/// A finished node whose criteria are to be looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InheritedNode {
    /// The node.
    pub node: NodeId,
    /// The attempt that did it.
    pub attempt: Attempt,
    /// The session of that attempt.
    pub session: SessionId,
}

/// The checks that are still to be made after a takeover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InheritedChecks {
    /// The takeover that asks for them. An adoption in between goes on with them.
    epoch: Epoch,
    /// The nodes whose result is not known yet.
    open: BTreeSet<usize>,
    /// What those took whose result is known, in milliseconds.
    took_ms: u64,
}

impl InheritedCheck {
    /// What speaks against the work, as a fragment for people.
    fn doubt(&self) -> Option<String> {
        let Recheck::Broken { end, detail } = &self.now else {
            return None;
        };
        let then = self.then.map_or("unknown".to_owned(), CheckEnd::words);
        let last = detail
            .trim()
            .lines()
            .last()
            .map(|line| format!(": {line}"))
            .unwrap_or_default();
        Some(format!(
            "`{}` held before the takeover ({then}), and fails now ({}){last}",
            self.criterion,
            end.words()
        ))
    }
}

impl CheckEnd {
    /// "exit 1 after 2 s".
    #[must_use]
    pub fn words(self) -> String {
        let took = format_duration(self.took_ms);
        self.code.map_or_else(
            || format!("ended by a signal after {took}"),
            |code| format!("exit {code} after {took}"),
        )
    }
}

impl Run {
    /// Whether inherited work is still being looked at.
    #[must_use]
    pub fn is_verifying(&self) -> bool {
        self.inherited_checks.is_some()
    }

    /// Finished nodes with commands to run again hold the run until each has its result.
    pub(super) fn begin_to_verify(&mut self) {
        let open: BTreeSet<usize> = (0..self.nodes.len())
            .filter(|&number| self.may_be_verified(number))
            .collect();
        let epoch = self.epoch;
        self.inherited_checks = (!open.is_empty()).then_some(InheritedChecks {
            epoch,
            open,
            took_ms: 0,
        });
        self.state = self.free_state();
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

    pub(super) fn verify_order(&self) -> Option<Effect> {
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

    /// Whether the run is being ended, so that nobody waits for checks to end.
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

    /// The order to end the checks at once, when there are any.
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
        let doubts: Vec<String> = checks.iter().filter_map(InheritedCheck::doubt).collect();
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
        // Before the last one lets the run go on, the node has to be marked.
        Ok(doubted
            .into_iter()
            .chain(std::iter::once(checked))
            .collect())
    }

    pub(super) fn awaits_check(&self, number: usize, epoch: Epoch) -> bool {
        let checks = self.inherited_checks.as_ref();
        checks.is_some_and(|checks| checks.epoch == epoch && checks.open.contains(&number))
    }

    /// One more node has its result. After the last one the run goes on.
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
            self.state = self.free_state();
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
