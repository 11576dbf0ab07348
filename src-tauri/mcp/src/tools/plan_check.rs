//! `plan_check`: whether a plan that an agent wrote is valid. Stores nothing.

use std::fmt::Write as _;

use baton_api::ApiError;
use baton_formats::plan_file::PlanFile;
use baton_model::critical_path::widest_antichain;
use baton_model::{Graph, Plan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answer::Answer;
use crate::plan_source::{PlanFault, PlanSource};
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

/// The most rows of each list.
const MAX_ROWS: usize = 20;
/// The most nodes in the order.
const MAX_ORDER: usize = 100;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PlanCheckArguments {
    /// A plan file (YAML or JSON).
    yaml: Option<String>,
    /// Or only its nodes, with the keys of a plan file.
    nodes: Option<Vec<Map<String, Value>>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlanCheckResult {
    valid: bool,
    faults: Vec<PlanFault>,
    /// Allowed, but probably a mistake.
    warnings: Vec<PlanFault>,
    /// Nodes in an order in which they can run.
    order: Vec<String>,
    /// Nodes that can run at once.
    width: usize,
    /// Number of nodes.
    total: usize,
}

impl Answer for PlanCheckResult {
    fn text(&self) -> String {
        let mut text = if self.valid {
            let order = self.order.join(", ");
            format!("valid; width {}; order: {order}\n", self.width)
        } else {
            "not valid\n".to_owned()
        };
        for (name, faults) in [("fault", &self.faults), ("warning", &self.warnings)] {
            for fault in faults {
                let _ = writeln!(text, "{name}: {}", fault.sentence());
            }
        }
        text
    }
}

pub(crate) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "plan_check",
        title: "Check a plan",
        description: "Checks a plan you wrote and stores nothing. A plan with faults is a successful \
            answer with valid: false. Check before proposing.",
    };
    ToolDefinition::new(text, Effect::Read, plan_check)
}

fn plan_check(_: &ToolContext, input: PlanCheckArguments) -> Result<PlanCheckResult, ApiError> {
    let source = PlanSource {
        yaml: input.yaml,
        nodes: input.nodes,
        title: None,
    };
    Ok(match source.read()? {
        Ok(file) => valid(&file),
        Err(faults) => PlanCheckResult {
            valid: false,
            faults: faults.into_iter().take(MAX_ROWS).collect(),
            warnings: Vec::new(),
            order: Vec::new(),
            width: 0,
            total: 0,
        },
    })
}

fn valid(file: &PlanFile) -> PlanCheckResult {
    let warnings = file.warnings.iter().take(MAX_ROWS);
    // The reader has refused plans with a cycle.
    let graph = Graph::new(&file.plan).ok();
    PlanCheckResult {
        valid: true,
        faults: Vec::new(),
        warnings: warnings
            .map(|warning| PlanFault {
                path: None,
                line: Some(warning.at.line),
                message: warning.kind.to_string(),
            })
            .collect(),
        order: graph
            .as_ref()
            .map(|graph| order(&file.plan, graph))
            .unwrap_or_default(),
        width: graph
            .as_ref()
            .map_or(0, |graph| widest_antichain(graph).len()),
        total: file.plan.nodes.len(),
    }
}

/// The first nodes in an order in which each comes after those that it waits for.
fn order(plan: &Plan, graph: &Graph) -> Vec<String> {
    let nodes = plan.nodes_by_id();
    let slug = |number: usize| Some(nodes.get(&graph.id(number))?.slug.to_string());
    let numbers = graph.reading_order().into_iter().take(MAX_ORDER);
    numbers.filter_map(slug).collect()
}
