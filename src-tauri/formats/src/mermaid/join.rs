//! From a drawing to a plan.

use std::collections::HashSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use uuid::Uuid;

use super::fault::{Fault, FaultKind, Notice, NoticeKind};
use super::read::{Arrow, Drawing, Drawn};
use super::way;
use baton_model::group::{Color, Group};
use baton_model::node::{AgentTask, ConditionTask, OnFailure};
use baton_model::plan::TITLE_LENGTH_LIMIT;
use baton_model::{Edge, Expression, GroupId, Node, NodeId, NodeKind, Plan, PlanId, Slug};

/// The plan of a drawing, with what was left out of it.
pub(super) fn plan(
    drawing: &Drawing,
    title: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<(Plan, Vec<Notice>), Vec<Fault>> {
    refuse_cycle(drawing)?;
    let mut tries = [Kept::All, Kept::Alone]
        .into_iter()
        .map(|kept| joined(drawing, title, kept, ids));
    let sound = tries.find(|(plan, _)| plan.problems().is_empty());
    Ok(sound.unwrap_or_else(|| joined(drawing, title, Kept::None, ids)))
}

/// What of conditions and jumps is kept: some may not stand where the drawing has them, and then the shape of the work alone is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    All,
    /// Those alone that speak of no other node.
    Alone,
    None,
}

fn joined(
    drawing: &Drawing,
    title: &str,
    kept: Kept,
    ids: &mut dyn FnMut() -> Uuid,
) -> (Plan, Vec<Notice>) {
    let mut plan = Plan::new(PlanId(ids()), title);
    let mut notices = Vec::new();
    let mut slugs = HashSet::new();
    for drawn in &drawing.nodes {
        let slug = free_slug(&drawn.id, &mut slugs);
        let node = node(drawn, kept, slug, NodeId(ids()));
        if drawn.asks && !matches!(node.kind, NodeKind::Condition(_)) {
            notices.push(Notice {
                line: drawn.line,
                kind: NoticeKind::NoCondition {
                    title: node.title.clone(),
                },
            });
        }
        plan.nodes.push(node);
    }
    let mut known = HashSet::new();
    for arrow in &drawing.arrows {
        if kept != Kept::None && becomes_way(&mut plan, arrow) {
            continue;
        }
        let (parent, child) = (plan.nodes[arrow.from].id, plan.nodes[arrow.to].id);
        if known.insert((parent, child)) {
            plan.edges.push(Edge {
                parent,
                child,
                soft: arrow.soft,
            });
        }
        notices.extend(left_out(arrow));
    }
    for group in drawing
        .groups
        .iter()
        .filter(|group| !group.nodes.is_empty())
    {
        let nodes = group.nodes.iter().map(|&at| plan.nodes[at].id).collect();
        let title = if group.title.is_empty() {
            group.id.clone()
        } else {
            group.title.clone()
        };
        plan.groups.push(Group {
            id: GroupId(ids()),
            title,
            colour: Color::default(),
            nodes,
        });
    }
    (plan, notices)
}

fn left_out(arrow: &Arrow) -> Option<Notice> {
    let label = arrow.label.clone()?;
    Some(Notice {
        line: arrow.line,
        kind: NoticeKind::Label { label },
    })
}

fn node(drawn: &Drawn, kept: Kept, slug: Slug, id: NodeId) -> Node {
    let title = drawn
        .title
        .as_deref()
        .filter(|title| !title.is_empty())
        .unwrap_or(&drawn.id);
    let title: String = title
        .chars()
        .filter(|char| !char.is_control())
        .take(TITLE_LENGTH_LIMIT)
        .collect();
    // An expression is wanted where somebody wrote one; a sentence that ends in a question mark is none.
    let condition = drawn
        .condition
        .as_deref()
        .or(drawn.asks.then_some(title.as_str()));
    let may_stay = |parsed: Expression| kept == Kept::All || parsed.slugs().is_empty();
    let condition =
        condition.filter(|text| kept != Kept::None && Expression::parse(text).is_ok_and(may_stay));
    let kind = match condition {
        Some(condition) => NodeKind::Condition(ConditionTask {
            condition: condition.to_owned(),
            ..ConditionTask::default()
        }),
        None => NodeKind::Agent(AgentTask {
            prompt: title.clone(),
            ..AgentTask::default()
        }),
    };
    Node::new(id, slug, title, kind)
}

fn free_slug(id: &str, taken: &mut HashSet<Slug>) -> Slug {
    let slug = Slug::new(id).unwrap_or_else(|_| Slug::from_title(id));
    let numbered = (2..).map(|number| Slug::from_title(&format!("{} {number}", slug.as_str())));
    let free = std::iter::once(slug.clone())
        .chain(numbered)
        .find(|slug| !taken.contains(slug))
        .unwrap_or(slug);
    taken.insert(free.clone());
    free
}

/// Takes the arrow for a branch of a condition or a jump, if its label says so and the place is free.
fn becomes_way(plan: &mut Plan, arrow: &Arrow) -> bool {
    let Some(label) = &arrow.label else {
        return false;
    };
    let child = plan.nodes[arrow.to].id;
    let node = &mut plan.nodes[arrow.from];
    let place = match (label.to_lowercase().as_str(), &mut node.kind) {
        (way::TRUE | "yes", NodeKind::Condition(task)) => &mut task.true_step,
        (way::FALSE | "no", NodeKind::Condition(task)) => &mut task.false_step,
        (way::SUCCESS, _) => &mut node.on_success,
        (way::FAILURE, _) => {
            let is_free = node.on_failure == OnFailure::default();
            if is_free {
                node.on_failure = OnFailure::Node(child);
            }
            return is_free;
        }
        _ => return false,
    };
    let is_free = place.is_none();
    place.get_or_insert(child);
    is_free
}

/// Names the first edge that stands in a ring with all before it.
fn refuse_cycle(drawing: &Drawing) -> Result<(), Vec<Fault>> {
    let mut graph = DiGraph::<usize, ()>::new();
    let vertices: Vec<_> = (0..drawing.nodes.len())
        .map(|number| graph.add_node(number))
        .collect();
    for arrow in &drawing.arrows {
        graph.add_edge(vertices[arrow.from], vertices[arrow.to], ());
    }
    let rings = kosaraju_scc(&graph);
    let ring = rings
        .iter()
        .find(|ring| ring.len() > 1)
        .map(|ring| ring.iter().map(|at| graph[*at]).collect::<Vec<_>>());
    let itself = drawing.arrows.iter().find(|arrow| arrow.from == arrow.to);
    let (ring, line) = match (ring, itself) {
        (Some(mut ring), _) => {
            ring.sort_unstable();
            let inside = drawing
                .arrows
                .iter()
                .filter(|arrow| ring.contains(&arrow.from) && ring.contains(&arrow.to));
            let line = inside.map(|arrow| arrow.line).max().unwrap_or(1);
            (ring, line)
        }
        (None, Some(arrow)) => (vec![arrow.from], arrow.line),
        (None, None) => return Ok(()),
    };
    const NAMED: usize = 6;
    let mut names: Vec<_> = ring
        .iter()
        .take(NAMED)
        .map(|&at| drawing.nodes[at].id.as_str())
        .collect();
    if ring.len() > NAMED {
        names.push("…");
    }
    Err(vec![Fault {
        line,
        kind: FaultKind::Cycle {
            path: names.join(", "),
        },
    }])
}
