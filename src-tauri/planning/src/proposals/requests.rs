//! Requests for planners.

use std::path::Path;

use baton_model::planning::{Proposal, ProposalState, Request, Round, Subject};
use baton_model::{NodeId, Plan, PlanId, ProposalId, RunId, RunState, SessionId};
use baton_store::{ProposalRow, ProposalsFilter};
use uuid::Uuid;

use super::existing_planner::{self, ExistingPlanner};
use super::freshness::basis;
use super::given_context::GivenContext;
use super::lifetime::lifetime_ms;
use super::planning_agent::planning_agent;
use super::{list, round, session_text};
use crate::{Context, PlanningError, RefusalReason, replans};

/// The maximum length of a goal or wish, in bytes. Longer context belongs in a file in the
/// directory.
const GOAL_LIMIT: usize = 50 * 1024;

/// The agent and model that plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Planner {
    /// `None` for the default agent.
    pub agent: Option<String>,
    /// `None` for the agent's default.
    pub model: Option<String>,
}

/// The session from which to make a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionSource {
    /// A session that Baton ran for a node.
    Session(SessionId),
    /// A transcript from an agent's own history, by its id in the index.
    Transcript(String),
}

/// Asks an agent for a plan for a goal.
pub fn generate(
    context: &Context,
    goal: String,
    cwd: String,
    given: GivenContext,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    if goal.trim().is_empty() {
        return Err(
            PlanningError::new(RefusalReason::BadInput, "the goal is empty")
                .with_fix("write what should be true when the plan is done"),
        );
    }
    let details = RequestDetails {
        wish: goal,
        cwd,
        given: given.checked()?,
        automatic: false,
    };
    // If two processes request the same at the same time, the second one finds the planner of the
    // first.
    let _lock = context.interprocess_lock()?;
    submit(context, Subject::Goal, details, planner)
}

/// Asks an agent for a plan made from a session, to be run in `cwd` or in the directory of the
/// session.
pub fn from_session(
    context: &Context,
    origin: SessionSource,
    wish: String,
    cwd: Option<String>,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let (subject, place) = match origin {
        SessionSource::Session(session) => (
            Subject::Session { session },
            session_text::session_cwd(context, session),
        ),
        SessionSource::Transcript(transcript) => {
            let place = session_text::transcript_cwd(context, &transcript)?;
            (Subject::Transcript { transcript }, place)
        }
    };
    let unknown = || {
        let message = "the session's working directory is unknown";
        PlanningError::new(RefusalReason::BadInput, message).with_fix("choose a directory")
    };
    let details = RequestDetails {
        wish,
        cwd: cwd.or(place).ok_or_else(unknown)?,
        given: GivenContext::default(),
        automatic: false,
    };
    submit(context, subject, details, planner)
}

/// Asks an agent for the nodes of a plan, whose description is the goal. `given` comes on top of the
/// plan's own constraints.
pub fn fill(
    context: &Context,
    plan: PlanId,
    given: GivenContext,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let given = given.checked()?;
    let _lock = context.interprocess_lock()?;
    let (plan, version) = current_plan(context, plan)?;
    if plan.description.trim().is_empty() {
        let message = "the plan has no description, which is the goal of the planner";
        return Err(PlanningError::new(RefusalReason::Refused, message)
            .with_fix("describe what should be true when the plan is done"));
    }
    if let Some(latest) = context.store.runs().list(Some(plan.id), 1)?.rows.first() {
        replans::refuse_running(context, latest.id)?;
    }
    let subject = Subject::Fill {
        plan: plan.id,
        version,
    };
    let mut details = details_from_plan(&plan, plan.description.clone())?;
    details.given = given.after_constraints(details.given.constraints);
    submit(context, subject, details, planner)
}

