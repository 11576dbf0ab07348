//! Planning anew after a run that did not come to its end: what its planner is told, and how a new run goes on.

use std::collections::HashMap;
use std::fmt::Write as _;

use baton_engine::{Scene, failure_of};
use baton_model::plan::ReplanMode;
use baton_model::planning::Proposal;
use baton_model::run::{Command, Inheritance, Inherited, ReplanEnd};
use baton_model::{ArtifactId, NodeId, NodeState, Plan, PlanId, ProposalId, RunId, RunState};
use baton_store::{NodeStateRow, RunRow, StoreError};

use crate::contents::content;
use crate::proposals::Ordered;
use crate::{Context, PlanningError, Reason, proposals};

/// How much of a handoff the planner is told, in characters.
const HANDOFF: usize = 1_500;

/// Refuses while a run goes on: its plan is not changed under it.
pub(crate) fn refuse_running(context: &Context, run: RunId) -> Result<(), PlanningError> {
    let row = context.store.runs().get(run)?;
    match row.state {
        RunState::Running { .. } => Err(PlanningError::new(
            Reason::Refused,
            "the run is still running",
        )
        .with_fix("pause or cancel it first")),
        _ => Ok(()),
    }
}

/// The finished nodes of a run, with what each handed on.
pub(crate) fn done_in(
    context: &Context,
    run: RunId,
) -> Result<HashMap<NodeId, Option<ArtifactId>>, PlanningError> {
    let states = states(context, run)?.into_values();
    let done = states.filter(|row| matches!(row.state, NodeState::Done { .. }) && !row.stale);
    Ok(done.map(|row| (row.node, row.artifact)).collect())
}

/// How a run went, node by node, for a planner.
pub(crate) fn story(context: &Context, plan: &Plan, run: RunId) -> Result<String, PlanningError> {
    let row = context.store.runs().get(run)?;
    let states = states(context, run)?;
    let artifacts: HashMap<NodeId, String> = context
        .store
        .artifacts()
        .latest_of(run)?
        .rows
        .into_iter()
        .map(|row| (row.node, row.content.text))
        .collect();
    let mut story = match &row.state {
        RunState::Failed { message } | RunState::Stalled { message } => {
            format!("The run {}: {message}\n", row.state.word())
        }
        RunState::Replanning { before, .. } => format!("The run failed: {}\n", before.message()),
        state => format!("The run is {}.\n", state.word()),
    };
    let graph = plan
        .graph()
        .map_err(|cycle| PlanningError::new(Reason::Internal, cycle.to_string()))?;
    let state_of = |node: NodeId| states.get(&node).map(|row| &row.state);
    let scene = Scene {
        store: &context.store,
        run,
        plan,
        graph: &graph,
        state: &state_of,
    };
    for node in plan.nodes.iter().filter(|node| node.is_executable()) {
        let state = states
            .get(&node.id)
            .map_or_else(|| "was not in this run".to_owned(), |row| words(&row.state));
        // Writing to a text cannot fail.
        let _ = writeln!(story, "- `{}` {state}", node.slug);
        let failure = failure_of(&scene, node.id)?.map(|report| report.body());
        // A handoff of before the failure is out of date.
        let left = failure
            .as_ref()
            .or_else(|| artifacts.get(&node.id))
            .map(String::as_str)
            .unwrap_or_default();
        let left: String = left.chars().take(HANDOFF).collect();
        for line in left.lines() {
            let _ = writeln!(story, "  > {line}");
        }
    }
    Ok(story)
}

fn words(state: &NodeState) -> String {
    match state {
        NodeState::Done { .. } => "is done".to_owned(),
        NodeState::Failed { failure, .. } => format!("failed: it {failure}"),
        NodeState::Interrupted { detail } => format!("was interrupted: {detail}"),
        NodeState::Skipped { .. } => "was skipped".to_owned(),
        NodeState::Pending
        | NodeState::Blocked { .. }
        | NodeState::Waiting { .. }
        | NodeState::Running => "was not done yet".to_owned(),
    }
}

