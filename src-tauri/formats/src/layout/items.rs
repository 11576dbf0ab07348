//! Items that are placed as one: a node, or a cluster with everything in its frame.

use std::collections::HashMap;

use super::area::{Area, Size};
use super::canvas::{snap_up_to_grid, valid_position};
use super::dimensions::{FRAME_HEAD, FRAME_MARGIN};
use super::graph::LayoutGraph;
use super::layers;
use super::layout_options::LayoutOptions;
use baton_model::Direction;
use baton_model::node::Position;
use baton_model::{NodeId, Plan};

/// An item to be placed.
#[derive(Debug)]
pub(super) struct Item {
    /// Indexes of nodes in the plan, each with its offset from the item's corner.
    pub(super) members: Vec<(usize, Position)>,
    pub(super) size: Size,
    /// The position of an item that stays; `None` if it may be moved.
    pub(super) fixed: Option<Position>,
}

/// The items in the order of the plan, and their links.
#[derive(Debug)]
pub(super) struct Items {
    pub(super) list: Vec<Item>,
    pub(super) links: LayoutGraph,
    /// The frames of clusters that stay. Nothing may be placed inside.
    pub(super) frames: Vec<Area>,
}

impl Items {
    /// The items for `options`, including those that stay, because edges lead there too.
    pub(super) fn from_plan(plan: &Plan, options: &LayoutOptions) -> Self {
        let links = LayoutGraph::from_plan(plan);
        let numbers: HashMap<NodeId, usize> = plan
            .nodes
            .iter()
            .zip(0..)
            .map(|(node, at)| (node.id, at))
            .collect();
        let is_wanted = |at: usize| {
            options
                .only
                .as_ref()
                .is_none_or(|only| only.contains(&plan.nodes[at].id))
        };
        let mut item_of: Vec<Option<usize>> = vec![None; plan.nodes.len()];
        let (mut list, mut frames, mut stays) =
            (Vec::new(), Vec::new(), vec![false; plan.nodes.len()]);
        for cluster in &options.clusters {
            let all = cluster
                .nodes
                .iter()
                .filter_map(|id| numbers.get(id).copied());
            let all: Vec<_> = all
                .filter(|&at| item_of[at].is_none() && !stays[at])
                .collect();
            let is_pinned = |&at: &usize| pinned_place(plan, options, at).is_some();
            if all.iter().any(is_pinned) || !all.iter().any(|&at| is_wanted(at)) {
                frames.extend(frame(plan, &all));
                all.iter().for_each(|&at| stays[at] = true);
                continue;
            }
            let members: Vec<_> = all.into_iter().filter(|&at| is_wanted(at)).collect();
            members
                .iter()
                .for_each(|&at| item_of[at] = Some(list.len()));
            list.push(cluster_item(
                plan,
                &links,
                members,
                cluster.collapsed,
                options.direction,
            ));
        }
        for (at, node) in plan.nodes.iter().enumerate() {
            if item_of[at].is_some() || !is_wanted(at) || !node.is_executable() {
                continue;
            }
            let stays = if stays[at] {
                valid_position(node.position)
            } else {
                pinned_place(plan, options, at)
            };
            item_of[at] = Some(list.len());
            let members = vec![(at, Position { x: 0.0, y: 0.0 })];
            list.push(Item {
                members,
                size: Size::for_node(node),
                fixed: stays,
            });
        }
        let (list, item_of) = in_plan_order(list, item_of);
        let drawn = links
            .edges()
            .filter_map(|(parent, child)| Some((item_of[parent]?, item_of[child]?)));
        let links = LayoutGraph::from_edges(vec![true; list.len()], drawn);
        Self {
            list,
            links,
            frames,
        }
    }

    pub(super) fn sizes(&self) -> Vec<Size> {
        self.list.iter().map(|item| item.size).collect()
    }
}

