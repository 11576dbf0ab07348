//! Tests of changes to one node or to the settings.

use serde_json::json;

use super::*;
use baton_model::node::{AgentTask, NodeKind, OnFailure, SubPlanTask};

use crate::plan_fixture::{node_id, plan_of};

fn keys(value: Value) -> Keys {
    match value {
        Value::Object(keys) => keys,
        other => panic!("{other} is no mapping"),
    }
}

fn ids() -> impl FnMut() -> Uuid {
    let mut next = 1_000;
    move || {
        next += 1;
        Uuid::from_u128(next)
    }
}

fn faults(error: &PlanFileError) -> Vec<String> {
    error
        .faults
        .iter()
        .map(|fault| fault.kind.to_string())
        .collect()
}

/// Two nodes, of which the second is a sub-plan that isn't chosen yet.
fn plan() -> Plan {
    let mut plan = plan_of(&["First", "Second"], &[(0, 1)]);
    plan.nodes[1].kind = NodeKind::SubPlan(SubPlanTask::default());
    plan
}

#[test]
fn added_node_is_all_that_changes() {
    let before = plan();
    let step = keys(
        json!({"name": "Check it", "type": "agent", "dependencies": ["n0"],
        "config": {"prompt": "Check."}}),
    );
    let added = add_node(&before, &step, Some(1), &mut ids()).expect("a valid node");
    let node = added.plan.node(added.node).expect("it is there");
    assert_eq!(
        (node.slug.as_str(), node.title.as_str()),
        ("check-it", "Check it")
    );
    assert!(matches!(&node.kind, NodeKind::Agent(AgentTask { prompt, .. }) if prompt == "Check."));
    let mut rest = added.plan.clone();
    assert_eq!(rest.nodes.remove(1).id, added.node);
    let new = rest.edges.pop().expect("an edge");
    assert_eq!((new.parent, new.child), (node_id(0), added.node));
    assert_eq!(rest, before);
}

#[test]
fn node_without_an_id_gets_a_free_one() {
    let mut plan = plan();
    let mut more = ids();
    for expected in ["work", "work-2", "work-3"] {
        let step = keys(json!({"title": "Work", "kind": "command", "command": "true"}));
        let added = add_node(&plan, &step, None, &mut more).expect("a valid node");
        plan = added.plan;
        assert_eq!(
            plan.nodes.last().map(|node| node.slug.as_str()),
            Some(expected)
        );
    }
}

#[test]
fn faults_name_the_node_and_not_a_line() {
    let step = keys(
        json!({"title": "Lost", "kind": "command", "command": "true",
        "dependsOn": ["nobody"], "comand": "x"}),
    );
    let error = add_node(&plan(), &step, None, &mut ids()).expect_err("two faults");
    assert_eq!(
        faults(&error),
        [
            "unknown key \"comand\" in node \"lost\"; did you mean \"command\"?",
            "node \"lost\" depends on \"nobody\", which doesn't exist",
        ]
    );
    let taken = keys(json!({"id": "n0", "kind": "command", "command": "true"}));
    let error = add_node(&plan(), &taken, None, &mut ids()).expect_err("it is taken");
    assert_eq!(
        faults(&error),
        ["the id \"n0\" is already used by 'First'; choose another one"]
    );
}

#[test]
fn changed_keys_leave_the_others() {
    let mut before = plan();
    before.nodes[0].max_retries = 2;
    before.nodes[0].position = Some(baton_model::node::Position { x: 7.0, y: 9.0 });
    let changes = keys(json!({"title": "New title", "timeoutMs": 1000}));
    let after = change_node(&before, node_id(0), &changes, &mut ids())
        .expect("valid")
        .expect("it is there");
    let mut expected = before.clone();
    expected.nodes[0].title = "New title".to_owned();
    expected.nodes[0].timeout_ms = Some(1000);
    assert_eq!(after, expected);
    let reset = keys(json!({"maxRetries": null}));
    let after = change_node(&before, node_id(0), &reset, &mut ids())
        .expect("valid")
        .expect("it is there");
    assert_eq!(after.nodes[0].max_retries, 0);
}

#[test]
fn another_kind_drops_the_keys_of_the_former() {
    let changes = keys(json!({"kind": "user_input", "question": "Go on?"}));
    let after = change_node(&plan(), node_id(0), &changes, &mut ids())
        .expect("valid")
        .expect("it is there");
    assert!(
        matches!(&after.nodes[0].kind, NodeKind::UserInput(question) if question.question == "Go on?")
    );
    assert_eq!(after.edges, plan().edges);
}

#[test]
fn edges_and_jumps_follow_a_node_with_another_id() {
    let mut before = plan();
    before.nodes[1].on_failure = OnFailure::Node(node_id(0));
    before.edges.clear();
    let changes = keys(json!({"id": "start"}));
    let after = change_node(&before, node_id(0), &changes, &mut ids())
        .expect("valid")
        .expect("it is there");
    assert_eq!(after.nodes[0].slug.as_str(), "start");
    assert_eq!(after.nodes[1].on_failure, OnFailure::Node(node_id(0)));
    for (id, part) in [("n1", "already used by 'Second'"), ("Not One!", "Not One!")] {
        let changes = keys(json!({ "id": id }));
        let error = change_node(&before, node_id(0), &changes, &mut ids()).expect_err("refused");
        assert!(faults(&error)[0].contains(part), "{error}");
    }
}

