//! Tests the plan tools with a fake `baton` that returns scripted results and records its input.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::support::{TestWorkspace, ToolRun, call};

const PLAN: &str = "0199d3a0-0000-7000-8000-000000000001";
const RUN: &str = "0199d3a0-0000-7000-8000-000000000002";

/// Installs a fake `baton` that returns these results.
fn baton(workspace: &TestWorkspace, answers: &[(&str, Value)]) {
    for (operation, answer) in answers {
        workspace.write(&format!("answers/{operation}"), &answer.to_string());
    }
    let script = "#!/bin/sh\ncd \"$BATON_DATA_DIR\"\nprintf '%s ' \"$2\" >> asked; cat >> asked; echo >> asked\n\
                  [ \"$1 $3\" = 'call -' ] && exec cat \"answers/$2\"\n";
    let path = workspace.write("baton", script);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions are set");
}

fn ask(workspace: &TestWorkspace, tool: &str, args: Value) -> ToolRun {
    let work = json!({ "call": call(tool, args), "baton": workspace.path().join("baton"), "dataDirectory": workspace.path() });
    workspace.run("call", work)
}

fn run(state: Value) -> Value {
    json!({ "id": RUN, "state": state, "progress": ["done", "skipped", "running", "pending"] })
}

fn rows() -> Value {
    let row = |id: &str, title: &str, review: &str, last_run: Value| json!({ "id": id, "title": title, "description": "Reach it.", "review": review, "nodeCount": 4, "lastRun": last_run });
    json!([
        row(
            PLAN,
            "Release",
            "approved",
            run(json!({"state": "running"}))
        ),
        row(
            "0199d3a0-0000-7000-8000-000000000003",
            "Twin",
            "draft",
            Value::Null
        ),
        row(
            "0199d3a0-0000-7000-8000-000000000004",
            "Twin",
            "draft",
            Value::Null
        ),
    ])
}

fn view() -> Value {
    let node = |id: u32, slug: &str| {
        json!({ "id": format!("0199d3a0-0000-7000-8000-00000000001{id}"), "slug": slug, "title": slug.to_uppercase(),
                "kind": { "kind": "command", "command": "true" } })
    };
    let edge = json!({ "parent": node(0, "a")["id"], "child": node(1, "b")["id"], "soft": false });
    let plan = json!({ "id": PLAN, "title": "Release", "description": "Reach it.", "cwd": "/tmp",
                       "nodes": [node(0, "a"), node(1, "b")], "edges": [edge] });
    json!({ "plan": plan, "version": 2, "revision": 7, "review": "approved", "lastRun": run(json!({"state": "running"})) })
}

fn run_view(state: Value) -> Value {
    let node =
        json!({ "node": "0199d3a0-0000-7000-8000-000000000010", "state": { "state": "done" } });
    json!({ "summary": run(state), "nodes": [node] })
}

#[test]
fn plans_are_listed_with_status_and_progress() {
    let workspace = TestWorkspace::new();
    baton(&workspace, &[("plans_list", rows())]);
    let value = ask(&workspace, "list_plans", json!({})).value();
    assert_eq!(value.as_array().map(Vec::len), Some(3));
    let release = json!({ "id": PLAN, "name": "Release", "goal": "Reach it.", "status": "running", "review": "approved",
                          "progress": 50, "steps": 4 });
    assert_eq!(value[0], release);
    assert_eq!(
        ask(&workspace, "list_plans", json!({"status": "running"})).value(),
        json!([release])
    );
    assert_eq!(
        ask(
            &workspace,
            "list_plans",
            json!({"status": "draft", "limit": 1})
        )
        .value()
        .as_array()
        .map(Vec::len),
        Some(1)
    );
}

#[test]
fn created_plan_uses_the_node_directory() {
    let workspace = TestWorkspace::new();
    baton(&workspace, &[("plan_create", view())]);
    let value = ask(
        &workspace,
        "create_plan",
        json!({"name": "Release", "goal": "Ship it.", "description": "Soon."}),
    )
    .value();
    assert_eq!(value["id"], PLAN);
    let asked = workspace.read("asked");
    let (operation, input) = asked.trim().split_once(' ').expect("an operation");
    let input: Value = serde_json::from_str(input).expect("JSON");
    assert_eq!(operation, "plan_create");
    assert_eq!(
        input,
        json!({"title": "Release", "description": "Ship it.\n\nSoon.", "cwd": workspace.path()})
    );
}

