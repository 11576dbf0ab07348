//! The record of a takeover in the run's history: who had the run, why it was taken, and what was
//! found.

use std::fs;
use std::path::Path;

use baton_agents::{LogFormat, Stream, Task, ToolScope};
use baton_model::run::{FormerExecutor, TakeoverReason, TakeoverRecord};
use baton_model::{ExecutorId, NodeId, Run, SessionId, Timestamp};
use baton_store::{ExecutorKind, ExecutorRow};

use crate::agents::AgentRegistry;
use crate::health::Health;
use crate::last_message::LastMessage;
use crate::session_folder::session_folder;
use crate::tail;

/// How many bytes from the end of a session's output are searched for its last line.
const TAIL_BYTES: u64 = 64 * 1024;
/// The maximum number of characters of a last line.
const LINE_LENGTH: usize = 300;

/// Returns why a run is taken over from `former` by a process on the machine `host`, given the
/// `health` and `silence_ms` of `former`.
///
/// Facts about a process id apply only to its own machine.
pub(crate) fn reason(
    former: Option<&ExecutorRow>,
    health: Health,
    silence_ms: u64,
    host: &str,
) -> TakeoverReason {
    match former {
        None => TakeoverReason::Left,
        Some(row) if row.ended_at.is_some() => TakeoverReason::Left,
        Some(row) if row.host != host => TakeoverReason::Foreign { silence_ms },
        Some(_) if health == Health::Gone => TakeoverReason::Left,
        Some(_) => TakeoverReason::Silent { silence_ms },
    }
}

/// The record of a takeover of `run` at `now`.
pub(crate) fn record(
    run: &Run,
    (former, row): (ExecutorId, Option<&ExecutorRow>),
    reason: TakeoverReason,
    now: Timestamp,
    (agents, data_directory): (&AgentRegistry, &Path),
) -> TakeoverRecord {
    let former = FormerExecutor {
        executor: former,
        pid: row.map(|row| row.pid),
        kind: row.map(|row| executor_kind_label(row.kind).to_owned()),
        host: row.map(|row| row.host.clone()),
        last_beat: row.map(|row| row.last_beat),
    };
    let mut record = run.takeover_record(former, reason, now);
    for unfinished in &mut record.unfinished {
        unfinished.last_line = last_line(
            run,
            unfinished.node,
            unfinished.session,
            agents,
            data_directory,
        );
    }
    record
}

fn executor_kind_label(kind: ExecutorKind) -> &'static str {
    match kind {
        ExecutorKind::App => "window or server",
        ExecutorKind::Cli => "shell command",
        ExecutorKind::Worker => "worker",
    }
}

/// The last line that a session printed, or that its agent said: raw protocol lines are not
/// readable.
fn last_line(
    run: &Run,
    node: NodeId,
    session: SessionId,
    agents: &AgentRegistry,
    data_directory: &Path,
) -> Option<String> {
    let folder = session_folder(data_directory, session);
    let definition = run.plan().node(node)?;
    let chosen = run
        .node(node)
        .and_then(|run| run.choice.as_ref())
        .map(|choice| choice.agent.as_str());
    let agent = definition
        .kind
        .agent()
        .and_then(|named| agents.find(chosen.or(named)));
    let message = match agent.filter(|agent| agent.log_format() != LogFormat::PLAIN) {
        Some(agent) => last_message(&folder, agent.driver(&empty_task(session)).as_mut()),
        None if definition.kind.runs_only_tools() => return None,
        None => {
            let bytes = tail::end_of(&folder.join(baton_keeper::STDOUT), TAIL_BYTES).ok()?;
            baton_agents::plain_text::strip_terminal_codes(&bytes)
        }
    };
    let line = message
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())?;
    Some(line.chars().take(LINE_LENGTH).collect())
}

/// The last message of a session's agent, from what its driver parses of the end of its output.
fn last_message(folder: &Path, driver: &mut dyn baton_agents::Driver) -> String {
    let bytes = tail::end_of(&folder.join(baton_keeper::STDOUT), TAIL_BYTES).unwrap_or_default();
    // The first line of the tail may be incomplete.
    let is_whole =
        fs::metadata(folder.join(baton_keeper::STDOUT)).is_ok_and(|meta| meta.len() <= TAIL_BYTES);
    let mut last_message = LastMessage::default();
    for line in bytes
        .split(|byte| *byte == b'\n')
        .skip(usize::from(!is_whole))
        .filter(|line| !line.is_empty())
    {
        last_message.observe(&driver.handle_line(Stream::Stdout, line));
    }
    last_message.text().to_owned()
}

/// A placeholder, only to get a driver that parses the output.
fn empty_task(session: SessionId) -> Task {
    Task {
        session: session.0,
        cwd: String::new(),
        prompt: String::new(),
        resume: None,
        tool_server: None,
        model: None,
        scope: ToolScope::default(),
        handoff_prompt: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn only_local_processes_are_reported_gone() {
        let row = |host: &str, ended: Option<i64>| ExecutorRow {
            id: ExecutorId(Uuid::from_u128(1)),
            kind: ExecutorKind::Worker,
            pid: 7,
            process_start: 0,
            boot_id: String::new(),
            pid_namespace: String::new(),
            host: host.to_owned(),
            started_at: Timestamp(0),
            last_beat: Timestamp(0),
            beat_awake_ms: 0,
            ended_at: ended.map(Timestamp),
        };
        let (silent, foreign) = (
            TakeoverReason::Silent { silence_ms: 9 },
            TakeoverReason::Foreign { silence_ms: 9 },
        );
        for (former, health, expected) in [
            (None, Health::Gone, TakeoverReason::Left),
            (Some(row("here", None)), Health::Gone, TakeoverReason::Left),
            (Some(row("here", None)), Health::Stale, silent),
            (Some(row("there", None)), Health::Stale, foreign),
            (Some(row("there", None)), Health::Gone, foreign),
            (
                Some(row("there", Some(5))),
                Health::Gone,
                TakeoverReason::Left,
            ),
        ] {
            assert_eq!(
                reason(former.as_ref(), health, 9, "here"),
                expected,
                "{former:?} {health:?}"
            );
        }
    }
}
