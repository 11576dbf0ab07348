//! Files that two nodes beside each other really changed, by the evidence of their attempts.
//!
//! Beside each other are nodes of which neither waits for the other. Those that worked apart have changes of their own. Of two that
//! worked in one directory at the same time the evidence cannot tell whose change is whose: that is said.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use baton_model::artifact::Author;
use baton_model::evidence::FileChanges;
use baton_model::{Graph, Isolation, Node, NodeId, NodeKind, Plan, Timestamp};
use baton_store::NodeStateRow;

use crate::wire::*;
use crate::{ApiError, App, nodes, runs};

/// The most pairs that are told; those that are sure come first.
const PAIRS: usize = 100;
/// The most files that are told of a pair.
const FILES_SHOWN: usize = 50;
/// A file that more nodes changed than this is compared among the first of them alone.
const NODES_OF_A_FILE: usize = 40;

/// What one node changed.
#[derive(Debug, Clone)]
struct Changes<'p> {
    node: &'p Node,
    number: usize,
    apart: bool,
    worked: Option<(Timestamp, Timestamp)>,
    /// The titles of those that were seen at work in the same directory meanwhile.
    met: Vec<String>,
    files: BTreeSet<String>,
    claimed: Vec<String>,
}

/// Lists the pairs of nodes beside each other that changed the same files.
pub(crate) fn list(app: &App, input: RunRef) -> Result<Vec<OverlapView>, ApiError> {
    let plan = nodes::plan_of(app, input.run)?;
    let Ok(graph) = plan.graph() else {
        return Ok(Vec::new());
    };
    let states = runs::states(app, input.run)?;
    let mut changed: HashMap<NodeId, FileChanges> = HashMap::new();
    for (node, row) in app.store.evidence().of_run(input.run)? {
        let is_last = states
            .get(&node)
            .is_some_and(|state| state.attempt == row.attempt);
        if is_last {
            changed.insert(node, row.content.files);
        }
    }
    let mut claims: HashMap<NodeId, Vec<String>> = HashMap::new();
    // A handoff that facts were put into says nothing that the evidence does not.
    let said = app.store.artifacts().latest_of(input.run)?.rows.into_iter();
    for row in said.filter(|row| row.content.author == Author::Agent) {
        claims.insert(row.node, row.content.files);
    }
    let known: Vec<Changes<'_>> = plan
        .nodes
        .iter()
        .filter_map(|node| {
            let files = changed.remove(&node.id)?;
            let claimed = claims.remove(&node.id).unwrap_or_default();
            changes(&plan, &graph, node, states.get(&node.id)?, (files, claimed))
        })
        .collect();
    Ok(overlaps(&graph, &known))
}

fn changes<'p>(
    plan: &Plan,
    graph: &Graph,
    node: &'p Node,
    state: &NodeStateRow,
    (files, claimed): (FileChanges, Vec<String>),
) -> Option<Changes<'p>> {
    let own = match &node.kind {
        NodeKind::Command(task) => task.cwd.as_deref().unwrap_or_default(),
        _ => "",
    };
    Some(Changes {
        node,
        number: graph.number(node.id)?,
        apart: node.isolation_in(&plan.settings) == Isolation::Worktree,
        worked: state.started_at.zip(state.ended_at),
        files: files
            .paths_with_shared()
            .map(|file| plain(&Path::new(own).join(file)))
            .collect(),
        met: files.beside,
        claimed,
    })
}

/// The path without `.` and `..`, as far as it has a folder to leave.
fn plain(path: &Path) -> String {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain.display().to_string()
}

