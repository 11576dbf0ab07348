//! Built-in plans: examples that run on a fresh machine, and templates for agent work.
//!
//! A template is a plan file in `templates/`, compiled into the program. The examples are added on
//! first start; if a person deletes them, they don't return. Templates for agent work specify
//! no agent, so they use the default one.

use baton_formats::layout;
use baton_formats::plan_file::{self, Format};
use baton_model::plan::Source;
use baton_model::{Plan, PlanId};
use uuid::Uuid;

use crate::first_start::{EXAMPLES_ADDED, is_first_start};
use crate::wire::*;
use crate::{ApiError, App, Code, absolute_path, plans};

/// A plan file with its id.
struct Template {
    id: &'static str,
    text: &'static str,
    /// Added on first start.
    example: bool,
}

macro_rules! templates {
    ($($id:literal $example:literal;)+) => {
        &[$(Template { id: $id, text: include_str!(concat!("../templates/", $id, ".baton.yaml")), example: $example },)+]
    };
}

const TEMPLATES: &[Template] = templates! {
    "repository-report" true;
    "disk-usage" true;
    "machine-check" true;
    "release-gate" false;
    "watch-a-site" false;
    "bug-fix" false;
    "code-review" false;
    "research-deep-dive" false;
    "weekly-goal-review" false;
    "daily-digest" false;
    "morning-routine" false;
    "task-clean-up" false;
    "email-drafts" false;
};

impl Template {
    fn plan(&self) -> Result<Plan, ApiError> {
        let file = format!("{}.baton.yaml", self.id);
        let read = plan_file::read(self.text, Format::Yaml, &file, &mut Uuid::now_v7);
        let mut plan = read
            .map_err(|error| ApiError::new(Code::Internal, error.to_string()))?
            .plan;
        for (id, position) in layout::arrange(&plan, baton_model::Direction::LeftRight) {
            if let Some(node) = plan.nodes.iter_mut().find(|node| node.id == id) {
                node.position = Some(position);
            }
        }
        Ok(plan)
    }
}

pub(crate) fn list(_: &App, _: Nothing) -> Result<Vec<TemplateRow>, ApiError> {
    TEMPLATES
        .iter()
        .map(|template| {
            let plan = template.plan()?;
            Ok(TemplateRow {
                id: template.id.to_owned(),
                title: plan.title.clone(),
                description: plan.description.clone(),
                runs_anywhere: plan.nodes.iter().all(|node| node.kind.agent().is_none()),
                plan,
            })
        })
        .collect()
}

/// Creates a plan from a template.
pub(crate) fn instantiate(app: &App, input: PlanFromTemplate) -> Result<PlanView, ApiError> {
    let template = TEMPLATES
        .iter()
        .find(|template| template.id == input.template);
    let missing = || {
        ApiError::new(
            Code::NotFound,
            format!("there is no template '{}'", input.template),
        )
    };
    let mut plan = template.ok_or_else(missing)?.plan()?;
    if let Some(title) = input.title.filter(|title| !title.trim().is_empty()) {
        plan.title = title.trim().to_owned();
    }
    plan.cwd = match input.cwd {
        Some(cwd) => Some(absolute_path::absolute(&cwd)?),
        None => None,
    };
    plans::create_from(app, plan)
}

/// Adds the examples, once per data directory, each with its own working directory.
pub(crate) fn add_examples_on_first_start(app: &App) -> Result<(), ApiError> {
    if !is_first_start(&app.store)? {
        return Ok(());
    }
    let home = directories::BaseDirs::new().map(|base| base.home_dir().to_path_buf());
    let place = home
        .filter(|home| home.is_dir())
        .unwrap_or_else(|| app.store.data_dir().to_path_buf());
    for template in TEMPLATES.iter().rev().filter(|template| template.example) {
        let mut plan = template.plan()?;
        plan.id = PlanId(example_id(template.id));
        plan.cwd = Some(place.display().to_string());
        plan.origin.source = Source::Example;
        match app
            .store
            .plans()
            .create(&plan, &baton_store::Actor::Baton, app.now())
        {
            // Another process that started at the same time added it first.
            Ok(_) | Err(baton_store::StoreError::Exists { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(app.store.settings().set(EXAMPLES_ADDED, &true)?)
}

/// An id that is the same in every process for this data directory, so that two processes starting
/// at once don't add an example twice.
fn example_id(template: &str) -> Uuid {
    Uuid::new_v5(
        &Uuid::NAMESPACE_URL,
        format!("baton:example:{template}").as_bytes(),
    )
}

#[cfg(test)]
mod tests;
