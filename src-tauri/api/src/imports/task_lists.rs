//! Imports the plans in other programs' task lists.
//!
//! A plan is recognized again by the path of its list and its name in it. A second import applies
//! what has changed in the list and keeps what was changed in Baton. If a person didn't make it, or
//! wants to look at it first, the changes are a proposal, and a new plan waits for review.

use std::path::Path;

use baton_formats::import::{
    self, ImportError, ImportFault, ImportFaultKind, ImportFormat, Imported, SourceFile,
};
use baton_formats::plan_file::KeyLocations;
use baton_model::visible_text::visible_line;
use baton_model::{Plan, PlanId};
use baton_planning::problems::refuse_unsavable;
use baton_planning::proposals::{Submitted, open_submission, submit as submit_proposal};
use baton_store::PlanWrite;
use uuid::Uuid;

use super::{find_previous_import, folder, run_directory};
use crate::wire::*;
use crate::{ApiError, App, Code, absolute_path, plan_review, plans, unknown_names};

/// The plans of a task list that a caller wants.
pub(super) struct TaskList {
    file_name: String,
    format: ImportFormat,
    plans: Vec<Imported>,
}

/// The stored plans of a task list, and what a person has to decide about.
pub(super) struct ImportedList {
    first: PlanId,
    more: Vec<PlanId>,
    warnings: Vec<String>,
    changes: Vec<Submitted>,
    new_plans: Vec<PlanId>,
}

impl ImportedList {
    /// Submits changes as proposals and new plans for review. Takes the lock between processes.
    pub(super) fn submit(mut self, app: &App) -> Result<PlanImported, ApiError> {
        let mut proposals = Vec::with_capacity(self.changes.len());
        for change in self.changes {
            let open = open_submission(app.context(), &change)?;
            proposals.push(match open {
                Some(open) => open,
                None => {
                    let reason = change.reasoning.clone();
                    submit_proposal(app.context(), change, &reason, None)?.id
                }
            });
        }
        for plan in self.new_plans {
            let input = PlanSubmit {
                plan,
                base_revision: None,
            };
            match plan_review::submit(app, input) {
                Err(error) if matches!(error.code, Code::Invalid | Code::Refused) => {
                    let faults = error.faults.join("; ");
                    let reason = format!("it stays a draft: {} {faults}", error.message);
                    self.warnings.push(reason.trim_end().to_owned());
                }
                result => _ = result?,
            }
        }
        Ok(PlanImported {
            plan: plans::view(app, self.first)?,
            warnings: self.warnings,
            sub_plans: Vec::new(),
            more: self.more,
            proposals,
        })
    }
}

/// What an import would do with a plan.
struct Decision {
    name: String,
    plan: Plan,
    fate: PlanImportEffect,
    warnings: Vec<String>,
    write: Option<PlanWrite>,
    /// The version that the import changes.
    base: u32,
}

/// The plans of the task list in `input`; `None` if it is a plan file.
pub(super) fn read(input: &PlanImport) -> Result<Option<TaskList>, ApiError> {
    let place = Path::new(&input.file_name);
    let project = folder::project_of(place, input.folder);
    let files = files(input, place, &project)?;
    let found = match input.format {
        Some(format) => Some(format),
        None => import::detect(&files).map_err(invalid)?,
    };
    let Some(format) = found else {
        return match may_be_plan_file(input) {
            true => Ok(None),
            false => Err(unknown(&input.file_name)),
        };
    };
    let mut plans = import::import(format, &files, &mut Uuid::now_v7).map_err(invalid)?;
    select(&mut plans, input)?;
    let folder = project.to_str().filter(|_| place.is_absolute());
    let chosen = input
        .cwd
        .as_deref()
        .map(absolute_path::absolute)
        .transpose()?;
    for Imported { name, plan, .. } in &mut plans {
        plan.cwd = chosen.clone().or_else(|| {
            let written = plan.cwd.as_deref().or(folder);
            run_directory(&input.file_name, written, None)
        });
        plan.origin.source_id = place.is_absolute().then(|| match name.as_str() {
            "" => input.file_name.clone(),
            name => format!("{}#{name}", input.file_name),
        });
    }
    Ok(Some(TaskList {
        file_name: input.file_name.clone(),
        format,
        plans,
    }))
}

fn files(input: &PlanImport, place: &Path, project: &Path) -> Result<Vec<SourceFile>, ApiError> {
    if !input.files.is_empty() {
        let file = |file: &ImportFile| SourceFile {
            path: file.path.clone(),
            text: file.text.clone(),
        };
        return Ok(input.files.iter().map(file).collect());
    }
    if !input.folder {
        let below = place.strip_prefix(project).ok().and_then(Path::to_str);
        return Ok(vec![SourceFile {
            path: below.unwrap_or(&input.file_name).replace('\\', "/"),
            text: input.text.clone(),
        }]);
    }
    if !place.is_absolute() {
        let message = format!("'{}' is no absolute path", input.file_name);
        let fix = "name the folder by its absolute path, or send its files";
        return Err(ApiError::new(Code::BadInput, message).with_fix(fix));
    }
    folder::read(place, project).map_err(|error| {
        ApiError::new(
            Code::Unavailable,
            format!("the folder can't be read: {error}"),
        )
    })
}

/// Other texts get a message about task lists: as a plan file, they would only give faults of YAML.
fn may_be_plan_file(input: &PlanImport) -> bool {
    let extension = input
        .file_name
        .rsplit_once('.')
        .map(|(_, extension)| extension);
    let is_list = !input.files.is_empty() || input.folder;
    match extension.map(str::to_ascii_lowercase).as_deref() {
        _ if is_list => false,
        Some("jsonl") => false,
        Some("md" | "markdown") => input.text.trim_start().starts_with("---"),
        _ => true,
    }
}

