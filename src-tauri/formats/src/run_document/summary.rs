//! The beginning of the document: what ran, how it ended, and what it used.

use baton_model::count::format_count;
use baton_model::duration::format_elapsed;
use baton_model::visible_text::visible_line;

use super::html_writer::{HtmlWriter, time};
use super::{RunFacts, UsageFacts};

pub(super) fn title(run: &RunFacts<'_>) -> String {
    let title = visible_line(&run.plan.title);
    if title.is_empty() {
        "Untitled".to_owned()
    } else {
        title
    }
}

pub(super) fn write(html: &mut HtmlWriter, run: &RunFacts<'_>) {
    html.open("header");
    let kind = format!("Run #{} of version {}", run.number, run.version);
    html.element_class("p", "kind", &kind);
    html.element("h1", &title(run));
    if !run.plan.description.trim().is_empty() {
        html.element_class("p", "text", run.plan.description.trim());
    }
    let used = total_usage(run);
    let elapsed = run
        .ended_at
        .map(|end| format_elapsed(end.ms_since(run.started_at)));
    html.facts(&[
        ("State", Some(run.state.to_owned())),
        ("Started", Some(time(run.started_at))),
        ("Ended", run.ended_at.map(time)),
        ("Elapsed", elapsed),
        ("Worked", total_worked(run).map(format_elapsed)),
        ("Tokens", tokens(used)),
        ("Cost", cost(used)),
        ("Nodes", Some(node_counts(run))),
        ("Pull request", run.pull_request.clone()),
    ]);
    if run.nested_runs > 0 {
        let note = "Nodes of this run started other runs, which are not part of this document: ";
        html.element("p", &format!("{note}{}.", run.nested_runs));
    }
    html.close("header");
}

/// How many nodes are in which state, in the order in which the states occur.
fn node_counts(run: &RunFacts<'_>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for node in &run.nodes {
        let state = node.state.as_str();
        match counts.iter_mut().find(|(known, _)| *known == state) {
            Some((_, count)) => *count += 1,
            None => counts.push((state, 1)),
        }
    }
    let parts = counts
        .iter()
        .map(|(state, count)| format!("{count} {state}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// How long all nodes worked together; `None` if unknown for any that has attempts.
fn total_worked(run: &RunFacts<'_>) -> Option<u64> {
    let tried = run.nodes.iter().filter(|node| !node.attempts.is_empty());
    tried.map(|node| node.worked_ms).sum()
}

fn total_usage(run: &RunFacts<'_>) -> UsageFacts {
    let attempts = run.nodes.iter().flat_map(|node| &node.attempts);
    attempts.fold(UsageFacts::default(), |sum, attempt| {
        sum.plus(attempt.usage)
    })
}

impl UsageFacts {
    /// The sum of both. What neither knows stays unknown.
    pub(super) fn plus(self, other: Self) -> Self {
        fn sum<N: std::ops::Add<Output = N>>(one: Option<N>, other: Option<N>) -> Option<N> {
            match (one, other) {
                (Some(one), Some(other)) => Some(one + other),
                (one, other) => one.or(other),
            }
        }
        Self {
            input_tokens: sum(self.input_tokens, other.input_tokens),
            output_tokens: sum(self.output_tokens, other.output_tokens),
            cached_tokens: sum(self.cached_tokens, other.cached_tokens),
            usd: sum(self.usd, other.usd),
        }
    }
}

/// Such as `1,200 read, 300 written, 5,000 from a cache`; `None` if no count is known.
pub(super) fn tokens(used: UsageFacts) -> Option<String> {
    let parts = [
        (used.input_tokens, "read"),
        (used.output_tokens, "written"),
        (used.cached_tokens, "from a cache"),
    ];
    let known: Vec<String> = parts
        .iter()
        .filter_map(|(count, what)| Some(format!("{} {what}", format_count((*count)?))))
        .collect();
    (!known.is_empty()).then(|| known.join(", "))
}

/// The agents' own estimate; `None` if unknown.
pub(super) fn cost(used: UsageFacts) -> Option<String> {
    used.usd.map(|usd| format!("${usd:.2}"))
}
