//! Tests changes to one node, the order, and the settings of a plan.

use baton_api::wire::*;
use baton_api::{ApiError, Code};
use baton_tests::{Shell, TestEnvironment};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const CHAIN: &str = "
baton: 1
title: Chain
nodes:
  - {id: first, kind: command, command: 'true', position: {x: 10, y: 20}}
  - {id: second, kind: command, command: 'true', dependsOn: [first]}
  - {id: third, kind: command, command: 'echo {{nodes.second.outputs.made}}', dependsOn: [second]}
";

/// Calls an operation on the plan.
fn edit<T: DeserializeOwned>(
    env: &TestEnvironment,
    plan: &PlanView,
    operation: &str,
    mut input: Value,
) -> Result<T, ApiError> {
    input["plan"] = json!(plan.plan.id);
    env.call(operation, input)
}

fn current(env: &TestEnvironment, plan: &PlanView) -> PlanView {
    let plan = PlanRef { plan: plan.plan.id };
    env.call("plan_get", plan).expect("the plan")
}

/// The nodes in order, each with its parents.
fn drawn(view: &PlanView) -> String {
    let slug = |id| view.plan.node(id).map_or("?", |node| node.slug.as_str());
    let nodes = view.plan.nodes.iter().map(|node| {
        let into = view.plan.edges.iter().filter(|edge| edge.child == node.id);
        let parents: Vec<_> = into.map(|edge| slug(edge.parent)).collect();
        match parents.is_empty() {
            true => node.slug.to_string(),
            false => format!("{}<{}", node.slug, parents.join("+")),
        }
    });
    nodes.collect::<Vec<_>>().join(" ")
}

#[test]
fn node_is_added_changed_and_removed_by_itself() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let node = json!({"title": "In between", "kind": "command", "command": "true", "dependsOn": ["first"]});
    let added: NodeSaved = edit(
        &env,
        &plan,
        "node_add",
        json!({"node": node, "position": 2}),
    )
    .expect("a valid node");
    assert_eq!(
        (added.position, &added.depends_on[..]),
        (2, &["first".to_owned()][..])
    );
    assert_eq!(added.saved.version, plan.version + 1);
    let now = current(&env, &plan);
    assert_eq!(
        drawn(&now),
        "first in-between<first second<first third<second"
    );
    assert_eq!(
        now.plan.nodes[0], plan.plan.nodes[0],
        "nothing else changes"
    );
    assert_ne!(now.review, plan.review, "the change has to be approved");

    let changes = json!({"dependsOn": ["in-between"], "title": "Second one"});
    let saved: NodeSaved = edit(
        &env,
        &plan,
        "node_save",
        json!({"node": "second", "changes": changes}),
    )
    .expect("a valid change");
    assert_eq!(saved.node.title, "Second one");
    let now = current(&env, &plan);
    assert_eq!(
        drawn(&now),
        "first in-between<first second<in-between third<second"
    );

    let node = added.node.id.to_string();
    let _: PlanSaved = edit(
        &env,
        &plan,
        "node_remove",
        json!({"node": node, "heal": true}),
    )
    .expect("its neighbors are connected");
    let now = current(&env, &plan);
    assert_eq!(drawn(&now), "first second<first third<second");
    assert_eq!(now.plan.nodes.len(), 3);
}

#[test]
fn order_and_settings_change_without_the_rest() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let order = json!({"nodes": ["third", "first", "second"]});
    let _: PlanSaved = edit(&env, &plan, "nodes_reorder", order.clone()).expect("a new order");
    assert_eq!(
        drawn(&current(&env, &plan)),
        "third<second first second<first"
    );
    let again: PlanSaved = edit(&env, &plan, "nodes_reorder", order).expect("the same order");
    assert_eq!(
        again.version,
        current(&env, &plan).version,
        "no new version"
    );

    let changes = json!({"title": "Renamed", "priority": 9, "autonomyLevel": 2});
    let _: PlanSaved =
        edit(&env, &plan, "plan_patch", json!({ "changes": changes })).expect("valid");
    let now = current(&env, &plan);
    assert_eq!(
        (now.plan.title.as_str(), now.plan.settings.priority),
        ("Renamed", 9)
    );
    assert_eq!(now.plan.settings.autonomy.map(u8::from), Some(2));
    let _: PlanSaved = edit(
        &env,
        &plan,
        "plan_patch",
        json!({"changes": {"priority": null}}),
    )
    .expect("back to the default");
    assert_eq!(
        current(&env, &plan).plan.settings.priority,
        plan.plan.settings.priority
    );
}

