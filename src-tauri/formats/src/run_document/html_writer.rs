//! Writes HTML. Markup is a constant of this program, and everything else is escaped.

use baton_model::Timestamp;

/// An HTML document under construction.
#[derive(Debug)]
pub(super) struct HtmlWriter(String);

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const STYLE: &str = include_str!("style.css");

impl HtmlWriter {
    /// A document with this title, up to the beginning of its body.
    pub(super) fn new(title: &str) -> Self {
        let mut html = Self(String::new());
        html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"");
        html.raw(POLICY);
        html.raw("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
        // Otherwise, a browser asks the server for an icon.
        html.raw("<link rel=\"icon\" href=\"data:,\">\n");
        html.element("title", title);
        html.raw("<style>\n");
        html.raw(STYLE);
        html.raw("</style>\n</head>\n<body>\n");
        html
    }

    pub(super) fn finish(mut self) -> String {
        self.raw("</body>\n</html>\n");
        self.0
    }

    /// Markup. Its type keeps texts from elsewhere out.
    pub(super) fn raw(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// An SVG document that escapes its own texts.
    pub(super) fn picture(&mut self, svg: &str) {
        self.0.push_str(svg);
    }

    /// Text between tags.
    pub(super) fn text(&mut self, text: &str) {
        push_escaped(&mut self.0, text);
    }

    pub(super) fn open(&mut self, tag: &'static str) {
        for part in ["<", tag, ">\n"] {
            self.raw(part);
        }
    }

    pub(super) fn open_class(&mut self, tag: &'static str, class: &'static str) {
        for part in ["<", tag, " class=\"", class, "\">\n"] {
            self.raw(part);
        }
    }

    pub(super) fn close(&mut self, tag: &'static str) {
        for part in ["</", tag, ">\n"] {
            self.raw(part);
        }
    }

    /// A section that its heading names. Close it as `section`.
    pub(super) fn open_section(&mut self, id: &'static str, heading: &'static str) {
        for part in ["<section aria-labelledby=\"", id, "\">\n<h2 id=\"", id] {
            self.raw(part);
        }
        for part in ["\">", heading, "</h2>\n"] {
            self.raw(part);
        }
    }

    /// An element with nothing but text in it.
    pub(super) fn element(&mut self, tag: &'static str, text: &str) {
        for part in ["<", tag, ">"] {
            self.raw(part);
        }
        self.text(text);
        self.close(tag);
    }

    /// The same with a class.
    pub(super) fn element_class(&mut self, tag: &'static str, class: &'static str, text: &str) {
        for part in ["<", tag, " class=\"", class, "\">"] {
            self.raw(part);
        }
        self.text(text);
        self.close(tag);
    }

    /// An attribute's value inside a tag: a number that this program computed.
    pub(super) fn number(&mut self, number: f64) {
        self.text(&format!("{number:.2}"));
    }

    /// A caption and the head of a table. Close it with [`Self::close_table`].
    pub(super) fn open_table(&mut self, caption: &str, columns: &[&str]) {
        self.raw("<div class=\"scroll\" tabindex=\"0\">\n<table>\n");
        self.element("caption", caption);
        self.raw("<thead><tr>");
        for column in columns {
            self.raw("<th scope=\"col\">");
            self.text(column);
            self.raw("</th>");
        }
        self.raw("</tr></thead>\n<tbody>\n");
    }

    pub(super) fn close_table(&mut self) {
        self.raw("</tbody>\n</table>\n</div>\n");
    }

    /// A row of texts, of which the first one names the row.
    pub(super) fn row(&mut self, cells: &[&str]) {
        self.raw("<tr>");
        for (at, cell) in cells.iter().enumerate() {
            self.raw(if at == 0 {
                "<th scope=\"row\">"
            } else {
                "<td>"
            });
            self.text(cell);
            self.raw(if at == 0 { "</th>" } else { "</td>" });
        }
        self.raw("</tr>\n");
    }

    /// A list of names and values, without those that are unknown.
    pub(super) fn facts(&mut self, facts: &[(&'static str, Option<String>)]) {
        self.raw("<dl>\n");
        for (name, value) in facts {
            if let Some(value) = value {
                self.raw("<div>");
                self.element("dt", name);
                self.element("dd", value);
                self.raw("</div>\n");
            }
        }
        self.raw("</dl>\n");
    }
}

/// A time in UTC with seconds, such as `2026-11-28 13:10:41 UTC`.
pub(super) fn time(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(
        |_| at.0.to_string(),
        |time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
    )
}

fn push_escaped(html: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            char => html.push(char),
        }
    }
}