/// Begins the run `run` of an approved version, in which what `before` finished and the plan did not change stays done.
/// All is well when it has begun already.
pub(crate) fn go_on(
    context: &Context,
    before: RunId,
    run: RunId,
    (plan, version): (PlanId, u32),
) -> Result<(), PlanningError> {
    let row = context.store.runs().get(before)?;
    let old = content(context, row.plan, row.version)?;
    let new = content(context, plan, version)?;
    let done = done_in(context, before)?;
    let keys = done.keys().copied().collect();
    let kept = baton_model::planning::Impact::of(&old, &new, &keys).kept;
    let taken = taken_branches(context, before)?;
    let inherited = kept.into_iter().map(|node| Inherited {
        node,
        artifact: done.get(&node).copied().flatten(),
        taken: taken.get(&node).copied(),
    });
    let inherited: Vec<Inherited> = inherited.collect();
    if !row.state.has_ended() {
        // Its unfinished nodes are the new run's now. One that ends by itself at this moment needs no end.
        if let Err(error) = context
            .engine
            .command(before, Command::Cancel, context.actor())
        {
            tracing::debug!(run = %before, %error, "the run before was not cancelled");
        }
    }
    let inherits = Inheritance {
        run: before,
        nodes: inherited,
    };
    match context
        .engine
        .begin_after(run, new, version, inherits, context.actor())
    {
        Err(baton_engine::EngineError::Store(StoreError::Exists { .. })) => Ok(()),
        begun => Ok(begun?),
    }
}

/// Tells the run that a proposal is about that the proposal is being made, or how that ended. What cannot be told now
/// follows from the proposal whenever somebody looks.
pub fn tell_run(context: &Context, proposal: &Proposal) {
    let Some(run) = proposal.request.subject.run() else {
        return;
    };
    match told(context, run, proposal) {
        Ok(()) => {}
        // It went on, or somebody deleted it.
        Err(error) if error.is_not_found() || error.is_refused() => {}
        Err(error) => tracing::warn!(%run, %error, "a run was not told of its proposal"),
    }
}

fn told(context: &Context, run: RunId, proposal: &Proposal) -> Result<(), PlanningError> {
    if news(&context.store.runs().get(run)?.state, proposal).is_none() {
        return Ok(());
    }
    // Whoever looked before a person decided must not tell what is not so any more.
    let _turn = context.turn()?;
    let (row, proposal) = (
        context.store.runs().get(run)?,
        context.store.proposals().get(proposal.id)?.proposal,
    );
    match news(&row.state, &proposal) {
        Some(news) => Ok(context.engine.command(run, news, context.actor())?),
        None => Ok(()),
    }
}

fn news(run: &RunState, proposal: &Proposal) -> Option<Command> {
    let id = proposal.id;
    match (run, proposal.state.replan_end()) {
        (RunState::Failed { .. } | RunState::Stalled { .. }, None) => {
            Some(Command::BeginReplan { proposal: id })
        }
        (RunState::Replanning { proposal, .. }, Some(end)) if *proposal == id => {
            Some(Command::EndReplan { proposal: id, end })
        }
        _ => None,
    }
}

