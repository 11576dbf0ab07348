//! `baton executors`: lists executors, their silences, and takeovers.

use baton_api::wire::*;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::Tone;
use crate::table::{self, Cell};
use crate::time_format::date;

pub(crate) fn executors(client: &Client<'_>) -> Result<Exit, Failure> {
    let view: ExecutorsView = client.ask("list the executors", "executors_list", &Nothing {})?;
    if client.output.json {
        client.output.json(&view)?;
        return Ok(Exit::Done);
    }
    let others: Vec<_> = view
        .executors
        .iter()
        .filter(|executor| !executor.here)
        .collect();
    if others.is_empty() {
        client.output.note("No other executors.");
    } else {
        let rows: Vec<_> = others.into_iter().map(row).collect();
        table::print(
            client.output,
            ["process", "kind", "health", "heartbeat", "since", "runs"],
            &rows,
        )?;
    }
    if !view.silences.is_empty() {
        let rows: Vec<_> = view.silences.iter().map(silence).collect();
        client.output.line("")?;
        table::print(
            client.output,
            ["silent process", "kind", "since", "returned"],
            &rows,
        )?;
    }
    let numbers = &view.numbers;
    if numbers.takeovers > 0 {
        let recovery = numbers
            .mean_recovery_ms
            .map(|ms| format!(", after {} on average", format_elapsed(ms)));
        let takeovers = format_quantity(numbers.takeovers, "takeover", "takeovers");
        client.output.line(&format!(
            "{takeovers}{}: {} took over from an executor that later came back, {} lost no sessions",
            recovery.unwrap_or_default(),
            numbers.displacements,
            numbers.inherited_whole
        ))?;
    }
    Ok(Exit::Done)
}

fn row(executor: &ExecutorView) -> [Cell; 6] {
    let titles: Vec<&str> = executor.runs.iter().map(|run| run.title.as_str()).collect();
    [
        executor.pid.to_string().into(),
        kind_word(executor.kind).into(),
        health(executor.health),
        format!("{} ago", format_elapsed(executor.silence_ms)).into(),
        Cell::from(date(executor.started_at)).tone(Tone::Faint),
        Cell::from(titles.join(", ")).tone(Tone::Strong),
    ]
}

/// Returns the row for an executor that was or is silent.
fn silence(silence: &SilenceView) -> [Cell; 4] {
    let back = match silence.back_at {
        Some(at) => format!(
            "{}, after {}",
            date(at),
            format_elapsed(at.ms_since(silence.since))
        ),
        None => "not yet".to_owned(),
    };
    [
        silence.pid.to_string().into(),
        kind_word(silence.kind).into(),
        date(silence.since).into(),
        back.into(),
    ]
}

pub(crate) fn kind_word(kind: ExecutorKind) -> &'static str {
    match kind {
        ExecutorKind::App => "window or server",
        ExecutorKind::Cli => "shell",
        ExecutorKind::Worker => "worker",
    }
}

fn health(health: ExecutorHealth) -> Cell {
    match health {
        ExecutorHealth::Healthy => Cell::from("healthy").tone(Tone::Good),
        ExecutorHealth::Unhealthy => Cell::from("silent").tone(Tone::Attention),
        ExecutorHealth::Stale => Cell::from("stale").tone(Tone::Bad),
        ExecutorHealth::Gone => Cell::from("gone").tone(Tone::Bad),
    }
}
