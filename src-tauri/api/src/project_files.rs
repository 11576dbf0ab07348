//! Operations on plans as files in projects.

use baton_model::ProjectRules;
use baton_planning::project_files::{self, ProjectFileView, ProjectFilesSwitch, ProjectFilesView};
use baton_planning::project_rules::ProjectRulesView;

use crate::wire::*;
use crate::{ApiError, App, Code};

/// The projects whose plans are kept as files, with the state of each file.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<PlanFilesProject>, ApiError> {
    let projects = project_files::list(app.context())?;
    Ok(projects.into_iter().map(project).collect())
}

/// Switches plan files of a project on or off. Only a person may: files of a project are written,
/// and what others write into them becomes proposals.
pub(crate) fn save(app: &App, input: PlanFilesSave) -> Result<Vec<PlanFilesProject>, ApiError> {
    if !app.actor().is_person() {
        let message = "only a person may switch plan files on or off";
        return Err(ApiError::new(Code::Forbidden, message)
            .with_fix("ask a person to run `baton plan files on`"));
    }
    let PlanFilesSave {
        directory,
        on,
        format,
        run_line,
    } = input;
    if on {
        let switch = ProjectFilesSwitch {
            directory,
            format,
            run_line,
        };
        project_files::switch_on(app.context(), switch)?;
    } else if !project_files::switch_off(app.context(), &directory)? {
        let message = format!("plan files are not on for {directory}");
        return Err(
            ApiError::new(Code::NotFound, message).with_fix("see `baton plan files status`")
        );
    }
    list(app, Nothing {})
}

fn rules(view: ProjectRulesView) -> ProjectRulesShown {
    let ProjectRules {
        guarded_tools,
        stale_after_days,
        executor_timeout_minutes,
    } = view.rules;
    ProjectRulesShown {
        guarded_tools,
        stale_after_days,
        executor_timeout_minutes,
        faults: view.faults,
    }
}

fn project(view: ProjectFilesView) -> PlanFilesProject {
    let file = |file: ProjectFileView| PlanFileView {
        name: file.name,
        plan: file.plan,
        state: file.state,
        faults: file.faults,
    };
    PlanFilesProject {
        directory: view.switch.directory,
        format: view.switch.format,
        run_line: view.switch.run_line,
        fault: view.fault,
        rules: rules(view.rules),
        files: view.files.into_iter().map(file).collect(),
    }
}
