//! Tests proposals that programs submit complete: drafts, comments, revisions, and decisions.

use baton_api::wire::*;
use baton_api::{ApiError, Code};
use baton_model::planning::ProposalState;
use baton_store::{Actor, Store};
use baton_tests::TestEnvironment;
use serde_json::{Value, json};

const CHAIN: &str = "
baton: 1
title: Chain
nodes:
  - {id: first, kind: command, command: 'true'}
  - {id: second, kind: command, command: 'true', dependsOn: [first]}
";

/// Calls an operation as the program `name`, with the right to write.
fn call_as(
    env: &TestEnvironment,
    name: &str,
    operation: &str,
    input: Value,
) -> Result<ProposalView, ApiError> {
    let app = env.app.acting_as(Actor::Program(name.to_owned()));
    let answer = baton_api::call(&app, operation, input)?;
    Ok(serde_json::from_value(answer).expect("a proposal"))
}

/// A Baton with two programs that may write.
fn with_programs() -> TestEnvironment {
    let env = TestEnvironment::new();
    for name in ["ci", "cron"] {
        let token = json!({"name": name, "surface": "write"});
        let _: TokenCreated = env.call("token_create", token).expect("a new token");
    }
    env
}

fn submit(env: &TestEnvironment, content: Value) -> Result<ProposalView, ApiError> {
    let input = json!({"content": content, "reason": "because"});
    call_as(env, "ci", "proposal_submit", input)
}

fn new_plan(env: &TestEnvironment, title: &str) -> ProposalView {
    let nodes = json!([
        {"id": "a", "title": "A", "kind": "command", "command": "true"},
        {"id": "b", "title": "B", "kind": "command", "command": "true", "dependsOn": ["a"]},
    ]);
    let content =
        json!({"title": title, "goal": "a goal", "cwd": env.work_dir.path(), "nodes": nodes});
    submit(env, content).expect("a valid plan")
}

fn ask(env: &TestEnvironment, operation: &str, input: Value) -> ProposalView {
    env.call(operation, input)
        .unwrap_or_else(|error: ApiError| panic!("{operation}: {error}"))
}

#[test]
fn submitted_plan_becomes_a_plan_only_when_a_person_accepts() {
    let env = with_programs();
    let view = new_plan(&env, "Ship it");
    let id = view.summary.id;
    assert_eq!(view.summary.state, ProposalState::Ready);
    assert_eq!(
        view.summary.author.submitted_by.as_deref(),
        Some("program:ci")
    );
    assert_eq!((view.summary.rounds, view.summary.run), (1, None));
    let draft = view.draft.expect("a draft");
    assert_eq!(
        (draft.title.as_str(), draft.description.as_str()),
        ("Ship it", "a goal")
    );
    assert!(
        draft.nodes.iter().all(|node| node.position.is_some()),
        "it is laid out"
    );
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("listed");
    assert!(plans.iter().all(|plan| plan.title != "Ship it"));
    let inbox: Vec<InboxItem> = env.call("inbox_list", Nothing {}).expect("listed");
    assert!(inbox.iter().any(|item| item.plan_title == "Ship it"));

    let refused = call_as(&env, "ci", "proposal_accept", json!({"proposal": id}));
    assert_eq!(
        refused.expect_err("only a person decides").code,
        Code::Forbidden
    );
    let accepted: ProposalAccepted = env
        .call("proposal_accept", json!({"proposal": id}))
        .expect("a person accepts");
    assert_eq!(accepted.plan.plan.title, "Ship it");
    let versions: Vec<PlanVersionRow> = env
        .call("plan_versions", json!({"plan": accepted.plan.plan.id}))
        .expect("listed");
    assert_eq!(versions[0].author, "program:ci");
}

#[test]
fn repeated_request_returns_the_first_proposal() {
    let env = with_programs();
    let send = |name: &str, title: &str| {
        let nodes = json!([{"id": "a", "title": "A", "kind": "command", "command": "true"}]);
        let input = json!({"content": {"title": title, "nodes": nodes}, "requestId": "r1"});
        call_as(&env, name, "proposal_submit", input)
            .expect("submitted")
            .summary
    };
    let first = send("ci", "One");
    let again = send("ci", "Another");
    assert_eq!((again.id, again.title.as_str()), (first.id, "One"));
    assert_ne!(
        send("cron", "Two").id,
        first.id,
        "another program has its own requests"
    );
}

