//! Plans: their records, their review state, and optimistic locking between writers.
//!
//! A plan has a `version`, which counts its contents, and a `revision`, which counts every write. A
//! writer sends the revision that it read, and is refused if another write came in between. A
//! layout-only change replaces the content of the current version in place: the version and its
//! approval stay, only the revision increases. Whether a plan is valid is for the caller to check.

use baton_model::plan::Autonomy;
use baton_model::review::ReviewEvent;
use baton_model::{
    HistoryType, Plan, PlanId, Retention, ReviewState, RunId, RunState, Timestamp, VersionChange,
};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::column::{Fields, json, not_found, query_listing, query_optional, query_rows};
use crate::node_states::{self, NodeStatus};
use crate::plan_log::PlanAct;
use crate::plan_versions::NewVersion;
use crate::store::WriteTransaction;
use crate::{
    Actor, Approval, Change, Listing, Rejection, Store, StoreError, approvals, deleted_plans,
    grants, plan_graph, plan_log, plan_versions, rejections,
};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE plans (
    id BLOB PRIMARY KEY,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    cwd TEXT,
    project TEXT,
    tags TEXT NOT NULL,
    source TEXT NOT NULL,
    node_count INTEGER NOT NULL,
    review TEXT NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    approved_version INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

// In a separate column, because agents may write the content.
pub(crate) const MIGRATION_9: &str = "
ALTER TABLE plans ADD COLUMN agents_may_start INTEGER NOT NULL DEFAULT 0;
";

// `next_run_number` only grows, so that a number is never used again after its run was deleted. A
// plan that a person deleted stays, hidden, until `deleted_at` is too long ago.
pub(crate) const MIGRATION_10: &str = "
ALTER TABLE plans ADD COLUMN next_run_number INTEGER NOT NULL DEFAULT 1;
ALTER TABLE plans ADD COLUMN retention TEXT;
ALTER TABLE plans ADD COLUMN archived_at INTEGER;
ALTER TABLE plans ADD COLUMN deleted_at INTEGER;
";

// `planner` marks the plans whose runs are planner sessions, which no list shows. The other columns
// repeat what the content says, for filters and sort orders; see `plans_page`. Content that says
// something else than a plan can is damaged, but must not prevent the migration.
pub(crate) const MIGRATION_12: &str = "
ALTER TABLE plans ADD COLUMN planner INTEGER NOT NULL DEFAULT 0;
UPDATE plans SET planner = 1 WHERE id IN (SELECT planning FROM proposals);
CREATE VIEW planning_plans AS SELECT id FROM plans WHERE planner = 1;
CREATE INDEX plans_planner ON plans (id) WHERE planner = 1;
ALTER TABLE plans ADD COLUMN priority INTEGER NOT NULL DEFAULT 5;
ALTER TABLE plans ADD COLUMN autonomy INTEGER;
ALTER TABLE plans ADD COLUMN user TEXT;
ALTER TABLE plans ADD COLUMN goal TEXT;
ALTER TABLE plans ADD COLUMN origin_trigger TEXT;
UPDATE plans SET
    priority = IIF(json_type(content, '$.settings.priority') = 'integer'
        AND content ->> '$.settings.priority' BETWEEN 1 AND 10, content ->> '$.settings.priority', 5),
    autonomy = IIF(json_type(content, '$.settings.autonomy') = 'integer'
        AND content ->> '$.settings.autonomy' BETWEEN 0 AND 4, content ->> '$.settings.autonomy', NULL),
    user = IIF(json_type(content, '$.origin.user') = 'text', content ->> '$.origin.user', NULL),
    goal = IIF(json_type(content, '$.origin.goal') = 'text', content ->> '$.origin.goal', NULL),
    origin_trigger = IIF(json_type(content, '$.origin.trigger') = 'text', content ->> '$.origin.trigger', NULL)
FROM (SELECT plan, version, content FROM plan_versions WHERE json_valid(content)) AS current
WHERE current.plan = plans.id AND current.version = plans.version;
CREATE INDEX plans_page_priority ON plans (priority DESC, created_at DESC, id DESC)
    WHERE planner = 0 AND deleted_at IS NULL;
";

/// Maximum length, in characters, of a description in a list.
const SUMMARY_LENGTH: usize = 280;
/// Maximum number of cells in a list's progress bar.
const MAX_PROGRESS_CELLS: usize = 200;

/// A plan's metadata, without its content.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanRecord {
    pub plan: PlanId,
    /// The current content's version, counted from 1.
    pub version: u32,
    /// Increases with every write. Writers send it as their base.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub revision: u64,
    pub review: ReviewState,
    /// The version that a person approved last.
    pub approved_version: Option<u32>,
    /// Whether a person allowed agents to start the approved version without asking.
    pub agents_may_start: bool,
    pub created_at: Timestamp,
    /// When it was last written.
    pub updated_at: Timestamp,
    /// Which of its runs are kept; `None` for the rule of the settings.
    pub retention: Option<Retention>,
    /// Since when it is archived; an edit or a run ends that.
    pub archived_at: Option<Timestamp>,
}

