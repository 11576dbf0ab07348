//! `sessions/<run>.jsonl`: a line for each node of a run that has ended, for people and other
//! programs.
//!
//! The log is derived from the stored history, and each line has the number of its event. So what
//! a crash left out is added with the next line, and nothing is added twice. Nothing reads the log
//! to decide anything.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use baton_keeper::session_file;
use baton_model::node::{NodeKind, ToolCall};
use baton_model::run::Event;
use baton_model::{ArtifactId, Node, NodeId, Outcome, Plan, RunId};
use baton_store::{Store, StoreError, StoredEvent};
use serde::{Deserialize, Serialize};

/// The maximum length of a summary or an error, in characters.
const TEXT_LIMIT: usize = 500;
/// More than the longest line has bytes.
const TAIL_LENGTH: u64 = 64 * 1024;
/// How often, and how long apart, the log's lock is tried.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// One line.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct StepLine<'p> {
    /// The position of the node in its plan, from 1.
    step: usize,
    tool: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<&'p str>,
    status: StepStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The slug of the node.
    node: &'p str,
    /// The position of the event in the run's history.
    seq: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum StepStatus {
    Success,
    Failed,
    Skipped,
    Cancelled,
    /// Its progress is unknown, and a person decides.
    Interrupted,
}

/// The part of a line that the next one needs.
#[derive(Deserialize)]
struct Position {
    seq: u64,
}

/// Why a log could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StepLogError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    File(#[from] io::Error),
}

/// The log of a run's steps.
#[must_use]
pub fn step_log(data_directory: &Path, run: RunId) -> PathBuf {
    data_directory.join("sessions").join(format!("{run}.jsonl"))
}

/// Removes the log of a deleted run. A leftover file only takes up space, so failures are logged.
pub fn remove_step_log(data_directory: &Path, run: RunId) {
    match std::fs::remove_file(step_log(data_directory, run)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%run, %error, "couldn't remove the log of a run's steps");
        }
        _ => {}
    }
}

/// Whether the log has a line for `event`.
pub(crate) fn is_logged(event: &Event) -> bool {
    step_end(event).is_some()
}

/// Appends a line for each stored end of a node that has none yet. One process at a time does so:
/// while another one does, this may add nothing, and what is missing comes with the next line.
pub(crate) fn bring_up_to_date(store: &Store, run: RunId, plan: &Plan) -> Result<(), StepLogError> {
    let path = step_log(store.data_dir(), run);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let events_after = |seq| store.run_events().list_after(run, seq, u32::MAX);
    let summary = |artifact: ArtifactId| {
        let row = store.artifacts().get(artifact).ok()?;
        Some(one_line(&row.content.text))
    };
    append_missing(&path, plan, events_after, &summary)
}

/// `events_after` returns the events after a position in the history.
fn append_missing(
    path: &Path,
    plan: &Plan,
    events_after: impl FnOnce(u64) -> Result<Vec<StoredEvent>, StoreError>,
    summary: &dyn Fn(ArtifactId) -> Option<String>,
) -> Result<(), StepLogError> {
    let mut log = session_file::append(path)?;
    if !lock_soon(&log)? {
        return Ok(());
    }
    let events = events_after(drop_torn_line(&log, path)?)?;
    let mut text = Vec::new();
    for line in events
        .iter()
        .filter_map(|stored| StepLine::of(plan, stored, summary))
    {
        serde_json::to_writer(&mut text, &line).map_err(io::Error::from)?;
        text.push(b'\n');
    }
    Ok(log.write_all(&text)?)
}

