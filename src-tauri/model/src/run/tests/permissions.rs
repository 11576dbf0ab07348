//! Permissions for more than one call: what they cover, and how long they last.

use super::scenario::{Scenario, ended, failed, lost, started_run, take_over};
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{
    ActiveGrant, Answer, AnsweredBy, Command, Effect, Event, NodeState, RequestedToolCall, Step,
    UnlistedToolCall,
};
use crate::{Attempt, Grant, NodeId};

const A: usize = 0;
const B: usize = 1;

fn call(tool: &str, command: Option<&str>) -> RequestedToolCall {
    RequestedToolCall {
        tool: tool.to_owned(),
        command: command.map(str::to_owned),
    }
}

fn asks((node, attempt): (NodeId, Attempt), request: &str, call: &RequestedToolCall) -> Command {
    let (question, request) = ("May I?".to_owned(), request.to_owned());
    Command::SessionAsked {
        node,
        attempt,
        question,
        request,
        call: Some(call.clone()),
    }
}

fn says(node: NodeId, request: &str, answer: Answer) -> Command {
    Command::Answer {
        node,
        request: request.to_owned(),
        answer,
    }
}

/// Returns who answered the question in this step; `None` if it is open.
fn answered(step: &Step, request: &str) -> Option<AnsweredBy> {
    step.events.iter().find_map(|event| match event {
        Event::NodeAnswered {
            request: of, by, ..
        } if of == request => Some(*by),
        _ => None,
    })
}

/// A run in which the sessions of two nodes are live.
fn two() -> (Scenario, (NodeId, Attempt), (NodeId, Attempt)) {
    let mut scenario = started_run(plan_of(&["A", "B"], &[]));
    let (a, b) = (scenario.starts(A), scenario.starts(B));
    (scenario, a, b)
}

#[test]
fn each_answer_has_its_scope() {
    let bash = call("Bash", Some("ls"));
    for (answer, same_node, other_node, other_command) in [
        (Answer::AllowOnce, false, false, false),
        (Answer::allow_node(), true, false, false),
        (Answer::allow_plan(), true, true, false),
        (
            Answer::Deny {
                reason: "No.".to_owned(),
            },
            false,
            false,
            false,
        ),
    ] {
        let (mut scenario, a, b) = two();
        scenario.step_ok(asks(a, "first", &bash));
        let step = scenario.step_ok(says(a.0, "first", answer.clone()));
        let expected = Effect::Answer {
            node: a.0,
            attempt: a.1,
            request: "first".to_owned(),
            answer: answer.clone(),
        };
        assert_eq!(step.effects, [expected], "{answer:?}");
        let by_grant = |covered: bool| covered.then_some(AnsweredBy::Grant);
        let step = scenario.step_ok(asks(a, "second", &bash));
        assert_eq!(
            answered(&step, "second"),
            by_grant(same_node),
            "{answer:?}: the same node"
        );
        let step = scenario.step_ok(asks(b, "third", &bash));
        assert_eq!(
            answered(&step, "third"),
            by_grant(other_node),
            "{answer:?}: another node"
        );
        let step = scenario.step_ok(asks(a, "fourth", &call("Bash", Some("ls; rm -rf ."))));
        assert_eq!(
            answered(&step, "fourth"),
            by_grant(other_command),
            "{answer:?}: another command"
        );
    }
}

#[test]
fn grant_answers_open_questions() {
    let (mut scenario, a, b) = two();
    let write = call("Write", None);
    for (who, request) in [(a, "one"), (a, "two"), (b, "three")] {
        scenario.step_ok(asks(who, request, &write));
    }
    scenario.step_ok(asks(b, "other", &call("Bash", Some("ls"))));
    let step = scenario.step_ok(says(a.0, "two", Answer::allow_plan()));
    let by = ["one", "two", "three", "other"].map(|request| answered(&step, request));
    assert_eq!(
        by,
        [
            Some(AnsweredBy::Grant),
            Some(AnsweredBy::Person),
            Some(AnsweredBy::Grant),
            None
        ]
    );
    assert_eq!(*scenario.state(A), NodeState::Running);
    assert_eq!(
        scenario.state_name(B),
        "waiting",
        "the other question is still open"
    );
}

fn begin_with(words: &str) -> Vec<String> {
    vec![words.to_owned()]
}

