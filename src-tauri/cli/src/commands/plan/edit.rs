//! `baton plan set`, `add-node`, `set-node`, `remove-node` and `reorder`: changes to parts of a plan.

use std::path::Path;

use baton_api::wire::*;
use clap::Args;
use serde_json::{Map, Value};

use crate::client::Client;
use crate::failure::Failure;
use crate::{id_lookup, style};

/// Change settings of a plan
///
/// Keys are those of a plan file, such as title, cwd, priority or concurrency. A value is JSON, or
/// else text; `null` stands for the default. The change makes a new version, which has to be
/// approved.
#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// What changes, as in `priority=8` or `tags=["release"]`
    #[arg(required = true, value_name = "KEY=VALUE", value_parser = key_value)]
    changes: Vec<(String, Value)>,
}

/// Add a node to a plan
///
/// Keys are those of a node in a plan file, such as title, kind, prompt, command or dependsOn. A
/// value is JSON, or else text. Without an id, the node gets one that is derived from its title.
#[derive(Debug, Args)]
pub(crate) struct AddNodeArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// What the node has, as in `title=Test kind=command command="cargo test" dependsOn=["build"]`
    #[arg(required = true, value_name = "KEY=VALUE", value_parser = key_value)]
    keys: Vec<(String, Value)>,
    /// Its position in the list, from 1; by default the last
    #[arg(long, value_name = "N")]
    position: Option<u32>,
}

/// Change a node of a plan
///
/// Keys are those of a node in a plan file. A value is JSON, or else text; `null` stands for the
/// default.
#[derive(Debug, Args)]
pub(crate) struct SetNodeArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// The node: its ID in the plan file
    node: String,
    /// What changes, as in `timeoutMs=60000` or `dependsOn=["build"]`
    #[arg(required = true, value_name = "KEY=VALUE", value_parser = key_value)]
    changes: Vec<(String, Value)>,
}

/// Remove a node from a plan
#[derive(Debug, Args)]
pub(crate) struct RemoveNodeArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// The node: its ID in the plan file
    node: String,
    /// Connect its parents to its children
    #[arg(long)]
    heal: bool,
}

/// Change the order of a plan's nodes in lists
///
/// Runs follow the dependencies, not this order.
#[derive(Debug, Args)]
pub(crate) struct ReorderArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// All nodes in the new order, by their IDs in the plan file
    #[arg(required = true, value_name = "NODE")]
    nodes: Vec<String>,
}

pub(super) fn set(client: &Client<'_>, args: SetArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let mut changes = map(args.changes);
    // Of `~`, Baton makes the home directory.
    if let Some(Value::String(cwd)) = changes.get_mut("cwd")
        && !cwd.starts_with('~')
    {
        *cwd = super::directory(Path::new(cwd.as_str()))?;
    }
    let input = PlanPatch {
        plan,
        changes,
        base_revision: None,
    };
    let saved: PlanSaved = client.ask("change the plan", "plan_patch", &input)?;
    print_plan(client, &saved)
}

pub(super) fn add_node(client: &Client<'_>, args: AddNodeArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let input = NodeAdd {
        plan,
        node: map(args.keys),
        position: args.position,
        order_num: None,
        base_revision: None,
    };
    let saved: NodeSaved = client.ask("add the node", "node_add", &input)?;
    print_node(client, &saved, "added")
}

pub(super) fn set_node(client: &Client<'_>, args: SetNodeArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let input = NodeSave {
        plan,
        node: args.node,
        changes: map(args.changes),
        base_revision: None,
    };
    let saved: NodeSaved = client.ask("change the node", "node_save", &input)?;
    print_node(client, &saved, "changed")
}

pub(super) fn remove_node(client: &Client<'_>, args: RemoveNodeArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let input = NodeRemove {
        plan,
        node: args.node,
        heal: args.heal,
        base_revision: None,
    };
    let saved: PlanSaved = client.ask("remove the node", "node_remove", &input)?;
    print_plan(client, &saved)
}

pub(super) fn reorder(client: &Client<'_>, args: ReorderArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let input = NodesReorder {
        plan,
        nodes: args.nodes,
        base_revision: None,
    };
    let saved: PlanSaved = client.ask("change the order", "nodes_reorder", &input)?;
    print_plan(client, &saved)
}

fn print_plan(client: &Client<'_>, saved: &PlanSaved) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(saved);
    }
    client.output.line(&format!("saved as {}", summary(saved)))
}

fn print_node(client: &Client<'_>, saved: &NodeSaved, what: &str) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(saved);
    }
    let (slug, title) = (&saved.node.slug, style::one_line(&saved.node.title));
    let line = format!("{slug} ('{title}') {what}: {}", summary(&saved.saved));
    client.output.line(&line)
}

/// The version, and the first problem that keeps the plan from running.
fn summary(saved: &PlanSaved) -> String {
    let version = format!("version {} of the plan", saved.version);
    match saved.problems.first() {
        None => version,
        Some(problem) => format!("{version}, which can't run yet: {}", problem.sentence),
    }
}

fn map(keys: Vec<(String, Value)>) -> Map<String, Value> {
    keys.into_iter().collect()
}

/// Parses `KEY=VALUE`. What isn't JSON is text.
fn key_value(text: &str) -> Result<(String, Value), &'static str> {
    let (key, value) = text
        .split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .ok_or("write it as KEY=VALUE")?;
    let value = match serde_json::from_str(value) {
        // A number that is written in another way is a text, such as a version.
        Ok(Value::Number(number)) if format!("{number}") != value => value.into(),
        Ok(read) => read,
        Err(_) => value.into(),
    };
    Ok((key.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_json_or_else_text() {
        for (text, expected) in [
            ("title=Ship it", json!("Ship it")),
            ("priority=8", json!(8)),
            ("tags=[\"a\"]", json!(["a"])),
            ("command=a=b", json!("a=b")),
            ("agent=null", json!(null)),
            ("title=1.10", json!("1.10")),
            ("title=1e5", json!("1e5")),
            (
                "sourceId=1234567890123456789012345",
                json!("1234567890123456789012345"),
            ),
            ("position={\"x\": 1.5, \"y\": 2}", json!({"x": 1.5, "y": 2})),
            ("description=", json!("")),
        ] {
            let (_, value) = key_value(text).expect("a key and a value");
            assert_eq!(value, expected, "{text}");
        }
        assert!(key_value("title").is_err() && key_value("=x").is_err());
    }
}