#[test]
fn changes_apply_in_order_to_the_version_that_was_read() {
    let env = with_programs();
    let plan = env.import_approved(CHAIN);
    let content = |version: u32| {
        json!({"plan": plan.plan.id, "baseVersion": version, "changes": [
            {"op": "add", "node": {"id": "third", "title": "Third", "kind": "command", "command": "true"}, "why": "it is missing"},
            {"op": "connect", "from": "second", "to": "third"},
            {"op": "edit", "node": "first", "changes": {"title": "Begin"}},
            {"op": "remove", "node": "second", "heal": true},
            {"op": "set", "changes": {"tags": ["new"]}},
        ]})
    };
    let error = submit(&env, content(plan.version + 1)).expect_err("another version");
    assert_eq!(error.code, Code::Conflict);
    let view = submit(&env, content(plan.version)).expect("a valid change");
    let draft = view.draft.as_ref().expect("a draft");
    let drawn: Vec<_> = draft.nodes.iter().map(|node| node.title.as_str()).collect();
    assert_eq!(drawn, ["Begin", "Third"]);
    let edge = draft.edges.first().expect("healed");
    assert_eq!(
        (edge.parent, edge.child),
        (draft.nodes[0].id, draft.nodes[1].id)
    );
    assert!(
        view.reasoning.contains("it is missing"),
        "{}",
        view.reasoning
    );
    let diff = view.diff.expect("compared");
    assert_eq!((diff.nodes_added.len(), diff.nodes_removed.len()), (1, 1));
    assert_eq!(
        diff.nodes_changed,
        [plan.plan.nodes[0].id],
        "the node kept its identity"
    );
    let current: PlanView = env
        .call("plan_get", json!({"plan": plan.plan.id}))
        .expect("the plan");
    assert_eq!(current.version, plan.version, "nothing is changed yet");
}

#[test]
fn comments_are_answered_by_the_next_round() {
    let env = with_programs();
    let view = new_plan(&env, "Round");
    let id = view.summary.id;
    let node = view.draft.as_ref().expect("a draft").nodes[0].id;
    let place = json!({"on": "field", "node": node, "field": "command"});
    let view = ask(
        &env,
        "proposal_comment",
        json!({"proposal": id, "place": place, "text": "Use make"}),
    );
    assert_eq!(
        (view.comments[0].id, view.comments[0].answer.clone()),
        (1, None)
    );
    assert!(view.since_reviewed.expect("a person spoke").is_empty());

    let revise = |name: &str, round: u32, answers: Value| {
        let content =
            json!({"changes": [{"op": "edit", "node": "a", "changes": {"command": "make"}}]});
        let input = json!({"proposal": id, "round": round, "content": content, "answers": answers});
        call_as(&env, name, "proposal_revise", input)
    };
    assert_eq!(
        revise("cron", 1, json!({})).expect_err("not its own").code,
        Code::Refused
    );
    assert_eq!(
        revise("ci", 2, json!({})).expect_err("no such round").code,
        Code::Conflict
    );
    assert_eq!(
        revise("ci", 1, json!({"7": "?"}))
            .expect_err("no such comment")
            .code,
        Code::BadInput
    );
    let view = revise("ci", 1, json!({"1": "Done"})).expect("a new round");
    assert_eq!(
        (view.summary.rounds, view.summary.state),
        (2, ProposalState::Ready)
    );
    let answer = view.comments[0].answer.clone().expect("answered");
    assert_eq!((answer.text.as_str(), answer.round), ("Done", 2));
    assert_eq!(view.since_reviewed.expect("compared").nodes_changed, [node]);
}

#[test]
fn rejected_proposal_comes_back_and_the_third_rejection_waits_for_a_person() {
    let env = with_programs();
    let id = new_plan(&env, "Again").summary.id;
    let reject = |reason: &str| {
        let input = json!({"proposal": id, "reason": reason, "feedback": "no", "again": true});
        ask(&env, "proposal_reject", input)
    };
    for round in 1..=2 {
        let view = reject("too_big");
        assert_eq!(view.summary.state, ProposalState::Working);
        assert_eq!(
            view.summary.session, None,
            "nobody but the submitter works on it"
        );
        let content =
            json!({"changes": [{"op": "set", "changes": {"title": format!("Again {round}")}}]});
        let input = json!({"proposal": id, "round": round, "content": content});
        let view = call_as(&env, "ci", "proposal_revise", input).expect("another draft");
        assert_eq!(view.summary.state, ProposalState::Ready);
    }
    let view = reject("risk");
    assert_eq!(view.summary.state, ProposalState::NeedsReview);
    assert_eq!(view.feedback.len(), 3);
    let content = json!({"changes": [{"op": "set", "changes": {"title": "More"}}]});
    let input = json!({"proposal": id, "round": 3, "content": content});
    let refused = call_as(&env, "ci", "proposal_revise", input).expect_err("a person is next");
    assert_eq!(refused.code, Code::Refused);
    let view = ask(
        &env,
        "proposal_retry",
        json!({"proposal": id, "feedback": "one more"}),
    );
    assert_eq!(view.summary.state, ProposalState::Working);
}

