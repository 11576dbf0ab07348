//! Replaces edges of subgraphs: edges of plans connect nodes only.

use std::collections::{HashMap, HashSet};

use super::diagram::{Arrow, Diagram};
use super::fault::{Fault, FaultKind, Notice, NoticeKind};

/// The maximum number of edges that replace those of subgraphs.
const MAX_EDGES: usize = 10_000;

/// Replaces each edge of a subgraph by edges from its last nodes or to its first ones. A name that
/// refers to a subgraph is then not a node.
pub(super) fn expand_subgraph_edges(
    diagram: Diagram,
) -> Result<(Diagram, Vec<Notice>), Vec<Fault>> {
    let groups = referenced_subgraphs(&diagram);
    if groups.is_empty() {
        return Ok((diagram, Vec::new()));
    }
    let (mut arrows, mut notices, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut reported = HashSet::new();
    for arrow in &diagram.arrows {
        match expanded_edges(arrow, &groups, arrows.len()) {
            Some(pairs) => arrows.extend(pairs.into_iter().map(|(from, to)| Arrow {
                from,
                to,
                ..arrow.clone()
            })),
            None => {
                let group = [arrow.from, arrow.to]
                    .into_iter()
                    .find(|end| groups.contains_key(end))
                    .unwrap_or(arrow.from);
                let group = diagram.nodes[group].id.clone();
                faults.push(Fault {
                    line: arrow.line,
                    kind: FaultKind::EdgeOfGroup { group },
                });
            }
        }
        for end in [arrow.from, arrow.to]
            .into_iter()
            .filter(|end| groups.contains_key(end) && reported.insert(*end))
        {
            let group = diagram.nodes[end].id.clone();
            notices.push(Notice {
                line: arrow.line,
                kind: NoticeKind::EdgeOfGroup { group },
            });
        }
    }
    if faults.is_empty() {
        Ok((without_subgraph_nodes(diagram, &groups, &arrows), notices))
    } else {
        Err(faults)
    }
}

/// The nodes of a subgraph to which its edges are moved.
struct SubgraphEnds {
    members: HashSet<usize>,
    first: Vec<usize>,
    last: Vec<usize>,
}

/// Nodes that stand for subgraphs: they have the name of one, no label, and are not in it
/// themselves.
fn referenced_subgraphs(diagram: &Diagram) -> HashMap<usize, SubgraphEnds> {
    let named = diagram
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.title.is_none());
    let found = named.filter_map(|(number, node)| Some((number, diagram.members.get(&node.id)?)));
    let found: HashMap<_, _> = found
        .filter(|(number, members)| !members.contains(number))
        .collect();
    let ends = |members: &Vec<usize>| {
        let members: HashSet<_> = members
            .iter()
            .copied()
            .filter(|node| !found.contains_key(node))
            .collect();
        let inside = diagram
            .arrows
            .iter()
            .filter(|arrow| members.contains(&arrow.from) && members.contains(&arrow.to));
        let (left, entered): (HashSet<_>, HashSet<_>) =
            inside.map(|arrow| (arrow.from, arrow.to)).unzip();
        let mut all: Vec<_> = members.iter().copied().collect();
        all.sort_unstable();
        let but = |others: &HashSet<usize>| {
            all.iter()
                .copied()
                .filter(|node| !others.contains(node))
                .collect()
        };
        SubgraphEnds {
            first: but(&entered),
            last: but(&left),
            members,
        }
    };
    found
        .iter()
        .map(|(&number, members)| (number, ends(members)))
        .collect()
}

/// The edges that replace one edge. `None` if it connects a subgraph with its own member, if a
/// subgraph is empty, or if there would be too many.
fn expanded_edges(
    arrow: &Arrow,
    groups: &HashMap<usize, SubgraphEnds>,
    so_far: usize,
) -> Option<Vec<(usize, usize)>> {
    let (from, to) = (groups.get(&arrow.from), groups.get(&arrow.to));
    let own = |group: Option<&SubgraphEnds>, node: usize| {
        group.is_some_and(|group| group.members.contains(&node))
    };
    let meets = from
        .zip(to)
        .is_some_and(|(from, to)| !from.members.is_disjoint(&to.members));
    if own(from, arrow.to) || own(to, arrow.from) || meets {
        return None;
    }
    let froms = from.map_or_else(|| vec![arrow.from], |group| group.last.clone());
    let tos = to.map_or_else(|| vec![arrow.to], |group| group.first.clone());
    let count = froms.len().saturating_mul(tos.len());
    let fits = (1..=MAX_EDGES).contains(&count) && (count == 1 || so_far + count <= MAX_EDGES);
    fits.then(|| {
        froms
            .iter()
            .flat_map(|&from| tos.iter().map(move |&to| (from, to)))
            .collect()
    })
}

fn without_subgraph_nodes(
    diagram: Diagram,
    groups: &HashMap<usize, SubgraphEnds>,
    arrows: &[Arrow],
) -> Diagram {
    let kept: Vec<_> = (0..diagram.nodes.len())
        .filter(|number| !groups.contains_key(number))
        .collect();
    let number_now: HashMap<_, _> = kept
        .iter()
        .enumerate()
        .map(|(now, &before)| (before, now))
        .collect();
    let numbers = |nodes: &[usize]| {
        nodes
            .iter()
            .filter_map(|node| number_now.get(node).copied())
            .collect::<Vec<_>>()
    };
    let arrows = arrows.iter().filter_map(|arrow| {
        let (from, to) = (*number_now.get(&arrow.from)?, *number_now.get(&arrow.to)?);
        Some(Arrow {
            from,
            to,
            ..arrow.clone()
        })
    });
    let arrows = arrows.collect();
    let mut subgraphs = diagram.groups;
    for group in &mut subgraphs {
        group.nodes = numbers(&group.nodes);
    }
    let nodes = diagram
        .nodes
        .into_iter()
        .enumerate()
        .filter(|(number, _)| !groups.contains_key(number));
    Diagram {
        nodes: nodes.map(|(_, node)| node).collect(),
        arrows,
        groups: subgraphs,
        ..diagram
    }
}
