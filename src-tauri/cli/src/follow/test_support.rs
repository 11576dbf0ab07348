//! Plans and events for the tests of this crate.

use baton_api::wire::{RunExecutorView, RunSummary, RunView};
use baton_model::node::{CommandLine, CommandTask};
use baton_model::run::{Event, Semantics};
use baton_model::*;
use uuid::Uuid;

use super::event_formatter::EventFormatter;

/// Returns a plan of command nodes. `edges` are (parent, child) indexes.
pub(crate) fn plan_of(titles: &[&str], edges: &[(usize, usize)]) -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "A plan");
    for (number, title) in titles.iter().enumerate() {
        let command = CommandLine::Shell(format!("echo {title}"));
        let task = CommandTask {
            command,
            env: Default::default(),
            cwd: None,
        };
        let id = NodeId(Uuid::from_u128(100 + number as u128));
        plan.nodes.push(Node::new(
            id,
            Slug::from_title(title),
            *title,
            NodeKind::Command(task),
        ));
    }
    let edge = |&(parent, child): &(usize, usize)| Edge {
        parent: plan.nodes[parent].id,
        child: plan.nodes[child].id,
        soft: false,
        inferred: false,
    };
    plan.edges = edges.iter().map(edge).collect();
    plan
}

/// Returns the summary of a running run of `plan`.
pub(crate) fn summary_of(plan: &Plan) -> RunSummary {
    RunSummary {
        id: RunId(Uuid::from_u128(2)),
        plan: plan.id,
        number: 1,
        title: plan.title.clone(),
        version: 1,
        state: RunState::Running { ending: None },
        goal: Goal::All,
        started_at: Timestamp(0),
        ended_at: None,
        progress: Vec::new(),
        skipped_failures: None,
        pinned_nodes: None,
        attendance: RunExecutorView::Here,
        damage: None,
    }
}

/// Returns a formatter for a run of `plan` without events.
pub(super) fn formatter_for(plan: &Plan) -> EventFormatter {
    let summary = summary_of(plan);
    let view = RunView {
        summary,
        takeover: None,
        seq: 0,
        plan: plan.clone(),
        limit: 2,
        nodes: Vec::new(),
        parent: None,
        children: Vec::new(),
        handler: None,
        handles: None,
    };
    EventFormatter::new(&view).unwrap_or_else(|cycle| panic!("{cycle}"))
}

/// Returns the events of a run that starts some of its nodes.
pub(super) fn started(plan: &Plan, nodes: &[usize]) -> Vec<Event> {
    let executor = ExecutorId(Uuid::from_u128(3));
    let mut events = vec![Event::Started {
        plan: plan.id,
        version: 1,
        goal: Goal::All,
        limit: 2,
        executor,
        default_agent: None,
        trusted_tools: Vec::new(),
        inherits: None,
        grants: Vec::new(),
        caller: None,
        settings: None,
        semantics: Semantics::V4,
    }];
    for &node in nodes {
        let (node, attempt) = (plan.nodes[node].id, Attempt(1));
        events.push(Event::NodeReserved {
            node,
            attempt,
            session: SessionId(node.0),
            resumes: None,
            choice: None,
            asks: None,
        });
        events.push(Event::NodeStarted {
            node,
            attempt,
            checkpoint: None,
        });
    }
    events
}

/// Returns the event that ends an attempt.
pub(super) fn ended(
    plan: &Plan,
    node: usize,
    attempt: u32,
    outcome: Outcome,
    retry_at: Option<Timestamp>,
) -> Event {
    let node = plan.nodes[node].id;
    Event::NodeEnded {
        node,
        attempt: Attempt(attempt),
        outcome,
        artifact: None,
        retry_at,
        taken: None,
    }
}
