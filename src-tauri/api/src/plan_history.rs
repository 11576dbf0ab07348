//! The history of a plan over all of its runs, with the acts on the plan itself.

use std::str::FromStr;

use baton_model::{HistoryType, PlanId};
use baton_store::PlanLogEntry;

use crate::run_plans::RunPlans;
use crate::wire::*;
use crate::{ApiError, App, Code, logged_event, plan_deletion};

/// Maximum number of entries on a page.
const MAX_LIMIT: u32 = 1000;

/// Returns a part of a plan's history, latest entry first.
pub(crate) fn page(app: &App, input: PlanHistoryQuery) -> Result<PlanHistoryPage, ApiError> {
    if !(1..=MAX_LIMIT).contains(&input.limit) {
        let message = format!("a page has from 1 to {MAX_LIMIT} entries");
        return Err(ApiError::new(Code::BadInput, message).with_fix("choose a limit in that range"));
    }
    plan_deletion::refuse_deleted(app, input.plan)?;
    let before = input.before.as_deref().map(parse_cursor).transpose()?;
    let limit = input.limit as usize;
    let log = app.store.plan_log();
    let mut found = log.history(input.plan, before, input.limit + 1)?;
    let has_more = found.rows.len() + found.unreadable.len() > limit;
    found.rows.truncate(limit);
    let next = found.rows.last().filter(|_| has_more);
    let next = next.map(|last| format!("h{}", last.id));
    let mut plans = RunPlans::new(app);
    let mut damaged = found.unreadable;
    let mut rows = Vec::with_capacity(found.rows.len());
    for entry in found.rows {
        damaged.extend(
            entry
                .event
                .iter()
                .filter_map(|event| event.content.clone().err()),
        );
        if let Some(history_type) = entry.history_type {
            rows.push(row(&mut plans, input.plan, history_type, &entry)?);
        }
    }
    Ok(PlanHistoryPage {
        rows,
        next,
        damaged: damaged.iter().map(ToString::to_string).collect(),
    })
}

fn parse_cursor(text: &str) -> Result<u64, ApiError> {
    let number = text
        .strip_prefix('h')
        .and_then(|number| u64::from_str(number).ok());
    number.ok_or_else(|| {
        ApiError::new(Code::BadInput, "the page to continue before doesn't exist")
            .with_fix("load the first page again")
    })
}

fn row(
    plans: &mut RunPlans<'_>,
    plan: PlanId,
    history_type: HistoryType,
    entry: &PlanLogEntry,
) -> Result<PlanHistoryRow, ApiError> {
    let event = entry.event.as_ref();
    let executed = match event {
        Some(event) => plans.of(event.run)?,
        None => None,
    };
    let node = entry.node.and_then(|node| executed.as_ref()?.node(node));
    Ok(PlanHistoryRow {
        id: event.map_or_else(
            || format!("plan:{}", entry.id),
            |event| format!("{}:{}", event.run, event.seq),
        ),
        plan,
        proposal: entry.proposal,
        run: event.map(|event| event.run),
        seq: event.map(|event| event.seq),
        node: entry.node,
        node_title: node.map(|node| node.title.clone()),
        history_type,
        version: entry.version,
        at: entry.at,
        actor: entry
            .actor
            .as_ref()
            .map_or_else(|| "unknown".to_owned(), ToString::to_string),
        sentence: logged_event::describe(executed.as_deref(), entry),
    })
}
