//! Changes to one node, the order, or the settings of a plan.
//!
//! Each reads the plan, changes it, and saves it as its next version. Someone else's change in
//! between is kept: the change is made again to the newer content, unless the caller asked for a
//! certain revision.

use std::collections::{HashMap, HashSet};

use baton_formats::plan_file::edit::{self, place_step};
use baton_formats::plan_file::{Fault, PlanFileError};
use baton_model::{Node, NodeId, Plan, PlanId};
use baton_planning::problems::refuse_unsavable;
use baton_store::StoreError;
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, absolute_path, plans};

/// How often a change is made again after someone else saved the plan in between.
const TRIES: u32 = 20;

/// Adds a node to a plan.
pub(crate) fn add_node(app: &App, input: NodeAdd) -> Result<NodeSaved, ApiError> {
    let (plan, saved, node) = change(app, input.plan, input.base_revision, |plan| {
        let mut keys = input.node.clone();
        let place = match (input.position, input.order_num) {
            (Some(_), Some(_)) => {
                let message = "a node has either a position or an orderNum";
                return Err(ApiError::new(Code::BadInput, message).with_fix("omit one of them"));
            }
            (Some(position), None) => Some(index(position)?),
            (None, Some(order)) => Some(place_step(plan, order, &mut keys)),
            (None, None) => None,
        };
        let added = edit::add_node(plan, &keys, place, &mut Uuid::now_v7);
        let added = added.map_err(|error| refused("the node can't be added", error))?;
        Ok((added.plan, added.node))
    })?;
    node_saved(&plan, node, saved)
}

/// Changes keys of a node.
pub(crate) fn save_node(app: &App, input: NodeSave) -> Result<NodeSaved, ApiError> {
    let (plan, saved, node) = change(app, input.plan, input.base_revision, |plan| {
        let node = find(plan, &input.node)?;
        let changed = edit::change_node(plan, node, &input.changes, &mut Uuid::now_v7)
            .map_err(|error| refused("the node can't be changed", error))?;
        Ok((changed.ok_or_else(|| unknown(&input.node))?, node))
    })?;
    node_saved(&plan, node, saved)
}

/// Removes a node.
pub(crate) fn remove_node(app: &App, input: NodeRemove) -> Result<PlanSaved, ApiError> {
    let (_, saved, ()) = change(app, input.plan, input.base_revision, |plan| {
        let gone = HashSet::from([find(plan, &input.node)?]);
        let mut plan = plan.clone();
        match input.heal {
            true => plan.remove_and_reconnect(&gone),
            false => plan.remove_nodes(&gone),
        }
        Ok((plan, ()))
    })?;
    Ok(saved)
}

/// Confirms inferred edges: all of them, or those between the named nodes.
pub(crate) fn confirm_edges(app: &App, input: EdgesConfirm) -> Result<EdgesConfirmed, ApiError> {
    let (_, saved, confirmed) = change(app, input.plan, input.base_revision, |plan| {
        let only = input.edges.as_deref();
        let only = only.map(|edges| inferred_ends(plan, edges)).transpose()?;
        let mut plan = plan.clone();
        let confirmed = plan.confirm_edges(only.as_ref());
        Ok((plan, confirmed))
    })?;
    Ok(EdgesConfirmed {
        confirmed: u32::try_from(confirmed).unwrap_or(u32::MAX),
        saved,
    })
}

/// The ends of named edges. Each must exist; one that is confirmed already is no error.
fn inferred_ends(plan: &Plan, edges: &[EdgeEnds]) -> Result<HashSet<(NodeId, NodeId)>, ApiError> {
    let names = NodeNames::new(plan);
    let known: HashSet<_> = plan
        .edges
        .iter()
        .map(|edge| (edge.parent, edge.child))
        .collect();
    let ends = |edge: &EdgeEnds| {
        let ends = (names.find(&edge.parent)?, names.find(&edge.child)?);
        if !known.contains(&ends) {
            let EdgeEnds { parent, child } = edge;
            let message = format!("there is no edge from '{parent}' to '{child}'");
            let fix = "name the edges as plan_get shows them, or leave \"edges\" out for all";
            return Err(ApiError::new(Code::NotFound, message).with_fix(fix));
        }
        Ok(ends)
    };
    edges.iter().map(ends).collect()
}

/// Changes the order of the list.
pub(crate) fn reorder(app: &App, input: NodesReorder) -> Result<PlanSaved, ApiError> {
    let (_, saved, ()) = change(app, input.plan, input.base_revision, |plan| {
        Ok((reordered(plan, &input.nodes)?, ()))
    })?;
    Ok(saved)
}