#[test]
fn prefix_grant_answers_matching_commands() {
    for (answer, other_node) in [
        (
            Answer::AllowNode {
                begins: begin_with("git status"),
            },
            false,
        ),
        (
            Answer::AllowPlan {
                begins: begin_with("git status"),
            },
            true,
        ),
    ] {
        let (mut scenario, a, b) = two();
        scenario.step_ok(asks(a, "open", &call("Bash", Some("git status -v"))));
        scenario.step_ok(asks(a, "first", &call("Bash", Some("git status"))));
        let step = scenario.step_ok(says(a.0, "first", answer.clone()));
        assert_eq!(
            answered(&step, "open"),
            Some(AnsweredBy::Grant),
            "open questions are answered too"
        );
        let given_in = other_node.then_some(a.0);
        let of = (!other_node).then_some(a.0);
        let granted = Event::Granted {
            grant: Grant::with_prefix("Bash", "git status"),
            of,
            given_in,
        };
        assert!(step.events.contains(&granted), "{:?}", step.events);
        scenario.step_ok(take_over(1));
        for (who, request, command, by_grant) in [
            (a, "short", "git status --short", true),
            (a, "codex", "bash -lc 'git status --short'", true),
            (a, "more", "git status; touch x", false),
            (a, "other", "git stash", false),
            (b, "third", "git status", other_node),
        ] {
            let step = scenario.step_ok(asks(who, request, &call("Bash", Some(command))));
            assert_eq!(
                answered(&step, request),
                by_grant.then_some(AnsweredBy::Grant),
                "{answer:?}: {command}"
            );
        }
        let grant = Grant::with_prefix("Bash", "git status");
        scenario.step_ok(Command::Revoke { grant, of });
        let step = scenario.step_ok(asks(a, "revoked", &call("Bash", Some("git status"))));
        assert_eq!(answered(&step, "revoked"), None);
    }
}

#[test]
fn an_answer_for_several_commands_covers_their_pipe() {
    let (mut scenario, a, _) = two();
    scenario.step_ok(asks(a, "one", &call("Bash", Some("git log | head -3"))));
    let begins = vec!["git log".to_owned(), "head".to_owned()];
    scenario.step_ok(says(a.0, "one", Answer::AllowNode { begins }));
    assert_eq!(scenario.run.active_grants().len(), 2);
    let step = scenario.step_ok(asks(
        a,
        "two",
        &call("Bash", Some("git log -5 2>&1 | head -n 1")),
    ));
    assert_eq!(answered(&step, "two"), Some(AnsweredBy::Grant));
}

#[test]
fn broad_or_unrelated_prefixes_are_refused() {
    let faults = [
        ("sudo", Some("sudo ls"), "can run any program"),
        ("git push", Some("git status"), "does not begin with"),
        ("git", Some("git status"), "can run any program"),
        ("git status; x", Some("git status; x"), "without quotes"),
        ("git status", None, "does not begin with"),
    ];
    for (words, command, expected) in faults {
        let (mut scenario, a, _) = two();
        scenario.step_ok(asks(a, "one", &call("Bash", command)));
        let answer = says(
            a.0,
            "one",
            Answer::AllowPlan {
                begins: begin_with(words),
            },
        );
        let message = scenario
            .step(&answer)
            .expect_err("it is refused")
            .to_string();
        assert!(message.contains(expected), "{words}: {message}");
        assert_eq!(scenario.run.active_grants(), []);
    }
}

#[test]
fn grants_survive_the_attempt_and_a_takeover() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].max_retries = 1;
    let mut scenario = started_run(plan);
    let first = scenario.starts(A);
    let write = call("Write", None);
    scenario.step_ok(asks(first, "one", &write));
    scenario.step_ok(says(first.0, "one", Answer::allow_node()));
    scenario.step_ok(ended(first.0, first.1, failed()));
    scenario.step_ok(Command::Due { node: node_id(A) });
    scenario.step_ok(take_over(1));
    let second = scenario.starts(A);
    assert_eq!(second.1, Attempt(2));
    let step = scenario.step_ok(asks(second, "one", &write));
    assert_eq!(answered(&step, "one"), Some(AnsweredBy::Grant));
}

