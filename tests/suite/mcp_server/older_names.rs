//! The names of other planners. None of them decides.

use baton_api::wire::*;
use baton_api::{AccessLevel, Actor};
use baton_tests::TestEnvironment;
use serde_json::{Value, json};

use super::client::McpClient;

const PLAN: &str = "
baton: 1
title: Theirs
nodes: [{id: a, kind: command, command: 'true'}]
";

fn client(env: &TestEnvironment) -> McpClient {
    McpClient::connect(env, &["--tools", "all"])
}

fn step(plan: &Value, order: u32, name: &str) -> Value {
    json!({ "plan_id": plan, "order": order, "type": "command", "name": name, "command": "true" })
}

fn requests(env: &TestEnvironment) -> Vec<RequestView> {
    env.call("requests_list", Nothing {}).expect("a list")
}

#[test]
fn draft_is_written_step_by_step_and_a_person_is_asked() {
    let env = TestEnvironment::new();
    let client = client(&env);
    let created = client.call("create_plan", json!({ "name": "Mine", "goal": "It works" }));
    let plan = created["id"].clone();
    assert_eq!(created["status"], "draft");
    let early = client.refused("plan_approve", json!({ "plan": plan }));
    assert_eq!(early["code"], "invalid", "it has no steps");
    client.call("add_plan_step", step(&plan, 1, "First"));
    let second = client.call("add_plan_step", step(&plan, 2, "Second"));
    assert_eq!(
        (&second["state"], &second["dependencies"]),
        (&json!("added"), &json!(["first"]))
    );
    let asked = client.call("plan_approve", json!({ "plan": plan }));
    assert_eq!(asked["state"], "waits_for_person");
    let read = client.call("plan_get", json!({ "plan": plan }));
    assert_eq!(read["review"], "proposed");
    assert_eq!(read["goal"], "It works");
    let found = client.call("plan_list", json!({ "status": "proposed" }));
    assert_eq!(found["plans"][0]["plan"], plan);
    // It is the agent's own, so it is withdrawn.
    let rejected = client.call(
        "plan_reject",
        json!({ "plan": plan, "feedback": "too early" }),
    );
    assert_eq!(rejected["state"], "withdrawn");
    let deleted = client.call("delete_plan", json!({ "plan": plan }));
    assert_eq!(deleted["state"], "waits_for_person");
    assert_eq!(requests(&env)[0].operation, "plan_delete");
    client.call("plan_get", json!({ "plan": plan }));
}

#[test]
fn plan_of_somebody_else_gets_a_proposal_and_is_not_deleted() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(PLAN);
    let id = json!(plan.plan.id);
    let client = client(&env);
    let added = client.call("add_plan_step", step(&id, 2, "More"));
    assert_eq!(added["state"], "waits_for_person", "{added:#}");
    let proposal = added["proposal"].clone();
    let asked = client.call("plan_approve", json!({ "plan": proposal }));
    assert_eq!(asked["state"], "waits_for_person");
    let withdrawn = client.call("plan_reject", json!({ "plan": proposal }));
    assert_eq!(withdrawn["state"], "withdrawn");
    let approved = client.call("plan_approve", json!({ "plan": id }));
    assert_eq!(approved["state"], "approved");
    for tool in ["delete_plan", "plan_reject"] {
        assert_eq!(
            client.refused(tool, json!({ "plan": id }))["code"],
            "refused"
        );
    }
    assert!(requests(&env).is_empty());
}

#[test]
fn rejecting_what_others_proposed_is_a_request() {
    let env = TestEnvironment::new();
    let plan = env.import(PLAN).plan.id;
    let _: PlanView = env
        .call("plan_submit", json!({ "plan": plan }))
        .expect("submitted");
    let client = client(&env);
    let asked = client.call("plan_reject", json!({ "plan": plan, "feedback": "no" }));
    assert_eq!(asked["state"], "waits_for_person", "{asked:#}");
    let waiting = requests(&env);
    assert_eq!(waiting[0].operation, "plan_reject");
    assert_eq!(waiting[0].input["feedback"], "no");
    let view: PlanView = env.call("plan_get", PlanRef { plan }).expect("a plan");
    assert_eq!(view.review, baton_model::ReviewState::Proposed);
}

#[test]
fn token_that_may_decide_only_asks_through_the_tools() {
    let env = TestEnvironment::new();
    let plan = env.import(PLAN).plan.id;
    let input = json!({ "plan": plan });
    for (surface, is_held) in [(AccessLevel::Read, false), (AccessLevel::Decide, true)] {
        let token = TokenCreate {
            name: surface.as_str().to_owned(),
            surface,
        };
        let _: TokenCreated = env.call("token_create", token).expect("a token");
        let program = env
            .app
            .acting_as(Actor::Program(surface.as_str().to_owned()));
        let asked = baton_api::request_person(&program, "plan_delete", &input);
        assert_eq!(asked.is_ok(), is_held, "{asked:?}");
    }
    assert_eq!(requests(&env).len(), 1);
    let _: PlanView = env
        .call("plan_get", PlanRef { plan })
        .expect("it is still there");
}
