//! Exports plans as self-contained files, including the plans that their nodes run.

use std::collections::HashSet;

use baton_formats::plan_file::{self, Format};
use baton_model::node::{LoopBody, LoopTask, NodeKind};
use baton_model::{Plan, PlanId, Slug};
use baton_store::PlanRow;
use uuid::Uuid;

use crate::{ApiError, App, Code};

/// `plan` as a file. Every plan that it runs directly or indirectly is included once under a name.
/// References that can't be resolved stay unchanged.
pub(crate) fn file(app: &App, plan: &Plan, format: Format) -> Result<String, ApiError> {
    let mut plan = plan.clone();
    if let Some(handler) = &mut plan.settings.on_failure {
        name_by_title(&app.store.plans().list()?.rows, handler);
    }
    if plan.nodes.iter().all(|node| node.kind.sub_plan().is_none()) {
        return Ok(plan_file::write(&plan, format));
    }
    let known = app.store.plans().list()?.rows;
    let mut embedding = Embedding {
        app,
        known,
        way: Vec::new(),
        names: Vec::new(),
        plans: Vec::new(),
    };
    embedding.embed_sub_plans(&mut plan)?;
    Ok(plan_file::write_with_plans(&plan, &embedding.plans, format))
}

/// Replaces the ID of a plan with its title, if only that plan has it: on another machine, the same
/// plan has another ID.
fn name_by_title(known: &[PlanRow], name: &mut String) {
    let id = name.trim().parse::<Uuid>().ok().map(PlanId);
    let Some(row) = known.iter().find(|row| Some(row.record.plan) == id) else {
        return;
    };
    if known
        .iter()
        .filter(|other| other.title == row.title)
        .count()
        == 1
    {
        name.clone_from(&row.title);
    }
}

/// Collects the plans to include in a file.
struct Embedding<'a> {
    app: &'a App,
    known: Vec<PlanRow>,
    /// The chain of plans that led to the current one, which is last.
    way: Vec<(PlanId, String)>,
    names: Vec<(PlanId, String)>,
    plans: Vec<(String, Plan)>,
}

impl Embedding<'_> {
    /// Replaces references from the nodes of `plan` with names in the file.
    fn embed_sub_plans(&mut self, plan: &mut Plan) -> Result<(), ApiError> {
        self.way.push((plan.id, plan.title.clone()));
        for node in &mut plan.nodes {
            let task = match &mut node.kind {
                NodeKind::SubPlan(task)
                | NodeKind::Loop(LoopTask {
                    body: LoopBody::Plan(task),
                    ..
                }) => task,
                _ => continue,
            };
            if let Some(child) = self.find(&task.sub_plan_id) {
                task.sub_plan_id = self.embedded_name_of(child)?;
            }
        }
        self.way.pop();
        Ok(())
    }

    /// Finds a plan by id, or by title if only one plan has it. The engine resolves references in
    /// the same way.
    fn find(&self, name: &str) -> Option<PlanId> {
        let name = name.trim();
        let id = name.parse::<Uuid>().ok().map(PlanId);
        let fits = |row: &&PlanRow| id.map_or(row.title == name, |id| row.record.plan == id);
        let found: Vec<PlanId> = self
            .known
            .iter()
            .filter(fits)
            .map(|row| row.record.plan)
            .collect();
        found.first().copied().filter(|_| found.len() == 1)
    }

    fn embedded_name_of(&mut self, child: PlanId) -> Result<String, ApiError> {
        if let Some(first) = self.way.iter().position(|(plan, _)| *plan == child) {
            let ring = self.way[first..]
                .iter()
                .chain([&self.way[first]])
                .map(|(_, title)| title.as_str());
            let chain = ring.collect::<Vec<_>>().join(" → ");
            let message = format!("a plan would run itself: {chain}");
            return Err(ApiError::new(Code::Invalid, message)
                .with_fix("change one of them to run another plan"));
        }
        if let Some((_, name)) = self.names.iter().find(|(plan, _)| *plan == child) {
            return Ok(name.clone());
        }
        let mut plan = self.app.store.plans().current(child)?.1;
        let name = self.free_name(&plan.title);
        self.names.push((child, name.clone()));
        self.embed_sub_plans(&mut plan)?;
        self.plans.push((name.clone(), plan));
        Ok(name)
    }

    fn free_name(&self, title: &str) -> String {
        let slug = Slug::from_title(title).to_string();
        let taken: HashSet<&str> = self.names.iter().map(|(_, name)| name.as_str()).collect();
        let numbered = (2..).map(|number| format!("{slug}-{number}"));
        let mut names = std::iter::once(slug.clone()).chain(numbered);
        names
            .find(|name| !taken.contains(name.as_str()))
            .unwrap_or(slug)
    }
}
