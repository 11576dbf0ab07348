//! Groups, drawn like on the canvas.

use std::collections::HashMap;

use super::node_card;
use super::svg_writer::{SANS, SvgWriter};
use super::text_metrics::TextStyle;
use crate::export::node_summary;
use crate::export::theme::{Color as ThemeColor, LINE_STRONG, MUTED};
use crate::export::view::View;
use crate::layout::{Area, FRAME_HEAD, frame_around};
use baton_model::Color;
use baton_model::{NodeId, Plan};

/// The frame of a group with its title.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) area: Area,
    title: String,
    color: Color,
}

/// The frames around the included members of groups.
pub(super) fn frames(plan: &Plan, areas: &HashMap<NodeId, Area>) -> Vec<Frame> {
    let frame = |group: &baton_model::group::Group| {
        let members = group
            .nodes
            .iter()
            .filter_map(|node| areas.get(node).copied());
        Some(Frame {
            area: frame_around(members)?,
            title: node_summary::one_line(&group.title),
            color: group.color,
        })
    };
    plan.groups.iter().filter_map(frame).collect()
}

pub(super) fn draw(svg: &mut SvgWriter, frame: &Frame, view: &View) {
    let hue = group_color(frame.color).hex(view.dark);
    let attributes = [
        ("fill", hue),
        ("fill-opacity", "0.08"),
        ("stroke", hue),
        ("stroke-opacity", "0.5"),
    ];
    svg.rectangle(frame.area, 12.0, &attributes);
    let room = frame.area.size.width - 24.0;
    let text_style = TextStyle {
        size: 12.0,
        mono: false,
    };
    let place = (
        frame.area.at.x + 12.0,
        frame.area.at.y + FRAME_HEAD - 6.0,
        room,
    );
    let attributes = [
        ("font-size", "12"),
        ("font-weight", "500"),
        ("font-family", SANS),
        ("fill", MUTED.hex(view.dark)),
    ];
    node_card::draw_text(
        svg,
        &text_style.truncate(&frame.title, room),
        place,
        &attributes,
    );
}

/// Group colors for both themes. They are unrelated to states.
fn group_color(color: Color) -> ThemeColor {
    match color {
        Color::Gray => LINE_STRONG,
        Color::Blue => ThemeColor::new("#3b6fd4", "#74a5f5"),
        Color::Teal => ThemeColor::new("#12807c", "#4fc3bd"),
        Color::Green => ThemeColor::new("#2f7d45", "#6cc489"),
        Color::Yellow => ThemeColor::new("#94700b", "#dcb94a"),
        Color::Red => ThemeColor::new("#b8443a", "#f08a7e"),
        Color::Purple => ThemeColor::new("#7b4bb3", "#bf97ee"),
    }
}