/// Asks an agent to split a node into several.
pub fn split(
    context: &Context,
    plan: PlanId,
    node: NodeId,
    wish: String,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let (plan, version) = current_plan(context, plan)?;
    require_node(&plan, node)?;
    let subject = Subject::Split {
        plan: plan.id,
        version,
        node,
    };
    submit(context, subject, details_from_plan(&plan, wish)?, planner)
}

/// Asks an agent to explain a plan or one of its nodes.
pub fn explain(
    context: &Context,
    plan: PlanId,
    node: Option<NodeId>,
    wish: String,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let (plan, version) = current_plan(context, plan)?;
    node.map(|node| require_node(&plan, node)).transpose()?;
    let subject = Subject::Explain {
        plan: plan.id,
        version,
        node,
    };
    submit(context, subject, details_from_plan(&plan, wish)?, planner)
}

/// Asks an agent for a new version of the plan after a run that did not complete.
pub fn replan(
    context: &Context,
    run: RunId,
    node: Option<NodeId>,
    wish: String,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let begun = {
        let _lock = context.interprocess_lock()?;
        let (subject, details) = replan_request(context, run, node, wish, false)?;
        submit(context, subject, details, planner)?
    };
    replans::notify_run(context, &begun);
    Ok(begun)
}

/// The outcome of a request.
pub(super) enum RequestOutcome {
    /// A planner has started, or was taken over.
    Started(Box<Proposal>),
    /// Another planner already works on the same goal. Nothing was started.
    AlreadyPlanned {
        /// Its status and what to do, for people.
        sentence: String,
    },
}

/// Requests a replan by the default agent because the plan enables that. The caller holds the
/// interprocess lock and notifies the run.
pub(super) fn replan_automatically(
    context: &Context,
    run: RunId,
) -> Result<RequestOutcome, PlanningError> {
    let (subject, details) = replan_request(context, run, None, String::new(), true)?;
    submit_unless_planned(context, subject, details, Planner::default())
}

fn replan_request(
    context: &Context,
    run: RunId,
    node: Option<NodeId>,
    wish: String,
    automatic: bool,
) -> Result<(Subject, RequestDetails), PlanningError> {
    let row = context.store.runs().get(run)?;
    replans::refuse_running(context, run)?;
    if let RunState::Replanning { .. } = row.state {
        let message = "a new version for this run is already in progress or waiting for you";
        return Err(PlanningError::new(RefusalReason::Refused, message)
            .with_fix("decide on that one first"));
    }
    let (plan, version) = current_plan(context, row.plan)?;
    node.map(|node| require_node(&plan, node)).transpose()?;
    let subject = Subject::Replan {
        plan: plan.id,
        version,
        run,
        node,
    };
    Ok((
        subject,
        RequestDetails {
            automatic,
            ..details_from_plan(&plan, wish)?
        },
    ))
}

/// The common parts of all requests.
struct RequestDetails {
    wish: String,
    cwd: String,
    given: GivenContext,
    automatic: bool,
}

fn details_from_plan(plan: &Plan, wish: String) -> Result<RequestDetails, PlanningError> {
    let missing = || {
        PlanningError::new(RefusalReason::Refused, "the plan has no working directory")
            .with_fix("choose one in its settings first")
    };
    let cwd = plan.cwd.clone().ok_or_else(missing)?;
    Ok(RequestDetails {
        wish,
        cwd,
        given: GivenContext {
            constraints: plan.settings.constraints.clone(),
            ..GivenContext::default()
        },
        automatic: false,
    })
}

fn current_plan(context: &Context, plan: PlanId) -> Result<(Plan, u32), PlanningError> {
    let (record, plan) = context.store.plans().current(plan)?;
    Ok((plan, record.version))
}

fn require_node(plan: &Plan, node: NodeId) -> Result<(), PlanningError> {
    let found = plan.node(node).filter(|node| node.is_executable());
    found
        .map(|_| ())
        .ok_or_else(|| PlanningError::new(RefusalReason::NotFound, "the plan has no such node"))
}

