//! One try of a planner: the plan of one node that is run for it, and its beginning.

use std::sync::Arc;

use baton_formats::planner::question;
use baton_model::artifact::cut;
use baton_model::node::{PlanningTask, Resumption};
use baton_model::plan::{Autonomy, Source};
use baton_model::planning::{NATIVE_SESSION, Proposal, ProposalEvent, ProposalKind, Round};
use baton_model::run::Command;
use baton_model::{Artifact, Node, NodeId, NodeKind, Plan, RunId, Slug};
use baton_store::{ProposalRow, StoreError};
use uuid::Uuid;

use super::{briefing, decision, order};
use crate::{Context, PlanningError, replans};

/// What planners may use: they look, and change nothing. Other agents' tools that do the same count as these.
const TOOLS: [&str; 4] = ["Read", "Glob", "Grep", "LS"];
/// How much of an answer that could not be used is told to a planner that has forgotten it, in bytes.
const ANSWER_SHOWN: usize = 60_000;
/// How long a run is left to the process that is about to begin it, in milliseconds.
pub(super) const BEGINNING: u64 = 5_000;

/// The plan whose one node is the session of a planner.
pub(super) fn planning_plan(context: &Context, proposal: &Proposal) -> Result<Plan, PlanningError> {
    let request = &proposal.request;
    let kind = request.subject.kind();
    let prompt = briefing::of(context, proposal)?.prompt(request);
    let task = PlanningTask {
        agent: request.agent.clone(),
        model: request.model.clone(),
        prompt,
        question: question(
            kind,
            order::default_agent(context, decision::base(context, proposal)?.as_deref()).as_deref(),
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
    node.tools_required = TOOLS.map(str::to_owned).to_vec();
    node.after_crash = baton_model::node::AfterCrash::Restart;
    let mut plan = Plan::new(proposal.planning, title);
    plan.cwd = Some(request.cwd.clone());
    plan.settings.autonomy = Some(Autonomy::RefuseGuarded);
    plan.origin.source = Source::Agent;
    plan.nodes = vec![node];
    Ok(plan)
}

fn title(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Generate => "Draw up a plan",
        ProposalKind::FromSession => "Make a plan from a session",
        ProposalKind::Split => "Divide a node",
        ProposalKind::Explain => "Explain a plan",
        ProposalKind::Replan => "Plan anew",
    }
}

/// Lets the planner try again, with all that was said so far.
pub(super) fn again(
    context: &Context,
    row: ProposalRow,
    event: &ProposalEvent,
) -> Result<ProposalRow, PlanningError> {
    let ProposalRow {
        mut proposal,
        revision,
    } = row;
    decision::step(&mut proposal, event)?;
    let plan = planning_plan(context, &proposal)?;
    next(context, proposal, revision, plan, Vec::new())
}

/// Lets the planner repair an answer that could not be used.
pub(super) fn repair(
    context: &Context,
    row: ProposalRow,
    answer: &Artifact,
    faults: Vec<String>,
) -> Result<ProposalRow, PlanningError> {
    let ProposalRow { proposal, revision } = row;
    let (_, mut plan) = context.store.plans().current(proposal.planning)?;
    let native = answer.outputs.get(NATIVE_SESSION);
    let list: String = faults.iter().map(|fault| format!("- {fault}\n")).collect();
    let order = format!(
        "Your answer cannot be used as it is:\n\n{list}\nMend all of that and keep the rest. You will be asked for the whole corrected answer next."
    );
    for node in &mut plan.nodes {
        let NodeKind::Planning(task) = &mut node.kind else {
            continue;
        };
        task.resumes = native.map(|native| Resumption {
            native: native.clone(),
            prompt: order.clone(),
        });
        let shown = cut(&answer.text, ANSWER_SHOWN);
        task.prompt
            .extend(["\n## Your answer\n", &*shown, "\n\n", &order, "\n"]);
    }
    next(context, proposal, revision, plan, faults)
}

fn next(
    context: &Context,
    mut proposal: Proposal,
    revision: u64,
    plan: Plan,
    faults: Vec<String>,
) -> Result<ProposalRow, PlanningError> {
    let now = context.now();
    proposal.rounds.push(Round {
        run: RunId(Uuid::now_v7()),
        at: now,
        faults,
    });
    proposal.updated_at = now;
    let row =
        context
            .store
            .proposals()
            .update(&proposal, revision, Some(&plan), &context.actor())?;
    begin(context, &row.proposal)?;
    replans::tell_run(context, &row.proposal);
    Ok(row)
}

/// Begins the latest round. Whoever is second finds the run there, and all is well.
pub(super) fn begin(context: &Context, proposal: &Proposal) -> Result<(), PlanningError> {
    let Some(round) = proposal.rounds.last() else {
        return Ok(());
    };
    let (record, plan) = context.store.plans().current(proposal.planning)?;
    context.follow_proposals();
    match context
        .engine
        .begin_named(round.run, Arc::new(plan), record.version, context.actor())
    {
        Err(baton_engine::EngineError::Store(StoreError::Exists { .. })) => Ok(()),
        // Another thread of this process was quicker.
        Err(_) if context.store.runs().get(round.run).is_ok() => Ok(()),
        begun => Ok(begun?),
    }
}

/// Ends the session of the latest round. One that has ended already needs no end.
pub(super) fn call_off(context: &Context, proposal: &Proposal) {
    let Some(round) = proposal.rounds.last() else {
        return;
    };
    if let Err(error) = context
        .engine
        .command(round.run, Command::Cancel, context.actor())
    {
        tracing::debug!(run = %round.run, %error, "a planner was not called off");
    }
}
