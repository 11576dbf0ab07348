//! Questions of live sessions: who is asked, what is already allowed, and what an answer entails.

use super::answer::{Answer, AnsweredBy, PermissionRequest, RequestedToolCall, UnlistedToolCall};
use super::command::Refusal;
use super::event::Event;
use super::{NodeState, Run, WaitingFor, is_live, is_reserved};
use crate::command_prefix::PrefixError;
use crate::{Attempt, Grant, NodeId};

/// Calls outside of the tool list kept per node. More would not help anyone.
pub(super) const UNLISTED_CALL_LIMIT: usize = 100;

/// A permission that is active in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ActiveGrant {
    pub grant: Grant,
    /// The node it applies to; `None` for all nodes.
    pub node: Option<NodeId>,
}

impl Run {
    /// The permissions that cover more than one call, oldest first.
    #[must_use]
    pub fn active_grants(&self) -> &[ActiveGrant] {
        &self.active_grants
    }

    /// The permissions that apply to a node, individually or with all others.
    pub fn grants_for(&self, node: NodeId) -> impl Iterator<Item = &Grant> + Clone {
        self.active_grants
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
            Some(call) => call.grants(answer.command_prefixes()),
            None => answer
                .command_prefixes()
                .first()
                .map_or(Ok(Vec::new()), |words| {
                    Err(PrefixError::OtherCommand(words.clone()))
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
                .map(|grant| ActiveGrant {
                    grant,
                    node: holder,
                })
                .collect();
            events.extend(self.grant_events(given, (node, request)));
        }
        Ok(events)
    }

    /// The grant itself, and answers to open questions that it covers.
    fn grant_events(
        &self,
        given: Vec<ActiveGrant>,
        (asker, request): (NodeId, &str),
    ) -> Vec<Event> {
        let new: Vec<&ActiveGrant> = given
            .iter()
            .filter(|given| !self.active_grants.contains(given))
            .collect();
        let granted = |given: &&ActiveGrant| {
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
            let grants = self.grants_for(node).chain(for_node);
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
        let given = ActiveGrant {
            grant: grant.clone(),
            node: of,
        };
        if self.active_grants.contains(&given) {
            vec![Event::GrantRevoked {
                grant: given.grant,
                of,
            }]
        } else {
            Vec::new()
        }
    }

    pub(super) fn decide_session_asked(
        &self,
        node: NodeId,
        attempt: Attempt,
        (question, request): (&str, &str),
        call: Option<&RequestedToolCall>,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current_attempt(node, attempt)?;
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
                .is_some_and(|call| call.is_covered_by(self.grants_for(node)));
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

    pub(super) fn decide_session_unasked(
        &self,
        node: NodeId,
        attempt: Attempt,
        request: &str,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current_attempt(node, attempt)?;
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

    pub(super) fn decide_unlisted_call(
        &self,
        node: NodeId,
        call: &UnlistedToolCall,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current_attempt(node, call.attempt)?;
        let known = current
            .outside
            .iter()
            .any(|other| (other.attempt, &other.call) == (call.attempt, &call.call));
        let is_new = !known && current.outside.len() < UNLISTED_CALL_LIMIT;
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

    /// Applies questions, answers and tool calls. Ignores other events.
    pub(super) fn apply_permission_event(&mut self, number: usize, event: &Event) {
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
                    run.questions.push(PermissionRequest {
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
            Some(PermissionRequest {
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