#[test]
fn dependencies_are_replaced_as_a_whole() {
    let mut before = plan_of(&["a", "b", "c"], &[(0, 2), (0, 1)]);
    before.edges[0].soft = true;
    let changes = keys(json!({"dependsOn": ["n1"]}));
    let after = change_node(&before, node_id(2), &changes, &mut ids())
        .expect("valid")
        .expect("it is there");
    let ends: Vec<_> = after
        .edges
        .iter()
        .map(|edge| (edge.parent, edge.child))
        .collect();
    assert_eq!(ends, [(node_id(0), node_id(1)), (node_id(1), node_id(2))]);
    let circle = keys(json!({"dependsOn": ["n2"]}));
    let error = change_node(&after, node_id(0), &circle, &mut ids()).expect_err("a cycle");
    assert!(
        faults(&error)[0].contains("depend on each other"),
        "{error}"
    );
}

#[test]
fn settings_change_without_nodes() {
    let before = plan();
    let changes = keys(json!({"name": "Other", "autonomyLevel": 3, "priority": 9, "tags": ["x"]}));
    let after = change_settings(&before, &changes, &mut ids()).expect("valid");
    assert_eq!(
        (after.title.as_str(), after.settings.priority),
        ("Other", 9)
    );
    assert_eq!(
        (&after.nodes, &after.edges, after.id),
        (&before.nodes, &before.edges, before.id)
    );
    let back = change_settings(
        &after,
        &keys(json!({"priority": null, "tags": null})),
        &mut ids(),
    );
    assert_eq!(back.expect("valid").settings.tags, before.settings.tags);
    let nodes = keys(json!({"steps": []}));
    let error = change_settings(&before, &nodes, &mut ids()).expect_err("nodes are no setting");
    assert!(faults(&error)[0].contains("one by one"), "{error}");
    let range = keys(json!({"priority": 11}));
    let error = change_settings(&before, &range, &mut ids()).expect_err("1 to 10");
    assert_eq!(
        faults(&error),
        ["\"priority\" of the plan must be from 1 to 10, not 11"]
    );
}

#[test]
fn same_kind_keeps_the_keys_of_the_kind() {
    let mut before = plan();
    before.nodes[0].kind = NodeKind::Agent(AgentTask {
        prompt: "Fix it.".to_owned(),
        agent: Some("codex".to_owned()),
        ..AgentTask::default()
    });
    for changes in [
        json!({"kind": "agent", "priority": 8}),
        json!({"kind": null, "priority": 8}),
    ] {
        let after = change_node(&before, node_id(0), &keys(changes), &mut ids())
            .expect("valid")
            .expect("it is there");
        assert_eq!(after.nodes[0].kind, before.nodes[0].kind);
        assert_eq!(after.nodes[0].priority, 8);
    }
}

#[test]
fn ids_may_be_numbers_but_not_missing() {
    let step = keys(json!({"id": 2024, "kind": "command", "command": "true"}));
    let added = add_node(&plan(), &step, None, &mut ids()).expect("a valid node");
    let added = added
        .plan
        .node(added.node)
        .expect("it is there")
        .slug
        .to_string();
    assert_eq!(added, "2024");
    let number = keys(json!({"id": 5}));
    let after = change_node(&plan(), node_id(0), &number, &mut ids())
        .expect("valid")
        .expect("it is there");
    assert_eq!(after.nodes[0].slug.as_str(), "5");
    let none = keys(json!({"id": null}));
    let error = change_node(&plan(), node_id(0), &none, &mut ids()).expect_err("refused");
    assert!(faults(&error)[0].contains("without an id"), "{error}");
}

#[test]
fn loop_does_not_take_another_node_as_its_body() {
    let mut before = plan();
    before.edges.clear();
    let call =
        keys(json!({"kind": "tool_call", "toolName": "shell", "toolArgs": {"command": "true"}}));
    before = change_node(&before, node_id(0), &call, &mut ids())
        .expect("valid")
        .expect("it is there");
    let looped =
        keys(json!({"title": "Again", "kind": "loop", "loopStep": "n0", "maxIterations": 3}));
    let error = add_node(&before, &looped, None, &mut ids()).expect_err("n0 would run twice");
    assert!(faults(&error)[0].contains("loopStep"), "{error}");
}

#[test]
fn goal_replaces_the_description_and_a_title_stays() {
    let before = plan();
    let goal = |text: &str| keys(json!({ "goal": text }));
    let after = change_settings(&before, &goal("First."), &mut ids()).expect("valid");
    let after = change_settings(&after, &goal("Second."), &mut ids()).expect("valid");
    assert_eq!(after.description, "Second.");
    let none = keys(json!({"title": null}));
    let error = change_settings(&before, &none, &mut ids()).expect_err("it needs one");
    assert!(faults(&error)[0].contains("without a title"), "{error}");
}
