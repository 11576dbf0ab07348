//! What waits for the person, over all runs.
//!
//! Only looks. What a person says to it goes to the operations on nodes and runs.

use std::collections::HashMap;
use std::sync::Arc;

use baton_model::run::{Ending, WaitingFor};
use baton_model::{NodeId, NodeState, Plan, PlanId, RunId, RunState};
use baton_planning::replans;
use baton_store::{AskingNode, Listing, RunWait, WaitingRun};

use crate::sentence::{Nodes, of_event};
use crate::wire::*;
use crate::{ApiError, App, plans, takeover_words};

/// Lists everything that waits for the person, what waits longest first.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<InboxItem>, ApiError> {
    let inbox = app.store.inbox();
    let mut plans = Plans {
        app,
        known: HashMap::new(),
    };
    let nodes = readable("node", inbox.nodes()?)
        .into_iter()
        .filter_map(|node| of_node(&mut plans, node));
    let stalled_again = known("run", stalled_again(app)).unwrap_or_default();
    let runs = readable("run", inbox.runs()?)
        .into_iter()
        .chain(stalled_again)
        .filter_map(|run| of_run(app, run));
    let mut items: Vec<InboxItem> = nodes.chain(runs).collect();
    let mut paths = Paths {
        app,
        known: HashMap::new(),
    };
    for item in &mut items {
        item.path = paths.to(item.run);
    }
    items.extend(
        known("proposal", crate::proposals::waiting(app))
            .into_iter()
            .flatten()
            .map(of_proposal),
    );
    items.sort_by_key(|item| item.since);
    Ok(items)
}

