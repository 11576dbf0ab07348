//! Rejections: which plan or proposal a person rejected, and why.

use baton_model::review::RejectionReason;
use baton_model::{PlanId, ProposalId, Timestamp};
use rusqlite::{Row, params};

use crate::column::{Fields, query_rows};
use crate::store::WriteTransaction;
use crate::{Actor, Store, StoreError};

pub(crate) const MIGRATION_12: &str = "
CREATE TABLE rejections (
    id INTEGER PRIMARY KEY,
    plan BLOB REFERENCES plans (id) ON DELETE CASCADE,
    version INTEGER,
    proposal BLOB REFERENCES proposals (id) ON DELETE CASCADE,
    reason TEXT,
    words TEXT NOT NULL,
    actor TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX rejections_of_plan ON rejections (plan);
CREATE INDEX rejections_of_proposal ON rejections (proposal);
CREATE INDEX rejections_at ON rejections (at);
";

/// A person's decision against a plan version or a proposal.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The plan, or the one that the proposal would change.
    pub plan: Option<PlanId>,
    pub version: Option<u32>,
    pub proposal: Option<ProposalId>,
    pub reason: Option<RejectionReason>,
    /// What the person said; may be empty.
    pub words: String,
    pub actor: Actor,
    pub at: Timestamp,
}

/// Handle for the table `rejections`; see [`Store::rejections`].
#[derive(Clone, Copy)]
pub struct Rejections<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the table `rejections`.
    #[must_use]
    pub fn rejections(&self) -> Rejections<'_> {
        Rejections { store: self }
    }
}

impl Rejections<'_> {
    /// The rejections of a plan and of proposals to change it, latest first.
    pub fn of_plan(&self, plan: PlanId) -> Result<Vec<Rejection>, StoreError> {
        let query = "SELECT * FROM rejections WHERE plan = ?1 ORDER BY id DESC";
        self.store
            .read(|connection| query_rows(connection, query, [plan.0], read))
    }
}

pub(crate) fn add(
    writing: &mut WriteTransaction<'_, '_>,
    rejection: &Rejection,
) -> Result<(), StoreError> {
    // The plan of a proposal may be deleted by now.
    let query = "INSERT INTO rejections (plan, version, proposal, reason, words, actor, at)
        VALUES ((SELECT id FROM plans WHERE id = ?1), ?2, ?3, ?4, ?5, ?6, ?7)";
    writing.tx.prepare_cached(query)?.execute(params![
        rejection.plan.map(|plan| plan.0),
        rejection.version,
        rejection.proposal.map(|proposal| proposal.0),
        rejection.reason.map(RejectionReason::as_str),
        rejection.words,
        rejection.actor,
        rejection.at.0,
    ])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<Rejection, StoreError> {
    let id: i64 = row.get("id")?;
    let fields = Fields::new(row, "rejections", id);
    Ok(Rejection {
        plan: fields.get::<Option<_>>("plan")?.map(PlanId),
        version: fields.get("version")?,
        proposal: fields.get::<Option<_>>("proposal")?.map(ProposalId),
        reason: fields.word("reason")?,
        words: fields.get("words")?,
        actor: fields.get("actor")?,
        at: Timestamp(fields.get("at")?),
    })
}