fn overlaps(graph: &Graph, known: &[Changes<'_>]) -> Vec<OverlapView> {
    let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, changes) in known.iter().enumerate() {
        for file in &changes.files {
            by_file.entry(file).or_default().push(index);
        }
    }
    let mut related: HashMap<usize, BTreeSet<usize>> = HashMap::new();
    let mut found: BTreeMap<(usize, usize, OverlapProof), Vec<String>> = BTreeMap::new();
    for (file, nodes) in by_file.iter().filter(|(_, nodes)| nodes.len() > 1) {
        let nodes = &nodes[..nodes.len().min(NODES_OF_A_FILE)];
        for (at, &first) in nodes.iter().enumerate() {
            let number = known[first].number;
            let relatives = related.entry(number).or_insert_with(|| {
                graph
                    .ancestors(number)
                    .into_iter()
                    .chain(graph.dependents(number))
                    .collect()
            });
            for &second in nodes[at + 1..]
                .iter()
                .filter(|&&second| !relatives.contains(&known[second].number))
            {
                if let Some(proof) = proof(&known[first], &known[second], file) {
                    found
                        .entry((first, second, proof))
                        .or_default()
                        .push((*file).to_owned());
                }
            }
        }
    }
    let mut views: Vec<OverlapView> = found
        .into_iter()
        .map(|(pair, files)| view(known, pair, files))
        .collect();
    views.sort_by_key(|view| view.proof);
    views.truncate(PAIRS);
    views
}

/// How sure it is that both changed `file`; `None` when one of them began after the other had ended, in the same directory.
fn proof(one: &Changes<'_>, other: &Changes<'_>, file: &str) -> Option<OverlapProof> {
    if one.apart || other.apart {
        return Some(OverlapProof::Apart);
    }
    if !met(one, other) {
        return None;
    }
    let says = |changes: &Changes<'_>| changes.claimed.iter().any(|claim| means(claim, file));
    Some(if says(one) && says(other) {
        OverlapProof::BothSay
    } else {
        OverlapProof::SameTime
    })
}

/// Whether both were at work at the same time: by their times, or because one saw the other. The times alone miss short sessions, which
/// are dated when Baton hears of them: of one the end, and of the other the beginning, at the same moment.
fn met(one: &Changes<'_>, other: &Changes<'_>) -> bool {
    let saw = |one: &Changes<'_>, other: &Changes<'_>| one.met.contains(&other.node.title);
    let at_once =
        one.worked
            .zip(other.worked)
            .is_some_and(|((begun, ended), (other_begun, other_ended))| {
                begun < other_ended && other_begun < ended
            });
    at_once || saw(one, other) || saw(other, one)
}

/// Whether a claim names the file: whole, or by the end of its path.
fn means(claim: &str, file: &str) -> bool {
    let claim = claim.trim_start_matches("./");
    let ends_with = |whole: &str, end: &str| {
        whole
            .strip_suffix(end)
            .is_some_and(|rest| rest.ends_with('/'))
    };
    claim == file || ends_with(file, claim) || ends_with(claim, file)
}

