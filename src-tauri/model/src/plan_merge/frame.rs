//! Merges what a plan has besides nodes, edges and groups, field by field.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{MergeClash, Merged, Sides, merge_values};
use crate::Plan;

/// The mappings whose fields are merged one by one. All other values are one unit.
const NESTED: &[&[&str]] = &[
    &[],
    &["settings"],
    &["settings", "budget"],
    &["settings", "agentConcurrency"],
    &["origin"],
    &["metadata"],
    &["context"],
    &["context", "toolOutputs"],
];

/// The merged plan without nodes, edges and groups.
pub(super) fn merge(sides: &Sides<'_>, clashes: &mut Vec<MergeClash>) -> Plan {
    let [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(fields);
    let mut path = Vec::new();
    let merged = merge_maps(&base, &ours, &theirs, &mut path, clashes);
    // Every field is that of a plan, so all of them together are one.
    serde_json::from_value(Value::Object(merged)).unwrap_or_else(|_| bare(sides.ours))
}

fn bare(plan: &Plan) -> Plan {
    Plan {
        nodes: Vec::new(),
        edges: Vec::new(),
        groups: Vec::new(),
        ..plan.clone()
    }
}

fn fields(plan: &Plan) -> Map<String, Value> {
    match serde_json::to_value(bare(plan)) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

fn merge_maps(
    base: &Map<String, Value>,
    ours: &Map<String, Value>,
    theirs: &Map<String, Value>,
    path: &mut Vec<String>,
    clashes: &mut Vec<MergeClash>,
) -> Map<String, Value> {
    let keys: BTreeSet<&String> = base
        .keys()
        .chain(ours.keys())
        .chain(theirs.keys())
        .collect();
    let mut merged = Map::new();
    for key in keys {
        path.push(key.clone());
        let values = [base, ours, theirs].map(|fields| fields.get(key));
        if let Some(value) = merge_field(values, path, clashes) {
            merged.insert(key.clone(), value);
        }
        path.pop();
    }
    merged
}

/// `None` is the default.
fn merge_field(
    [base, ours, theirs]: [Option<&Value>; 3],
    path: &mut Vec<String>,
    clashes: &mut Vec<MergeClash>,
) -> Option<Value> {
    if let Merged::Value(value) = merge_values(&base, ours, theirs) {
        return value.cloned();
    }
    if NESTED.iter().any(|nested| path.as_slice() == *nested)
        && let Some([base, ours, theirs]) = as_maps([base, ours, theirs])
    {
        return Some(merge_maps(&base, &ours, &theirs, path, clashes).into());
    }
    clashes.push(MergeClash::Field {
        path: path.clone(),
        ours: ours.cloned(),
        theirs: theirs.cloned(),
    });
    ours.cloned()
}

/// An absent mapping is an empty one.
fn as_maps(values: [Option<&Value>; 3]) -> Option<[Map<String, Value>; 3]> {
    let is_map = |value: &Option<&Value>| matches!(value, None | Some(Value::Object(_)));
    let map = |value: Option<&Value>| match value {
        Some(Value::Object(fields)) => fields.clone(),
        _ => Map::new(),
    };
    values.iter().all(is_map).then(|| values.map(map))
}
