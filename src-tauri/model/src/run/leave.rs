//! Questions of living sessions: who is asked, what was allowed before, what an answer entails.

use super::answer::{Answer, AnsweredBy, Asked, AskedCall, OutsideCall};
use super::command::Refusal;
use super::event::Event;
use super::{NodeState, Run, WaitingFor, is_live, is_reserved};
use crate::command_prefix::PrefixFault;
use crate::{Attempt, Grant, NodeId};

/// The most calls outside the list that are kept of one node. Whoever has more has seen enough.
pub(super) const OUTSIDE_LIMIT: usize = 100;

/// Leave that holds in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// What for.
    pub grant: Grant,
    /// The node that has it; `None`: all of them.
    pub node: Option<NodeId>,
}

impl Run {
    /// What a person allowed for more than one call, the oldest first.
    #[must_use]
    pub fn given(&self) -> &[Given] {
        &self.given
    }

    /// What a person allowed a node, by itself or with all others.
    pub fn granted_to(&self, node: NodeId) -> impl Iterator<Item = &Grant> + Clone {
        self.given
            .iter()
            .filter(move |given| given.node.is_none_or(|of| of == node))
            .map(|given| &given.grant)
    }

    pub(super) fn decide_answer(
        &self,
        node: NodeId,
        request: &str,
        answer: &Answer,
    ) -> Result<Vec<Event>, Refusal> {
        let number = self.number_of(node)?;
        let run = &self.nodes[number];
        let asked = run
            .questions
            .iter()
            .find(|asked| asked.request == request)
            .filter(|_| is_live(&run.state));
        let Some(asked) = asked else {
            return Err(Refusal::NotAsked {
                title: self.title(number).to_owned(),
            });
        };
        let holder = match answer {
            Answer::AllowNode { .. } => Some(Some(node)),
            Answer::AllowPlan { .. } => Some(None),
            Answer::AllowOnce | Answer::Deny { .. } => None,
        };
        let grants = match &asked.call {
            Some(call) => call.grants(answer.begins()),
            None => answer.begins().first().map_or(Ok(Vec::new()), |words| {
                Err(PrefixFault::OtherCommand(words.clone()))
            }),
        };
        let grants = grants.map_err(Refusal::Prefix)?;
        let (attempt, answer, by) = (run.attempt, answer.clone(), AnsweredBy::Person);
        let mut events = vec![Event::NodeAnswered {
            node,
            attempt,
            request: request.to_owned(),
            answer,
            by,
        }];
        if let Some(holder) = holder {
            let given = grants
                .into_iter()
                .map(|grant| Given {
                    grant,
                    node: holder,
                })
                .collect();
            events.extend(self.give(given, (node, request)));
        }
        Ok(events)
    }

    /// The leave itself, and the answers to what is asked already and covered by it.
    fn give(&self, given: Vec<Given>, (asker, request): (NodeId, &str)) -> Vec<Event> {
        let new: Vec<&Given> = given
            .iter()
            .filter(|given| !self.given.contains(given))
            .collect();
        let granted = |given: &&Given| {
            let given_in = given.node.is_none().then_some(asker);
            Event::Granted {
                grant: given.grant.clone(),
                of: given.node,
                given_in,
            }
        };
        let mut events: Vec<Event> = new.iter().map(granted).collect();
        for number in 0..self.nodes.len() {
            let (node, run) = (self.graph.id(number), &self.nodes[number]);
            if !is_live(&run.state) {
                continue;
            }
            let for_node = new
                .iter()
                .filter(|given| given.node.is_none_or(|of| of == node))
                .map(|given| &given.grant);
            let grants = self.granted_to(node).chain(for_node);
            let covered = run.questions.iter().filter(|open| {
                (node, open.request.as_str()) != (asker, request)
                    && open
                        .call
                        .as_ref()
                        .is_some_and(|call| call.is_covered_by(grants.clone()))
            });
            events.extend(
                covered.map(|open| answered_by_grant(node, run.attempt, open.request.clone())),
            );
        }
        events
    }

