//! `baton runs list`: runs by filter, search and sort order.

use baton_api::wire::*;
use baton_model::RunState;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use clap::{Args, ValueEnum};

use super::{plan, table};
use crate::client::Client;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self as columns, Cell};
use crate::time_format::date;
use crate::{id_lookup, plan_output};

/// The most runs on a page.
const PAGE: u32 = 200;

/// List runs, newest first
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// List only runs of this plan
    #[arg(long, value_name = "PLAN")]
    plan: Option<String>,
    /// List only runs in this state; can be given several times
    #[arg(long = "state", value_name = "STATE", value_delimiter = ',')]
    states: Vec<State>,
    /// List only runs that this started
    #[arg(long, value_name = "WHO")]
    started_by: Option<StartedBy>,
    /// List only runs with these words in the plan's title, with this number or start of an ID
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    search: String,
    /// The order of the runs
    #[arg(long, value_name = "ORDER", default_value = "newest")]
    sort: Sort,
    /// Maximum number of runs to list
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum State {
    Running,
    Paused,
    Replanning,
    Stalled,
    Completed,
    Failed,
    #[value(alias = "cancelled")]
    Canceled,
}

impl From<State> for RunStateFilter {
    fn from(state: State) -> Self {
        match state {
            State::Running => Self::Running,
            State::Paused => Self::Paused,
            State::Replanning => Self::Replanning,
            State::Stalled => Self::Stalled,
            State::Completed => Self::Completed,
            State::Failed => Self::Failed,
            State::Canceled => Self::Cancelled,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StartedBy {
    /// A person
    Person,
    /// A session or an agent
    Session,
    /// A program with an access token
    Program,
    /// A node of another run
    Run,
}

impl From<StartedBy> for StartedByFilter {
    fn from(by: StartedBy) -> Self {
        match by {
            StartedBy::Person => Self::Person,
            StartedBy::Session => Self::Session,
            StartedBy::Program => Self::Program,
            StartedBy::Run => Self::Run,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Latest start first
    Newest,
    /// Earliest start first
    Oldest,
    /// Longest time from start to end, or to now, first
    Longest,
    /// Highest known cost first
    Costliest,
}

impl From<Sort> for RunsSort {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Newest => Self::Newest,
            Sort::Oldest => Self::Oldest,
            Sort::Longest => Self::Longest,
            Sort::Costliest => Self::Costliest,
        }
    }
}

impl ListArgs {
    fn is_plain(&self) -> bool {
        self.states.is_empty()
            && self.started_by.is_none()
            && self.search.trim().is_empty()
            && self.sort == Sort::Newest
    }
}

pub(super) fn list(client: &Client<'_>, args: &ListArgs) -> Result<(), Failure> {
    let plan = args
        .plan
        .as_deref()
        .map(|given| id_lookup::find_plan(client, given))
        .transpose()?;
    // The newest runs are shown with their executors, which no page has.
    if args.is_plain() && !client.output.json {
        let filter = RunsFilter {
            plan,
            limit: args.limit,
        };
        let runs: Vec<RunSummary> = client.ask("list the runs", "runs_list", &filter)?;
        if runs.is_empty() {
            client.output.note("No runs yet.");
            return Ok(());
        }
        return table(client, &runs.iter().collect::<Vec<_>>());
    }
    let (rows, total) = load(client, args, plan)?;
    if client.output.json {
        return client.output.json(&rows);
    }
    if rows.is_empty() {
        client.output.note("No runs match.");
        return Ok(());
    }
    print(client, &rows)?;
    if rows.len() < total as usize {
        let total = format_quantity(total as usize, "run matches", "runs match");
        client.output.note(&format!(
            "{total}; the first {} are listed. Use --limit to list more.",
            rows.len()
        ));
    }
    Ok(())
}

/// Loads up to `limit` runs, page by page, and the number of all that match.
fn load(
    client: &Client<'_>,
    args: &ListArgs,
    plan: Option<baton_model::PlanId>,
) -> Result<(Vec<RunsPageRow>, u32), Failure> {
    let mut rows = Vec::new();
    let mut after = None;
    loop {
        let left = u32::try_from(rows.len()).map_or(0, |count| args.limit.saturating_sub(count));
        let query = RunsPageQuery {
            plan,
            states: args.states.iter().copied().map(Into::into).collect(),
            started_by: args.started_by.map(Into::into),
            search: args.search.clone(),
            since: None,
            until: None,
            sort: args.sort.into(),
            after,
            limit: left.clamp(1, PAGE),
        };
        let page: RunsPage = client.ask("list the runs", "runs_page", &query)?;
        rows.extend(page.rows);
        after = page.next;
        if after.is_none() || rows.len() >= args.limit as usize {
            rows.truncate(args.limit as usize);
            return Ok((rows, page.total));
        }
    }
}

fn print(client: &Client<'_>, runs: &[RunsPageRow]) -> Result<(), Failure> {
    let ids = id_lookup::short_ids(runs.iter().map(|run| run.id.0));
    let row = |(run, id): (&RunsPageRow, String)| {
        let settled = run.nodes.done + run.nodes.skipped;
        [
            Cell::from(format!("#{}", run.number)),
            Cell::from(&run.title).tone(Tone::Strong),
            status(run),
            format!("{settled}/{}", run.nodes.total).into(),
            date(run.started_at).into(),
            format_elapsed(run.elapsed_ms).into(),
            run.cost_usd
                .map(|usd| format!("${usd:.2}"))
                .unwrap_or_default()
                .into(),
            Cell::from(id).tone(Tone::Faint),
        ]
    };
    let rows: Vec<_> = runs.iter().zip(ids).map(row).collect();
    columns::print(
        client.output,
        [
            "#", "plan", "state", "nodes", "started", "took", "cost", "run",
        ],
        &rows,
    )?;
    let damaged = runs
        .iter()
        .filter_map(|run| Some((run.title.as_str(), run.damage.as_deref()?)));
    plan::note_damage(client, damaged);
    Ok(())
}

fn status(run: &RunsPageRow) -> Cell {
    if run.damage.is_some() {
        return Cell::from("damaged").tone(Tone::Bad);
    }
    let skipped = Some(run.nodes.skipped_failures).filter(|count| *count > 0);
    let is_partial = run.state == RunState::Completed && run.nodes.total > 0;
    let open = run
        .nodes
        .total
        .saturating_sub(run.nodes.done + run.nodes.skipped + run.nodes.failed);
    let status = match is_partial && open > 0 {
        true => Cell::from(format!(
            "completed, {}",
            format_quantity(open as usize, "node not run", "nodes not run")
        ))
        .tone(Tone::Good),
        false => plan_output::run_state_with_skipped(&run.state, &RunExecutorView::None, skipped),
    };
    plan_output::with_pinned_label(status, run.pinned_nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_can_be_filtered_by_its_name() {
        for state in State::value_variants() {
            let filter = RunStateFilter::from(*state);
            let name = state.to_possible_value().expect("no state is hidden");
            assert!(
                name.matches(filter.as_str(), true),
                "{filter:?} can't be typed as in JSON"
            );
        }
    }
}
