//! The background that an attempt receives besides its parents' handoffs: how other nodes failed,
//! how its own earlier attempts ended, and, if it decides how the run continues, what all finished
//! nodes produced.
//!
//! Built from stored data, so that an attempt receives the same after a crash.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baton_model::context::{AttemptReport, FailureReport};
use baton_model::node::Criterion;
use baton_model::{Attempt, Graph, Node, NodeId, NodeKind, NodeState, Outcome, Plan, RunId};
use baton_store::{AttemptRow, Store, StoreError};

use crate::node_templates::templates_of;
use crate::template;

/// What one attempt receives besides handoffs.
#[derive(Debug, Clone, Default)]
pub struct Background {
    failures: BTreeMap<NodeId, Arc<FailureReport>>,
    /// The nodes that error templates refer to and that did not fail.
    unfailed: BTreeSet<NodeId>,
    /// The finished nodes that are not parents, in plan order.
    others: Vec<NodeId>,
    earlier: Arc<[AttemptReport]>,
}

/// The parts of a run that the background of its nodes depends on.
pub struct RunSnapshot<'a> {
    /// The store that holds the run.
    pub store: &'a Store,
    /// The run whose nodes are described.
    pub run: RunId,
    /// The version that the run executes.
    pub plan: &'a Plan,
    /// The dependencies in `plan`.
    pub graph: &'a Graph,
    /// Looks up the current state of a node; `None` for an unknown one.
    pub state: &'a dyn Fn(NodeId) -> Option<&'a NodeState>,
}

impl Background {
    /// The background for the attempt of `node` that follows its attempts before `next`, or all of
    /// them for `None`.
    pub fn gather(
        snapshot: &RunSnapshot<'_>,
        node: &Node,
        next: Option<Attempt>,
    ) -> Result<Self, StoreError> {
        let mut background = Self {
            earlier: earlier(snapshot, node.id, next)?.into(),
            ..Self::default()
        };
        let Some(number) = snapshot.graph.number(node.id) else {
            return Ok(background);
        };
        let parents: Vec<NodeId> = snapshot
            .graph
            .context_parents(number)
            .map(|parent| snapshot.graph.id(parent))
            .collect();
        if matches!(node.kind, NodeKind::LlmDecision(_)) {
            background.others = others(snapshot, node.id, &parents);
        }
        let named = named_in_errors(snapshot.plan, node);
        for other in parents
            .iter()
            .chain(&background.others.clone())
            .chain(&named)
            .copied()
        {
            if !background.failures.contains_key(&other) {
                background.add_failure_of(snapshot, other)?;
            }
        }
        Ok(background)
    }

    fn add_failure_of(
        &mut self,
        snapshot: &RunSnapshot<'_>,
        node: NodeId,
    ) -> Result<(), StoreError> {
        match failure_of(snapshot, node)? {
            Some(report) => {
                self.failures.insert(node, Arc::new(report));
            }
            None if (snapshot.state)(node).is_some_and(NodeState::has_ended) => {
                self.unfailed.insert(node);
            }
            None => {}
        }
        Ok(())
    }

    /// Returns how `node` failed, if that is part of the background.
    pub(crate) fn failure(&self, node: NodeId) -> Option<&Arc<FailureReport>> {
        self.failures.get(&node)
    }

    /// The finished nodes, besides its parents, that are part of the background.
    pub(crate) fn others(&self) -> &[NodeId] {
        &self.others
    }

    /// How the node's earlier attempts ended.
    pub(crate) fn earlier(&self) -> &[AttemptReport] {
        &self.earlier
    }

    /// What the templates of the attempt can refer to besides the outputs of finished nodes.
    pub(crate) fn template_texts(&self) -> impl Iterator<Item = (NodeId, template::NodeTexts)> {
        let unfailed = self
            .unfailed
            .iter()
            .map(|&node| (node, template::NodeTexts::default()));
        unfailed.chain(
            self.failures
                .iter()
                .map(|(&node, report)| (node, report.as_ref().into())),
        )
    }
}

/// Returns how `node` failed or was interrupted; `None` when it did neither.
pub fn failure_of(
    snapshot: &RunSnapshot<'_>,
    node: NodeId,
) -> Result<Option<FailureReport>, StoreError> {
    let Some(state) = (snapshot.state)(node).filter(|state| FailureReport::applies_to(state))
    else {
        return Ok(None);
    };
    Ok(FailureReport::new(
        state,
        ended_attempts(snapshot, node, None)?,
    ))
}

fn earlier(
    snapshot: &RunSnapshot<'_>,
    node: NodeId,
    next: Option<Attempt>,
) -> Result<Vec<AttemptReport>, StoreError> {
    match next {
        Some(Attempt(0 | 1)) => Ok(Vec::new()),
        next => ended_attempts(snapshot, node, next),
    }
}

/// The finished attempts of a node, with details of the last one.
fn ended_attempts(
    snapshot: &RunSnapshot<'_>,
    node: NodeId,
    next: Option<Attempt>,
) -> Result<Vec<AttemptReport>, StoreError> {
    let rows = snapshot.store.attempts().list(snapshot.run, node)?;
    let before = |row: &AttemptRow| next.is_none_or(|next| row.attempt < next);
    let mut reports: Vec<AttemptReport> =
        rows.into_iter().filter(before).filter_map(report).collect();
    if let Some(last) = reports.last_mut() {
        last.evidence = snapshot
            .store
            .evidence()
            .get(snapshot.run, node, last.attempt)?
            .map(|row| row.content);
    }
    Ok(reports)
}

fn report(row: AttemptRow) -> Option<AttemptReport> {
    let AttemptRow {
        attempt,
        executed_by: agent,
        outcome,
        artifact,
        ..
    } = row;
    let outcome = outcome?;
    // An agent resolved a conflict of the parents' work; the node's own work had not begun.
    let is_a_merge = outcome == Outcome::Succeeded && artifact.is_none();
    (!is_a_merge).then_some(AttemptReport {
        attempt,
        agent,
        outcome,
        evidence: None,
    })
}

/// All nodes that are done or failed, without `node` and its parents, in plan order.
fn others(snapshot: &RunSnapshot<'_>, node: NodeId, parents: &[NodeId]) -> Vec<NodeId> {
    let is_finished = |state: &NodeState| {
        matches!(state, NodeState::Done { .. }) || FailureReport::applies_to(state)
    };
    let parents: BTreeSet<NodeId> = parents.iter().copied().chain([node]).collect();
    let nodes = snapshot
        .plan
        .nodes
        .iter()
        .map(|node| node.id)
        .filter(|node| !parents.contains(node));
    nodes
        .filter(|&node| (snapshot.state)(node).is_some_and(is_finished))
        .collect()
}

/// The nodes whose errors the templates of `node` refer to.
fn named_in_errors(plan: &Plan, node: &Node) -> Vec<NodeId> {
    let criteria = node.acceptance_criteria.iter().map(Criterion::text);
    let texts = templates_of(node).into_iter().chain(criteria);
    let slugs: BTreeSet<&str> = texts
        .flat_map(template::slugs_in_error_expressions)
        .collect();
    if slugs.is_empty() {
        return Vec::new();
    }
    plan.nodes
        .iter()
        .filter(|node| slugs.contains(node.slug.as_str()))
        .map(|node| node.id)
        .collect()
}
