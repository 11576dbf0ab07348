//! Finding, reading and checking plans.

use std::collections::BTreeSet;

use baton_api::wire::*;
use baton_tests::TestEnvironment;
use serde_json::{Value, json};

use super::client::{DEFAULT_ANSWER_BYTES, McpClient, assert_size};

const PLAN: &str = "
baton: 1
title: Release
description: Everything for the release.
nodes:
  - {id: build, kind: command, command: make}
  - {id: test, kind: command, command: make test, dependsOn: [build]}
  - {id: notes, prompt: Write the notes., dependsOn: [build]}
";

/// A plan with `count` nodes in a row, and long titles.
fn long_plan(count: usize) -> String {
    let node = |number: usize| {
        let after = number
            .checked_sub(1)
            .map(|before| format!("dependsOn: [node-{before}], "));
        format!(
            "  - {{id: node-{number}, {}kind: command, command: 'true', title: {}}}\n",
            after.unwrap_or_default(),
            "A long title ".repeat(12)
        )
    };
    let nodes: String = (0..count).map(node).collect();
    format!("baton: 1\ntitle: Long\nnodes:\n{nodes}")
}

fn plan_ids(page: &Value) -> Vec<String> {
    let rows = page["plans"].as_array().expect("rows").iter();
    rows.map(|row| row["plan"].as_str().expect("an ID").to_owned())
        .collect()
}

#[test]
fn plans_are_found_page_by_page_in_small_answers() {
    let env = TestEnvironment::new();
    let expected: BTreeSet<_> = (0..70)
        .map(|number| {
            let title = format!("{} {number}", "A title that is much too long ".repeat(4));
            let plan = env.import(&PLAN.replace("Release", &title));
            plan.plan.id.to_string()
        })
        .collect();
    let client = McpClient::connect(&env, &[]);
    let first = client.try_call("plan_find", json!({})).expect("a result");
    assert_size(&first, DEFAULT_ANSWER_BYTES);
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let page = client.call("plan_find", json!({ "cursor": cursor, "limit": 30 }));
        assert_eq!(page["total"], 70);
        seen.extend(plan_ids(&page));
        match page.get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    assert_eq!(seen.len(), 70);
    assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
}

#[test]
fn only_plans_of_the_project_are_found_unless_all_are_asked_for() {
    let env = TestEnvironment::new();
    let here = env.import_approved(PLAN).plan.id.to_string();
    let client = McpClient::connect(&env, &[]);
    let find = |arguments: Value| plan_ids(&client.call("plan_find", arguments));
    assert_eq!(find(json!({})), [here.as_str()]);
    // The examples work elsewhere.
    assert!(find(json!({ "cwd": "/", "limit": 50 })).len() > 1);
    assert!(find(json!({ "cwd": "/nowhere" })).is_empty());
    let below = env.work_dir.path().join("src/deep");
    assert_eq!(find(json!({ "cwd": below })), [here.as_str()]);
    for (arguments, is_found) in [
        (json!({ "query": "FOR THE RELEASE" }), true),
        (json!({ "query": "nothing like this" }), false),
        (json!({ "status": "approved" }), true),
        (json!({ "status": "running" }), false),
    ] {
        assert_eq!(!find(arguments.clone()).is_empty(), is_found, "{arguments}");
    }
}

#[test]
fn outline_is_short_and_full_nodes_are_only_those_named() {
    let env = TestEnvironment::new();
    let plan = env.import(PLAN).plan.id;
    let client = McpClient::connect(&env, &[]);
    let outline = client.call("plan_get", json!({ "plan": plan }));
    assert_eq!(
        outline["outline"],
        json!([
            "build [command] build",
            "test [command] test <- build",
            "notes [agent] notes <- build"
        ])
    );
    assert_eq!(outline["review"], "draft");
    assert!(outline.get("nodes").is_none(), "{outline:#}");
    let arguments = json!({ "plan_id": plan, "detail": "nodes", "nodes": ["notes"] });
    let named = client.call("plan_get", arguments);
    assert_eq!(named["nodes"][0]["prompt"], "Write the notes.");
    for nodes in [json!([]), json!(["build", "missing"])] {
        let arguments = json!({ "plan": plan, "detail": "nodes", "nodes": nodes });
        client.refused("plan_get", arguments);
    }
}

