//! One attempt of a planner: the plan with one node that is run for it, and how it starts.

use std::sync::Arc;

use baton_formats::planner::answer_instructions;
use baton_model::artifact::truncate;
use baton_model::node::{PlanningTask, Resumption};
use baton_model::plan::{Autonomy, Source};
use baton_model::planning::{NATIVE_SESSION, Proposal, ProposalEvent, ProposalKind, Round};
use baton_model::run::Command;
use baton_model::{Artifact, Node, NodeId, NodeKind, Plan, RunId, Slug};
use baton_store::{ProposalRow, ProposalUpdate, Rejection, StoreError};
use uuid::Uuid;

use super::base::base;
use super::briefing;
use super::event::apply_event;
use super::freshness::basis;
use super::planning_agent::default_agent;
use crate::{Context, PlanningError, RefusalReason, replans};

/// The read-only tools that planners may use. Equivalent tools of other agents count as these.
const PLANNER_TOOLS: [&str; 4] = ["Read", "Glob", "Grep", "LS"];
/// The maximum length of a rejected answer in the repair prompt, for agents that cannot resume a
/// session. In bytes.
const ANSWER_LIMIT: usize = 60_000;
/// How long other processes wait for the process that should start a run, in milliseconds.
pub(super) const START_GRACE_MS: u64 = 5_000;

/// The plan whose only node is the session of a planner.
pub(super) fn planning_plan(context: &Context, proposal: &Proposal) -> Result<Plan, PlanningError> {
    let request = &proposal.request;
    let kind = request.subject.kind();
    let prompt = briefing::build_briefing(context, proposal)?.prompt(request);
    let task = PlanningTask {
        agent: request.agent.clone(),
        model: request.model.clone(),
        prompt,
        question: answer_instructions(
            kind,
            default_agent(context, base(context, proposal)?.as_deref()).as_deref(),
        ),
        resumes: None,
    };
    let title = title(kind);
    let mut node = Node::new(
        NodeId(Uuid::now_v7()),
        Slug::from_title(title),
        title,
        NodeKind::Planning(task),
    );
    node.tools_required = PLANNER_TOOLS.map(str::to_owned).to_vec();
    node.after_crash = baton_model::node::AfterCrash::Restart;
    let Some(planning) = proposal.planning else {
        let message = "the proposal was submitted complete, so it has no planner";
        return Err(PlanningError::new(RefusalReason::Refused, message));
    };
    let mut plan = Plan::new(planning, title);
    plan.cwd = Some(request.cwd.clone());
    plan.settings.autonomy = Some(Autonomy::RefuseGuarded);
    plan.origin.source = Source::Agent;
    plan.nodes = vec![node];
    Ok(plan)
}

fn title(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Generate => "Generate a plan",
        ProposalKind::FromSession => "Make a plan from a session",
        ProposalKind::Split => "Split a node",
        ProposalKind::Explain => "Explain a plan",
        ProposalKind::Fill => "Plan for a plan's goal",
        ProposalKind::Replan => "Replan",
        // It has no planner.
        ProposalKind::Submitted => "Submit a plan",
    }
}

/// Starts another attempt of the planner, with all feedback so far.
pub(super) fn retry(
    context: &Context,
    row: ProposalRow,
    event: &ProposalEvent,
    rejection: Option<&Rejection>,
) -> Result<ProposalRow, PlanningError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = row;
    apply_event(&mut proposal, event)?;
    let plan = planning_plan(context, &proposal)?;
    let basis = basis(context, &proposal.request.cwd);
    let update = ProposalUpdate {
        planning: Some(&plan),
        rejection,
        basis: Some(&basis),
    };
    begin_next_round(context, proposal, revision, update, Vec::new())
}

/// Asks the planner to correct an invalid answer.
pub(super) fn repair(
    context: &Context,
    row: ProposalRow,
    answer: &Artifact,
    faults: Vec<String>,
) -> Result<ProposalRow, PlanningError> {
    let ProposalRow { proposal, revision } = row;
    let Some(planning) = proposal.planning else {
        return Ok(ProposalRow { proposal, revision });
    };
    let (_, mut plan) = context.store.plans().current(planning)?;
    let native = answer.outputs.get(NATIVE_SESSION);
    let list: String = faults.iter().map(|fault| format!("- {fault}\n")).collect();
    let order = format!(
        "Your answer cannot be used as it is:\n\n{list}\nFix all of these problems and keep the rest. You will be asked for the whole corrected answer next."
    );
    for node in &mut plan.nodes {
        let NodeKind::Planning(task) = &mut node.kind else {
            continue;
        };
        task.resumes = native.map(|native| Resumption {
            native: native.clone(),
            prompt: order.clone(),
        });
        let shown = truncate(&answer.text, ANSWER_LIMIT);
        task.prompt
            .extend(["\n## Your answer\n", &*shown, "\n\n", &order, "\n"]);
    }
    let update = ProposalUpdate {
        planning: Some(&plan),
        ..ProposalUpdate::default()
    };
    begin_next_round(context, proposal, revision, update, faults)
}

fn begin_next_round(
    context: &Context,
    mut proposal: Proposal,
    revision: u64,
    update: ProposalUpdate<'_>,
    faults: Vec<String>,
) -> Result<ProposalRow, PlanningError> {
    let now = context.now();
    proposal.rounds.push(Round {
        run: RunId(Uuid::now_v7()),
        at: now,
        faults,
    });
    proposal.updated_at = now;
    let row = context
        .store
        .proposals()
        .update(&proposal, revision, update, &context.actor())?;
    begin(context, &row.proposal)?;
    replans::notify_run(context, &row.proposal);
    Ok(row)
}

/// Starts the run of the latest round. Succeeds if another process or thread has started it.
pub(super) fn begin(context: &Context, proposal: &Proposal) -> Result<(), PlanningError> {
    let (Some(round), Some(planning)) = (proposal.rounds.last(), proposal.planning) else {
        return Ok(());
    };
    let (record, plan) = context.store.plans().current(planning)?;
    context.follow_proposals();
    match context
        .engine
        .begin_named(round.run, Arc::new(plan), record.version, context.actor())
    {
        Err(baton_engine::EngineError::Store(StoreError::Exists { .. })) => Ok(()),
        // Another thread of this process was faster.
        Err(_) if context.store.runs().get(round.run).is_ok() => Ok(()),
        begun => Ok(begun?),
    }
}

/// Cancels the session of the latest round, unless it has ended already.
pub(super) fn cancel_session(context: &Context, proposal: &Proposal) {
    let Some(round) = proposal.rounds.last() else {
        return;
    };
    if let Err(error) = context
        .engine
        .command(round.run, Command::Cancel, context.actor())
    {
        tracing::debug!(run = %round.run, %error, "couldn't cancel a planner's session");
    }
}
