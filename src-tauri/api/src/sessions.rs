//! Operations on sessions and their timelines.

#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use baton_agents::TimelineEntry;
use baton_agents::timeline::TimelineKind;
use baton_agents::tool_name::shell_command;
use baton_keeper::{Launch, STDERR, STDOUT, liveness};
use baton_model::arbiter::AgentChoice;
use baton_model::command_prefix::prefix_choices;
use baton_model::{Attempt, NodeId, PlanId, RunId};
use baton_planning::plan_versions::skip_unreadable;
use baton_planning::timelines::{self, EntryRange};
use baton_store::SessionRow;

use crate::wire::*;
use crate::{ApiError, App, Code, damage, transcripts};

/// Lists sessions, latest first.
pub(crate) fn list(app: &App, input: SessionsFilter) -> Result<Vec<SessionView>, ApiError> {
    let rows = app.store.sessions().list(input.run, input.limit)?.rows;
    let mut runs: HashMap<RunId, RunContext> = HashMap::new();
    let view = |row: SessionRow| {
        let run = match runs.entry(row.run) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(RunContext::read(app, row.run, None)?),
        };
        Ok(view(app, run, row))
    };
    rows.into_iter().map(view).collect()
}

pub(crate) fn get(app: &App, input: SessionRef) -> Result<SessionView, ApiError> {
    let row = app.store.sessions().get(input.session)?;
    Ok(view(
        app,
        &RunContext::read(app, row.run, Some(row.node))?,
        row,
    ))
}

/// Data shared by all sessions of a run.
struct RunContext {
    plan: PlanId,
    title: String,
    choices: HashMap<(NodeId, Attempt), AgentChoice>,
}

impl RunContext {
    /// Reads the agent choices of one node, or of all.
    fn read(app: &App, run: RunId, node: Option<NodeId>) -> Result<Self, ApiError> {
        let events = app.store.run_events();
        let choices = match node {
            Some(node) => {
                let choices = skip_unreadable(events.agent_choices(run, node))?.unwrap_or_default();
                choices
                    .into_iter()
                    .map(|(attempt, choice)| ((node, attempt), choice))
                    .collect()
            }
            None => skip_unreadable(events.agent_choices_for_run(run))?.unwrap_or_default(),
        };
        let (plan, title) = damage::plan_title_of_run(app, run)?;
        Ok(Self {
            plan,
            title,
            choices,
        })
    }
}

fn view(app: &App, run: &RunContext, row: SessionRow) -> SessionView {
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
        transcript: transcripts::transcript_id(row.agent.as_deref(), row.native_id.as_deref()),
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
        times: row.times,
    }
}

/// Returns part of a session's timeline.
pub(crate) fn timeline(app: &App, input: TimelineRange) -> Result<TimelinePage, ApiError> {
    let range = EntryRange {
        from: input.from,
        limit: input.limit,
        since: input.since,
        of_end: input.of_end,
    };
    Ok(timelines::page(app.context(), input.session, range)?)
}

/// Returns one complete timeline entry, up to 4 MiB.
pub(crate) fn entry(app: &App, input: TimelineEntryRef) -> Result<TimelineEntry, ApiError> {
    Ok(timelines::entry(
        app.context(),
        input.session,
        input.seq,
        input.of_end,
    )?)
}

/// Finds a text in a session's timeline, ignoring case.
pub(crate) fn search(app: &App, input: TimelineSearch) -> Result<TimelineHits, ApiError> {
    Ok(timelines::search(
        app.context(),
        input.session,
        &input.text,
        input.limit,
    )?)
}

/// Returns the complete call that a session's question is about, regardless of its length.
pub(crate) fn question(app: &App, input: SessionQuestion) -> Result<QuestionView, ApiError> {
    let asked = timelines::question(app.context(), input.session, &input.request)?;
    let TimelineKind::Permission {
        tool,
        summary,
        input,
        ..
    } = asked.kind
    else {
        let message = "the entry isn't a question";
        return Err(ApiError::new(Code::Internal, message));
    };
    let begins = shell_command(&tool, &input).map_or_else(Vec::new, |line| prefix_choices(&line));
    Ok(QuestionView {
        tool,
        summary,
        input,
        begins,
    })
}