#[test]
fn step_is_added_by_its_order() {
    let workspace = TestWorkspace::new();
    let added = json!({ "node": { "slug": "tell-all" }, "position": 3, "dependsOn": ["a"], "saved": { "version": 3 } });
    baton(&workspace, &[("node_add", added)]);
    let args = json!({"plan_id": PLAN, "order": 2, "type": "command", "name": "Tell all", "command": "echo told"});
    let value = ask(&workspace, "add_plan_step", args).value();
    assert_eq!(
        (&value["step_id"], &value["dependencies"], &value["version"]),
        (&json!("tell-all"), &json!(["a"]), &json!(3))
    );
    let asked = workspace.read("asked");
    let input = asked.trim().strip_prefix("node_add ").expect("one call");
    assert_eq!(
        serde_json::from_str::<Value>(input).expect("JSON"),
        json!({"plan": PLAN, "orderNum": 2,
            "node": {"title": "Tell all", "kind": "command", "command": "echo told"}})
    );
}

#[test]
fn plan_details_include_steps_and_history() {
    let workspace = TestWorkspace::new();
    let history = json!([{ "sentence": "The run began." }, { "sentence": "a is done." }]);
    let state = json!({"state": "running"});
    baton(
        &workspace,
        &[
            ("plans_list", rows()),
            ("plan_get", view()),
            ("run_get", run_view(state)),
            ("run_history", history),
        ],
    );
    let value = ask(
        &workspace,
        "get_plan_details",
        json!({"plan_id": "Release"}),
    )
    .value();
    assert_eq!(
        (&value["status"], &value["progress"], &value["run"]),
        (&json!("running"), &json!(50), &json!(RUN))
    );
    assert_eq!(value["history"], json!(["The run began.", "a is done."]));
    let step = |order: u32, slug: &str, status: &str, dependencies: Value| json!({ "id": slug, "order": order, "type": "command", "name": slug.to_uppercase(), "status": status, "dependencies": dependencies });
    assert_eq!(
        value["steps"],
        json!([
            step(1, "a", "done", json!([])),
            step(2, "b", "pending", json!(["a"]))
        ])
    );
}

#[test]
fn execute_plan_waits_for_completion() {
    let workspace = TestWorkspace::new();
    let done = run_view(json!({"state": "completed"}));
    baton(
        &workspace,
        &[
            ("run_start", run_view(json!({"state": "running"}))),
            ("run_get", done),
        ],
    );
    let value = ask(&workspace, "execute_plan", json!({"plan_id": PLAN})).value();
    assert_eq!(
        (&value["run"], &value["status"]),
        (&json!(RUN), &json!("completed"))
    );
    assert!(
        workspace
            .read("asked")
            .contains(r#"run_start {"goal":{"want":"all"}"#)
    );

    let workspace = TestWorkspace::new();
    let failed = run_view(json!({"state": "failed", "message": "b failed"}));
    baton(
        &workspace,
        &[("run_start", failed.clone()), ("run_get", failed)],
    );
    let failure = ask(&workspace, "execute_plan", json!({"plan_id": PLAN})).failure();
    assert_eq!(
        failure,
        format!("execute_plan: the run {RUN} failed: b failed")
    );
}

#[test]
fn pause_plan_pauses_latest_run() {
    let workspace = TestWorkspace::new();
    baton(
        &workspace,
        &[
            ("plan_get", view()),
            (
                "run_pause",
                run(json!({"state": "paused", "reason": "asked"})),
            ),
        ],
    );
    assert_eq!(
        ask(&workspace, "pause_plan", json!({"plan_id": PLAN})).value()["status"],
        "paused"
    );
    assert!(workspace.read("asked").contains(&format!(
        r#"run_pause {{"run":"{RUN}","stopRunning":false}}"#
    )));
}

#[test]
fn delete_plan_deletes() {
    let workspace = TestWorkspace::new();
    baton(&workspace, &[("plan_delete", json!({}))]);
    assert_eq!(
        ask(&workspace, "delete_plan", json!({"plan_id": PLAN})).value(),
        json!({"plan_id": PLAN, "deleted": true})
    );
}

#[test]
fn errors_are_reported() {
    let workspace = TestWorkspace::new();
    baton(&workspace, &[("plans_list", rows())]);
    let failure = ask(&workspace, "delete_plan", json!({"plan_id": "Twin"})).failure();
    assert_eq!(
        failure,
        "delete_plan: 2 plans have the title 'Twin'. Use an id instead"
    );
    let failure = ask(&workspace, "delete_plan", json!({"plan_id": "Nothing"})).failure();
    assert_eq!(
        failure,
        "delete_plan: no plan has the id or title 'Nothing'"
    );
    workspace.write(
        "baton",
        "#!/bin/sh\necho \"baton: couldn't run plan_delete: it is running\" >&2\nexit 2\n",
    );
    let failure = ask(&workspace, "delete_plan", json!({"plan_id": PLAN})).failure();
    assert_eq!(failure, "delete_plan: baton failed: it is running");
    fs::remove_file(workspace.path().join("baton")).expect("the file exists");
    let failure = ask(&workspace, "list_plans", json!({})).failure();
    assert!(failure.contains("couldn't start "), "{failure}");
}
