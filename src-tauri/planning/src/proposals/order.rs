//! What a planner is asked for.

use std::path::Path;

use baton_model::arbiter::team_name;
use baton_model::planning::{Proposal, ProposalState, Request, Round, Subject};
use baton_model::{NodeId, Plan, PlanId, ProposalId, RunId, RunState, SessionId};
use baton_store::ProposalRow;
use uuid::Uuid;

use super::duplicate::{self, Met};
use super::{round, session_text};
use crate::programs::installed;
use crate::settings::StoredSettings;
use crate::{Context, PlanningError, Reason, replans};

/// The most of a goal or wish, in bytes. Longer context belongs into a file of the directory.
const WISH_LIMIT: usize = 50 * 1024;

/// Which agent plans, with which model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Planner {
    /// The agent; none: the default one.
    pub agent: Option<String>,
    /// The model; none: the agent's own choice.
    pub model: Option<String>,
}

/// A session that a plan is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A session of a node.
    Session(SessionId),
    /// A transcript from an agent's own history, as the index calls it.
    Transcript(String),
}

/// Lets an agent draw up a plan for a goal.
pub fn generate(
    context: &Context,
    goal: String,
    cwd: String,
    constraints: Vec<String>,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    if goal.trim().is_empty() {
        return Err(PlanningError::new(Reason::BadInput, "the goal is empty")
            .with_fix("write what should be true when the plan is done"));
    }
    let constraints = constraints
        .into_iter()
        .filter(|sentence| !sentence.trim().is_empty())
        .collect();
    let wanted = Order {
        wish: goal,
        cwd,
        constraints,
        automatic: false,
    };
    // Of two processes that ask for the same at once, the second finds the planner of the first.
    let _turn = context.turn()?;
    order(context, Subject::Goal, wanted, planner)
}

/// Lets an agent make a plan from a session, to be run in `cwd` or where the session ran.
pub fn from_session(
    context: &Context,
    origin: Origin,
    wish: String,
    cwd: Option<String>,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let (subject, place) = match origin {
        Origin::Session(session) => (
            Subject::Session { session },
            session_text::place_of(context, session),
        ),
        Origin::Transcript(transcript) => {
            let place = session_text::place_of_transcript(context, &transcript)?;
            (Subject::Transcript { transcript }, place)
        }
    };
    let unknown = || {
        let message = "the directory in which the session ran is not known";
        PlanningError::new(Reason::BadInput, message).with_fix("choose a directory")
    };
    let wanted = Order {
        wish,
        cwd: cwd.or(place).ok_or_else(unknown)?,
        constraints: Vec::new(),
        automatic: false,
    };
    order(context, subject, wanted, planner)
}

/// Lets an agent divide a node.
pub fn split(
    context: &Context,
    plan: PlanId,
    node: NodeId,
    wish: String,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let (plan, version) = current(context, plan)?;
    require_node(&plan, node)?;
    let subject = Subject::Split {
        plan: plan.id,
        version,
        node,
    };
    order(context, subject, about(&plan, wish)?, planner)
}

/// Lets an agent explain a plan, or a node of it.
pub fn explain(
    context: &Context,
    plan: PlanId,
    node: Option<NodeId>,
    wish: String,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let (plan, version) = current(context, plan)?;
    node.map(|node| require_node(&plan, node)).transpose()?;
    let subject = Subject::Explain {
        plan: plan.id,
        version,
        node,
    };
    order(context, subject, about(&plan, wish)?, planner)
}

/// Lets an agent replan after a run that did not complete.
pub fn replan(
    context: &Context,
    run: RunId,
    node: Option<NodeId>,
    wish: String,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    let begun = {
        let _turn = context.turn()?;
        let (subject, wanted) = replan_order(context, run, node, wish, false)?;
        order(context, subject, wanted, planner)?
    };
    replans::tell_run(context, &begun);
    Ok(begun)
}

/// What came of an order.
pub(crate) enum Ordered {
    /// A planner works on it.
    Begun(Box<Proposal>),
    /// Another one works on the same goal already, and nothing was begun.
    Planned {
        /// How that one is, and what to do, for people.
        sentence: String,
    },
}

/// Lets the default agent propose a new version because the plan asks for it. The caller has the turn, and tells the run.
pub(crate) fn replan_automatically(
    context: &Context,
    run: RunId,
) -> Result<Ordered, PlanningError> {
    let (subject, order) = replan_order(context, run, None, String::new(), true)?;
    order_unless_planned(context, subject, order, Planner::default())
}

fn replan_order(
    context: &Context,
    run: RunId,
    node: Option<NodeId>,
    wish: String,
    automatic: bool,
) -> Result<(Subject, Order), PlanningError> {
    let row = context.store.runs().get(run)?;
    replans::refuse_running(context, run)?;
    if let RunState::Replanning { .. } = row.state {
        let message = "a new version for this run is being made or waits for you already";
        return Err(
            PlanningError::new(Reason::Refused, message).with_fix("decide on that one first")
        );
    }
    let (plan, version) = current(context, row.plan)?;
    node.map(|node| require_node(&plan, node)).transpose()?;
    let subject = Subject::Replan {
        plan: plan.id,
        version,
        run,
        node,
    };
    Ok((
        subject,
        Order {
            automatic,
            ..about(&plan, wish)?
        },
    ))
}

