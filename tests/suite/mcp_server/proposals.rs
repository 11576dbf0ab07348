//! Proposing plans, reading what people said, and revising. A person decides.

use baton_api::wire::*;
use baton_tests::TestEnvironment;
use serde_json::{Value, json};

use super::client::{DEFAULT_ANSWER_BYTES, McpClient, assert_size};

const CHAIN: &str = "
baton: 1
title: Chain
nodes:
  - {id: first, kind: command, command: 'true'}
  - {id: second, kind: command, command: 'true', dependsOn: [first]}
";

/// Does something as a person.
fn person(env: &TestEnvironment, operation: &str, input: Value) -> Value {
    env.call(operation, input)
        .unwrap_or_else(|error: baton_api::ApiError| panic!("{operation}: {error}"))
}

fn nodes() -> Value {
    json!([
        {"id": "a", "title": "A", "kind": "command", "command": "true"},
        {"id": "b", "title": "B", "kind": "command", "command": "true", "dependsOn": ["a"]},
    ])
}

fn plan_count(env: &TestEnvironment) -> usize {
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("a list");
    plans.len()
}

#[test]
fn proposed_plan_waits_for_a_person_in_every_form() {
    let env = TestEnvironment::new();
    let before = plan_count(&env);
    let client = McpClient::connect(&env, &[]);
    let steps = json!([{"description": "Read", "tool": "Read", "operation": "read"}, {"description": "Write"}]);
    for (number, mut form) in (1..).zip([
        json!({ "yaml": CHAIN }),
        json!({ "yaml": "- {id: a, kind: command, command: 'true'}", "title": "Part" }),
        json!({ "title": "Nodes", "nodes": nodes() }),
        json!({ "title": "Steps", "steps": steps }),
        json!({ "title": "Context", "steps": steps, "context": "There are no tests." }),
    ]) {
        form["reason"] = json!("because");
        form["requestId"] = json!(number.to_string());
        let answer = client.call("plan_propose", form.clone());
        assert_eq!(answer["state"], "waits_for_person", "{form}");
        assert_eq!(answer["round"], 1);
        assert_eq!(answer["url"], "baton://inbox");
        let proposal = json!({ "proposal": answer["proposal"] });
        let view = person(&env, "proposal_get", proposal);
        let cwd = env.work_dir.path().display().to_string();
        assert_eq!(view["draft"]["cwd"], cwd, "the project of the client");
        assert_eq!(view["summary"]["author"]["submittedBy"], "agent:mcp");
        assert!(view["reasoning"].to_string().contains("because"));
        assert_eq!(
            client.call("plan_propose", form)["proposal"],
            answer["proposal"]
        );
    }
    assert_eq!(plan_count(&env), before, "nothing is stored as a plan");
}

#[test]
fn equal_proposals_without_a_name_are_one() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &[]);
    let propose = |title: &str| {
        let answer = client.call("plan_propose", json!({ "title": title, "nodes": nodes() }));
        answer["proposal"].clone()
    };
    assert_eq!(propose("One"), propose("One"));
    assert_ne!(propose("One"), propose("Two"));
}

#[test]
fn changes_are_compared_with_the_plan_and_a_moved_plan_is_a_conflict() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let client = McpClient::connect(&env, &[]);
    let changes = json!([
        {"op": "add", "node": {"id": "third", "kind": "command", "command": "true"}, "why": "it is missing"},
        {"op": "connect", "from": "second", "to": "third"},
        {"op": "edit", "node": "first", "changes": {"title": "Begin"}},
    ]);
    let propose = |version: u32| json!({ "plan": plan.plan.id, "baseVersion": version, "changes": changes, "reason": "faster" });
    let refused = client.refused("plan_propose", propose(plan.version + 1));
    assert_eq!(refused["code"], "conflict");
    let answer = client.call("plan_propose", propose(plan.version));
    let diff =
        json!({"added": ["third"], "removed": [], "changed": ["first"], "edges": 1, "plan": false});
    assert_eq!(answer["diff"], diff, "{answer:#}");
    assert_eq!(answer["plan"], json!(plan.plan.id));
}