#[test]
fn person_decides_on_the_draft_that_they_saw() {
    let env = with_programs();
    let id = new_plan(&env, "Seen").summary.id;
    let content = json!({"changes": [{"op": "set", "changes": {"title": "Unseen"}}]});
    let input = json!({"proposal": id, "round": 1, "content": content});
    call_as(&env, "ci", "proposal_revise", input).expect("another draft");
    for (operation, extra) in [
        ("proposal_accept", json!({})),
        ("proposal_reject", json!({"feedback": "no"})),
        (
            "proposal_comment",
            json!({"place": {"on": "plan"}, "text": "why?"}),
        ),
    ] {
        let mut input = extra;
        input["proposal"] = json!(id);
        input["round"] = json!(1);
        let refused = env.call::<Value>(operation, input).expect_err(operation);
        assert_eq!(refused.code, Code::Conflict, "{operation}");
    }
    let accepted: ProposalAccepted = env
        .call("proposal_accept", json!({"proposal": id, "round": 2}))
        .expect("the newest draft");
    assert_eq!(accepted.plan.plan.title, "Unseen");
}

#[test]
fn request_is_answered_after_the_decision_as_well() {
    let env = with_programs();
    let send = || {
        let nodes = json!([{"id": "a", "title": "A", "kind": "command", "command": "true"}]);
        let input = json!({"content": {"title": "One", "nodes": nodes}, "requestId": "r1"});
        call_as(&env, "ci", "proposal_submit", input)
            .expect("submitted")
            .summary
    };
    let id = send().id;
    let _: ProposalAccepted = env
        .call("proposal_accept", json!({"proposal": id}))
        .expect("accepted");
    let again = send();
    assert_eq!(again.id, id);
    assert!(matches!(again.state, ProposalState::Accepted { .. }));
}

#[test]
fn nodes_of_a_change_leave_settings_and_origin_as_they_are() {
    let env = with_programs();
    let file = CHAIN.replace(
        "nodes:",
        "description: a goal\npriority: 8\nuser: ada\nnodes:",
    );
    let plan = env.import_approved(&file);
    let nodes = json!([{"id": "second", "title": "Only", "kind": "command", "command": "true"}]);
    let target = |body: Value| {
        let mut content = body;
        content["plan"] = json!(plan.plan.id);
        content["baseVersion"] = json!(plan.version);
        submit(&env, content)
            .expect("a valid change")
            .draft
            .expect("a draft")
    };
    let draft = target(json!({"nodes": nodes}));
    assert_eq!(draft.nodes.len(), 1);
    assert_eq!(draft.nodes[0].id, plan.plan.nodes[1].id);
    assert_eq!(
        (&draft.settings, &draft.origin),
        (&plan.plan.settings, &plan.plan.origin)
    );
    assert_eq!(
        (&draft.description, &draft.cwd),
        (&plan.plan.description, &plan.plan.cwd)
    );
    let draft = target(json!({"text": CHAIN.replace("Chain", "Other")}));
    assert_eq!(draft.origin, plan.plan.origin, "it stays the same plan");
}

#[test]
fn only_the_submitter_or_a_person_withdraws() {
    let env = with_programs();
    let id = new_plan(&env, "Mine").summary.id;
    let cancel = |name: &str| call_as(&env, name, "proposal_cancel", json!({"proposal": id}));
    assert_eq!(cancel("cron").expect_err("not its own").code, Code::Refused);
    assert_eq!(
        cancel("ci").expect("withdrawn").summary.state,
        ProposalState::Cancelled
    );
}

#[test]
fn program_that_submits_without_end_is_stopped() {
    let env = with_programs();
    for number in 0..20 {
        new_plan(&env, &format!("Plan {number}"));
    }
    let content =
        json!({"title": "One more", "nodes": [{"id": "a", "kind": "command", "command": "true"}]});
    let error = submit(&env, content).expect_err("too many");
    assert_eq!(error.code, Code::Refused);
    assert!(error.fix.is_some());
}

