//! Lines of the log, and what is in the file after a crash.

use std::cell::Cell;
use std::fs;

use baton_model::node::AgentTask;
use baton_model::outcome::Failure;
use baton_model::{Attempt, PlanId, Slug, Timestamp};
use baton_store::Actor;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;

fn node(number: u128, title: &str, kind: NodeKind) -> Node {
    let id = NodeId(Uuid::from_u128(number));
    Node::new(id, Slug::from_title(title), title, kind)
}

fn plan() -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::nil()), "A plan");
    let task = AgentTask {
        prompt: "Fetch invoice (odoo-toolbox: read)".to_owned(),
        ..AgentTask::default()
    };
    let mut fetch = node(1, "Fetch invoice", NodeKind::Agent(task));
    fetch.tools_required = vec!["odoo-toolbox".to_owned()];
    let call = ToolCall {
        tool_name: "gmail/send".to_owned(),
        tool_args: serde_json::Map::new(),
    };
    let agent = NodeKind::Agent(AgentTask::default());
    plan.nodes = vec![
        fetch,
        node(2, "Send", NodeKind::ToolCall(call)),
        node(3, "Check", agent),
    ];
    plan
}

fn ended(node: u128, outcome: Outcome) -> Event {
    let artifact = (outcome == Outcome::Succeeded).then(|| ArtifactId(Uuid::from_u128(node)));
    Event::NodeEnded {
        node: NodeId(Uuid::from_u128(node)),
        attempt: Attempt(1),
        outcome,
        artifact,
        retry_at: None,
        taken: None,
    }
}

fn failed() -> Outcome {
    Outcome::Failed {
        failure: Failure::ExitCode { code: 2 },
    }
}

fn stored(events: Vec<Event>) -> Vec<StoredEvent> {
    let number = |(event, seq)| StoredEvent {
        seq,
        at: Timestamp(0),
        actor: Actor::Baton,
        event,
    };
    events.into_iter().zip(1..).map(number).collect()
}

/// Brings the log at `path` up to date with `history`.
fn log(path: &Path, history: &[StoredEvent]) {
    let after = |seq| {
        let later = history.iter().filter(|stored| stored.seq > seq);
        Ok(later.cloned().collect())
    };
    let summary = |_| Some("Invoice found".to_owned());
    append_missing(path, &plan(), after, &summary).expect("the log is written");
}

#[test]
fn stopped_writer_holds_nobody_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let history = stored(vec![ended(1, Outcome::Succeeded), ended(2, failed())]);
    log(&path, &history[..1]);
    let other = fs::File::open(&path).expect("the log");
    other.lock().expect("nobody else writes");
    log(&path, &history);
    assert_eq!(lines(&path).len(), 1, "the other one is writing");
    drop(other);
    log(&path, &history);
    assert_eq!(lines(&path).len(), 2);
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the log");
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    let line = |line| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(line).collect()
}

#[test]
fn each_end_of_a_node_is_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    let mut retried = ended(2, failed());
    if let Event::NodeEnded { retry_at, .. } = &mut retried {
        *retry_at = Some(Timestamp(5));
    }
    let skipped = Event::NodeSkipped {
        node: NodeId(Uuid::from_u128(3)),
    };
    let lost = Outcome::Lost {
        detail: "the computer\nrestarted".to_owned(),
    };
    let history = stored(vec![
        Event::Resumed,
        ended(1, Outcome::Succeeded),
        retried,
        ended(2, failed()),
        skipped,
        ended(3, lost),
        ended(9, Outcome::Succeeded),
    ]);
    log(&path, &history);
    assert_eq!(
        lines(&path),
        [
            json!({"step": 1, "tool": "odoo-toolbox", "op": "read", "status": "success", "result_summary": "Invoice found", "node": "fetch-invoice", "seq": 2}),
            json!({"step": 2, "tool": "gmail", "op": "send", "status": "failed", "error": "ended with exit code 2", "node": "send", "seq": 4}),
            json!({"step": 3, "tool": "agent", "status": "skipped", "node": "check", "seq": 5}),
            json!({"step": 3, "tool": "agent", "status": "interrupted", "error": "the computer restarted", "node": "check", "seq": 6}),
        ]
    );
}

/// Wherever a crash cuts the file, the next line completes it.
#[test]
fn no_line_is_lost_or_doubled_after_a_crash() {
    let history = stored(vec![
        ended(1, Outcome::Succeeded),
        Event::Resumed,
        ended(2, failed()),
        ended(3, Outcome::Cancelled),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    log(&path, &history);
    let whole = fs::read(&path).expect("the log");
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).expect("a crash");
        log(&path, &history);
        assert_eq!(fs::read(&path).expect("the log"), whole, "cut at {length}");
    }
}

#[test]
fn only_events_after_the_last_line_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.jsonl");
    // More than is read of a file.
    let line = format!("{{\"seq\": 7, \"padding\": \"{}\"}}\n", "x".repeat(1000));
    fs::write(&path, line.repeat(200)).expect("a long log");
    let asked = Cell::new(None);
    let after = |seq| {
        asked.set(Some(seq));
        Ok(Vec::new())
    };
    append_missing(&path, &plan(), after, &|_| None).expect("the log is read");
    assert_eq!(asked.get(), Some(7));
    assert_eq!(lines(&path).len(), 200, "nothing was removed");
}
