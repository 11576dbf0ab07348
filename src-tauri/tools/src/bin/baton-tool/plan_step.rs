//! Adds a node to a plan, described as a step in a flat list.
//!
//! The node is inserted into the plan's file, which is then parsed again: a step can use every key
//! of a plan file, and gets the same error messages. Existing nodes keep their ids.

use std::collections::BTreeSet;

use baton_formats::plan_file::{self, Format};
use baton_model::{Plan, Slug};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::call_error::CallError;

#[derive(Debug, Deserialize)]
pub(crate) struct AddStepArguments {
    pub(crate) plan_id: String,
    pub(crate) order: u64,
    #[serde(rename = "type")]
    kind: String,
    pub(crate) name: String,
    description: Option<String>,
    tool_name: Option<String>,
    tool_args: Option<Value>,
    prompt: Option<String>,
    choices: Option<Value>,
    question: Option<String>,
    command: Option<String>,
    config: Option<Map<String, Value>>,
    dependencies: Option<Vec<String>>,
}

/// A plan with the added node.
#[derive(Debug)]
pub(crate) struct Added {
    /// The whole plan, ready to be saved.
    pub(crate) plan: Value,
    pub(crate) slug: String,
    /// Slugs of the nodes that it waits for.
    pub(crate) dependencies: Vec<String>,
}

/// The metadata key that stores a step's order.
const ORDER: &str = "order";

/// The default number of retries, as for plans whose steps are a list (`type`, `orderNum`).
const STEP_RETRIES: u32 = 3;

/// Adds `step` to `plan`, whose file is `text`.
pub(crate) fn add(plan: &Value, text: &str, step: &AddStepArguments) -> Result<Added, CallError> {
    let failed = |source| CallError::Answer {
        operation: "plan_export",
        source,
    };
    let mut file: Value = serde_json::from_str(text).map_err(failed)?;
    let mut nodes = file["nodes"].as_array().cloned().unwrap_or_default();
    let slug = unique_slug(&step.name, &nodes);
    let dependencies = step
        .dependencies
        .clone()
        .unwrap_or_else(|| slugs_before(step.order, &nodes));
    let place = nodes
        .iter()
        .take_while(|node| order(node).is_none_or(|other| other <= step.order))
        .count();
    nodes.insert(place, node(step, &slug, &dependencies));
    file["nodes"] = nodes.into();
    let read = plan_file::read(
        &file.to_string(),
        Format::Json,
        "plan.json",
        &mut Uuid::now_v7,
    );
    let fresh = read
        .map_err(|error| CallError::Step(error.to_string()))?
        .plan;
    Ok(Added {
        plan: keep_plan_identity(&fresh, plan)?,
        slug,
        dependencies,
    })
}

fn node(step: &AddStepArguments, slug: &str, dependencies: &[String]) -> Value {
    let mut node = Map::new();
    node.insert("id".to_owned(), slug.into());
    node.insert("title".to_owned(), step.name.as_str().into());
    node.insert("kind".to_owned(), step.kind.as_str().into());
    let text = |text: &Option<String>| text.as_deref().map(Value::from);
    let own = [
        ("description", text(&step.description)),
        ("toolName", text(&step.tool_name)),
        ("toolArgs", step.tool_args.clone()),
        ("prompt", text(&step.prompt)),
        ("choices", step.choices.clone()),
        ("question", text(&step.question)),
        ("command", text(&step.command)),
        (
            "dependsOn",
            (!dependencies.is_empty()).then(|| dependencies.into()),
        ),
        // Applies unless the step's configuration sets it.
        ("maxRetries", Some(STEP_RETRIES.into())),
        ("metadata", Some(json!({ ORDER: step.order }))),
    ];
    node.extend(
        own.into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?))),
    );
    node.extend(step.config.clone().unwrap_or_default());
    node.into()
}

/// Returns the order of a node that was added as a step.
fn order(node: &Value) -> Option<u64> {
    node["metadata"][ORDER].as_u64()
}

/// Returns the nodes with the highest order below `place`. Steps with the same order run in
/// parallel, after those of the previous order.
fn slugs_before(place: u64, nodes: &[Value]) -> Vec<String> {
    let last = nodes
        .iter()
        .filter_map(order)
        .filter(|&other| other < place)
        .max();
    let of_last = nodes
        .iter()
        .filter(|node| last.is_some() && order(node) == last);
    of_last
        .filter_map(|node| node["id"].as_str())
        .map(str::to_owned)
        .collect()
}

