//! Events, answers and verdicts of recorded `claude` sessions.

mod fixture;

use baton_agents::claude::Claude;
use baton_agents::{Adapter, ProcessEnd, SessionEvent, Stream, ToolScope};
use fixture::{Recording, task};
use serde_json::Value;

/// The recordings and how their processes ended.
const ENDS: &[(&str, ProcessEnd)] = &[
    ("text", ProcessEnd::Exited(0)),
    ("write_bash_bypass", ProcessEnd::Exited(0)),
    ("write_bash_default_denied", ProcessEnd::Exited(0)),
    ("parallel", ProcessEnd::Exited(0)),
    ("thinking", ProcessEnd::Exited(0)),
    ("api_err400", ProcessEnd::Exited(1)),
    ("api_err401", ProcessEnd::Exited(1)),
    ("api_err403", ProcessEnd::Exited(1)),
    ("api_err404", ProcessEnd::Exited(1)),
    ("api_err429", ProcessEnd::Exited(1)),
    ("api_err500", ProcessEnd::Exited(1)),
    ("api_err529", ProcessEnd::Exited(1)),
    ("api_err529_once", ProcessEnd::Exited(0)),
    ("api_err529_default_retries", ProcessEnd::Signaled(9)),
    ("api_limit", ProcessEnd::Exited(1)),
    ("limit_oauth", ProcessEnd::Exited(1)),
    ("api_credit", ProcessEnd::Exited(1)),
    ("api_cut", ProcessEnd::Exited(0)),
    ("api_maxtok", ProcessEnd::Exited(1)),
    ("api_refusal", ProcessEnd::Exited(1)),
    ("badtool", ProcessEnd::Exited(0)),
    ("bash_fail", ProcessEnd::Exited(0)),
    ("bidi_basic", ProcessEnd::Exited(0)),
    ("bidi_perm", ProcessEnd::Exited(0)),
    ("bidi_interrupt", ProcessEnd::Exited(1)),
    ("bidi_queue", ProcessEnd::Exited(0)),
    ("subagent_fg", ProcessEnd::Exited(0)),
    ("subagent_bg", ProcessEnd::Exited(0)),
    ("sig_INT_during_bash", ProcessEnd::Exited(0)),
    ("sig_KILL_during_bash", ProcessEnd::Signaled(9)),
    ("sig_TERM_during_bash", ProcessEnd::Exited(143)),
    ("sig_TERM_during_stream", ProcessEnd::Exited(143)),
    ("no_key", ProcessEnd::Exited(1)),
    ("bad_flag", ProcessEnd::Exited(1)),
    ("bad_session_id", ProcessEnd::Exited(1)),
    ("unicode", ProcessEnd::Exited(0)),
    ("bigout", ProcessEnd::Exited(0)),
    ("partial", ProcessEnd::Exited(0)),
    ("json_schema", ProcessEnd::Exited(0)),
    ("dont_ask", ProcessEnd::Exited(0)),
    ("hook_deny", ProcessEnd::Exited(0)),
    ("permission_prompt_tool", ProcessEnd::Exited(0)),
    ("budget", ProcessEnd::Exited(1)),
    ("resume_unknown", ProcessEnd::Exited(1)),
    ("mcp_broken", ProcessEnd::Exited(0)),
    ("mcp_tool", ProcessEnd::Exited(0)),
    ("todo", ProcessEnd::Exited(0)),
    ("v2.1.197_bidi_perm", ProcessEnd::Exited(0)),
    ("v2.1.197_partial", ProcessEnd::Exited(0)),
    ("v2.1.197_sig_INT_during_bash", ProcessEnd::Exited(1)),
    ("v2.1.197_write_bash_bypass", ProcessEnd::Exited(0)),
    ("v2.1.197_api_err500", ProcessEnd::Exited(1)),
    ("v2.1.197_live_background", ProcessEnd::Exited(0)),
    ("v2.1.197_live_denied", ProcessEnd::Exited(0)),
    ("live_write_bash", ProcessEnd::Exited(0)),
    ("live_tool_scope", ProcessEnd::Exited(0)),
    ("live_background", ProcessEnd::Exited(0)),
    ("live_limit", ProcessEnd::Exited(1)),
    ("live_limit_near", ProcessEnd::Exited(0)),
    ("live_connection_refused", ProcessEnd::Exited(1)),
    ("live_interrupt", ProcessEnd::Exited(1)),
    ("live_denied", ProcessEnd::Exited(0)),
];

#[test]
fn every_recording_has_an_end_listed() {
    let mut listed: Vec<&str> = ENDS.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    assert_eq!(fixture::names(), listed);
}

#[test]
fn recordings_match_snapshots() {
    for (name, end) in ENDS {
        insta::assert_snapshot!(*name, summarize(&Recording::load(name), end));
    }
}

