//! Tests of the problems of a plan's content.

use super::*;
use crate::Edge;
use crate::node::{
    AgentTask, Budget, ConditionTask, DecisionTask, EarlierSession, InputType, LoopBody, Note,
    OnFailure, ParallelTask, Question, SubPlanTask, ToolCall,
};
use crate::plan_fixture::{node_id, plan_of};

fn sentences(plan: &Plan) -> Vec<String> {
    plan.problems().iter().map(ToString::to_string).collect()
}

/// The problems of a plan with a node of this kind, titled "A", and a node "B" after it.
fn of(kind: NodeKind) -> String {
    let mut plan = plan_of(&["A", "B"], &[(0, 1)]);
    plan.nodes[0].kind = kind;
    sentences(&plan).join("\n")
}

fn condition(text: &str) -> NodeKind {
    NodeKind::Condition(ConditionTask {
        condition: text.to_owned(),
        ..ConditionTask::default()
    })
}

fn question(input_type: InputType, options: &[&str]) -> NodeKind {
    let options = options.iter().map(|option| (*option).to_owned()).collect();
    NodeKind::UserInput(Question {
        question: "Well?".to_owned(),
        input_type,
        options,
        timeout: None,
    })
}

#[test]
fn valid_plan_has_no_problems() {
    assert!(plan_of(&["A", "B"], &[(0, 1)]).problems().is_empty());
    assert!(
        plan_of(&[], &[]).problems().is_empty(),
        "an empty plan can be saved, just not run"
    );
    assert_eq!(
        of(condition("true")),
        "",
        "a condition without branches is fine: it has an output"
    );
    assert_eq!(of(question(InputType::Confirm, &[])), "");
}

#[test]
fn every_fault_message_names_its_location() {
    let mut plan = plan_of(&["A", "B", " "], &[(0, 1), (0, 1), (1, 0)]);
    plan.edges.push(Edge {
        parent: node_id(0),
        child: node_id(77),
        soft: false,
        inferred: false,
    });
    plan.nodes[1].slug = plan.nodes[0].slug.clone();
    plan.nodes[1].priority = 11;
    plan.settings.concurrency = Some(0);
    insta::assert_snapshot!(sentences(&plan).join("\n"));
}

