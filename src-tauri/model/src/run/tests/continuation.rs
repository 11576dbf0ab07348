//! How a run handles a message to the agent of a node that has ended.

use super::scenario::{Scenario, ended, failed, lost, started_run, take_over};
use crate::node::{AgentTask, NodeKind};
use crate::outcome::Failure;
use crate::plan::Autonomy;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, MESSAGE_LIMIT, RunState};
use crate::{Outcome, Plan, SessionId};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

fn agents() -> Plan {
    let mut plan = plan_of(&["A", "B", "C"], &[(A, B), (B, C)]);
    for node in &mut plan.nodes {
        node.kind = NodeKind::Agent(AgentTask::default());
    }
    plan
}

fn says(message: &str) -> Command {
    Command::ContinueNode {
        node: node_id(A),
        message: message.to_owned(),
    }
}

fn session(scenario: &Scenario) -> Option<SessionId> {
    scenario.node(A).session
}

/// The session that A's waiting attempt resumes, and whether it receives the message for the first
/// time.
fn next(scenario: &Scenario) -> (Option<SessionId>, Option<(String, bool)>) {
    let node = scenario.node(A);
    let pending = node.continuation.as_ref().map(|pending| {
        (
            pending.message.clone(),
            pending.is_repeated_to(node.attempt),
        )
    });
    (node.resumes, pending)
}

#[test]
fn continuing_a_finished_node_makes_dependents_stale() {
    let mut scenario = started_run(agents());
    for position in [A, B, C] {
        scenario.runs(position, Outcome::Succeeded);
    }
    assert_eq!(*scenario.run.state(), RunState::Completed);
    let before = session(&scenario);
    let step = scenario.step_ok(says("and now the tests"));
    assert!(
        matches!(&step.effects[..], [Effect::StartSession { resumes, .. }] if *resumes == before),
        "one session starts, and it resumes the old one: {:?}",
        step.effects
    );
    assert_eq!(
        next(&scenario),
        (before, Some(("and now the tests".to_owned(), false)))
    );
    assert!(scenario.node(B).stale && scenario.node(C).stale);
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(
        (scenario.state_name(A), scenario.node(A).attempt.0),
        ("done", 2)
    );
    assert!(
        scenario.node(A).continuation.is_none(),
        "the message was delivered"
    );
    assert_eq!(*scenario.run.state(), RunState::Completed);
    scenario.step_ok(Command::RerunNode { node: node_id(A) });
    assert_eq!(
        next(&scenario),
        (None, None),
        "a rerun starts from the beginning"
    );
}

#[test]
fn interrupted_continuation_repeats_its_message() {
    let limit = Outcome::Failed {
        failure: Failure::UsageLimit {
            reset_at: None,
            detail: "later".to_owned(),
        },
    };
    for (end, goes_on) in [
        (
            lost(),
            Command::RetryNode {
                node: node_id(A),
                resume: true,
            },
        ),
        (
            failed(),
            Command::RetryNode {
                node: node_id(A),
                resume: true,
            },
        ),
        (limit, Command::Due { node: node_id(A) }),
    ] {
        let mut scenario = started_run(agents());
        scenario.runs(A, Outcome::Succeeded);
        scenario.step_ok(says("more"));
        let heard = session(&scenario);
        scenario.runs(A, end.clone());
        scenario.step_ok(goes_on);
        assert_eq!(
            next(&scenario),
            (heard, Some(("more".to_owned(), true))),
            "after {end:?}"
        );
    }
}

#[test]
fn retries_of_a_continuation_resume_the_session() {
    let mut plan = agents();
    plan.nodes[A].max_retries = 1;
    let mut scenario = started_run(plan);
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(says("more"));
    let heard = session(&scenario);
    scenario.runs(A, failed());
    scenario.step_ok(Command::Due { node: node_id(A) });
    assert_eq!(next(&scenario), (heard, Some(("more".to_owned(), true))));
}

#[test]
fn withdrawn_attempt_keeps_its_message() {
    let mut scenario = started_run(agents());
    scenario.runs(A, Outcome::Succeeded);
    let before = session(&scenario);
    scenario.step_ok(says("more"));
    scenario.step_ok(Command::Pause {
        stop_running: false,
    });
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(Command::SessionWithdrawn { node, attempt });
    scenario.step_ok(Command::Resume);
    assert_eq!(next(&scenario), (before, Some(("more".to_owned(), false))));
}

#[test]
fn continuation_survives_pause_and_takeover() {
    let mut scenario = started_run(agents());
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(says("more"));
    let heard = session(&scenario);
    let (node, attempt) = scenario.starts(A);
    scenario.step_ok(Command::Pause { stop_running: true });
    scenario.step_ok(ended(node, attempt, Outcome::Cancelled));
    scenario.step_ok(Command::Resume);
    assert_eq!(next(&scenario), (heard, Some(("more".to_owned(), true))));
    let step = scenario.step_ok(take_over(1));
    let starts = step.effects.iter().filter(
        |effect| matches!(effect, Effect::StartSession { resumes, .. } if *resumes == heard),
    );
    assert_eq!(
        starts.count(),
        1,
        "the next executor learns which session to resume: {:?}",
        step.effects
    );
}

/// Sending a message to a node implies approval to start it.
#[test]
fn continuation_needs_no_start_approval() {
    let mut plan = agents();
    plan.settings.autonomy = Some(Autonomy::AskAll);
    let mut scenario = started_run(plan);
    scenario.step_ok(Command::Approve {
        node: node_id(A),
        allow: true,
    });
    scenario.runs(A, Outcome::Succeeded);
    let step = scenario.step_ok(says("more"));
    assert!(
        step.effects
            .iter()
            .any(|effect| matches!(effect, Effect::StartSession { .. })),
        "{:?}",
        step.effects
    );
}

#[test]
fn message_without_a_session_is_rejected() {
    let mut plan = agents();
    plan.nodes[B].kind = plan_of(&["B"], &[]).nodes[0].kind.clone();
    let mut scenario = started_run(plan);
    let mut refusal = |position: usize, message: &str| {
        let command = Command::ContinueNode {
            node: node_id(position),
            message: message.to_owned(),
        };
        scenario
            .step(&command)
            .map(|step| step.events)
            .map_err(|refusal| refusal.to_string())
    };
    assert_eq!(
        refusal(A, "more"),
        Err("'A' is waiting, so it can't be continued".to_owned()),
        "an attempt is already in progress"
    );
    assert_eq!(
        refusal(C, "more"),
        Err("'C' is pending, so it can't be continued".to_owned())
    );
    scenario.runs(A, Outcome::Succeeded);
    scenario.runs(B, Outcome::Succeeded);
    let mut refusal = |position: usize, message: &str| {
        let command = Command::ContinueNode {
            node: node_id(position),
            message: message.to_owned(),
        };
        scenario
            .step(&command)
            .map(|step| step.events)
            .map_err(|refusal| refusal.to_string())
    };
    let no_agent = "'B' has no agent session to continue".to_owned();
    assert_eq!(
        refusal(B, "more"),
        Err(no_agent),
        "a command has no session to continue"
    );
    assert!(refusal(A, " \n").is_err_and(|sentence| sentence.contains("must have 1 to")));
    assert!(refusal(A, &"x".repeat(MESSAGE_LIMIT + 1)).is_err());
}
