//! An agent that resolves a merge conflict, running as a plan with one node in the worktree with
//! the conflict markers.
//!
//! It is a regular plan, so its session can be watched, stopped, and retried. When it is done, a
//! person reviews the files and merges them. Remaining conflict markers keep the conflict open.

use baton_model::node::AgentTask;
use baton_model::{Node, NodeId, NodeKind, Plan, PlanId, Run, Slug};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, plans, runs};

/// Asks an agent to resolve the conflict.
pub(crate) fn start_conflict_agent(
    app: &App,
    input: MergeBackConflictAgent,
) -> Result<RunView, ApiError> {
    let (run, conflict) = super::open_conflict(app, input.run)?;
    refuse_while_running(app, &run)?;
    let title = format!("Resolve merge conflict in “{}”", run.plan().title);
    let prompt = baton_engine::merge_back_prompt(&conflict, &run.plan().title);
    let agent = input
        .agent
        .or_else(|| Some(app.engine.agents().default_name()));
    let task = AgentTask {
        agent,
        prompt,
        ..AgentTask::default()
    };
    let name = "Resolve the conflict";
    let mut plan = Plan::new(PlanId(Uuid::now_v7()), &title);
    plan.cwd = Some(conflict.place);
    plan.nodes = vec![Node::new(
        NodeId(Uuid::now_v7()),
        Slug::from_title(name),
        name,
        NodeKind::Agent(task),
    )];
    let made = plans::create_from(app, plan)?;
    let plan = made.plan.id;
    // The person who starts the agent has seen what it is asked to do.
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
            base_revision: None,
            finished: Vec::new(),
        },
    )
}

/// The run of the last agent that was asked to resolve the conflict in the worktree `place`.
pub(super) fn latest_run(app: &App, place: &str) -> Result<Option<ConflictAgentRun>, ApiError> {
    let plans = app.store.plans().list()?.rows;
    // The list has the latest change first.
    let found = plans
        .into_iter()
        .filter(|row| row.cwd.as_deref() == Some(place))
        .find_map(|row| {
            let run = row.last_run?;
            Some(ConflictAgentRun {
                plan: row.record.plan,
                run: run.run,
                state: run.state,
            })
        });
    Ok(found)
}

/// Fails while an agent is resolving the conflict, because its work would be incomplete.
pub(super) fn refuse_while_running(app: &App, run: &Run) -> Result<(), ApiError> {
    let Some(open) = baton_engine::pending_merge_back(run.id(), app.store.data_dir()) else {
        return Ok(());
    };
    match latest_run(app, &open.place)? {
        Some(solver) if !solver.state.has_ended() => {
            let sentence = "an agent is still resolving this conflict";
            Err(ApiError::new(Code::Refused, sentence).with_fix("wait for it, or cancel its run"))
        }
        _ => Ok(()),
    }
}
