//! Requests for single nodes: answers and start approvals.

use crate::node::{InputType, NodeKind, Question};
use crate::outcome::Failure;
use crate::{ArtifactId, Attempt, NodeId, Outcome, Timestamp};

use super::event::Event;
use super::state::{NodeState, WaitingFor};
use super::{Refusal, Run, is_asking, is_live, is_retrying};

impl Run {
    pub(super) fn decide_approve(&self, node: NodeId, allow: bool) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        match &self.nodes[number].state {
            NodeState::Waiting {
                what: WaitingFor::Approval { .. },
            } => Ok(vec![Event::NodeReleased { node, allow }]),
            _ => Err(Refusal::NotAsked {
                title: self.title(number).to_owned(),
            }),
        }
    }

    pub(super) fn decide_input(
        &self,
        node: NodeId,
        value: &str,
        artifact: Option<ArtifactId>,
    ) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        let (
            NodeKind::UserInput(question),
            NodeState::Waiting {
                what: WaitingFor::Input { .. },
            },
        ) = (&self.definition(number).kind, &run.state)
        else {
            return Err(Refusal::NotAsked {
                title: self.title(number).to_owned(),
            });
        };
        let value = question
            .parse_answer(value)
            .map_err(|ExpectedAnswer(expected)| Refusal::WrongAnswer {
                title: self.title(number).to_owned(),
                expected,
                found: value.to_owned(),
            })?;
        Ok(vec![Event::InputGiven {
            node,
            attempt: run.attempt,
            value,
            artifact,
        }])
    }

    pub(super) fn decide_mark_failed(&self, node: NodeId) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        match &self.nodes[number].state {
            NodeState::Interrupted { .. } => {
                Ok(self.resume_after(Event::NodeMarkedFailed { node }))
            }
            state => Err(self.refuse_node(number, state, "marked as failed")),
        }
    }

    pub(super) fn decide_edit(
        &self,
        node: NodeId,
        artifact: Option<ArtifactId>,
    ) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        match (&self.nodes[number].state, artifact) {
            (NodeState::Done { .. }, Some(artifact)) => {
                Ok(vec![Event::ArtifactEdited { node, artifact }])
            }
            (NodeState::Done { .. }, None) => Ok(Vec::new()),
            (state, _) => Err(self.refuse_node(number, state, "given a new handoff")),
        }
    }

    pub(super) fn decide_session_silent(
        &self,
        node: NodeId,
        attempt: Attempt,
        silent: bool,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current_attempt(node, attempt)?;
        if !is_live(&current.state) || current.silent == silent {
            return Ok(Vec::new());
        }
        Ok(vec![if silent {
            Event::NodeSilent { node, attempt }
        } else {
            Event::NodeHeard { node, attempt }
        }])
    }

    /// A timer has no effect if its reason was settled in the meantime.
    pub(super) fn decide_timer_due(&self, node: NodeId, now: Timestamp) -> Vec<Event> {
        let Some(run) = self.node(node) else {
            return Vec::new();
        };
        match &run.state {
            state if is_retrying(state) => vec![Event::NodeRetryDue { node }],
            NodeState::Waiting {
                what: WaitingFor::Input { due: Some(due), .. },
            } if now >= *due => {
                let limit_ms = run.started_at.map_or(0, |started| due.ms_since(started));
                let outcome = Outcome::Failed {
                    failure: Failure::NoAnswer { limit_ms },
                };
                let attempt = run.attempt;
                vec![Event::NodeEnded {
                    node,
                    attempt,
                    outcome,
                    artifact: None,
                    retry_at: None,
                    taken: None,
                }]
            }
            _ => Vec::new(),
        }
    }

    /// The nodes that wait for a person before they run.
    pub fn nodes_awaiting_person(&self) -> impl Iterator<Item = NodeId> {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| is_asking(&node.state))
            .map(|(number, _)| self.graph.id(number))
    }
}

/// A description of the valid answers: "one of left, right".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ExpectedAnswer(pub String);

impl Question {
    /// The normalized answer, or a description of the valid answers.
    pub fn parse_answer(&self, value: &str) -> Result<String, ExpectedAnswer> {
        let value = value.trim();
        match self.input_type {
            InputType::Text if value.is_empty() => Err(ExpectedAnswer("text".to_owned())),
            InputType::Text => Ok(value.to_owned()),
            InputType::Choice => match self.options.iter().find(|option| option.trim() == value) {
                Some(option) => Ok(option.clone()),
                None => Err(ExpectedAnswer(format!(
                    "one of {}",
                    self.options.join(", ")
                ))),
            },
            InputType::Confirm => match value.to_ascii_lowercase().as_str() {
                "yes" | "y" | "true" => Ok("yes".to_owned()),
                "no" | "n" | "false" => Ok("no".to_owned()),
                _ => Err(ExpectedAnswer("yes or no".to_owned())),
            },
        }
    }
}
