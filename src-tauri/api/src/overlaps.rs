//! Files that two parallel nodes actually changed, according to the evidence of their attempts.
//!
//! Two nodes are parallel if neither waits for the other. Changes by isolated nodes are their own.
//! If two nodes worked in one directory at the same time, the evidence can't tell whose change it
//! was, and the result says so.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use baton_model::artifact::Author;
use baton_model::evidence::FileChanges;
use baton_model::{Graph, Isolation, Node, NodeId, NodeKind, Plan, Timestamp};
use baton_store::NodeStateRow;

use crate::wire::*;
use crate::{ApiError, App, run_lookup};

/// Maximum number of pairs; certain ones come first.
const MAX_PAIRS: usize = 100;
/// Maximum number of files per pair.
const MAX_FILES_PER_PAIR: usize = 50;
/// If more nodes than this changed a file, only the first ones are compared.
const MAX_NODES_PER_FILE: usize = 40;

/// The files that one node changed.
#[derive(Debug, Clone)]
struct NodeChanges<'p> {
    node: &'p Node,
    number: usize,
    isolated: bool,
    worked: Option<(Timestamp, Timestamp)>,
    /// Titles of nodes that were seen working in the same directory at the same time.
    seen_with: Vec<String>,
    files: BTreeSet<String>,
    claimed: Vec<String>,
}

/// Lists pairs of parallel nodes that changed the same files.
pub(crate) fn list(app: &App, input: RunRef) -> Result<Vec<OverlapView>, ApiError> {
    let plan = run_lookup::plan_of_run(app, input.run)?;
    let Ok(graph) = plan.graph() else {
        return Ok(Vec::new());
    };
    let states = run_lookup::node_states(app, input.run)?;
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
    // A handoff generated from the evidence contains no additional claims.
    let artifacts = app
        .store
        .artifacts()
        .latest_for_run(input.run)?
        .rows
        .into_iter();
    for row in artifacts.filter(|row| row.content.author == Author::Agent) {
        claims.insert(row.node, row.content.files);
    }
    let known: Vec<NodeChanges<'_>> = plan
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
) -> Option<NodeChanges<'p>> {
    let own = match &node.kind {
        NodeKind::Command(task) => task.cwd.as_deref().unwrap_or_default(),
        _ => "",
    };
    Some(NodeChanges {
        node,
        number: graph.number(node.id)?,
        isolated: node.isolation_in(&plan.settings) == Isolation::Worktree,
        worked: state.started_at.zip(state.ended_at),
        files: files
            .paths_with_shared()
            .map(|file| normalize_path(&Path::new(own).join(file)))
            .collect(),
        seen_with: files.beside,
        claimed,
    })
}

