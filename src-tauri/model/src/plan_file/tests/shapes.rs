//! The shapes in which a node may be written, among them those of OwnPilot's plans as they stand there.

use super::{Format, read_as, write, yaml};

/// What is left of the shapes: one of them for each meaning.
fn canonical(nodes: &str) -> String {
    let text = write(&yaml(&format!("baton: 1\ntitle: Shapes\nnodes:\n{nodes}")), Format::Yaml);
    text.strip_prefix("baton: 1\ntitle: Shapes\nnodes:\n").expect("the head that was written").to_owned()
}

fn warnings(nodes: &str) -> Vec<String> {
    let file = read_as(&format!("baton: 1\nnodes:\n{nodes}"), Format::Yaml).unwrap_or_else(|error| panic!("{error}"));
    file.warnings.iter().map(|warning| format!("{}: {}", warning.at, warning.kind)).collect()
}

#[test]
fn the_configurations_of_the_seed_read_as_they_stand() {
    insta::assert_snapshot!(canonical(
        r#"
  - {id: goals, type: tool_call, name: Fetch active goals, config: {toolName: list_goals, toolArgs: {status: active, limit: 20}},
     dependencies: [], maxRetries: 3, timeoutMs: 30000, onSuccess: null, onFailure: abort, metadata: {}}
  - {id: judge, type: llm_decision, name: Judge, dependencies: [goals], config: {
      prompt: "Based on the goal data, identify goals that need attention.",
      choices: [goals_healthy, needs_attention, critical_intervention]}}
  - {id: ask, type: user_input, name: Ask, dependencies: [judge], config: {
      question: "Would you like to adjust goal priorities?", inputType: choice,
      options: [Adjust priorities, Extend deadlines, Keep as is], timeout: 86400000}}
  - {id: fork, type: condition, name: Fork, dependencies: [ask], config: {condition: "result:ask", trueStep: both, falseStep: again}}
  - {id: both, type: parallel, name: Both, config: {steps: [
      {toolName: list_goals, toolArgs: {status: active}}, {toolName: list_tasks, toolArgs: {status: pending}}]}}
  - {id: again, type: loop, name: Again, config: {toolName: check_status, toolArgs: {target: deployment}, maxIterations: 10}}
  - {id: other, type: sub_plan, name: Other, dependencies: [both, again], config: {subPlanId: plan_1706000000_abc123}}
"#
    ));
}

#[test]
fn steps_may_be_names_or_definitions_in_text() {
    insta::assert_snapshot!(canonical(
        r#"
  - id: a
    kind: parallel
    steps: [list_plans, '{"toolName": "read", "toolArgs": {"path": "a", "lines": [1, 2.5, null, true]}}', {toolName: glob, toolArgs: {pattern: "*"}}]
"#
    ));
}

#[test]
fn a_loop_says_in_several_ways_what_it_repeats() {
    insta::assert_snapshot!(canonical(
        r#"
  - {id: a, kind: loop, body: {toolName: shell, toolArgs: {command: ls}}, maxIterations: 2}
  - {id: b, kind: loop, body: {subPlanId: Child}}
  - {id: c, kind: loop, body: list_plans}
  - {id: d, kind: loop, config: {subPlanId: Child, loopCondition: "iteration < 4"}}
"#
    ));
}

#[test]
fn the_step_of_a_loop_becomes_its_body() {
    let nodes = r#"
  - {id: first, kind: command, command: ls}
  - {id: again, type: loop, config: {loopStep: step, maxIterations: 3}}
  - {id: step, type: tool_call, dependencies: [first, again], config: {toolName: shell, toolArgs: {command: ls}}}
  - {id: last, kind: command, command: ls, dependsOn: [again]}
"#;
    insta::assert_snapshot!(canonical(nodes));
    assert_eq!(
        warnings(nodes),
        ["5:48: node \"step\" is what node \"again\" repeats, and no node of its own any more"]
    );
}

#[test]
fn options_without_a_type_are_to_be_chosen_from() {
    insta::assert_snapshot!(canonical(
        r#"
  - {id: a, kind: user_input, question: Which?, options: [x, y]}
  - {id: b, kind: user_input, question: Which?, options: [x, y], inputType: text}
  - {id: c, kind: user_input, question: Why?, inputType: text}
"#
    ));
}

#[test]
fn a_plan_may_have_the_seeds_names() {
    let plan = yaml("baton: 1\nname: Morning\nautonomyLevel: 3\nsteps:\n  - {id: a, type: note, name: A}\n");
    assert_eq!((plan.title.as_str(), plan.nodes[0].title.as_str()), ("Morning", "A"));
    assert_eq!(u8::from(plan.settings.autonomy), 3);
}

#[test]
fn a_policy_that_is_also_a_node_is_said() {
    assert_eq!(
        warnings("  - {id: a, prompt: x, onFailure: skip}\n  - {id: skip, prompt: y}\n"),
        [
            "3:35: \"onFailure: skip\" of node \"a\" is the policy, not the node skip; a node to go on at needs another id"
        ]
    );
    assert!(
        warnings("  - {id: a, prompt: x}\n  - {id: abort, prompt: y}\n").is_empty(),
        "nothing is said about failure"
    );
}