#[test]
fn undelivered_answer_is_sent_with_its_reason() {
    let (mut scenario, a, _) = two();
    scenario.step_ok(asks(a, "one", &call("Write", None)));
    let answer = Answer::Deny {
        reason: "Use the template.".to_owned(),
    };
    scenario.step_ok(says(a.0, "one", answer.clone()));
    // The executor dies before it can inform the session, which asks the next executor again.
    scenario.step_ok(take_over(1));
    let step = scenario.step_ok(asks(a, "one", &call("Write", None)));
    assert_eq!(
        step.effects,
        [Effect::Answer {
            node: a.0,
            attempt: a.1,
            request: "one".to_owned(),
            answer
        }]
    );
}

#[test]
fn revoked_permission_is_asked_again() {
    let (mut scenario, a, _) = two();
    let write = call("Write", None);
    scenario.step_ok(asks(a, "one", &write));
    scenario.step_ok(says(a.0, "one", Answer::allow_plan()));
    assert_eq!(
        scenario.run.active_grants(),
        [ActiveGrant {
            grant: Grant::exact("Write", None),
            node: None
        }]
    );
    let revoke = |of| Command::Revoke {
        grant: Grant::exact("Write", None),
        of,
    };
    assert_eq!(
        scenario.step_ok(revoke(Some(a.0))).events,
        [],
        "no permission was granted to the node itself"
    );
    scenario.step_ok(revoke(None));
    assert_eq!(scenario.run.active_grants(), []);
    assert_eq!(
        answered(&scenario.step_ok(asks(a, "two", &write)), "two"),
        None
    );
}

#[test]
fn grants_from_earlier_runs_count() {
    let grant = Grant::exact("Write", None);
    let mut scenario = Scenario::of(plan_of(&["A"], &[]));
    let mut start = super::scenario::start(None);
    if let Command::Start { grants, .. } = &mut start {
        grants.push(grant);
    }
    scenario.step_ok(start);
    let a = scenario.starts(A);
    assert_eq!(
        answered(
            &scenario.step_ok(asks(a, "one", &call("Write", None))),
            "one"
        ),
        Some(AnsweredBy::Grant)
    );
}

#[test]
fn withdrawn_question_is_not_an_answer() {
    let (mut scenario, (node, attempt), _) = two();
    scenario.step_ok(asks((node, attempt), "one", &call("Write", None)));
    let step = scenario.step_ok(Command::SessionUnasked {
        node,
        attempt,
        request: "one".to_owned(),
    });
    assert_eq!(step.effects, []);
    assert_eq!(*scenario.state(A), NodeState::Running);
    let again = scenario.step_ok(Command::SessionUnasked {
        node,
        attempt,
        request: "one".to_owned(),
    });
    assert_eq!(again, Step::default());
}

#[test]
fn unlisted_calls_are_kept_once_up_to_a_limit() {
    let (mut scenario, (node, attempt), _) = two();
    let outside = |number: usize| {
        let (call, what, note) = (
            format!("toolu_{number}"),
            "Bash: ls".to_owned(),
            "would have been blocked".to_owned(),
        );
        Command::SessionOutside {
            node,
            call: UnlistedToolCall {
                attempt,
                call,
                what,
                note,
                refused: false,
            },
        }
    };
    for number in (0..200).chain(0..200) {
        scenario.step_ok(outside(number));
    }
    let marks = scenario.run.node(node).expect("a node of the plan").marks();
    assert_eq!(marks.outside.len(), 100);
    assert_eq!(marks.outside[99].call, "toolu_99");
    scenario.step_ok(ended(node, attempt, lost()));
    let late = scenario.run.clone();
    assert_eq!(
        late.node(node).map(|run| run.outside.len()),
        Some(100),
        "the record outlives the attempt"
    );
}

#[test]
fn histories_of_older_formats_are_read() {
    let old = r#"[{"event":"node_asked","node":"00000000-0000-0000-0000-000000000001","attempt":1,"question":"Write: a","request":"r"},
        {"event":"node_answered","node":"00000000-0000-0000-0000-000000000001","attempt":1,"request":"r","allow":true},
        {"event":"node_answered","node":"00000000-0000-0000-0000-000000000001","attempt":1,"request":"s","allow":false}]"#;
    let events: Vec<Event> = serde_json::from_str(old).expect("stored events can be read");
    let answers: Vec<&Answer> = events
        .iter()
        .filter_map(|event| match event {
            Event::NodeAnswered {
                answer,
                by: AnsweredBy::Person,
                ..
            } => Some(answer),
            _ => None,
        })
        .collect();
    assert_eq!(answers, [&Answer::AllowOnce, &Answer::deny()]);
}
