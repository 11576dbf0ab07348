//! Answers of planners: which become drafts, and which faults the others have.

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    AnswerContext, AnswerFault, Briefing, NODE_LIMIT, fault_messages, open_comments, parse_answer,
};
use crate::plan_fixture::{node_id, plan_of};
use baton_model::node::{NodeKind, SubPlanTask};
use baton_model::planning::{
    Comment, CommentAnswer, CommentPlace, Draft, Feedback, ProposedChange, Remark, Request,
    Subject, list_changes,
};
use baton_model::review::RejectionReason;
use baton_model::{Plan, PlanId, RunId, Timestamp};

fn request(subject: Subject) -> Request {
    Request {
        subject,
        wish: "Greet.".to_owned(),
        cwd: "/work".to_owned(),
        agent: "claude".to_owned(),
        model: None,
        constraints: vec!["Offline.".to_owned()],
        existing_code: Vec::new(),
        memories: Vec::new(),
        automatic: false,
    }
}

fn judged(answer: &str, subject: Subject, base: Option<&Plan>) -> Result<Draft, Vec<AnswerFault>> {
    let request = request(subject);
    let installed = ["claude".to_owned()];
    let mistakes = |call: &baton_model::node::ToolCall| match call.tool_name.as_str() {
        "shell" => Vec::new(),
        other => vec![format!("there is no tool '{other}'")],
    };
    let mut next = 0;
    let mut ids = || {
        next += 1;
        Uuid::from_u128(1 << 64 | next)
    };
    let missing_references = |node: &baton_model::Node| {
        let unknown = node.tools_required.iter().filter(|tool| *tool != "Read");
        unknown
            .map(|tool| format!("lists the tool '{tool}', which no agent has"))
            .collect()
    };
    let context = AnswerContext {
        request: &request,
        base,
        installed: &installed,
        default_is_installed: true,
        call_faults: &mistakes,
        missing_references: &missing_references,
    };
    parse_answer(answer, &context, &mut ids)
}

fn drafted(answer: &Value) -> (Plan, Vec<Remark>) {
    match judged(&answer.to_string(), Subject::Goal, None) {
        Ok(Draft::Plan { plan, remarks, .. }) => (*plan, remarks),
        other => panic!("{other:?}"),
    }
}

