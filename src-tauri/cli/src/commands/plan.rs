//! `baton plan`.

mod export;

use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::ReviewState;
use baton_model::planning::ProposalState;
use clap::{Args, Subcommand};

use self::export::ExportArgs;
use super::runs;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;
use crate::{approval, id_lookup, plan_file, plan_output, proposal_output};

/// What can be done with plans.
#[derive(Debug, Subcommand)]
pub(crate) enum PlanVerb {
    /// List all plans, the latest change first.
    List,
    /// Show a plan: its nodes in order, what they depend on and do, and how its last run stands.
    Show {
        /// The plan by id, beginning of the id, or title.
        plan: String,
        /// Also show what stands between the plan and its run.
        #[arg(long)]
        checks: bool,
    },
    New(NewArgs),
    Generate(GenerateArgs),
    /// Take in plan files as new plans.
    Import {
        /// The files (YAML, JSON, or a Mermaid flowchart as .mmd).
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The plans shall run in this directory, whatever the files say.
        #[arg(long, value_name = "DIR")]
        cwd: Option<PathBuf>,
    },
    Export(ExportArgs),
    /// Approve a plan, so that it may run: its content, its criteria and the files that these run, as they are now. Refused, with what to fix, when the plan cannot run.
    Approve {
        /// The plan by id, beginning of the id, or title.
        plan: String,
        /// Approve it even if it cannot run yet.
        #[arg(long)]
        anyway: bool,
    },
    /// Let sessions of agents start the approved version without asking. Off until a person says so.
    LetAgentsStart {
        /// The plan by id, beginning of the id, or title.
        plan: String,
        /// They have to ask again.
        #[arg(long)]
        off: bool,
    },
    /// Delete a plan with its runs, handoffs and sessions.
    Delete {
        /// The plan by id, beginning of the id, or title.
        plan: String,
        /// Delete without being asked.
        #[arg(long, short)]
        yes: bool,
    },
}

/// Make an empty plan, or one from a template.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Its title; a template brings its own.
    #[arg(required_unless_present_any = ["template", "templates"])]
    title: Option<String>,
    /// Its goal.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true,
        conflicts_with = "template"
    )]
    description: String,
    /// The directory in which it shall run.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Make it from this template.
    #[arg(long, value_name = "TEMPLATE")]
    template: Option<String>,
    /// List the templates instead.
    #[arg(long, conflicts_with_all = ["title", "template", "cwd"])]
    templates: bool,
}

/// Let an agent draw up a plan for a goal. Nothing is stored before you take it over.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The goal: what shall be true when the plan is done.
    goal: String,
    /// Which agent plans; otherwise the default one.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Which model it uses; otherwise its own choice.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Where the plan shall run, and what the planner looks at; otherwise the present directory.
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    cwd: PathBuf,
    /// What the work must respect; may be given several times.
    #[arg(long = "constraint", value_name = "SENTENCE")]
    constraints: Vec<String>,
    /// Take the plan over without being asked.
    #[arg(long, short)]
    yes: bool,
}

/// Carries out a verb on plans.
pub(crate) fn plan(client: &Client<'_>, verb: PlanVerb) -> Result<Exit, Failure> {
    match verb {
        PlanVerb::Generate(args) => return generate(client, args),
        PlanVerb::List => list(client),
        PlanVerb::Show { plan, checks } => show(client, &plan, checks),
        PlanVerb::New(args) if args.templates => templates(client),
        PlanVerb::New(args) => new(client, args),
        PlanVerb::Import { files, cwd } => import(client, &files, cwd.as_deref()),
        PlanVerb::Export(args) => export::export(client, &args),
        PlanVerb::Approve { plan, anyway } => approve(client, &plan, anyway),
        PlanVerb::LetAgentsStart { plan, off } => set_agents_may_start(client, &plan, !off),
        PlanVerb::Delete { plan, yes } => delete(client, &plan, yes),
    }
    .map(|()| Exit::Done)
}

fn list(client: &Client<'_>) -> Result<(), Failure> {
    let plans: Vec<PlanSummary> = client.ask("list the plans", "plans_list", &Nothing {})?;
    if client.output.json {
        return client.output.json(&plans);
    }
    let ids = id_lookup::short_ids(plans.iter().map(|plan| plan.id.0));
    let rows: Vec<_> = plans
        .iter()
        .zip(ids)
        .map(|(plan, id)| {
            let last = plan.last_run.as_ref();
            [
                Cell::from(id).tone(Tone::Faint),
                Cell::from(&plan.title).tone(Tone::Strong),
                match &plan.damage {
                    Some(_) => Cell::from("damaged").tone(Tone::Bad),
                    None => Cell::from(review_label(plan.review)),
                },
                // Of a plan that cannot be read nothing is guessed.
                if plan.version == 0 {
                    Cell::from("")
                } else {
                    plan.node_count.to_string().into()
                },
                last.map_or_else(|| Cell::from(""), plan_output::run_status),
                last.map(runs::progress).unwrap_or_default().into(),
                date(plan.updated_at).into(),
            ]
        })
        .collect();
    table::print(
        client.output,
        [
            "plan", "title", "review", "nodes", "last run", "", "changed",
        ],
        &rows,
    )?;
    let damaged = plans
        .iter()
        .filter_map(|plan| Some((plan.title.as_str(), plan.damage.as_deref()?)));
    note_damage(client, damaged);
    Ok(())
}

