//! Lists runs page by page.

use std::str::FromStr;

use baton_model::{RunId, RunState, Timestamp};
use baton_planning::proposals;
use baton_planning::run_deletion::unmerged_runs;
use baton_store::{Actor, RunKeepReason, RunsPageCursor, RunsPageEntry, RunsPageFilter};

use crate::wire::*;
use crate::{ApiError, App, Code, admission, error_handlers, plan_deletion};

/// Maximum number of runs on a page.
const MAX_LIMIT: u32 = 200;

/// Returns one page of runs.
pub(crate) fn page(app: &App, input: RunsPageQuery) -> Result<RunsPage, ApiError> {
    if !(1..=MAX_LIMIT).contains(&input.limit) {
        let message = format!("a page has from 1 to {MAX_LIMIT} runs");
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a limit in that range"));
    }
    if let Some(plan) = input.plan {
        plan_deletion::refuse_deleted(app, plan)?;
    }
    let after = input.after.as_deref().map(parse_cursor).transpose()?;
    let filter = RunsPageFilter {
        plan: input.plan,
        states: input.states,
        started_by: input.started_by,
        search: input.search,
        since: input.since,
        until: input.until,
        // As in the list of runs, a session sees only its own.
        run: admission::calling_session(app)?.map(|session| session.run),
    };
    let now = app.now();
    let listing = app
        .store
        .runs()
        .page(&filter, input.sort, after, input.limit, now)?;
    let ended = listing
        .rows
        .iter()
        .filter(|row| row.ended_at.is_some())
        .flat_map(|row| row.descendants.iter().chain([&row.id]).copied());
    // Worktrees that can't be listed are shown by Doctor.
    let unmerged = unmerged_runs(app.context(), &ended.collect()).unwrap_or_default();
    let row = |entry: RunsPageEntry| {
        let is_unmerged = unmerged.contains(&entry.id)
            || entry.descendants.iter().any(|run| unmerged.contains(run));
        row(app, entry, is_unmerged, now)
    };
    Ok(RunsPage {
        rows: listing
            .rows
            .into_iter()
            .map(row)
            .collect::<Result<_, _>>()?,
        next: listing.next.map(format_cursor),
        total: listing.total,
    })
}

fn row(
    app: &App,
    entry: RunsPageEntry,
    is_unmerged: bool,
    now: Timestamp,
) -> Result<RunsPageRow, ApiError> {
    let (state, damage) = match entry.state {
        Ok(state) => (proposals::current_run_state(app.context(), state)?, None),
        // As in the list of runs: the real state is unknown, and the run can't be resumed.
        Err(damage) => {
            let message = damage.to_string();
            (
                RunState::Failed {
                    message: message.clone(),
                    handler: None,
                },
                Some(message),
            )
        }
    };
    let kept_because = match entry.kept_because {
        Some(RunKeepReason::ChildIsUnfinished) => Some(KeptBecause::Running),
        Some(RunKeepReason::AwaitsPerson) => Some(KeptBecause::WaitingQuestion),
        None => is_unmerged.then_some(KeptBecause::UnmergedWorktree),
    };
    // Only Baton starts them.
    let handles = match (&entry.actor, entry.parent) {
        (Actor::Baton, None) => error_handlers::handled_run(app, entry.id)?,
        _ => None,
    };
    Ok(RunsPageRow {
        id: entry.id,
        number: entry.number,
        plan: entry.plan,
        title: entry.title,
        version: entry.version,
        state,
        actor: entry.actor.to_string(),
        parent: entry.parent,
        handles,
        started_at: entry.started_at,
        ended_at: entry.ended_at,
        elapsed_ms: entry.ended_at.unwrap_or(now).ms_since(entry.started_at),
        nodes: entry.nodes,
        cost_usd: entry.cost_micros.map(dollars),
        tokens: entry.tokens,
        agents_worked: entry.agents_worked,
        unverified: entry.unverified,
        pinned_nodes: Some(entry.pinned_nodes).filter(|count| *count > 0),
        damage,
        kept_because,
    })
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 9 billion dollars")]
fn dollars(micros: u64) -> f64 {
    micros as f64 / 1_000_000.0
}

fn format_cursor(cursor: RunsPageCursor) -> String {
    format!("{}_{}_{}", cursor.key, cursor.run, cursor.now.0)
}

fn parse_cursor(text: &str) -> Result<RunsPageCursor, ApiError> {
    let invalid = || {
        ApiError::new(Code::BadInput, "the page to continue after doesn't exist")
            .with_fix("load the first page again")
    };
    let mut parts = text.split('_');
    let mut next = || parts.next().ok_or_else(invalid);
    let (key, run, now) = (next()?, next()?, next()?);
    Ok(RunsPageCursor {
        key: key.parse().map_err(|_| invalid())?,
        run: RunId::from_str(run).map_err(|_| invalid())?,
        now: Timestamp(now.parse().map_err(|_| invalid())?),
    })
}
