//! Operations on sessions and their timelines.

#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use baton_agents::TimelineEntry;
use baton_agents::timeline::TimelineKind;
use baton_agents::tool_name::command_of;
use baton_keeper::{Launch, STDERR, STDOUT, liveness};
use baton_model::arbiter::Choice;
use baton_model::command_prefix::choices_for;
use baton_model::{Attempt, NodeId, PlanId, RunId};
use baton_planning::contents::readable;
use baton_planning::timelines::{self, Range};
use baton_store::SessionRow;

use crate::wire::*;
use crate::{ApiError, App, Code, damage, transcripts};

/// Lists sessions, the latest first.
pub(crate) fn list(app: &App, input: SessionsFilter) -> Result<Vec<SessionView>, ApiError> {
    let rows = app.store.sessions().list(input.run, input.limit)?.rows;
    let mut runs: HashMap<RunId, OfRun> = HashMap::new();
    let view = |row: SessionRow| {
        let run = match runs.entry(row.run) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(OfRun::read(app, row.run, None)?),
        };
        Ok(view(app, run, row))
    };
    rows.into_iter().map(view).collect()
}

/// Shows a session.
pub(crate) fn get(app: &App, input: SessionRef) -> Result<SessionView, ApiError> {
    let row = app.store.sessions().get(input.session)?;
    Ok(view(app, &OfRun::read(app, row.run, Some(row.node))?, row))
}

/// What is told of all sessions of a run.
struct OfRun {
    plan: PlanId,
    title: String,
    choices: HashMap<(NodeId, Attempt), Choice>,
}

impl OfRun {
    /// With the choices for one node, or for all.
    fn read(app: &App, run: RunId, node: Option<NodeId>) -> Result<Self, ApiError> {
        let events = app.store.run_events();
        let choices = match node {
            Some(node) => {
                let choices = readable(events.choices(run, node))?.unwrap_or_default();
                choices
                    .into_iter()
                    .map(|(attempt, choice)| ((node, attempt), choice))
                    .collect()
            }
            None => readable(events.choices_of_run(run))?.unwrap_or_default(),
        };
        let (plan, title) = damage::plan_of_run(app, run)?;
        Ok(Self {
            plan,
            title,
            choices,
        })
    }
}

fn view(app: &App, run: &OfRun, row: SessionRow) -> SessionView {
    let folder = app.store.data_dir().join(&row.folder);
    let launch = Launch::read(&folder).ok();
    let length = |name: &str| {
        folder
            .join(name)
            .symlink_metadata()
            .map_or(0, |meta| meta.len())
    };
    SessionView {
        plan: run.plan,
        plan_title: run.title.clone(),
        argv: launch
            .as_ref()
            .map(|launch| launch.argv.clone())
            .unwrap_or_default(),
        cwd: launch
            .map(|launch| launch.cwd.display().to_string())
            .unwrap_or_default(),
        live: row.ended_at.is_none() && liveness(&folder).is_ok_and(|liveness| liveness.may_run()),
        stdout_bytes: length(STDOUT),
        stderr_bytes: length(STDERR),
        usage: row
            .usage
            .and_then(|usage| serde_json::from_value(usage).ok())
            .unwrap_or_default(),
        folder: folder.display().to_string(),
        transcript: transcripts::id_of(row.agent.as_deref(), row.native_id.as_deref()),
        reason: run
            .choices
            .get(&(row.node, row.attempt))
            .map(ToString::to_string),
        id: row.id,
        run: row.run,
        node: row.node,
        title: row.title,
        attempt: row.attempt,
        agent: row.agent,
        native_id: row.native_id,
        started_at: row.started_at,
        ended_at: row.ended_at,
    }
}

/// Shows a part of a session's timeline.
pub(crate) fn timeline(app: &App, input: TimelineRange) -> Result<TimelinePage, ApiError> {
    let range = Range {
        from: input.from,
        limit: input.limit,
        since: input.since,
    };
    Ok(timelines::page(app.context(), input.session, range)?)
}

/// Shows one entry of a timeline whole, up to 4 MiB of it.
pub(crate) fn entry(app: &App, input: TimelineEntryRef) -> Result<TimelineEntry, ApiError> {
    Ok(timelines::entry(app.context(), input.session, input.seq)?)
}

/// Finds a text in a session's timeline, in any case.
pub(crate) fn search(app: &App, input: TimelineSearch) -> Result<TimelineHits, ApiError> {
    Ok(timelines::search(
        app.context(),
        input.session,
        &input.text,
        input.limit,
    )?)
}

/// Shows the whole call that a question of a session is about, whatever its length.
pub(crate) fn question(app: &App, input: SessionQuestion) -> Result<QuestionView, ApiError> {
    let asked = timelines::question(app.context(), input.session, &input.request)?;
    let TimelineKind::Permission {
        tool,
        summary,
        input,
        ..
    } = asked.kind
    else {
        let message = "the entry is no question";
        return Err(ApiError::new(Code::Internal, message));
    };
    let begins = command_of(&tool, &input).map_or_else(Vec::new, |line| choices_for(&line));
    Ok(QuestionView {
        tool,
        summary,
        input,
        begins,
    })
}
