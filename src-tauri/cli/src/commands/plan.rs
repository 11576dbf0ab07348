//! `baton plan`: manages stored plans.

mod archive;
mod confirm_edges;
mod deleted;
pub(crate) mod diff;
mod edit;
mod export;
mod files;
mod generate;
mod import;
mod lint;
mod listing;
pub(crate) mod review;
pub(crate) mod simulate;
mod status_back;
mod versions;

use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::ReviewState;
use baton_model::count::format_quantity;
use clap::{Args, Subcommand};

use self::archive::RetentionArgs;
use self::confirm_edges::ConfirmEdgesArgs;
use self::diff::DiffArgs;
use self::edit::{AddNodeArgs, RemoveNodeArgs, ReorderArgs, SetArgs, SetNodeArgs};
use self::export::ExportArgs;
use self::files::FilesVerb;
use self::generate::GenerateArgs;
use self::import::ImportArgs;
pub(crate) use self::lint::{LintArgs, lint};
use self::listing::{HistoryArgs, ListArgs};
use self::review::RejectArgs;
use self::status_back::StatusBackArgs;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::{approval, id_lookup, plan_output, risks_and_context, since_approval};

#[derive(Debug, Subcommand)]
pub(crate) enum PlanVerb {
    List(ListArgs),
    History(HistoryArgs),
    /// Show a plan's nodes in execution order, with their state in the last run
    Show {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
        /// Also run the pre-flight checks
        #[arg(long)]
        checks: bool,
    },
    New(NewArgs),
    Generate(GenerateArgs),
    Import(ImportArgs),
    Export(ExportArgs),
    StatusBack(StatusBackArgs),
    Lint(LintArgs),
    Set(SetArgs),
    AddNode(AddNodeArgs),
    SetNode(SetNodeArgs),
    RemoveNode(RemoveNodeArgs),
    Reorder(ReorderArgs),
    /// Submit a draft for a person's review
    Submit {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
    },
    /// Take a plan back from review
    Withdraw {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
    },
    Reject(RejectArgs),
    ConfirmEdges(ConfirmEdgesArgs),
    /// Approve a plan to run
    ///
    /// The approval covers the plan's content, its criteria, and the files that its criteria run,
    /// as they are now. If the plan can't run, it isn't approved, and the command lists what to
    /// fix.
    Approve {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
        /// Approve the plan even if it can't run yet
        #[arg(long)]
        anyway: bool,
    },
    /// Show what has changed in a plan's project since the plan was approved
    ///
    /// Compares commits, files and the versions of agents with those at the latest approval.
    Changes {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
    },
    /// Show what a run of a plan would do, without running anything
    ///
    /// Shows the order of the nodes, their agents and tools, what a person would be asked, and the
    /// expected time and cost by earlier runs. The plan can be a draft.
    Simulate {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
    },
    /// Let agents start the approved version of a plan without asking
    LetAgentsStart {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
        /// Require agents to ask again
        #[arg(long)]
        off: bool,
    },
    /// List the versions of a plan, newest first, with what each changed
    Versions {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
    },
    Diff(DiffArgs),
    /// Name a version of a plan, to find it again
    NameVersion {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
        /// The version
        version: u32,
        /// The name; without it, the version's name is removed
        name: Option<String>,
    },
    /// Make the content of an earlier version the newest version
    ///
    /// The new version is a draft that has to be approved before it can run.
    Restore {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
        /// The version
        version: u32,
    },
    /// Keep the plans of a project as files in it
    #[command(subcommand)]
    Files(FilesVerb),
    /// Archive a plan
    ///
    /// An archived plan keeps its runs. Running or editing it ends the archiving.
    Archive {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
    },
    /// Restore an archived plan
    Unarchive {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
    },
    Retention(RetentionArgs),
    /// Delete a plan with its runs, handoffs and sessions
    ///
    /// It can be restored for 30 days.
    Delete {
        /// The plan: its ID, the start of its ID, or its title
        plan: String,
        /// Delete without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// List deleted plans that can be restored
    Deleted,
    /// Restore a deleted plan with its runs, handoffs and approvals
    Undelete {
        /// The deleted plan: its ID, the start of its ID, or its title
        plan: String,
    },
    /// Permanently delete a deleted plan
    Purge {
        /// The deleted plan: its ID, the start of its ID, or its title
        plan: String,
        /// Delete without asking
        #[arg(long, short)]
        yes: bool,
    },
}

/// Create an empty plan, or one from a template
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The plan's title [default with --template: the template's]
    #[arg(required_unless_present_any = ["template", "templates"])]
    title: Option<String>,
    /// The plan's goal
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        conflicts_with = "template"
    )]
    description: String,
    /// Directory the plan runs in
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Create the plan from this template
    #[arg(long, value_name = "TEMPLATE")]
    template: Option<String>,
    /// List the templates
    #[arg(long, conflicts_with_all = ["title", "template", "cwd"])]
    templates: bool,
}