#[test]
fn risks_of_planner_are_taken_and_kept() {
    let nodes = json!([{"id": "a", "title": "A", "prompt": "Go."}]);
    let answer = json!({
        "title": "T",
        "risks": ["It is slow", {"text": "It may bounce", "mitigation": "check first"}],
        "nodes": nodes,
    });
    let (plan, remarks) = drafted(&answer);
    let texts: Vec<_> = plan.risks.iter().map(|risk| risk.text.as_str()).collect();
    assert_eq!(texts, ["It is slow", "It may bounce"]);
    assert_eq!(plan.risks[1].mitigation.as_deref(), Some("check first"));
    assert!(
        !remarks
            .iter()
            .any(|remark| matches!(remark, Remark::LeftOut { .. })),
        "{remarks:?}"
    );
    let replanned = |answer: &Value| {
        let subject = Subject::Replan {
            plan: plan.id,
            version: 1,
            run: RunId(Uuid::nil()),
            node: None,
        };
        match judged(&answer.to_string(), subject, Some(&plan)) {
            Ok(Draft::Plan { plan, .. }) => plan.risks,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        replanned(&json!({"nodes": nodes})),
        plan.risks,
        "an answer without risks keeps them"
    );
    assert_eq!(
        replanned(&json!({"risks": ["Another"], "nodes": nodes})).len(),
        1
    );
}

/// Invalid answers, each with its faults.
#[test]
fn invalid_answer_reports_faults() {
    let node = |id: &str, more: Value| {
        let mut node =
            json!({"id": id, "title": id.to_uppercase(), "kind": "command", "command": "true"});
        for (key, value) in more.as_object().into_iter().flatten() {
            node[key] = value.clone();
        }
        node
    };
    let plan = |nodes: Vec<Value>| json!({"title": "T", "nodes": nodes}).to_string();
    let many = (0..10_000)
        .map(|number| node(&format!("n{number}"), json!({})))
        .collect();
    let table = [
        ("prose", "I would rather not.".to_owned()),
        ("cut off", plan(vec![node("a", json!({}))])[..30].to_owned()),
        ("nothing to run", plan(Vec::new())),
        (
            "circle",
            plan(vec![
                node("a", json!({"dependsOn": ["b"]})),
                node("b", json!({"dependsOn": ["a"]})),
            ]),
        ),
        (
            "on itself",
            plan(vec![node("a", json!({"dependsOn": ["a"]}))]),
        ),
        (
            "unknown id",
            plan(vec![node("a", json!({"dependsOn": ["nowhere"]}))]),
        ),
        (
            "twice",
            plan(vec![node("a", json!({})), node("a", json!({}))]),
        ),
        ("10,000 nodes", plan(many)),
        ("path as id", plan(vec![node("../../etc", json!({}))])),
        (
            "agent that is not installed",
            plan(vec![
                json!({"id": "a", "title": "A", "prompt": "x", "agent": "hal"}),
            ]),
        ),
        ("no prompt", plan(vec![json!({"id": "a", "title": "A"})])),
        (
            "unknown tool in the list",
            plan(vec![
                json!({"id": "a", "title": "A", "prompt": "x", "toolsRequired": ["Read", "Raed"]}),
            ]),
        ),
        ("no command", plan(vec![node("a", json!({"command": " "}))])),
        (
            "no such tool",
            plan(vec![
                json!({"id": "a", "title": "A", "kind": "tool_call", "toolName": "rm"}),
            ]),
        ),
        (
            "another key",
            plan(vec![node("a", json!({"depends_on": []}))]),
        ),
        (
            "another kind",
            plan(vec![json!({"id": "a", "title": "A", "kind": "planning"})]),
        ),
        ("another type", plan(vec![json!("a")])),
        (
            "nothing to keep",
            plan(vec![json!({"id": "a", "keep": true})]),
        ),
    ];
    let described = table.map(|(what, answer)| {
        let faults = judged(&answer, Subject::Goal, None).expect_err(what);
        format!("{what}: {}", fault_messages(&faults).join("; "))
    });
    insta::assert_snapshot!(described.join("\n"));
}

#[test]
fn answer_may_contain_all_node_kinds() {
    let call = json!({"toolName": "shell", "toolArgs": {"command": "true"}});
    let nodes = json!([
        {"id": "fork", "title": "Fork", "kind": "condition", "condition": "true", "trueStep": "both", "falseStep": "again"},
        {"id": "both", "title": "Both", "kind": "parallel", "steps": [call, call], "waitAll": true},
        {"id": "again", "title": "Again", "kind": "loop", "toolName": "shell", "toolArgs": {"command": "true"}, "maxIterations": 3},
        {"id": "other", "title": "Other", "kind": "sub_plan", "subPlanId": "Release notes", "dependsOn": ["both"]}]);
    let (plan, _) = drafted(&json!({"title": "T", "nodes": nodes}));
    let kinds: Vec<_> = plan.nodes.iter().map(|node| node.kind.as_str()).collect();
    assert_eq!(kinds, ["condition", "parallel", "loop", "sub_plan"]);
    for kind in kinds {
        assert!(
            super::answer_instructions(
                baton_model::planning::ProposalKind::Generate,
                Some("claude")
            )
            .contains(&format!("\"{kind}\""))
        );
    }
}

#[test]
fn node_without_agent_requires_installed_default() {
    let answer =
        json!({"title": "T", "nodes": [{"id": "a", "title": "A", "prompt": "x"}]}).to_string();
    let mut request = request(Subject::Goal);
    let judged = |request: &Request, default_is_installed| {
        let context = AnswerContext {
            request,
            base: None,
            installed: &["codex".to_owned()],
            default_is_installed,
            call_faults: &|_| Vec::new(),
            missing_references: &|_| Vec::new(),
        };
        parse_answer(&answer, &context, &mut || Uuid::from_u128(7))
    };
    request.agent = "codex".to_owned();
    assert!(judged(&request, true).is_ok());
    let faults = judged(&request, false).expect_err("no agent");
    assert_eq!(
        fault_messages(&faults),
        ["'A' has no \"agent\", and no default agent is installed; installed: codex"]
    );
    assert!(
        super::answer_instructions(baton_model::planning::ProposalKind::Generate, None)
            .contains("must name its \"agent\"")
    );
}

#[test]
fn draft_has_layout_and_origin() {
    let nodes = json!([
        {"id": "a", "title": "<script>alert(1)</script>", "prompt": "{\"x\": \"}\"}", "position": {"x": 1, "y": 2}},
        {"id": "b", "title": "B", "prompt": "y", "dependsOn": ["a"]},
        {"id": "c", "title": "C", "prompt": "z", "dependsOn": ["b"]}]);
    let (plan, remarks) =
        drafted(&json!({"title": "T", "autonomy": 4, "cwd": "/", "nodes": nodes}));
    assert!(plan.problems().is_empty());
    assert_eq!(
        plan.nodes[0].title, "<script>alert(1)</script>",
        "text stays text"
    );
    assert!(plan.nodes.iter().all(|node| node.position.is_some()));
    assert_eq!(
        (plan.cwd.as_deref(), plan.description.as_str()),
        (Some("/work"), "Greet.")
    );
    assert_eq!(plan.settings.constraints, ["Offline."]);
    assert_eq!(plan.settings.autonomy, None, "only people set the autonomy");
    let remarks: Vec<String> = remarks.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(remarks.join("\n"));
}

#[test]
fn replan_keeps_existing_nodes() {
    let mut base = plan_of(&["A", "B"], &[(0, 1)]);
    base.nodes[0].metadata.insert("mine".to_owned(), json!(1));
    base.nodes[0].max_retries = 2;
    let (first, second) = (
        base.nodes[0].slug.to_string(),
        base.nodes[1].slug.to_string(),
    );
    let subject = Subject::Replan {
        plan: base.id,
        version: 1,
        run: RunId(Uuid::nil()),
        node: None,
    };
    let answer = json!({"nodes": [
        {"id": first, "keep": true},
        {"id": "new", "title": "New", "kind": "command", "command": "true", "dependsOn": [first]},
        {"id": second, "keep": true, "dependsOn": ["new"]}]});
    let Ok(Draft::Plan { plan, .. }) = judged(&answer.to_string(), subject, Some(&base)) else {
        panic!("a draft")
    };
    assert_eq!(
        plan.node(node_id(0)).map(|node| &node.metadata),
        Some(&base.nodes[0].metadata)
    );
    let changes = list_changes(&base, &plan);
    assert!(
        !changes.contains(&ProposedChange::ChangeNode { node: node_id(0) }),
        "{changes:?}"
    );
    assert!(
        !changes.contains(&ProposedChange::ChangeNode { node: node_id(1) }),
        "only its edges changed: {changes:?}"
    );
    assert_eq!(plan.id, base.id);
}

#[test]
fn what_is_unfinished_elsewhere_does_not_spoil_a_split() {
    let mut base = plan_of(&["Split me", "Later"], &[(0, 1)]);
    base.nodes[1].kind = NodeKind::SubPlan(SubPlanTask::default());
    assert_eq!(base.problems().len(), 1, "no plan is chosen yet");
    let part = |sub_plan: &str| {
        let half = json!({"id": "one", "title": "One", "kind": "command", "command": "true"});
        let other = json!({"id": "two", "title": "Two", "kind": "sub_plan", "subPlanId": sub_plan});
        let answer = json!({"title": "T", "nodes": [half, other]}).to_string();
        let subject = Subject::Split {
            plan: base.id,
            version: 1,
            node: node_id(0),
        };
        judged(&answer, subject, Some(&base))
    };
    assert!(matches!(part("Another"), Ok(Draft::Plan { .. })));
    let faults = part(" ").expect_err("the planner's own nodes are finished");
    assert_eq!(faults.len(), 1, "{faults:?}");
}

#[test]
fn explanation_is_returned_verbatim() {
    let subject = Subject::Explain {
        plan: PlanId(Uuid::nil()),
        version: 1,
        node: None,
    };
    let draft = judged(" It digs <b>first</b>. ", subject, None);
    assert_eq!(
        draft,
        Ok(Draft::Text {
            text: "It digs <b>first</b>.".to_owned()
        })
    );
}

/// JSON of any shape, with the keys that the reader knows.
fn anything() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        prop::sample::select(
            &[
                "a",
                "b",
                "agent",
                "command",
                "note",
                "loop",
                "condition",
                "true",
                "planning"
            ][..]
        )
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word.prop_map(Value::from)
    ];
    let key = prop::sample::select(
        &[
            "id",
            "title",
            "kind",
            "prompt",
            "command",
            "dependsOn",
            "nodes",
            "keep",
            "agent",
            "onSuccess",
            "trueStep",
            "body",
            "x",
        ][..],
    );
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6).prop_map(|pairs| Value::Object(
                pairs
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()
            )),
        ]
    })
}

