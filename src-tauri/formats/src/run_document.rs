//! A run as one HTML file, to keep or to attach to a pull request.
//!
//! The file needs nothing else: no script, no font, no picture from elsewhere. Its content security
//! policy forbids both. Titles, output and handoffs come from agents, so each of them is written as
//! escaped text, and never as markup, as an attribute or as a link.

mod attempt;
mod decisions;
mod evidence;
mod html_writer;
mod nodes;
mod summary;
#[cfg(test)]
mod tests;
mod timeline;

use std::collections::HashMap;

use baton_model::artifact::Author;
use baton_model::visible_text::strip_invisible_keeping_emoji;
use baton_model::{Attempt, Evidence, NodeId, NodeState, Plan, Timestamp};

use crate::export::{self, ExportFormat, View};
use html_writer::HtmlWriter;

/// The maximum number of events in a document. The latest ones are kept.
pub const EVENT_LIMIT: usize = 5_000;

/// What is known about a run.
#[derive(Debug, Clone)]
pub struct RunFacts<'a> {
    /// The version of the plan that it executes.
    pub plan: &'a Plan,
    /// The number of that version.
    pub version: u32,
    /// The number of the run among those of its plan.
    pub number: u32,
    /// The name of its state.
    pub state: &'a str,
    /// When it started.
    pub started_at: Timestamp,
    /// When it ended; `None` if it has not.
    pub ended_at: Option<Timestamp>,
    /// The executable nodes in plan order.
    pub nodes: Vec<NodeFacts>,
    /// Its events, first one first.
    pub events: Vec<EventFacts>,
    /// How many earlier events are left out.
    pub events_left_out: usize,
    /// How many other runs it started for nodes that run a plan. They are not in the document.
    pub nested_runs: usize,
    /// The address of its pull request.
    pub pull_request: Option<String>,
}

/// What is known about one node of a run.
#[derive(Debug, Clone)]
pub struct NodeFacts {
    /// The node.
    pub node: NodeId,
    /// Its state.
    pub state: NodeState,
    /// How long its attempts worked, in milliseconds; `None` if unknown.
    pub worked_ms: Option<u64>,
    /// Whether its claims and the evidence differ.
    pub unverified: bool,
    /// Its attempts, first one first.
    pub attempts: Vec<AttemptFacts>,
    /// The commits between which its work is; `None` if its work is no commit.
    pub commits: Option<CommitRange>,
}

/// The commits before and after the work of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitRange {
    /// The commit from which it started.
    pub base: String,
    /// The commit with its work.
    pub head: String,
}

/// What is known about one attempt of a node.
#[derive(Debug, Clone)]
pub struct AttemptFacts {
    /// Its number.
    pub attempt: Attempt,
    /// The agent that ran it; `None` for commands.
    pub agent: Option<String>,
    /// Why this agent was chosen.
    pub reason: Option<String>,
    /// Why it was started; `None` for first attempts.
    pub cause: Option<String>,
    /// When its session started.
    pub started_at: Option<Timestamp>,
    /// When it ended; `None` if it has not.
    pub ended_at: Option<Timestamp>,
    /// How long it worked, in milliseconds; `None` if unknown.
    pub worked_ms: Option<u64>,
    /// Whether it succeeded; `None` while it is live.
    pub succeeded: Option<bool>,
    /// Its outcome as a sentence.
    pub outcome: String,
    /// What its agent reported to have used.
    pub usage: UsageFacts,
    /// What was observed; `None` if nothing was.
    pub evidence: Option<Evidence>,
    /// Its handoffs, first one first. A person's edits are handoffs of their own.
    pub handoffs: Vec<HandoffFacts>,
}

/// What an agent reported to have used. What it didn't report is unknown, not 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UsageFacts {
    /// Tokens that the model read, without cached ones.
    pub input_tokens: Option<u64>,
    /// Tokens that the model wrote.
    pub output_tokens: Option<u64>,
    /// Tokens that were read from a cache.
    pub cached_tokens: Option<u64>,
    /// The agent's own estimate in US dollars.
    pub usd: Option<f64>,
}

/// A handoff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoffFacts {
    /// Who wrote it.
    pub author: Author,
    /// When it was stored.
    pub at: Timestamp,
    /// The whole text, in Markdown.
    pub text: String,
    /// Its named outputs.
    pub outputs: Vec<(String, String)>,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFacts {
    /// When it happened.
    pub at: Timestamp,
    /// Who caused it, as text.
    pub actor: String,
    /// Whether a person caused it.
    pub is_by_person: bool,
    /// What happened.
    pub sentence: String,
    /// Further lines.
    pub details: Vec<String>,
}

/// The document of a run, as HTML.
#[must_use]
pub fn write(run: &RunFacts<'_>) -> String {
    let mut html = HtmlWriter::new(&format!("{}, run #{}", summary::title(run), run.number));
    summary::write(&mut html, run);
    html.open("main");
    decisions::write(&mut html, run);
    write_graph(&mut html, run);
    timeline::write(&mut html, run);
    nodes::write(&mut html, run);
    timeline::write_events(&mut html, run);
    html.close("main");
    strip_invisible_keeping_emoji(html.finish())
}

/// The graph in light and in dark colors. Style sheets show one of them.
fn write_graph(html: &mut HtmlWriter, run: &RunFacts<'_>) {
    html.open_section("graph", "Graph");
    let states: HashMap<NodeId, &'static str> = run
        .nodes
        .iter()
        .map(|node| (node.node, node.state.as_str()))
        .collect();
    for dark in [false, true] {
        let view = View {
            states: states.clone(),
            only: None,
            direction: run.plan.direction,
            dark,
        };
        html.open_class("figure", if dark { "graph dark" } else { "graph light" });
        html.picture(&export::write(run.plan, ExportFormat::Svg, &view));
        html.close("figure");
    }
    html.close("section");
}
