//! When attempts ran, as bars, and all events as a table.

use baton_model::Timestamp;
use baton_model::count::format_quantity;

use super::html_writer::{HtmlWriter, time};
use super::nodes::node_title;
use super::{AttemptFacts, RunFacts};

const ROW_HEIGHT: f64 = 22.0;
const LABEL_WIDTH: f64 = 260.0;
const BARS_WIDTH: f64 = 700.0;
/// The narrowest bar that can still be seen.
const MIN_BAR: f64 = 2.0;
/// The longest label, in characters.
const LABEL_LIMIT: usize = 36;

pub(super) fn write(html: &mut HtmlWriter, run: &RunFacts<'_>) {
    let span = Span::of(run);
    let tried = || run.nodes.iter().filter(|node| !node.attempts.is_empty());
    html.open_section("timeline", "Timeline");
    if tried().next().is_none() {
        html.element("p", "No node has started.");
        html.close("section");
        return;
    }
    // The tables below say the same as text.
    html.raw("<div class=\"scroll\" tabindex=\"0\">\n<svg class=\"timeline\" aria-hidden=\"true\" viewBox=\"0 0 ");
    html.number(LABEL_WIDTH + BARS_WIDTH);
    html.raw(" ");
    html.number(ROW_HEIGHT * tried().count() as f64);
    html.raw("\">\n");
    for (row, node) in tried().enumerate() {
        let top = ROW_HEIGHT * row as f64;
        html.raw("<text x=\"0\" y=\"");
        html.number(top + 15.0);
        html.raw("\">");
        html.text(&label(&node_title(run, node.node)));
        html.raw("</text>\n");
        for attempt in &node.attempts {
            write_bar(html, &span, attempt, top);
        }
    }
    html.raw("</svg>\n</div>\n");
    let ends = format!("From {} to {}.", time(span.from), time(span.to));
    html.element("p", &ends);
    html.close("section");
}

fn label(title: &str) -> String {
    match title.char_indices().nth(LABEL_LIMIT) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title.to_owned(),
    }
}

fn write_bar(html: &mut HtmlWriter, span: &Span, attempt: &AttemptFacts, top: f64) {
    let Some(start) = attempt.started_at else {
        return;
    };
    let left = LABEL_WIDTH + span.share(start) * BARS_WIDTH;
    let right = LABEL_WIDTH + span.share(attempt.ended_at.unwrap_or(span.to)) * BARS_WIDTH;
    html.raw(match attempt.succeeded {
        Some(true) => "<rect class=\"bar done\" x=\"",
        Some(false) => "<rect class=\"bar failed\" x=\"",
        None => "<rect class=\"bar\" x=\"",
    });
    html.number(left.min(LABEL_WIDTH + BARS_WIDTH - MIN_BAR));
    html.raw("\" y=\"");
    html.number(top + 5.0);
    html.raw("\" height=\"12\" rx=\"2\" width=\"");
    html.number((right - left).max(MIN_BAR));
    html.raw("\"/>\n");
}

/// The time that the bars cover.
struct Span {
    from: Timestamp,
    to: Timestamp,
}

impl Span {
    fn of(run: &RunFacts<'_>) -> Self {
        let attempts = run.nodes.iter().flat_map(|node| &node.attempts);
        let ends = attempts.flat_map(|attempt| [attempt.started_at, attempt.ended_at]);
        let events = run.events.iter().map(|event| Some(event.at));
        let last = ends.chain(events).chain([run.ended_at]).flatten().max();
        Self {
            from: run.started_at,
            to: last.unwrap_or(run.started_at).max(run.started_at),
        }
    }

    /// Where `at` is, from 0 to 1.
    fn share(&self, at: Timestamp) -> f64 {
        let whole = self.to.ms_since(self.from).max(1) as f64;
        (at.ms_since(self.from) as f64 / whole).min(1.0)
    }
}

pub(super) fn write_events(html: &mut HtmlWriter, run: &RunFacts<'_>) {
    html.open_section("events", "Events");
    if run.events_left_out > 0 {
        let count = format_quantity(run.events_left_out, "earlier event", "earlier events");
        html.element("p", &format!("{count} left out."));
    }
    html.open_table("Events of the run", &["When", "What", "Who"]);
    for event in &run.events {
        let what = std::iter::once(event.sentence.as_str());
        let what = what.chain(event.details.iter().map(String::as_str));
        let what = what.collect::<Vec<_>>().join("\n");
        html.row(&[&time(event.at), &what, &event.actor]);
    }
    html.close_table();
    html.close("section");
}