/// A plan as shown in a list.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanRow {
    pub record: PlanRecord,
    pub title: String,
    /// The beginning of its description.
    pub summary: String,
    /// The directory in which its nodes run.
    pub cwd: Option<String>,
    pub project: Option<String>,
    pub tags: Vec<String>,
    pub source: baton_model::plan::Source,
    /// From 1 to 10; plans with a higher priority go first.
    pub priority: u8,
    /// How much a person is asked; `None` for the default of the settings.
    pub autonomy: Option<Autonomy>,
    /// The person whose plan it is.
    pub user: Option<String>,
    /// The goal that it serves.
    pub goal: Option<String>,
    /// The trigger that created it.
    pub trigger: Option<String>,
    /// Number of executable nodes.
    pub node_count: u32,
    /// The run that was created last.
    pub last_run: Option<LastRun>,
    /// Why the last run can't be read, if it can't.
    pub damage: Option<String>,
}

/// The progress of a plan's last run.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LastRun {
    pub run: RunId,
    /// Counts the runs of its plan from 1.
    pub number: u32,
    /// The plan version that it executes.
    pub version: u32,
    /// How many nodes used their pinned output instead of running.
    pub pinned_nodes: u32,
    pub state: RunState,
    /// Whether every node that could go on waits for a person.
    pub waits_for_person: bool,
    /// The node states in plan order. Above 200 nodes, a proportional summary; see
    /// `progress_cells`.
    pub nodes: Vec<NodeStatus>,
    /// Number of nodes that are done or skipped.
    pub settled: u32,
    /// Number of nodes in the run.
    pub total: u32,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
}

/// One plan in a write of several plans.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanWrite {
    /// A new plan; see [`Plans::create`].
    New(Plan),
    /// New content of an existing plan; see [`Plans::save`].
    Changed {
        /// The whole new content.
        plan: Plan,
        /// The revision that the writer read.
        base_revision: u64,
    },
}

/// Handle for the table `plans`; see [`Store::plans`].
#[derive(Clone, Copy)]
pub struct Plans<'store> {
    pub(crate) store: &'store Store,
}

impl Store {
    /// Access to the table `plans`.
    #[must_use]
    pub fn plans(&self) -> Plans<'_> {
        Plans { store: self }
    }
}

