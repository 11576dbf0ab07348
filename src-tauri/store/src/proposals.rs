//! Proposals: what planners were asked for, and what waits for a person's decision.
//!
//! Each proposal belongs to an unlisted plan with one node; the runs of that plan are the planner's
//! sessions. A write names the revision it is based on, so if two processes follow one planner,
//! only one continues. Nothing here judges an answer or changes a plan, except
//! [`Proposals::accept`], which stores both in one transaction.

use baton_model::planning::Proposal;
use baton_model::{Plan, PlanId, ProposalId, RunId};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, json, not_found, query_listing, query_optional};
use crate::store::WriteTransaction;
use crate::{Actor, Approval, Change, Listing, PlanRecord, PlanWrite, Store, StoreError, plans};

pub(crate) const MIGRATION_5: &str = "
CREATE TABLE proposals (
    id BLOB PRIMARY KEY,
    planning BLOB NOT NULL UNIQUE REFERENCES plans (id) ON DELETE CASCADE,
    is_open INTEGER NOT NULL,
    target_plan BLOB,
    target_run BLOB,
    revision INTEGER NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX proposals_target ON proposals (target_plan);
CREATE INDEX proposals_open ON proposals (created_at) WHERE is_open;
";

/// A stored proposal with its revision.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq)]
pub struct ProposalRow {
    pub proposal: Proposal,
    /// Increases with every write. Writers send it as their base.
    pub revision: u64,
}

/// Selects the proposals in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProposalsFilter {
    /// Only proposals that still need action by an agent, a person, or Baton.
    pub open: bool,
    /// Only proposals about this plan.
    pub plan: Option<PlanId>,
    /// Maximum number of proposals, latest first.
    pub limit: u32,
}

/// Handle for the table `proposals`; see [`Store::proposals`].
#[derive(Clone, Copy)]
pub struct Proposals<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `proposals`.
    #[must_use]
    pub fn proposals(&self) -> Proposals<'_> {
        Proposals { store: self }
    }
}

impl Proposals<'_> {
    /// Stores a new proposal and the plan whose runs are its sessions.
    pub fn create(
        &self,
        proposal: &Proposal,
        planning: &Plan,
        author: &Actor,
    ) -> Result<ProposalRow, StoreError> {
        self.store.write(|writing| {
            plans::create(writing, planning, author, proposal.created_at)?;
            let query =
                "INSERT INTO proposals (id, planning, is_open, target_plan, target_run, revision, content, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7)";
            let subject = &proposal.request.subject;
            writing.tx.prepare_cached(query)?.execute(params![
                proposal.id.0,
                proposal.planning.0,
                proposal.is_unfinished(),
                subject.target().map(|(plan, _)| plan.0),
                subject.run().map(|run| run.0),
                json(proposal)?,
                proposal.created_at.0,
            ])?;
            writing.changes.push(Change::ProposalChanged { proposal: proposal.id });
            Ok(ProposalRow { proposal: proposal.clone(), revision: 1 })
        })
    }

    /// Stores the new state of a proposal that was read at `base_revision`, and new content of its
    /// planning plan if there is any.
    pub fn update(
        &self,
        proposal: &Proposal,
        base_revision: u64,
        planning: Option<&Plan>,
        author: &Actor,
    ) -> Result<ProposalRow, StoreError> {
        self.store.write(|writing| {
            if let Some(plan) = planning {
                let revision = plans::record(writing.tx, plan.id)?.revision;
                plans::save(writing, plan, revision, author, proposal.updated_at)?;
            }
            update(writing, proposal, base_revision)
        })
    }

    /// Stores an accepted proposal together with the plan that it became. `approval` approves that
    /// version.
    pub fn accept(
        &self,
        proposal: &Proposal,
        base_revision: u64,
        write: &PlanWrite,
        approval: Option<&Approval>,
        author: &Actor,
    ) -> Result<PlanRecord, StoreError> {
        self.store.write(|writing| {
            update(writing, proposal, base_revision)?;
            let now = proposal.updated_at;
            let record = match write {
                PlanWrite::New(plan) => plans::create(writing, plan, author, now)?,
                PlanWrite::Changed {
                    plan,
                    base_revision,
                } => plans::save(writing, plan, *base_revision, author, now)?,
            };
            approval.map_or(Ok(record.clone()), |approval| {
                plans::approve(writing, record, approval)
            })
        })
    }

    /// Returns one proposal by its id.
    pub fn get(&self, proposal: ProposalId) -> Result<ProposalRow, StoreError> {
        self.store.read(|connection| get(connection, proposal))
    }

    /// The proposals that match `filter`, latest first.
    pub fn list(&self, filter: ProposalsFilter) -> Result<Listing<ProposalRow>, StoreError> {
        let query =
            "SELECT * FROM proposals WHERE (NOT ?1 OR is_open) AND (?2 IS NULL OR target_plan = ?2)
                 AND (target_plan IS NULL OR target_plan NOT IN deleted_plans)
             ORDER BY created_at DESC, id DESC LIMIT ?3";
        let parameters = params![filter.open, filter.plan.map(|plan| plan.0), filter.limit];
        self.store
            .read(|connection| query_listing(connection, query, parameters, read))
    }

    /// The proposal whose planner sessions are runs of `planning`.
    pub fn of_planning(&self, planning: PlanId) -> Result<Option<ProposalRow>, StoreError> {
        let query = "SELECT * FROM proposals WHERE planning = ?1";
        self.store
            .read(|connection| query_optional(connection, query, [planning.0], read))
    }

    /// The proposals about one run, earliest first.
    pub fn about_run(&self, run: RunId) -> Result<Listing<ProposalRow>, StoreError> {
        let query = "SELECT * FROM proposals WHERE target_run = ?1 ORDER BY created_at, id";
        self.store
            .read(|connection| query_listing(connection, query, [run.0], read))
    }
}

fn update(
    writing: &mut WriteTransaction<'_, '_>,
    proposal: &Proposal,
    base_revision: u64,
) -> Result<ProposalRow, StoreError> {
    let current = get(writing.tx, proposal.id)?.revision;
    if current != base_revision {
        return Err(StoreError::StaleProposal {
            proposal: proposal.id,
        });
    }
    let query = "UPDATE proposals SET revision = ?2, is_open = ?3, content = ?4 WHERE id = ?1";
    let parameters = params![
        proposal.id.0,
        current + 1,
        proposal.is_unfinished(),
        json(proposal)?
    ];
    writing.tx.prepare_cached(query)?.execute(parameters)?;
    writing.changes.push(Change::ProposalChanged {
        proposal: proposal.id,
    });
    Ok(ProposalRow {
        proposal: proposal.clone(),
        revision: current + 1,
    })
}

fn get(connection: &Connection, proposal: ProposalId) -> Result<ProposalRow, StoreError> {
    let found = query_optional(
        connection,
        "SELECT * FROM proposals WHERE id = ?1",
        [proposal.0],
        read,
    )?;
    found.ok_or_else(|| not_found("the proposal", proposal))
}

pub(crate) fn read(row: &Row<'_>) -> Result<ProposalRow, StoreError> {
    let fields = Fields::new(row, "proposals", ProposalId(row.get("id")?));
    Ok(ProposalRow {
        proposal: fields.json("content")?,
        revision: fields.get("revision")?,
    })
}
