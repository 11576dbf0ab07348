//! Why each attempt after the first was started: a retry of the plan, or a person.

use std::collections::HashMap;

use baton_model::run::Event;
use baton_model::{Attempt, Node, Outcome};
use baton_store::StoredEvent;

use crate::approvals::describe_actor;
use crate::event_text::describe_outcome;

/// Returns why each attempt of `node` was started, as text such as `automatic retry 1 of 3:
/// attempt 1 ended with exit code 1`. First attempts have no reason, and neither have attempts that only waited for a pause
/// to end.
pub(crate) fn attempt_causes(events: &[StoredEvent], node: &Node) -> HashMap<Attempt, String> {
    let mut causes = HashMap::new();
    let mut retries = 0;
    let mut next = None;
    for stored in events {
        match &stored.event {
            Event::NodeEnded {
                node: ended,
                attempt,
                outcome,
                retry_at: Some(_),
                ..
            } if *ended == node.id => {
                let why = format!("attempt {attempt} {}", describe_outcome(outcome));
                next = Some(match counted_retry(node, &mut retries, outcome) {
                    Some(retry) => {
                        format!("automatic retry {retry} of {}: {why}", node.max_retries)
                    }
                    None => format!("automatic retry: {why}"),
                });
            }
            Event::NodeReserved {
                node: reserved,
                attempt,
                ..
            } if *reserved == node.id => {
                if let Some(cause) = next.take() {
                    causes.insert(*attempt, cause);
                }
            }
            // Its number passes on to the next attempt, and so does its cause.
            Event::NodeWithdrawn {
                node: withdrawn,
                attempt,
            } if *withdrawn == node.id => next = causes.remove(attempt),
            _ => {
                if let Some(cause) = restart(stored, node) {
                    retries = 0;
                    next = Some(cause);
                }
            }
        }
    }
    causes
}

/// The number of a retry that the plan counts. Only failures use up retries; lost attempts are
/// repeated without counting.
fn counted_retry(node: &Node, retries: &mut u32, outcome: &Outcome) -> Option<u32> {
    if !matches!(outcome, Outcome::Failed { .. }) {
        return None;
    }
    *retries += 1;
    (*retries <= node.max_retries).then_some(*retries)
}

