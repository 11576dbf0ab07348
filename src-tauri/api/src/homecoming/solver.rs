//! An agent that settles a conflict on the way home: a plan of one node, whose directory is the worktree with the markers.
//!
//! It is a plan like any other, so that its session can be watched, stopped and tried again. When it is done, a person looks at the
//! files and brings them home; markers that it left keep the conflict open.

use baton_model::node::AgentTask;
use baton_model::{Node, NodeId, NodeKind, Plan, PlanId, Run, Slug};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, plans, runs};

/// Hands the conflict to an agent.
pub(crate) fn settle_by_agent(app: &App, input: HomeAgent) -> Result<RunView, ApiError> {
    let (run, conflict) = super::open_conflict(app, input.run)?;
    refuse_at_work(app, &run)?;
    let title = format!("Settle the merge of “{}”", run.plan().title);
    let prompt = baton_engine::homecoming_prompt(&conflict, &run.plan().title);
    let agent = input
        .agent
        .or_else(|| Some(app.engine.agents().default_name()));
    let task = AgentTask {
        agent,
        prompt,
        ..AgentTask::default()
    };
    let name = "Settle the conflict";
    let mut plan = Plan::new(PlanId(Uuid::now_v7()), &title);
    plan.cwd = Some(conflict.place);
    plan.nodes = vec![Node::new(
        NodeId(Uuid::now_v7()),
        Slug::from_title(name),
        name,
        NodeKind::Agent(task),
    )];
    let made = plans::put(app, plan)?;
    let plan = made.plan.id;
    // Whoever hands a conflict to an agent has seen what it is asked.
    plans::approve(
        app,
        PlanApprove {
            plan,
            revision: made.revision,
            anyway: false,
        },
    )?;
    runs::start(
        app,
        RunStart {
            plan,
            goal: RunGoal::All,
            limit: None,
        },
    )
}

/// The agent that was last asked to settle what stands in the worktree `place`.
pub(super) fn of(app: &App, place: &str) -> Result<Option<HomeSolver>, ApiError> {
    let plans = app.store.plans().list()?.rows;
    // The latest change is first in the list.
    let found = plans
        .into_iter()
        .filter(|row| row.cwd.as_deref() == Some(place))
        .find_map(|row| {
            let run = row.last_run?;
            Some(HomeSolver {
                plan: row.record.plan,
                run: run.run,
                state: run.state,
            })
        });
    Ok(found)
}

/// Refuses while an agent settles the conflict: half of its work would be taken.
pub(super) fn refuse_at_work(app: &App, run: &Run) -> Result<(), ApiError> {
    let Some(open) = baton_engine::open_homecoming(run.id(), app.store.data_dir()) else {
        return Ok(());
    };
    match of(app, &open.place)? {
        Some(solver) if !solver.state.has_ended() => {
            let sentence = "an agent is settling the conflict of this work";
            Err(ApiError::new(Code::Refused, sentence).with_fix("wait for it, or cancel its run"))
        }
        _ => Ok(()),
    }
}