impl Plans<'_> {
    /// All plans except planners' plans, last written first.
    pub fn list(&self) -> Result<Listing<PlanRow>, StoreError> {
        self.store.read(|connection| {
            // Plans whose runs are planner sessions aren't listed, nor are deleted ones.
            let query = "SELECT * FROM plans WHERE id NOT IN planning_plans AND deleted_at IS NULL ORDER BY updated_at DESC, id DESC";
            list_with_runs(connection, query, [])
        })
    }

    /// Returns a plan's metadata without its content.
    pub fn record(&self, plan: PlanId) -> Result<PlanRecord, StoreError> {
        self.store.read(|connection| record(connection, plan))
    }

    /// Returns a plan's metadata and its current content.
    pub fn current(&self, plan: PlanId) -> Result<(PlanRecord, Plan), StoreError> {
        self.store.read(|connection| {
            let record = record(connection, plan)?;
            let content = plan_versions::content(connection, plan, record.version)?;
            Ok((record, content))
        })
    }

    /// Stores a new plan as version 1, in draft.
    pub fn create(
        &self,
        plan: &Plan,
        author: &Actor,
        now: Timestamp,
    ) -> Result<PlanRecord, StoreError> {
        self.store
            .write(|writing| create(writing, plan, author, now))
    }

    /// Stores new content of a plan that was read at `base_revision`.
    ///
    /// Creates a new version in draft. A layout-only change instead replaces the current version in
    /// place and keeps its review state.
    pub fn save(
        &self,
        plan: &Plan,
        base_revision: u64,
        author: &Actor,
        now: Timestamp,
    ) -> Result<PlanRecord, StoreError> {
        self.store
            .write(|writing| save(writing, plan, base_revision, author, now))
    }

    /// Makes the content of an earlier version the newest version, in draft, like [`Plans::save`].
    pub fn restore_version(
        &self,
        plan: PlanId,
        version: u32,
        base_revision: u64,
        author: &Actor,
        now: Timestamp,
    ) -> Result<PlanRecord, StoreError> {
        self.store.write(|writing| {
            deleted_plans::refuse_deleted(writing.tx, plan)?;
            let content = plan_versions::content(writing.tx, plan, version)?;
            save_version(writing, &content, base_revision, Some(version), author, now)
        })
    }

    /// Stores several plans, all or none.
    pub fn write_all(
        &self,
        plans: &[PlanWrite],
        author: &Actor,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store.write(|writing| {
            for write in plans {
                match write {
                    PlanWrite::New(plan) => create(writing, plan, author, now)?,
                    PlanWrite::Changed {
                        plan,
                        base_revision,
                    } => save(writing, plan, *base_revision, author, now)?,
                };
            }
            Ok(())
        })
    }

    /// Approves the current version of a plan that was read at `base_revision`.
    pub fn approve(
        &self,
        plan: PlanId,
        base_revision: u64,
        approval: &Approval,
    ) -> Result<PlanRecord, StoreError> {
        self.store.write(|writing| {
            let record = load_for_edit(writing.tx, plan, base_revision)?;
            approve(writing, record, approval)
        })
    }

    /// Changes the review of a plan that was read as `read`, by any event but an approval. A
    /// rejection is stored with it.
    pub fn review(
        &self,
        read: &PlanRecord,
        event: ReviewEvent,
        rejection: Option<&Rejection>,
        actor: &Actor,
        now: Timestamp,
    ) -> Result<PlanRecord, StoreError> {
        self.store.write(|writing| {
            let mut record = load_for_edit(writing.tx, read.plan, read.revision)?;
            record.review = record.review.after(event)?;
            record.revision += 1;
            record.updated_at = now;
            let query =
                "UPDATE plans SET review = ?2, revision = ?3, updated_at = ?4 WHERE id = ?1";
            let parameters = params![record.plan.0, json(&record.review)?, record.revision, now.0];
            writing.tx.prepare_cached(query)?.execute(parameters)?;
            if let Some(rejection) = rejection {
                rejections::add(writing, rejection)?;
            }
            if let Some(history_type) = review_history_type(event) {
                plan_log::add(
                    writing,
                    &PlanAct::new((record.plan, record.version), history_type, actor, now),
                )?;
            }
            writing.changes.push(Change::PlanChanged {
                plan: record.plan,
                revision: Some(record.revision),
            });
            Ok(record)
        })
    }

    /// Sets whether agents may start the approved version without asking. Also applies to later
    /// versions once they are approved.
    pub fn set_agents_may_start(
        &self,
        plan: PlanId,
        allowed: bool,
    ) -> Result<PlanRecord, StoreError> {
        self.store.write(|writing| {
            let record = PlanRecord {
                agents_may_start: allowed,
                ..record(writing.tx, plan)?
            };
            let query = "UPDATE plans SET agents_may_start = ?2 WHERE id = ?1";
            writing
                .tx
                .prepare_cached(query)?
                .execute(params![plan.0, allowed])?;
            writing.changes.push(Change::PlanChanged {
                plan,
                revision: None,
            });
            Ok(record)
        })
    }

    /// Sets which runs of a plan are kept; `None` for the rule of the settings.
    pub fn set_retention(
        &self,
        plan: PlanId,
        retention: Option<Retention>,
    ) -> Result<(), StoreError> {
        let retention = retention.map(|retention| json(&retention)).transpose()?;
        self.store.write(|writing| {
            deleted_plans::refuse_deleted(writing.tx, plan)?;
            let query = "UPDATE plans SET retention = ?2 WHERE id = ?1";
            let changed = writing.tx.execute(query, params![plan.0, retention])?;
            report_changed(writing, plan, changed)
        })
    }

    /// Archives a plan. Refused while one of its runs hasn't ended. A second call changes nothing.
    pub fn archive(&self, plan: PlanId, now: Timestamp) -> Result<(), StoreError> {
        self.store.write(|writing| {
            deleted_plans::refuse_deleted(writing.tx, plan)?;
            let query = "SELECT id FROM runs WHERE plan = ?1 AND ended_at IS NULL";
            let runs = query_rows(writing.tx, query, [plan.0], |row| Ok(RunId(row.get(0)?)))?;
            if !runs.is_empty() {
                return Err(StoreError::PlanIsRunning { plan, runs });
            }
            let query = "UPDATE plans SET archived_at = COALESCE(archived_at, ?2) WHERE id = ?1";
            let changed = writing.tx.execute(query, params![plan.0, now.0])?;
            report_changed(writing, plan, changed)
        })
    }

    /// Ends the archiving of a plan.
    pub fn unarchive(&self, plan: PlanId) -> Result<(), StoreError> {
        self.store.write(|writing| {
            deleted_plans::refuse_deleted(writing.tx, plan)?;
            let query = "UPDATE plans SET archived_at = NULL WHERE id = ?1";
            let changed = writing.tx.execute(query, [plan.0])?;
            report_changed(writing, plan, changed)
        })
    }
}

