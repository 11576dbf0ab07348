//! The tools that act on Baton's own plans.
//!
//! They follow the names and arguments that planning agents commonly use, with one exception:
//! `execute_plan` waits for the run. Processes end with their session, so that a run in the
//! background would be stopped immediately.

use std::path::Path;

use baton_model::PlanId;
use baton_model::plan_step::node_keys;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::baton_client::BatonClient;
use crate::call_error::CallError;

/// The limit on history entries in the details of a plan.
const MAX_HISTORY_ROWS: u32 = 100;

/// The plan tools of a Baton installation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanTools<'a> {
    pub(crate) baton: BatonClient<'a>,
    /// The working directory of new plans.
    pub(crate) directory: &'a Path,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ListPlansArguments {
    status: Option<String>,
    limit: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CreatePlanArguments {
    name: String,
    goal: String,
    description: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct AddStepArguments {
    plan_id: String,
    order: u64,
    name: String,
    /// The others, which were checked with the plan.
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl AddStepArguments {
    /// The node's keys.
    fn keys(&self) -> Map<String, Value> {
        let mut arguments = self.others.clone();
        arguments.insert("name".to_owned(), self.name.as_str().into());
        node_keys(arguments)
    }
}

/// The arguments of tools that act on one plan.
#[derive(Debug, Deserialize)]
pub(crate) struct PlanReference {
    plan_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlanRow {
    id: PlanId,
    title: String,
    description: String,
    review: String,
    node_count: u32,
    last_run: Option<RunRow>,
}

/// The needed fields of a plan.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanView {
    /// The whole plan, unchanged, so that it can be saved again.
    pub(crate) plan: Value,
    pub(crate) version: u32,
    review: String,
    last_run: Option<RunRow>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeSaved {
    node: AddedNode,
    depends_on: Vec<String>,
    saved: PlanSaved,
}

#[derive(Debug, Deserialize)]
struct AddedNode {
    slug: String,
}

#[derive(Debug, Deserialize)]
struct PlanSaved {
    version: u32,
}

#[derive(Debug, Deserialize)]
struct RunRow {
    id: String,
    state: RunStateView,
    progress: Vec<String>,
}

/// The state of a run or node, with a message for some states.
#[derive(Debug, Deserialize)]
struct RunStateView {
    state: String,
    #[serde(default)]
    message: String,
}

#[derive(Debug, Deserialize)]
struct RunView {
    summary: RunRow,
    nodes: Vec<NodeRow>,
}

#[derive(Debug, Deserialize)]
struct NodeRow {
    node: String,
    state: RunStateView,
}

#[derive(Debug, Deserialize)]
struct HistoryRow {
    sentence: String,
}

impl RunRow {
    fn percent(&self) -> usize {
        let over = self
            .progress
            .iter()
            .filter(|word| matches!(word.as_str(), "done" | "skipped"))
            .count();
        (over * 100).checked_div(self.progress.len()).unwrap_or(0)
    }
}

impl PlanTools<'_> {
    /// Lists plans with status and progress.
    pub(crate) fn list(&self, arguments: &ListPlansArguments) -> Result<Value, CallError> {
        let rows = self.rows()?.into_iter().map(|row| {
            let status = row
                .last_run
                .as_ref()
                .map_or(row.review.clone(), |run| run.state.state.clone());
            let progress = row.last_run.as_ref().map_or(0, RunRow::percent);
            (status, row, progress)
        });
        let wanted = |status: &str, review: &str| {
            arguments
                .status
                .as_deref()
                .is_none_or(|wanted| wanted == status || wanted == review)
        };
        let rows = rows.filter(|(status, row, _)| wanted(status, &row.review)).map(|(status, row, progress)| {
            json!({ "id": row.id, "name": row.title, "goal": row.description, "status": status, "review": row.review,
                    "progress": progress, "steps": row.node_count })
        });
        Ok(rows.take(arguments.limit.unwrap_or(usize::MAX)).collect())
    }

    /// Creates a plan with this node's working directory.
    pub(crate) fn create(&self, arguments: &CreatePlanArguments) -> Result<Value, CallError> {
        let goal = [Some(&arguments.goal), arguments.description.as_ref()]
            .into_iter()
            .flatten();
        let description = goal
            .map(|text| text.trim())
            .collect::<Vec<_>>()
            .join("\n\n");
        let input =
            json!({ "title": arguments.name, "description": description, "cwd": self.directory });
        let view: PlanView = self.baton.ask("plan_create", &input)?;
        Ok(
            json!({ "id": view.plan["id"], "name": arguments.name, "status": view.review, "version": view.version }),
        )
    }

    pub(crate) fn add_step(&self, arguments: &AddStepArguments) -> Result<Value, CallError> {
        let plan = self.resolve(&arguments.plan_id)?;
        let input = json!({ "plan": plan, "node": arguments.keys(), "orderNum": arguments.order });
        let added: NodeSaved = self.baton.ask("node_add", &input)?;
        Ok(
            json!({ "plan_id": plan, "step_id": added.node.slug, "name": arguments.name, "order": arguments.order,
                   "dependencies": added.depends_on, "version": added.saved.version }),
        )
    }

    /// Returns a plan with its nodes and its latest run.
    pub(crate) fn details(&self, arguments: &PlanReference) -> Result<Value, CallError> {
        let plan = self.resolve(&arguments.plan_id)?;
        let view: PlanView = self.baton.ask("plan_get", &json!({ "plan": plan }))?;
        let run = view.last_run.as_ref().map(|run| run.id.clone());
        let (run, history) = match &run {
            Some(run) => (Some(self.run(run)?), self.history(run)?),
            None => (None, Vec::new()),
        };
        let status = run
            .as_ref()
            .map_or(view.review.clone(), |run| run.summary.state.state.clone());
        Ok(json!({
            "id": plan,
            "name": view.plan["title"],
            "goal": view.plan["description"],
            "directory": view.plan["cwd"],
            "status": status,
            "review": view.review,
            "version": view.version,
            "progress": run.as_ref().map_or(0, |run| run.summary.percent()),
            "run": run.as_ref().map(|run| &run.summary.id),
            "steps": steps(&view.plan, run.as_ref()),
            "history": history,
        }))
    }

    /// Runs a plan and waits until the run has stopped.
    pub(crate) fn execute(&self, arguments: &PlanReference) -> Result<Value, CallError> {
        let plan = self.resolve(&arguments.plan_id)?;
        let input = json!({ "plan": plan, "goal": { "want": "all" }, "limit": null });
        let started: RunView = self.baton.ask("run_start", &input)?;
        let run = self.run(&started.summary.id)?;
        let RunRow { id, state, .. } = &run.summary;
        if state.state != "completed" {
            return Err(CallError::Run {
                run: id.clone(),
                state: state.state.clone(),
                output: state.message.clone(),
            });
        }
        Ok(
            json!({ "plan_id": plan, "run": id, "status": state.state, "progress": run.summary.percent() }),
        )
    }

    /// Pauses the latest run of a plan.
    pub(crate) fn pause(&self, arguments: &PlanReference) -> Result<Value, CallError> {
        let plan = self.resolve(&arguments.plan_id)?;
        let view: PlanView = self.baton.ask("plan_get", &json!({ "plan": plan }))?;
        let run = view
            .last_run
            .ok_or_else(|| CallError::AmbiguousPlan("the plan has no run to pause".to_owned()))?;
        let paused: RunRow = self
            .baton
            .ask("run_pause", &json!({ "run": run.id, "stopRunning": false }))?;
        Ok(json!({ "plan_id": plan, "run": paused.id, "status": paused.state.state }))
    }

    pub(crate) fn delete(&self, arguments: &PlanReference) -> Result<Value, CallError> {
        let plan = self.resolve(&arguments.plan_id)?;
        let _: Value = self.baton.ask("plan_delete", &json!({ "plan": plan }))?;
        Ok(json!({ "plan_id": plan, "deleted": true }))
    }

    fn rows(&self) -> Result<Vec<PlanRow>, CallError> {
        self.baton.ask("plans_list", &json!({}))
    }

    /// Finds a plan by id, or by title if that is unique.
    fn resolve(&self, name: &str) -> Result<PlanId, CallError> {
        if let Ok(id) = name.trim().parse() {
            return Ok(id);
        }
        let rows = self.rows()?;
        let called: Vec<&PlanRow> = rows
            .iter()
            .filter(|row| row.title.trim() == name.trim())
            .collect();
        match called.as_slice() {
            [row] => Ok(row.id),
            [] => Err(CallError::AmbiguousPlan(format!(
                "no plan has the id or title '{name}'"
            ))),
            more => Err(CallError::AmbiguousPlan(format!(
                "{} plans have the title '{name}'. Use an id instead",
                more.len()
            ))),
        }
    }

    fn run(&self, run: &str) -> Result<RunView, CallError> {
        self.baton.ask("run_get", &json!({ "run": run }))
    }

    fn history(&self, run: &str) -> Result<Vec<String>, CallError> {
        let input = json!({ "run": run, "after": 0, "limit": MAX_HISTORY_ROWS });
        let rows: Vec<HistoryRow> = self.baton.ask("run_history", &input)?;
        Ok(rows.into_iter().map(|row| row.sentence).collect())
    }
}

/// Returns the nodes of a plan, each with its state.
fn steps(plan: &Value, run: Option<&RunView>) -> Vec<Value> {
    let nodes = plan["nodes"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let slug_of = |id: &Value| {
        nodes
            .iter()
            .find(|node| node["id"] == *id)
            .map(|node| node["slug"].clone())
    };
    let edges = plan["edges"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let step = |(order, node): (usize, &Value)| {
        let state = run.and_then(|run| run.nodes.iter().find(|row| node["id"] == *row.node));
        let parents = edges.iter().filter(|edge| edge["child"] == node["id"]);
        json!({
            "id": node["slug"],
            "order": order,
            "type": node["kind"]["kind"],
            "name": node["title"],
            "status": state.map_or("pending", |row| &row.state.state),
            "dependencies": parents.filter_map(|edge| slug_of(&edge["parent"])).collect::<Vec<_>>(),
        })
    };
    (1..).zip(nodes).map(step).collect()
}