pub(crate) fn plan(client: &Client<'_>, verb: PlanVerb) -> Result<Exit, Failure> {
    match verb {
        PlanVerb::Generate(args) => return generate::generate(client, args),
        PlanVerb::List(args) => listing::list(client, args),
        PlanVerb::History(args) => listing::history(client, &args),
        PlanVerb::Show { plan, checks } => show(client, &plan, checks),
        PlanVerb::New(args) if args.templates => templates(client),
        PlanVerb::New(args) => new(client, args),
        PlanVerb::Import(args) => import::import(client, &args),
        PlanVerb::Export(args) => export::export(client, &args),
        PlanVerb::StatusBack(args) => status_back::status_back(client, &args),
        PlanVerb::Lint(args) => return lint(client.output, args),
        PlanVerb::Set(args) => edit::set(client, args),
        PlanVerb::AddNode(args) => edit::add_node(client, args),
        PlanVerb::SetNode(args) => edit::set_node(client, args),
        PlanVerb::RemoveNode(args) => edit::remove_node(client, args),
        PlanVerb::Reorder(args) => edit::reorder(client, args),
        PlanVerb::Submit { plan } => review::submit(client, &plan),
        PlanVerb::Withdraw { plan } => review::withdraw(client, &plan),
        PlanVerb::Reject(args) => review::reject(client, args),
        PlanVerb::ConfirmEdges(args) => confirm_edges::confirm_edges(client, args),
        PlanVerb::Approve { plan, anyway } => approve(client, &plan, anyway),
        PlanVerb::Changes { plan } => changes(client, &plan),
        PlanVerb::Simulate { plan } => simulate::plan(client, &plan),
        PlanVerb::LetAgentsStart { plan, off } => set_agents_may_start(client, &plan, !off),
        PlanVerb::Delete { plan, yes } => delete(client, &plan, yes),
        PlanVerb::Deleted => deleted::list(client),
        PlanVerb::Undelete { plan } => deleted::restore(client, &plan),
        PlanVerb::Purge { plan, yes } => deleted::purge(client, &plan, yes),
        PlanVerb::Versions { plan } => versions::list(client, &plan),
        PlanVerb::Diff(args) => diff::plan(client, &args),
        PlanVerb::NameVersion {
            plan,
            version,
            name,
        } => versions::name(client, &plan, version, name),
        PlanVerb::Restore { plan, version } => versions::restore(client, &plan, version),
        PlanVerb::Files(verb) => files::files(client, &verb),
        PlanVerb::Archive { plan } => archive::archive(client, &plan),
        PlanVerb::Unarchive { plan } => archive::unarchive(client, &plan),
        PlanVerb::Retention(args) => archive::retention(client, &args),
    }
    .map(|()| Exit::Done)
}

/// Prints a note for each damaged row of a table.
pub(crate) fn note_damage<'r>(
    client: &Client<'_>,
    damaged: impl Iterator<Item = (&'r str, &'r str)>,
) {
    for (title, damage) in damaged {
        let (title, damage) = (style::one_line(title), style::one_line(damage));
        client.output.note(&format!(
            "'{title}' is damaged: {damage}. Run `baton doctor` for details."
        ));
    }
}

fn review_label(review: ReviewState) -> &'static str {
    match review {
        ReviewState::Draft => "draft",
        ReviewState::Proposed => "proposed",
        ReviewState::Approved => "approved",
        ReviewState::Rejected => "rejected",
        ReviewState::NeedsReview => "needs review",
        ReviewState::Cancelled => "canceled",
    }
}

fn show(client: &Client<'_>, given: &str, checks: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("load the plan", "plan_get", &PlanRef { plan })?;
    let output = client.output;
    if output.json {
        return output.json(&view);
    }
    output.line(&output.paint(&style::one_line(&view.plan.title), Tone::Strong))?;
    output.line(&format!(
        "{plan}, {}, version {}",
        review_label(view.review),
        view.version
    ))?;
    if let Some(summary) = approval::approval_summary(&view) {
        output.line(&summary)?;
    }
    if view.agents_may_start {
        output.line("agents may start the approved version without asking")?;
    }
    output.line(&format!(
        "in {}",
        view.plan
            .cwd
            .as_deref()
            .map_or_else(|| "no directory".to_owned(), style::one_line)
    ))?;
    if !view.plan.description.trim().is_empty() {
        output.line(style::lines(&view.plan.description).trim_end())?;
    }
    output.line("")?;
    let last = view.last_run.as_ref().map(|run| RunRef { run: run.id });
    let run: Option<RunView> = last
        .map(|last| client.ask("load the last run", "run_get", &last))
        .transpose()?;
    plan_output::print(output, &view.plan, run.as_ref())?;
    risks_and_context::print(output, &view.plan)?;
    if checks {
        output.line("")?;
        let found: Preflight = client.ask("check the plan", "plan_preflight", &PlanRef { plan })?;
        approval::print_checks(client, &found)?;
    }
    Ok(())
}

