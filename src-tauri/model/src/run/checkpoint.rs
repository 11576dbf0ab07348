//! Checkpoints that a run can be rolled back to.

use crate::{Attempt, Timestamp};

use super::state::{NodeState, PauseReason, RunState};
use super::{NodeRun, Refusal, Run, is_asking, is_live, is_reserved, is_retrying};

/// The state of a run at one moment.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Checkpoint {
    /// The name that a person gave it.
    pub name: String,
    pub at: Timestamp,
    /// Arbitrary data from the person who created it.
    pub data: serde_json::Value,
    /// The ID of the snapshot of the files, if there is one.
    pub files: Option<String>,
    nodes: Vec<CheckpointNode>,
}

/// The stored state of one node.
#[derive(Debug, Clone)]
struct CheckpointNode {
    state: NodeState,
    attempt: Attempt,
    taken: Option<bool>,
    stale: bool,
    unverified: bool,
}

impl Checkpoint {
    /// The number of finished nodes.
    #[must_use]
    pub fn done_count(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| matches!(node.state, NodeState::Done { .. }))
            .count()
    }
}

impl Run {
    pub(super) fn record_checkpoint(
        &mut self,
        at: Timestamp,
        name: &str,
        data: &serde_json::Value,
        files: Option<&String>,
    ) {
        let keep = |node: &NodeRun| CheckpointNode {
            state: node.state.clone(),
            attempt: node.attempt,
            taken: node.taken,
            stale: node.stale,
            unverified: node.unverified,
        };
        let nodes = self.nodes.iter().map(keep).collect();
        let (name, data, files) = (name.to_owned(), data.clone(), files.cloned());
        self.checkpoints.push(Checkpoint {
            name,
            at,
            data,
            files,
            nodes,
        });
    }

    pub(super) fn decide_rollback(&self, checkpoint: u32) -> Result<(), Refusal> {
        let busy = self.titles(|state| is_live(state) || is_reserved(state));
        if !busy.is_empty() {
            return Err(Refusal::StillRunning {
                names: super::advance::format_titles(&busy),
            });
        }
        let count = u32::try_from(self.checkpoints.len()).unwrap_or(u32::MAX);
        if checkpoint >= count {
            return Err(Refusal::NoCheckpoint {
                number: checkpoint,
                count,
            });
        }
        Ok(())
    }

    /// Rolls back every node. Later attempts stay in the history. A node that was done at the
    /// checkpoint and has run again since is done and stale.
    pub(super) fn roll_back(&mut self, checkpoint: u32) {
        let Some(checkpoint) = self.checkpoints.get(checkpoint as usize).cloned() else {
            return;
        };
        let mut under_way = Vec::new();
        for (number, (node, then)) in self.nodes.iter_mut().zip(checkpoint.nodes).enumerate() {
            let at_rest = !(is_live(&then.state)
                || is_reserved(&then.state)
                || is_asking(&then.state)
                || is_retrying(&then.state));
            let done = matches!(then.state, NodeState::Done { .. });
            node.stale = done && (then.stale || node.attempt != then.attempt);
            node.unverified = done && then.unverified && node.attempt == then.attempt;
            node.state = if at_rest {
                then.state
            } else {
                under_way.push(number);
                NodeState::Pending
            };
            node.taken = then.taken;
            node.own_failures = 0;
            node.losses = 0;
            node.spent_at_reset = node.spent;
            node.approved = false;
            node.resume_next = false;
            node.continuation = None;
        }
        self.stopped_for_pause.clear();
        self.inherited_checks = None;
        self.touched.extend(0..self.nodes.len());
        self.recompute_derived();
        // An attempt that had begun may no longer have a reason to start, so its parents are
        // evaluated again.
        for number in under_way {
            self.set_state(number, NodeState::Pending);
        }
        self.state = RunState::Paused {
            reason: PauseReason::RolledBack,
        };
    }
}
