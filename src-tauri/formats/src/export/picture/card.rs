//! Nodes and notes, as the canvas draws them.

use super::icon;
use super::measure::{Setting, is_right_to_left};
use super::tag::{Drawing, MONO, SANS};
use crate::export::look::{ACCENT, Color, FAINT, LINE, LINE_STRONG, MUTED, SURFACE, TEXT};
use crate::export::{Look, View, title, words};
use crate::layout::{Area, Size};
use baton_model::node::Position;
use baton_model::{Node, NodeKind};

const TITLE: Setting = Setting {
    size: 13.0,
    mono: false,
};
const RADIUS: f64 = 10.0;
/// Where texts begin, behind the sign of the kind.
const TEXT_LEFT: f64 = 48.0;
const PAPER: Color = Color::new("#fdf9e8", "#24211a");
const PAPER_EDGE: Color = Color::new("#e6d9a8", "#4a4226");

pub(super) fn draw(drawing: &mut Drawing, node: &Node, area: Area, view: &View) {
    let look = view.look(node.id);
    let title = title(node);
    let name = if node.disabled {
        format!("{title}, disabled")
    } else {
        title.clone()
    };
    drawing.open_group(
        &look.map_or(name.clone(), |look| format!("{name}, {}", look.word)),
        area.at,
    );
    let card = Area {
        at: Position { x: 0.0, y: 0.0 },
        size: area.size,
    };
    let line = [
        ("stroke", LINE_STRONG.hex(view.dark)),
        ("stroke-opacity", "0.4"),
    ];
    let dashed: &[_] = if node.disabled {
        &[("stroke-dasharray", "4 3")]
    } else {
        &[]
    };
    drawing.rectangle(
        card,
        RADIUS,
        &[&[("fill", SURFACE.hex(view.dark))], &line[..], dashed].concat(),
    );
    draw_state(drawing, look, area.size, view);
    draw_icon(drawing, node, area.size, view);
    let room = area.size.width - TEXT_LEFT - if look.is_some() { 34.0 } else { 12.0 };
    let lines = TITLE.two_lines(&title, room);
    let work = words::work(node);
    let height = 16.0 * lines.len() as f64 + if work.is_empty() { 0.0 } else { 15.0 };
    let mut base = (area.size.height - height) / 2.0 + 12.5;
    let struck: &[_] = if node.disabled {
        &[("text-decoration", "line-through")]
    } else {
        &[]
    };
    let titled = [
        ("font-size", "13"),
        ("font-weight", "500"),
        ("font-family", SANS),
        ("fill", TEXT.hex(view.dark)),
    ];
    for line in &lines {
        put(
            drawing,
            line,
            (TEXT_LEFT, base, room),
            &[&titled[..], struck].concat(),
        );
        base += 16.0;
    }
    let setting = Setting {
        size: 11.0,
        mono: words::is_code(node),
    };
    let font = if setting.mono { MONO } else { SANS };
    if !work.is_empty() {
        let work = setting.cut(&work, room);
        put(
            drawing,
            &work,
            (TEXT_LEFT, base - 0.5, room),
            &[
                ("font-size", "11"),
                ("font-family", font),
                ("fill", FAINT.hex(view.dark)),
            ],
        );
    }
    drawing.close_group();
}

/// The edge at the left, and the mark at the right whose shape tells the state without its color.
fn draw_state(drawing: &mut Drawing, look: Option<&Look>, size: Size, view: &View) {
    let edge = Area {
        at: Position { x: 4.0, y: 6.0 },
        size: Size {
            width: 3.0,
            height: size.height - 12.0,
        },
    };
    let colour = look.map_or(LINE, |look| look.hue).hex(view.dark);
    drawing.rectangle(edge, 1.5, &[("fill", colour)]);
    if let Some(look) = look {
        let place = format!(
            "translate({} {})",
            size.width - 28.0,
            (size.height - 16.0) / 2.0
        );
        stroke(drawing, look.mark, &place, "1.7", colour);
    }
}

fn draw_icon(drawing: &mut Drawing, node: &Node, size: Size, view: &View) {
    let by_agent = matches!(
        node.kind,
        NodeKind::Agent(_) | NodeKind::LlmDecision(_) | NodeKind::Planning(_)
    );
    let top = (size.height - 28.0) / 2.0;
    let tile = Area {
        at: Position { x: 13.0, y: top },
        size: Size {
            width: 28.0,
            height: 28.0,
        },
    };
    if by_agent {
        drawing.rectangle(
            tile,
            6.0,
            &[("fill", ACCENT.hex(view.dark)), ("fill-opacity", "0.12")],
        );
    } else {
        drawing.rectangle(
            tile,
            6.0,
            &[("fill", "none"), ("stroke", LINE.hex(view.dark))],
        );
    }
    let colour = if by_agent { ACCENT } else { MUTED };
    let place = format!("translate(19 {}) scale(0.6667)", top + 6.0);
    stroke(
        drawing,
        icon::of(&node.kind),
        &place,
        "1.75",
        colour.hex(view.dark),
    );
}

fn stroke(drawing: &mut Drawing, path: &str, place: &str, width: &str, colour: &str) {
    let round = [("stroke-linecap", "round"), ("stroke-linejoin", "round")];
    let look = [
        ("d", path),
        ("transform", place),
        ("fill", "none"),
        ("stroke", colour),
        ("stroke-width", width),
    ];
    drawing.element("path", &[&look[..], &round[..]].concat());
}

/// A note with as much of its text as there is room for; its Markdown stays what was written.
pub(super) fn draw_note(drawing: &mut Drawing, node: &Node, text: &str, area: Area, view: &View) {
    const LINE_HEIGHT: f64 = 17.0;
    drawing.open_group(&title(node), area.at);
    let paper = Area {
        at: Position { x: 0.0, y: 0.0 },
        size: area.size,
    };
    drawing.rectangle(
        paper,
        6.0,
        &[
            ("fill", PAPER.hex(view.dark)),
            ("stroke", PAPER_EDGE.hex(view.dark)),
        ],
    );
    let room = area.size.width - 20.0;
    let setting = Setting {
        size: 12.0,
        mono: false,
    };
    let colors = [TEXT.hex(view.dark), MUTED.hex(view.dark)];
    let lines = std::iter::once(title(node)).chain(text.lines().map(words::one_line));
    let fitting = ((area.size.height - 12.0) / LINE_HEIGHT).floor() as usize;
    for (at, line) in lines
        .filter(|line| !line.is_empty())
        .take(fitting)
        .enumerate()
    {
        let weight = if at == 0 { "500" } else { "400" };
        let base = 20.0 + LINE_HEIGHT * at as f64;
        let look = [
            ("font-size", "12"),
            ("font-weight", weight),
            ("font-family", SANS),
            ("fill", colors[at.min(1)]),
        ];
        put(
            drawing,
            &setting.cut(&line, room),
            (10.0, base, room),
            &look,
        );
    }
    drawing.close_group();
}

/// A line of text from `left`, or from the end of its room where it is read from there.
pub(super) fn put(
    drawing: &mut Drawing,
    line: &str,
    (left, base, room): (f64, f64, f64),
    look: &[(&str, &str)],
) {
    if is_right_to_left(line) {
        let at = Position {
            x: left + room,
            y: base,
        };
        drawing.text(line, at, &[look, &[("direction", "rtl")][..]].concat());
    } else {
        drawing.text(line, Position { x: left, y: base }, look);
    }
}