fn templates(client: &Client<'_>) -> Result<(), Failure> {
    let templates: Vec<TemplateRow> =
        client.ask("list the templates", "templates_list", &Nothing {})?;
    if client.output.json {
        return client.output.json(&templates);
    }
    let row = |template: &TemplateRow| {
        let needs = if template.runs_anywhere {
            "nothing"
        } else {
            "an agent"
        };
        [
            Cell::from(&template.id).tone(Tone::Strong),
            Cell::from(&template.title),
            needs.into(),
            Cell::from(&template.description),
        ]
    };
    let rows: Vec<_> = templates.iter().map(row).collect();
    table::print(
        client.output,
        ["template", "title", "needs", "description"],
        &rows,
    )
}

fn new(client: &Client<'_>, args: NewArgs) -> Result<(), Failure> {
    let cwd = args.cwd.as_deref().map(directory).transpose()?;
    let view: PlanView = match args.template {
        Some(template) => {
            let input = PlanFromTemplate {
                template,
                title: args.title,
                cwd,
            };
            client.ask(
                "create a plan from the template",
                "plan_from_template",
                &input,
            )?
        }
        None => {
            let title = args.title.unwrap_or_default();
            client.ask(
                "create the plan",
                "plan_create",
                &PlanCreate {
                    title,
                    description: args.description,
                    cwd,
                },
            )?
        }
    };
    print_created(client, &view)
}

fn directory(path: &Path) -> Result<String, Failure> {
    let failed = |reason: String| Failure::Read {
        path: path.to_owned(),
        reason,
    };
    let absolute = std::path::absolute(path).map_err(|error| failed(error.to_string()))?;
    absolute
        .to_str()
        .map(str::to_owned)
        .ok_or_else(|| failed("the path is not valid UTF-8".to_owned()))
}

/// Prints a plan that was created. Only its ID goes to standard output, for scripts.
pub(crate) fn print_created(client: &Client<'_>, view: &PlanView) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(view);
    }
    let nodes = format_quantity(view.plan.nodes.len(), "node", "nodes");
    client.output.note(&format!(
        "Created '{}', {nodes}:",
        style::one_line(&view.plan.title)
    ));
    client.output.line(&view.plan.id.to_string())
}

fn approve(client: &Client<'_>, given: &str, anyway: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("load the plan", "plan_get", &PlanRef { plan })?;
    approval::check_and_warn(client, plan)?;
    let view = approval::approve(client, &view, anyway)?;
    if client.output.json {
        return client.output.json(&view);
    }
    client.output.note(&format!(
        "Approved '{}'. Run it with: baton run {plan}",
        style::one_line(&view.plan.title)
    ));
    Ok(())
}

fn changes(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let found = since_approval::load(client, plan)?;
    match client.output.json {
        true => client.output.json(&found),
        false => since_approval::print(client, &found),
    }
}

fn set_agents_may_start(client: &Client<'_>, given: &str, allowed: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let input = PlanAgentsMayStart { plan, allowed };
    let view: PlanView = client.ask(
        "change who may start the plan",
        "plan_agents_may_start",
        &input,
    )?;
    if client.output.json {
        return client.output.json(&view);
    }
    let rule = if allowed {
        "may start the approved version without asking"
    } else {
        "must ask before they start it"
    };
    client.output.note(&format!(
        "'{}': agents {rule}",
        style::one_line(&view.plan.title)
    ));
    Ok(())
}

fn delete(client: &Client<'_>, given: &str, yes: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    // Unlike `plan_get`, the list also has damaged plans.
    let plans: Vec<PlanSummary> = client.ask("list the plans", "plans_list", &Nothing {})?;
    let listed = plans.into_iter().find(|listed| listed.id == plan);
    let title = listed.map_or_else(|| plan.to_string(), |listed| style::one_line(&listed.title));
    if !yes {
        if !client.output.can_ask() {
            return Err(Failure::Usage(format!(
                "can't prompt here; rerun with --yes to delete '{title}'"
            )));
        }
        if !client.output.ask(&format!(
            "Delete '{title}' with its runs, handoffs and sessions?"
        ))? {
            return Err(Failure::Declined(format!("'{title}' was not deleted")));
        }
    }
    let done: Done = client.ask("delete the plan", "plan_delete", &PlanRef { plan })?;
    if client.output.json {
        return client.output.json(&done);
    }
    client.output.note(&format!(
        "Deleted '{title}'. To restore it within 30 days: baton plan undelete {plan}"
    ));
    Ok(())
}