/// Sorts by the first node in the plan: the order of the clusters themselves has no meaning.
fn in_plan_order(
    list: Vec<Item>,
    mut item_of: Vec<Option<usize>>,
) -> (Vec<Item>, Vec<Option<usize>>) {
    let mut sorted: Vec<_> = list.into_iter().enumerate().collect();
    sorted.sort_by_key(|(_, item)| item.members.iter().map(|&(at, _)| at).min());
    let new_numbers: HashMap<usize, usize> = sorted
        .iter()
        .zip(0..)
        .map(|((old, _), new)| (*old, new))
        .collect();
    for item in item_of.iter_mut().flatten() {
        *item = new_numbers.get(item).copied().unwrap_or(*item);
    }
    (sorted.into_iter().map(|(_, item)| item).collect(), item_of)
}

fn pinned_place(plan: &Plan, options: &LayoutOptions, at: usize) -> Option<Position> {
    let node = &plan.nodes[at];
    valid_position(node.position).filter(|_| options.pinned.contains(&node.id))
}

/// The frame around nodes with positions.
fn frame(plan: &Plan, nodes: &[usize]) -> Option<Area> {
    let nodes = nodes.iter().map(|&at| &plan.nodes[at]);
    frame_around(nodes.filter_map(|node| {
        Some(Area {
            at: valid_position(node.position)?,
            size: Size::for_node(node),
        })
    }))
}

/// The frame around `areas`, with its margin and head; `None` without any.
pub(crate) fn frame_around(areas: impl IntoIterator<Item = Area>) -> Option<Area> {
    let around = Area::bounding(areas)?;
    let width = around.size.width + 2.0 * FRAME_MARGIN;
    let height = around.size.height + 2.0 * FRAME_MARGIN + FRAME_HEAD;
    Some(Area {
        size: Size { width, height },
        ..around.translated(-FRAME_MARGIN, -FRAME_MARGIN - FRAME_HEAD)
    })
}

fn cluster_item(
    plan: &Plan,
    links: &LayoutGraph,
    members: Vec<usize>,
    collapsed: bool,
    direction: Direction,
) -> Item {
    let local: HashMap<usize, usize> = members.iter().copied().zip(0..).collect();
    let children = |&at: &usize| links.children(at).iter().map(move |child| (at, *child));
    let drawn = members.iter().flat_map(children);
    let inner =
        drawn.filter_map(|(parent, child)| Some((*local.get(&parent)?, *local.get(&child)?)));
    let inner = LayoutGraph::from_edges(vec![true; members.len()], inner);
    let sizes: Vec<_> = members
        .iter()
        .map(|&at| Size::for_node(&plan.nodes[at]))
        .collect();
    let places = all_places(&inner, &sizes, direction);
    let placed: Vec<_> = members
        .iter()
        .zip(sizes)
        .zip(places)
        .filter_map(|(one, place)| Some((one, place?)))
        .collect();
    let around = Area::bounding(placed.iter().map(|&((_, size), at)| Area { at, size }));
    let around = around.unwrap_or(Area {
        at: Position { x: 0.0, y: 0.0 },
        size: Size::CARD,
    });
    // The card of a collapsed cluster is where its first member would be, not where its frame would
    // be.
    let (left, top) = if collapsed {
        (0.0, 0.0)
    } else {
        (FRAME_MARGIN, FRAME_MARGIN + FRAME_HEAD)
    };
    let (dx, dy) = (left - around.at.x, top - around.at.y);
    let from_corner = |place: Position| Position {
        x: place.x + dx,
        y: place.y + dy,
    };
    let members = placed
        .into_iter()
        .map(|((at, _), place)| (*at, from_corner(place)))
        .collect();
    let open = Size {
        width: snap_up_to_grid(around.size.width + 2.0 * FRAME_MARGIN),
        height: snap_up_to_grid(around.size.height + 2.0 * FRAME_MARGIN + FRAME_HEAD),
    };
    Item {
        members,
        size: if collapsed { Size::CARD } else { open },
        fixed: None,
    }
}

/// Positions for all included vertices: layers, then vertices without links in a grid across the
/// flow.
pub(super) fn all_places(
    links: &LayoutGraph,
    sizes: &[Size],
    direction: Direction,
) -> Vec<Option<Position>> {
    let mut places = layers::place(links, sizes, direction);
    let isolated: Vec<_> = links
        .vertices()
        .filter(|&vertex| links.is_isolated(vertex))
        .collect();
    super::grid::place(&isolated, sizes, direction, &mut places);
    places
}
