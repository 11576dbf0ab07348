//! Where the run continues after a node, if the node's policy names a target.

use super::effect::Effect;
use super::gate::outcome;
use super::parent_counts::{ParentCounts, ParentOutcome, Readiness};
use super::semantics::Semantics;
use super::state::{NodeState, SkipReason, WaitingFor};
use super::visit_counter;
use super::{Graph, Plan, Run, is_asking, is_retrying};
use crate::graph::Gate;
use crate::node::OnFailure;
use crate::{Node, NodeId};

/// How many nodes can jump to a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct JumpCounts {
    /// Those that have not ended and may still jump.
    pub(super) open: u32,
    /// Those that have jumped here.
    pub(super) made: u32,
}

impl JumpCounts {
    /// The initial counts for `plan`, before any node has ended.
    pub(super) fn all_open(plan: &Plan, graph: &Graph) -> Vec<Self> {
        let mut jumps = vec![Self::default(); graph.len()];
        for target in plan
            .nodes
            .iter()
            .flat_map(jump_targets)
            .filter_map(|target| graph.number(target))
        {
            jumps[target].open += 1;
        }
        jumps
    }
}

/// The possible jump targets of `node`, without duplicates.
pub(super) fn jump_targets(node: &Node) -> impl Iterator<Item = NodeId> {
    let after_failure = match node.on_failure {
        OnFailure::Node(target) => Some(target).filter(|_| node.on_success != Some(target)),
        OnFailure::Abort | OnFailure::Skip => None,
    };
    after_failure.into_iter().chain(node.on_success)
}

impl Run {
    /// The target at which the run continues because of how the node ended.
    pub(super) fn jump_target(&self, number: usize) -> Option<usize> {
        let target = match &self.nodes[number].state {
            NodeState::Done { .. } => self.definition(number).on_success,
            NodeState::Failed { went_on_at, .. } => *went_on_at,
            _ => None,
        };
        self.graph.number(target?)
    }

    /// Returns where the run would continue if the node failed for good: a node that can still
    /// start because of that failure. Without one, the failure is unhandled.
    pub(super) fn failure_target(&self, number: usize) -> Option<NodeId> {
        let OnFailure::Node(node) = self.definition(number).on_failure else {
            return None;
        };
        let target = self.graph.number(node)?;
        let handles = self.is_wanted(target)
            && (self.semantics == Semantics::V1 || self.may_be_jumped_to(target));
        handles.then_some(node)
    }

    fn may_be_jumped_to(&self, target: usize) -> bool {
        let is_passed_over = self.definition(target).disabled;
        // If another jump already leads there, this was decided at that time.
        let is_closed = || self.jumps[target].made == 0 && self.is_on_untaken_branch(target);
        let is_left_out = match &self.nodes[target].state {
            NodeState::Skipped {
                reason: SkipReason::JumpedOver { .. },
            } => true,
            NodeState::Skipped { reason } => reason.follows_from_parents(),
            _ => false,
        };
        (self.has_not_begun(target) || is_left_out) && !is_passed_over && !is_closed()
    }

    /// Whether the node has not started, although a person may be asked first.
    fn has_not_begun(&self, number: usize) -> bool {
        let is_held = |what: &WaitingFor| {
            matches!(what, WaitingFor::Approval { .. } | WaitingFor::Merge { .. })
        };
        match &self.nodes[number].state {
            NodeState::Waiting { what } => is_held(what),
            state => has_not_started(state),
        }
    }

    /// Whether all paths to the node, except jumps, come from untaken branches.
    fn is_on_untaken_branch(&self, number: usize) -> bool {
        let mut counts = ParentCounts::default();
        for (parent, gate) in self.graph.gated_parents(number) {
            visit_counter::count_visit();
            if gate == Gate::Failure
                || self.definition(parent).on_success == Some(self.graph.id(number))
            {
                continue;
            }
            let (state, taken) = (&self.nodes[parent].state, self.nodes[parent].taken);
            counts.add(match outcome(state, taken, gate) {
                // A jump over a parent does not rule out a jump to its child.
                ParentOutcome::NotRun
                    if matches!(
                        state,
                        NodeState::Skipped {
                            reason: SkipReason::JumpedOver { .. }
                        }
                    ) =>
                {
                    ParentOutcome::Open
                }
                ParentOutcome::Handled | ParentOutcome::Failed => ParentOutcome::Open,
                ParentOutcome::Tolerated => ParentOutcome::Passed,
                outcome => outcome,
            });
        }
        counts.not_run > 0 && counts.readiness(self.rule(number)) == Readiness::Skip
    }

    /// Returns what the node's current state counts for at its jump targets.
    pub(super) fn jump_counts_of(&self, number: usize) -> Vec<(usize, JumpCounts)> {
        let open = ParentOutcome::from_state(&self.nodes[number].state) == ParentOutcome::Open;
        let made = self.jump_target(number);
        let targets =
            jump_targets(self.definition(number)).filter_map(|target| self.graph.number(target));
        targets
            .map(|target| {
                (
                    target,
                    JumpCounts {
                        open: open.into(),
                        made: (made == Some(target)).into(),
                    },
                )
            })
            .collect()
    }