/// A summary of the session: `<` for lines and their events, `>` for answers, then the final
/// state.
fn summarize(recording: &Recording, end: &ProcessEnd) -> String {
    let mut driver = Claude::default().driver(&task());
    let mut actual = Vec::new();
    let mut activity = None;
    for (stream, line) in &recording.lines {
        for event in driver.handle_line(*stream, line) {
            actual.push(format!("< {}", short(&event)));
        }
        for input in driver.take_inputs() {
            actual.push(format!(
                "> {} {}",
                input.key,
                cut(&format!("{:?}", input.message))
            ));
        }
        if driver.activity() != activity {
            activity = driver.activity();
            actual.push(format!("  now {}", activity.as_deref().unwrap_or("-")));
        }
    }
    actual.push(format!("session {:?}", driver.native_session()));
    actual.push(format!("usage {:?}", driver.usage()));
    actual.push(format!("handoff {:?}", driver.handoff()));
    actual.push(format!("verdict {:?}", driver.verdict(end)));
    actual.join("\n")
}

fn short(event: &SessionEvent) -> String {
    let mut value = serde_json::to_value(event).expect("serializable");
    shorten(&mut value);
    value.to_string()
}

fn shorten(value: &mut Value) {
    match value {
        Value::String(text) => *text = cut(text),
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= 160 {
        text.to_owned()
    } else {
        text.chars().take(160).chain(['…']).collect()
    }
}

#[test]
fn every_line_is_handled_or_known_to_be_ignored() {
    // Messages between Baton and the client only, and repeated ones: see `IGNORED` in the crate.
    const INVISIBLE: &[&str] = &[
        "control_response",
        "control_request/hook_callback",
        "stream_event",
        "command_lifecycle",
        "rate_limit_event/allowed",
        "system/status",
        "system/task_progress",
        "system/task_updated",
        "system/thinking_tokens",
        "system/ui_invalidate",
        "system/hook_started",
        "system/hook_response",
        "system/task_started",
    ];
    let (mut silent, mut unknown) = (std::collections::BTreeSet::new(), Vec::new());
    for name in fixture::names() {
        let mut driver = Claude::default().driver(&task());
        for (stream, line) in Recording::load(name).lines {
            let events = driver.handle_line(stream, &line);
            if events.is_empty() {
                silent.insert(kind(&line));
            }
            unknown.extend(
                events
                    .into_iter()
                    .filter(|event| matches!(event, SessionEvent::Unknown { .. })),
            );
        }
    }
    let surprising: Vec<&String> = silent
        .iter()
        .filter(|kind| !INVISIBLE.contains(&kind.as_str()))
        .collect();
    assert_eq!(
        surprising,
        Vec::<&String>::new(),
        "these lines disappear without being listed"
    );
    assert_eq!(unknown, [], "all kinds in the recordings are known");
}

fn kind(line: &[u8]) -> String {
    let line: Value = serde_json::from_slice(line).expect("valid JSON");
    let kind = line["type"].as_str().unwrap_or("-");
    let more = [
        &line["subtype"],
        &line["request"]["subtype"],
        &line["rate_limit_info"]["status"],
    ];
    match more.into_iter().find_map(Value::as_str) {
        Some(subtype) => format!("{kind}/{subtype}"),
        None => kind.to_owned(),
    }
}

#[test]
fn unknown_message_is_kept_raw() {
    let mut driver = Claude::default().driver(&task());
    for line in [
        r#"{"type":"hologram","x":1}"#,
        r#"{"type":"system","subtype":"new_thing"}"#,
        r#"{"no":"type"}"#,
    ] {
        let events = driver.handle_line(Stream::Stdout, line.as_bytes());
        assert_eq!(
            events,
            [SessionEvent::Unknown {
                raw: line.to_owned()
            }]
        );
    }
    let events = driver.handle_line(Stream::Stdout, b"Segmentation fault \xff");
    assert!(
        matches!(&events[..], [SessionEvent::Output { .. }]),
        "{events:?}"
    );
    assert_eq!(driver.handle_line(Stream::Stdout, b""), []);
    assert!(
        driver.take_inputs().is_empty(),
        "none of this needs an answer"
    );
}

#[test]
fn answered_request_is_pending_after_replay_until_result() {
    use baton_agents::{Decision, Task};
    use baton_model::plan::Autonomy;

    let asking = Task {
        scope: ToolScope {
            autonomy: Autonomy::AskAll,
            ..ToolScope::default()
        },
        ..task()
    };
    let mut driver = Claude::default().driver(&asking);
    let mut open = Vec::new();
    let mut answers = Vec::new();
    for (stream, line) in Recording::load("live_denied").lines {
        let before = driver.pending_permissions().len();
        driver.handle_line(stream, &line);
        let after = driver.pending_permissions().len();
        if before != after {
            open.push((kind(&line), after));
        }
        if let Some(request) = driver
            .pending_permissions()
            .first()
            .map(|request| request.request.clone())
        {
            // Another driver over the same log gives the answer the same key, so it cannot be
            // written twice.
            let mut again = Claude::default().driver(&asking);
            for (stream, line) in Recording::load("live_denied").lines {
                again.handle_line(stream, &line);
                if let Some(input) = again.answer(&request, &Decision::Allow) {
                    answers.push((format!("answer:{request}"), input.key));
                }
            }
        }
    }
    let (asked, answered) = ("control_request/can_use_tool", "control_response");
    let expected = [(asked, 1), (answered, 0), (asked, 1), (answered, 0)];
    assert_eq!(open, expected.map(|(kind, count)| (kind.to_owned(), count)));
    assert!(!answers.is_empty() && answers.iter().all(|(expected, key)| expected == key));
}
