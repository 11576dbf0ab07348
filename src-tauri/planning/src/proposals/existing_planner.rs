//! Planners that already work on the same goal in the same directory. A second request behaves like
//! a second start of a plan: a healthy planner is reported, an unhealthy one is watched, and the
//! run of a stale one is taken over.

use baton_model::PlanId;
use baton_model::duration::format_elapsed;
use baton_model::planning::{ProposalState, Request, Subject};
use baton_store::{ProposalRow, ProposalsFilter, RunRow, StoreError};

use super::list::LIST_LIMIT;
use crate::duplicates::describe_executor_kind;
use crate::run_executor::{ExecutorHealth, RunExecutorView, run_executor};
use crate::{Context, PlanningError};

/// The planner that a request for the same goal finds.
pub(super) enum ExistingPlanner {
    /// No planner works on the goal.
    None,
    /// The planner of this proposal was stale, and this process has taken it over.
    TakenOver(Box<ProposalRow>),
    /// A planner is working or may be, so that nothing starts.
    Running {
        /// Its status and what to do, for people.
        sentence: String,
    },
}

/// What two requests must have in common to count as the same.
#[derive(PartialEq)]
struct PlanningTarget {
    cwd: String,
    goal: String,
    plan: Option<PlanId>,
}

impl PlanningTarget {
    /// `None` for requests other than a goal or a replan.
    fn from_request(context: &Context, request: &Request) -> Result<Option<Self>, PlanningError> {
        let (goal, plan) = match &request.subject {
            Subject::Goal => (request.wish.trim().to_owned(), None),
            Subject::Fill { plan, .. } => (request.wish.trim().to_owned(), Some(*plan)),
            Subject::Replan { plan, .. } => (
                context
                    .store
                    .plans()
                    .current(*plan)?
                    .1
                    .description
                    .trim()
                    .to_owned(),
                Some(*plan),
            ),
            Subject::Session { .. }
            | Subject::Transcript { .. }
            | Subject::Split { .. }
            | Subject::Explain { .. }
            | Subject::SubmittedPlan
            | Subject::SubmittedChange { .. } => {
                return Ok(None);
            }
        };
        Ok(Some(Self {
            cwd: request.cwd.clone(),
            goal,
            plan,
        }))
    }

    fn is_same(&self, other: &Self) -> bool {
        let same_plan = self.plan.is_some() && self.plan == other.plan;
        self.cwd == other.cwd && (same_plan || (!self.goal.is_empty() && self.goal == other.goal))
    }
}

/// Finds a planner that works on the same as `request`, and takes it over if it is stale.
pub(super) fn find_existing_planner(
    context: &Context,
    request: &Request,
) -> Result<ExistingPlanner, PlanningError> {
    let Some(target) = PlanningTarget::from_request(context, request)? else {
        return Ok(ExistingPlanner::None);
    };
    let filter = ProposalsFilter {
        open: true,
        plan: None,
        limit: LIST_LIMIT,
    };
    for row in context.store.proposals().list(filter)?.rows {
        if row.proposal.state != ProposalState::Working {
            continue;
        }
        let other = match PlanningTarget::from_request(context, &row.proposal.request) {
            Ok(other) => other,
            // The plan was deleted meanwhile.
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(error),
        };
        if !other.is_some_and(|other| target.is_same(&other)) {
            continue;
        }
        match check_planner(context, row)? {
            ExistingPlanner::None => {}
            existing => return Ok(existing),
        }
    }
    Ok(ExistingPlanner::None)
}

const WAIT_OR_CANCEL: &str = "wait for it, or cancel it";

fn check_planner(context: &Context, row: ProposalRow) -> Result<ExistingPlanner, PlanningError> {
    let Some(round) = row.proposal.rounds.last() else {
        return Ok(ExistingPlanner::None);
    };
    let run = match context.store.runs().get(round.run) {
        // It has answered, and the next query evaluates the answer.
        Ok(run) if !run.state.is_running() => return Ok(ExistingPlanner::None),
        Ok(run) => run,
        Err(StoreError::NotFound { .. }) => {
            return Ok(running_planner(
                context,
                &row,
                "is about to start",
                WAIT_OR_CANCEL,
            ));
        }
        Err(error) => return Err(error.into()),
    };
    match run_executor(context, &run)? {
        RunExecutorView::Here => Ok(running_planner(
            context,
            &row,
            "is already working, in this process",
            WAIT_OR_CANCEL,
        )),
        // Its executor is gone, so that there is nothing to wait for.
        RunExecutorView::None => take_over(context, row, &run),
        RunExecutorView::Elsewhere {
            health,
            pid,
            kind,
            silence_ms,
        } => {
            let place = format!("in {}, process {pid}", describe_executor_kind(kind));
            let silence = format_elapsed(silence_ms);
            match health {
                ExecutorHealth::Healthy | ExecutorHealth::Gone => Ok(running_planner(
                    context,
                    &row,
                    &format!("is already working, {place}"),
                    WAIT_OR_CANCEL,
                )),
                ExecutorHealth::Unhealthy => {
                    context.store.silences().note(run.executor, context.now())?;
                    let how =
                        format!("has not responded for {silence}, {place}, and is being watched");
                    Ok(running_planner(context, &row, &how, WAIT_OR_CANCEL))
                }
                ExecutorHealth::Stale if context.engine.may_displace_stale() => {
                    take_over(context, row, &run)
                }
                ExecutorHealth::Stale => {
                    let how = format!(
                        "has not responded for {silence}, {place}, and takeover is not allowed"
                    );
                    let fix = "allow takeover in the settings, or end that process";
                    Ok(running_planner(context, &row, &how, fix))
                }
            }
        }
    }
}

fn take_over(
    context: &Context,
    row: ProposalRow,
    run: &RunRow,
) -> Result<ExistingPlanner, PlanningError> {
    context.follow_proposals();
    context.engine.adopt(run.id)?;
    Ok(ExistingPlanner::TakenOver(Box::new(row)))
}

fn running_planner(context: &Context, row: &ProposalRow, how: &str, fix: &str) -> ExistingPlanner {
    let proposal = &row.proposal;
    let since = format_elapsed(context.now().ms_since(proposal.created_at));
    let sentence = format!(
        "a planner for this goal and directory {how} (proposal {}, started {since} ago): {fix}",
        proposal.id
    );
    ExistingPlanner::Running { sentence }
}
