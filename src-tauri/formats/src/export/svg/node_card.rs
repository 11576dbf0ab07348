//! Nodes and notes, drawn like on the canvas.

use super::icon;
use super::svg_writer::{MONO, SANS, SvgWriter};
use super::text_metrics::{TextStyle, is_right_to_left};
use crate::export::node_summary;
use crate::export::theme::{
    ACCENT, Color, FAINT, LINE, LINE_STRONG, MUTED, SURFACE, StateStyle, TEXT,
};
use crate::export::view::{View, node_title};
use crate::layout::{Area, Size};
use baton_model::node::Position;
use baton_model::{Node, NodeKind};

const TITLE: TextStyle = TextStyle {
    size: 13.0,
    mono: false,
};
const RADIUS: f64 = 10.0;
/// The left edge of texts, after the icon.
const TEXT_LEFT: f64 = 48.0;
const NOTE_FILL: Color = Color::new("#fdf9e8", "#24211a");
const NOTE_STROKE: Color = Color::new("#e6d9a8", "#4a4226");

pub(super) fn draw(svg: &mut SvgWriter, node: &Node, area: Area, view: &View) {
    let state_style = view.state_style(node.id);
    let title = node_title(node);
    let name = if node.disabled {
        format!("{title}, disabled")
    } else {
        title.clone()
    };
    svg.open_group(
        &state_style.map_or(name.clone(), |state_style| {
            format!("{name}, {}", state_style.state)
        }),
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
    svg.rectangle(
        card,
        RADIUS,
        &[&[("fill", SURFACE.hex(view.dark))], &line[..], dashed].concat(),
    );
    draw_state(svg, state_style, area.size, view);
    draw_icon(svg, node, area.size, view);
    let room = area.size.width - TEXT_LEFT - if state_style.is_some() { 34.0 } else { 12.0 };
    let lines = TITLE.wrap_to_two_lines(&title, room);
    let work = node_summary::summarize(node);
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
        draw_text(
            svg,
            line,
            (TEXT_LEFT, base, room),
            &[&titled[..], struck].concat(),
        );
        base += 16.0;
    }
    let text_style = TextStyle {
        size: 11.0,
        mono: node_summary::is_code(node),
    };
    let font = if text_style.mono { MONO } else { SANS };
    if !work.is_empty() {
        let work = text_style.truncate(&work, room);
        draw_text(
            svg,
            &work,
            (TEXT_LEFT, base - 0.5, room),
            &[
                ("font-size", "11"),
                ("font-family", font),
                ("fill", FAINT.hex(view.dark)),
            ],
        );
    }
    svg.close_group();
}

/// The colored edge at the left, and the mark at the right, whose shape shows the state without its
/// color.
fn draw_state(svg: &mut SvgWriter, state_style: Option<&StateStyle>, size: Size, view: &View) {
    let edge = Area {
        at: Position { x: 4.0, y: 6.0 },
        size: Size {
            width: 3.0,
            height: size.height - 12.0,
        },
    };
    let color = state_style
        .map_or(LINE, |state_style| state_style.hue)
        .hex(view.dark);
    svg.rectangle(edge, 1.5, &[("fill", color)]);
    if let Some(state_style) = state_style {
        let place = format!(
            "translate({} {})",
            size.width - 28.0,
            (size.height - 16.0) / 2.0
        );
        stroke(svg, state_style.mark, &place, "1.7", color);
    }
}

fn draw_icon(svg: &mut SvgWriter, node: &Node, size: Size, view: &View) {
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
        svg.rectangle(
            tile,
            6.0,
            &[("fill", ACCENT.hex(view.dark)), ("fill-opacity", "0.12")],
        );
    } else {
        svg.rectangle(
            tile,
            6.0,
            &[("fill", "none"), ("stroke", LINE.hex(view.dark))],
        );
    }
    let color = if by_agent { ACCENT } else { MUTED };
    let place = format!("translate(19 {}) scale(0.6667)", top + 6.0);
    stroke(
        svg,
        icon::path_for(&node.kind),
        &place,
        "1.75",
        color.hex(view.dark),
    );
}

fn stroke(svg: &mut SvgWriter, path: &str, place: &str, width: &str, color: &str) {
    let round = [("stroke-linecap", "round"), ("stroke-linejoin", "round")];
    let attributes = [
        ("d", path),
        ("transform", place),
        ("fill", "none"),
        ("stroke", color),
        ("stroke-width", width),
    ];
    svg.element("path", &[&attributes[..], &round[..]].concat());
}

/// A note with as much of its text as fits. Markdown is not rendered.
pub(super) fn draw_note(svg: &mut SvgWriter, node: &Node, text: &str, area: Area, view: &View) {
    const LINE_HEIGHT: f64 = 17.0;
    svg.open_group(&node_title(node), area.at);
    let paper = Area {
        at: Position { x: 0.0, y: 0.0 },
        size: area.size,
    };
    svg.rectangle(
        paper,
        6.0,
        &[
            ("fill", NOTE_FILL.hex(view.dark)),
            ("stroke", NOTE_STROKE.hex(view.dark)),
        ],
    );
    let room = area.size.width - 20.0;
    let text_style = TextStyle {
        size: 12.0,
        mono: false,
    };
    let colors = [TEXT.hex(view.dark), MUTED.hex(view.dark)];
    let lines = std::iter::once(node_title(node)).chain(text.lines().map(node_summary::one_line));
    let fitting = ((area.size.height - 12.0) / LINE_HEIGHT).floor() as usize;
    for (at, line) in lines
        .filter(|line| !line.is_empty())
        .take(fitting)
        .enumerate()
    {
        let weight = if at == 0 { "500" } else { "400" };
        let base = 20.0 + LINE_HEIGHT * at as f64;
        let attributes = [
            ("font-size", "12"),
            ("font-weight", weight),
            ("font-family", SANS),
            ("fill", colors[at.min(1)]),
        ];
        draw_text(
            svg,
            &text_style.truncate(&line, room),
            (10.0, base, room),
            &attributes,
        );
    }
    svg.close_group();
}

/// A line of text from `left`, or right-aligned if it is read from right to left.
pub(super) fn draw_text(
    svg: &mut SvgWriter,
    line: &str,
    (left, base, room): (f64, f64, f64),
    attributes: &[(&str, &str)],
) {
    if is_right_to_left(line) {
        let at = Position {
            x: left + room,
            y: base,
        };
        svg.text(
            line,
            at,
            &[attributes, &[("direction", "rtl")][..]].concat(),
        );
    } else {
        svg.text(line, Position { x: left, y: base }, attributes);
    }
}
