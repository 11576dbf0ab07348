//! Random trees of tasks, written down in a format, come back as the same graph.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// For each task, its subtasks; for each of both, which earlier ones it depends on.
#[derive(Debug, Clone)]
struct Tree(Vec<(u64, Vec<u64>)>);

fn trees() -> impl Strategy<Value = Tree> {
    let subtasks = prop::collection::vec(any::<u64>(), 0..5);
    prop::collection::vec((any::<u64>(), subtasks), 1..8).prop_map(Tree)
}

/// The earlier tasks that the bits of `chosen` select.
fn earlier(chosen: u64, count: usize) -> Vec<usize> {
    (0..count).filter(|at| chosen >> at & 3 == 3).collect()
}

impl Tree {
    fn is_group(&self, task: usize) -> bool {
        !self.0[task].1.is_empty()
    }

    /// Numbers and texts are mixed, as in real files.
    fn task_master(&self) -> String {
        let id = |number: usize| match number % 3 {
            0 => json!(number.to_string()),
            _ => json!(number),
        };
        let task = |at: usize| {
            let (chosen, subtasks) = &self.0[at];
            let dependencies: Vec<Value> = earlier(*chosen, at)
                .into_iter()
                .map(|on| id(on + 1))
                .collect();
            let subtasks: Vec<Value> = subtasks
                .iter()
                .enumerate()
                .map(|(number, chosen)| {
                    let on = earlier(*chosen, number).into_iter().map(|on| match on % 2 {
                        0 => json!(on + 1),
                        _ => json!(format!("{}.{}", at + 1, on + 1)),
                    });
                    let on: Vec<Value> = on.collect();
                    json!({"id": number + 1, "title": format!("S{number}"), "dependencies": on})
                })
                .collect();
            json!({"id": id(at + 1), "title": format!("T{at}"), "dependencies": dependencies, "subtasks": subtasks})
        };
        json!({"tasks": (0..self.0.len()).map(task).collect::<Vec<_>>()}).to_string()
    }

    /// A group is an epic, and its dependencies are those of the epic.
    fn beads(&self) -> String {
        let name = |task: usize| format!("bd-{}", task + 1);
        let blocks = |on: String| json!({"depends_on_id": on, "type": "blocks"});
        let mut lines = Vec::new();
        for (at, (chosen, subtasks)) in self.0.iter().enumerate() {
            let on: Vec<Value> = earlier(*chosen, at)
                .into_iter()
                .map(|on| blocks(name(on)))
                .collect();
            lines.push(json!({"id": name(at), "title": "T", "dependencies": on}).to_string());
            for (number, chosen) in subtasks.iter().enumerate() {
                let mut on: Vec<Value> = earlier(*chosen, number)
                    .into_iter()
                    .map(|on| blocks(format!("{}-{}", name(at), on + 1)))
                    .collect();
                on.push(json!({"depends_on_id": name(at), "type": "parent-child"}));
                let id = format!("{}-{}", name(at), number + 1);
                lines.push(json!({"id": id, "title": "S", "dependencies": on}).to_string());
            }
        }
        lines.join("\n")
    }

    /// The edges that the tree means, with subtask 0 for a task without subtasks.
    fn edges(&self) -> BTreeSet<((usize, usize), (usize, usize))> {
        let mut edges = BTreeSet::new();
        for (at, (chosen, subtasks)) in self.0.iter().enumerate() {
            for (number, chosen) in subtasks.iter().enumerate() {
                for on in earlier(*chosen, number) {
                    edges.insert(((at, on + 1), (at, number + 1)));
                }
            }
            for on in earlier(*chosen, at) {
                for last in self.ends(on, false) {
                    for first in self.ends(at, true) {
                        edges.insert(((on, last), (at, first)));
                    }
                }
            }
        }
        edges
    }

    /// The first or the last subtasks of a task.
    fn ends(&self, task: usize, first: bool) -> Vec<usize> {
        let subtasks = &self.0[task].1;
        if !self.is_group(task) {
            return vec![0];
        }
        let waits = |number: usize| !earlier(subtasks[number], number).is_empty();
        let leads = |number: usize| {
            (number + 1..subtasks.len())
                .any(|later| earlier(subtasks[later], later).contains(&number))
        };
        (0..subtasks.len())
            .filter(|&number| {
                if first {
                    !waits(number)
                } else {
                    !leads(number)
                }
            })
            .map(|number| number + 1)
            .collect()
    }
}

/// The task and the subtask that an id of a source names.
fn numbers(id: &str) -> (usize, usize) {
    let mut parts = id
        .split(['.', '-'])
        .filter_map(|part| part.parse::<usize>().ok());
    let task = parts.next().expect("a number") - 1;
    (task, parts.next().unwrap_or(0))
}

fn check(tree: &Tree, format: ImportFormat, source: SourceFile) -> Result<(), TestCaseError> {
    let plan = imported(format, &[source]).remove(0).plan;
    let id = |node| {
        let node = plan.node(node).expect("a node");
        let id = node.metadata["import"]["id"].as_str().expect("an id");
        numbers(id)
    };
    let found: BTreeSet<_> = plan
        .edges
        .iter()
        .map(|edge| (id(edge.parent), id(edge.child)))
        .collect();
    prop_assert_eq!(found, tree.edges());
    prop_assert_eq!(plan.inferred_edges().count(), 0);
    let groups = (0..tree.0.len()).filter(|&at| tree.is_group(at)).count();
    prop_assert_eq!(plan.groups.len(), groups);
    Ok(())
}

proptest! {
    #[test]
    fn task_trees_become_the_same_graph(tree in trees()) {
        check(&tree, ImportFormat::TaskMaster, file("tasks.json", &tree.task_master()))?;
        check(&tree, ImportFormat::Beads, file("issues.jsonl", &tree.beads()))?;
    }
}
