//! Planners that work on the same goal in the same directory already. A second order follows the stages of
//! a second start: a healthy planner is shown, a silent one is watched, and the run of a stale one is taken over.

use baton_model::PlanId;
use baton_model::duration::format_elapsed;
use baton_model::planning::{ProposalState, Request, Subject};
use baton_store::{ProposalRow, ProposalsFilter, RunRow, StoreError};

use super::LIST_LIMIT;
use crate::attendance::{Attendance, ExecutorHealth, attendance};
use crate::duplicates::kind_words;
use crate::{Context, PlanningError};

/// What an order meets.
pub(super) enum Met {
    /// Nobody works on that.
    Nobody,
    /// The planner of this proposal did, and this process goes on with it.
    TakenOver(Box<ProposalRow>),
    /// A planner is at work, or may be: nothing starts.
    Planner {
        /// How it is, and what to do, for people.
        sentence: String,
    },
}

/// What is planned, as far as two orders can be the same.
#[derive(PartialEq)]
struct Aim {
    cwd: String,
    goal: String,
    plan: Option<PlanId>,
}

impl Aim {
    /// Of a goal or a replan; what else planners do has no goal.
    fn of(context: &Context, request: &Request) -> Result<Option<Self>, PlanningError> {
        let (goal, plan) = match &request.subject {
            Subject::Goal => (request.wish.trim().to_owned(), None),
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
            | Subject::Explain { .. } => {
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

/// Looks for a planner that works on what `request` asks for, and takes it over where that is due.
pub(super) fn look(context: &Context, request: &Request) -> Result<Met, PlanningError> {
    let Some(aim) = Aim::of(context, request)? else {
        return Ok(Met::Nobody);
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
        let other = match Aim::of(context, &row.proposal.request) {
            Ok(other) => other,
            // Its plan was deleted meanwhile.
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(error),
        };
        if !other.is_some_and(|other| aim.is_same(&other)) {
            continue;
        }
        match met(context, row)? {
            Met::Nobody => {}
            met => return Ok(met),
        }
    }
    Ok(Met::Nobody)
}

fn met(context: &Context, row: ProposalRow) -> Result<Met, PlanningError> {
    let Some(round) = row.proposal.rounds.last() else {
        return Ok(Met::Nobody);
    };
    let run = match context.store.runs().get(round.run) {
        // It has answered, and whoever looks next judges that.
        Ok(run) if !run.state.is_running() => return Ok(Met::Nobody),
        Ok(run) => run,
        Err(StoreError::NotFound { .. }) => return Ok(planner(context, &row, "is about to start")),
        Err(error) => return Err(error.into()),
    };
    match attendance(context, &run)? {
        Attendance::Here => Ok(planner(context, &row, "is working, in this process")),
        // Whoever had it is gone: nobody has to be waited for.
        Attendance::None => take_over(context, row, &run),
        Attendance::Elsewhere {
            health,
            pid,
            kind,
            silence_ms,
        } => {
            let place = format!("in {}, process {pid}", kind_words(kind));
            let silence = format_elapsed(silence_ms);
            match health {
                ExecutorHealth::Healthy | ExecutorHealth::Gone => {
                    Ok(planner(context, &row, &format!("is working, {place}")))
                }
                ExecutorHealth::Unhealthy => {
                    context.store.silences().note(run.executor, context.now())?;
                    let how =
                        format!("is paused: {place}, has been silent for {silence} and is watched");
                    Ok(planner(context, &row, &how))
                }
                ExecutorHealth::Stale if context.engine.may_displace_stale() => {
                    take_over(context, row, &run)
                }
                ExecutorHealth::Stale => {
                    let how = format!(
                        "has been silent for {silence}, {place}, and takeover is not allowed: allow it in the settings \
                         or end that process"
                    );
                    Ok(planner(context, &row, &how))
                }
            }
        }
    }
}

fn take_over(context: &Context, row: ProposalRow, run: &RunRow) -> Result<Met, PlanningError> {
    context.follow_proposals();
    context.engine.adopt(run.id)?;
    Ok(Met::TakenOver(Box::new(row)))
}

fn planner(context: &Context, row: &ProposalRow, how: &str) -> Met {
    let proposal = &row.proposal;
    let since = format_elapsed(context.now().ms_since(proposal.created_at));
    let sentence = format!(
        "a planner for this goal and directory {how}, for {since} so far (proposal {}): wait for it, or cancel it",
        proposal.id
    );
    Met::Planner { sentence }
}
