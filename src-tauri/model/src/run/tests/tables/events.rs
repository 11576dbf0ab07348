//! The events of a node.

use super::super::scenario::{failed, lost};
use super::{outside, tokens};
use crate::outcome::Failure;
use crate::run::{AfterStop, Answer, AnsweredBy, Event, Obstacle, PinOrigin, Run};
use crate::{ArtifactId, Attempt, NodeId, Outcome, SessionId, Timestamp};

pub(super) fn node_events(run: &Run, node: NodeId) -> Vec<(&'static str, Event)> {
    let attempt = run.node(node).expect("the plan has it").attempt;
    let end = |outcome, retry_at| Event::NodeEnded {
        node,
        attempt,
        outcome,
        artifact: None,
        retry_at,
        taken: None,
    };
    let artifact = ArtifactId(uuid::Uuid::from_u128(98));
    let due = Some(Timestamp(9000));
    let session = SessionId(uuid::Uuid::from_u128(99));
    let (question, request) = ("Again?".to_owned(), "q".to_owned());
    vec![
        (
            "reserved",
            Event::NodeReserved {
                node,
                attempt: attempt.next(),
                session,
                resumes: None,
                choice: None,
                asks: None,
            },
        ),
        (
            "reserved with an old attempt",
            Event::NodeReserved {
                node,
                attempt,
                session,
                resumes: None,
                choice: None,
                asks: None,
            },
        ),
        ("held back", Event::NodeHeldBack { node, by: locked() }),
        (
            "parked",
            Event::NodeParked {
                node,
                until: Timestamp(9000),
            },
        ),
        ("passed on", Event::NodePassedOn { node }),
        ("withdrawn", Event::NodeWithdrawn { node, attempt }),
        (
            "started",
            Event::NodeStarted {
                node,
                attempt,
                checkpoint: None,
            },
        ),
        (
            "started with another attempt",
            Event::NodeStarted {
                node,
                attempt: Attempt(7),
                checkpoint: None,
            },
        ),
        (
            "asked",
            Event::NodeAsked {
                node,
                attempt,
                question,
                request: request.clone(),
                call: None,
            },
        ),
        (
            "withdrew the question",
            Event::NodeUnasked {
                node,
                attempt,
                request: request.clone(),
            },
        ),
        (
            "called an unlisted tool",
            Event::ToolOutside {
                node,
                call: outside(attempt),
            },
        ),
        (
            "answered",
            Event::NodeAnswered {
                node,
                attempt,
                request,
                answer: Answer::AllowOnce,
                by: AnsweredBy::Person,
            },
        ),
        ("succeeded", end(Outcome::Succeeded, None)),
        ("failed", end(failed(), None)),
        (
            "failed, to be retried",
            end(failed(), Some(Timestamp(6000))),
        ),
        ("stopped", end(Outcome::Cancelled, None)),
        ("out of quota", end(limited(), Some(Timestamp(6000)))),
        ("lost", end(lost(), None)),
        ("lost, to be retried", end(lost(), Some(Timestamp(6000)))),
        (
            "held",
            Event::NodeHeld {
                node,
                question: "May it?".to_owned(),
            },
        ),
        ("approved", Event::NodeReleased { node, allow: true }),
        ("rejected", Event::NodeReleased { node, allow: false }),
        (
            "asks for input",
            Event::InputAsked {
                node,
                attempt: attempt.next(),
                question: "What?".to_owned(),
                due,
            },
        ),
        (
            "given input",
            Event::InputGiven {
                node,
                attempt,
                value: "yes".to_owned(),
                artifact: Some(artifact),
            },
        ),
        ("silent", Event::NodeSilent { node, attempt }),
        ("heard", Event::NodeHeard { node, attempt }),
        (
            "used",
            Event::NodeUsed {
                node,
                attempt,
                spent: tokens(1),
            },
        ),
        ("handoff edited", Event::ArtifactEdited { node, artifact }),
        (
            "unverified",
            Event::NodeUnverified {
                node,
                attempt,
                doubt: "a file was not changed".to_owned(),
            },
        ),
        ("accepted", Event::NodeAccepted { node }),
        (
            "git restored",
            Event::GitRestored {
                node,
                attempt,
                changes: vec![0],
            },
        ),
        (
            "stop requested",
            Event::NodeStopRequested {
                node,
                attempt,
                then: AfterStop::Interrupt,
            },
        ),
        ("marked failed", Event::NodeMarkedFailed { node }),
        ("retry due", Event::NodeRetryDue { node }),
        (
            "reset",
            Event::NodesReset {
                nodes: vec![node],
                resume: false,
            },
        ),
        (
            "reset, to be resumed",
            Event::NodesReset {
                nodes: vec![node],
                resume: true,
            },
        ),
        (
            "continued",
            Event::NodeContinued {
                node,
                message: "and now the tests".to_owned(),
            },
        ),
        ("skipped", Event::NodeSkipped { node }),
        (
            "output pinned",
            Event::NodePinned {
                node,
                artifact,
                origin: PinOrigin {
                    by: "person".to_owned(),
                    at: Timestamp(5),
                    run: None,
                },
            },
        ),
        ("left out", Event::NodeLeftOut { node }),
        (
            "marked done",
            Event::NodeMarkedDone {
                node,
                artifact: None,
            },
        ),
    ]
}

fn locked() -> Obstacle {
    Obstacle::Lock {
        name: "build".to_owned(),
        holder: None,
    }
}

fn limited() -> Outcome {
    let (reset_at, detail) = (Some(Timestamp(6000)), "come back later".to_owned());
    Outcome::Failed {
        failure: Failure::UsageLimit { reset_at, detail },
    }
}
