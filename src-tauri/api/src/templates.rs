//! Plans to begin with: examples that run on a fresh machine, and templates for agent work.
//!
//! A template is a plan file in `templates/`, compiled in. The examples are put in at first start; a person
//! who deletes them does not get them back. The templates for agent work name no agent, so each takes the default.

use baton_formats::layout;
use baton_formats::plan_file::{self, Format};
use baton_model::plan::Source;
use baton_model::{Plan, PlanId};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code, plans};

const EXAMPLES_PUT_IN: &str = "examples_put_in";

/// A plan file with its name.
struct Template {
    id: &'static str,
    text: &'static str,
    /// Put in at first start.
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

/// Lists the templates.
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

/// Makes a plan from a template.
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
        Some(cwd) => Some(plans::absolute(&cwd)?),
        None => None,
    };
    plans::put(app, plan)
}

/// Whether nobody has opened this data directory before.
pub(crate) fn is_first_start(store: &baton_store::Store) -> Result<bool, baton_store::StoreError> {
    Ok(!store
        .settings()
        .get::<bool>(EXAMPLES_PUT_IN)?
        .unwrap_or(false))
}

/// Puts the examples in, once in the life of a data directory, each with a directory of its own to run in.
pub(crate) fn put_examples_at_first_start(app: &App) -> Result<(), ApiError> {
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
            // Another process that starts at the same time was quicker.
            Ok(_) | Err(baton_store::StoreError::Exists { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(app.store.settings().set(EXAMPLES_PUT_IN, &true)?)
}

/// The same for every data directory, so that two processes that start at once do not put in two.
fn example_id(template: &str) -> Uuid {
    Uuid::new_v5(
        &Uuid::NAMESPACE_URL,
        format!("baton:example:{template}").as_bytes(),
    )
}

#[cfg(test)]
mod tests;
