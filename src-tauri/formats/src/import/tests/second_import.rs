//! A second import of the same source is a diff.

use baton_model::node::{AgentTask, Position};
use baton_model::{Edge, Node, NodeId, NodeKind, Slug};

use super::*;

const FIRST: &str = r#"{"tasks": [
  {"id": 1, "title": "One", "details": "first"},
  {"id": 2, "title": "Two", "details": "second", "dependencies": [1]},
  {"id": 3, "title": "Three", "dependencies": [2]}
]}"#;

fn plan_of(text: &str, first_id: u128) -> Plan {
    let mut last = first_id;
    let files = [file("tasks.json", text)];
    let plans = import(ImportFormat::TaskMaster, &files, &mut || {
        last += 1;
        Uuid::from_u128(last)
    });
    plans.expect("a plan").remove(0).plan
}

fn prompt(node: &Node) -> &str {
    match &node.kind {
        NodeKind::Agent(task) => &task.prompt,
        _ => "",
    }
}

#[test]
fn same_source_changes_nothing() {
    let old = plan_of(FIRST, 0);
    let Updated { plan, warnings } = update(&old, plan_of(FIRST, 1000));
    assert_eq!(plan, old);
    assert_eq!(warnings, []);
}

#[test]
fn edits_stay_where_the_source_is_unchanged() {
    let mut old = plan_of(FIRST, 0);
    old.title = "My plan".to_owned();
    old.nodes[0].position = Some(Position { x: 1.0, y: 2.0 });
    old.nodes[0].title = "One, by me".to_owned();
    if let NodeKind::Agent(task) = &mut old.nodes[1].kind {
        task.agent = Some("codex".to_owned());
    }
    let own = Node::new(
        NodeId(Uuid::from_u128(77)),
        Slug::from_title("own"),
        "Own",
        NodeKind::Agent(AgentTask::default()),
    );
    old.edges.retain(|edge| edge.child != old.nodes[2].id);
    old.edges.push(Edge {
        parent: old.nodes[2].id,
        child: own.id,
        soft: false,
        inferred: false,
    });
    old.nodes.push(own);
    let changed = FIRST.replace("\"second\"", "\"second, better\"").replace(
        "\n]}",
        ",\n  {\"id\": 4, \"title\": \"Four\", \"dependencies\": [3]}\n]}",
    );
    let Updated { plan, warnings } = update(&old, plan_of(&changed, 1000));
    assert_eq!(warnings, []);
    assert_eq!(plan.title, "My plan");
    assert_eq!(plan.nodes[0], old.nodes[0], "edited here, not there");
    assert_eq!(plan.nodes[1].id, old.nodes[1].id);
    assert_eq!(prompt(&plan.nodes[1]), "second, better");
    assert_eq!(plan.nodes[1].kind.agent(), Some(Some("codex")));
    assert_eq!(
        edges(&plan),
        ["task-1>task-2", "task-3>task-4", "task-3>own"],
        "what was removed stays removed, what was added stays"
    );
    assert_eq!(plan.problems(), []);
}

#[test]
fn clashes_keep_the_edit_and_remember_the_source() {
    let mut old = plan_of(FIRST, 0);
    old.nodes[0].title = "One, by me".to_owned();
    let changed = FIRST.replace("\"One\"", "\"One, by them\"");
    let Updated { plan, warnings } = update(&old, plan_of(&changed, 1000));
    assert_eq!(plan.nodes[0].title, "One, by me");
    let import = &plan.nodes[0].metadata["import"];
    assert_eq!(import["clashes"]["title"], "One, by them");
    let shown: Vec<String> = warnings.iter().map(ImportWarning::to_string).collect();
    assert_eq!(
        shown,
        [
            "title of 'One, by me' changed in Baton and in the source; yours stays, and the node's metadata has the other"
        ]
    );
    let again = update(&plan, plan_of(&changed, 2000));
    assert_eq!(
        (again.plan, again.warnings),
        (plan, vec![]),
        "once is enough"
    );
}

#[test]
fn work_done_in_the_source_keeps_a_persons_fields() {
    let mut old = plan_of(FIRST, 0);
    old.nodes[0].title = "One, by me".to_owned();
    old.nodes[0].priority = 9;
    let changed = FIRST.replace("\"first\"", "\"first\", \"status\": \"done\"");
    let Updated { plan, warnings } = update(&old, plan_of(&changed, 1000));
    let node = &plan.nodes[0];
    assert_eq!(
        (node.title.as_str(), node.priority, node.disabled),
        ("One, by me", 9, true)
    );
    assert_eq!(warnings, []);
}