fn view(
    known: &[Changes<'_>],
    (first, second, proof): (usize, usize, OverlapProof),
    files: Vec<String>,
) -> OverlapView {
    let (first, second) = (known[first].node, known[second].node);
    OverlapView {
        first: first.id,
        second: second.id,
        first_title: first.title.clone(),
        second_title: second.title.clone(),
        proof,
        files_left_out: u32::try_from(files.len().saturating_sub(FILES_SHOWN)).unwrap_or(u32::MAX),
        files: files.into_iter().take(FILES_SHOWN).collect(),
    }
}

#[cfg(test)]
mod tests {
    use baton_model::node::AgentTask;
    use baton_model::{Edge, PlanId, Slug};
    use uuid::Uuid;

    use super::*;

    fn plan(count: usize, edges: &[(usize, usize)]) -> Plan {
        let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "A plan");
        for number in 0..count {
            let slug = Slug::new(&format!("n{number}")).expect("plain");
            let id = NodeId(Uuid::from_u128(number as u128 + 2));
            plan.nodes.push(Node::new(
                id,
                slug,
                format!("N{number}"),
                NodeKind::Agent(AgentTask::default()),
            ));
        }
        let id = |number: usize| plan.nodes[number].id;
        plan.edges = edges
            .iter()
            .map(|&(parent, child)| Edge {
                parent: id(parent),
                child: id(child),
                soft: false,
            })
            .collect();
        plan
    }

    fn did<'p>(
        plan: &'p Plan,
        number: usize,
        apart: bool,
        worked: (i64, i64),
        files: &[&str],
    ) -> Changes<'p> {
        Changes {
            node: &plan.nodes[number],
            number,
            apart,
            worked: Some((Timestamp(worked.0), Timestamp(worked.1))),
            files: files.iter().map(|&file| file.to_owned()).collect(),
            met: Vec::new(),
            claimed: Vec::new(),
        }
    }

    fn told(plan: &Plan, known: &[Changes<'_>]) -> Vec<String> {
        let graph = plan.graph().expect("no cycle");
        let word = |view: OverlapView| {
            format!(
                "{}+{} {:?} {}",
                view.first_title,
                view.second_title,
                view.proof,
                view.files.join(",")
            )
        };
        overlaps(&graph, known).into_iter().map(word).collect()
    }

    #[test]
    fn nodes_apart_overlap_whenever_they_worked_and_those_in_one_directory_when_at_the_same_time() {
        let plan = plan(2, &[]);
        for (apart, other_apart, worked, expected) in [
            (true, true, (20, 30), Some("Apart")),
            (true, false, (20, 30), Some("Apart")),
            (false, false, (5, 30), Some("SameTime")),
            (false, false, (10, 30), None),
            (false, false, (20, 30), None),
        ] {
            let known = [
                did(&plan, 0, apart, (0, 10), &["a", "b"]),
                did(&plan, 1, other_apart, worked, &["b", "c"]),
            ];
            let expected: Vec<String> = expected
                .map(|proof| format!("N0+N1 {proof} b"))
                .into_iter()
                .collect();
            assert_eq!(
                told(&plan, &known),
                expected,
                "{apart} {other_apart} {worked:?}"
            );
        }
    }

    #[test]
    fn who_was_seen_at_work_was_there_whatever_the_times_say() {
        let plan = plan(2, &[]);
        for seen_by in [0, 1] {
            let mut known = [
                did(&plan, 0, false, (0, 10), &["a"]),
                did(&plan, 1, false, (10, 10), &["a"]),
            ];
            known[seen_by].met = vec![plan.nodes[1 - seen_by].title.clone()];
            assert_eq!(told(&plan, &known), ["N0+N1 SameTime a"]);
        }
    }

    #[test]
    fn who_waits_for_another_does_not_overlap_with_it() {
        let plan = plan(3, &[(0, 1), (1, 2)]);
        let known = [0, 1, 2].map(|number| did(&plan, number, true, (0, 10), &["a"]));
        assert!(told(&plan, &known).is_empty());
    }

    #[test]
    fn what_both_say_comes_before_what_nobody_knows() {
        let plan = plan(3, &[]);
        let mut known = [0, 1, 2].map(|number| did(&plan, number, false, (0, 10), &["src/a.rs"]));
        known[1].claimed = vec!["a.rs".to_owned()];
        known[2].claimed = vec!["./src/a.rs".to_owned()];
        assert_eq!(
            told(&plan, &known),
            [
                "N1+N2 BothSay src/a.rs",
                "N0+N1 SameTime src/a.rs",
                "N0+N2 SameTime src/a.rs"
            ]
        );
    }

    #[test]
    fn paths_are_compared_from_the_plans_directory() {
        assert_eq!(plain(&Path::new("sub").join("../a.txt")), "a.txt");
        assert_eq!(plain(&Path::new("").join("./b/c")), "b/c");
        assert_eq!(plain(Path::new("../out")), "../out");
    }

    #[test]
    fn a_thousand_nodes_of_one_file_are_told_in_bounds() {
        let plan = plan(1000, &[]);
        let known: Vec<_> = (0..1000)
            .map(|number| did(&plan, number, true, (0, 10), &["a"]))
            .collect();
        assert_eq!(told(&plan, &known).len(), PAIRS);
    }
}
