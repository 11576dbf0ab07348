//! `baton plan list` and `history`.

use baton_api::wire::*;
use baton_model::PlanStatus;
use clap::{Args, ValueEnum};

use super::{note_damage, review_label};
use crate::client::Client;
use crate::commands::runs;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;
use crate::{id_lookup, plan_output};

/// List plans, most recently changed first
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only plans with this status; can be given several times
    #[arg(long = "status", value_name = "STATUS")]
    statuses: Vec<StatusArg>,
    /// Only plans with these words in the title, description or tags
    #[arg(
        long,
        value_name = "WORDS",
        default_value = "",
        hide_default_value = true
    )]
    search: String,
    /// The order
    #[arg(long, value_enum, default_value_t = SortArg::Updated)]
    sort: SortArg,
    /// Show at most this many plans
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum StatusArg {
    Pending,
    Running,
    Paused,
    Completed,
    Failed,
    Canceled,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SortArg {
    Updated,
    Created,
    Priority,
    Title,
}

/// Show what happened to a plan and in all of its runs, latest first
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// Show at most this many entries
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
}

impl From<StatusArg> for PlanStatus {
    fn from(status: StatusArg) -> Self {
        match status {
            StatusArg::Pending => Self::Pending,
            StatusArg::Running => Self::Running,
            StatusArg::Paused => Self::Paused,
            StatusArg::Completed => Self::Completed,
            StatusArg::Failed => Self::Failed,
            StatusArg::Canceled => Self::Cancelled,
        }
    }
}

impl From<SortArg> for PlansSort {
    fn from(sort: SortArg) -> Self {
        match sort {
            SortArg::Updated => Self::Updated,
            SortArg::Created => Self::Created,
            SortArg::Priority => Self::Priority,
            SortArg::Title => Self::Title,
        }
    }
}

/// Plans on a page that the list is read in.
const PAGE: u32 = 1000;

/// Lists the plans that the filter selects.
pub(super) fn list(client: &Client<'_>, args: ListArgs) -> Result<(), Failure> {
    let plans = load(client, args)?;
    if client.output.json {
        return client.output.json(&plans);
    }
    let ids = id_lookup::short_ids(plans.iter().map(|plan| plan.id.0));
    let rows: Vec<_> = plans.iter().zip(ids).map(row).collect();
    let head = [
        "plan", "title", "review", "nodes", "last run", "", "changed",
    ];
    table::print(client.output, head, &rows)?;
    let damaged = plans
        .iter()
        .filter_map(|plan| Some((plan.title.as_str(), plan.damage.as_deref()?)));
    note_damage(client, damaged);
    Ok(())
}

fn load(client: &Client<'_>, args: ListArgs) -> Result<Vec<PlanSummary>, Failure> {
    let limit = args.limit.unwrap_or(u32::MAX) as usize;
    let mut query = PlansPageQuery {
        statuses: args.statuses.into_iter().map(PlanStatus::from).collect(),
        user: None,
        goal: None,
        trigger: None,
        cwd: None,
        search: args.search,
        sort: args.sort.into(),
        limit: args.limit.unwrap_or(PAGE).min(PAGE),
        offset: 0,
        cursor: None,
    };
    let mut plans = Vec::new();
    loop {
        let page: PlansPage = client.ask("list the plans", "plans_page", &query)?;
        plans.extend(page.plans);
        query.cursor = page.next;
        if query.cursor.is_none() || plans.len() >= limit {
            plans.truncate(limit);
            return Ok(plans);
        }
    }
}

fn row((plan, id): (&PlanSummary, String)) -> [Cell; 7] {
    let last = plan.last_run.as_ref();
    [
        Cell::from(id).tone(Tone::Faint),
        Cell::from(&plan.title).tone(Tone::Strong),
        match &plan.damage {
            Some(_) => Cell::from("damaged").tone(Tone::Bad),
            None => Cell::from(review_label(plan.review)),
        },
        // A damaged plan has version 0 and an unknown number of nodes.
        if plan.version == 0 {
            Cell::from("")
        } else {
            plan.node_count.to_string().into()
        },
        last.map_or_else(|| Cell::from(""), plan_output::run_status),
        last.map(runs::progress).unwrap_or_default().into(),
        date(plan.updated_at).into(),
    ]
}

/// Shows the history of a plan.
pub(super) fn history(client: &Client<'_>, args: &HistoryArgs) -> Result<(), Failure> {
    let query = PlanHistoryQuery {
        plan: id_lookup::find_plan(client, &args.plan)?,
        before: None,
        limit: args.limit,
    };
    let page: PlanHistoryPage = client.ask("load the history", "plan_history", &query)?;
    if client.output.json {
        return client.output.json(&page.rows);
    }
    let row = |row: &PlanHistoryRow| {
        [
            date(row.at).into(),
            Cell::from(&row.actor).tone(Tone::Faint),
            Cell::from(&row.sentence),
        ]
    };
    let rows: Vec<_> = page.rows.iter().map(row).collect();
    table::print(client.output, ["when", "by", "what"], &rows)
}
