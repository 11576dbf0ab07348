//! Builds a plan from a diagram.

use std::collections::HashSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use uuid::Uuid;

use super::diagram::{Arrow, Diagram, DiagramNode};
use super::fault::{Fault, FaultKind, Notice, NoticeKind};
use super::keyword::branch_label;
use baton_model::node::{AgentTask, ConditionTask, OnFailure};
use baton_model::plan::TITLE_LENGTH_LIMIT;
use baton_model::{Color, Group};
use baton_model::{Edge, Expression, GroupId, Node, NodeId, NodeKind, Plan, PlanId, Problem, Slug};

/// The plan of a diagram, and what was dropped.
pub(super) fn build_plan(
    diagram: &Diagram,
    title: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<(Plan, Vec<Notice>), Vec<Fault>> {
    refuse_cycle(diagram)?;
    let mut tries = [ConditionPolicy::All, ConditionPolicy::SelfContained]
        .into_iter()
        .map(|conditions| build_with(diagram, title, conditions, ids));
    let is_sound = |plan: &Plan| {
        let problems = plan.problems();
        let mut problems = problems.iter();
        problems.all(|problem| matches!(problem, Problem::UnconfirmedEdges { .. }))
    };
    let sound = tries.find(|(plan, _)| is_sound(plan));
    Ok(sound.unwrap_or_else(|| build_with(diagram, title, ConditionPolicy::None, ids)))
}

/// Which decisions become conditions and jumps. If a plan does not allow them where the diagram has
/// them, only the shape of the work is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConditionPolicy {
    All,
    /// Only those that refer to no other node.
    SelfContained,
    None,
}

fn build_with(
    diagram: &Diagram,
    title: &str,
    conditions: ConditionPolicy,
    ids: &mut dyn FnMut() -> Uuid,
) -> (Plan, Vec<Notice>) {
    let mut plan = Plan::new(PlanId(ids()), title);
    let mut notices = Vec::new();
    let mut slugs = HashSet::new();
    for diagram_node in &diagram.nodes {
        let slug = unique_slug(&diagram_node.id, &mut slugs);
        let node = node(diagram_node, conditions, slug, NodeId(ids()));
        if diagram_node.is_decision && !matches!(node.kind, NodeKind::Condition(_)) {
            notices.push(Notice {
                line: diagram_node.line,
                kind: NoticeKind::NoCondition {
                    title: node.title.clone(),
                },
            });
        }
        plan.nodes.push(node);
    }
    let mut known = HashSet::new();
    for arrow in &diagram.arrows {
        if conditions != ConditionPolicy::None && apply_as_branch(&mut plan, arrow) {
            continue;
        }
        let (parent, child) = (plan.nodes[arrow.from].id, plan.nodes[arrow.to].id);
        let inferred = is_inferred(arrow);
        if known.insert((parent, child)) {
            plan.edges.push(Edge {
                parent,
                child,
                soft: arrow.soft && !inferred,
                inferred,
            });
        }
        if !inferred {
            notices.extend(dropped_label_notice(arrow));
        }
    }
    for group in diagram
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
            color: Color::default(),
            nodes,
        });
    }
    (plan, notices)
}

fn is_inferred(arrow: &Arrow) -> bool {
    arrow.soft && arrow.label.as_deref() == Some(branch_label::INFERRED)
}

fn dropped_label_notice(arrow: &Arrow) -> Option<Notice> {
    let label = arrow.label.clone()?;
    Some(Notice {
        line: arrow.line,
        kind: NoticeKind::Label { label },
    })
}

fn node(diagram_node: &DiagramNode, conditions: ConditionPolicy, slug: Slug, id: NodeId) -> Node {
    let title = diagram_node
        .title
        .as_deref()
        .filter(|title| !title.is_empty())
        .unwrap_or(&diagram_node.id);
    let title: String = title
        .chars()
        .filter(|char| !char.is_control())
        .take(TITLE_LENGTH_LIMIT)
        .collect();
    // Only an expression makes a condition. A sentence with a question mark does not.
    let condition = diagram_node
        .condition
        .as_deref()
        .or(diagram_node.is_decision.then_some(title.as_str()));
    let may_stay =
        |parsed: Expression| conditions == ConditionPolicy::All || parsed.slugs().is_empty();
    let condition = condition.filter(|text| {
        conditions != ConditionPolicy::None && Expression::parse(text).is_ok_and(may_stay)
    });
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

fn unique_slug(id: &str, taken: &mut HashSet<Slug>) -> Slug {
    let slug = Slug::new(id).unwrap_or_else(|_| Slug::from_title(id));
    let numbered = (2..).map(|number| Slug::from_title(&format!("{} {number}", slug.as_str())));
    let free = std::iter::once(slug.clone())
        .chain(numbered)
        .find(|slug| !taken.contains(slug))
        .unwrap_or(slug);
    taken.insert(free.clone());
    free
}

/// Applies the arrow as a branch of a condition or as a jump, if its label says so and the branch
/// is free.
fn apply_as_branch(plan: &mut Plan, arrow: &Arrow) -> bool {
    let Some(label) = &arrow.label else {
        return false;
    };
    let child = plan.nodes[arrow.to].id;
    let node = &mut plan.nodes[arrow.from];
    let place = match (label.to_lowercase().as_str(), &mut node.kind) {
        (branch_label::TRUE | "yes", NodeKind::Condition(task)) => &mut task.true_step,
        (branch_label::FALSE | "no", NodeKind::Condition(task)) => &mut task.false_step,
        (branch_label::SUCCESS, _) => &mut node.on_success,
        (branch_label::FAILURE, _) => {
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

/// Reports the first edge that closes a cycle with those before it.
fn refuse_cycle(diagram: &Diagram) -> Result<(), Vec<Fault>> {
    let mut graph = DiGraph::<usize, ()>::new();
    let vertices: Vec<_> = (0..diagram.nodes.len())
        .map(|number| graph.add_node(number))
        .collect();
    for arrow in &diagram.arrows {
        graph.add_edge(vertices[arrow.from], vertices[arrow.to], ());
    }
    let rings = kosaraju_scc(&graph);
    let ring = rings
        .iter()
        .find(|ring| ring.len() > 1)
        .map(|ring| ring.iter().map(|at| graph[*at]).collect::<Vec<_>>());
    let itself = diagram.arrows.iter().find(|arrow| arrow.from == arrow.to);
    let (ring, line) = match (ring, itself) {
        (Some(mut ring), _) => {
            ring.sort_unstable();
            let inside = diagram
                .arrows
                .iter()
                .filter(|arrow| ring.contains(&arrow.from) && ring.contains(&arrow.to));
            let line = inside.map(|arrow| arrow.line).max().unwrap_or(1);
            (ring, line)
        }
        (None, Some(arrow)) => (vec![arrow.from], arrow.line),
        (None, None) => return Ok(()),
    };
    const MAX_NAMED_NODES: usize = 6;
    let mut names: Vec<_> = ring
        .iter()
        .take(MAX_NAMED_NODES)
        .map(|&at| diagram.nodes[at].id.as_str())
        .collect();
    if ring.len() > MAX_NAMED_NODES {
        names.push("…");
    }
    Err(vec![Fault {
        line,
        kind: FaultKind::Cycle {
            path: names.join(", "),
        },
    }])
}