/// A valid answer with one value replaced.
fn mutated() -> impl Strategy<Value = Value> {
    let path = prop::sample::select(
        &[
            "/title",
            "/nodes",
            "/nodes/0",
            "/nodes/1/id",
            "/nodes/1/dependsOn",
            "/nodes/1/dependsOn/0",
            "/nodes/0/kind",
            "/nodes/2/prompt",
            "/nodes/2/title",
        ][..],
    );
    (path, anything()).prop_map(|(path, value)| {
        let mut answer = json!({"title": "T", "reasoning": "R", "nodes": [
            {"id": "a", "title": "A", "kind": "command", "command": "true"},
            {"id": "b", "title": "B", "kind": "command", "command": "true", "dependsOn": ["a"]},
            {"id": "c", "title": "C", "prompt": "x", "dependsOn": ["a", "b"]}]});
        if let Some(place) = answer.pointer_mut(path) {
            *place = value;
        }
        answer
    })
}

proptest! {
    #[test]
    fn accepted_drafts_can_be_saved(answer in prop_oneof![anything(), mutated()]) {
        match judged(&answer.to_string(), Subject::Goal, None) {
            Ok(Draft::Plan { plan, .. }) => {
                prop_assert!(plan.problems().is_empty(), "{:?}", plan.problems());
                prop_assert!(plan.nodes.len() <= NODE_LIMIT);
                prop_assert!(plan.nodes.iter().any(baton_model::Node::is_executable));
            }
            Ok(Draft::Text { .. }) => prop_assert!(false, "a goal results in a plan"),
            Err(faults) => prop_assert!(!fault_messages(&faults).is_empty(), "a planner can act on it"),
        }
    }
}

