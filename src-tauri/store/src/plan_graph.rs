//! Nodes and edges of the current version of each plan, for SQL queries. The version's content is
//! the source of truth; these rows are rebuilt with every save.

use baton_model::{Edge, NodeId, Plan, PlanId};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::column::query_rows;
use crate::{Store, StoreError};

pub(crate) const MIGRATION_1: &str = "
CREATE TABLE plan_nodes (
    plan BLOB NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    node BLOB NOT NULL,
    position INTEGER NOT NULL,
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (plan, node)
) STRICT, WITHOUT ROWID;
CREATE INDEX plan_nodes_by_id ON plan_nodes (node);
CREATE TABLE plan_edges (
    plan BLOB NOT NULL REFERENCES plans (id) ON DELETE CASCADE,
    parent BLOB NOT NULL,
    child BLOB NOT NULL,
    soft INTEGER NOT NULL,
    PRIMARY KEY (plan, parent, child)
) STRICT, WITHOUT ROWID;
";

/// The fields of a node that lists and lookups need.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanNodeRow {
    pub plan: PlanId,
    pub node: NodeId,
    /// Its name within the plan.
    pub slug: String,
    pub title: String,
    /// The kind as written in plan files.
    pub kind: String,
}

/// Handle for the graphs of current plan versions; see [`Store::plan_graph`].
#[derive(Clone, Copy)]
pub struct PlanGraph<'store> {
    store: &'store Store,
}

impl Store {
    /// Access to the nodes and edges of current plan versions.
    #[must_use]
    pub fn plan_graph(&self) -> PlanGraph<'_> {
        PlanGraph { store: self }
    }
}

impl PlanGraph<'_> {
    /// The nodes of a plan, in plan order.
    pub fn nodes(&self, plan: PlanId) -> Result<Vec<PlanNodeRow>, StoreError> {
        self.select(
            "SELECT * FROM plan_nodes WHERE plan = ?1 ORDER BY position",
            plan.0,
        )
    }

    /// Plans that contain a node. Copied plans may share node ids.
    pub fn with_node(&self, node: NodeId) -> Result<Vec<PlanNodeRow>, StoreError> {
        self.select(
            "SELECT * FROM plan_nodes WHERE node = ?1 AND plan NOT IN deleted_plans ORDER BY plan",
            node.0,
        )
    }

    /// The edges of a plan.
    pub fn edges(&self, plan: PlanId) -> Result<Vec<Edge>, StoreError> {
        let query = "SELECT parent, child, soft FROM plan_edges WHERE plan = ?1";
        self.store.read(|connection| {
            query_rows(connection, query, [plan.0], |row| {
                Ok(Edge {
                    parent: NodeId(row.get(0)?),
                    child: NodeId(row.get(1)?),
                    soft: row.get(2)?,
                    inferred: false,
                })
            })
        })
    }

    fn select(&self, query: &str, id: uuid::Uuid) -> Result<Vec<PlanNodeRow>, StoreError> {
        self.store.read(|connection| {
            query_rows(connection, query, [id], |row| {
                Ok(PlanNodeRow {
                    plan: PlanId(row.get("plan")?),
                    node: NodeId(row.get("node")?),
                    slug: row.get("slug")?,
                    title: row.get("title")?,
                    kind: row.get("kind")?,
                })
            })
        })
    }
}

pub(crate) fn replace(connection: &Connection, plan: &Plan) -> Result<(), StoreError> {
    for table in [
        "DELETE FROM plan_nodes WHERE plan = ?1",
        "DELETE FROM plan_edges WHERE plan = ?1",
    ] {
        connection.prepare_cached(table)?.execute([plan.id.0])?;
    }
    let mut node_row = connection.prepare_cached(
        "INSERT OR REPLACE INTO plan_nodes (plan, node, position, slug, title, kind) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (position, node) in plan.nodes.iter().enumerate() {
        let slug = node.slug.as_str();
        node_row.execute(params![
            plan.id.0,
            node.id.0,
            position,
            slug,
            node.title,
            node.kind.as_str()
        ])?;
    }
    let mut edge_row = connection.prepare_cached(
        "INSERT OR REPLACE INTO plan_edges (plan, parent, child, soft) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for edge in &plan.edges {
        edge_row.execute(params![plan.id.0, edge.parent.0, edge.child.0, edge.soft])?;
    }
    Ok(())
}
