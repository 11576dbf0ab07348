//! What a planner is asked for.

use std::path::Path;

use baton_model::arbiter::team_name;
use baton_model::planning::{Proposal, ProposalState, Request, Round, Subject};
use baton_model::{NodeId, Plan, PlanId, ProposalId, RunId, RunState};
use uuid::Uuid;

use super::duplicate::{self, Met};
use super::{round, session_text, view};
use crate::agents::find;
use crate::settings::StoredSettings;
use crate::wire::*;
use crate::{ApiError, App, Code, plans, replans};

/// The most of a goal or wish, in bytes. Longer context belongs into a file of the directory.
const WISH_LIMIT: usize = 50 * 1024;

/// Lets an agent draw up a plan for a goal.
pub(crate) fn generate(app: &App, input: PlanGenerate) -> Result<ProposalView, ApiError> {
    if input.goal.trim().is_empty() {
        return Err(ApiError::new(Code::BadInput, "the goal is empty")
            .with_fix("write what should be true when the plan is done"));
    }
    let cwd = plans::absolute(&input.cwd)?;
    let hand = Hand {
        agent: input.agent,
        model: input.model,
    };
    let constraints = input
        .constraints
        .into_iter()
        .filter(|sentence| !sentence.trim().is_empty())
        .collect();
    // Of two processes that ask for the same at once, the second finds the planner of the first.
    let _turn = app.turn()?;
    order(
        app,
        Subject::Goal,
        Order {
            wish: input.goal,
            cwd,
            constraints,
            automatic: false,
        },
        hand,
    )
}

/// Lets an agent make a plan from a session.
pub(crate) fn from_session(app: &App, input: PlanFromSession) -> Result<ProposalView, ApiError> {
    let (subject, place) = match (input.session, input.transcript) {
        (Some(session), None) => (
            Subject::Session { session },
            session_text::place_of(app, session)?,
        ),
        (None, Some(transcript)) => {
            let place = session_text::place_of_transcript(app, &transcript)?;
            (Subject::Transcript { transcript }, place)
        }
        _ => {
            return Err(ApiError::new(
                Code::BadInput,
                "both a session and a transcript are named, or neither",
            )
            .with_fix("name one of the two"));
        }
    };
    let cwd = input
        .cwd
        .as_deref()
        .map(plans::absolute)
        .transpose()?
        .or(place);
    let cwd = cwd.ok_or_else(|| {
        ApiError::new(
            Code::BadInput,
            "the directory in which the session ran is not known",
        )
        .with_fix("choose a directory")
    })?;
    let hand = Hand {
        agent: input.agent,
        model: input.model,
    };
    order(
        app,
        subject,
        Order {
            wish: input.wish,
            cwd,
            constraints: Vec::new(),
            automatic: false,
        },
        hand,
    )
}

/// Lets an agent divide a node.
pub(crate) fn split(app: &App, input: PlanSplit) -> Result<ProposalView, ApiError> {
    let (plan, version) = current(app, input.plan)?;
    let node = input.node;
    require_node(&plan, node)?;
    let hand = Hand {
        agent: input.agent,
        model: input.model,
    };
    order(
        app,
        Subject::Split {
            plan: plan.id,
            version,
            node,
        },
        about(&plan, input.wish)?,
        hand,
    )
}

/// Lets an agent explain a plan, or a node of it.
pub(crate) fn explain(app: &App, input: PlanExplain) -> Result<ProposalView, ApiError> {
    let (plan, version) = current(app, input.plan)?;
    let node = input.node;
    node.map(|node| require_node(&plan, node)).transpose()?;
    let hand = Hand {
        agent: input.agent,
        model: input.model,
    };
    order(
        app,
        Subject::Explain {
            plan: plan.id,
            version,
            node,
        },
        about(&plan, input.wish)?,
        hand,
    )
}

/// Lets an agent plan anew after a run that did not come to its end.
pub(crate) fn replan(app: &App, input: RunReplan) -> Result<ProposalView, ApiError> {
    let hand = Hand {
        agent: input.agent,
        model: input.model,
    };
    let begun = {
        let _turn = app.turn()?;
        replan_as(app, input.run, input.node, input.wish, hand)?
    };
    replans::tell_run(app, &app.store.proposals().get(begun.summary.id)?.proposal);
    Ok(begun)
}

/// What came of an order.
pub(crate) enum Ordered {
    /// A planner works on it.
    Begun(Box<ProposalView>),
    /// Another one works on the same goal already, and nothing was begun.
    Planned {
        /// How that one is, and what to do, for people.
        sentence: String,
    },
}

/// Lets the default agent propose a new version because the plan asks for it. The caller has the turn, and tells the run.
pub(crate) fn replan_automatically(app: &App, run: RunId) -> Result<Ordered, ApiError> {
    let (subject, order) = replan_order(app, run, None, String::new(), true)?;
    order_unless_planned(app, subject, order, Hand::default())
}

fn replan_as(
    app: &App,
    run: RunId,
    node: Option<NodeId>,
    wish: String,
    hand: Hand,
) -> Result<ProposalView, ApiError> {
    let (subject, made) = replan_order(app, run, node, wish, false)?;
    order(app, subject, made, hand)
}