/// Looks again at the proposals for which runs wait: one may have ended while nobody told its run.
pub(crate) fn tell_waiting_runs(context: &Context) -> Result<(), PlanningError> {
    for row in context.store.runs().replanning()?.rows {
        let RunState::Replanning { proposal, .. } = row.state else {
            continue;
        };
        match context.store.proposals().get(proposal) {
            Ok(found) => tell_run(context, &found.proposal),
            Err(StoreError::NotFound { .. }) => {
                let news = Command::EndReplan {
                    proposal,
                    end: ReplanEnd::GivenUp,
                };
                context.engine.command(row.id, news, context.actor())?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The state of a run as it is by now: one that waits for a proposal is what it was before as soon as that has ended,
/// whether or not a process has told the run.
pub fn current_state(context: &Context, state: RunState) -> Result<RunState, PlanningError> {
    let RunState::Replanning { proposal, before } = state else {
        return Ok(state);
    };
    let ended = match proposals::current(context, proposal) {
        Ok(found) => found.state.replan_end().is_some(),
        Err(error) if error.is_not_found() => true,
        Err(error) => return Err(error),
    };
    Ok(if ended {
        before.into()
    } else {
        RunState::Replanning { proposal, before }
    })
}

fn states(context: &Context, run: RunId) -> Result<HashMap<NodeId, NodeStateRow>, PlanningError> {
    let rows = context.store.node_states().list(run)?;
    Ok(rows.into_iter().map(|row| (row.node, row)).collect())
}

/// Which branches the conditions of a run took.
fn taken_branches(context: &Context, run: RunId) -> Result<HashMap<NodeId, bool>, PlanningError> {
    let (replayed, _) = context.store.runs().replay(run)?;
    Ok(replayed.taken_branches().collect())
}

/// Which plans ask to be planned anew by themselves.
#[derive(Default)]
pub(crate) struct Watched {
    asks: HashMap<PlanId, bool>,
}

impl Watched {
    /// Looks at a plan again when it matters next.
    pub(crate) fn forget(&mut self, plan: PlanId) {
        self.asks.remove(&plan);
    }

    /// Plans anew when a run has failed whose plan asks for it, and it was not tried too often.
    pub(crate) fn run_changed(&mut self, context: &Context, run: RunId, plan: PlanId) {
        let asks = *self.asks.entry(plan).or_insert_with(|| asks(context, plan));
        if asks && let Err(error) = propose(context, run) {
            tracing::warn!(%run, %error, "no new version of the plan could be asked for");
        }
    }

    /// Does the same for runs that failed while no process was there that stays, or whose process died before it asked.
    pub(crate) fn catch_up(&mut self, context: &Context) -> Result<(), PlanningError> {
        for row in context.store.runs().failed_last()?.rows {
            self.run_changed(context, row.id, row.plan);
        }
        Ok(())
    }
}

/// Replans after one run, if its plan asks for it. The proposal about the run that is open, whoever asked for it.
pub fn if_asked(context: &Context, run: RunId) -> Result<Option<ProposalId>, PlanningError> {
    let row = context.store.runs().get(run)?;
    if asks(context, row.plan) {
        propose(context, run)?;
    }
    let about = context.store.proposals().about_run(run)?.rows;
    let open = about.iter().rev().find(|row| row.proposal.state.is_open());
    if let Some(row) = open {
        // It may have been asked for by a process that is gone.
        context.follow_proposals();
        tell_run(context, &row.proposal);
    }
    Ok(open.map(|row| row.proposal.id))
}

fn asks(context: &Context, plan: PlanId) -> bool {
    context
        .store
        .plans()
        .current(plan)
        .is_ok_and(|(_, plan)| plan.settings.replan == ReplanMode::Propose)
}

fn propose(context: &Context, run: RunId) -> Result<(), PlanningError> {
    let row = context.store.runs().get(run)?;
    if !matches!(row.state, RunState::Failed { .. }) || row.parent.is_some() {
        return Ok(());
    }
    baton_engine::crash_point("before replan");
    let Some(proposal) = propose_once(context, &row)? else {
        return Ok(());
    };
    baton_engine::crash_point("after replan");
    tell_run(context, &context.store.proposals().get(proposal)?.proposal);
    Ok(())
}

fn propose_once(context: &Context, row: &RunRow) -> Result<Option<ProposalId>, PlanningError> {
    // Of several processes that see the run fail, one asks.
    let _turn = context.turn()?;
    if !context.store.proposals().about_run(row.id)?.rows.is_empty() {
        return Ok(None);
    }
    let plan = content(context, row.plan, row.version)?;
    // A run of before the plan asked for it is left as it is.
    if plan.settings.replan != ReplanMode::Propose {
        return Ok(None);
    }
    let tries = automatic_tries(context, row.id)?;
    if tries >= plan.settings.max_retries.min(AUTOMATIC_TRIES) as usize {
        return Ok(None);
    }
    Ok(match proposals::replan_automatically(context, row.id)? {
        Ordered::Begun(proposal) => Some(proposal.id),
        Ordered::Planned { sentence } => {
            tracing::info!(run = %row.id, %sentence, "no new version is proposed");
            None
        }
    })
}

/// The most automatic replans of a plan, whatever it says.
const AUTOMATIC_TRIES: u32 = 3;

/// How often the runs that led to `run` were planned anew by themselves.
fn automatic_tries(context: &Context, run: RunId) -> Result<usize, PlanningError> {
    let (mut tries, mut at) = (0, Some(run));
    while let Some(run) = at {
        at = context.store.run_events().inherited_from(run)?;
        if let Some(before) = at {
            let about = context.store.proposals().about_run(before)?.rows;
            tries += usize::from(about.iter().any(|row| row.proposal.request.automatic));
        }
    }
    Ok(tries)
}
