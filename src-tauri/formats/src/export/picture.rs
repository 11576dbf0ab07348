//! A plan as a picture: what the canvas draws, as vectors, without anything that runs or is fetched.

mod card;
mod curve;
mod frame;
mod icon;
mod measure;
mod tag;

use std::collections::HashMap;

use super::look::CANVAS;
use super::{View, links, shown};
use crate::layout::{self, Area, Size};
use baton_model::node::Position;
use baton_model::{Node, NodeId, NodeKind, Plan};
use tag::Drawing;

/// What stays free around the graph.
const MARGIN: f64 = 32.0;

/// `plan` as SVG. Nodes without a place stand where the canvas would put them.
pub(super) fn write(plan: &Plan, view: &View) -> String {
    let areas = areas(plan, view);
    let frames = frame::frames(plan, &areas);
    let all = areas
        .values()
        .copied()
        .chain(frames.iter().map(|frame| frame.area));
    let around = Area::around(all).unwrap_or(Area {
        at: Position { x: 0.0, y: 0.0 },
        size: Size::CARD,
    });
    let mut drawing = Drawing::begin(&super::words::one_line(&plan.title), grown(around));
    drawing.rectangle(grown(around), 0.0, &[("fill", CANVAS.hex(view.dark))]);
    for frame in &frames {
        frame::draw(&mut drawing, frame, view);
    }
    for link in links(plan, view) {
        if let (Some(from), Some(to)) = (areas.get(&link.parent), areas.get(&link.child)) {
            curve::draw(&mut drawing, &link, (*from, *to), view);
        }
    }
    for node in shown(plan, view) {
        let Some(area) = areas.get(&node.id) else {
            continue;
        };
        match &node.kind {
            NodeKind::Note(note) => card::draw_note(&mut drawing, node, &note.text, *area, view),
            _ => card::draw(&mut drawing, node, *area, view),
        }
    }
    drawing.end()
}

/// Where everything that `view` shows stands.
fn areas(plan: &Plan, view: &View) -> HashMap<NodeId, Area> {
    let found: HashMap<NodeId, Position> = layout::place_missing(plan, view.direction)
        .into_iter()
        .collect();
    let area = |node: &Node| {
        let at = found.get(&node.id).copied().or(node.position)?;
        Some((
            node.id,
            Area {
                at,
                size: Size::of(node),
            },
        ))
    };
    shown(plan, view).filter_map(area).collect()
}

fn grown(area: Area) -> Area {
    let size = Size {
        width: area.size.width + 2.0 * MARGIN,
        height: area.size.height + 2.0 * MARGIN,
    };
    Area {
        size,
        ..area.moved(-MARGIN, -MARGIN)
    }
}
