//! The inbox: what needs a person's attention across all runs.
//!
//! Read-only. Answers go to the operations on nodes and runs.

use std::collections::HashMap;
use std::sync::Arc;

use baton_model::run::{Ending, WaitingFor};
use baton_model::{NodeId, NodeState, Plan, PlanId, ReviewState, RunId, RunState};
use baton_planning::plan_versions::plan_version;
use baton_planning::proposals;
use baton_store::{Listing, NodeAwaitingPerson, PlanInReview, RunWait, WaitingRun};

use crate::event_text::describe_event;
use crate::node_names::Nodes;
use crate::wire::*;
use crate::{ApiError, App, error_handlers, takeover_text};

/// Lists everything that waits for a person, longest wait first.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<InboxItem>, ApiError> {
    let inbox = app.store.inbox();
    let mut plans = PlanCache {
        app,
        known: HashMap::new(),
    };
    let nodes = log_unreadable("node", inbox.nodes()?)
        .into_iter()
        .filter_map(|node| node_item(&mut plans, node));
    let recently_stalled = log_error("run", recently_stalled(app)).unwrap_or_default();
    let runs = log_unreadable("run", inbox.runs()?)
        .into_iter()
        .chain(recently_stalled)
        .filter_map(|run| run_item(app, run));
    let mut items: Vec<InboxItem> = nodes.chain(runs).collect();
    let mut paths = ParentPaths {
        app,
        known: HashMap::new(),
    };
    for item in &mut items {
        item.path = paths.path_to(item.run);
    }
    items.extend(
        log_error("proposal", crate::proposals::waiting(app))
            .into_iter()
            .flatten()
            .map(proposal_item),
    );
    items.extend(
        log_unreadable("plan", inbox.plans()?)
            .into_iter()
            .map(plan_item),
    );
    items.extend(
        log_error("run", error_handlers::inbox_items(app))
            .into_iter()
            .flatten(),
    );
    items.sort_by_key(|item| item.since);
    Ok(items)
}

/// Runs that are stalled because the proposal they waited for has ended, which no process has
/// recorded yet.
fn recently_stalled(app: &App) -> Result<Vec<WaitingRun>, ApiError> {
    let mut found = Vec::new();
    for row in app.store.runs().replanning()?.rows {
        if let RunState::Stalled { message } =
            proposals::current_run_state(app.context(), row.state)?
        {
            found.push(WaitingRun {
                run: row.id,
                plan: row.plan,
                version: row.version,
                wait: RunWait::Stalled { message },
                since: row.started_at.unwrap_or(row.created_at),
            });
        }
    }
    Ok(found)
}

/// Lists ended runs, latest first.
pub(crate) fn ended(app: &App, input: EndedRunsFilter) -> Result<Vec<EndedRunView>, ApiError> {
    let runs = log_unreadable("run", app.store.inbox().ended(input.limit)?);
    let ends = runs.into_iter().filter_map(|row| {
        let plan = log_error("run", plan_version(app.context(), row.plan, row.version))?;
        let title = plan.title.clone();
        Some(EndedRunView {
            run: row.run,
            plan: row.plan,
            title,
            state: row.state,
            ended_at: row.ended_at,
        })
    });
    Ok(ends.collect())
}

/// Logs and drops damaged rows, so that one of them doesn't hide everything else.
fn log_unreadable<T>(what: &str, listing: Listing<T>) -> Vec<T> {
    for row in listing.unreadable {
        tracing::warn!(id = %row.id, detail = %row.detail, "left a {what} out of the inbox");
    }
    listing.rows
}

fn log_error<T, E: std::fmt::Display>(what: &str, found: Result<T, E>) -> Option<T> {
    found
        .inspect_err(|error| tracing::warn!(%error, "left a {what} out of the inbox"))
        .ok()
}

/// Caches plans with the index of each node, because all nodes of a large plan may be waiting at
/// once.
struct PlanCache<'app> {
    app: &'app App,
    known: HashMap<(PlanId, u32), Option<NodeIndex>>,
}

struct NodeIndex {
    plan: Arc<Plan>,
    numbers: HashMap<NodeId, usize>,
}

impl PlanCache<'_> {
    fn node_index(&mut self, plan: PlanId, version: u32) -> Option<&NodeIndex> {
        let read = || {
            let plan = log_error("plan", plan_version(self.app.context(), plan, version))?;
            let numbers = plan
                .nodes
                .iter()
                .enumerate()
                .map(|(number, node)| (node.id, number))
                .collect();
            Some(NodeIndex { plan, numbers })
        };
        self.known
            .entry((plan, version))
            .or_insert_with(read)
            .as_ref()
    }
}

