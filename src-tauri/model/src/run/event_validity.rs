//! Which events are valid in which state. An invalid event changes nothing.

use super::event::Event;
use super::state::{Ending, NodeState, PauseReason, RunState, WaitingFor};
use super::{Run, is_live, is_reserved, is_retrying};
use crate::node::NodeKind;
use crate::{Attempt, NodeId};

impl Run {
    /// Whether `event` is valid in the current state.
    pub(super) fn accepts_event(&self, event: &Event) -> bool {
        let has_begun = self.state
            != (RunState::Paused {
                reason: PauseReason::NotBegun,
            });
        let running = self.state.is_running();
        match event {
            Event::Started { .. } => !has_begun,
            _ if !has_begun => false,
            Event::TakenOver { epoch, .. } => *epoch > self.epoch,
            Event::GoalSet { .. } | Event::Resumed | Event::ExecutorReturned { .. } => true,
            Event::PauseRequested { .. } => {
                matches!(
                    self.state,
                    RunState::Running {
                        ending: None
                            | Some(
                                Ending::Pausing { .. }
                                    | Ending::Cancelling
                                    | Ending::Verifying
                                    | Ending::Reviewing
                            )
                    }
                )
            }
            Event::CancelRequested => !self.state.has_ended(),
            Event::TimeUp { .. } | Event::BudgetSpent { .. } => running,
            Event::CheckpointMade { .. } => true,
            Event::RolledBack { checkpoint, .. } => {
                self.counts.live + self.counts.reserved == 0
                    && (*checkpoint as usize) < self.checkpoints.len()
            }
            Event::Paused { .. }
            | Event::Completed
            | Event::Failed { .. }
            | Event::Stalled { .. }
            | Event::Cancelled => {
                running && self.counts.live + self.counts.reserved == 0 && !self.is_verifying()
            }
            Event::ReplanBegun { .. } | Event::ReplanEnded { .. } => {
                self.accepts_replan_event(event)
            }
            Event::HandlerDecided { outcome } => self.may_decide_handler(outcome),
            Event::PlanRetried { failed, again, .. } => self.accepts_plan_retry(failed, again),
            Event::NodesReset { nodes, .. } => nodes.iter().all(|&node| {
                self.node(node).is_some_and(|run| {
                    !is_live(&run.state) && !is_reserved(&run.state) && run.pinned.is_none()
                })
            }),
            Event::NodeContinued { node, .. } => self.node(*node).is_some_and(|run| {
                run.session.is_some() && !is_live(&run.state) && !is_reserved(&run.state)
            }),
            Event::NodeReserved { node, attempt, .. } => {
                running && !self.asks_a_person(*node) && self.may_begin(*node, *attempt)
            }
            Event::NodeAssigned { node, attempt, .. } => {
                self.attempt_is(*node, *attempt, is_reserved)
                    && self.selection_request(*node).is_some()
            }
            Event::NodeHeldBack { node, .. } | Event::NodeParked { node, .. } => {
                running
                    && self
                        .node(*node)
                        .is_some_and(|run| run.state == NodeState::Pending)
            }
            Event::NodePassedOn { node } => self.node(*node).is_some_and(|run| {
                matches!(
                    run.state,
                    NodeState::Waiting {
                        what: WaitingFor::LimitUntil { .. }
                    }
                )
            }),
            Event::NodeStarted { node, attempt, .. } | Event::NodeWithdrawn { node, attempt } => {
                self.attempt_is(*node, *attempt, is_reserved)
            }
            Event::NodeAsked { node, attempt, .. }
            | Event::NodeUsed { node, attempt, .. }
            | Event::NodeSilent { node, attempt }
            | Event::NodeHeard { node, attempt } => self.attempt_is(*node, *attempt, is_live),
            Event::NodeHeld { node, .. } => {
                running
                    && self
                        .node(*node)
                        .is_some_and(|run| run.state == NodeState::Pending)
            }
            Event::NodeReleased { node, .. } => self.node(*node).is_some_and(|run| {
                matches!(
                    run.state,
                    NodeState::Waiting {
                        what: WaitingFor::Approval { .. }
                    }
                )
            }),
            Event::InputAsked { node, attempt, .. } => {
                running && self.asks_a_person(*node) && self.may_begin(*node, *attempt)
            }
            Event::InputGiven { node, attempt, .. } => self.attempt_is(*node, *attempt, is_input),
            Event::NodeUnverified { node, attempt, .. } => {
                self.attempt_is(*node, *attempt, |state| {
                    matches!(state, NodeState::Done { .. })
                })
            }
            Event::InheritedChecked { node, epoch, .. } => self
                .graph
                .number(*node)
                .is_some_and(|number| self.awaits_check(number, *epoch)),
            Event::NodeAccepted { node } => self.node(*node).is_some_and(|run| run.unverified),
            Event::GitRestored {
                node,
                attempt,
                changes,
            } => self.may_note_restored(*node, *attempt, changes),
            Event::HandoffPinned { parent, child, .. } => self.may_pin(*parent, *child),
            Event::HandoffUnpinned { parent, child } => {
                self.pins.contains_key(&(*child, *parent)) && self.may_pin(*parent, *child)
            }
            Event::ArtifactEdited { node, .. } => self
                .node(*node)
                .is_some_and(|run| matches!(run.state, NodeState::Done { .. })),
            Event::NodeMarkedFailed { node } => self
                .node(*node)
                .is_some_and(|run| matches!(run.state, NodeState::Interrupted { .. })),
            Event::NodeStopRequested { node, attempt, .. } => self.accepts_stop(*node, *attempt),
            Event::Granted { .. } | Event::GrantRevoked { .. } => true,
            Event::ToolOutside { node, call } => self.attempt_is(*node, call.attempt, is_live),
            Event::NodeAnswered { node, attempt, .. }
            | Event::NodeUnasked { node, attempt, .. } => {
                self.attempt_is(*node, *attempt, |state| {
                    matches!(
                        state,
                        NodeState::Waiting {
                            what: WaitingFor::Person { .. }
                        }
                    )
                })
            }
            Event::NodeEnded { node, attempt, .. } => self.attempt_is(*node, *attempt, |state| {
                is_live(state) || is_reserved(state) || is_input(state)
            }),
            Event::NodeConflicted { .. }
            | Event::MergeDecided { .. }
            | Event::MergeTried { .. } => self.accepts_merge_event(event),
            Event::NodeRetryDue { node } => {
                self.node(*node).is_some_and(|run| is_retrying(&run.state))
            }
            Event::NodeSkipped { node }
            | Event::NodeMarkedDone { node, .. }
            | Event::NodePinned { node, .. }
            | Event::NodeLeftOut { node }
            | Event::NodeInherited { node, .. } => self
                .node(*node)
                .is_some_and(|run| !is_live(&run.state) && !is_reserved(&run.state)),
        }
    }

    fn may_begin(&self, node: NodeId, attempt: Attempt) -> bool {
        self.node(node)
            .is_some_and(|run| run.state == NodeState::Pending && attempt == run.attempt.next())
    }

    fn asks_a_person(&self, node: NodeId) -> bool {
        let number = self.graph.number(node);
        number.is_some_and(|number| matches!(self.definition(number).kind, NodeKind::UserInput(_)))
    }

    fn attempt_is(
        &self,
        node: NodeId,
        attempt: Attempt,
        state: impl Fn(&NodeState) -> bool,
    ) -> bool {
        self.node(node)
            .is_some_and(|run| run.attempt == attempt && state(&run.state))
    }
}

fn is_input(state: &NodeState) -> bool {
    matches!(
        state,
        NodeState::Waiting {
            what: WaitingFor::Input { .. }
        }
    )
}
