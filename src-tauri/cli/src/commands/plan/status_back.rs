//! `baton plan status-back`: marks finished tasks in the files that a plan was imported from.

use std::path::{PathBuf, absolute};

use baton_api::wire::*;
use baton_model::count::format_quantity;
use clap::Args;

use crate::client::Client;
use crate::failure::Failure;
use crate::id_lookup;
use crate::style::{self, Tone};

/// Mark the tasks of finished nodes as done in the task list that a plan was imported from
///
/// For plans from spec-kit, OpenSpec, Kiro and Backlog.md. Ticks the box of a task, or sets its
/// status to Done, and changes nothing else. Unverified nodes don't count as finished.
#[derive(Debug, Args)]
pub(crate) struct StatusBackArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// The task list, or its folder [default: where the plan was imported from]
    path: Option<PathBuf>,
    /// Only show what would change
    #[arg(long)]
    print: bool,
}

pub(super) fn status_back(client: &Client<'_>, args: &StatusBackArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let path = args.path.as_deref().map(absolute).transpose();
    let path = path.map_err(|source| Failure::System {
        doing: "find the current directory",
        source,
    })?;
    let input = PlanStatusBack {
        plan,
        path: path.map(|path| path.display().to_string()),
        preview: args.print,
    };
    let doing = "write the status into the task list";
    let written: PlanStatusWritten = client.ask(doing, "plan_status_back", &input)?;
    let output = client.output;
    if output.json {
        return output.json(&written);
    }
    for file in &written.files {
        output.line(&output.paint(&style::one_line(&file.path), Tone::Strong))?;
        for line in &file.lines {
            output.line(&format!(
                "{}: - {}",
                line.number,
                style::one_line(&line.before)
            ))?;
            output.line(&format!(
                "{}: + {}",
                line.number,
                style::one_line(&line.after)
            ))?;
        }
    }
    let tasks: usize = written.files.iter().map(|file| file.lines.len()).sum();
    let verb = if args.print { "to mark" } else { "marked" };
    output.note(&format!(
        "{} {verb} as done",
        format_quantity(tasks, "task", "tasks")
    ));
    if written.unverified > 0 {
        let nodes = format_quantity(written.unverified, "node is", "nodes are");
        output.note(&format!("{nodes} done but unverified and left open"));
    }
    Ok(())
}