fn unique_slug(name: &str, nodes: &[Value]) -> String {
    let taken: BTreeSet<&str> = nodes
        .iter()
        .filter_map(|node| node["id"].as_str())
        .collect();
    let wanted = Slug::from_title(name).to_string();
    let numbered = (2..).map(|number| Slug::from_title(&format!("{name} {number}")).to_string());
    std::iter::once(wanted.clone())
        .chain(numbered)
        .find(|slug| !taken.contains(slug.as_str()))
        .unwrap_or(wanted)
}

/// Returns `fresh` with the ids of `old`, for the plan and for nodes with the same slug.
fn keep_plan_identity(fresh: &Plan, old: &Value) -> Result<Value, CallError> {
    let mut text = serde_json::to_string(fresh)?;
    let mut keep = |new: String, old: &Value| {
        if let Some(old) = old.as_str() {
            text = text.replace(&new, old);
        }
    };
    keep(fresh.id.to_string(), &old["id"]);
    for node in &fresh.nodes {
        let known = old["nodes"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|other| other["slug"] == *node.slug.as_str());
        keep(
            node.id.to_string(),
            known.map_or(&Value::Null, |known| &known["id"]),
        );
    }
    Ok(serde_json::from_str(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(order: u64, name: &str, more: Value) -> AddStepArguments {
        let mut step = json!({ "plan_id": "p", "order": order, "type": "command", "name": name, "command": "true" });
        step.as_object_mut()
            .expect("a mapping")
            .extend(more.as_object().expect("a mapping").clone());
        serde_json::from_value(step).expect("a step")
    }

    /// Adds the steps to an empty plan. Returns each node with its parents, in plan order.
    fn plan_of(steps: &[AddStepArguments]) -> Vec<(String, Vec<String>)> {
        let mut plan = Plan::new(baton_model::PlanId(Uuid::now_v7()), "Steps");
        let identity = plan.id;
        for step in steps {
            let text = plan_file::write(&plan, Format::Json);
            let before = serde_json::to_value(&plan).expect("JSON");
            let added = add(&before, &text, step).expect("the step is valid");
            let known: Vec<_> = plan.nodes.iter().map(|node| node.id).collect();
            plan = serde_json::from_value(added.plan).expect("a plan");
            assert!(
                known
                    .iter()
                    .all(|id| plan.nodes.iter().any(|node| node.id == *id)),
                "nodes keep their ids"
            );
            assert_eq!(plan.id, identity);
        }
        let slug = |id| {
            plan.nodes
                .iter()
                .find(|node| node.id == id)
                .map_or_else(String::new, |node| node.slug.to_string())
        };
        let parents = |id| {
            plan.edges
                .iter()
                .filter(|edge| edge.child == id)
                .map(|edge| slug(edge.parent))
                .collect()
        };
        plan.nodes
            .iter()
            .map(|node| (node.slug.to_string(), parents(node.id)))
            .collect()
    }

    #[test]
    fn steps_depend_on_previous_order() {
        let steps = [
            step(1, "Fetch it", json!({})),
            step(3, "Report", json!({})),
            step(2, "Check", json!({})),
            step(2, "Check", json!({})),
            step(9, "Alone", json!({"dependencies": []})),
            step(9, "Bound", json!({"dependencies": ["fetch-it"]})),
        ];
        let names: Vec<String> = plan_of(&steps)
            .into_iter()
            .map(|(slug, parents)| format!("{slug} <- {}", parents.join(",")))
            .collect();
        assert_eq!(
            names,
            [
                "fetch-it <- ",
                "check <- fetch-it",
                "check-2 <- fetch-it",
                "report <- fetch-it",
                "alone <- ",
                "bound <- fetch-it"
            ]
        );
    }

    #[test]
    fn refused_step_reports_plan_fault() {
        let plan = Plan::new(baton_model::PlanId(Uuid::now_v7()), "Steps");
        let text = plan_file::write(&plan, Format::Json);
        let before = serde_json::to_value(&plan).expect("JSON");
        let refused = add(
            &before,
            &text,
            &step(1, "Lost", json!({"dependencies": ["nobody"]})),
        );
        let error = refused
            .expect_err("the dependency doesn't exist")
            .to_string();
        assert!(error.contains("nobody"), "{error}");
    }
}
