//! One entry of the log of plans, and what is left of it if the event that it is about is damaged.

use baton_model::run::Event;
use baton_model::{EventName, HistoryType, NodeId, PlanId, ProposalId, RunId, Timestamp};
use rusqlite::Row;

use crate::column::Fields;
use crate::{Actor, StoreError, Unreadable, run_events};

pub(crate) const SELECT: &str = "SELECT plan_log.id, plan_log.plan, plan_log.proposal, plan_log.run, plan_log.seq, plan_log.node,
    COALESCE(plan_log.actor, run_events.actor) AS actor, plan_log.at, version, type, name, event
FROM plan_log LEFT JOIN run_events ON run_events.run = plan_log.run AND run_events.seq = plan_log.seq";

/// An entry of the log.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct PlanLogEntry {
    /// Its number.
    pub id: u64,
    /// `None` for a proposal that isn't a plan yet.
    pub plan: Option<PlanId>,
    pub proposal: Option<ProposalId>,
    /// The event of a run that this is about; `None` for an act on the plan itself.
    pub event: Option<LoggedEvent>,
    pub node: Option<NodeId>,
    pub at: Timestamp,
    /// Who did it; `None` if that is damaged.
    pub actor: Option<Actor>,
    /// The plan's version, for an act on the plan itself.
    pub version: Option<u32>,
    /// `None` if only programs that listen are told of it.
    pub history_type: Option<HistoryType>,
    /// `None` if only the history shows it.
    pub name: Option<EventName>,
}

/// An event of a run in the log.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedEvent {
    pub run: RunId,
    /// Its position in the run's history.
    pub seq: u64,
    /// What happened, or why that can't be read.
    pub content: Result<Event, Unreadable>,
}

/// Reads an entry. A damaged event of a run doesn't make its entry unreadable.
pub(crate) fn read(row: &Row<'_>) -> Result<PlanLogEntry, StoreError> {
    let id: u64 = row.get("id")?;
    let fields = Fields::new(row, "plan_log", id);
    let run = fields.get::<Option<_>>("run")?.map(RunId);
    let event = run.map(|run| read_event(run, row)).transpose()?;
    Ok(PlanLogEntry {
        id,
        plan: fields.get::<Option<_>>("plan")?.map(PlanId),
        proposal: fields.get::<Option<_>>("proposal")?.map(ProposalId),
        event,
        node: fields.get::<Option<_>>("node")?.map(NodeId),
        at: Timestamp(fields.get("at")?),
        actor: readable(fields.get("actor"))?.ok(),
        version: fields.get("version")?,
        history_type: fields.word("type")?,
        name: fields.word("name")?,
    })
}

fn read_event(run: RunId, row: &Row<'_>) -> Result<LoggedEvent, StoreError> {
    let seq = Fields::new(row, "plan_log", row.get::<_, u64>("id")?).get("seq")?;
    Ok(LoggedEvent {
        run,
        seq,
        content: readable(run_events::read_content(run, row))?,
    })
}

/// Separates damage from other errors.
fn readable<T>(read: Result<T, StoreError>) -> Result<Result<T, Unreadable>, StoreError> {
    match read {
        Ok(value) => Ok(Ok(value)),
        Err(StoreError::Unreadable(row)) => Ok(Err(row)),
        Err(error) => Err(error),
    }
}