#[test]
fn comments_are_read_answered_and_revised() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &[]);
    let answer = client.call(
        "plan_propose",
        json!({ "title": "Round", "nodes": nodes() }),
    );
    let proposal = answer["proposal"].clone();
    let view = person(&env, "proposal_get", json!({ "proposal": proposal }));
    let node = view["draft"]["nodes"][0]["id"].clone();
    for (place, text) in [
        (
            json!({"on": "field", "node": node, "field": "command"}),
            "Use make",
        ),
        (json!({"on": "plan"}), "Too short?"),
    ] {
        let input = json!({ "proposal": proposal, "place": place, "text": text });
        person(&env, "proposal_comment", input);
    }
    let read = client.call("proposal_get", json!({ "proposal": proposal }));
    let rows = read["comments"].as_array().expect("comments");
    let places: Vec<_> = rows.iter().map(|row| row["place"].as_str()).collect();
    assert_eq!(places, [Some("field command of a"), Some("plan")]);
    assert!(
        read["next"]
            .as_str()
            .expect("text")
            .contains("proposal_revise")
    );

    let change = json!([{"op": "edit", "node": "a", "changes": {"command": "make"}}]);
    let revise = |round: u32, body: Value| {
        let mut input = body;
        input["proposal"] = proposal.clone();
        input["round"] = json!(round);
        input
    };
    let wrong = revise(2, json!({ "changes": change }));
    assert_eq!(client.refused("proposal_revise", wrong)["code"], "conflict");
    let first = revise(1, json!({ "changes": change, "answers": {"1": "Done"} }));
    let revised = client.call("proposal_revise", first);
    assert_eq!(
        (&revised["round"], &revised["comments"][0]["answer"]),
        (&json!(2), &json!("Done"))
    );
    // Answered comments of an earlier round are shown only on request.
    let read = client.call("proposal_get", json!({ "proposal": proposal }));
    assert_eq!(
        read["comments"].as_array().map(Vec::len),
        Some(1),
        "{read:#}"
    );
    assert_eq!(read["comments"][0]["id"], 2);
    let all = client.call("proposal_get", json!({ "proposal": proposal, "since": 1 }));
    assert_eq!(all["comments"].as_array().map(Vec::len), Some(2), "{all:#}");

    let second = revise(2, json!({ "answers": {"2": "It is enough"} }));
    let revised = client.call("proposal_revise", second);
    assert_eq!(revised["round"], 3, "{revised:#}");
    let draft = client.call(
        "proposal_get",
        json!({ "proposal": proposal, "draft": true }),
    );
    assert!(
        draft["text"].as_str().expect("a file").contains("make"),
        "{draft:#}"
    );
    client.refused(
        "proposal_revise",
        revise(3, json!({ "answers": {"9": "?"} })),
    );
    client.refused("proposal_revise", revise(3, json!({})));
}

#[test]
fn change_to_a_plan_is_revised_by_answers_and_by_other_changes() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let client = McpClient::connect(&env, &[]);
    let change =
        |title: &str| json!([{"op": "edit", "node": "first", "changes": {"title": title}}]);
    let input =
        json!({ "plan": plan.plan.id, "baseVersion": plan.version, "changes": change("Begin") });
    let proposal = client.call("plan_propose", input)["proposal"].clone();
    let comment = json!({ "proposal": proposal, "place": {"on": "plan"}, "text": "why?" });
    person(&env, "proposal_comment", comment);
    let answered = json!({ "proposal": proposal, "round": 1, "answers": {"1": "It reads better"} });
    let revised = client.call("proposal_revise", answered);
    assert_eq!(revised["diff"]["changed"], json!(["first"]), "{revised:#}");
    let other = json!({ "proposal": proposal, "round": 2, "changes": change("Start") });
    client.call("proposal_revise", other);
    let view = person(&env, "proposal_get", json!({ "proposal": proposal }));
    assert_eq!(view["draft"]["nodes"][0]["title"], "Start");
}

#[test]
fn rejections_say_why_and_the_third_stops_the_agent() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &[]);
    let answer = client.call(
        "plan_propose",
        json!({ "title": "Again", "nodes": nodes() }),
    );
    let proposal = answer["proposal"].clone();
    let reject = |reason: &str| {
        let input =
            json!({ "proposal": proposal, "reason": reason, "feedback": "no", "again": true });
        person(&env, "proposal_reject", input);
        client.call("proposal_get", json!({ "proposal": proposal }))
    };
    for round in 1..=2 {
        let read = reject("too_big");
        assert_eq!(read["state"], "changes_requested");
        let last = read["rejections"].as_array().and_then(|rows| rows.last());
        assert_eq!(last, Some(&json!({"reason": "too_big", "text": "no"})));
        let change = json!([{"op": "set", "changes": {"title": format!("Again {round}")}}]);
        let input = json!({ "proposal": proposal, "round": round, "changes": change });
        let revised = client.call("proposal_revise", input);
        assert_eq!(revised["state"], "waits_for_person");
    }
    assert_eq!(reject("risk")["state"], "needs_review");
    let input = json!({ "proposal": proposal, "round": 3, "changes": [{"op": "set", "changes": {"title": "More"}}] });
    assert_eq!(client.refused("proposal_revise", input)["code"], "refused");
}

