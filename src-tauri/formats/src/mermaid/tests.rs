//! Flowcharts are read completely or not at all, and nothing is invented.

use std::collections::{BTreeSet, HashMap};

use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use super::{Flowchart, MermaidError, is_mermaid, read};
use crate::export::{ExportFormat, View};
use crate::plan_fixture::{node_id, plan_of};
use baton_model::Direction;
use baton_model::node::{AgentTask, ConditionTask, OnFailure};
use baton_model::{Color, Group};
use baton_model::{GroupId, NodeKind, Plan, Slug};

fn read_text(text: &str) -> Result<Flowchart, MermaidError> {
    let mut last = 0_u128;
    read(text, "shop.mmd", &mut || {
        last += 1;
        Uuid::from_u128(last)
    })
}

fn write(plan: &Plan, view: &View) -> String {
    crate::export::write(plan, ExportFormat::Mermaid, view)
}

/// Nodes and links in a readable form.
fn shape(plan: &Plan) -> String {
    let titles: HashMap<_, _> = plan
        .nodes
        .iter()
        .map(|node| (node.id, node.title.as_str()))
        .collect();
    let mut lines: Vec<String> = plan
        .nodes
        .iter()
        .map(|node| format!("{} {}", node.kind.as_str(), node.title))
        .collect();
    for link in crate::export::links(plan, &View::default()) {
        let branch_label = link
            .branch_label
            .map(|branch_label| format!(" {branch_label}"))
            .unwrap_or_default();
        let soft = if link.soft { " soft" } else { "" };
        lines.push(format!(
            "{} ->{soft}{branch_label} {}",
            titles[&link.parent], titles[&link.child]
        ));
    }
    for group in &plan.groups {
        let members: BTreeSet<_> = group.nodes.iter().map(|node| titles[node]).collect();
        lines.push(format!("[{}] {members:?}", group.title));
    }
    lines.join("\n")
}

fn of(text: &str) -> String {
    match read_text(text) {
        Ok(chart) => {
            assert_eq!(chart.plan.problems(), [], "the plan can be saved");
            let notices = chart
                .notices
                .iter()
                .map(|notice| format!("line {}: {}", notice.line, notice.kind));
            [vec![shape(&chart.plan)], notices.collect()]
                .concat()
                .join("\n")
        }
        Err(mistakes) => mistakes.to_string(),
    }
}

#[test]
fn readme_flowchart_becomes_plan() {
    let text = r#"---
title: "Release \"1.0\""
---
%% how we ship
%%{init: {"theme": "dark"}}%%
flowchart TD
    A[Write the code] --> B("Test it")
    B -->|passes| C{Good enough?}
    C -- yes --> D([Publish]); C -- no --> E[/Ask/]
    D & E -.-> F[[Announce]]:::loud
    subgraph one [Build things]
        direction LR
        A
        subgraph two
            B
        end
    end
    classDef loud fill:#f00
    click A "https://example.org"
"#;
    let chart = read_text(text).expect("parses");
    assert_eq!(
        (chart.plan.title.as_str(), chart.direction),
        ("Release \"1.0\"", Direction::TopDown)
    );
    insta::assert_snapshot!(of(text));
}

#[test]
fn all_arrows_and_shapes_are_parsed() {
    let text = "graph LR\n a-->b---c==>d===e-.->f-.-g~~~h\n b--xc2\n b <--> i\n j <-- k\n l@{ shape: diamond, label: \"Why?\" }-->m(((End)))\n n>flag]-->o[\\back\\]-->p[(data)]-->q{{six}}\n r -- a word --> s -. and .-> t == so ==> u\n v --> w & x --> y";
    insta::assert_snapshot!(of(text));
}

#[test]
fn lenient_syntax_is_parsed() {
    let text = "graph TD\n A o--o B x--x C %% why; not\n D e1@==> E -- \"50%% of it\" --> F\n e1@{ animate: true }\n src/main.rs --> C# --> what?";
    insta::assert_snapshot!(of(text));
}

#[test]
fn subgraph_edges_expand_to_node_edges() {
    let text = "flowchart TB\n c1-->a2\n one --> two\n subgraph one\n a1-->a2\n end\n subgraph two [The second]\n b1-->b2\n subgraph deep\n b3\n end\n end\n subgraph three\n c1-->c2\n end\n three --> two\n two --> c3\n deep --> c4";
    insta::assert_snapshot!(of(text));
}

#[test]
fn node_may_share_subgraph_name() {
    insta::assert_snapshot!(of(
        "flowchart LR\n subgraph build\n build --> test\n end\n test --> ship"
    ));
}

#[test]
fn only_expressions_become_conditions() {
    let text = "flowchart LR\n a{true} -->|true| b\n a -->|No| c\n d{\"Is it good?\"} -->|yes| e\n f{Sure} --> g\n %% condition f: result:a\n";
    insta::assert_snapshot!(of(text));
}

#[test]
fn each_fault_has_its_line() {
    let texts = [
        "",
        "sequenceDiagram\n A->>B: hello",
        "flowchart LR\n a --> \n b[never\n c[\"open]",
        "flowchart LR\n a -> b\n ok --> fine\n a --> b c",
        "flowchart LR\n end",
        "flowchart LR\n subgraph x\n a",
        "flowchart LR\n subgraph x\n a\n end\n a --> x",
        "flowchart LR\n subgraph x\n end\n b --> x",
        "flowchart LR\n a --> b\n b --> c\n c --> a",
        "flowchart LR\n a --> a",
        "flowchart XY\n a",
    ];
    insta::assert_snapshot!(texts.map(of).join("\n\n"));
}