fn unknown(file_name: &str) -> ApiError {
    invalid(ImportError {
        faults: vec![ImportFault {
            path: file_name.to_owned(),
            at: None,
            kind: ImportFaultKind::Unknown,
        }],
    })
}

fn select(plans: &mut Vec<Imported>, input: &PlanImport) -> Result<(), ApiError> {
    let known: Vec<String> = plans.iter().map(|plan| plan.name.clone()).collect();
    let missing = input.plans.iter().find(|name| !known.contains(name));
    if let Some(name) = missing {
        let name = name.clone();
        return Err(invalid(ImportError {
            faults: vec![ImportFault {
                path: input.file_name.clone(),
                at: None,
                kind: ImportFaultKind::UnknownPlan { name, known },
            }],
        }));
    }
    plans.retain(|plan| input.plans.is_empty() || input.plans.contains(&plan.name));
    Ok(())
}

impl TaskList {
    /// Stores the plans: as new ones, or as new versions of those imported before. Changes that
    /// `propose` turns into proposals are left to [`ImportedList::submit`].
    pub(super) fn import(
        self,
        app: &App,
        may_update: bool,
        propose: bool,
    ) -> Result<ImportedList, ApiError> {
        let file_name = self.file_name.clone();
        let mut decisions = self.decide(app, may_update)?;
        let mut changes = Vec::new();
        let mut new_plans = Vec::new();
        for decision in decisions.iter_mut().filter(|_| propose) {
            match &decision.write {
                Some(PlanWrite::Changed { .. }) => {
                    decision.write = None;
                    changes.push(change(decision, &file_name));
                }
                Some(PlanWrite::New(plan)) => new_plans.push(plan.id),
                None => {}
            }
        }
        let ids: Vec<PlanId> = decisions.iter().map(|decision| decision.plan.id).collect();
        let warnings = decisions
            .iter()
            .flat_map(|decision| decision.warnings.clone());
        let warnings = warnings.collect();
        let writes: Vec<_> = decisions
            .into_iter()
            .filter_map(|decision| decision.write)
            .collect();
        app.store
            .plans()
            .write_all(&writes, &app.actor(), app.now())?;
        let (first, more) = ids.split_first().ok_or_else(|| unknown(""))?;
        Ok(ImportedList {
            first: *first,
            more: more.to_vec(),
            warnings,
            changes,
            new_plans,
        })
    }

    /// Shows the first plan, and what would happen to each.
    pub(super) fn preview(self, app: &App) -> Result<PlanImportPreview, ApiError> {
        let format = self.format;
        let decisions = self.decide(app, true)?;
        let plans: Vec<ImportablePlan> = decisions.iter().map(importable).collect();
        let shown = decisions.into_iter().next().ok_or_else(|| unknown(""))?;
        Ok(PlanImportPreview {
            plan: shown.plan,
            fate: shown.fate,
            warnings: shown.warnings,
            sub_plans: 0,
            format: Some(format),
            plans,
        })
    }

    fn decide(self, app: &App, may_update: bool) -> Result<Vec<Decision>, ApiError> {
        let Self {
            file_name, plans, ..
        } = self;
        let decisions = plans
            .into_iter()
            .map(|imported| decide(app, &file_name, imported, may_update));
        decisions.collect()
    }
}

fn decide(
    app: &App,
    file_name: &str,
    imported: Imported,
    may_update: bool,
) -> Result<Decision, ApiError> {
    let Imported {
        name,
        plan,
        warnings,
    } = imported;
    unknown_names::refuse(app, &plan, &KeyLocations::default(), file_name)?;
    let mut warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let earlier = match may_update {
        true => find_previous_import(app, &plan)?,
        false => None,
    };
    let Some((record, old)) = earlier else {
        refuse_unsavable(&plan)?;
        return Ok(Decision {
            name,
            fate: PlanImportEffect::New,
            warnings,
            write: Some(PlanWrite::New(plan.clone())),
            base: 0,
            plan,
        });
    };
    let updated = import::update(&old, plan);
    warnings.extend(updated.warnings.iter().map(ToString::to_string));
    let plan = updated.plan;
    refuse_unsavable(&plan)?;
    let is_same = plan == old;
    let write = (!is_same).then(|| PlanWrite::Changed {
        plan: plan.clone(),
        base_revision: record.revision,
    });
    let fate = match is_same {
        true => PlanImportEffect::Same,
        false => PlanImportEffect::Changed,
    };
    Ok(Decision {
        name,
        plan,
        fate,
        warnings,
        write,
        base: record.version,
    })
}

/// The changes of a plan that was imported before, as a proposal.
fn change(decision: &Decision, file_name: &str) -> Submitted {
    Submitted {
        target: Some((decision.plan.id, decision.base)),
        content: decision.plan.clone(),
        reasoning: format!("Import of {}", visible_line(file_name)),
        notes: decision.warnings.clone(),
    }
}

fn importable(decision: &Decision) -> ImportablePlan {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let plan = &decision.plan;
    ImportablePlan {
        name: decision.name.clone(),
        title: plan.title.clone(),
        fate: decision.fate,
        nodes: count(
            plan.nodes
                .iter()
                .filter(|node| node.is_executable())
                .count(),
        ),
        inferred: count(plan.inferred_edges().count()),
        warnings: decision.warnings.clone(),
    }
}

fn invalid(error: ImportError) -> ApiError {
    let faults = error.to_string().lines().map(str::to_owned).collect();
    ApiError::from_faults(Code::Invalid, "", faults)
}

#[cfg(test)]
mod tests;