#[test]
fn accepted_proposal_names_the_plan_and_what_was_left_out() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(CHAIN);
    let client = McpClient::connect(&env, &[]);
    let changes = json!([
        {"op": "edit", "node": "first", "changes": {"title": "Begin"}},
        {"op": "add", "node": {"id": "third", "kind": "command", "command": "true"}},
    ]);
    let input = json!({ "plan": plan.plan.id, "baseVersion": plan.version, "changes": changes });
    let proposal = client.call("plan_propose", input)["proposal"].clone();
    let view = person(&env, "proposal_get", json!({ "proposal": proposal }));
    let one = view["changes"].as_array().expect("changes")[0].clone();
    person(
        &env,
        "proposal_accept",
        json!({ "proposal": proposal, "changes": [one] }),
    );
    let read = client.call("proposal_get", json!({ "proposal": proposal }));
    assert_eq!(
        (&read["state"], &read["version"]),
        (&json!("accepted"), &json!(plan.version + 1))
    );
    assert!(read["notTaken"].is_object(), "{read:#}");
    assert!(
        read["url"]
            .as_str()
            .expect("text")
            .starts_with("baton://blueprints/")
    );
    let plan = client.call("plan_get", json!({ "plan": read["plan"] }));
    assert_eq!(plan["review"], "draft", "accepting is no approval");
}

#[test]
fn answers_about_large_proposals_are_short() {
    let env = TestEnvironment::new();
    let node = |number: u32| json!({"id": format!("node-{number}"), "title": "\"long\" ".repeat(15), "kind": "command", "command": "true"});
    let nodes: Vec<_> = (0..200).map(node).collect();
    let client = McpClient::connect(&env, &[]);
    let input = json!({ "title": "\"Large\" ".repeat(20), "nodes": nodes });
    let result = client.try_call("plan_propose", input).expect("a result");
    assert_size(&result, DEFAULT_ANSWER_BYTES);
    let proposal = result.structured_content.expect("structured")["proposal"].clone();
    let words = "Say \"why\" and how.\n".repeat(200);
    for _ in 0..12 {
        let comment = json!({ "proposal": proposal, "place": {"on": "plan"}, "text": words });
        person(&env, "proposal_comment", comment);
    }
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let input = json!({ "proposal": proposal, "cursor": cursor });
        let result = client.try_call("proposal_get", input).expect("a result");
        assert_size(&result, DEFAULT_ANSWER_BYTES);
        let page = result.structured_content.expect("structured");
        assert_eq!(page["total"], 12);
        let rows = page["comments"].as_array().expect("comments").iter();
        seen.extend(rows.filter_map(|row| row["id"].as_u64()));
        match page.get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    assert_eq!(seen, (1..=12).collect::<Vec<_>>());
    for (part, whole) in [("comment", Some(words.trim())), ("draft", None)] {
        let (mut text, mut offset) = (String::new(), 0);
        loop {
            let mut input = json!({ "proposal": proposal, "offset": offset });
            input[part] = if part == "comment" {
                json!(3)
            } else {
                json!(true)
            };
            let result = client.try_call("proposal_get", input).expect("a result");
            assert_size(&result, DEFAULT_ANSWER_BYTES);
            let read = result.structured_content.expect("structured");
            text.push_str(read["text"].as_str().expect("text"));
            match read["nextOffset"].as_u64() {
                Some(next) => offset = next,
                None => break,
            }
        }
        assert!(whole.is_none_or(|whole| whole == text), "{text}");
    }
}

#[test]
fn errors_that_quote_the_caller_are_short() {
    let env = TestEnvironment::new();
    let client = McpClient::connect(&env, &[]);
    let wrong =
        json!([{"op": "set", "changes": {"title": "x"}, ("\"surprise\"".repeat(5_000)): 1}]);
    let long = "x".repeat(50_000);
    for (name, input) in [
        (
            "plan_propose",
            json!({ "plan": FOREIGN, "baseVersion": 1, "changes": wrong }),
        ),
        (
            "plan_propose",
            json!({ "title": "x", "nodes": [{"id": "a", "kind": long}] }),
        ),
        ("plan_propose", json!({ (&long): 1 })),
        ("proposal_get", json!({ "proposal": long })),
    ] {
        let result = client.try_call(name, input).expect("a result");
        assert_eq!(result.is_error, Some(true));
        assert_size(&result, DEFAULT_ANSWER_BYTES);
    }
}

const FOREIGN: &str = "01890000-0000-7000-8000-000000000000";
