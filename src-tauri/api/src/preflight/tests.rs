//! Tests of what is found out before a run.

use std::sync::Arc;

use baton_model::node::{LoopBody, LoopTask, NodeKind, ParallelTask, SubPlanTask, ToolCall};
use baton_model::{Edge, NodeId, PlanId, Slug};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::{Role, plans};

struct House {
    app: Arc<App>,
    place: TempDir,
}

impl House {
    fn new() -> Self {
        let place = TempDir::new().expect("room for data");
        // Nothing runs here, so the program only has to be there.
        let keeper = place.path().join("keeper");
        std::fs::write(&keeper, "").expect("room for a file");
        let app = App::open_with_keeper(place.path().join("data"), Role::Cli, keeper).expect("an empty folder opens");
        Self { app, place }
    }

    /// Stores an approved plan of these nodes, a chain.
    fn plan(&self, title: &str, kinds: Vec<NodeKind>) -> Plan {
        let mut plan = Plan::new(PlanId(Uuid::now_v7()), title);
        plan.cwd = Some(self.place.path().display().to_string());
        for (number, kind) in kinds.into_iter().enumerate() {
            let slug = Slug::new(&format!("n{number}")).expect("plain");
            plan.nodes.push(Node::new(NodeId(Uuid::now_v7()), slug, format!("{title} {number}"), kind));
        }
        plan.edges =
            plan.nodes.windows(2).map(|pair| Edge { parent: pair[0].id, child: pair[1].id, soft: false }).collect();
        let view = plans::put(&self.app, plan).expect("it is sound");
        plans::approve(&self.app, PlanApprove { plan: view.plan.id, revision: view.revision }).expect("it may run").plan
    }

    fn told(&self, plan: &Plan) -> String {
        let found = look(&self.app, plan).expect("the store can be read");
        let told = found.checks.iter().filter(|check| check.verdict != CheckVerdict::Passed);
        let lines: Vec<_> = told.map(|check| format!("{:?}: {}", check.verdict, check.in_full())).collect();
        assert_eq!(found.may_run, !lines.iter().any(|line| line.starts_with("Failed")));
        lines.join("\n")
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

fn sub_plan(name: &str) -> NodeKind {
    NodeKind::SubPlan(SubPlanTask { sub_plan_id: name.to_owned() })
}

fn call(name: &str, arguments: serde_json::Value) -> ToolCall {
    let serde_json::Value::Object(tool_args) = arguments else { panic!("arguments are a mapping") };
    ToolCall { tool_name: name.to_owned(), tool_args }
}

#[test]
fn the_plans_that_a_plan_runs_are_there_approved_and_not_itself() {
    let house = House::new();
    let sound = house.plan("Sound", vec![NodeKind::ToolCall(call("list_plans", serde_json::json!({})))]);
    let again = NodeKind::Loop(LoopTask {
        body: LoopBody::Plan(SubPlanTask { sub_plan_id: "Sound".to_owned() }),
        max_iterations: 2,
        loop_condition: None,
    });
    let fine = house.plan("Fine", vec![sub_plan(&sound.id.to_string()), sub_plan("Sound"), again]);
    assert_eq!(house.told(&fine), "");

    house.plan("Twin", vec![]);
    house.plan("Twin", vec![]);
    house.plan("First", vec![sub_plan("Second")]);
    house.plan("Second", vec![sub_plan("Third"), sub_plan("Sound")]);
    house.plan("Third", vec![sub_plan("First")]);
    let draft = plans::create(
        &house.app,
        PlanCreate { title: "Draft".to_owned(), description: String::new(), cwd: Some("/nowhere/at/all".to_owned()) },
    );
    assert!(draft.is_ok());
    let nobody = Uuid::from_u128(7).to_string();
    let all = vec![sub_plan("Nowhere"), sub_plan(&nobody), sub_plan("Twin"), sub_plan("First"), sub_plan("Draft")];
    let top = house.plan("Top", all);
    insta::assert_snapshot!(house.told(&top));
}

#[test]
fn calls_fit_their_tools() {
    let house = House::new();
    let steps = vec![call("glob", serde_json::json!({"pattern": "*"})), call("git/log", serde_json::json!({}))];
    let plan = house.plan(
        "Calls",
        vec![
            NodeKind::ToolCall(call("raed", serde_json::json!({}))),
            NodeKind::ToolCall(call("read", serde_json::json!({"file": "a"}))),
            NodeKind::Parallel(ParallelTask { steps, wait_all: true, max_concurrent: 5 }),
        ],
    );
    insta::assert_snapshot!(house.told(&plan));
}

#[test]
fn agents_that_decide_are_looked_for() {
    let house = House::new();
    let task = baton_model::node::DecisionTask {
        agent: Some("nobody".to_owned()),
        prompt: "Well?".to_owned(),
        ..Default::default()
    };
    let plan = house.plan("Decides", vec![NodeKind::LlmDecision(task)]);
    insta::assert_snapshot!(house.told(&plan));
}

#[test]
fn nothing_is_wanted_of_the_machine_for_a_disabled_node() {
    let house = House::new();
    let task = baton_model::node::AgentTask {
        agent: Some("nobody".to_owned()),
        prompt: "Work.".to_owned(),
        ..Default::default()
    };
    let command = NodeKind::ToolCall(call("list_plans", serde_json::json!({})));
    let wrong = NodeKind::ToolCall(call("raed", serde_json::json!({})));
    let mut plan = house.plan("Partly", vec![NodeKind::Agent(task), wrong, sub_plan("Nowhere"), command]);
    assert!(!look(&house.app, &plan).expect("the store can be read").may_run);
    for node in &mut plan.nodes[..3] {
        node.disabled = true;
    }
    assert_eq!(house.told(&plan), "");
    let passed = look(&house.app, &plan).expect("the store can be read").checks;
    assert!(passed.iter().any(|check| check.sentence == "4 nodes, 3 of them disabled, no cycle"), "{passed:?}");
    plan.nodes[3].disabled = true;
    assert_eq!(house.told(&plan), "Warning: every node is disabled, so a run does nothing: enable one");
}
