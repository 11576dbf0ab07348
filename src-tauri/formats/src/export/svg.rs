//! Export of a plan as an SVG image of the canvas, without scripts or external resources.

mod edge;
mod group_frame;
mod icon;
mod node_card;
mod svg_writer;
mod text_metrics;

use std::collections::HashMap;

use super::link::links;
use super::theme::CANVAS;
use super::view::{View, visible_nodes};
use crate::layout::{self, Area, Size};
use baton_model::node::Position;
use baton_model::{Node, NodeId, NodeKind, Plan};
use svg_writer::SvgWriter;

/// The margin around the graph.
const MARGIN: f64 = 32.0;

/// `plan` as SVG. Nodes without a position get the one that the canvas would choose.
pub(super) fn write(plan: &Plan, view: &View) -> String {
    let areas = areas(plan, view);
    let frames = group_frame::frames(plan, &areas);
    let all = areas
        .values()
        .copied()
        .chain(frames.iter().map(|frame| frame.area));
    let around = Area::bounding(all).unwrap_or(Area {
        at: Position { x: 0.0, y: 0.0 },
        size: Size::CARD,
    });
    let mut svg = SvgWriter::new(
        &super::node_summary::one_line(&plan.title),
        with_margin(around),
    );
    svg.rectangle(with_margin(around), 0.0, &[("fill", CANVAS.hex(view.dark))]);
    for frame in &frames {
        group_frame::draw(&mut svg, frame, view);
    }
    for link in links(plan, view) {
        if let (Some(from), Some(to)) = (areas.get(&link.parent), areas.get(&link.child)) {
            edge::draw(&mut svg, &link, (*from, *to), view);
        }
    }
    for node in visible_nodes(plan, view) {
        let Some(area) = areas.get(&node.id) else {
            continue;
        };
        match &node.kind {
            NodeKind::Note(note) => node_card::draw_note(&mut svg, node, &note.text, *area, view),
            _ => node_card::draw(&mut svg, node, *area, view),
        }
    }
    svg.finish()
}

/// The positions of all nodes that `view` includes.
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
                size: Size::for_node(node),
            },
        ))
    };
    visible_nodes(plan, view).filter_map(area).collect()
}

fn with_margin(area: Area) -> Area {
    let size = Size {
        width: area.size.width + 2.0 * MARGIN,
        height: area.size.height + 2.0 * MARGIN,
    };
    Area {
        size,
        ..area.translated(-MARGIN, -MARGIN)
    }
}