/// Locks the log, unless another process holds it for longer than a write takes. One that was
/// stopped meanwhile must not hold up the executor that took over its run.
fn lock_soon(log: &File) -> io::Result<bool> {
    for _ in 0..LOCK_TRIES {
        match log.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

/// Removes a line that a crash left half written. Returns the position of the last whole line, or
/// 0.
fn drop_torn_line(log: &File, path: &Path) -> io::Result<u64> {
    let length = log.metadata()?.len();
    let start = length.saturating_sub(TAIL_LENGTH);
    let mut tail = Vec::new();
    let mut reader = session_file::open(path)?;
    reader.seek(SeekFrom::Start(start))?;
    reader.take(length - start).read_to_end(&mut tail)?;
    let whole = tail.iter().rposition(|&byte| byte == b'\n');
    let whole = whole.map_or(0, |end| end + 1);
    if whole < tail.len() {
        log.set_len(start + whole as u64)?;
    }
    let mut lines = tail[..whole].split(|&byte| byte == b'\n').rev();
    let found = lines.find_map(|line| serde_json::from_slice::<Position>(line).ok());
    Ok(found.map_or(0, |position| position.seq))
}

/// How a node ended.
enum StepEnd<'e> {
    Success(Option<ArtifactId>),
    Value(&'e str),
    Failed(String),
    Skipped,
    Cancelled,
    Interrupted(String),
}

/// `None` for an event that ends no node, such as an attempt with a retry.
fn step_end(event: &Event) -> Option<(NodeId, StepEnd<'_>)> {
    Some(match event {
        Event::NodeEnded {
            node,
            outcome,
            artifact,
            retry_at: None,
            ..
        } => (*node, outcome_end(outcome, *artifact)),
        Event::NodeInherited { node, artifact, .. } | Event::NodeMarkedDone { node, artifact } => {
            (*node, StepEnd::Success(*artifact))
        }
        Event::NodePinned { node, artifact, .. } => (*node, StepEnd::Success(Some(*artifact))),
        Event::InputGiven { node, value, .. } => (*node, StepEnd::Value(value)),
        Event::NodeSkipped { node } | Event::NodeLeftOut { node } => (*node, StepEnd::Skipped),
        Event::NodeMarkedFailed { node } => {
            let reason = "a person marked it as failed".to_owned();
            (*node, StepEnd::Failed(reason))
        }
        _ => return None,
    })
}

fn outcome_end(outcome: &Outcome, artifact: Option<ArtifactId>) -> StepEnd<'_> {
    match outcome {
        Outcome::Succeeded => StepEnd::Success(artifact),
        Outcome::Failed { failure } => StepEnd::Failed(failure.to_string()),
        Outcome::Cancelled => StepEnd::Cancelled,
        Outcome::Lost { .. } | Outcome::Tampered { .. } => {
            let reason = outcome.interruption().unwrap_or_default();
            StepEnd::Interrupted(reason.to_owned())
        }
    }
}

impl<'p> StepLine<'p> {
    /// `None` if the event ends no node of `plan`.
    fn of(
        plan: &'p Plan,
        stored: &StoredEvent,
        summary: &dyn Fn(ArtifactId) -> Option<String>,
    ) -> Option<Self> {
        let (id, end) = step_end(&stored.event)?;
        let at = plan.nodes.iter().position(|node| node.id == id)?;
        let node = &plan.nodes[at];
        let (status, result_summary, error) = match end {
            StepEnd::Success(artifact) => (StepStatus::Success, artifact.and_then(summary), None),
            StepEnd::Value(value) => (StepStatus::Success, Some(one_line(value)), None),
            StepEnd::Failed(reason) => (StepStatus::Failed, None, Some(one_line(&reason))),
            StepEnd::Skipped => (StepStatus::Skipped, None, None),
            StepEnd::Cancelled => (StepStatus::Cancelled, None, None),
            StepEnd::Interrupted(reason) => {
                (StepStatus::Interrupted, None, Some(one_line(&reason)))
            }
        };
        let (tool, op) = tool_of(node);
        Some(Self {
            step: at + 1,
            tool,
            op,
            status,
            result_summary,
            error,
            node: node.slug.as_str(),
            seq: stored.seq,
        })
    }
}

/// The tool that a node calls, or the only one that its agent may use, and what it does with it. A
/// node without either has its kind.
fn tool_of(node: &Node) -> (&str, Option<&str>) {
    match (&node.kind, node.tools_required.as_slice()) {
        (NodeKind::ToolCall(call), _) => called_tool(call),
        (NodeKind::Agent(task), [tool]) => (tool, operation(&task.prompt, tool)),
        (kind, _) => (kind.as_str(), None),
    }
}

/// A tool of a server is written `server/tool`.
fn called_tool(call: &ToolCall) -> (&str, Option<&str>) {
    match call.tool_name.split_once('/') {
        Some((server, tool)) => (server, Some(tool)),
        None => (&call.tool_name, None),
    }
}

/// `read` of a prompt that ends in `(tool: read)`, as steps of Markdown plans do.
fn operation<'p>(prompt: &'p str, tool: &str) -> Option<&'p str> {
    let (_, mention) = prompt.strip_suffix(')')?.rsplit_once(" (")?;
    mention.strip_prefix(tool)?.strip_prefix(": ")
}

/// The words of `text` on one line, shortened.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(TEXT_LIMIT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