fn node_item(plans: &mut PlanCache<'_>, row: NodeAwaitingPerson) -> Option<InboxItem> {
    let app = plans.app;
    let NodeIndex { plan, numbers } = plans.node_index(row.plan, row.version)?;
    let node = plan.nodes.get(*numbers.get(&row.node)?)?;
    let ask = match row.state {
        NodeState::Waiting { what } => request_of_wait(what)?,
        // A node that a person just stopped doesn't need a decision.
        NodeState::Interrupted { .. } if is_ending(&row.run_state) => return None,
        NodeState::Interrupted { detail } => {
            let session = row
                .session
                .and_then(|session| app.store.sessions().get(session).ok());
            let can_resume = session
                .is_some_and(|session| session.agent.is_some() && session.native_id.is_some());
            InboxRequest::Interrupted { detail, can_resume }
        }
        _ => return None,
    };
    Some(InboxItem {
        run: row.run,
        plan: row.plan,
        plan_title: plan.title.clone(),
        node: Some(InboxNode {
            id: node.id,
            slug: node.slug.clone(),
            title: node.title.clone(),
            session: row.session,
        }),
        path: Vec::new(),
        since: row.since,
        ask,
    })
}

/// Returns what a waiting node asks a person; `None` if it waits for something else.
fn request_of_wait(what: WaitingFor) -> Option<InboxRequest> {
    match what {
        WaitingFor::Person {
            question,
            request,
            call,
        } => Some(InboxRequest::Permission {
            question,
            request,
            call,
        }),
        WaitingFor::Approval { question } => Some(InboxRequest::Approval { question }),
        WaitingFor::Merge { conflict } => Some(InboxRequest::Merge { conflict }),
        WaitingFor::Input {
            question,
            input_type,
            options,
            due,
        } => Some(InboxRequest::Input {
            question,
            input_type,
            options,
            due,
        }),
        WaitingFor::Slot | WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. } => None,
    }
}

fn is_ending(run: &RunState) -> bool {
    matches!(
        run,
        RunState::Running {
            ending: Some(Ending::Cancelling | Ending::TimeUp { .. } | Ending::BudgetSpent)
        }
    )
}

fn run_item(app: &App, row: WaitingRun) -> Option<InboxItem> {
    let plan = log_error("run", plan_version(app.context(), row.plan, row.version))?;
    let ask = match row.wait {
        RunWait::Stalled { message } => InboxRequest::Stalled { message },
        RunWait::Review => takeover_request(app, row.run, &plan),
    };
    Some(InboxItem {
        run: row.run,
        plan: row.plan,
        plan_title: plan.title.clone(),
        node: None,
        path: Vec::new(),
        since: row.since,
        ask,
    })
}

/// The decision a person has to make about a run that was taken over.
fn takeover_request(app: &App, run: RunId, plan: &Plan) -> InboxRequest {
    let found = log_error("takeover", app.store.run_events().last_takeover(run)).flatten();
    let nodes = Nodes::new(plan);
    let details = found
        .as_ref()
        .map(|event| takeover_text::details(&nodes, event))
        .unwrap_or_default();
    InboxRequest::Takeover {
        message: found
            .map(|event| describe_event(&nodes, &event))
            .unwrap_or_default(),
        details,
    }
}

fn proposal_item((planning, proposal): (PlanId, ProposalSummary)) -> InboxItem {
    let target = proposal.target.as_ref();
    InboxItem {
        run: target
            .and_then(|target| target.run)
            .or(proposal.run)
            .unwrap_or(RunId(proposal.id.0)),
        plan: target.map_or(planning, |target| target.plan),
        plan_title: proposal.title,
        node: None,
        path: Vec::new(),
        since: proposal.updated_at,
        ask: InboxRequest::Proposal {
            proposal: proposal.id,
            what: proposal.kind,
            author: proposal.author.title,
        },
    }
}

fn plan_item(row: PlanInReview) -> InboxItem {
    InboxItem {
        run: RunId(row.plan.0),
        plan: row.plan,
        plan_title: row.title,
        node: None,
        path: Vec::new(),
        since: row.since,
        ask: InboxRequest::PlanReview {
            revision: row.revision,
            submitted_by: row.submitted_by.map(|actor| actor.to_string()),
            needs_review: row.review == ReviewState::NeedsReview,
        },
    }
}

/// Caches the paths to child runs, which many waiting nodes have in common.
struct ParentPaths<'app> {
    app: &'app App,
    known: HashMap<RunId, Vec<InboxStep>>,
}

impl ParentPaths<'_> {
    /// The nodes that lead to `run`, starting below any run that can't be read.
    fn path_to(&mut self, run: RunId) -> Vec<InboxStep> {
        if let Some(path) = self.known.get(&run) {
            return path.clone();
        }
        let step = log_error("run", self.step(run)).flatten();
        let path: Vec<InboxStep> = step.map_or_else(Vec::new, |step| {
            let mut path = self.path_to(step.run);
            path.push(step);
            path
        });
        self.known.insert(run, path.clone());
        path
    }

    /// The node that a child run executes.
    fn step(&self, run: RunId) -> Result<Option<InboxStep>, ApiError> {
        let runs = self.app.store.runs();
        let Some(parent) = runs.get(run)?.parent else {
            return Ok(None);
        };
        let above = runs.get(parent.run)?;
        let plan = plan_version(self.app.context(), above.plan, above.version)?;
        Ok(plan.node(parent.node).map(|node| InboxStep {
            run: parent.run,
            plan: above.plan,
            plan_title: plan.title.clone(),
            node: node.id,
            slug: node.slug.clone(),
            title: node.title.clone(),
        }))
    }
}
