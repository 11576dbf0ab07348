//! Checks that the session driver understands everything that `baton-tool` prints.

use baton_agents::{Driver as _, ProcessEnd, SessionEvent, Stream, ToolSession, Verdict};
use serde_json::json;

use crate::support::{TestWorkspace, ToolRun, call, line};

fn understood(ran: &ToolRun) -> (Vec<SessionEvent>, Verdict) {
    let mut session = ToolSession::default();
    let events = ran
        .stdout
        .lines()
        .flat_map(|line| session.handle_line(Stream::Stdout, line.as_bytes()))
        .collect();
    (
        events,
        session.verdict(&ProcessEnd::Exited(ran.code.unwrap_or_default())),
    )
}

#[test]
fn every_line_is_an_event() {
    let workspace = TestWorkspace::new();
    workspace.write("a", "text\n");
    let read = call("read", json!({"path": "a"}));
    let works = [
        ("call", json!({ "call": read })),
        ("parallel", json!({ "calls": [read, line("exit 3")] })),
        (
            "loop",
            json!({ "call": line("true"), "maxIterations": 3, "loopCondition": "iteration < 2" }),
        ),
        ("condition", json!({ "condition": "true" })),
        ("condition", json!({ "condition": "nodes.x.state" })),
    ];
    for (kind, work) in works {
        let ran = workspace.run(kind, work);
        let (events, verdict) = understood(&ran);
        assert_eq!(
            verdict == Verdict::Succeeded,
            ran.code == Some(0),
            "{ran:?}"
        );
        let strange = |event: &&SessionEvent| {
            matches!(
                event,
                SessionEvent::Unknown { .. } | SessionEvent::Output { .. }
            )
        };
        assert_eq!(events.iter().find(strange), None, "{ran:?}");
    }
}
