//! Proposals: what planners were asked for, and what waits for a person's decision.
//!
//! Each proposal belongs to an unlisted plan with one node; the runs of that plan are the planner's
//! sessions. A write names the revision it is based on, so if two processes follow one planner,
//! only one continues. Nothing here judges an answer or changes a plan, except
//! [`Proposals::accept`], which stores both in one transaction.

use baton_model::planning::{Proposal, ProposalBasis, ProposalKind, ProposalState};
use baton_model::{EventName, HistoryType, Plan, PlanId, ProposalId, RunId};
use rusqlite::{Connection, Row, params};

use crate::column::{Fields, json, not_found, query_listing, query_optional, query_rows};
use crate::plan_log::ProposalAct;
use crate::store::WriteTransaction;
use crate::{
    Actor, Approval, Change, Listing, PlanRecord, PlanWrite, Rejection, Store, StoreError,
    plan_log, plans, rejections,
};

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

// A proposal that was submitted complete has no planner, and so no planning plan. `request_key` is
// the submitter with its own id of the request, so that a repeated request finds its proposal.
pub(crate) const MIGRATION_12: &str = "
CREATE TABLE proposals_12 (
    id BLOB PRIMARY KEY,
    planning BLOB UNIQUE REFERENCES plans (id) ON DELETE CASCADE,
    is_open INTEGER NOT NULL,
    target_plan BLOB,
    target_run BLOB,
    request_key TEXT UNIQUE,
    revision INTEGER NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO proposals_12 (id, planning, is_open, target_plan, target_run, revision, content, created_at)
    SELECT id, planning, is_open, target_plan, target_run, revision, content, created_at FROM proposals;
DROP TABLE proposals;
ALTER TABLE proposals_12 RENAME TO proposals;
CREATE INDEX proposals_target ON proposals (target_plan);
CREATE INDEX proposals_open ON proposals (created_at) WHERE is_open;
";

// Proposals of earlier formats don't say what they were made from.
pub(crate) const MIGRATION_13: &str = "ALTER TABLE proposals ADD COLUMN basis TEXT";

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

/// What a change of a proposal stores besides its state.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProposalUpdate<'a> {
    /// New content of its planning plan.
    pub planning: Option<&'a Plan>,
    /// The person's decision that caused the change.
    pub rejection: Option<&'a Rejection>,
    /// What its draft, or the planner's next one, is made from; `None` leaves it as it is.
    pub basis: Option<&'a ProposalBasis>,
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
    /// Stores a new proposal, with the plan whose runs are its planner's sessions if it has one.
    pub fn create(
        &self,
        proposal: &Proposal,
        planning: Option<&Plan>,
        basis: &ProposalBasis,
        author: &Actor,
    ) -> Result<ProposalRow, StoreError> {
        self.store.write(|writing| {
            if let Some(plan) = planning {
                plans::create_planning(writing, plan, author, proposal.created_at)?;
            }
            insert(writing, proposal, None, basis)?;
            log_act(writing, None, proposal, author)?;
            Ok(ProposalRow {
                proposal: proposal.clone(),
                revision: 1,
            })
        })
    }

    /// Stores a proposal that was submitted complete. If `author` has submitted one with the same
    /// `request` before, that one is returned and nothing is stored.
    pub fn submit(
        &self,
        proposal: &Proposal,
        request: Option<&str>,
        basis: &ProposalBasis,
        author: &Actor,
    ) -> Result<ProposalRow, StoreError> {
        let key = request.map(|request| format!("{author}\n{request}"));
        self.store.write(|writing| {
            let query = "SELECT * FROM proposals WHERE request_key = ?1";
            if let Some(earlier) = query_optional(writing.tx, query, [&key], read)? {
                return Ok(earlier);
            }
            insert(writing, proposal, key.as_deref(), basis)?;
            log_act(writing, None, proposal, author)?;
            Ok(ProposalRow {
                proposal: proposal.clone(),
                revision: 1,
            })
        })
    }

    /// The proposal that `author` submitted with this `request`, if any.
    pub fn submitted(
        &self,
        request: &str,
        author: &Actor,
    ) -> Result<Option<ProposalRow>, StoreError> {
        let query = "SELECT * FROM proposals WHERE request_key = ?1";
        let key = format!("{author}\n{request}");
        self.store
            .read(|connection| query_optional(connection, query, [key], read))
    }

    /// Stores the new state of a proposal that was read at `base_revision`, with what belongs to it.
    pub fn update(
        &self,
        proposal: &Proposal,
        base_revision: u64,
        write: ProposalUpdate<'_>,
        author: &Actor,
    ) -> Result<ProposalRow, StoreError> {
        self.store.write(|writing| {
            if let Some(rejection) = write.rejection {
                rejections::add(writing, rejection)?;
            }
            if let Some(plan) = write.planning {
                let revision = plans::record(writing.tx, plan.id)?.revision;
                plans::save(writing, plan, revision, author, proposal.updated_at)?;
            }
            update(writing, proposal, base_revision, write.basis, author)
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
            update(writing, proposal, base_revision, None, author)?;
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

    /// What the draft of a proposal was made from; `None` if that was never stored.
    pub fn basis(&self, proposal: ProposalId) -> Result<Option<ProposalBasis>, StoreError> {
        let query = "SELECT basis FROM proposals WHERE id = ?1";
        let found = self.store.read(|connection| {
            query_optional(connection, query, [proposal.0], |row| {
                Fields::new(row, "proposals", proposal).optional_json("basis")
            })
        })?;
        found.ok_or_else(|| not_found("the proposal", proposal))
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

fn insert(
    writing: &mut WriteTransaction<'_, '_>,
    proposal: &Proposal,
    request_key: Option<&str>,
    basis: &ProposalBasis,
) -> Result<(), StoreError> {
    let query = "INSERT INTO proposals (id, planning, is_open, target_plan, target_run, request_key, revision,
             content, created_at, basis) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?8, ?9)";
    let subject = &proposal.request.subject;
    writing.tx.prepare_cached(query)?.execute(params![
        proposal.id.0,
        proposal.planning.map(|plan| plan.0),
        proposal.is_unfinished(),
        subject.target().map(|(plan, _)| plan.0),
        subject.run().map(|run| run.0),
        request_key,
        json(proposal)?,
        proposal.created_at.0,
        json(basis)?,
    ])?;
    writing.changes.push(Change::ProposalChanged {
        proposal: proposal.id,
    });
    Ok(())
}

/// Logs what a change means for those who follow plans. Explanations propose nothing.
fn log_act(
    writing: &mut WriteTransaction<'_, '_>,
    before: Option<&Proposal>,
    after: &Proposal,
    actor: &Actor,
) -> Result<(), StoreError> {
    if after.request.subject.kind() == ProposalKind::Explain {
        return Ok(());
    }
    let was_rejected = before.is_some_and(|before| before.rejections < after.rejections);
    let is_same = before.is_some_and(|before| {
        let round = |proposal: &Proposal| Some(proposal.submission.as_ref()?.round);
        before.state == after.state && round(before) == round(after)
    });
    let (history_type, name) = match after.state {
        // Whatever follows from it.
        _ if was_rejected => (Some(HistoryType::Rejected), Some(EventName::PlansRejected)),
        _ if is_same => return Ok(()),
        ProposalState::Ready => (Some(HistoryType::Proposed), Some(EventName::PlansProposed)),
        ProposalState::Rejected | ProposalState::NeedsReview => {
            (Some(HistoryType::Rejected), Some(EventName::PlansRejected))
        }
        ProposalState::Cancelled => (
            Some(HistoryType::Withdrawn),
            Some(EventName::PlansWithdrawn),
        ),
        ProposalState::Expired => (None, Some(EventName::PlansExpired)),
        // The plan that it became has its own entry.
        ProposalState::Accepted { .. } | ProposalState::Working | ProposalState::Failed { .. } => {
            return Ok(());
        }
    };
    let act = ProposalAct {
        proposal: after.id,
        plan: after.request.subject.target().map(|(plan, _)| plan),
        history_type,
        name,
        actor,
        at: after.updated_at,
    };
    plan_log::add_proposal_act(writing, &act)
}

/// The proposals about a plan, and those that it came from. Those whose planner is still running
/// aren't among them, because its session would be lost.
const OF_REMOVED_PLAN: &str = "SELECT id, planning FROM proposals
    WHERE (target_plan = ?1 OR json_valid(content)
            AND content ->> '$.state.state' = 'accepted' AND content ->> '$.state.plan' = ?2)
        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.plan = proposals.planning AND ended_at IS NULL)";

/// Removes the proposals of a plan that is removed for good, with their comments and planners.
pub(crate) fn remove_of_plan(
    writing: &mut WriteTransaction<'_, '_>,
    plan: PlanId,
) -> Result<(), StoreError> {
    let parameters = params![plan.0, plan.to_string()];
    let found = query_rows(writing.tx, OF_REMOVED_PLAN, parameters, |row| {
        let planning = row.get::<_, Option<_>>("planning")?.map(PlanId);
        Ok((ProposalId(row.get("id")?), planning))
    })?;
    for (proposal, planning) in found {
        let query = "DELETE FROM proposals WHERE id = ?1";
        writing.tx.prepare_cached(query)?.execute([proposal.0])?;
        if let Some(planning) = planning {
            let query = "DELETE FROM plans WHERE id = ?1 AND planner = 1";
            writing.tx.prepare_cached(query)?.execute([planning.0])?;
        }
        writing.changes.push(Change::ProposalChanged { proposal });
    }
    Ok(())
}

fn update(
    writing: &mut WriteTransaction<'_, '_>,
    proposal: &Proposal,
    base_revision: u64,
    basis: Option<&ProposalBasis>,
    author: &Actor,
) -> Result<ProposalRow, StoreError> {
    let before = get(writing.tx, proposal.id)?;
    let current = before.revision;
    if current != base_revision {
        return Err(StoreError::StaleProposal {
            proposal: proposal.id,
        });
    }
    let query = "UPDATE proposals SET revision = ?2, is_open = ?3, content = ?4, basis = COALESCE(?5, basis)
        WHERE id = ?1";
    let parameters = params![
        proposal.id.0,
        current + 1,
        proposal.is_unfinished(),
        json(proposal)?,
        basis.map(json).transpose()?
    ];
    writing.tx.prepare_cached(query)?.execute(parameters)?;
    log_act(writing, Some(&before.proposal), proposal, author)?;
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
