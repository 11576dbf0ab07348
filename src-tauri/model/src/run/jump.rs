//! Where the run goes on after a node's end, when the node names such a place.

use super::effect::Effect;
use super::effort;
use super::gate::outcome;
use super::semantics::Semantics;
use super::state::{NodeState, SkipReason, WaitingFor};
use super::tally::{ParentOutcome, Tally, Verdict};
use super::{Graph, Plan, Run, is_asking, is_retrying};
use crate::graph::Gate;
use crate::node::OnFailure;
use crate::{Node, NodeId};

/// How many nodes name one node as where the run goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Jumps {
    /// Those that have not ended, so that they still may.
    pub(super) open: u32,
    /// Those whose end made the run go on here.
    pub(super) made: u32,
}

impl Jumps {
    /// What the nodes of `plan` could do, when none has ended.
    pub(super) fn open_all(plan: &Plan, graph: &Graph) -> Vec<Self> {
        let mut jumps = vec![Self::default(); graph.len()];
        for target in plan
            .nodes
            .iter()
            .flat_map(named_by)
            .filter_map(|target| graph.number(target))
        {
            jumps[target].open += 1;
        }
        jumps
    }
}

/// Where the run may go on after `node`, without repetition.
pub(super) fn named_by(node: &Node) -> impl Iterator<Item = NodeId> {
    let after_failure = match node.on_failure {
        OnFailure::Node(target) => Some(target).filter(|_| node.on_success != Some(target)),
        OnFailure::Abort | OnFailure::Skip => None,
    };
    after_failure.into_iter().chain(node.on_success)
}

impl Run {
    /// Where the run goes on because of how the node ended.
    pub(super) fn jump_target(&self, number: usize) -> Option<usize> {
        let target = match &self.nodes[number].state {
            NodeState::Done { .. } => self.definition(number).on_success,
            NodeState::Failed { went_on_at, .. } => *went_on_at,
            _ => None,
        };
        self.graph.number(target?)
    }

    /// Where the run would go on if the node failed for good: a node that can still start because of that failure.
    /// Without one, the failure is handled by nobody.
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
        // Where another jump leads already, the question was answered then.
        let is_closed = || self.jumps[target].made == 0 && self.lies_on_untaken_branch(target);
        let is_left_out = match &self.nodes[target].state {
            NodeState::Skipped {
                reason: SkipReason::JumpedOver { .. },
            } => true,
            NodeState::Skipped { reason } => reason.follows_from_parents(),
            _ => false,
        };
        (self.has_not_begun(target) || is_left_out) && !is_passed_over && !is_closed()
    }

    /// Whether nothing of the node has begun, though a person may be asked before it does.
    fn has_not_begun(&self, number: usize) -> bool {
        let is_held = |what: &WaitingFor| {
            matches!(what, WaitingFor::Approval { .. } | WaitingFor::Merge { .. })
        };
        match &self.nodes[number].state {
            NodeState::Waiting { what } => is_held(what),
            state => is_unbegun(state),
        }
    }

    /// Whether the ways that lead to the node, jumps aside, come from branches that were not taken.
    fn lies_on_untaken_branch(&self, number: usize) -> bool {
        let mut tally = Tally::default();
        for (parent, gate) in self.graph.gated_parents(number) {
            effort::look();
            if gate == Gate::Failure
                || self.definition(parent).on_success == Some(self.graph.id(number))
            {
                continue;
            }
            let (state, taken) = (&self.nodes[parent].state, self.nodes[parent].taken);
            tally.add(match outcome(state, taken, gate) {
                // A jump over a parent says nothing against a jump to its child.
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
        tally.not_run > 0 && tally.verdict(self.rule(number)) == Verdict::Skip
    }

    /// What the node's present state counts for at the places that it names.
    pub(super) fn jumps_of(&self, number: usize) -> Vec<(usize, Jumps)> {
        let open = ParentOutcome::of(&self.nodes[number].state) == ParentOutcome::Open;
        let made = self.jump_target(number);
        let targets =
            named_by(self.definition(number)).filter_map(|target| self.graph.number(target));
        targets
            .map(|target| {
                (
                    target,
                    Jumps {
                        open: open.into(),
                        made: (made == Some(target)).into(),
                    },
                )
            })
            .collect()
    }

    /// Everything between a node and the place where the run goes on, in the order of the plan, is skipped, unless
    /// another jump that was made leads there. What runs already finishes.
    pub(super) fn jump_from(&mut self, number: usize) -> Vec<Effect> {
        let Some(target) = self
            .jump_target(number)
            .filter(|&target| target > number + 1)
        else {
            return Vec::new();
        };
        let between = self
            .unended
            .range(number + 1..target)
            .copied()
            .inspect(|_| effort::look());
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
            state if is_unbegun(state) => {}
            // Skipped just now, because of a node that this jump leads over too.
            NodeState::Skipped { .. } => {}
            _ if self.semantics == Semantics::V1 => return None,
            state if is_asking(state) || is_retrying(state) => {
                self.take_back_attempt_of_a_question(number)
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

    /// Whether a jump was made over the node after its attempt had begun: the attempt finishes, and none follows.
    pub(super) fn is_overtaken(&self, number: usize) -> bool {
        self.overtaken.contains_key(&number) && self.jumps[number].made == 0
    }

    /// The state of a node whose attempt is over, if a jump over it keeps the next one from starting.
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

    /// The node's attempt is over before its work was done: the next one starts when its turn comes.
    pub(super) fn open_again(&mut self, number: usize) {
        let state = self
            .state_when_overtaken(number)
            .unwrap_or(NodeState::Pending);
        self.set_state(number, state);
    }

    /// The node's end is taken back or replaced, and with it what it had skipped.
    pub(super) fn take_back_jump(&mut self, number: usize) {
        let by = self.graph.id(number);
        let Some(target) = self.jump_target(number) else {
            return;
        };
        for between in number + 1..target {
            effort::look();
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

    /// The first node whose jump leads over `number` too.
    fn other_jump_over(&self, number: usize, but: usize) -> Option<usize> {
        let mut jumpers = self
            .jumpers
            .range(..number)
            .copied()
            .inspect(|_| effort::look());
        jumpers.find(|&by| by != but && self.jump_target(by).is_some_and(|target| target > number))
    }

    /// A person passes over a node before it has begun: the failures that it was to handle are handled by nobody.
    pub(super) fn pass_over_handler(&mut self, number: usize) -> Vec<Effect> {
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
            effort::look();
            let NodeState::Failed {
                failure,
                went_on_at: Some(at),
            } = &self.nodes[parent].state
            else {
                continue;
            };
            if *at == id {
                let failure = failure.clone();
                self.take_back_jump(parent);
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

pub(super) fn is_unbegun(state: &NodeState) -> bool {
    matches!(state, NodeState::Pending | NodeState::Blocked { .. })
}

/// Whether something of the node is still to come, or may.
pub(super) fn is_unended(state: &NodeState) -> bool {
    is_unbegun(state) || matches!(state, NodeState::Waiting { .. } | NodeState::Running)
}
