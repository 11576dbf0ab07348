//! States that a run can be taken back to (product E10).

use crate::{Attempt, Timestamp};

use super::state::{NodeState, PauseReason, RunState};
use super::{Refusal, Run, is_asking, is_live, is_reserved, is_retrying};

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
    nodes: Vec<(NodeState, Attempt)>,
}

impl Checkpoint {
    /// How many nodes were done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.nodes.iter().filter(|(state, _)| matches!(state, NodeState::Done { .. })).count()
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
        let nodes = self.nodes.iter().map(|node| (node.state.clone(), node.attempt)).collect();
        let (name, data, files) = (name.to_owned(), data.clone(), files.cloned());
        self.checkpoints.push(Checkpoint { name, at, data, files, nodes });
    }

    pub(super) fn decide_rollback(&self, checkpoint: u32) -> Result<(), Refusal> {
        let busy = self.titles(|state| is_live(state) || is_reserved(state));
        if !busy.is_empty() {
            return Err(Refusal::StillRunning { names: super::advance::named(&busy) });
        }
        let count = u32::try_from(self.checkpoints.len()).unwrap_or(u32::MAX);
        if checkpoint >= count {
            return Err(Refusal::NoCheckpoint { number: checkpoint, count });
        }
        Ok(())
    }

    /// Takes every node back. Attempts since then are kept in the history; a node that was done then and has run
    /// again since is done, and stale.
    pub(super) fn roll_back(&mut self, checkpoint: u32) {
        let Some(checkpoint) = self.checkpoints.get(checkpoint as usize).cloned() else { return };
        for (number, (then, attempt)) in checkpoint.nodes.into_iter().enumerate() {
            let ran_again = self.nodes[number].attempt != attempt;
            let at_rest = !(is_live(&then) || is_reserved(&then) || is_asking(&then) || is_retrying(&then));
            let state = if at_rest { then } else { NodeState::Pending };
            let node = &mut self.nodes[number];
            node.own_failures = 0;
            node.losses = 0;
            node.approved = false;
            node.stale = ran_again && matches!(state, NodeState::Done { .. });
            if node.state != state {
                self.set_state(number, state);
            }
            self.touched.insert(number);
        }
        self.state = RunState::Paused { reason: PauseReason::RolledBack };
    }
}