fn review_history_type(event: ReviewEvent) -> Option<HistoryType> {
    Some(match event {
        ReviewEvent::Proposed => HistoryType::Proposed,
        ReviewEvent::Rejected | ReviewEvent::RejectedTooOften => HistoryType::Rejected,
        ReviewEvent::Withdrawn => HistoryType::Withdrawn,
        ReviewEvent::Approved | ReviewEvent::Edited | ReviewEvent::Cancelled => return None,
    })
}

/// The plans that `query` selects, each with its latest run.
pub(crate) fn list_with_runs(
    connection: &Connection,
    query: &str,
    parameters: impl rusqlite::Params,
) -> Result<Listing<PlanRow>, StoreError> {
    let mut plans = query_listing(connection, query, parameters, read_row)?;
    for row in &mut plans.rows {
        match last_run(connection, row.record.plan) {
            Ok(run) => row.last_run = run,
            // A damaged run must not hide its plan.
            Err(StoreError::Unreadable(run)) => {
                row.damage = Some(run.to_string());
                plans.unreadable.push(run);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(plans)
}

/// Reports a change that doesn't count as a revision.
fn report_changed(
    writing: &mut WriteTransaction<'_, '_>,
    plan: PlanId,
    changed: usize,
) -> Result<(), StoreError> {
    if changed == 0 {
        return Err(not_found("the plan", plan));
    }
    writing.changes.push(Change::PlanChanged {
        plan,
        revision: None,
    });
    Ok(())
}

/// Approves the version in `record`, which this transaction read or wrote.
pub(crate) fn approve(
    writing: &mut WriteTransaction<'_, '_>,
    mut record: PlanRecord,
    approval: &Approval,
) -> Result<PlanRecord, StoreError> {
    record.review = record.review.after(ReviewEvent::Approved)?;
    record.revision += 1;
    record.updated_at = approval.at;
    record.archived_at = None;
    record.approved_version = Some(record.version);
    approvals::add(writing.tx, record.plan, record.version, approval)?;
    let query = "UPDATE plans SET review = ?2, revision = ?3, approved_version = ?4, updated_at = ?5, archived_at = NULL WHERE id = ?1";
    let parameters = params![
        record.plan.0,
        json(&record.review)?,
        record.revision,
        record.approved_version,
        approval.at.0
    ];
    writing.tx.prepare_cached(query)?.execute(parameters)?;
    let act = PlanAct::new(
        (record.plan, record.version),
        HistoryType::Approved,
        &approval.actor,
        approval.at,
    );
    plan_log::add(writing, &act)?;
    writing.changes.push(Change::PlanChanged {
        plan: record.plan,
        revision: Some(record.revision),
    });
    Ok(record)
}

pub(crate) fn create(
    writing: &mut WriteTransaction<'_, '_>,
    plan: &Plan,
    author: &Actor,
    now: Timestamp,
) -> Result<PlanRecord, StoreError> {
    let record = insert(writing, plan, author, now)?;
    plan_log::add(
        writing,
        &PlanAct::new(
            (record.plan, record.version),
            HistoryType::Created,
            author,
            now,
        ),
    )?;
    Ok(record)
}

/// Stores the plan whose runs are the sessions of a planner. It has no history of its own.
pub(crate) fn create_planning(
    writing: &mut WriteTransaction<'_, '_>,
    plan: &Plan,
    author: &Actor,
    now: Timestamp,
) -> Result<(), StoreError> {
    insert(writing, plan, author, now)?;
    let query = "UPDATE plans SET planner = 1 WHERE id = ?1";
    writing.tx.prepare_cached(query)?.execute([plan.id.0])?;
    Ok(())
}

fn insert(
    writing: &mut WriteTransaction<'_, '_>,
    plan: &Plan,
    author: &Actor,
    now: Timestamp,
) -> Result<PlanRecord, StoreError> {
    if query_optional(
        writing.tx,
        "SELECT 1 FROM plans WHERE id = ?1",
        [plan.id.0],
        |_| Ok(()),
    )?
    .is_some()
    {
        return Err(StoreError::Exists {
            what: "the plan",
            id: plan.id.to_string(),
        });
    }
    let record = PlanRecord {
        plan: plan.id,
        version: 1,
        revision: 1,
        review: ReviewState::default(),
        approved_version: None,
        agents_may_start: false,
        created_at: now,
        updated_at: now,
        retention: None,
        archived_at: None,
    };
    write_current(writing, &record, plan)?;
    let first = NewVersion {
        version: 1,
        previous: None,
        changes: &[],
    };
    plan_versions::add(writing.tx, plan, &first, author, now)?;
    plan_graph::replace(writing.tx, plan)?;
    Ok(record)
}

pub(crate) fn save(
    writing: &mut WriteTransaction<'_, '_>,
    plan: &Plan,
    base_revision: u64,
    author: &Actor,
    now: Timestamp,
) -> Result<PlanRecord, StoreError> {
    save_version(writing, plan, base_revision, None, author, now)
}

/// Like [`save`], for content that may be that of the earlier version `restored`.
fn save_version(
    writing: &mut WriteTransaction<'_, '_>,
    plan: &Plan,
    base_revision: u64,
    restored: Option<u32>,
    author: &Actor,
    now: Timestamp,
) -> Result<PlanRecord, StoreError> {
    let mut record = load_for_edit(writing.tx, plan.id, base_revision)?;
    // Content that can't be read any more may still be replaced.
    let before = plan_versions::content(writing.tx, plan.id, record.version).ok();
    let only_layout = before
        .as_ref()
        .is_some_and(|before| before.differs_only_in_layout(plan));
    record.revision += 1;
    record.updated_at = now;
    record.archived_at = None;
    if only_layout {
        plan_versions::replace(writing.tx, plan, record.version)?;
    } else {
        let previous = record.version;
        record.version += 1;
        record.review = record.review.after(ReviewEvent::Edited)?;
        let compared = before.map(|before| VersionChange::between(&before, plan));
        let changes: Vec<_> = restored
            .map(|version| VersionChange::Restored { version })
            .into_iter()
            .chain(compared.into_iter().flatten())
            .collect();
        let next = NewVersion {
            version: record.version,
            previous: Some(previous),
            changes: &changes,
        };
        plan_versions::add(writing.tx, plan, &next, author, now)?;
        grants::delete_outdated(writing.tx, plan)?;
        plan_log::add(
            writing,
            &PlanAct::new(
                (record.plan, record.version),
                HistoryType::Edited,
                author,
                now,
            ),
        )?;
    }
    write_current(writing, &record, plan)?;
    plan_graph::replace(writing.tx, plan)?;
    Ok(record)
}

fn write_current(
    writing: &mut WriteTransaction<'_, '_>,
    record: &PlanRecord,
    plan: &Plan,
) -> Result<(), StoreError> {
    let summary: String = plan.description.chars().take(SUMMARY_LENGTH).collect();
    let node_count = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable())
        .count();
    let mut upsert = writing.tx.prepare_cached(
        "INSERT INTO plans (id, title, summary, cwd, project, tags, source, node_count, review, version, revision,
             approved_version, created_at, updated_at, priority, autonomy, user, goal, origin_trigger)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
         ON CONFLICT (id) DO UPDATE SET title = ?2, summary = ?3, cwd = ?4, project = ?5, tags = ?6, source = ?7,
             node_count = ?8, review = ?9, version = ?10, revision = ?11, approved_version = ?12, updated_at = ?14,
             archived_at = NULL, priority = ?15, autonomy = ?16, user = ?17, goal = ?18, origin_trigger = ?19",
    )?;
    upsert.execute(params![
        plan.id.0,
        plan.title,
        summary,
        plan.cwd,
        plan.settings.project,
        json(&plan.settings.tags)?,
        json(&plan.origin.source)?,
        node_count,
        json(&record.review)?,
        record.version,
        record.revision,
        record.approved_version,
        record.created_at.0,
        record.updated_at.0,
        plan.settings.priority,
        plan.settings.autonomy.map(u8::from),
        plan.origin.user,
        plan.origin.goal,
        plan.origin.trigger,
    ])?;
    writing.changes.push(Change::PlanChanged {
        plan: plan.id,
        revision: Some(record.revision),
    });
    Ok(())
}

/// Fails unless the plan is at this revision.
pub(crate) fn require_revision(
    connection: &Connection,
    plan: PlanId,
    base: u64,
) -> Result<(), StoreError> {
    load_for_edit(connection, plan, base).map(drop)
}

fn load_for_edit(
    connection: &Connection,
    plan: PlanId,
    based_on: u64,
) -> Result<PlanRecord, StoreError> {
    let record = record(connection, plan)?;
    if record.revision == based_on {
        Ok(record)
    } else {
        Err(StoreError::Conflict {
            plan,
            based_on,
            current: record.revision,
        })
    }
}

pub(crate) fn record(connection: &Connection, plan: PlanId) -> Result<PlanRecord, StoreError> {
    deleted_plans::refuse_deleted(connection, plan)?;
    query_optional(
        connection,
        "SELECT * FROM plans WHERE id = ?1",
        [plan.0],
        read_record,
    )?
    .ok_or_else(|| not_found("the plan", plan))
}

fn read_record(row: &Row<'_>) -> Result<PlanRecord, StoreError> {
    let plan = PlanId(row.get("id")?);
    let fields = Fields::new(row, "plans", plan);
    Ok(PlanRecord {
        plan,
        version: fields.get("version")?,
        revision: fields.get("revision")?,
        review: fields.json("review")?,
        approved_version: fields.get("approved_version")?,
        agents_may_start: fields.get("agents_may_start")?,
        created_at: Timestamp(fields.get("created_at")?),
        updated_at: Timestamp(fields.get("updated_at")?),
        retention: fields.optional_json("retention")?,
        archived_at: fields.get::<Option<i64>>("archived_at")?.map(Timestamp),
    })
}

/// The number of the next run of `plan`. Each call returns another one.
pub(crate) fn next_run_number(connection: &Connection, plan: PlanId) -> Result<u32, StoreError> {
    let query = "UPDATE plans SET next_run_number = next_run_number + 1 WHERE id = ?1
        RETURNING next_run_number - 1";
    Ok(connection
        .prepare_cached(query)?
        .query_row([plan.0], |row| row.get(0))?)
}

/// Ends the archiving of a plan of which a run starts.
pub(crate) fn unarchive_for_run(
    writing: &mut WriteTransaction<'_, '_>,
    plan: PlanId,
) -> Result<(), StoreError> {
    let query = "UPDATE plans SET archived_at = NULL WHERE id = ?1 AND archived_at IS NOT NULL";
    if writing.tx.prepare_cached(query)?.execute([plan.0])? > 0 {
        writing.changes.push(Change::PlanChanged {
            plan,
            revision: None,
        });
    }
    Ok(())
}

/// The states one by one or, for too many nodes, a summary: each state gets cells in proportion to
/// its share of nodes, but at least one, so a single failure among thousands stays visible. Equal
/// states are grouped, in order of first occurrence.
fn progress_cells(nodes: Vec<NodeStatus>) -> Vec<NodeStatus> {
    if nodes.len() <= MAX_PROGRESS_CELLS {
        return nodes;
    }
    let mut counts: Vec<(NodeStatus, usize)> = Vec::new();
    for word in &nodes {
        match counts.iter_mut().find(|(known, _)| known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((*word, 1)),
        }
    }
    let share = |count: usize| (count * MAX_PROGRESS_CELLS / nodes.len()).max(1);
    counts
        .into_iter()
        .flat_map(|(word, count)| std::iter::repeat_n(word, share(count)))
        .collect()
}

pub(crate) fn read_row(row: &Row<'_>) -> Result<PlanRow, StoreError> {
    let record = read_record(row)?;
    let fields = Fields::new(row, "plans", record.plan);
    Ok(PlanRow {
        title: fields.get("title")?,
        summary: fields.get("summary")?,
        cwd: fields.get("cwd")?,
        project: fields.get("project")?,
        tags: fields.json("tags")?,
        source: fields.json("source")?,
        priority: fields.get("priority")?,
        autonomy: fields
            .get::<Option<u8>>("autonomy")?
            .and_then(|level| level.try_into().ok()),
        user: fields.get("user")?,
        goal: fields.get("goal")?,
        trigger: fields.get("origin_trigger")?,
        node_count: fields.get("node_count")?,
        last_run: None,
        damage: None,
        record,
    })
}

fn last_run(connection: &Connection, plan: PlanId) -> Result<Option<LastRun>, StoreError> {
    let query = "SELECT * FROM runs WHERE plan = ?1 ORDER BY created_at DESC, id DESC LIMIT 1";
    query_optional(connection, query, [plan.0], |row| {
        let run = RunId(row.get("id")?);
        let fields = Fields::new(row, "runs", run);
        let nodes = node_states::statuses(connection, run)?;
        let settled = nodes.iter().filter(|word| word.is_settled()).count();
        let total = nodes.len();
        Ok(LastRun {
            run,
            number: fields.get("number")?,
            version: fields.get("version")?,
            pinned_nodes: fields.get("pinned_nodes")?,
            state: fields.json("state")?,
            waits_for_person: fields.get("waits_for_person")?,
            nodes: progress_cells(nodes),
            settled: u32::try_from(settled).unwrap_or(u32::MAX),
            total: u32::try_from(total).unwrap_or(u32::MAX),
            created_at: Timestamp(fields.get("created_at")?),
            started_at: fields.get::<Option<i64>>("started_at")?.map(Timestamp),
            ended_at: fields.get::<Option<i64>>("ended_at")?.map(Timestamp),
        })
    })
}
