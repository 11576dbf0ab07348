//! Plans that a file embeds for its nodes to run.

use super::{Format, read_as, yaml};
use crate::plan_file::write_with_plans;
use baton_model::NodeKind;
use baton_model::node::SubPlanTask;

const RELEASE: &str = "
baton: 1
title: Release
nodes:
  - {id: deploy, kind: sub_plan, subPlanId: deploy, prompt: To staging.}
  - {id: check, kind: loop, subPlanId: check, maxIterations: 2}
plans:
  check:
    title: Check it
    autonomy: 2
    nodes:
      - {id: only, kind: command, command: make check}
  deploy:
    nodes:
      - {id: first, kind: sub_plan, subPlanId: check}
      - {id: other, kind: sub_plan, subPlanId: elsewhere.yaml}
  unused:
    nodes: []
";

#[test]
fn embedded_plans_round_trip() {
    let file = read_as(RELEASE, Format::Yaml).unwrap_or_else(|error| panic!("{error}"));
    let plans: Vec<_> = file
        .plans
        .iter()
        .map(|plan| (plan.name.as_str(), plan.plan.title.as_str()))
        .collect();
    assert_eq!(
        plans,
        [("check", "Check it"), ("deploy", "deploy")],
        "a plan without a title is titled by its name"
    );
    let warned: Vec<_> = file
        .warnings
        .iter()
        .map(|warning| (warning.at.line, warning.kind.to_string()))
        .collect();
    assert!(
        warned.contains(&(
            17,
            "no node runs the plan \"unused\", so it is left out".to_owned()
        )),
        "{warned:?}"
    );
    let places: Vec<_> = file.plans[1]
        .plan
        .nodes
        .iter()
        .map(|node| file.plans[1].places[&node.id].line)
        .collect();
    assert_eq!(
        (places, file.places[&file.plan.nodes[0].id].line),
        (vec![15, 16], 5)
    );
    assert_eq!(
        file.plan.nodes[0].kind,
        NodeKind::SubPlan(SubPlanTask {
            sub_plan_id: "deploy".to_owned(),
            prompt: "To staging.".to_owned()
        })
    );
    let embedded: Vec<_> = file
        .plans
        .iter()
        .map(|plan| (plan.name.clone(), plan.plan.clone()))
        .collect();
    for format in [Format::Yaml, Format::Json] {
        let text = write_with_plans(&file.plan, &embedded, format);
        let again = read_as(&text, format).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let written: Vec<_> = again
            .plans
            .iter()
            .map(|plan| (plan.name.clone(), plan.plan.clone()))
            .collect();
        assert_eq!(write_with_plans(&again.plan, &written, format), text);
        assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    }
}

#[test]
fn embedded_plan_fault_has_its_line() {
    let text = "baton: 1\ntitle: A\nnodes:\n  - {id: a, kind: sub_plan, subPlanId: b}\nplans:\n  b:\n    color: red\n    nodes:\n      - {id: x, kind: comand, command: ls}\n  c: 3\n";
    let error = read_as(text, Format::Yaml).expect_err("three faults");
    let lines: Vec<_> = error
        .faults
        .iter()
        .map(|fault| (fault.at.line, fault.kind.to_string()))
        .collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[0].0 == 7 && lines[0].1.contains("plan \"b\""),
        "{lines:?}"
    );
    assert!(
        lines[1].0 == 9 && lines[1].1.contains("comand"),
        "{lines:?}"
    );
    assert!(
        lines[2].0 == 10 && lines[2].1.contains("plan \"c\""),
        "{lines:?}"
    );
    assert!(
        yaml("baton: 1\ntitle: A\nnodes: []\nplans: {}\n")
            .nodes
            .is_empty()
    );
}