#[test]
fn group_members_are_unique_nodes() {
    let group = |number: u128, title: &str, nodes: &[usize]| crate::Group {
        id: crate::GroupId(uuid::Uuid::from_u128(number)),
        title: title.to_owned(),
        color: crate::Color::default(),
        nodes: nodes.iter().map(|&node| node_id(node)).collect(),
    };
    let mut plan = plan_of(&["A", "B", "C"], &[]);
    plan.groups = vec![
        group(1, "G", &[0]),
        group(2, "H", &[1, 0, 1, 7]),
        group(1, " ", &[2]),
    ];
    insta::assert_snapshot!(sentences(&plan).join("\n"), @r"
    group 'H' contains 'A', which is already in group 'G'; a node can be in only one group
    group 'H' contains 'B' twice; remove one
    group 'H' contains a node that is not in the plan; remove it
    group ' ' has the same ID as another group; change one of them
    group ' ' needs a title of 1 to 500 characters, not 1
    ");
}

#[test]
fn note_size_is_within_limits() {
    let of = |width, height| {
        let mut plan = plan_of(&["A"], &[]);
        let size = Some(crate::node::NoteSize { width, height });
        plan.nodes[0].kind = NodeKind::Note(Note {
            size,
            ..Note::default()
        });
        sentences(&plan)
    };
    assert_eq!(of(80, 2000), [""; 0]);
    assert_eq!(of(79, 2001).len(), 2);
}

#[test]
fn every_fault_kind_has_a_message() {
    let call = |name: &str| ToolCall {
        tool_name: name.to_owned(),
        tool_args: serde_json::Map::new(),
    };
    let parallel = |steps, max_concurrent| {
        NodeKind::Parallel(ParallelTask {
            steps,
            wait_all: true,
            max_concurrent,
        })
    };
    let looped = |max_iterations, condition: &str| {
        let loop_condition = Some(condition.to_owned());
        NodeKind::Loop(LoopTask {
            body: LoopBody::Tool(call("")),
            max_iterations,
            loop_condition,
        })
    };
    let sub_plan = |name: &str| {
        NodeKind::SubPlan(SubPlanTask {
            sub_plan_id: name.to_owned(),
            ..SubPlanTask::default()
        })
    };
    let said: Vec<_> = [
        NodeKind::UserInput(Question::default()),
        question(InputType::Choice, &[]),
        question(InputType::Choice, &["yes", " "]),
        question(InputType::Choice, &["yes", "no", "yes "]),
        NodeKind::LlmDecision(DecisionTask::default()),
        condition(" "),
        condition("result ==="),
        condition("result:n7"),
        condition("result:n1"),
        condition("result:n0"),
        NodeKind::ToolCall(call(" ")),
        parallel(vec![], 0),
        parallel(vec![call("shell"), call("")], 1001),
        looped(0, ""),
        looped(1001, "nodes.n1.outputs.x > iteration"),
        sub_plan(" "),
        sub_plan("A plan"),
        sub_plan(&plan_of(&[], &[]).id.to_string()),
    ]
    .into_iter()
    .map(of)
    .collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn only_what_was_entered_wrongly_prevents_saving() {
    let sub_plan = |name: &str| {
        NodeKind::SubPlan(SubPlanTask {
            sub_plan_id: name.to_owned(),
            ..SubPlanTask::default()
        })
    };
    let decision = |prompt: &str, choices: &[&str]| {
        NodeKind::LlmDecision(DecisionTask {
            prompt: prompt.to_owned(),
            choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
            ..DecisionTask::default()
        })
    };
    let prevents = |kind: NodeKind| -> Vec<bool> {
        let mut plan = plan_of(&["A"], &[]);
        plan.nodes[0].kind = kind;
        let problems = plan.problems();
        problems.iter().map(Problem::prevents_saving).collect()
    };
    for (kind, expected) in [
        (NodeKind::UserInput(Question::default()), vec![false]),
        (question(InputType::Choice, &[]), vec![false]),
        (question(InputType::Choice, &["yes", " "]), vec![false]),
        (question(InputType::Choice, &["yes", "yes"]), vec![true]),
        (decision("", &["yes", "no"]), vec![false]),
        (decision("Good?", &[]), vec![false]),
        (condition(" "), vec![false]),
        (condition("result ==="), vec![true]),
        (condition("result:n7"), vec![true]),
        (NodeKind::ToolCall(ToolCall::default()), vec![false]),
        (
            NodeKind::Parallel(ParallelTask {
                steps: Vec::new(),
                wait_all: true,
                max_concurrent: 1,
            }),
            vec![false],
        ),
        (sub_plan(" "), vec![false]),
        (sub_plan("A plan"), vec![true]),
    ] {
        assert_eq!(prevents(kind.clone()), expected, "{kind:?}");
    }
    let mut plan = plan_of(&["A", "B"], &[(0, 1), (1, 0)]);
    plan.title = String::new();
    assert!(plan.problems().iter().all(Problem::prevents_saving));
}

#[test]
fn conditions_may_refer_to_earlier_nodes() {
    let mut plan = plan_of(&["A", "B", "C", "D"], &[(0, 1), (1, 2), (3, 2)]);
    plan.edges[2].soft = true;
    plan.nodes[2].kind = condition("result:n0 and nodes.n3.state == 'done'");
    assert!(
        plan.problems().is_empty(),
        "far above, and by a soft edge: {:?}",
        sentences(&plan)
    );
    plan.nodes[2].kind = condition("true");
    plan.nodes[1].kind = NodeKind::Condition(ConditionTask {
        condition: "true".to_owned(),
        true_step: Some(node_id(3)),
        false_step: None,
    });
    plan.edges.pop();
    plan.nodes[3].kind = condition("result:n1");
    assert!(
        plan.problems().is_empty(),
        "a branch comes after its condition: {:?}",
        sentences(&plan)
    );
}

#[test]
fn every_invalid_jump_has_a_message() {
    let said = |change: &dyn Fn(&mut Plan)| {
        let mut plan = plan_of(&["Build", "Test", "Fix"], &[(0, 1), (1, 2)]);
        change(&mut plan);
        sentences(&plan).join("\n")
    };
    let skip = || crate::Slug::new("skip").expect("a word");
    let all = [
        said(&|plan| plan.nodes[0].on_success = Some(node_id(7))),
        said(&|plan| plan.nodes[0].on_failure = OnFailure::Node(node_id(0))),
        said(&|plan| plan.nodes[2].on_failure = OnFailure::Node(node_id(0))),
        said(&|plan| plan.nodes[2].on_success = Some(node_id(1))),
        said(&|plan| {
            let true_step = Some(node_id(0));
            let task = ConditionTask {
                condition: "true".to_owned(),
                true_step,
                false_step: None,
            };
            plan.nodes[1].kind = NodeKind::Condition(task);
        }),
        said(&|plan| {
            plan.edges.clear();
            plan.nodes[2].kind = NodeKind::Note(Note::default());
            plan.nodes[2].on_success = Some(node_id(0));
            plan.nodes[0].on_failure = OnFailure::Node(node_id(2));
        }),
        said(&|plan| {
            plan.nodes[2].slug = skip();
            plan.nodes[0].on_failure = OnFailure::Node(node_id(2));
        }),
    ];
    insta::assert_snapshot!(all.join("\n"));
    let fine = said(&|plan| {
        plan.nodes[2].slug = skip();
        plan.nodes[0].on_success = Some(node_id(2));
    });
    assert_eq!(fine, "", "only a failure has policies");
}

#[test]
fn zero_limits_are_rejected() {
    let mut plan = plan_of(&["A"], &[]);
    plan.settings.budget = Budget {
        tokens: Some(0),
        cost_usd: None,
    };
    plan.settings
        .agent_concurrency
        .insert("claude".to_owned(), 0);
    plan.nodes[0].budget = Budget {
        tokens: None,
        cost_usd: Some(f64::NAN),
    };
    insta::assert_snapshot!(sentences(&plan).join("\n"));
}

#[test]
fn guards_and_sessions_have_names() {
    let mut plan = plan_of(&["A", "B", "C"], &[]);
    plan.settings.guarded_tools = vec!["Bash".to_owned(), " ".to_owned()];
    let begins = |agent: Option<&str>, id: &str| {
        let session = Some(EarlierSession {
            id: id.to_owned(),
            fork: true,
        });
        NodeKind::Agent(AgentTask {
            agent: agent.map(str::to_owned),
            session,
            ..AgentTask::default()
        })
    };
    plan.nodes[0].kind = begins(Some("claude"), "--resume");
    plan.nodes[1].kind = begins(None, "s1");
    plan.nodes[2].kind = begins(Some("team:reviewers"), "s1");
    insta::assert_snapshot!(sentences(&plan).join("\n"), @r"
    guarded tool 2 of the plan has no name; enter the tool's exact name, or remove it
    'A' continues the session '--resume', which is not a valid session ID; use the ID that the agent shows
    'B' continues an earlier session but doesn't name a single agent; name the agent of that session
    'C' continues an earlier session but doesn't name a single agent; name the agent of that session
    ");
    plan.settings.guarded_tools.pop();
    for node in &mut plan.nodes {
        node.kind = begins(Some("claude"), "s1");
    }
    assert_eq!(sentences(&plan), Vec::<String>::new());
}

#[test]
fn field_names_match_the_plan_file() {
    for field in NodeField::ALL {
        assert_eq!(serde_json::to_value(field).expect("a word"), field.key());
    }
}
