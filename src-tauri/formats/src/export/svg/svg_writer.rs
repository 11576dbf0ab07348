//! Writes SVG elements with escaped text.

use std::fmt::Write;

use crate::layout::Area;
use baton_model::node::Position;

/// The fonts of the interface with fallbacks.
pub(super) const SANS: &str = "'Inter Variable', Inter, system-ui, sans-serif";
pub(super) const MONO: &str =
    "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace";

/// An SVG document under construction.
#[derive(Debug)]
pub(super) struct SvgWriter(String);

impl SvgWriter {
    pub(super) fn new(title: &str, area: Area) -> Self {
        let (width, height) = (number(area.size.width), number(area.size.height));
        let view = format!(
            "{} {} {width} {height}",
            number(area.at.x),
            number(area.at.y)
        );
        let title = escaped(title);
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"{view}\" role=\"img\">\n<title>{title}</title>\n"
        ))
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.0.push_str("/>\n");
    }

    /// A group with a title for screen readers and tooltips. Close it with [`Self::close_group`].
    pub(super) fn open_group(&mut self, title: &str, at: Position) {
        self.tag(
            "g",
            &[(
                "transform",
                &format!("translate({} {})", number(at.x), number(at.y)),
            )],
        );
        // Writing to a string never fails.
        let _ = writeln!(self.0, ">\n<title>{}</title>", escaped(title));
    }

    pub(super) fn close_group(&mut self) {
        self.0.push_str("</g>\n");
    }

    pub(super) fn rectangle(&mut self, area: Area, radius: f64, attributes: &[(&str, &str)]) {
        let [x, y, width, height] =
            [area.at.x, area.at.y, area.size.width, area.size.height].map(number);
        let radius = number(radius);
        let place = [
            ("x", &*x),
            ("y", &*y),
            ("width", &*width),
            ("height", &*height),
            ("rx", &*radius),
        ];
        self.element("rect", &[&place[..], attributes].concat());
    }

    pub(super) fn text(&mut self, content: &str, at: Position, attributes: &[(&str, &str)]) {
        let (x, y) = (number(at.x), number(at.y));
        self.tag("text", &[&[("x", &*x), ("y", &*y)], attributes].concat());
        let _ = writeln!(self.0, ">{}</text>", escaped(content));
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let _ = write!(self.0, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.0, " {name}=\"{}\"", escaped(value));
        }
    }
}

/// The shortest form without an exponent.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // Avoids writing `-0`.
    format!("{}", rounded + 0.0)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            char if char.is_control() => {}
            char => escaped.push(char),
        }
    }
    escaped
}