/// Changes keys of the plan itself.
pub(crate) fn patch(app: &App, input: PlanPatch) -> Result<PlanSaved, ApiError> {
    let (_, saved, ()) = change(app, input.plan, input.base_revision, |plan| {
        let changed = edit::change_settings(plan, &input.changes, &mut Uuid::now_v7);
        let mut changed = changed.map_err(|error| refused("the plan can't be changed", error))?;
        if changed.cwd != plan.cwd {
            let cwd = changed.cwd.as_deref();
            changed.cwd = cwd.map(absolute_path::absolute).transpose()?;
        }
        Ok((changed, ()))
    })?;
    Ok(saved)
}

/// Makes a change and saves its result. A change that changes nothing makes no new version.
fn change<T>(
    app: &App,
    plan: PlanId,
    base: Option<u64>,
    make: impl Fn(&Plan) -> Result<(Plan, T), ApiError>,
) -> Result<(Plan, PlanSaved, T), ApiError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let (record, current) = app.store.plans().current(plan)?;
        if let Some(based_on) = base.filter(|base| *base != record.revision) {
            let current = record.revision;
            return Err(StoreError::Conflict {
                plan,
                based_on,
                current,
            }
            .into());
        }
        let (next, made) = make(&current)?;
        if next == current {
            let saved = plans::saved(record, &next);
            return Ok((next, saved, made));
        }
        refuse_unsavable(&next)?;
        let saved = app
            .store
            .plans()
            .save(&next, record.revision, &app.actor(), app.now());
        match saved {
            Err(StoreError::Conflict { .. }) if base.is_none() && tries < TRIES => {}
            saved => {
                let saved = plans::saved(saved?, &next);
                return Ok((next, saved, made));
            }
        }
    }
}

/// The nodes of a plan by their IDs in the plan file and by their identifiers.
struct NodeNames<'p> {
    by_slug: HashMap<&'p str, NodeId>,
    plan: HashMap<NodeId, &'p Node>,
}

impl<'p> NodeNames<'p> {
    fn new(plan: &'p Plan) -> Self {
        let nodes = plan.nodes.iter();
        Self {
            by_slug: nodes.map(|node| (node.slug.as_str(), node.id)).collect(),
            plan: plan.nodes_by_id(),
        }
    }

    fn find(&self, name: &str) -> Result<NodeId, ApiError> {
        let by_id = || name.parse().ok().filter(|id| self.plan.contains_key(id));
        let found = self.by_slug.get(name).copied().or_else(by_id);
        found.ok_or_else(|| unknown(name))
    }
}

pub(crate) fn find(plan: &Plan, name: &str) -> Result<NodeId, ApiError> {
    NodeNames::new(plan).find(name)
}

pub(crate) fn unknown(name: &str) -> ApiError {
    ApiError::new(Code::NotFound, format!("the plan has no node '{name}'"))
        .with_fix("use a node's id as in the plan file")
}

/// Puts the named nodes into the given order. Notes that aren't named keep their places.
fn reordered(plan: &Plan, names: &[String]) -> Result<Plan, ApiError> {
    let known = NodeNames::new(plan);
    let mut order = Vec::with_capacity(names.len());
    let mut seen = HashSet::new();
    for name in names {
        let node = known.find(name)?;
        if !seen.insert(node) {
            let message = format!("the node '{name}' is in the list twice");
            return Err(ApiError::new(Code::BadInput, message).with_fix("list each node once"));
        }
        order.push(node);
    }
    let missing = plan
        .nodes
        .iter()
        .find(|node| node.is_executable() && !seen.contains(&node.id));
    if let Some(missing) = missing {
        let message = format!("the node '{}' is missing from the list", missing.slug);
        return Err(ApiError::new(Code::BadInput, message).with_fix("list each node once"));
    }
    let mut next = order.into_iter();
    let in_place = |node: &Node| match seen.contains(&node.id) {
        true => Some((*known.plan.get(&next.next()?)?).clone()),
        false => Some(node.clone()),
    };
    Ok(Plan {
        nodes: plan.nodes.iter().filter_map(in_place).collect(),
        ..plan.clone()
    })
}

fn index(position: u32) -> Result<usize, ApiError> {
    let index = position
        .checked_sub(1)
        .ok_or_else(|| ApiError::new(Code::BadInput, "positions start at 1"))?;
    Ok(index as usize)
}

pub(crate) fn refused(prevented: &str, error: PlanFileError) -> ApiError {
    let sentence = |fault: Fault| fault.kind.to_string();
    let faults = error.faults.into_iter().map(sentence).collect();
    ApiError::from_faults(Code::Invalid, prevented, faults)
}

fn node_saved(plan: &Plan, node: NodeId, saved: PlanSaved) -> Result<NodeSaved, ApiError> {
    let slug = |id| plan.node(id).map(|node| node.slug.to_string());
    let into = plan.edges.iter().filter(|edge| edge.child == node);
    let found = (1..).zip(&plan.nodes).find(|(_, other)| other.id == node);
    let (position, node) = found.ok_or_else(|| unknown(&node.to_string()))?;
    Ok(NodeSaved {
        node: node.clone(),
        position,
        depends_on: into.filter_map(|edge| slug(edge.parent)).collect(),
        saved,
    })
}
