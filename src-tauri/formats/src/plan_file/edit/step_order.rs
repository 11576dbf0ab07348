//! The order of steps that are added to a flat list.

use serde_json::{Value, json};

use super::{Keys, canonical_keys};
use baton_model::{Node, Plan};

/// The metadata key that stores a step's number.
const ORDER: &str = "order";
/// The default number of retries of such steps.
const STEP_RETRIES: u32 = 3;

/// Completes the keys of a step with the number `order`, and returns its place among the nodes.
///
/// Unless the keys say otherwise, it waits for the steps with the next lower number, and is retried
/// three times. Steps with the same number run in parallel.
#[must_use]
pub fn place_step(plan: &Plan, order: u64, keys: &mut Keys) -> usize {
    *keys = canonical_keys(keys);
    if !keys.contains_key("dependsOn") {
        let before = steps_before(order, plan);
        if !before.is_empty() {
            keys.insert("dependsOn".to_owned(), before.into());
        }
    }
    if !keys.contains_key("maxRetries") {
        keys.insert("maxRetries".to_owned(), STEP_RETRIES.into());
    }
    match keys.get_mut("metadata") {
        Some(Value::Object(metadata)) => {
            metadata.insert(ORDER.to_owned(), order.into());
        }
        // Anything else is a fault that reading the node reports.
        Some(_) => {}
        None => {
            keys.insert("metadata".to_owned(), json!({ ORDER: order }));
        }
    }
    plan.nodes
        .iter()
        .take_while(|node| order_of(node).is_none_or(|other| other <= order))
        .count()
}

fn order_of(node: &Node) -> Option<u64> {
    node.metadata.get(ORDER)?.as_u64()
}

/// The IDs of the nodes with the highest number below `order`.
fn steps_before(order: u64, plan: &Plan) -> Vec<String> {
    let numbers = plan.nodes.iter().filter_map(order_of);
    let Some(last) = numbers.filter(|&other| other < order).max() else {
        return Vec::new();
    };
    plan.nodes
        .iter()
        .filter(|node| order_of(node) == Some(last))
        .map(|node| node.slug.to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_file::edit::add_node;
    use baton_model::{NodeId, PlanId};
    use uuid::Uuid;

    #[test]
    fn steps_depend_on_the_previous_number() {
        let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "Steps");
        let mut next = 1;
        for (order, name, more) in [
            (1, "Fetch it", json!({})),
            (3, "Report", json!({})),
            (2, "Check", json!({})),
            (2, "Check", json!({"config": {"maxRetries": 0}})),
            (9, "Alone", json!({"dependencies": []})),
            (9, "Bound", json!({"config": {"dependsOn": ["fetch-it"]}})),
        ] {
            let step = json!({"name": name, "type": "command", "command": "true"});
            let (Value::Object(mut keys), Value::Object(more)) = (step, more) else {
                panic!("they are mappings");
            };
            keys.extend(more);
            let place = place_step(&plan, order, &mut keys);
            let added = add_node(&plan, &keys, Some(place), &mut || {
                next += 1;
                Uuid::from_u128(next)
            });
            plan = added.expect("a valid step").plan;
        }
        let slug = |id: NodeId| plan.node(id).map_or("", |node| node.slug.as_str());
        let lines: Vec<String> = plan
            .nodes
            .iter()
            .map(|node| {
                let into = plan.edges.iter().filter(|edge| edge.child == node.id);
                let parents: Vec<_> = into.map(|edge| slug(edge.parent)).collect();
                format!(
                    "{} {} <- {}",
                    node.max_retries,
                    node.slug,
                    parents.join(",")
                )
            })
            .collect();
        assert_eq!(
            lines,
            [
                "3 fetch-it <- ",
                "3 check <- fetch-it",
                "0 check-2 <- fetch-it",
                "3 report <- fetch-it",
                "3 alone <- ",
                "3 bound <- fetch-it"
            ]
        );
    }
}