/// Runs that were stalled before they waited for a proposal which has ended since, and that no process has told yet.
fn stalled_again(app: &App) -> Result<Vec<WaitingRun>, ApiError> {
    let mut found = Vec::new();
    for row in app.store.runs().replanning()?.rows {
        if let RunState::Stalled { message } = replans::current_state(app.context(), row.state)? {
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

/// Lists the runs that came to their end, the latest first.
pub(crate) fn ended(app: &App, input: RunsEnded) -> Result<Vec<RunEnd>, ApiError> {
    let runs = readable("run", app.store.inbox().ended(input.limit)?);
    let ends = runs.into_iter().filter_map(|row| {
        let plan = known("run", plans::content(app, row.plan, row.version))?;
        let title = plan.title.clone();
        Some(RunEnd {
            run: row.run,
            plan: row.plan,
            title,
            state: row.state,
            ended_at: row.ended_at,
        })
    });
    Ok(ends.collect())
}

/// The rows without the damaged ones: one of these must not hide everything else that waits.
fn readable<T>(what: &str, listing: Listing<T>) -> Vec<T> {
    for row in listing.unreadable {
        tracing::warn!(id = %row.id, detail = %row.detail, "a {what} is left out of the inbox");
    }
    listing.rows
}

fn known<T, E: std::fmt::Display>(what: &str, found: Result<T, E>) -> Option<T> {
    found
        .inspect_err(|error| tracing::warn!(%error, "a {what} is left out of the inbox"))
        .ok()
}

/// The plans of asking nodes with the place of each node: all nodes of a large plan may ask at once.
struct Plans<'app> {
    app: &'app App,
    known: HashMap<(PlanId, u32), Option<Places>>,
}

struct Places {
    plan: Arc<Plan>,
    numbers: HashMap<NodeId, usize>,
}

impl Plans<'_> {
    fn places(&mut self, plan: PlanId, version: u32) -> Option<&Places> {
        let read = || {
            let plan = known("plan", plans::content(self.app, plan, version))?;
            let numbers = plan
                .nodes
                .iter()
                .enumerate()
                .map(|(number, node)| (node.id, number))
                .collect();
            Some(Places { plan, numbers })
        };
        self.known
            .entry((plan, version))
            .or_insert_with(read)
            .as_ref()
    }
}

fn of_node(plans: &mut Plans<'_>, row: AskingNode) -> Option<InboxItem> {
    let app = plans.app;
    let Places { plan, numbers } = plans.places(row.plan, row.version)?;
    let node = plan.nodes.get(*numbers.get(&row.node)?)?;
    let ask = match row.state {
        NodeState::Waiting { what } => of_wait(what)?,
        // What a person has just ended is no question to them.
        NodeState::Interrupted { .. } if is_being_ended(&row.run_state) => return None,
        NodeState::Interrupted { detail } => {
            let session = row
                .session
                .and_then(|session| app.store.sessions().get(session).ok());
            let can_resume = session
                .is_some_and(|session| session.agent.is_some() && session.native_id.is_some());
            InboxAsk::Interrupted { detail, can_resume }
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

/// What a waiting node asks of a person; none when it waits for something else.
fn of_wait(what: WaitingFor) -> Option<InboxAsk> {
    match what {
        WaitingFor::Person {
            question,
            request,
            call,
        } => Some(InboxAsk::Permission {
            question,
            request,
            call,
        }),
        WaitingFor::Approval { question } => Some(InboxAsk::Approval { question }),
        WaitingFor::Merge { conflict } => Some(InboxAsk::Merge { conflict }),
        WaitingFor::Input {
            question,
            input_type,
            options,
            due,
        } => Some(InboxAsk::Input {
            question,
            input_type,
            options,
            due,
        }),
        WaitingFor::Slot | WaitingFor::RetryAt { .. } | WaitingFor::LimitUntil { .. } => None,
    }
}

fn is_being_ended(run: &RunState) -> bool {
    matches!(
        run,
        RunState::Running {
            ending: Some(Ending::Cancelling | Ending::TimeUp { .. } | Ending::BudgetSpent)
        }
    )
}

fn of_run(app: &App, row: WaitingRun) -> Option<InboxItem> {
    let plan = known("run", plans::content(app, row.plan, row.version))?;
    let ask = match row.wait {
        RunWait::Stalled { message } => InboxAsk::Stalled { message },
        RunWait::Review => review_of(app, row.run, &plan),
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

/// What a person decides about a run that was taken over.
fn review_of(app: &App, run: RunId, plan: &Plan) -> InboxAsk {
    let found = known("takeover", app.store.run_events().last_takeover(run)).flatten();
    let nodes = Nodes::of(plan);
    let details = found
        .as_ref()
        .map(|event| takeover_words::details(&nodes, event))
        .unwrap_or_default();
    InboxAsk::Takeover {
        message: found
            .map(|event| of_event(&nodes, &event))
            .unwrap_or_default(),
        details,
    }
}

fn of_proposal((planning, proposal): (PlanId, ProposalSummary)) -> InboxItem {
    let target = proposal.target.as_ref();
    InboxItem {
        run: target.and_then(|target| target.run).unwrap_or(proposal.run),
        plan: target.map_or(planning, |target| target.plan),
        plan_title: proposal.title,
        node: None,
        path: Vec::new(),
        since: proposal.updated_at,
        ask: InboxAsk::Proposal {
            proposal: proposal.id,
            what: proposal.kind,
            author: proposal.author.title,
        },
    }
}

/// The nodes that lead to runs, which many asking nodes have in common.
struct Paths<'app> {
    app: &'app App,
    known: HashMap<RunId, Vec<InboxStep>>,
}

impl Paths<'_> {
    /// The nodes that lead to `run`; where one cannot be read, those below it.
    fn to(&mut self, run: RunId) -> Vec<InboxStep> {
        if let Some(path) = self.known.get(&run) {
            return path.clone();
        }
        let step = known("run", self.step(run)).flatten();
        let path: Vec<InboxStep> = step.map_or_else(Vec::new, |step| {
            let mut path = self.to(step.run);
            path.push(step);
            path
        });
        self.known.insert(run, path.clone());
        path
    }

    /// The node for which a run stands.
    fn step(&self, run: RunId) -> Result<Option<InboxStep>, ApiError> {
        let runs = self.app.store.runs();
        let Some(parent) = runs.get(run)?.parent else {
            return Ok(None);
        };
        let above = runs.get(parent.run)?;
        let plan = plans::content(self.app, above.plan, above.version)?;
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
