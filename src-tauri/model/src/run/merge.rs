//! Work of several parents that does not fit together, and what a person says to it.
//!
//! The conflict is found before the node's session starts, in a worktree; the plan's directory is untouched. A person
//! decides. An agent that was asked to solve it works in an attempt of the node that does nothing else.

use serde::{Deserialize, Serialize};

use crate::{Attempt, NodeId, Outcome};

use super::event::Event;
use super::state::{NodeState, WaitingFor};
use super::{Refusal, Run, is_live, is_reserved};

/// Files that several parents changed, or a parent and the plan's directory, in ways that do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// Which commits were to be merged: the same conflict has the same id after a crash.
    pub id: String,
    /// Whose work is above the middle of each conflict marker.
    pub ours: String,
    /// Whose work is below it.
    pub theirs: String,
    /// The files, sorted by path.
    pub files: Vec<ConflictFile>,
    /// The worktree in which they stand with their markers.
    pub place: String,
    /// Why the last try to solve it does not count, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub still: Option<String>,
}

/// One file of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct ConflictFile {
    /// Relative to the root of the repository.
    pub path: String,
    /// What is wrong with it.
    pub kind: ConflictKind,
}

/// What keeps git from merging a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// Both changed the same lines: markers stand in the file.
    Lines,
    /// Both changed a file that is no text: there are no markers, and the upper side's content is there.
    Binary,
    /// One changed what the other deleted.
    Deleted,
    /// Anything else: renames, files where folders are.
    Other,
}

/// How a conflict is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// The files of the worktree count as they are now. Markers that are left in them keep the conflict open.
    ByHand,
    /// An agent solves it in the worktree, in an attempt of its own.
    Agent,
    /// Of each file in conflict, what stands above the middle: the whole file.
    Ours,
    /// Of each file in conflict, what stands below the middle: the whole file.
    Theirs,
}

/// What was decided on which conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The conflict's id.
    pub conflict: String,
    /// How.
    pub resolution: Resolution,
}

impl Run {
    /// The attempt is taken back, since nothing of it has begun, and the node waits for a person.
    pub(super) fn decide_conflicted(
        &self,
        node: NodeId,
        attempt: Attempt,
        conflict: &Conflict,
    ) -> Result<Vec<Event>, Refusal> {
        let (number, current) = self.current(node, attempt)?;
        if !is_reserved(&current.state) {
            return Ok(Vec::new());
        }
        let mut events = vec![Event::NodeWithdrawn { node, attempt }];
        // A run that is being paused or ended asks nobody; the conflict is found again when the node's turn comes.
        if !self.is_overtaken(number)
            && matches!(
                self.state,
                super::RunState::Running {
                    ending: None | Some(super::Ending::Aborting { .. })
                }
            )
        {
            events.push(Event::NodeConflicted {
                node,
                conflict: conflict.clone(),
            });
        }
        Ok(events)
    }

    pub(super) fn decide_merge(
        &self,
        node: NodeId,
        resolution: Resolution,
    ) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        match &self.nodes[number].state {
            NodeState::Waiting {
                what: WaitingFor::Merge { .. },
            } => Ok(vec![Event::MergeDecided { node, resolution }]),
            _ => Err(Refusal::NotAsked {
                title: self.title(number).to_owned(),
            }),
        }
    }

    pub(super) fn decide_merge_tried(
        &self,
        node: NodeId,
        attempt: Attempt,
        outcome: &Outcome,
    ) -> Result<Vec<Event>, Refusal> {
        let (number, _) = self.current(node, attempt)?;
        let tried = Event::MergeTried {
            node,
            attempt,
            outcome: outcome.clone(),
        };
        Ok(std::iter::once(tried)
            .chain(self.after_stop(number, outcome))
            .collect())
    }

    /// Takes note of what the person wants, on the conflict that they were shown.
    pub(super) fn note_resolution(&mut self, number: usize, resolution: Resolution) {
        if let NodeState::Waiting {
            what: WaitingFor::Merge { conflict },
        } = &self.nodes[number].state
        {
            let conflict = conflict.id.clone();
            self.nodes[number].decided = Some(Decided {
                conflict,
                resolution,
            });
        }
        self.set_state(number, NodeState::Pending);
    }

    /// The conflict counts as solved when the agent did its work, and is asked about again when it did not.
    pub(super) fn note_merge(&mut self, number: usize, outcome: &Outcome) {
        let node = &mut self.nodes[number];
        node.decided = match outcome {
            Outcome::Succeeded => node.decided.take().map(|decided| Decided {
                resolution: Resolution::ByHand,
                ..decided
            }),
            _ => None,
        };
        self.open_again(number);
    }

    /// Whether the event of a merge may follow on the state of its node.
    pub(super) fn merge_fits(&self, event: &Event) -> bool {
        let state = event
            .node()
            .and_then(|node| self.node(node))
            .map(|run| (&run.state, run.attempt));
        match (event, state) {
            (Event::NodeConflicted { .. }, Some((state, _))) => {
                self.state.is_running() && *state == NodeState::Pending
            }
            (Event::MergeDecided { .. }, Some((state, _))) => {
                matches!(
                    state,
                    NodeState::Waiting {
                        what: WaitingFor::Merge { .. }
                    }
                )
            }
            (Event::MergeTried { attempt, .. }, Some((state, current))) => {
                *attempt == current && (is_live(state) || is_reserved(state))
            }
            _ => false,
        }
    }
}
