//! The history of a plan over all of its runs, with the acts on the plan itself.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use baton_model::{HistoryType, Plan, PlanId, RunId};
use baton_planning::plan_versions::plan_version;
use baton_store::PlanLogEntry;

use crate::event_text::describe_event;
use crate::node_names::Nodes;
use crate::wire::*;
use crate::{ApiError, App, Code, plan_deletion};

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
    let mut entries = app
        .store
        .plan_log()
        .history(input.plan, before, input.limit + 1)?;
    let has_more = entries.len() > limit;
    entries.truncate(limit);
    let next = entries
        .last()
        .filter(|_| has_more)
        .map(|last| format!("h{}", last.id));
    let mut plans = RunPlans {
        app,
        known: HashMap::new(),
    };
    let rows = entries.into_iter().filter_map(|entry| {
        let history_type = entry.history_type?;
        Some(row(&mut plans, input.plan, history_type, entry))
    });
    Ok(PlanHistoryPage {
        rows: rows.collect::<Result<_, _>>()?,
        next,
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

/// The plan versions that runs execute, each read once.
struct RunPlans<'a> {
    app: &'a App,
    known: HashMap<RunId, Arc<Plan>>,
}

impl RunPlans<'_> {
    fn of(&mut self, run: RunId) -> Result<Arc<Plan>, ApiError> {
        if let Some(plan) = self.known.get(&run) {
            return Ok(Arc::clone(plan));
        }
        let row = self.app.store.runs().get(run)?;
        let plan = plan_version(self.app.context(), row.plan, row.version)?;
        self.known.insert(run, Arc::clone(&plan));
        Ok(plan)
    }
}

fn row(
    plans: &mut RunPlans<'_>,
    plan: PlanId,
    history_type: HistoryType,
    entry: PlanLogEntry,
) -> Result<PlanHistoryRow, ApiError> {
    let (id, sentence, node_title) = match &entry.run {
        Some((run, stored)) => {
            let executed = plans.of(*run)?;
            let node = entry.node.and_then(|node| executed.node(node));
            (
                format!("{run}:{}", stored.seq),
                describe_event(&Nodes::new(&executed), &stored.event),
                node.map(|node| node.title.clone()),
            )
        }
        None => (
            format!("plan:{}", entry.id),
            match entry.proposal {
                Some(_) => proposal_act_sentence(history_type),
                None => plan_act_sentence(history_type, entry.version),
            },
            None,
        ),
    };
    Ok(PlanHistoryRow {
        id,
        plan,
        proposal: entry.proposal,
        run: entry.run.as_ref().map(|(run, _)| *run),
        seq: entry.run.as_ref().map(|(_, stored)| stored.seq),
        node: entry.node,
        node_title,
        history_type,
        version: entry.version,
        at: entry.at,
        actor: entry.actor.to_string(),
        sentence,
    })
}

/// An act on a plan, as a sentence.
fn plan_act_sentence(history_type: HistoryType, version: Option<u32>) -> String {
    let version = version.map_or_else(
        || "content".to_owned(),
        |number| format!("version {number}"),
    );
    match history_type {
        HistoryType::Created => "The plan was created.".to_owned(),
        HistoryType::Edited => format!("The plan was changed: {version}."),
        HistoryType::Proposed => format!("The plan's {version} waits for a person's review."),
        HistoryType::Withdrawn => format!("The plan's {version} was withdrawn from review."),
        HistoryType::Approved => format!("A person approved {version}."),
        HistoryType::Rejected => format!("A person rejected {version}."),
        // The other types are events of runs, which have sentences of their own.
        _ => String::new(),
    }
}

/// An act on a proposal to change the plan, as a sentence.
fn proposal_act_sentence(history_type: HistoryType) -> String {
    match history_type {
        HistoryType::Rejected => "A person rejected a proposal.",
        HistoryType::Withdrawn => "A proposal was withdrawn.",
        _ => "A proposal waits for a decision.",
    }
    .to_owned()
}