#[test]
fn bad_submissions_store_nothing() {
    let env = with_programs();
    let plan = env.import_approved(CHAIN);
    let target = |changes: Value| json!({"plan": plan.plan.id, "baseVersion": plan.version, "changes": changes});
    for (content, code) in [
        (json!({}), Code::BadInput),
        (json!({"text": "a", "nodes": []}), Code::BadInput),
        (json!({"text": "title: [", "title": "x"}), Code::Invalid),
        (json!({"title": "Empty", "nodes": []}), Code::BadInput),
        (
            json!({"changes": [{"op": "remove", "node": "a"}]}),
            Code::BadInput,
        ),
        (target(json!([])), Code::BadInput),
        (
            target(json!([{"op": "remove", "node": "none"}])),
            Code::NotFound,
        ),
        (
            target(json!([{"op": "disconnect", "from": "second", "to": "first"}])),
            Code::NotFound,
        ),
        (
            target(json!([{"op": "connect", "from": "second", "to": "first"}])),
            Code::Invalid,
        ),
        (
            target(json!([{"op": "edit", "node": "first", "changes": {"nonsense": 1}}])),
            Code::Invalid,
        ),
        (
            target(json!([{"op": "edit", "node": "first", "changes": {}}])),
            Code::BadInput,
        ),
        (target(json!([{"op": "explode"}])), Code::BadInput),
        (
            json!({"plan": SOMEBODY, "baseVersion": 1, "text": CHAIN}),
            Code::NotFound,
        ),
        (json!({"title": "x", "surprise": 1}), Code::BadInput),
        (json!({"plan": plan.plan.id, "text": CHAIN}), Code::BadInput),
        (json!({"baseVersion": 1, "text": CHAIN}), Code::BadInput),
    ] {
        let error = submit(&env, content.clone()).expect_err(&content.to_string());
        assert_eq!(error.code, code, "{content}: {error}");
    }
    let listed: Vec<ProposalSummary> = env
        .call("proposals_list", json!({"open": false, "limit": 10}))
        .expect("listed");
    assert!(listed.is_empty(), "{listed:?}");
}

const SOMEBODY: &str = "00000000-0000-7000-8000-000000000001";

#[test]
fn rejections_are_kept_with_their_reasons() {
    let env = with_programs();
    let plan = env.import_approved(CHAIN);
    let changes = json!([{"op": "edit", "node": "first", "changes": {"title": "Begin"}}]);
    let content = json!({"plan": plan.plan.id, "baseVersion": plan.version, "changes": changes});
    let id = submit(&env, content).expect("submitted").summary.id;
    let input = json!({"proposal": id, "reason": "wrong_order", "feedback": "no", "again": true});
    ask(&env, "proposal_reject", input);
    let store = Store::open(env.data()).expect("opens");
    let kept = store.rejections().of_plan(plan.plan.id).expect("readable");
    assert_eq!(kept.len(), 1);
    assert_eq!(
        kept[0].reason.map(|reason| reason.as_str()),
        Some("wrong_order")
    );
    assert_eq!((kept[0].words.as_str(), kept[0].proposal), ("no", Some(id)));
    let history: PlanHistoryPage = env
        .call("plan_history", json!({"plan": plan.plan.id, "limit": 3}))
        .expect("readable");
    let types: Vec<_> = history
        .rows
        .iter()
        .map(|row| row.sentence.as_str())
        .collect();
    assert_eq!(
        types[..2],
        [
            "A person rejected a proposal.",
            "A proposal waits for a decision."
        ]
    );
}

#[test]
fn shell_numbers_changes_and_accepts_some_with_what_they_need() {
    let env = with_programs();
    let shell = baton_tests::Shell::new(&env);
    let plan = env.import(CHAIN);
    let nodes = json!([
        {"id": "first", "kind": "command", "command": "true"},
        {"id": "second", "kind": "command", "command": "false", "dependsOn": ["first"]},
        {"id": "third", "kind": "command", "command": "true", "dependsOn": ["second"]},
    ]);
    let content = json!({"plan": plan.plan.id, "baseVersion": plan.version, "nodes": nodes});
    let id = submit(&env, content).expect("a valid change").summary.id;
    let said = shell.run(&["proposal", "diff", &id.to_string()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let lines: Vec<&str> = said.out.lines().map(str::trim).collect();
    let expected = [
        "1  + node third",
        "2  ~ node second",
        "3  + edge second → third",
    ];
    assert_eq!(lines, expected);
    let refused = shell.run(&["proposal", "accept", &id.to_string(), "--only", "4"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let accepted = shell.run(&["proposal", "accept", &id.to_string(), "--only", "3"]);
    assert_eq!(accepted.code, Some(0), "{accepted:?}");
    let said = shell.run(&["plan", "diff", &plan.plan.id.to_string()]);
    let lines: Vec<&str> = said.out.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        ["1  + node third", "2  + edge second → third"],
        "{said:?}"
    );
}