/// Removes `.` and `..` from the path, as far as there is a parent folder.
fn normalize_path(path: &Path) -> String {
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

fn overlaps(graph: &Graph, known: &[NodeChanges<'_>]) -> Vec<OverlapView> {
    let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, changes) in known.iter().enumerate() {
        for file in &changes.files {
            by_file.entry(file).or_default().push(index);
        }
    }
    let mut related: HashMap<usize, BTreeSet<usize>> = HashMap::new();
    let mut found: BTreeMap<(usize, usize, OverlapProof), Vec<String>> = BTreeMap::new();
    for (file, nodes) in by_file.iter().filter(|(_, nodes)| nodes.len() > 1) {
        let nodes = &nodes[..nodes.len().min(MAX_NODES_PER_FILE)];
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
    views.truncate(MAX_PAIRS);
    views
}

/// Returns how certain it is that both nodes changed `file`; `None` if one started after the other
/// had ended in the same directory.
fn proof(one: &NodeChanges<'_>, other: &NodeChanges<'_>, file: &str) -> Option<OverlapProof> {
    if one.isolated || other.isolated {
        return Some(OverlapProof::Apart);
    }
    if !worked_concurrently(one, other) {
        return None;
    }
    let says = |changes: &NodeChanges<'_>| {
        changes
            .claimed
            .iter()
            .any(|claim| claim_matches(claim, file))
    };
    Some(if says(one) && says(other) {
        OverlapProof::BothSay
    } else {
        OverlapProof::SameTime
    })
}

/// Returns whether both worked at the same time: by their times, or because one saw the other.
/// Times alone miss short sessions, whose start and end are recorded when Baton is notified.
fn worked_concurrently(one: &NodeChanges<'_>, other: &NodeChanges<'_>) -> bool {
    let saw =
        |one: &NodeChanges<'_>, other: &NodeChanges<'_>| one.seen_with.contains(&other.node.title);
    let at_once =
        one.worked
            .zip(other.worked)
            .is_some_and(|((began, ended), (other_began, other_ended))| {
                began < other_ended && other_began < ended
            });
    at_once || saw(one, other) || saw(other, one)
}

/// Returns whether a claim refers to the file, by its full path or by the end of it.
fn claim_matches(claim: &str, file: &str) -> bool {
    let claim = claim.trim_start_matches("./");
    let ends_with = |whole: &str, end: &str| {
        whole
            .strip_suffix(end)
            .is_some_and(|rest| rest.ends_with('/'))
    };
    claim == file || ends_with(file, claim) || ends_with(claim, file)
}

fn view(
    known: &[NodeChanges<'_>],
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
        files_left_out: u32::try_from(files.len().saturating_sub(MAX_FILES_PER_PAIR))
            .unwrap_or(u32::MAX),
        files: files.into_iter().take(MAX_FILES_PER_PAIR).collect(),
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
            let slug = Slug::new(&format!("n{number}")).expect("valid slug");
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
                inferred: false,
            })
            .collect();
        plan
    }

    fn node_changes<'p>(
        plan: &'p Plan,
        number: usize,
        apart: bool,
        worked: (i64, i64),
        files: &[&str],
    ) -> NodeChanges<'p> {
        NodeChanges {
            node: &plan.nodes[number],
            number,
            isolated: apart,
            worked: Some((Timestamp(worked.0), Timestamp(worked.1))),
            files: files.iter().map(|&file| file.to_owned()).collect(),
            seen_with: Vec::new(),
            claimed: Vec::new(),
        }
    }

    fn describe_overlaps(plan: &Plan, known: &[NodeChanges<'_>]) -> Vec<String> {
        let graph = plan.graph().expect("no cycle");
        let describe = |view: OverlapView| {
            format!(
                "{}+{} {:?} {}",
                view.first_title,
                view.second_title,
                view.proof,
                view.files.join(",")
            )
        };
        overlaps(&graph, known).into_iter().map(describe).collect()
    }

    #[test]
    fn overlap_needs_concurrency_only_in_a_shared_directory() {
        let plan = plan(2, &[]);
        for (apart, other_apart, worked, expected) in [
            (true, true, (20, 30), Some("Apart")),
            (true, false, (20, 30), Some("Apart")),
            (false, false, (5, 30), Some("SameTime")),
            (false, false, (10, 30), None),
            (false, false, (20, 30), None),
        ] {
            let known = [
                node_changes(&plan, 0, apart, (0, 10), &["a", "b"]),
                node_changes(&plan, 1, other_apart, worked, &["b", "c"]),
            ];
            let expected: Vec<String> = expected
                .map(|proof| format!("N0+N1 {proof} b"))
                .into_iter()
                .collect();
            assert_eq!(
                describe_overlaps(&plan, &known),
                expected,
                "{apart} {other_apart} {worked:?}"
            );
        }
    }

    #[test]
    fn seen_together_counts_as_concurrent() {
        let plan = plan(2, &[]);
        for seen_by in [0, 1] {
            let mut known = [
                node_changes(&plan, 0, false, (0, 10), &["a"]),
                node_changes(&plan, 1, false, (10, 10), &["a"]),
            ];
            known[seen_by].seen_with = vec![plan.nodes[1 - seen_by].title.clone()];
            assert_eq!(describe_overlaps(&plan, &known), ["N0+N1 SameTime a"]);
        }
    }

    #[test]
    fn dependent_nodes_do_not_overlap() {
        let plan = plan(3, &[(0, 1), (1, 2)]);
        let known = [0, 1, 2].map(|number| node_changes(&plan, number, true, (0, 10), &["a"]));
        assert!(describe_overlaps(&plan, &known).is_empty());
    }

    #[test]
    fn claimed_overlaps_sort_before_uncertain_ones() {
        let plan = plan(3, &[]);
        let mut known =
            [0, 1, 2].map(|number| node_changes(&plan, number, false, (0, 10), &["src/a.rs"]));
        known[1].claimed = vec!["a.rs".to_owned()];
        known[2].claimed = vec!["./src/a.rs".to_owned()];
        assert_eq!(
            describe_overlaps(&plan, &known),
            [
                "N1+N2 BothSay src/a.rs",
                "N0+N1 SameTime src/a.rs",
                "N0+N2 SameTime src/a.rs"
            ]
        );
    }

    #[test]
    fn paths_are_compared_from_the_plans_directory() {
        assert_eq!(normalize_path(&Path::new("sub").join("../a.txt")), "a.txt");
        assert_eq!(normalize_path(&Path::new("").join("./b/c")), "b/c");
        assert_eq!(normalize_path(Path::new("../out")), "../out");
    }

    #[test]
    fn overlaps_of_a_thousand_nodes_are_limited() {
        let plan = plan(1000, &[]);
        let known: Vec<_> = (0..1000)
            .map(|number| node_changes(&plan, number, true, (0, 10), &["a"]))
            .collect();
        assert_eq!(describe_overlaps(&plan, &known).len(), MAX_PAIRS);
    }
}