/// Why an event starts the node over, if it does.
fn restart(stored: &StoredEvent, node: &Node) -> Option<String> {
    let actor = || describe_actor(&stored.actor);
    match &stored.event {
        Event::NodesReset { nodes, resume } if nodes.contains(&node.id) => Some(if *resume {
            format!("session resumed by {}", actor())
        } else {
            format!("started again by {}", actor())
        }),
        Event::NodeContinued { node: other, .. } if *other == node.id => {
            Some(format!("session continued by {}", actor()))
        }
        Event::PlanRetried {
            retry,
            failed,
            again,
            ..
        } if failed.contains(&node.id) || again.contains(&node.id) => {
            Some(format!("automatic restart {retry} of the run"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use baton_model::node::{CommandLine, CommandTask};
    use baton_model::outcome::Failure;
    use baton_model::{NodeId, NodeKind, SessionId, Slug, Timestamp};
    use baton_store::Actor;
    use uuid::Uuid;

    use super::*;

    fn node(max_retries: u32) -> Node {
        let kind = NodeKind::Command(CommandTask {
            command: CommandLine::Argv(vec!["true".to_owned()]),
            env: Default::default(),
            cwd: None,
        });
        let slug = Slug::new("a").expect("a letter");
        let mut node = Node::new(NodeId(Uuid::from_u128(1)), slug, "A", kind);
        node.max_retries = max_retries;
        node
    }

    fn reserved(attempt: u32) -> Event {
        Event::NodeReserved {
            node: node(0).id,
            attempt: Attempt(attempt),
            session: SessionId(Uuid::nil()),
            resumes: None,
            choice: None,
            asks: None,
        }
    }

    fn ended(attempt: u32, outcome: Outcome, retry: bool) -> Event {
        Event::NodeEnded {
            node: node(0).id,
            attempt: Attempt(attempt),
            outcome,
            artifact: None,
            retry_at: retry.then_some(Timestamp(0)),
            taken: None,
        }
    }

    fn failed() -> Outcome {
        Outcome::Failed {
            failure: Failure::ExitCode { code: 2 },
        }
    }

    fn reset(resume: bool) -> Event {
        Event::NodesReset {
            nodes: vec![NodeId(Uuid::from_u128(9)), node(0).id],
            resume,
        }
    }

    fn causes(events: Vec<(Actor, Event)>) -> Vec<(u32, String)> {
        let stored: Vec<_> = events
            .into_iter()
            .zip(1..)
            .map(|((actor, event), seq)| StoredEvent {
                seq,
                at: Timestamp(0),
                actor,
                event,
            })
            .collect();
        let mut causes: Vec<_> = attempt_causes(&stored, &node(2))
            .into_iter()
            .map(|(attempt, cause)| (attempt.0, cause))
            .collect();
        causes.sort();
        causes
    }

    fn by_baton(events: Vec<Event>) -> Vec<(Actor, Event)> {
        events
            .into_iter()
            .map(|event| (Actor::Baton, event))
            .collect()
    }

    #[test]
    fn automatic_retries_are_counted_and_name_the_failure() {
        let found = causes(by_baton(vec![
            reserved(1),
            ended(1, failed(), true),
            reserved(2),
            ended(2, failed(), true),
            reserved(3),
            ended(3, failed(), false),
        ]));
        let failure = describe_outcome(&failed());
        assert_eq!(
            found,
            [
                (2, format!("automatic retry 1 of 2: attempt 1 {failure}")),
                (3, format!("automatic retry 2 of 2: attempt 2 {failure}")),
            ]
        );
    }

    #[test]
    fn lost_attempts_are_repeated_without_counting() {
        let lost = Outcome::Lost {
            detail: "its keeper is gone".to_owned(),
        };
        let found = causes(by_baton(vec![
            reserved(1),
            ended(1, lost, true),
            reserved(2),
            ended(2, failed(), true),
            reserved(3),
        ]));
        let failure = describe_outcome(&failed());
        assert_eq!(
            found,
            [
                (
                    2,
                    "automatic retry: attempt 1 was lost: its keeper is gone".to_owned()
                ),
                (3, format!("automatic retry 1 of 2: attempt 2 {failure}")),
            ]
        );
    }

    #[test]
    fn person_who_starts_it_again_is_named_and_the_count_starts_over() {
        let mut events = by_baton(vec![
            reserved(1),
            ended(1, failed(), true),
            reserved(2),
            ended(2, failed(), false),
        ]);
        events.push((Actor::PERSON, reset(false)));
        events.extend(by_baton(vec![
            reserved(3),
            ended(3, failed(), true),
            reserved(4),
        ]));
        let found = causes(events);
        let person = describe_actor(&Actor::PERSON);
        assert_eq!(found[1], (3, format!("started again by {person}")));
        assert!(
            found[2].1.starts_with("automatic retry 1 of 2: "),
            "{found:?}"
        );
    }

    #[test]
    fn cause_passes_on_from_a_withdrawn_attempt() {
        let withdrawn = Event::NodeWithdrawn {
            node: node(0).id,
            attempt: Attempt(2),
        };
        let mut events = by_baton(vec![reserved(1), ended(1, failed(), false)]);
        events.push((Actor::PERSON, reset(true)));
        events.extend(by_baton(vec![reserved(2), withdrawn, reserved(2)]));
        let person = describe_actor(&Actor::PERSON);
        assert_eq!(
            causes(events),
            [(2, format!("session resumed by {person}"))]
        );
    }

    #[test]
    fn restart_of_the_run_is_named() {
        let retried = Event::PlanRetried {
            retry: 1,
            failed: vec![node(0).id],
            again: Vec::new(),
            due: Timestamp(0),
        };
        let found = causes(by_baton(vec![
            reserved(1),
            ended(1, failed(), false),
            retried,
            reserved(2),
        ]));
        assert_eq!(found, [(2, "automatic restart 1 of the run".to_owned())]);
    }
}
