//! A scheduler that is too simple to be wrong: it knows how nodes ended and works out all else from the beginning.
//!
//! Shares nothing with the run but the plan. It learns from the commands that were granted, never from events.

use std::collections::BTreeSet;

use crate::node::{OnFailure, TriggerRule};
use crate::outcome::Failure;
use crate::run::{Command, Ending, Goal, NodeState, Run, RunState, WaitingFor};
use crate::{NodeId, Outcome, Plan};

/// What is known of a node for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    /// Nothing works on it, and it has not ended.
    Untouched,
    /// An attempt is reserved or lives.
    Busy,
    /// It waits to be tried again.
    Retrying,
    /// The work goes on as after a success.
    Good,
    /// It failed, or nobody knows how far it came.
    Bad,
}

/// What a node may do, worked out from its parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Fact(Fact),
    Ready,
    Waits,
    Blocked,
    LeftOut,
}

#[derive(Debug, Clone)]
pub(super) struct Reference {
    ids: Vec<NodeId>,
    parents: Vec<Vec<usize>>,
    rules: Vec<TriggerRule>,
    skips_failures: Vec<bool>,
    max_retries: Vec<u32>,
    pub(super) facts: Vec<Fact>,
    failures: Vec<u32>,
    /// How often each node was tried. What was withdrawn was not.
    pub(super) attempts: Vec<u32>,
    /// Told to end for the sake of a pause.
    paused: BTreeSet<usize>,
    goal: Goal,
}

impl Reference {
    /// `plan` has commands only and its edges lead from earlier nodes to later ones.
    pub(super) fn new(plan: &Plan) -> Self {
        let ids: Vec<NodeId> = plan.nodes.iter().map(|node| node.id).collect();
        let at = |id| ids.iter().position(|&other| other == id).expect("edges join nodes of the plan");
        let gates = |child: NodeId| plan.edges.iter().filter(move |edge| edge.child == child && !edge.soft);
        Self {
            parents: ids.iter().map(|&id| gates(id).map(|edge| at(edge.parent)).collect()).collect(),
            rules: plan.nodes.iter().map(|node| node.trigger_rule).collect(),
            skips_failures: plan.nodes.iter().map(|node| node.on_failure == OnFailure::Skip).collect(),
            max_retries: plan.nodes.iter().map(|node| node.max_retries).collect(),
            facts: vec![Fact::Untouched; ids.len()],
            failures: vec![0; ids.len()],
            attempts: vec![0; ids.len()],
            paused: BTreeSet::new(),
            goal: Goal::All,
            ids,
        }
    }

    /// How every node stands. Parents come before their children in the list.
    pub(super) fn standings(&self) -> Vec<Standing> {
        let mut standings: Vec<Standing> = Vec::new();
        for (number, &fact) in self.facts.iter().enumerate() {
            let parents: Vec<Standing> = self.parents[number].iter().map(|&parent| standings[parent]).collect();
            standings.push(if fact == Fact::Untouched {
                judge(self.rules[number], &parents)
            } else {
                Standing::Fact(fact)
            });
        }
        standings
    }

    /// The nodes that could start now and are wanted.
    pub(super) fn ready(&self) -> BTreeSet<usize> {
        let wanted = |number: &usize| match &self.goal {
            Goal::All => true,
            Goal::Only { nodes } => nodes.contains(&self.ids[*number]),
        };
        let standings = self.standings();
        (0..standings.len()).filter(|&number| standings[number] == Standing::Ready).filter(wanted).collect()
    }

    /// Whether the run's view of a node is the one that follows from the facts.
    pub(super) fn agrees(standing: Standing, state: &NodeState) -> bool {
        match standing {
            Standing::Ready | Standing::Waits => *state == NodeState::Pending,
            Standing::Blocked => matches!(state, NodeState::Blocked { .. }),
            Standing::LeftOut => matches!(state, NodeState::Skipped { reason } if !reason.lets_children_run()),
            Standing::Fact(Fact::Good) => match state {
                NodeState::Skipped { reason } => reason.lets_children_run(),
                state => matches!(state, NodeState::Done { .. }),
            },
            Standing::Fact(Fact::Bad) => matches!(state, NodeState::Failed { .. } | NodeState::Interrupted { .. }),
            Standing::Fact(Fact::Retrying) => {
                matches!(state, NodeState::Waiting { what: WaitingFor::RetryAt { .. } })
            }
            Standing::Fact(Fact::Busy) => {
                let places = matches!(state, NodeState::Waiting { what: WaitingFor::Slot | WaitingFor::Person { .. } });
                places || *state == NodeState::Running
            }
            Standing::Fact(Fact::Untouched) => false,
        }
    }

    /// An attempt was reserved for this node.
    pub(super) fn reserved(&mut self, node: NodeId) {
        let number = self.number(node);
        self.facts[number] = Fact::Busy;
        self.attempts[number] += 1;
        self.paused.remove(&number);
    }