/// What is wished, and where.
struct Order {
    wish: String,
    cwd: String,
    constraints: Vec<String>,
    automatic: bool,
}

fn about(plan: &Plan, wish: String) -> Result<Order, PlanningError> {
    let missing = || {
        PlanningError::new(Reason::Refused, "the plan has no working directory")
            .with_fix("choose one in its settings first")
    };
    let cwd = plan.cwd.clone().ok_or_else(missing)?;
    Ok(Order {
        wish,
        cwd,
        constraints: plan.settings.constraints.clone(),
        automatic: false,
    })
}

fn current(context: &Context, plan: PlanId) -> Result<(Plan, u32), PlanningError> {
    let (record, plan) = context.store.plans().current(plan)?;
    Ok((plan, record.version))
}

fn require_node(plan: &Plan, node: NodeId) -> Result<(), PlanningError> {
    let found = plan.node(node).filter(|node| node.is_executable());
    found
        .map(|_| ())
        .ok_or_else(|| PlanningError::new(Reason::NotFound, "the plan has no such node"))
}

fn order(
    context: &Context,
    subject: Subject,
    order: Order,
    planner: Planner,
) -> Result<Proposal, PlanningError> {
    match order_unless_planned(context, subject, order, planner)? {
        Ordered::Begun(proposal) => Ok(*proposal),
        Ordered::Planned { sentence } => Err(PlanningError::new(Reason::Refused, sentence)),
    }
}

/// Begins a planner, or goes on with a stale one that worked on the same.
fn order_unless_planned(
    context: &Context,
    subject: Subject,
    order: Order,
    planner: Planner,
) -> Result<Ordered, PlanningError> {
    let begun = |row: ProposalRow| Ordered::Begun(Box::new(row.proposal));
    let Order {
        wish,
        cwd,
        constraints,
        automatic,
    } = order;
    if wish.len() > WISH_LIMIT {
        let message = format!("the goal is longer than {} KB", WISH_LIMIT / 1024);
        return Err(PlanningError::new(Reason::BadInput, message)
            .with_fix("put it into a file of the directory, and name the file"));
    }
    if !Path::new(&cwd).is_dir() {
        return Err(PlanningError::new(
            Reason::BadInput,
            format!("the directory {cwd} doesn't exist"),
        )
        .with_fix("create it, or choose another"));
    }
    let agent = planning_agent(context, planner.agent.as_deref())?;
    let model = planner.model.filter(|model| !model.trim().is_empty());
    let life = StoredSettings::read(&context.store)?
        .proposal_days
        .ms(automatic);
    let request = Request {
        subject,
        wish: wish.trim().to_owned(),
        cwd,
        agent,
        model,
        constraints,
        automatic,
    };
    match duplicate::look(context, &request)? {
        Met::Nobody => {}
        Met::TakenOver(row) => return Ok(begun(*row)),
        Met::Planner { sentence } => return Ok(Ordered::Planned { sentence }),
    }
    let now = context.now();
    let proposal = Proposal {
        id: ProposalId(Uuid::now_v7()),
        request,
        state: ProposalState::Working,
        planning: PlanId(Uuid::now_v7()),
        rounds: vec![Round {
            run: RunId(Uuid::now_v7()),
            at: now,
            faults: Vec::new(),
        }],
        rejections: 0,
        feedback: Vec::new(),
        draft: None,
        created_at: now,
        updated_at: now,
        expires_at: now.plus_ms(life),
        promised: None,
    };
    let planning = round::planning_plan(context, &proposal)?;
    let row = context
        .store
        .proposals()
        .create(&proposal, &planning, &context.actor())?;
    if automatic {
        baton_engine::crash_point("after planner");
    }
    round::begin(context, &row.proposal)?;
    Ok(begun(row))
}

/// The default agent of `plan`, or of a new plan, if its program is on this machine. A team is there
/// as long as it is defined.
pub(super) fn default_agent(context: &Context, plan: Option<&Plan>) -> Option<String> {
    let default = plan.and_then(|plan| plan.settings.agent.clone());
    let default = default.unwrap_or_else(|| context.engine.agents().default_name());
    (team_name(&default).is_some() || installed(context).contains(&default)).then_some(default)
}

/// The agent that plans: the one that is named, or the default one, or else any that is there.
fn planning_agent(context: &Context, named: Option<&str>) -> Result<String, PlanningError> {
    let installed = installed(context);
    if installed.is_empty() {
        let message = "no coding agent is installed on this machine";
        return Err(PlanningError::new(Reason::NoAgent, message)
            .with_fix("install one, or begin with a template or a plan file"));
    }
    let is_here = |name: &str| installed.iter().any(|other| other == name);
    match named {
        Some(name) if is_here(name) => Ok(name.to_owned()),
        Some(name) => {
            let message = format!("the agent '{name}' is not installed");
            Err(PlanningError::new(Reason::Refused, message)
                .with_fix(format!("choose one of {}", installed.join(", "))))
        }
        None => {
            let default = context.engine.agents().default_name();
            Ok(if is_here(&default) {
                default
            } else {
                installed[0].clone()
            })
        }
    }
}
