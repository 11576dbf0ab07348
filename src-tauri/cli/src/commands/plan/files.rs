//! `baton plan files`: plans as files in a project.

use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::count::format_quantity;
use clap::{Args, Subcommand};

use crate::client::Client;
use crate::failure::Failure;
use crate::plan_file::absolute;
use crate::style;

#[derive(Debug, Subcommand)]
pub(crate) enum FilesVerb {
    On(OnArgs),
    /// Leave the plan files of a project as they are from now on
    Off {
        /// The directory of the project; by default, this one
        directory: Option<PathBuf>,
    },
    /// Show the projects with plan files, and the state of each file
    Status {
        /// Only this project
        directory: Option<PathBuf>,
    },
}

/// Write each plan of a project to `.baton/plans` after it is saved
///
/// The window, `baton serve` and `baton worker` keep the files. What is edited in a file becomes a
/// proposal.
#[derive(Debug, Args)]
pub(crate) struct OnArgs {
    /// The directory of the project; by default, this one
    directory: Option<PathBuf>,
    /// Write YAML instead of Markdown
    #[arg(long)]
    yaml: bool,
    /// Add a line about the last run to each file
    #[arg(long)]
    run_line: bool,
}

pub(super) fn files(client: &Client<'_>, verb: &FilesVerb) -> Result<(), Failure> {
    match verb {
        FilesVerb::On(args) => {
            let format = match args.yaml {
                true => ProjectFileFormat::Yaml,
                false => ProjectFileFormat::Markdown,
            };
            save(client, args.directory.as_deref(), |directory| {
                PlanFilesSave {
                    directory,
                    on: true,
                    format,
                    run_line: args.run_line,
                }
            })
        }
        FilesVerb::Off { directory } => {
            save(client, directory.as_deref(), |directory| PlanFilesSave {
                directory,
                on: false,
                format: ProjectFileFormat::default(),
                run_line: false,
            })
        }
        FilesVerb::Status { directory } => {
            let projects = client.ask("list the plan files", "plan_files_list", &Nothing {})?;
            let directory = directory.as_deref().map(absolute).transpose()?;
            show(client, projects, directory.as_deref())
        }
    }
}

fn save(
    client: &Client<'_>,
    directory: Option<&Path>,
    input: impl FnOnce(String) -> PlanFilesSave,
) -> Result<(), Failure> {
    let directory = absolute(directory.unwrap_or(Path::new(".")))?;
    let input = input(directory.clone());
    let projects = client.ask("switch plan files", "plan_files_save", &input)?;
    show(client, projects, Some(&directory))
}

fn show(
    client: &Client<'_>,
    mut projects: Vec<PlanFilesProject>,
    directory: Option<&str>,
) -> Result<(), Failure> {
    projects.retain(|project| directory.is_none_or(|wanted| wanted == project.directory));
    if client.output.json {
        return client.output.json(&projects);
    }
    if projects.is_empty() {
        return client.output.line("Plan files are off.");
    }
    for project in &projects {
        client.output.line(&style::one_line(&project.directory))?;
        if let Some(fault) = &project.fault {
            client
                .output
                .line(&format!("  {}", style::one_line(fault)))?;
        }
        show_rules(client, &project.rules)?;
        for file in &project.files {
            let name = style::one_line(&file.name);
            client
                .output
                .line(&format!("  {name}: {}", state(file.state)))?;
            for fault in &file.faults {
                client
                    .output
                    .line(&format!("    {}", style::one_line(fault)))?;
            }
        }
    }
    Ok(())
}

fn show_rules(client: &Client<'_>, rules: &ProjectRulesShown) -> Result<(), Failure> {
    let days = rules.stale_after_days;
    let minutes = rules.executor_timeout_minutes;
    let guards = (!rules.guarded_tools.is_empty())
        .then(|| format!("guarded tools {}", rules.guarded_tools.join(", ")));
    let parts = [
        guards,
        days.map(|days| {
            format!(
                "proposals expire after {}",
                format_quantity(days, "day", "days")
            )
        }),
        minutes.map(|minutes| format!("time limit of a run {minutes} min")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        let line = style::one_line(&parts.join("; "));
        client.output.line(&format!("  plans.json: {line}"))?;
    }
    for fault in &rules.faults {
        client
            .output
            .line(&format!("  {}", style::one_line(fault)))?;
    }
    Ok(())
}

fn state(state: ProjectFileState) -> &'static str {
    match state {
        ProjectFileState::Current => "up to date",
        ProjectFileState::Earlier => "an earlier version",
        ProjectFileState::Proposed => "edited, its proposal waits for you",
        ProjectFileState::Edited => "edited",
        ProjectFileState::Missing => "not written yet",
        ProjectFileState::Unreadable => "can't be read",
        ProjectFileState::OtherPlan => "of a plan that isn't in this project",
    }
}
