//! `baton plan import`: plan files and other programs' task lists.

use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::Plan;
use baton_model::count::format_quantity;
use clap::Args;

use super::print_created;
use crate::client::Client;
use crate::failure::Failure;
use crate::plan_file::{self, ImportOptions};
use crate::style;

/// Import plan files, and the task lists of other programs
///
/// Takes plan files (YAML, JSON, or a Mermaid flowchart), and the files or folders of Task Master,
/// spec-kit, OpenSpec, Backlog.md, beads, GitHub issues as JSON, Claude Code tasks, todo lists of
/// sessions, Kiro, rawko and OwnPilot. Edges that only follow from the order of tasks are inferred:
/// confirm them with `baton plan confirm-edges`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Files, or folders with a task list
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Directory the plans run in; overrides the files
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Whose task list it is, such as `task_master`; by default, recognized by its content
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<ImportFormat>,
    /// Only this plan of a task list, such as a tag; can be given several times
    #[arg(long = "plan", value_name = "NAME")]
    plans: Vec<String>,
    /// Update the plans that were imported from there before, and keep what was changed in Baton
    #[arg(long)]
    update: bool,
    /// With --update: make the changes a proposal instead, to look at and accept one by one
    #[arg(long, requires = "update")]
    propose: bool,
    /// Show what would be imported, without storing anything
    #[arg(long)]
    preview: bool,
}

pub(super) fn import(client: &Client<'_>, args: &ImportArgs) -> Result<(), Failure> {
    let options = ImportOptions {
        cwd: args.cwd.as_deref(),
        format: args.format,
        plans: &args.plans,
    };
    for path in &args.paths {
        let mut input = plan_file::input(path, &options)?;
        input.propose = args.propose;
        match args.preview {
            true => preview(client, path, &input)?,
            false => import_path(client, path, &input, args.update)?,
        }
    }
    Ok(())
}

fn import_path(
    client: &Client<'_>,
    path: &Path,
    input: &PlanImport,
    update: bool,
) -> Result<(), Failure> {
    let operation = if update { "plan_bring" } else { "plan_import" };
    let imported: PlanImported = client.ask(&plan_file::import_of(path), operation, input)?;
    for warning in &imported.warnings {
        warn(client, path, warning);
    }
    print_created(client, &imported.plan)?;
    for proposal in &imported.proposals {
        let advice = "look at it with `baton proposal diff`";
        client
            .output
            .note(&format!("Proposal {proposal}: {advice}"));
    }
    for &plan in &imported.more {
        let view: PlanView = client.ask("load the plan", "plan_get", &PlanRef { plan })?;
        print_created(client, &view)?;
    }
    Ok(())
}

fn preview(client: &Client<'_>, path: &Path, input: &PlanImport) -> Result<(), Failure> {
    let seen: PlanImportPreview = client.ask(&plan_file::import_of(path), "plan_look", input)?;
    if client.output.json {
        return client.output.json(&seen);
    }
    if seen.plans.is_empty() {
        print_row(
            client,
            &seen.plan.title,
            seen.fate,
            seen.plan.nodes.len(),
            0,
        )?;
        for warning in &seen.warnings {
            warn(client, path, warning);
        }
    }
    for plan in &seen.plans {
        let title = match plan.name.as_str() {
            "" => plan.title.clone(),
            name if name == plan.title => name.to_owned(),
            name => format!("{} ({name})", plan.title),
        };
        let (nodes, inferred) = (plan.nodes as usize, plan.inferred as usize);
        print_row(client, &title, plan.fate, nodes, inferred)?;
        for warning in &plan.warnings {
            warn(client, path, warning);
        }
    }
    print_nodes(client, &seen.plan)
}

/// The nodes of the shown plan with what they wait for. Inferred edges are marked, because somebody
/// has to confirm them.
fn print_nodes(client: &Client<'_>, plan: &Plan) -> Result<(), Failure> {
    for node in &plan.nodes {
        let parents: Vec<String> = plan
            .edges
            .iter()
            .filter(|edge| edge.child == node.id)
            .filter_map(|edge| {
                let slug = &plan.node(edge.parent)?.slug;
                let mark = if edge.inferred { " (inferred)" } else { "" };
                Some(format!("{slug}{mark}"))
            })
            .collect();
        let after = match parents.is_empty() {
            true => String::new(),
            false => format!(", after {}", parents.join(", ")),
        };
        let title = style::one_line(&node.title);
        client
            .output
            .line(&format!("  {}: {title}{after}", node.slug))?;
    }
    Ok(())
}

fn print_row(
    client: &Client<'_>,
    title: &str,
    fate: PlanImportEffect,
    nodes: usize,
    inferred: usize,
) -> Result<(), Failure> {
    let fate = match fate {
        PlanImportEffect::New => "new",
        PlanImportEffect::Changed => "changed",
        PlanImportEffect::Same => "unchanged",
    };
    let nodes = format_quantity(nodes, "node", "nodes");
    let inferred = match inferred {
        0 => String::new(),
        count => format!(
            ", {}",
            format_quantity(count, "inferred edge", "inferred edges")
        ),
    };
    let title = style::one_line(title);
    client
        .output
        .line(&format!("{title}: {fate}, {nodes}{inferred}"))
}

fn warn(client: &Client<'_>, path: &Path, warning: &str) {
    let warning = style::one_line(warning);
    client
        .output
        .note(&format!("! {}: {warning}", path.display()));
}

/// The name of a format that Baton doesn't import.
#[derive(Debug, thiserror::Error)]
#[error("there is no such format; use one of {}", ImportFormat::ALL.map(ImportFormat::as_str).join(", "))]
struct UnknownFormat;

fn format(text: &str) -> Result<ImportFormat, UnknownFormat> {
    let wanted = text.replace('-', "_");
    let found = ImportFormat::ALL
        .into_iter()
        .find(|format| format.as_str() == wanted);
    found.ok_or(UnknownFormat)
}
