//! Groups, as the canvas draws them.

use std::collections::HashMap;

use super::card;
use super::measure::Setting;
use super::tag::{Drawing, SANS};
use crate::export::look::{Color as Shade, LINE_STRONG, MUTED};
use crate::export::{View, words};
use crate::layout::{Area, FRAME_HEAD, frame_around};
use baton_model::group::Color;
use baton_model::{NodeId, Plan};

/// One frame and what is written on it.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) area: Area,
    title: String,
    colour: Color,
}

/// The frames around those members that are shown.
pub(super) fn frames(plan: &Plan, areas: &HashMap<NodeId, Area>) -> Vec<Frame> {
    let frame = |group: &baton_model::group::Group| {
        let members = group
            .nodes
            .iter()
            .filter_map(|node| areas.get(node).copied());
        Some(Frame {
            area: frame_around(members)?,
            title: words::one_line(&group.title),
            colour: group.colour,
        })
    };
    plan.groups.iter().filter_map(frame).collect()
}

pub(super) fn draw(drawing: &mut Drawing, frame: &Frame, view: &View) {
    let hue = hue(frame.colour).hex(view.dark);
    let look = [
        ("fill", hue),
        ("fill-opacity", "0.08"),
        ("stroke", hue),
        ("stroke-opacity", "0.5"),
    ];
    drawing.rectangle(frame.area, 12.0, &look);
    let room = frame.area.size.width - 24.0;
    let setting = Setting {
        size: 12.0,
        mono: false,
    };
    let place = (
        frame.area.at.x + 12.0,
        frame.area.at.y + FRAME_HEAD - 6.0,
        room,
    );
    let look = [
        ("font-size", "12"),
        ("font-weight", "500"),
        ("font-family", SANS),
        ("fill", MUTED.hex(view.dark)),
    ];
    card::put(drawing, &setting.cut(&frame.title, room), place, &look);
}

/// Hues that keep apart from each other in light and in dark; none of them says anything about a state here.
fn hue(colour: Color) -> Shade {
    match colour {
        Color::Grey => LINE_STRONG,
        Color::Blue => Shade::new("#3b6fd4", "#74a5f5"),
        Color::Teal => Shade::new("#12807c", "#4fc3bd"),
        Color::Green => Shade::new("#2f7d45", "#6cc489"),
        Color::Yellow => Shade::new("#94700b", "#dcb94a"),
        Color::Red => Shade::new("#b8443a", "#f08a7e"),
        Color::Purple => Shade::new("#7b4bb3", "#bf97ee"),
    }
}
