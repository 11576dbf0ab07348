//! What a rerun would run and what it cost last time.

use baton_agents::Usage;
use baton_model::{Node, NodeId, NodeKind, RunId};
use baton_store::AttemptRow;

use crate::wire::*;
use crate::{ApiError, App};

/// Lists the nodes that a rerun would reset, with the time and cost of their last attempts.
pub(crate) fn preview(app: &App, input: RerunPreview) -> Result<RerunPreviewView, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let nodes = run
        .nodes_to_rerun(input.scope, &input.nodes)
        .map_err(baton_engine::EngineError::from)?;
    let plan = run.plan();
    let rows = nodes.into_iter().filter_map(|id| plan.node(id));
    let rows = rows
        .map(|node| Ok((node, last_attempt(app, input.run, node.id)?)))
        .collect::<Result<Vec<_>, ApiError>>()?;
    Ok(total(&rows))
}

/// The last attempt of a node that has started.
fn last_attempt(app: &App, run: RunId, node: NodeId) -> Result<Option<AttemptRow>, ApiError> {
    let attempts = app.store.attempts().list(run, node)?;
    Ok(attempts
        .into_iter()
        .rfind(|attempt| attempt.started_at.is_some()))
}

fn total(rows: &[(&Node, Option<AttemptRow>)]) -> RerunPreviewView {
    let mut view = RerunPreviewView {
        nodes: Vec::with_capacity(rows.len()),
        total_ms: 0,
        total_cost_usd: 0.0,
        unknown_costs: 0,
    };
    for (node, attempt) in rows {
        let row = row(node, attempt.as_ref());
        view.total_ms = view.total_ms.saturating_add(row.last_ms.unwrap_or(0));
        view.total_cost_usd += row.last_cost_usd.unwrap_or(0.0);
        view.unknown_costs += u32::from(row.last_cost_usd.is_none() && may_cost(&node.kind));
        view.nodes.push(row);
    }
    view
}

fn row(node: &Node, attempt: Option<&AttemptRow>) -> RerunNodeView {
    let usage = attempt
        .and_then(|attempt| attempt.usage.clone())
        .and_then(|usage| serde_json::from_value::<Usage>(usage).ok());
    RerunNodeView {
        node: node.id,
        title: node.title.clone(),
        kind: node.kind.as_str().to_owned(),
        last_ms: attempt.and_then(|attempt| attempt.times.worked_ms),
        last_cost_usd: usage.and_then(|usage| usage.usd),
        last_tokens: usage.filter(Usage::has_tokens).map(tokens),
    }
}

fn tokens(usage: Usage) -> u64 {
    let parts = [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
    ];
    parts.into_iter().flatten().fold(0, u64::saturating_add)
}

/// Whether running the node may cost money: it starts an agent, or a plan that may do so.
fn may_cost(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Agent(_)
        | NodeKind::LlmDecision(_)
        | NodeKind::SubPlan(_)
        | NodeKind::Planning(_) => true,
        NodeKind::Loop(_) => kind.sub_plan().is_some(),
        NodeKind::Command(_)
        | NodeKind::ToolCall(_)
        | NodeKind::UserInput(_)
        | NodeKind::Condition(_)
        | NodeKind::Parallel(_)
        | NodeKind::Note(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use baton_model::node::{AgentTask, CommandLine, CommandTask};
    use baton_model::{Attempt, SessionId, Slug, Timestamp, WorkTime};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn node(number: u128, kind: NodeKind) -> Node {
        let slug = Slug::new(&format!("n{number}")).expect("a letter and digits");
        Node::new(NodeId(Uuid::from_u128(number)), slug, "A node", kind)
    }

    fn agent() -> NodeKind {
        NodeKind::Agent(AgentTask::default())
    }

    fn command() -> NodeKind {
        NodeKind::Command(CommandTask {
            command: CommandLine::Argv(vec!["true".to_owned()]),
            env: Default::default(),
            cwd: None,
        })
    }

    fn attempt(ms: u64, usage: Option<serde_json::Value>) -> AttemptRow {
        AttemptRow {
            attempt: Attempt(1),
            session: SessionId(Uuid::nil()),
            executed_by: None,
            reserved_at: Timestamp(0),
            started_at: Some(Timestamp(1_000)),
            ended_at: Some(Timestamp(9_000)),
            times: WorkTime {
                worked_ms: Some(ms),
                ..WorkTime::default()
            },
            outcome: None,
            artifact: None,
            usage,
        }
    }

    #[test]
    fn totals_add_known_times_and_costs_and_count_unknown_ones() {
        let usage = json!({"inputTokens": 10, "outputTokens": 5, "usd": 0.25});
        let rows = [
            (node(1, agent()), Some(attempt(2_000, Some(usage)))),
            (node(2, agent()), None),
            (node(3, command()), Some(attempt(500, None))),
        ];
        let rows: Vec<_> = rows
            .iter()
            .map(|(node, attempt)| (node, attempt.clone()))
            .collect();
        let view = total(&rows);
        assert_eq!((view.total_ms, view.unknown_costs), (2_500, 1));
        assert!((view.total_cost_usd - 0.25).abs() < f64::EPSILON);
        let shown: Vec<_> = view
            .nodes
            .iter()
            .map(|node| (node.kind.as_str(), node.last_ms, node.last_tokens))
            .collect();
        assert_eq!(
            shown,
            [
                ("agent", Some(2_000), Some(15)),
                ("agent", None, None),
                ("command", Some(500), None),
            ]
        );
    }
}
