//! `baton stats`: prints statistics of runs.

mod rows;

use std::str::FromStr;

use baton_api::wire::*;
use baton_model::Timestamp;
use clap::Args;
use jiff::Zoned;
use jiff::civil::Date;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::id_lookup;
use crate::style::Tone;
use crate::table::{self, Cell};

/// Show statistics of runs: outcomes, durations, failures and usage
///
/// The times of node kinds and agents are worked time, from the start of the program to its exit.
/// The times of runs are elapsed time, including pauses.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Count only runs started since then: a duration such as 12h, 7d or 2w, or a date such as
    /// 2026-11-01
    #[arg(long, value_name = "WHEN")]
    since: Option<Since>,
    /// Count only runs of this plan: its ID, the start of its ID, or its title
    #[arg(long, value_name = "PLAN")]
    plan: Option<String>,
}

/// The start of the time span, parsed from a date or from a duration before now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Since(Timestamp);

/// The text is neither a date nor a duration.
#[derive(Debug, thiserror::Error)]
#[error("expected a duration such as 12h, 7d or 2w, or a date such as 2026-11-01")]
struct InvalidTime;

impl FromStr for Since {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        before(&Zoned::now(), text)
    }
}

fn before(now: &Zoned, text: &str) -> Result<Since, InvalidTime> {
    let time = match text.parse::<Date>() {
        Ok(day) => day.to_zoned(now.time_zone().clone()),
        Err(_) => text
            .parse::<jiff::Span>()
            .and_then(|span| now.checked_sub(span.abs())),
    };
    time.map(|time| Since(Timestamp(time.timestamp().as_millisecond())))
        .map_err(|_| InvalidTime)
}

pub(crate) fn stats(client: &Client<'_>, args: StatsArgs) -> Result<Exit, Failure> {
    let plan = args
        .plan
        .as_deref()
        .map(|given| id_lookup::find_plan(client, given))
        .transpose()?;
    let wanted = StatisticsGet {
        since: args.since.map(|Since(at)| at),
        plan,
    };
    let figures: Statistics = client.ask("load the statistics", "statistics_get", &wanted)?;
    if client.output.json {
        client.output.json(&figures)?;
    } else {
        print(client, &figures)?;
    }
    Ok(Exit::Done)
}

fn print(client: &Client<'_>, figures: &Statistics) -> Result<(), Failure> {
    let output = client.output;
    for (label, text) in rows::summary(figures) {
        output.line(&format!(
            "{}{text}",
            output.paint(&format!("{label:<12}"), Tone::Faint)
        ))?;
    }
    let attempts = ["attempts", "done", "failed", "lost", "mean", "median"];
    let [all, done, failed, lost, mean, median] = attempts;
    section(
        client,
        [" ", all, done, failed, lost, mean, median],
        figures.kinds.iter().map(rows::kind_row),
    )?;
    let head = [
        "agent", all, done, failed, lost, mean, median, "tokens", "cost",
    ];
    section(client, head, figures.agents.iter().map(rows::agent_row))?;
    section(
        client,
        ["failures", "count", "reason", "latest"],
        rows::failure_rows(figures).into_iter(),
    )?;
    section(
        client,
        ["rejections", "count"],
        figures.planning.rejections.iter().map(rows::rejection_row),
    )?;
    section(
        client,
        ["tools asked for", "count"],
        figures.planning.tool_gaps.iter().map(rows::tool_row),
    )?;
    let head = [
        "plan",
        "runs",
        "completed",
        "failed",
        "mean",
        "tokens",
        "cost",
    ];
    section(client, head, figures.by_plan.iter().map(rows::plan_row))?;
    match figures.more_plans {
        0 => {}
        1 => output.note("1 more plan not shown."),
        more => output.note(&format!("{more} more plans not shown.")),
    }
    section(
        client,
        ["day", "runs", "completed", "failed", "tokens", "cost"],
        figures.days.iter().map(rows::day_row),
    )
}

/// Prints a table after an empty line, or nothing if there are no rows.
fn section<const N: usize>(
    client: &Client<'_>,
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Result<(), Failure> {
    let rows: Vec<[Cell; N]> = rows.map(|row| row.map(Cell::from)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    client.output.line("")?;
    table::print(client.output, head, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_is_a_duration_or_a_date() {
        let now: Zoned = "2026-11-21T10:30:00+01:00[Europe/Berlin]"
            .parse()
            .expect("a time");
        let given = |text: &str| {
            let Since(at) = before(&now, text).ok()?;
            let time = jiff::Timestamp::from_millisecond(at.0)
                .expect("a time")
                .to_zoned(now.time_zone().clone());
            Some(time.strftime("%Y-%m-%d %H:%M").to_string())
        };
        assert_eq!(given("7d").as_deref(), Some("2026-11-14 10:30"));
        assert_eq!(given("12h").as_deref(), Some("2026-11-20 22:30"));
        assert_eq!(given("2w").as_deref(), Some("2026-11-07 10:30"));
        assert_eq!(
            given("30d").as_deref(),
            Some("2026-10-22 10:30"),
            "the same time of day across a change of clocks"
        );
        assert_eq!(given("2026-11-01").as_deref(), Some("2026-11-01 00:00"));
        for bad in ["", "7", "yesterday", "2026-13-01"] {
            assert_eq!(given(bad), None, "{bad:?}");
        }
    }
}