    pub(super) fn decide_revoke(&self, grant: &Grant, of: Option<NodeId>) -> Vec<Event> {
        let given = Given {
            grant: grant.clone(),
            node: of,
        };
        if self.given.contains(&given) {
            vec![Event::GrantRevoked {
                grant: given.grant,
                of,
            }]
        } else {
            Vec::new()
        }
    }

    pub(super) fn decide_asked(
        &self,
        node: NodeId,
        attempt: Attempt,
        (question, request): (&str, &str),
        call: Option<&AskedCall>,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current(node, attempt)?;
        let mut events = Vec::new();
        if is_reserved(&current.state) {
            events.push(Event::NodeStarted {
                node,
                attempt,
                checkpoint: None,
            });
        }
        let asked_already = current
            .questions
            .iter()
            .any(|asked| asked.request == request);
        if !asked_already && !current.answers.contains_key(request) {
            let (question, request, call) =
                (question.to_owned(), request.to_owned(), call.cloned());
            let covered = call
                .as_ref()
                .is_some_and(|call| call.is_covered_by(self.granted_to(node)));
            events.push(Event::NodeAsked {
                node,
                attempt,
                question,
                request: request.clone(),
                call,
            });
            events.extend(covered.then(|| answered_by_grant(node, attempt, request)));
        }
        Ok(events)
    }

    pub(super) fn decide_unasked(
        &self,
        node: NodeId,
        attempt: Attempt,
        request: &str,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current(node, attempt)?;
        let open = current
            .questions
            .iter()
            .any(|asked| asked.request == request);
        let request = request.to_owned();
        Ok(if open {
            vec![Event::NodeUnasked {
                node,
                attempt,
                request,
            }]
        } else {
            Vec::new()
        })
    }

    pub(super) fn decide_outside(
        &self,
        node: NodeId,
        call: &OutsideCall,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current(node, call.attempt)?;
        let known = current
            .outside
            .iter()
            .any(|other| (other.attempt, &other.call) == (call.attempt, &call.call));
        let is_new = !known && current.outside.len() < OUTSIDE_LIMIT;
        let mut events = Vec::new();
        if is_new && is_reserved(&current.state) {
            events.push(Event::NodeStarted {
                node,
                attempt: call.attempt,
                checkpoint: None,
            });
        }
        events.extend(is_new.then(|| Event::ToolOutside {
            node,
            call: call.clone(),
        }));
        Ok(events)
    }

    /// Takes note of what was asked, answered or given. Other events are none of its business.
    pub(super) fn apply_leave(&mut self, number: usize, event: &Event) {
        let run = &mut self.nodes[number];
        match event {
            Event::NodeAsked {
                question,
                request,
                call,
                ..
            } => {
                if !run.questions.iter().any(|asked| asked.request == *request) {
                    let (request, question, call) =
                        (request.clone(), question.clone(), call.clone());
                    run.questions.push(Asked {
                        request,
                        question,
                        call,
                    });
                }
            }
            Event::NodeAnswered {
                request, answer, ..
            } => {
                run.questions.retain(|asked| asked.request != *request);
                run.answers.insert(request.clone(), answer.clone());
            }
            Event::NodeUnasked { request, .. } => {
                run.questions.retain(|asked| asked.request != *request)
            }
            Event::ToolOutside { call, .. } => {
                run.outside.push(call.clone());
                self.touched.insert(number);
                return;
            }
            _ => return,
        }
        self.show_first_question(number);
    }

    fn show_first_question(&mut self, number: usize) {
        let state = match self.nodes[number].questions.first().cloned() {
            Some(Asked {
                request,
                question,
                call,
            }) => NodeState::Waiting {
                what: WaitingFor::Person {
                    question,
                    request,
                    call,
                },
            },
            None => NodeState::Running,
        };
        if self.nodes[number].state != state {
            self.set_state(number, state);
        }
    }
}

fn answered_by_grant(node: NodeId, attempt: Attempt, request: String) -> Event {
    Event::NodeAnswered {
        node,
        attempt,
        request,
        answer: Answer::AllowOnce,
        by: AnsweredBy::Grant,
    }
}
