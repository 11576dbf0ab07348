//! Edges of subgraphs, as a plan can have them: its edges lead from node to node.

use std::collections::{HashMap, HashSet};

use super::fault::{Fault, FaultKind, Notice, NoticeKind};
use super::read::{Arrow, Drawing};

/// The most edges that those of subgraphs become.
const MOST_EDGES: usize = 10_000;

/// The drawing with each edge of a subgraph in place as edges from its last nodes or to its first ones. A name that
/// speaks of a subgraph is no node then.
pub(super) fn unfolded(drawing: Drawing) -> Result<(Drawing, Vec<Notice>), Vec<Fault>> {
    let groups = spoken_of(&drawing);
    if groups.is_empty() {
        return Ok((drawing, Vec::new()));
    }
    let (mut arrows, mut notices, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut told = HashSet::new();
    for arrow in &drawing.arrows {
        match between(arrow, &groups, arrows.len()) {
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
                let group = drawing.nodes[group].id.clone();
                faults.push(Fault {
                    line: arrow.line,
                    kind: FaultKind::EdgeOfGroup { group },
                });
            }
        }
        for end in [arrow.from, arrow.to]
            .into_iter()
            .filter(|end| groups.contains_key(end) && told.insert(*end))
        {
            let group = drawing.nodes[end].id.clone();
            notices.push(Notice {
                line: arrow.line,
                kind: NoticeKind::EdgeOfGroup { group },
            });
        }
    }
    if faults.is_empty() {
        Ok((without(drawing, &groups, &arrows), notices))
    } else {
        Err(faults)
    }
}

/// What an edge of a subgraph is about.
struct Ends {
    members: HashSet<usize>,
    first: Vec<usize>,
    last: Vec<usize>,
}

/// The nodes that are no nodes: a subgraph has their name, they have no label, and they do not stand in it themselves.
fn spoken_of(drawing: &Drawing) -> HashMap<usize, Ends> {
    let named = drawing
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.title.is_none());
    let found = named.filter_map(|(number, node)| Some((number, drawing.members.get(&node.id)?)));
    let found: HashMap<_, _> = found
        .filter(|(number, members)| !members.contains(number))
        .collect();
    let ends = |members: &Vec<usize>| {
        let members: HashSet<_> = members
            .iter()
            .copied()
            .filter(|node| !found.contains_key(node))
            .collect();
        let inside = drawing
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
        Ends {
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

/// The edges that an edge becomes; nothing when it leads into its own subgraph, from an empty one, or they are too many.
fn between(
    arrow: &Arrow,
    groups: &HashMap<usize, Ends>,
    so_far: usize,
) -> Option<Vec<(usize, usize)>> {
    let (from, to) = (groups.get(&arrow.from), groups.get(&arrow.to));
    let own = |group: Option<&Ends>, node: usize| {
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
    let fits = (1..=MOST_EDGES).contains(&count) && (count == 1 || so_far + count <= MOST_EDGES);
    fits.then(|| {
        froms
            .iter()
            .flat_map(|&from| tos.iter().map(move |&to| (from, to)))
            .collect()
    })
}

fn without(drawing: Drawing, groups: &HashMap<usize, Ends>, arrows: &[Arrow]) -> Drawing {
    let kept: Vec<_> = (0..drawing.nodes.len())
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
    let mut subgraphs = drawing.groups;
    for group in &mut subgraphs {
        group.nodes = numbers(&group.nodes);
    }
    let nodes = drawing
        .nodes
        .into_iter()
        .enumerate()
        .filter(|(number, _)| !groups.contains_key(number));
    Drawing {
        nodes: nodes.map(|(_, node)| node).collect(),
        arrows,
        groups: subgraphs,
        ..drawing
    }
}