/// Says what of the rows above cannot be read.
pub(crate) fn note_damage<'r>(
    client: &Client<'_>,
    damaged: impl Iterator<Item = (&'r str, &'r str)>,
) {
    for (title, damage) in damaged {
        let (title, damage) = (style::one_line(title), style::one_line(damage));
        client.output.note(&format!(
            "'{title}' is damaged: {damage}. `baton doctor` says what can be done."
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
        ReviewState::Cancelled => "cancelled",
    }
}

fn show(client: &Client<'_>, given: &str, checks: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("show the plan", "plan_get", &PlanRef { plan })?;
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
    if let Some(words) = approval::approval_summary(&view) {
        output.line(&words)?;
    }
    if view.agents_may_start {
        output.line("sessions of agents may start the approved version")?;
    }
    output.line(&format!(
        "in {}",
        view.plan
            .cwd
            .as_deref()
            .map_or_else(|| "no directory yet".to_owned(), style::one_line)
    ))?;
    if !view.plan.description.trim().is_empty() {
        output.line(style::lines(&view.plan.description).trim_end())?;
    }
    output.line("")?;
    let last = view.last_run.as_ref().map(|run| RunRef { run: run.id });
    let run: Option<RunView> = last
        .map(|last| client.ask("show its last run", "run_get", &last))
        .transpose()?;
    plan_output::print(output, &view.plan, run.as_ref())?;
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
    table::print(client.output, ["template", "title", "needs", "does"], &rows)
}

fn new(client: &Client<'_>, args: NewArgs) -> Result<(), Failure> {
    let cwd = args.cwd.as_deref().map(directory).transpose()?;
    let view: PlanView = match args.template {
        Some(template) => {
            let wish = PlanFromTemplate {
                template,
                title: args.title,
                cwd,
            };
            client.ask("make a plan from the template", "plan_from_template", &wish)?
        }
        None => {
            let title = args.title.unwrap_or_default();
            client.ask(
                "make the plan",
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

fn generate(client: &Client<'_>, args: GenerateArgs) -> Result<Exit, Failure> {
    let GenerateArgs {
        goal,
        agent,
        model,
        cwd,
        constraints,
        yes,
    } = args;
    let wish = PlanGenerate {
        goal,
        cwd: directory(&cwd)?,
        agent,
        model,
        constraints,
    };
    let begun: ProposalView = client.ask("draw up a plan", "plan_generate", &wish)?;
    let view = proposal_output::follow(client, begun)?;
    let proposal = view.summary.id;
    if view.summary.state != ProposalState::Ready || !(yes || client.output.can_ask()) {
        let exit = proposal_output::result(client, &view)?;
        if exit == Exit::Done {
            client.output.note(&format!(
                "take it over with: baton proposal accept {proposal}"
            ));
        }
        return Ok(exit);
    }
    if !client.output.json {
        proposal_output::print(client.output, &view)?;
    }
    if !yes && !client.output.ask("Take it over as a plan?")? {
        return Err(Failure::Declined(format!(
            "it still waits as a proposal: baton proposal show {proposal}"
        )));
    }
    super::proposal::accept(
        client,
        ProposalAccept {
            proposal,
            changes: None,
            resume: false,
        },
    )
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
        .ok_or_else(|| failed("its path is not UTF-8 text".to_owned()))
}

/// Prints the plan that there is now: its id alone is the result, so that scripts can go on with it.
pub(crate) fn print_created(client: &Client<'_>, view: &PlanView) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(view);
    }
    client.output.note(&format!(
        "'{}' is there, with {} nodes:",
        style::one_line(&view.plan.title),
        view.plan.nodes.len()
    ));
    client.output.line(&view.plan.id.to_string())
}

fn import(client: &Client<'_>, files: &[PathBuf], cwd: Option<&Path>) -> Result<(), Failure> {
    for file in files {
        let imported = plan_file::import(client, file, cwd)?;
        for warning in &imported.warnings {
            client.output.note(&format!(
                "! {}: {}",
                file.display(),
                style::one_line(warning)
            ));
        }
        print_created(client, &imported.plan)?;
    }
    Ok(())
}

fn approve(client: &Client<'_>, given: &str, anyway: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("show the plan", "plan_get", &PlanRef { plan })?;
    approval::check_and_warn(client, plan)?;
    let view = approval::approve(client, &view, anyway)?;
    if client.output.json {
        return client.output.json(&view);
    }
    client.output.note(&format!(
        "'{}' may run: baton run {plan}",
        style::one_line(&view.plan.title)
    ));
    Ok(())
}

fn set_agents_may_start(client: &Client<'_>, given: &str, allowed: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let wish = PlanAgentsMayStart { plan, allowed };
    let view: PlanView = client.ask("let agents start the plan", "plan_agents_may_start", &wish)?;
    if client.output.json {
        return client.output.json(&view);
    }
    let said = if allowed {
        "may start the approved version"
    } else {
        "have to ask before they start it"
    };
    client.output.note(&format!(
        "'{}': sessions of agents {said}",
        style::one_line(&view.plan.title)
    ));
    Ok(())
}

fn delete(client: &Client<'_>, given: &str, yes: bool) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    // The list names a damaged plan, too.
    let plans: Vec<PlanSummary> = client.ask("list the plans", "plans_list", &Nothing {})?;
    let listed = plans.into_iter().find(|listed| listed.id == plan);
    let title = listed.map_or_else(|| plan.to_string(), |listed| style::one_line(&listed.title));
    if !yes {
        if !client.output.can_ask() {
            return Err(Failure::Usage(format!(
                "nobody can be asked whether to delete '{title}': add --yes"
            )));
        }
        if !client.output.ask(&format!(
            "Delete '{title}' with its runs, handoffs and sessions?"
        ))? {
            return Err(Failure::Declined(format!("'{title}' is still there")));
        }
    }
    let done: Done = client.ask("delete the plan", "plan_delete", &PlanRef { plan })?;
    if client.output.json {
        return client.output.json(&done);
    }
    client.output.note(&format!("'{title}' is deleted"));
    Ok(())
}