    /// Learns from a command that was granted; `before` is the run as it was.
    pub(super) fn learn(&mut self, command: &Command, before: &Run) {
        match command {
            Command::Start { goal, .. } | Command::Want { goal } => self.goal = goal.clone(),
            Command::RetryNode { node } => self.reset(self.number(*node)),
            Command::RerunFrom { node } => self.reset_below(self.number(*node)),
            Command::SkipNode { node } | Command::MarkDone { node, .. } => self.set(*node, Fact::Good),
            Command::SessionWithdrawn { node, .. } if was_reserved(before, *node) => {
                let number = self.number(*node);
                self.attempts[number] -= 1;
                self.facts[number] = Fact::Untouched;
            }
            Command::RetryDue { node } => {
                let number = self.number(*node);
                if self.facts[number] == Fact::Retrying {
                    self.facts[number] = Fact::Untouched;
                }
            }
            Command::Pause { stop_running: true } if before.state().is_running() => {
                self.paused = (0..self.ids.len()).filter(|&number| self.facts[number] == Fact::Busy).collect();
            }
            Command::Cancel => {
                self.paused.clear();
                self.facts.iter_mut().filter(|fact| **fact == Fact::Retrying).for_each(|fact| *fact = Fact::Bad);
            }
            Command::SessionEnded { node, outcome, .. } => self.end(self.number(*node), outcome, before.state()),
            _ => {}
        }
    }

    fn end(&mut self, number: usize, outcome: &Outcome, run: &RunState) {
        let ending = match run {
            RunState::Running { ending } => *ending,
            _ => None,
        };
        self.facts[number] = match outcome {
            Outcome::Succeeded => Fact::Good,
            Outcome::Cancelled if matches!(ending, Some(Ending::Pausing { .. })) => Fact::Untouched,
            Outcome::Cancelled if self.paused.contains(&number) => Fact::Untouched,
            Outcome::Cancelled | Outcome::Lost { .. } => Fact::Bad,
            Outcome::Failed { failure } => {
                self.failures[number] += 1;
                let hopeless = matches!(failure, Failure::NotStarted { .. }) || ending == Some(Ending::Cancelling);
                if !hopeless && self.failures[number] <= self.max_retries[number] {
                    Fact::Retrying
                } else if self.skips_failures[number] {
                    Fact::Good
                } else {
                    Fact::Bad
                }
            }
        };
    }

    fn reset_below(&mut self, number: usize) {
        self.reset(number);
        for child in number + 1..self.ids.len() {
            if self.parents[child].contains(&number) {
                self.reset_below(child);
            }
        }
    }

    fn reset(&mut self, number: usize) {
        self.facts[number] = Fact::Untouched;
        self.failures[number] = 0;
    }

    fn set(&mut self, node: NodeId, fact: Fact) {
        let number = self.number(node);
        self.facts[number] = fact;
    }

    fn number(&self, node: NodeId) -> usize {
        self.ids.iter().position(|&id| id == node).expect("a node of the plan")
    }
}

/// The trigger rules as the documentation of [`TriggerRule`] words them.
fn judge(rule: TriggerRule, parents: &[Standing]) -> Standing {
    let good = |parent: &Standing| *parent == Standing::Fact(Fact::Good);
    let bad = |parent: &Standing| matches!(parent, Standing::Fact(Fact::Bad) | Standing::Blocked);
    let left_out = |parent: &Standing| *parent == Standing::LeftOut;
    let open = parents.iter().any(|parent| !good(parent) && !bad(parent) && !left_out(parent));
    let (any_good, any_bad) = (parents.iter().any(good), parents.iter().any(bad));
    let any_left_out = parents.iter().any(left_out);
    if parents.is_empty() {
        return Standing::Ready;
    }
    match rule {
        TriggerRule::AllSuccess | TriggerRule::NoneFailed | TriggerRule::NoneFailedMinOneSuccess if any_bad => {
            Standing::Blocked
        }
        TriggerRule::AllSuccess if any_left_out => Standing::LeftOut,
        TriggerRule::OneSuccess if any_good => Standing::Ready,
        TriggerRule::OneFailed if any_bad => Standing::Ready,
        _ if open => Standing::Waits,
        TriggerRule::AllSuccess | TriggerRule::AllDone | TriggerRule::NoneFailed => Standing::Ready,
        TriggerRule::NoneFailedMinOneSuccess if any_good => Standing::Ready,
        TriggerRule::OneSuccess if any_bad => Standing::Blocked,
        TriggerRule::OneSuccess | TriggerRule::OneFailed | TriggerRule::NoneFailedMinOneSuccess => Standing::LeftOut,
    }
}

fn was_reserved(run: &Run, node: NodeId) -> bool {
    run.node(node).is_some_and(|run| run.state == NodeState::Waiting { what: WaitingFor::Slot })
}
