//! `create_plan` and `add_plan_step` build a draft step by step. A plan that somebody else
//! wrote, or that a person approved, gets a proposal instead.

use baton_api::ApiError;
use baton_api::wire::{
    NodeAdd, NodeSaved, PlanImport, PlanImported, PlanRef, PlanVersionRow, PlanView,
    SubmittedContent, SubmittedEdit,
};
use baton_model::{PlanId, ProposalId, ReviewState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::step_arguments::StepArguments;
use crate::answer::plan_url;
use crate::answer::{Answer, INBOX};
use crate::operations::ask;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};
use crate::tools::plan_propose::submit;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateArguments {
    name: String,
    goal: String,
    description: Option<String>,
    /// Absolute path. Default: the project.
    cwd: Option<String>,
    priority: Option<u8>,
    autonomy_level: Option<u8>,
    goal_id: Option<String>,
    trigger_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Created {
    #[schemars(with = "String")]
    id: PlanId,
    name: String,
    #[schemars(with = "String")]
    status: ReviewState,
    version: u32,
    url: String,
    next: &'static str,
}

impl Answer for Created {
    fn text(&self) -> String {
        format!("{} {}\n{}\n{}", self.id, self.name, self.next, self.url)
    }
}

#[derive(Serialize, JsonSchema)]
struct StepAdded {
    #[schemars(with = "String")]
    plan_id: PlanId,
    /// added, or waits_for_person
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_id: Option<String>,
    order: u64,
    dependencies: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    /// The change that a person decides on.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<ProposalId>,
    url: String,
}

impl Answer for StepAdded {
    fn text(&self) -> String {
        let step = self.step_id.as_deref().unwrap_or("the step");
        format!("{step}: {}\n{}", self.state, self.url)
    }
}

pub(super) fn tools() -> Vec<ToolDefinition> {
    vec![
        ToolDefinition::new(
            ToolText {
                name: "create_plan",
                title: "Create a draft",
                description: "Creates an empty draft. Add steps with add_plan_step, then ask a \
                    person with plan_approve. plan_propose does all of it at once.",
            },
            Effect::Ask,
            create_plan,
        ),
        ToolDefinition::new(
            ToolText {
                name: "add_plan_step",
                title: "Add a step",
                description: "Adds a step to your own draft. For any other plan, the step becomes \
                    a proposal that a person decides on.",
            },
            Effect::Ask,
            add_plan_step,
        ),
    ]
}

fn create_plan(context: &ToolContext, input: CreateArguments) -> Result<Created, ApiError> {
    let author = context.operations.author();
    let author = author.as_deref().and_then(|author| author.split_once(':'));
    let texts = [Some(input.goal), input.description];
    let texts: Vec<_> = texts.into_iter().flatten().collect();
    let project = context
        .project
        .as_ref()
        .map(|path| path.display().to_string());
    let file = json!({
        "baton": 1,
        "title": input.name,
        "description": texts.join("\n\n"),
        "cwd": input.cwd.or(project),
        "source": "agent",
        "createdBy": author.map(|(_, name)| name),
        "priority": input.priority,
        "autonomy": input.autonomy_level,
        "goalId": input.goal_id,
        "trigger": input.trigger_id,
        "nodes": [],
    });
    let import = PlanImport {
        file_name: "plan.json".to_owned(),
        text: without_null(file).to_string(),
        cwd: None,
        format: None,
        folder: false,
        files: Vec::new(),
        plans: Vec::new(),
        propose: false,
    };
    let made: PlanImported = ask(&*context.operations, "plan_import", import)?;
    Ok(Created {
        id: made.plan.plan.id,
        name: made.plan.plan.title,
        status: made.plan.review,
        version: made.plan.version,
        url: plan_url(made.plan.plan.id),
        next: "Add steps with add_plan_step, then ask a person with plan_approve.",
    })
}

/// A missing key stands for its default.
fn without_null(value: Value) -> Value {
    match value {
        Value::Object(keys) => keys
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect(),
        other => other,
    }
}

fn add_plan_step(context: &ToolContext, input: StepArguments) -> Result<StepAdded, ApiError> {
    let plan = PlanRef {
        plan: input.plan_id,
    };
    let view: PlanView = ask(&*context.operations, "plan_get", plan)?;
    if !is_own_draft(context, &view)? {
        return propose_step(context, &view, &input);
    }
    let add = NodeAdd {
        plan: input.plan_id,
        node: input.keys(),
        position: None,
        order_num: Some(input.order),
        base_revision: None,
    };
    let added: NodeSaved = ask(&*context.operations, "node_add", add)?;
    Ok(StepAdded {
        plan_id: input.plan_id,
        state: "added",
        step_id: Some(added.node.slug.to_string()),
        order: input.order,
        dependencies: added.depends_on,
        version: Some(added.saved.version),
        proposal: None,
        url: plan_url(input.plan_id),
    })
}

/// Whether the caller alone wrote the plan and nobody has decided on it.
pub(super) fn is_own_draft(context: &ToolContext, view: &PlanView) -> Result<bool, ApiError> {
    let is_open = matches!(view.review, ReviewState::Draft | ReviewState::Proposed);
    let (true, None, Some(author)) = (is_open, &view.last_run, context.operations.author()) else {
        return Ok(false);
    };
    let plan = PlanRef { plan: view.plan.id };
    let versions: Vec<PlanVersionRow> = ask(&*context.operations, "plan_versions", plan)?;
    Ok(view.approved_version.is_none() && versions.iter().all(|row| row.author == author))
}

fn propose_step(
    context: &ToolContext,
    view: &PlanView,
    input: &StepArguments,
) -> Result<StepAdded, ApiError> {
    let content = SubmittedContent {
        plan: Some(input.plan_id),
        base_version: Some(view.version),
        text: None,
        nodes: None,
        changes: Some(vec![SubmittedEdit::Add {
            node: input.keys(),
            why: None,
        }]),
        title: None,
        goal: None,
        cwd: None,
    };
    let reason = format!("Adds the step \"{}\".", input.name);
    let proposed = submit(context, content, reason, None)?;
    Ok(StepAdded {
        plan_id: input.plan_id,
        state: "waits_for_person",
        step_id: None,
        order: input.order,
        dependencies: Vec::new(),
        version: None,
        proposal: Some(proposed.summary.id),
        url: INBOX.to_owned(),
    })
}
