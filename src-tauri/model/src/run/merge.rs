//! Merge conflicts between the work of several parents, and a person's decision about them.
//!
//! The conflict is detected in a worktree before the node's session starts; the plan's directory is
//! untouched. A person decides. If an agent is asked to resolve it, it does so in a separate
//! attempt of the node.

use serde::{Deserialize, Serialize};

use crate::{Attempt, NodeId, Outcome};

use super::event::Event;
use super::state::{NodeState, WaitingFor};
use super::{Refusal, Run, is_live, is_reserved};

/// Files that several parents, or a parent and the plan's directory, changed in incompatible ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// Derived from the merged commits, so that it is the same after a crash.
    pub id: String,
    /// Whose work is in the upper part of each conflict marker.
    pub ours: String,
    /// Whose work is in the lower part.
    pub theirs: String,
    /// The files that git can't merge, sorted by path.
    pub files: Vec<ConflictFile>,
    /// The worktree that contains the files with markers.
    pub place: String,
    /// Why the last attempt to resolve it does not count, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub still: Option<String>,
}

/// One file of a conflict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub struct ConflictFile {
    /// Relative to the root of the repository.
    pub path: String,
    pub kind: ConflictKind,
}

/// Why git can't merge a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// Both changed the same lines. The file contains markers.
    Lines,
    /// Both changed a binary file. There are no markers; the file has the upper side's content.
    Binary,
    /// One side changed what the other deleted.
    Deleted,
    /// Anything else, such as renames or a file in place of a folder.
    Other,
}

/// How a conflict is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Use the files in the worktree as they are now. Remaining markers keep the conflict open.
    ByHand,
    /// An agent resolves it in the worktree, in a separate attempt.
    Agent,
    /// For each conflicting file, use the upper side's version of the whole file.
    Ours,
    /// For each conflicting file, use the lower side's version of the whole file.
    Theirs,
}

/// The decision about a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct MergeDecision {
    /// The ID of the conflict.
    pub conflict: String,
    pub resolution: Resolution,
}

impl Run {
    /// Withdraws the attempt, which has not started, and makes the node wait for a person.
    pub(super) fn decide_conflicted(
        &self,
        node: NodeId,
        attempt: Attempt,
        conflict: &Conflict,
    ) -> Result<Vec<Event>, Refusal> {
        let (number, current) = self.current_attempt(node, attempt)?;
        if !is_reserved(&current.state) {
            return Ok(Vec::new());
        }
        let mut events = vec![Event::NodeWithdrawn { node, attempt }];
        // A run that is being paused or ended asks no one. The conflict is detected again when the
        // node's turn comes.
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
        let (number, _) = self.current_attempt(node, attempt)?;
        let tried = Event::MergeTried {
            node,
            attempt,
            outcome: outcome.clone(),
        };
        Ok(std::iter::once(tried)
            .chain(self.after_stop(number, outcome))
            .collect())
    }

    /// Records the person's decision about the conflict that was shown.
    pub(super) fn note_resolution(&mut self, number: usize, resolution: Resolution) {
        if let NodeState::Waiting {
            what: WaitingFor::Merge { conflict },
        } = &self.nodes[number].state
        {
            let conflict = conflict.id.clone();
            self.nodes[number].decided = Some(MergeDecision {
                conflict,
                resolution,
            });
        }
        self.set_state(number, NodeState::Pending);
    }

    /// The conflict counts as resolved if the agent succeeded. Otherwise the person is asked again.
    pub(super) fn note_merge(&mut self, number: usize, outcome: &Outcome) {
        let node = &mut self.nodes[number];
        node.decided = match outcome {
            Outcome::Succeeded => node.decided.take().map(|decided| MergeDecision {
                resolution: Resolution::ByHand,
                ..decided
            }),
            _ => None,
        };
        self.reopen(number);
    }

    /// Whether a merge event is valid in the state of its node.
    pub(super) fn accepts_merge_event(&self, event: &Event) -> bool {
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