#[test]
fn flowchart_is_detected() {
    for text in [
        "graph TD\nA",
        "\n%% hi\nflowchart LR;A-->B",
        "---\ntitle: x\n---\n\nflowchart\nA",
    ] {
        assert!(is_mermaid(text), "{text}");
    }
    for text in [
        "",
        "baton: 1",
        "{\"a\": 1}",
        "graph of the sales",
        "pie\n",
        "---\ntitle: x\n",
    ] {
        assert!(!is_mermaid(text), "{text}");
    }
}

fn hostile() -> Plan {
    let titles = [
        "\"quoted\" <b>bold</b>",
        "end",
        "a #35; & b;",
        "מבחן שלום",
        "🎉 `code` \\n",
        "Fork",
        "| pipe ] } )",
    ];
    let mut plan = plan_of(&titles, &[(0, 1), (1, 2), (1, 3)]);
    plan.title = "Title: \"x\" --- #".to_owned();
    plan.edges[2].soft = true;
    plan.nodes[1].slug = Slug::new("end").expect("valid slug");
    plan.nodes[2].slug = Slug::new("a--b").expect("valid slug");
    let fork = ConditionTask {
        condition: "true".to_owned(),
        true_step: Some(node_id(4)),
        false_step: Some(node_id(6)),
    };
    plan.nodes[5].kind = NodeKind::Condition(fork);
    plan.nodes[0].on_failure = OnFailure::Node(node_id(3));
    let nodes = vec![node_id(2), node_id(3)];
    plan.groups = vec![Group {
        id: GroupId(Uuid::from_u128(9)),
        title: "A \"group\"".to_owned(),
        color: Color::Teal,
        nodes,
    }];
    plan
}

#[test]
fn plan_exports_to_mermaid_with_states() {
    let plan = hostile();
    let states = [
        (node_id(0), "done"),
        (node_id(1), "failed"),
        (node_id(2), "done"),
    ]
    .into();
    insta::assert_snapshot!(write(
        &plan,
        &View {
            states,
            ..View::default()
        }
    ));
}

/// A plan of agent nodes only, which a flowchart can express completely.
fn with_agents(mut plan: Plan) -> Plan {
    for node in &mut plan.nodes {
        if !matches!(node.kind, NodeKind::Condition(_)) {
            node.kind = NodeKind::Agent(AgentTask::default());
        }
    }
    plan
}

#[test]
fn hostile_titles_round_trip() {
    let plan = with_agents(hostile());
    let chart = read_text(&write(&plan, &View::default())).expect("parses");
    let sorted = |plan: &Plan| {
        shape(plan)
            .lines()
            .map(str::to_owned)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(sorted(&chart.plan), sorted(&plan));
    assert_eq!(chart.plan.title, plan.title);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mermaid_round_trip_keeps_shape(
        titles in vec("[ -~äöü漢]{1,30}", 1..12),
        pairs in vec((0..12_usize, 0..12_usize, any::<bool>()), 0..20),
        grouped in vec(0..5_usize, 12),
        top_down in any::<bool>(),
    ) {
        let count = titles.len();
        let edges: BTreeSet<_> = pairs.iter().map(|(a, b, _)| (a % count, b % count)).filter(|(a, b)| a < b).collect();
        let edges: Vec<_> = edges.into_iter().collect();
        let titles: Vec<_> = titles.iter().map(|title| title.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        prop_assume!(titles.iter().all(|title| !title.is_empty()));
        let numbered: Vec<_> = titles.iter().enumerate().map(|(number, title)| format!("{number} {title}")).collect();
        let mut plan = with_agents(plan_of(&numbered.iter().map(String::as_str).collect::<Vec<_>>(), &edges));
        for (edge, (_, _, soft)) in plan.edges.iter_mut().zip(&pairs) {
            edge.soft = *soft;
        }
        for wanted in 0..3 {
            let nodes: Vec<_> = (0..count).filter(|at| grouped[*at] == wanted).map(node_id).collect();
            if !nodes.is_empty() {
                let id = GroupId(Uuid::from_u128(100 + wanted as u128));
                plan.groups.push(Group { id, title: format!("Group {wanted}"), color: Color::Gray, nodes });
            }
        }
        let direction = if top_down { Direction::TopDown } else { Direction::LeftRight };
        let chart = read_text(&write(&plan, &View { direction, ..View::default() }));
        let chart = chart.map_err(|mistakes| TestCaseError::fail(mistakes.to_string()))?;
        let sorted = |plan: &Plan| shape(plan).lines().map(str::to_owned).collect::<BTreeSet<_>>();
        prop_assert_eq!(sorted(&chart.plan), sorted(&plan));
        prop_assert_eq!(chart.direction, direction);
        prop_assert_eq!(chart.notices, []);
    }

    #[test]
    fn arbitrary_text_does_not_panic(lines in vec("[a-c \\[\\](){}<>|\"'`#&;:@%=.~x-]{0,24}|subgraph [a-b]|end|a --> b", 0..8)) {
        let text = format!("flowchart LR\n{}", lines.join("\n"));
        if let Ok(chart) = read_text(&text) {
            prop_assert_eq!(chart.plan.problems(), []);
        }
    }
}
