//! Alternative spellings of nodes, including those of OwnPilot plans.

use baton_model::{Color, NodeKind};

use super::{Format, read_as, write, yaml};

/// The canonical form that all spellings must result in.
fn canonical(nodes: &str) -> String {
    let text = write(
        &yaml(&format!("baton: 1\ntitle: Shapes\nnodes:\n{nodes}")),
        Format::Yaml,
    );
    text.strip_prefix("baton: 1\ntitle: Shapes\nnodes:\n")
        .expect("starts with the header")
        .to_owned()
}

fn warnings(nodes: &str) -> Vec<String> {
    let file = read_as(&format!("baton: 1\nnodes:\n{nodes}"), Format::Yaml)
        .unwrap_or_else(|error| panic!("{error}"));
    file.warnings
        .iter()
        .map(|warning| format!("{}: {}", warning.at, warning.kind))
        .collect()
}

#[test]
fn seed_configurations_are_read() {
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
fn loop_body_has_several_spellings() {
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
fn loop_step_becomes_body() {
    let nodes = r#"
  - {id: first, kind: command, command: ls}
  - {id: again, type: loop, config: {loopStep: step, maxIterations: 3}}
  - {id: step, type: tool_call, dependencies: [first, again], config: {toolName: shell, toolArgs: {command: ls}}}
  - {id: last, kind: command, command: ls, dependsOn: [again]}
"#;
    insta::assert_snapshot!(canonical(nodes));
    assert_eq!(
        warnings(nodes),
        ["5:48: node \"step\" became the body of node \"again\" and is no longer a separate node"]
    );
}

#[test]
fn options_imply_choice_input() {
    insta::assert_snapshot!(canonical(
        r#"
  - {id: a, kind: user_input, question: Which?, options: [x, y]}
  - {id: b, kind: user_input, question: Which?, options: [x, y], inputType: text}
  - {id: c, kind: user_input, question: Why?, inputType: text}
"#
    ));
}

#[test]
fn own_pilot_names_of_plan_keys_are_read() {
    let plan = yaml(
        "baton: 1\nname: Morning\nautonomyLevel: 3\nsteps:\n  - {id: a, type: note, name: A}\n",
    );
    assert_eq!(
        (plan.title.as_str(), plan.nodes[0].title.as_str()),
        ("Morning", "A")
    );
    assert_eq!(plan.settings.autonomy.map(u8::from), Some(3));
}

#[test]
fn policy_name_that_is_also_a_node_warns() {
    assert_eq!(
        warnings("  - {id: a, prompt: x, onFailure: skip}\n  - {id: skip, prompt: y}\n"),
        [
            "3:35: \"onFailure: skip\" of node \"a\" is the policy, not the node skip; to jump to the node, give it another id"
        ]
    );
    assert!(
        warnings("  - {id: a, prompt: x}\n  - {id: abort, prompt: y}\n").is_empty(),
        "no failure policy is set"
    );
}

/// A plan from OwnPilot's documentation, with steps in a different order than they run.
const OWN_PILOT_PLAN: &str = r#"{
  "name": "Weekly Report",
  "goal": "Generate and send a weekly summary report",
  "description": "With metrics",
  "priority": 7, "source": "agent", "sourceId": "agent_123", "triggerId": "trigger_456", "goalId": "goal_789",
  "autonomyLevel": 2, "maxRetries": 3, "timeoutMs": 300000, "metadata": {"category": "reporting"},
  "steps": [
    {"orderNum": 3, "type": "command", "name": "Send it", "config": {"command": "true"}, "maxRetries": 0},
    {"orderNum": 1, "type": "command", "name": "Fetch active goals", "config": {"command": "true"},
     "dependencies": [], "timeoutMs": 30000, "onSuccess": null, "onFailure": "abort", "metadata": {}},
    {"orderNum": 2, "type": "command", "name": "Judge", "config": {"command": "true"}, "dependencies": ["1"]},
    {"orderNum": 2, "type": "command", "name": "Judge", "config": {"command": "true"}, "dependencies": []}
  ]
}"#;

#[test]
fn own_pilot_plan_is_read() {
    let file = read_as(OWN_PILOT_PLAN, Format::Json).unwrap_or_else(|error| panic!("{error}"));
    insta::assert_snapshot!(write(&file.plan, Format::Yaml));
    let warnings: Vec<String> = file
        .warnings
        .iter()
        .map(|warning| warning.kind.to_string())
        .collect();
    assert_eq!(
        warnings,
        ["node 1 has no dependencies, so \"orderNum\" makes it wait for judge, judge-2"]
    );
}

#[test]
fn goal_is_text_and_goal_id_is_a_reference() {
    let plan = yaml("baton: 1\ngoal: Ship it\ngoalId: goal_7\n");
    assert_eq!(
        (plan.description.as_str(), plan.origin.goal.as_deref()),
        ("Ship it", Some("goal_7"))
    );
    let both = yaml("baton: 1\ngoal: Ship it\ndescription: To all users.\n");
    assert_eq!(both.description, "Ship it\n\nTo all users.");
    let repeated = yaml("baton: 1\ngoal: Ship it\ndescription: Ship it soon.\n");
    assert_eq!(repeated.description, "Ship it soon.");
}

#[test]
fn plan_retries_depend_on_format() {
    for (text, plan_retries, max_retries) in [
        ("baton: 1\n", 0, 3),
        ("baton: 1\nmaxRetries: 1\n", 0, 1),
        ("baton: 1\nplanRetries: 2\n", 2, 3),
        ("baton: 1\nname: A plan\n", 0, 3),
        ("baton: 1\nname: A plan\nmaxRetries: 2\n", 2, 3),
        ("name: A plan\nmaxRetries: 2\n", 2, 3),
    ] {
        let settings = yaml(text).settings;
        assert_eq!(
            (settings.plan_retries, settings.max_retries),
            (plan_retries, max_retries),
            "{text}"
        );
    }
    let twice = read_as(
        "name: A plan\nmaxRetries: 2\nplanRetries: 1\n",
        Format::Yaml,
    )
    .expect_err("two numbers");
    assert!(
        twice.to_string().contains("\"planRetries\" is set twice"),
        "{twice}"
    );
}

#[test]
fn node_retries_depend_on_format() {
    for (node, retries) in [
        ("{id: a, kind: command, command: ls}", 0),
        ("{id: a, name: A, kind: command, command: ls}", 0),
        ("{id: a, type: command, command: ls}", 3),
        ("{type: command, name: A, command: ls}", 3),
        ("{id: a, orderNum: 1, kind: command, command: ls}", 3),
        ("{id: a, type: command, command: ls, maxRetries: 0}", 0),
        ("{id: a, type: note}", 0),
    ] {
        let plan = yaml(&format!("baton: 1\nnodes:\n  - {node}\n"));
        assert_eq!(plan.nodes[0].max_retries, retries, "{node}");
    }
}

#[test]
fn steps_without_dependencies_follow_order() {
    let nodes = r#"
  - {orderNum: 4, type: command, name: Last, command: ls}
  - {orderNum: 1, type: condition, name: Fork, condition: "true", trueStep: "2", falseStep: no}
  - {orderNum: 2, type: command, name: Yes, command: ls}
  - {orderNum: 3, id: no, type: command, name: No, command: ls}
"#;
    insta::assert_snapshot!(canonical(nodes));
}

#[test]
fn own_nodes_need_an_id() {
    let error = read_as(
        "baton: 1\nnodes:\n  - {kind: command, command: ls}\n",
        Format::Yaml,
    )
    .expect_err("no id");
    assert!(
        error.to_string().contains("node 1 has no \"id\""),
        "{error}"
    );
}

#[test]
fn british_spelling_of_color_is_read_and_not_written() {
    let nodes = "  - {id: hint, kind: note, text: Hi, colour: teal}\n";
    let groups =
        "groups:\n  - {title: A, colour: grey, nodes: [hint]}\n  - {title: B, colour: red}\n";
    let written = canonical(&format!("{nodes}{groups}"));
    assert!(!written.contains("colour"), "{written}");
    let plan = yaml(&format!("baton: 1\ntitle: Shapes\nnodes:\n{written}"));
    let colors: Vec<_> = plan.groups.iter().map(|group| group.color).collect();
    assert_eq!(colors, [Color::Gray, Color::Red]);
    let note = &plan.nodes[0].kind;
    assert!(
        matches!(note, NodeKind::Note(note) if note.color == Some(Color::Teal)),
        "{note:?}"
    );
}

#[test]
fn two_spellings_of_one_color_are_a_fault() {
    let group = "{title: A, color: red, colour: blue}";
    let error = read_as(
        &format!("baton: 1\nnodes: []\ngroups:\n  - {group}\n"),
        Format::Yaml,
    )
    .expect_err("two colors");
    assert!(error.to_string().contains("\"color\""), "{error}");
}
