//! Exports a run as one file, from what is stored about it.

use std::collections::HashMap;

use baton_agents::Usage;
use baton_engine::opened_pull_request;
use baton_formats::run_document::{
    self, AttemptFacts, CommitRange, EVENT_LIMIT, EventFacts, HandoffFacts, NodeFacts, RunFacts,
    UsageFacts,
};
use baton_model::{Attempt, Evidence, Isolation, NodeId, Outcome, Plan, RunId, Slug};
use baton_store::{Actor, ArtifactRow};

use crate::wire::*;
use crate::{ApiError, App, approvals, node_diff, nodes, runs};

type ByAttempt<T> = HashMap<(NodeId, Attempt), T>;

/// Returns a run as a file.
pub(crate) fn export(app: &App, input: RunExport) -> Result<FileText, ApiError> {
    let RunExport { run, format } = input;
    let view = runs::get(app, RunRef { run })?;
    let name = Slug::from_title(&view.plan.title);
    let number = view.summary.number;
    match format {
        RunExportFormat::Html => Ok(FileText {
            file_name: format!("{name}-run-{number}.html"),
            text: run_document::write(&facts(app, &view)?),
        }),
    }
}

fn facts<'v>(app: &App, view: &'v RunView) -> Result<RunFacts<'v>, ApiError> {
    let run = view.summary.id;
    let mut evidence: ByAttempt<Evidence> = HashMap::new();
    for (node, row) in app.store.evidence().of_run(run)? {
        evidence.insert((node, row.attempt), row.content);
    }
    let mut handoffs: ByAttempt<Vec<HandoffFacts>> = HashMap::new();
    for row in app.store.artifacts().list_for_run(run)?.rows {
        let key = (row.node, row.attempt);
        handoffs.entry(key).or_default().push(handoff(row));
    }
    let mut nodes = Vec::with_capacity(view.nodes.len());
    for node in &view.nodes {
        let attempts = attempts(app, run, node.node, &mut evidence, &mut handoffs)?;
        nodes.push(NodeFacts {
            commits: commits(app, view, node),
            node: node.node,
            state: node.state.clone(),
            worked_ms: node.times.worked_ms,
            unverified: node.unverified,
            attempts,
        });
    }
    let (events, events_left_out) = events(app, run)?;
    Ok(RunFacts {
        plan: &view.plan,
        version: view.summary.version,
        number: view.summary.number,
        state: view.summary.state.label(),
        started_at: view.summary.started_at,
        ended_at: view.summary.ended_at,
        nodes,
        events,
        events_left_out,
        nested_runs: view.children.len(),
        pull_request: pull_request(app, run),
    })
}

fn attempts(
    app: &App,
    run: RunId,
    node: NodeId,
    evidence: &mut ByAttempt<Evidence>,
    handoffs: &mut ByAttempt<Vec<HandoffFacts>>,
) -> Result<Vec<AttemptFacts>, ApiError> {
    let views = nodes::attempts(app, NodeRef { run, node })?.into_iter();
    let facts = |view: AttemptView| AttemptFacts {
        evidence: evidence.remove(&(node, view.attempt)),
        handoffs: handoffs.remove(&(node, view.attempt)).unwrap_or_default(),
        attempt: view.attempt,
        agent: view.agent,
        reason: view.reason,
        cause: view.cause,
        started_at: view.started_at,
        ended_at: view.ended_at,
        worked_ms: view.times.worked_ms,
        succeeded: view
            .outcome
            .map(|outcome| matches!(outcome, Outcome::Succeeded)),
        outcome: view.sentence,
        usage: usage(view.usage),
    };
    Ok(views.map(facts).collect())
}

fn usage(used: Usage) -> UsageFacts {
    let cached = [used.cache_read_tokens, used.cache_write_tokens];
    let is_known = cached.iter().any(Option::is_some);
    UsageFacts {
        input_tokens: used.input_tokens,
        output_tokens: used.output_tokens,
        cached_tokens: is_known.then(|| cached.into_iter().flatten().sum()),
        usd: used.usd,
    }
}

fn handoff(row: ArtifactRow) -> HandoffFacts {
    HandoffFacts {
        author: row.content.author,
        at: row.created_at,
        text: row.content.text,
        outputs: row.content.outputs.into_iter().collect(),
    }
}

/// The commits of a node with its own worktree, as far as git still has them.
fn commits(app: &App, view: &RunView, node: &NodeRunView) -> Option<CommitRange> {
    let isolation = isolation(&view.plan, node.node)?;
    if isolation != Isolation::Worktree || node.session.is_none() {
        return None;
    }
    let query = NodeDiffQuery {
        run: view.summary.id,
        node: node.node,
        attempt: None,
        since: None,
        path: None,
    };
    let diff = node_diff::get(app, query).ok()?;
    let (base, head) = (diff.base, diff.head);
    diff.committed.then_some(CommitRange { base, head })
}

fn isolation(plan: &Plan, node: NodeId) -> Option<Isolation> {
    Some(plan.node(node)?.isolation_in(&plan.settings))
}

/// The latest events, and how many earlier ones are left out.
fn events(app: &App, run: RunId) -> Result<(Vec<EventFacts>, usize), ApiError> {
    let limit = u32::MAX;
    let after = 0;
    let rows = runs::history(app, RunHistory { run, after, limit })?;
    let left_out = rows.len().saturating_sub(EVENT_LIMIT);
    let events = rows.into_iter().skip(left_out).map(event).collect();
    Ok((events, left_out))
}

fn event(row: HistoryRow) -> EventFacts {
    let actor = Actor::from(row.actor);
    EventFacts {
        at: row.at,
        actor: approvals::describe_actor(&actor),
        is_by_person: actor.is_person(),
        sentence: row.sentence,
        details: row.details,
    }
}

/// The address of the run's pull request; `None` also if it can't be read, because the rest of the
/// document doesn't depend on it.
fn pull_request(app: &App, run: RunId) -> Option<String> {
    let (run, _) = app.store.runs().replay(run).ok()?;
    let opened = opened_pull_request(&run, app.store.data_dir()).ok()??;
    Some(opened.url)
}