#[test]
fn what_is_wrong_is_named_and_nothing_is_changed() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let refused = |operation: &str, input: Value| {
        edit::<Value>(&env, &plan, operation, input).expect_err("it is wrong")
    };
    let error = refused(
        "node_add",
        json!({"node": {"title": "X", "kind": "command", "command": "true", "colr": 1, "dependsOn": ["nope"]}}),
    );
    assert_eq!(
        (error.code, error.faults.len()),
        (Code::Invalid, 2),
        "{error:?}"
    );
    assert!(
        error.message.starts_with("The node can't be added: "),
        "{error:?}"
    );
    let error = refused(
        "node_save",
        json!({"node": "first", "changes": {"dependsOn": ["third"]}}),
    );
    assert!(error.message.contains("depend on each other"), "{error:?}");
    let error = refused(
        "node_save",
        json!({"node": "second", "changes": {"id": "renamed"}}),
    );
    assert!(
        error.message.contains("second"),
        "a reference would lead nowhere: {error:?}"
    );
    let error = refused("node_save", json!({"node": "nobody", "changes": {}}));
    assert_eq!(error.code, Code::NotFound);
    let error = refused("nodes_reorder", json!({"nodes": ["third", "first"]}));
    assert!(error.message.contains("'second' is missing"), "{error:?}");
    let error = refused(
        "nodes_reorder",
        json!({"nodes": ["first", "first", "second", "third"]}),
    );
    assert!(error.message.contains("twice"), "{error:?}");
    let error = refused("node_add", json!({"node": {}, "position": 0}));
    assert_eq!(error.code, Code::BadInput);
    let error = refused("plan_patch", json!({"changes": {"nodes": []}}));
    assert!(error.message.contains("one by one"), "{error:?}");
    assert_eq!(current(&env, &plan), plan);
}

#[test]
fn stale_revision_is_refused_and_without_one_both_changes_stay() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let title = |title: &str, base: Option<u64>| {
        let input = json!({"changes": {"title": title}, "baseRevision": base});
        edit::<PlanSaved>(&env, &plan, "plan_patch", input)
    };
    title("Mine", Some(plan.revision)).expect("nobody changed it");
    let error = title("Late", Some(plan.revision)).expect_err("somebody did");
    assert_eq!(error.code, Code::Conflict);

    let other = env.second_process(baton_api::Role::Cli);
    std::thread::scope(|scope| {
        for (env, from) in [(&env, 0), (&other, 1)] {
            let plan = &plan;
            scope.spawn(move || {
                for number in 0..10 {
                    let node = json!({"title": format!("Work {from} {number}"), "kind": "command", "command": "true"});
                    let _: NodeSaved = edit(env, plan, "node_add", json!({ "node": node }))
                        .expect("the other's change is kept");
                }
            });
        }
    });
    assert_eq!(current(&env, &plan).plan.nodes.len(), 23);
}

#[test]
fn shell_changes_parts_of_a_plan() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let shell = Shell::new(&env);
    let run = |arguments: &[&str]| {
        let done = shell.run(&[&["plan"], arguments].concat());
        assert_eq!(done.code, Some(0), "{done:?}");
        done.out
    };
    let node = [
        "title=Tell all",
        "kind=command",
        "command=echo told",
        "dependsOn=[\"third\"]",
    ];
    let said = run(&[&["add-node", "Chain"], &node[..]].concat());
    assert!(
        said.starts_with("tell-all ('Tell all') added: version 2 of the plan"),
        "{said}"
    );
    run(&[
        "set-node",
        "Chain",
        "tell-all",
        "timeoutMs=60000",
        "title=Tell everyone",
    ]);
    run(&["set-node", "Chain", "third", "command=true"]);
    run(&["remove-node", "Chain", "second", "--heal"]);
    run(&["reorder", "Chain", "tell-all", "third", "first"]);
    run(&["set", "Chain", "title=Chained", "priority=8"]);
    let now = current(&env, &plan);
    assert_eq!(drawn(&now), "tell-all<third third<first first");
    assert_eq!(
        (now.plan.title.as_str(), now.plan.settings.priority),
        ("Chained", 8)
    );
    assert_eq!(now.plan.nodes[0].timeout_ms, Some(60_000));

    let refused = shell.run(&["plan", "set-node", "Chained", "first", "kind=comand"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("comand"), "{refused:?}");
    let unfinished = run(&[
        "set-node",
        "Chained",
        "first",
        "kind=sub_plan",
        "subPlanId=",
    ]);
    assert!(
        unfinished.contains("which can't run yet: 'first' has no plan"),
        "{unfinished}"
    );
}
