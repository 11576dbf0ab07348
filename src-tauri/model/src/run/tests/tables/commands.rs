//! The commands to a run and to a node.

use super::super::scenario::{Scenario, ended, failed, lost, start, started, take_over};
use super::{B, outside, proposal, tokens};
use crate::plan_fixture::node_id;
use crate::run::{Answer, Command, Goal, HandlerOutcome, HandlerProblem, ReplanEnd};
use crate::{Attempt, NodeId, Outcome};

pub(super) fn commands(scenario: &Scenario, node: NodeId) -> Vec<(&'static str, Command)> {
    let mut commands = vec![
        ("start", start(None)),
        ("take over", take_over(1)),
        ("take over with the old epoch", take_over(0)),
        (
            "pause",
            Command::Pause {
                stop_running: false,
            },
        ),
        ("pause with stop", Command::Pause { stop_running: true }),
        ("resume", Command::Resume),
        ("cancel", Command::Cancel),
        (
            "want all",
            Command::Want {
                goal: Goal::All,
                finished: Vec::new(),
            },
        ),
        (
            "want B alone",
            Command::Want {
                finished: Vec::new(),
                goal: Goal::Only {
                    nodes: vec![node_id(B)],
                },
            },
        ),
        (
            "want a missing node",
            Command::Want {
                finished: Vec::new(),
                goal: Goal::Only {
                    nodes: vec![node_id(9)],
                },
            },
        ),
        (
            "skip B",
            Command::SkipNode {
                node: node_id(B),
                stop: false,
            },
        ),
        ("rerun what is stale", Command::RerunStale),
        ("rerun what failed", Command::RerunFailed),
        (
            "keep",
            Command::Checkpoint {
                name: "here".to_owned(),
                data: 1.into(),
                files: None,
            },
        ),
        (
            "roll back",
            Command::Rollback {
                checkpoint: 0,
                files: false,
            },
        ),
        ("time up", Command::TimeUp),
        (
            "replan",
            Command::BeginReplan {
                proposal: proposal(1),
            },
        ),
        (
            "replan by another proposal",
            Command::BeginReplan {
                proposal: proposal(2),
            },
        ),
        (
            "no new plan",
            Command::EndReplan {
                proposal: proposal(1),
                end: ReplanEnd::GivenUp,
            },
        ),
        (
            "no new plan by another proposal",
            Command::EndReplan {
                proposal: proposal(2),
                end: ReplanEnd::Rejected,
            },
        ),
        (
            "error handler started",
            Command::DecideHandler {
                end: 1,
                outcome: HandlerOutcome::NotStarted {
                    problem: HandlerProblem::Unknown,
                },
            },
        ),
    ];
    commands.extend(commands_to_a_node(scenario, node));
    commands
}

pub(super) fn commands_to_a_node(
    scenario: &Scenario,
    node: NodeId,
) -> Vec<(&'static str, Command)> {
    let attempt = scenario.run.node(node).expect("the plan has it").attempt;
    let (question, request) = ("May I?".to_owned(), "q".to_owned());
    let give = |value: &str| Command::GiveInput {
        node,
        value: value.to_owned(),
    };
    let another = "another".to_owned();
    vec![
        (
            "retry",
            Command::RetryNode {
                node,
                resume: false,
            },
        ),
        (
            "retry and resume",
            Command::RetryNode { node, resume: true },
        ),
        ("rerun from here", Command::RerunFrom { node }),
        ("rerun alone", Command::RerunNode { node }),
        (
            "continue",
            Command::ContinueNode {
                node,
                message: "and now the tests".to_owned(),
            },
        ),
        ("skip", Command::SkipNode { node, stop: false }),
        (
            "mark done",
            Command::MarkDone {
                node,
                handoff: String::new(),
                stop: false,
            },
        ),
        ("stop", Command::StopNode { node }),
        ("stop and skip", Command::SkipNode { node, stop: true }),
        (
            "stop and mark done",
            Command::MarkDone {
                node,
                handoff: String::new(),
                stop: true,
            },
        ),
        ("mark failed", Command::MarkFailed { node }),
        ("accept", Command::Accept { node }),
        (
            "note that git was restored",
            Command::NoteGitRestored {
                node,
                attempt,
                changes: vec![0],
            },
        ),
        (
            "edit the handoff",
            Command::EditArtifact {
                node,
                text: "other words".to_owned(),
            },
        ),
        ("approve", Command::Approve { node, allow: true }),
        ("reject", Command::Approve { node, allow: false }),
        ("give input", give("yes")),
        ("give invalid input", give("perhaps")),
        (
            "answer",
            Command::Answer {
                node,
                request: request.clone(),
                answer: Answer::AllowOnce,
            },
        ),
        (
            "answer another question",
            Command::Answer {
                node,
                request: another.clone(),
                answer: Answer::AllowOnce,
            },
        ),
        ("started", started(node, attempt)),
        ("withdrawn", Command::SessionWithdrawn { node, attempt }),
        (
            "asked",
            Command::SessionAsked {
                node,
                attempt,
                question: question.clone(),
                request,
                call: None,
            },
        ),
        (
            "asked another question",
            Command::SessionAsked {
                node,
                attempt,
                question,
                request: another,
                call: None,
            },
        ),
        (
            "withdrew the question",
            Command::SessionUnasked {
                node,
                attempt,
                request: "q".to_owned(),
            },
        ),
        (
            "called an unlisted tool",
            Command::SessionOutside {
                node,
                call: outside(attempt),
            },
        ),
        (
            "silent",
            Command::SessionSilent {
                node,
                attempt,
                silent: true,
            },
        ),
        (
            "heard",
            Command::SessionSilent {
                node,
                attempt,
                silent: false,
            },
        ),
        (
            "used",
            Command::SessionUsed {
                node,
                attempt,
                spent: tokens(1),
            },
        ),
        (
            "used too much",
            Command::SessionUsed {
                node,
                attempt,
                spent: tokens(1000),
            },
        ),
        ("succeeded", ended(node, attempt, Outcome::Succeeded)),
        ("failed", ended(node, attempt, failed())),
        ("stopped", ended(node, attempt, Outcome::Cancelled)),
        ("lost", ended(node, attempt, lost())),
        ("ended before", ended(node, Attempt(0), Outcome::Succeeded)),
        ("due", Command::Due { node }),
    ]
}