/// Fails if nodes for the same plan wait for a person's decision already.
fn refuse_second_fill(context: &Context, subject: &Subject) -> Result<(), PlanningError> {
    let Subject::Fill { plan, .. } = subject else {
        return Ok(());
    };
    let filter = ProposalsFilter {
        open: true,
        plan: Some(*plan),
        limit: list::LIST_LIMIT,
    };
    let open = list::list(context, filter)?;
    let mut fills = open
        .iter()
        .filter(|other| matches!(other.request.subject, Subject::Fill { .. }));
    let Some(first) = fills.next() else {
        return Ok(());
    };
    let message = format!(
        "nodes for this plan are proposed already, in proposal {}",
        first.id
    );
    Err(PlanningError::new(RefusalReason::Refused, message)
        .with_fix("accept, reject or cancel that proposal first"))
}

fn submit(
    context: &Context,
    subject: Subject,
    details: RequestDetails,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    match submit_unless_planned(context, subject, details, planner)? {
        RequestOutcome::Started(proposal) => Ok(*proposal),
        RequestOutcome::AlreadyPlanned { sentence } => {
            Err(PlanningError::new(RefusalReason::Refused, sentence))
        }
    }
}

/// Starts a planner, or takes over a stale one that worked on the same.
fn submit_unless_planned(
    context: &Context,
    subject: Subject,
    details: RequestDetails,
    planner: Planner,
) -> Result<RequestOutcome, PlanningError> {
    let begun = |row: ProposalRow| RequestOutcome::Started(Box::new(row.proposal));
    let RequestDetails {
        wish,
        cwd,
        given,
        automatic,
    } = details;
    if wish.len() > GOAL_LIMIT {
        let message = format!("the goal is longer than {} KB", GOAL_LIMIT / 1024);
        return Err(PlanningError::new(RefusalReason::BadInput, message)
            .with_fix("put it into a file in the directory and refer to the file"));
    }
    if !Path::new(&cwd).is_dir() {
        return Err(PlanningError::new(
            RefusalReason::BadInput,
            format!("the directory {cwd} doesn't exist"),
        )
        .with_fix("create it, or choose another"));
    }
    let agent = planning_agent(context, planner.agent.as_deref())?;
    let model = planner.model.filter(|model| !model.trim().is_empty());
    let life = lifetime_ms(context, &cwd, automatic)?;
    let request = Request {
        subject,
        wish: wish.trim().to_owned(),
        cwd,
        agent,
        model,
        constraints: given.constraints,
        existing_code: given.existing_code,
        memories: given.memories,
        automatic,
    };
    match existing_planner::find_existing_planner(context, &request)? {
        ExistingPlanner::None => {}
        ExistingPlanner::TakenOver(row) => return Ok(begun(*row)),
        ExistingPlanner::Running { sentence } => {
            return Ok(RequestOutcome::AlreadyPlanned { sentence });
        }
    }
    refuse_second_fill(context, &request.subject)?;
    let now = context.now();
    let proposal = Proposal {
        id: ProposalId(Uuid::now_v7()),
        request,
        state: ProposalState::Working,
        planning: Some(PlanId(Uuid::now_v7())),
        submission: None,
        rounds: vec![Round {
            run: RunId(Uuid::now_v7()),
            at: now,
            faults: Vec::new(),
        }],
        rejections: 0,
        feedback: Vec::new(),
        draft: None,
        reviewed: None,
        comments: Vec::new(),
        created_at: now,
        updated_at: now,
        expires_at: now.plus_ms(life),
        promised: None,
    };
    let planning = round::planning_plan(context, &proposal)?;
    let basis = basis(context, &proposal.request.cwd);
    let row =
        context
            .store
            .proposals()
            .create(&proposal, Some(&planning), &basis, &context.actor())?;
    if automatic {
        baton_engine::crash_point("after planner");
    }
    round::begin(context, &row.proposal)?;
    Ok(begun(row))
}