fn replan_order(
    app: &App,
    run: RunId,
    node: Option<NodeId>,
    wish: String,
    automatic: bool,
) -> Result<(Subject, Order), ApiError> {
    let row = app.store.runs().get(run)?;
    replans::refuse_running(app, run)?;
    if let RunState::Replanning { .. } = row.state {
        let message = "a new version for this run is being made or waits for you already";
        return Err(ApiError::new(Code::Refused, message).with_fix("decide on that one first"));
    }
    let (plan, version) = current(app, row.plan)?;
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

/// Who shall plan.
#[derive(Default)]
struct Hand {
    agent: Option<String>,
    model: Option<String>,
}

fn about(plan: &Plan, wish: String) -> Result<Order, ApiError> {
    let missing = || {
        ApiError::new(Code::Refused, "the plan has no working directory")
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

fn current(app: &App, plan: PlanId) -> Result<(Plan, u32), ApiError> {
    let (record, plan) = app.store.plans().current(plan)?;
    Ok((plan, record.version))
}

fn require_node(plan: &Plan, node: NodeId) -> Result<(), ApiError> {
    let found = plan.node(node).filter(|node| node.is_executable());
    found
        .map(|_| ())
        .ok_or_else(|| ApiError::new(Code::NotFound, "the plan has no such node"))
}

fn order(app: &App, subject: Subject, order: Order, hand: Hand) -> Result<ProposalView, ApiError> {
    match order_unless_planned(app, subject, order, hand)? {
        Ordered::Begun(view) => Ok(*view),
        Ordered::Planned { sentence } => Err(ApiError::new(Code::Refused, sentence)),
    }
}

/// Begins a planner, or goes on with a stale one that worked on the same.
fn order_unless_planned(
    app: &App,
    subject: Subject,
    order: Order,
    hand: Hand,
) -> Result<Ordered, ApiError> {
    let begun = |view| Ordered::Begun(Box::new(view));
    let Order {
        wish,
        cwd,
        constraints,
        automatic,
    } = order;
    if wish.len() > WISH_LIMIT {
        let message = format!("the goal is longer than {} KB", WISH_LIMIT / 1024);
        return Err(ApiError::new(Code::BadInput, message)
            .with_fix("put it into a file of the directory, and name the file"));
    }
    if !Path::new(&cwd).is_dir() {
        return Err(
            ApiError::new(Code::BadInput, format!("the directory {cwd} doesn't exist"))
                .with_fix("create it, or choose another"),
        );
    }
    let agent = planner(app, hand.agent.as_deref())?;
    let model = hand.model.filter(|model| !model.trim().is_empty());
    let life = StoredSettings::read(&app.store)?
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
    match duplicate::look(app, &request)? {
        Met::Nobody => {}
        Met::TakenOver(row) => return view::view(app, &row.proposal).map(begun),
        Met::Planner { sentence } => return Ok(Ordered::Planned { sentence }),
    }
    let now = app.now();
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
    let planning = round::planning_plan(app, &proposal)?;
    let row = app
        .store
        .proposals()
        .create(&proposal, &planning, &app.actor())?;
    if automatic {
        baton_engine::crash_point("after planner");
    }
    round::begin(app, &row.proposal)?;
    view::view(app, &row.proposal).map(begun)
}

/// The names of the agents whose program is on this machine.
pub(crate) fn installed(app: &App) -> Vec<String> {
    let environment = app.engine.environment();
    let is_here = |program: &str| find(program, &environment).is_some();
    let agents = app.engine.agents().all().into_iter();
    agents
        .filter(|agent| is_here(&agent.probe().program))
        .map(|agent| agent.id().to_owned())
        .collect()
}

/// The default agent of `plan`, or of a new plan, if its program is on this machine. A team is there
/// as long as it is defined.
pub(super) fn default_agent(app: &App, plan: Option<&Plan>) -> Option<String> {
    let default = plan.and_then(|plan| plan.settings.agent.clone());
    let default = default.unwrap_or_else(|| app.engine.agents().default_name());
    (team_name(&default).is_some() || installed(app).contains(&default)).then_some(default)
}

/// The agent that plans: the one that is named, or the default one, or else any that is there.
fn planner(app: &App, named: Option<&str>) -> Result<String, ApiError> {
    let installed = installed(app);
    if installed.is_empty() {
        let message = "no coding agent is installed on this machine";
        return Err(ApiError::new(Code::NoAgent, message)
            .with_fix("install one, or begin with a template or a plan file"));
    }
    let is_here = |name: &str| installed.iter().any(|other| other == name);
    match named {
        Some(name) if is_here(name) => Ok(name.to_owned()),
        Some(name) => {
            let message = format!("the agent '{name}' is not installed");
            Err(ApiError::new(Code::Refused, message)
                .with_fix(format!("choose one of {}", installed.join(", "))))
        }
        None => {
            let default = app.engine.agents().default_name();
            Ok(if is_here(&default) {
                default
            } else {
                installed[0].clone()
            })
        }
    }
}
