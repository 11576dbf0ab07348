//! One attempt: how it went, its handoffs and its evidence.

use baton_model::artifact::Author;
use baton_model::duration::format_elapsed;

use super::evidence;
use super::html_writer::{HtmlWriter, time};
use super::summary::{cost, tokens};
use super::{AttemptFacts, HandoffFacts};

pub(super) fn write(html: &mut HtmlWriter, attempt: &AttemptFacts) {
    html.element("h4", &format!("Attempt {}", attempt.attempt));
    html.facts(&[
        ("Outcome", Some(attempt.outcome.clone())),
        ("Agent", attempt.agent.clone()),
        ("Why this agent", attempt.reason.clone()),
        ("Why it started", attempt.cause.clone()),
        ("Started", attempt.started_at.map(time)),
        ("Ended", attempt.ended_at.map(time)),
        ("Worked", attempt.worked_ms.map(format_elapsed)),
        ("Tokens", tokens(attempt.usage)),
        ("Cost", cost(attempt.usage)),
    ]);
    if let Some(evidence) = &attempt.evidence {
        evidence::write(html, evidence);
    }
    for handoff in &attempt.handoffs {
        write_handoff(html, handoff);
    }
}

fn write_handoff(html: &mut HtmlWriter, handoff: &HandoffFacts) {
    let author = match handoff.author {
        Author::Facts => "Handoff, written by Baton from facts",
        Author::Agent => "Handoff, written by the agent",
        Author::Person => "Handoff, written or edited by a person",
    };
    html.element("h5", &format!("{author}, {}", time(handoff.at)));
    html.element("pre", &handoff.text);
    if !handoff.outputs.is_empty() {
        html.open_table("Named outputs", &["Name", "Value"]);
        for (name, value) in &handoff.outputs {
            html.row(&[name, value]);
        }
        html.close_table();
    }
}
