//! Edges, branches and jumps, drawn like on the canvas.

use super::svg_writer::{SANS, SvgWriter, number};
use super::text_metrics::TextStyle;
use crate::export::link::Link;
use crate::export::theme::{ACCENT, CANVAS, Color, FAINT, LINE};
use crate::export::view::View;
use crate::layout::{Area, Size};
use baton_model::Direction;
use baton_model::node::Position;

const EDGE: Color = Color::new("#a2a9b6", "#545c6a");
/// The length of arrow tips.
const ARROW_LENGTH: f64 = 8.0;

pub(super) fn draw(svg: &mut SvgWriter, link: &Link, (from, to): (Area, Area), view: &View) {
    let begin = edge_start(link, from, view.direction);
    let end = match view.direction {
        Direction::LeftRight => Position {
            x: to.at.x,
            y: to.at.y + to.size.height / 2.0,
        },
        Direction::TopDown => Position {
            x: to.at.x + to.size.width / 2.0,
            y: to.at.y,
        },
    };
    let is_on_path = matches!(view.states.get(&link.child), Some(&"running")) && !link.soft;
    let color = if is_on_path { ACCENT } else { EDGE }.hex(view.dark);
    let path = path(
        begin,
        end,
        view.direction,
        link.branch_label == Some("on failure"),
    );
    let dashes = match (link.inferred, link.soft) {
        (true, _) => "2 4",
        (false, true) => "5 4",
        (false, false) => "none",
    };
    let attributes = [
        ("fill", "none"),
        ("stroke", color),
        ("stroke-width", "1.5"),
        ("stroke-dasharray", dashes),
    ];
    svg.element("path", &[&[("d", &*path)], &attributes[..]].concat());
    let tip = match view.direction {
        Direction::LeftRight => format!("M{} {}l-8 -4v8z", number(end.x), number(end.y)),
        Direction::TopDown => format!("M{} {}l-4 -8h8z", number(end.x), number(end.y)),
    };
    svg.element("path", &[("d", &tip), ("fill", color)]);
    if let Some(branch_label) = link.branch_label {
        label(svg, branch_label, begin, view);
    }
}

/// The start of a link. Branches and jumps have their own outlets.
fn edge_start(link: &Link, from: Area, direction: Direction) -> Position {
    let Size { width, height } = from.size;
    let (x, y) = match (direction, link.branch_label) {
        (Direction::LeftRight, Some("true")) => (width, 20.0),
        (Direction::LeftRight, Some("false")) => (width, 44.0),
        (Direction::LeftRight, Some("on failure")) => (width / 2.0, height),
        (Direction::LeftRight, _) => (width, height / 2.0),
        (Direction::TopDown, Some("true")) => (width / 3.0, height),
        (Direction::TopDown, Some("false")) => (2.0 * width / 3.0, height),
        (Direction::TopDown, Some("on failure")) => (width, height / 2.0),
        (Direction::TopDown, _) => (width / 2.0, height),
    };
    Position {
        x: from.at.x + x,
        y: from.at.y + y,
    }
}

/// A curve that starts and ends in the direction of the flow. Failure jumps start across it.
fn path(begin: Position, end: Position, direction: Direction, across: bool) -> String {
    let out = |distance: f64| {
        if distance >= 0.0 {
            distance / 2.0
        } else {
            6.25 * (-distance).sqrt()
        }
    };
    let (along_x, along_y) = match direction {
        Direction::LeftRight => (out(end.x - ARROW_LENGTH - begin.x), 0.0),
        Direction::TopDown => (0.0, out(end.y - ARROW_LENGTH - begin.y)),
    };
    let first = match (across, direction) {
        (false, _) => (begin.x + along_x, begin.y + along_y),
        (true, Direction::LeftRight) => (begin.x, begin.y + out((end.y - begin.y).abs()).max(24.0)),
        (true, Direction::TopDown) => (begin.x + out((end.x - begin.x).abs()).max(24.0), begin.y),
    };
    let stop = match direction {
        Direction::LeftRight => (end.x - ARROW_LENGTH + 1.0, end.y),
        Direction::TopDown => (end.x, end.y - ARROW_LENGTH + 1.0),
    };
    let second = (stop.0 - along_x, stop.1 - along_y);
    let point = |(x, y): (f64, f64)| format!("{},{}", number(x), number(y));
    format!(
        "M{} C{} {} {}",
        point((begin.x, begin.y)),
        point(first),
        point(second),
        point(stop)
    )
}

/// The label of a branch or jump, near its start.
fn label(svg: &mut SvgWriter, branch_label: &str, begin: Position, view: &View) {
    let width = TextStyle {
        size: 11.0,
        mono: false,
    }
    .width(branch_label)
        + 12.0;
    let is_below = branch_label == "on failure" || view.direction == Direction::TopDown;
    let at = if is_below {
        Position {
            x: begin.x - width / 2.0,
            y: begin.y + 10.0,
        }
    } else {
        Position {
            x: begin.x + 10.0,
            y: begin.y - 8.0,
        }
    };
    let pill = Area {
        at,
        size: Size {
            width,
            height: 16.0,
        },
    };
    svg.rectangle(
        pill,
        8.0,
        &[
            ("fill", CANVAS.hex(view.dark)),
            ("stroke", LINE.hex(view.dark)),
        ],
    );
    let middle = Position {
        x: at.x + width / 2.0,
        y: at.y + 11.5,
    };
    let attributes = [
        ("font-size", "11"),
        ("font-family", SANS),
        ("fill", FAINT.hex(view.dark)),
        ("text-anchor", "middle"),
    ];
    svg.text(branch_label, middle, &attributes);
}