#[test]
fn planner_is_asked_with_reasons_and_with_open_comments_at_their_place() {
    let draft = plan_of(&["A", "B"], &[(0, 1)]);
    let slug = |at: usize| draft.nodes[at].slug.clone();
    let comment = |place, text: &str, answered: bool| Comment {
        id: 1,
        place,
        text: text.to_owned(),
        author: "person:window".to_owned(),
        at: Timestamp(0),
        round: 1,
        answer: answered.then(|| CommentAnswer {
            text: "done".to_owned(),
            author: "agent:claude".to_owned(),
            at: Timestamp(1),
            round: 2,
        }),
    };
    let field = |node, field: &str| CommentPlace::Field {
        node,
        field: field.to_owned(),
    };
    let comments = [
        comment(CommentPlace::Plan, "smaller", false),
        comment(field(node_id(0), "command"), "use make", false),
        comment(CommentPlace::Node { node: node_id(1) }, "settled", true),
        comment(field(node_id(9), "prompt"), "shorter", false),
        comment(
            CommentPlace::Edge {
                edge: draft.edges[0],
            },
            "why?",
            false,
        ),
    ];
    let feedback = |text: &str, reason| Feedback {
        at: Timestamp(0),
        text: text.to_owned(),
        reason,
    };
    let briefing = Briefing {
        feedback: vec![
            feedback("add tests", Some(RejectionReason::MissingCheck)),
            feedback("", Some(RejectionReason::TooBig)),
            feedback("keep it", None),
        ],
        comments: open_comments(&draft, &comments),
        ..Briefing::default()
    };
    let prompt = briefing.prompt(&request(Subject::Goal));
    let (a, b) = (slug(0), slug(1));
    for line in [
        "- missing check: add tests".to_owned(),
        "- too big".to_owned(),
        "- keep it".to_owned(),
        "- smaller".to_owned(),
        format!("- on `{a}`, command: use make"),
        "- on a removed node, prompt: shorter".to_owned(),
        format!("- on the edge from `{a}` to `{b}`: why?"),
    ] {
        assert!(
            prompt.lines().any(|found| found == line),
            "{line}: {prompt}"
        );
    }
    assert!(!prompt.contains("settled"), "{prompt}");
}