    /// Skips everything between a node and its jump target, in the plan's order, unless another
    /// jump leads there. Running nodes finish.
    pub(super) fn jump_from(&mut self, number: usize) -> Vec<Effect> {
        let Some(target) = self
            .jump_target(number)
            .filter(|&target| target > number + 1)
        else {
            return Vec::new();
        };
        let between = self
            .unfinished_nodes
            .range(number + 1..target)
            .copied()
            .inspect(|_| visit_counter::count_visit());
        let between: Vec<usize> = between
            .filter(|&between| self.jumps[between].made == 0)
            .collect();
        between
            .into_iter()
            .filter_map(|between| self.jump_over(between, number))
            .collect()
    }

    fn jump_over(&mut self, number: usize, by: usize) -> Option<Effect> {
        let reason = SkipReason::JumpedOver {
            by: self.graph.id(by),
        };
        match &self.nodes[number].state {
            state if has_not_started(state) => {}
            // Already skipped because of another node that this jump also passes.
            NodeState::Skipped { .. } => {}
            _ if self.semantics == Semantics::V1 => return None,
            state if is_asking(state) || is_retrying(state) => {
                self.withdraw_question_attempt(number)
            }
            state => {
                let is_reserved = super::is_reserved(state);
                self.overtaken.entry(number).or_default().insert(by);
                return is_reserved.then(|| self.withdraw(number)).flatten();
            }
        }
        self.set_state(number, NodeState::Skipped { reason });
        None
    }

    /// Whether the node was jumped over after its attempt had begun. The attempt finishes, and no
    /// other one follows.
    pub(super) fn is_overtaken(&self, number: usize) -> bool {
        self.overtaken.contains_key(&number) && self.jumps[number].made == 0
    }

    /// The state of a node after its attempt, if a jump over it prevents the next one.
    pub(super) fn state_when_overtaken(&mut self, number: usize) -> Option<NodeState> {
        let by = self
            .overtaken
            .remove(&number)
            .filter(|_| self.jumps[number].made == 0)?
            .pop_first()?;
        Some(NodeState::Skipped {
            reason: SkipReason::JumpedOver {
                by: self.graph.id(by),
            },
        })
    }

    /// The attempt ended before the work was done. The next one starts when its turn comes.
    pub(super) fn reopen(&mut self, number: usize) {
        let state = self
            .state_when_overtaken(number)
            .unwrap_or(NodeState::Pending);
        self.set_state(number, state);
    }

    /// Undoes the node's jump and the skips that it caused.
    pub(super) fn undo_jump(&mut self, number: usize) {
        let by = self.graph.id(number);
        let Some(target) = self.jump_target(number) else {
            return;
        };
        for between in number + 1..target {
            visit_counter::count_visit();
            if self.nodes[between].state
                == (NodeState::Skipped {
                    reason: SkipReason::JumpedOver { by },
                })
            {
                let other = self
                    .other_jump_over(between, number)
                    .filter(|_| self.semantics != Semantics::V1);
                let reason = other.map(|by| SkipReason::JumpedOver {
                    by: self.graph.id(by),
                });
                self.set_state(
                    between,
                    reason.map_or(NodeState::Pending, |reason| NodeState::Skipped { reason }),
                );
            } else if let Some(by) = self.overtaken.get_mut(&between) {
                by.remove(&number);
                if by.is_empty() {
                    self.overtaken.remove(&between);
                }
            }
        }
    }

    /// The first other node whose jump also passes `number`.
    fn other_jump_over(&self, number: usize, but: usize) -> Option<usize> {
        let mut jumpers = self
            .jumpers
            .range(..number)
            .copied()
            .inspect(|_| visit_counter::count_visit());
        jumpers.find(|&by| by != but && self.jump_target(by).is_some_and(|target| target > number))
    }

    /// A person skips a node before it has started. The failures it was to handle become unhandled.
    pub(super) fn skip_handler(&mut self, number: usize) -> Vec<Effect> {
        if self.semantics == Semantics::V1
            || self.jumps[number].made == 0
            || !self.has_not_begun(number)
        {
            return Vec::new();
        }
        let id = self.graph.id(number);
        let mut parents: Vec<usize> = self
            .graph
            .gated_parents(number)
            .map(|(parent, _)| parent)
            .collect();
        parents.sort_unstable();
        let mut effects = Vec::new();
        for parent in parents {
            visit_counter::count_visit();
            let NodeState::Failed {
                failure,
                went_on_at: Some(at),
            } = &self.nodes[parent].state
            else {
                continue;
            };
            if *at == id {
                let failure = failure.clone();
                self.undo_jump(parent);
                self.set_state(
                    parent,
                    NodeState::Failed {
                        failure,
                        went_on_at: None,
                    },
                );
                effects.extend(self.abort(parent));
            }
        }
        effects
    }
}

pub(super) fn has_not_started(state: &NodeState) -> bool {
    matches!(state, NodeState::Pending | NodeState::Blocked { .. })
}

/// Whether the node has not ended, or may run again.
pub(super) fn is_unfinished(state: &NodeState) -> bool {
    has_not_started(state) || matches!(state, NodeState::Waiting { .. } | NodeState::Running)
}
