//! States that a run can be taken back to.

use crate::{Attempt, Timestamp};

use super::state::{NodeState, PauseReason, RunState};
use super::{NodeRun, Refusal, Run, is_asking, is_live, is_reserved, is_retrying};

/// The state of a run at one moment.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// What a person calls it.
    pub name: String,
    /// When it was made.
    pub at: Timestamp,
    /// Whatever the person wants to keep with it.
    pub data: serde_json::Value,
    /// The snapshot of the files.
    pub files: Option<String>,
    nodes: Vec<Kept>,
}

/// What is kept of one node.
#[derive(Debug, Clone)]
struct Kept {
    state: NodeState,
    attempt: Attempt,
    taken: Option<bool>,
    stale: bool,
    unverified: bool,
}

impl Checkpoint {
    /// How many nodes were done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| matches!(node.state, NodeState::Done { .. }))
            .count()
    }
}

impl Run {
    pub(super) fn keep_checkpoint(
        &mut self,
        at: Timestamp,
        name: &str,
        data: &serde_json::Value,
        files: Option<&String>,
    ) {
        let keep = |node: &NodeRun| Kept {
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
                names: super::advance::named(&busy),
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

    /// Takes every node back. Attempts since then are kept in the history; a node that was done then and has run
    /// again since is done, and stale.
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
        self.stopped_for_a_pause.clear();
        self.inherited_checks = None;
        self.touched.extend(0..self.nodes.len());
        self.work_out_again();
        // What had begun may have outlived the reason why it could: its parents are asked again.
        for number in under_way {
            self.set_state(number, NodeState::Pending);
        }
        self.state = RunState::Paused {
            reason: PauseReason::RolledBack,
        };
    }
}
