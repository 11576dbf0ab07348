//! What people decided, and who it was.

use super::RunFacts;
use super::html_writer::{HtmlWriter, time};

pub(super) fn write(html: &mut HtmlWriter, run: &RunFacts<'_>) {
    html.open_section("decisions", "What people decided");
    let by_people = || run.events.iter().filter(|event| event.is_by_person);
    if by_people().next().is_none() {
        html.element("p", "No person did anything in this run.");
    } else {
        html.open_table("Decisions by people", &["When", "Who", "What"]);
        for event in by_people() {
            let what = std::iter::once(event.sentence.as_str());
            let what = what.chain(event.details.iter().map(String::as_str));
            let what = what.collect::<Vec<_>>().join("\n");
            html.row(&[&time(event.at), &event.actor, &what]);
        }
        html.close_table();
    }
    html.close("section");
}