#[test]
fn long_plan_is_read_in_small_answers() {
    let env = TestEnvironment::new();
    let plan = env.import(&long_plan(300)).plan.id;
    let client = McpClient::connect(&env, &[]);
    let arguments = json!({ "plan": plan });
    let first = client.try_call("plan_get", arguments).expect("a result");
    assert_size(&first, DEFAULT_ANSWER_BYTES);
    let (mut yaml, mut offset) = (String::new(), 0);
    loop {
        let arguments = json!({ "plan": plan, "detail": "yaml", "offset": offset });
        let result = client.try_call("plan_get", arguments).expect("a result");
        assert_size(&result, DEFAULT_ANSWER_BYTES);
        let part = result.structured_content.expect("structured");
        yaml.push_str(part["yaml"].as_str().expect("text"));
        match part["nextOffset"].as_u64() {
            Some(next) => offset = next,
            None => break,
        }
    }
    let input = PlanExport {
        plan,
        format: baton_formats::plan_file::Format::Yaml,
        version: None,
        alone: true,
    };
    let file: FileText = env.call("plan_export", input).expect("a file");
    assert_eq!(yaml, file.text);
}

#[test]
fn older_version_of_a_plan_can_be_read() {
    let env = TestEnvironment::new();
    let view = env.import_changed(PLAN, "Release", "Release two");
    let client = McpClient::connect(&env, &[]);
    let title = |version: u32| {
        let arguments = json!({ "plan": view.plan.id, "version": version });
        client.call("plan_get", arguments)["title"].clone()
    };
    assert_eq!(
        (title(1), title(2)),
        (json!("Release"), json!("Release two"))
    );
    client.refused("plan_get", json!({ "plan": view.plan.id, "version": 9 }));
}

#[test]
fn checking_a_plan_says_what_is_wrong_and_stores_nothing() {
    let env = TestEnvironment::new();
    let count = || -> usize {
        let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("a list");
        plans.len()
    };
    let before = count();
    let client = McpClient::connect(&env, &[]);
    let good = client.call("plan_check", json!({ "yaml": PLAN }));
    assert_eq!(
        (&good["valid"], &good["width"], &good["order"][0]),
        (&json!(true), &json!(2), &json!("build"))
    );
    let cycle = json!([
        {"id": "a", "kind": "command", "command": "true", "dependsOn": ["b"]},
        {"id": "b", "kind": "command", "command": "true", "dependsOn": ["a"]},
    ]);
    let bad = client.call("plan_check", json!({ "nodes": cycle }));
    assert_eq!(bad["valid"], false);
    assert_ne!(bad["faults"], json!([]));
    let wrong: String = (0..500)
        .map(|number| format!("  - {{id: node-{number}, sort: command}}\n"))
        .collect();
    let arguments = json!({ "yaml": format!("nodes:\n{wrong}") });
    let many = client.try_call("plan_check", arguments).expect("a result");
    assert_size(&many, DEFAULT_ANSWER_BYTES);
    let long = client
        .try_call("plan_check", json!({ "yaml": long_plan(1_000) }))
        .expect("a result");
    assert_size(&long, DEFAULT_ANSWER_BYTES);
    assert_eq!(count(), before);
}

#[test]
fn plan_is_a_document_and_prompts_are_listed() {
    let env = TestEnvironment::new();
    let plan = env.import(PLAN).plan.id;
    let client = McpClient::connect(&env, &[]);
    let document = client.read(&format!("baton://plans/{plan}"));
    let document = document.expect("a document");
    assert!(document.starts_with("# Release"), "{document}");
    assert!(document.contains("Write the notes."), "{document}");
    for address in [
        "baton://plans/01890000-0000-7000-8000-000000000000",
        "baton://plans",
        "file:///etc/passwd",
    ] {
        let error = client.read(address).expect_err(address);
        assert!(error.to_string().contains("-32602"), "{error}");
    }
    assert_eq!(
        client.prompt_names(),
        ["plan_this", "review_run", "why_failed"]
    );
}