#[test]
fn removed_nodes_stay_removed() {
    let mut old = plan_of(FIRST, 0);
    let two = old.nodes.remove(1).id;
    old.edges.clear();
    let changed = FIRST.replace("\"second\"", "\"second\", \"status\": \"done\"");
    let Updated { plan, warnings } = update(&old, plan_of(&changed, 1000));
    assert_eq!(plan.nodes.len(), 2);
    assert!(plan.node(two).is_none() && plan.edges.is_empty());
    assert_eq!(
        warnings[0].to_string(),
        "1 task is in the source, but you removed the nodes in Baton; they stay removed"
    );
    assert_eq!(plan.problems(), []);
    let again = update(&plan, plan_of(&changed, 2000)).plan;
    assert_eq!(again, plan, "also the next time");
}

#[test]
fn edited_nodes_stay_when_their_task_is_gone() {
    let without_two = r#"{"tasks": [{"id": 1, "title": "One", "details": "first"}]}"#;
    let mut old = plan_of(FIRST, 0);
    old.nodes[1].max_retries = 4;
    let Updated { plan, warnings } = update(&old, plan_of(without_two, 1000));
    let titles: Vec<&str> = plan.nodes.iter().map(|node| node.title.as_str()).collect();
    assert_eq!(titles, ["One", "Two"]);
    assert_eq!(edges(&plan), ["task-1>task-2"]);
    let shown: Vec<String> = warnings.iter().map(ImportWarning::to_string).collect();
    assert_eq!(
        shown,
        [
            "'Two' is no longer in the source, but you changed it in Baton; its node stays",
            "1 task is no longer in the source; their nodes are removed"
        ]
    );
}

#[test]
fn plans_of_an_older_baton_are_updated() {
    let mut old = plan_of(FIRST, 0);
    for node in &mut old.nodes {
        let digest = crate::import::source_field::digest_of_node(node);
        let import = node.metadata["import"].as_object_mut().expect("remembered");
        import.retain(|key, _| key != "fields" && key != "settings");
        import.insert("digest".to_owned(), digest.into());
    }
    old.nodes[0].title = "One, by me".to_owned();
    let changed = FIRST.replace("\"second\"", "\"second, better\"");
    let Updated { plan, warnings } = update(&old, plan_of(&changed, 1000));
    assert_eq!(plan.nodes[0].title, "One, by me");
    assert_eq!(prompt(&plan.nodes[1]), "second, better");
    assert_eq!(warnings, []);
}

#[test]
fn tasks_that_are_gone_lose_their_nodes() {
    let mut old = plan_of(FIRST, 0);
    old.nodes[0].on_success = Some(old.nodes[2].id);
    let changed = FIRST.replace(
        ",\n  {\"id\": 3, \"title\": \"Three\", \"dependencies\": [2]}",
        "",
    );
    let Updated { plan, warnings } = update(&old, plan_of(&changed, 1000));
    assert_eq!(plan.nodes.len(), 2);
    assert_eq!(plan.nodes[0].on_success, None);
    assert_eq!(
        warnings[0].to_string(),
        "1 task is no longer in the source; their nodes are removed"
    );
}

#[test]
fn confirmed_edges_stay_confirmed_and_removed_ones_stay_away() {
    let tasks = |more: &str| format!("- [ ] 1. A\n- [ ] 2. B\n- [ ] 3. C\n{more}");
    let plan_of = |text: &str, first: u128| {
        let mut last = first;
        let plans = import(ImportFormat::Kiro, &[file("tasks.md", text)], &mut || {
            last += 1;
            Uuid::from_u128(last)
        });
        plans.expect("a plan").remove(0).plan
    };
    let mut old = plan_of(&tasks(""), 0);
    assert_eq!(edges(&old), ["task-1->task-2", "task-2->task-3"]);
    old.confirm_edges(None);
    old.edges.remove(1);
    let Updated { plan, .. } = update(&old, plan_of(&tasks("- [ ] 4. D\n"), 1000));
    assert_eq!(edges(&plan), ["task-1>task-2", "task-3->task-4"]);
}
