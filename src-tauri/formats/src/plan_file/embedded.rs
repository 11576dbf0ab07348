//! `plans`: plans that a file embeds for its nodes to run, by names that are valid within the file.

use std::collections::HashSet;

use uuid::Uuid;

use super::fault::Faults;
use super::fields::{Fields, wrong_type};
use super::keys::PLAN_KEYS;
use super::tree::{Value, quoted};
use super::{EmbeddedPlan, Warning, WarningKind, entries, plan_reader};
use baton_model::Plan;

/// The keys that embedded plans cannot have.
const FILE_ONLY_KEYS: [&str; 2] = ["baton", "plans"];

/// The embedded plans. Those that no node runs are dropped with a warning.
pub(super) fn read(
    fields: &Fields<'_>,
    own: &Plan,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> Vec<EmbeddedPlan> {
    let keys: Vec<&str> = PLAN_KEYS
        .iter()
        .copied()
        .filter(|key| !FILE_ONLY_KEYS.contains(key))
        .collect();
    let mut plans = Vec::new();
    for entry in fields.map("plans", faults).unwrap_or_default() {
        let owner = format!("plan {}", quoted(&entry.key));
        let Value::Map(entries) = &entry.value.value else {
            wrong_type(&entry.value, &owner, "a mapping with nodes", faults);
            continue;
        };
        let entries = entries::normalize_plan(entries, faults);
        let fields = Fields {
            owner: &owner,
            entries: &entries,
        };
        fields.refuse_unknown(&keys, faults);
        let (plan, places, keys) = plan_reader::content(&fields, &entry.key, ids, faults, warnings);
        plans.push((
            entry.at,
            EmbeddedPlan {
                name: entry.key.clone(),
                plan,
                places,
                keys,
            },
        ));
    }
    let used = names_in_use(own, plans.iter().map(|(_, plan)| plan));
    plans.retain(|(at, plan)| {
        let is_used = used.contains(plan.name.as_str());
        if !is_used {
            warnings.push(Warning {
                at: *at,
                kind: WarningKind::UnusedPlan {
                    name: plan.name.clone(),
                },
            });
        }
        is_used
    });
    plans.into_iter().map(|(_, plan)| plan).collect()
}

/// The names of plans that `own` runs, directly or indirectly.
fn names_in_use<'p>(own: &Plan, plans: impl Iterator<Item = &'p EmbeddedPlan>) -> HashSet<String> {
    let plans: Vec<&EmbeddedPlan> = plans.collect();
    let (mut used, mut open) = (HashSet::new(), vec![own]);
    while let Some(plan) = open.pop() {
        for name in plan
            .nodes
            .iter()
            .filter_map(|node| node.kind.sub_plan())
            .map(|task| task.sub_plan_id.trim())
        {
            let embedded = plans.iter().find(|plan| plan.name == name);
            if let Some(embedded) = embedded.filter(|_| used.insert(name.to_owned())) {
                open.push(&embedded.plan);
            }
        }
    }
    used
}
