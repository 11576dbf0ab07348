//! Events, verdicts and timelines of `baton-tool` sessions, from recordings in
//! `tests/fixtures/sessions/baton-tool`.

use std::fs;
use std::io;
use std::path::PathBuf;

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{Driver as _, ProcessEnd, Stream, TimelineIndex, ToolSession, Verdict};
use baton_model::outcome::Failure;

fn recorded(name: &str) -> Vec<u8> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions/baton-tool");
    fs::read(folder.join(format!("{name}.jsonl"))).expect("recording exists")
}

/// A log in memory, without standard error.
struct Log(Vec<u8>);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.0[usize::try_from(offset).map_err(io::Error::other)?..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// The timeline of a log, one entry per line.
fn timeline(stdout: Vec<u8>) -> String {
    let mut index = TimelineIndex::new(baton_agents::tool::LOG_FORMAT);
    index.feed(Stream::Stdout, 0, &stdout).expect("no gap");
    index.finish();
    let entries = index
        .page(0..u64::MAX, &mut Log(stdout))
        .expect("in-memory log is readable");
    let line = |kind: TimelineKind| match kind {
        TimelineKind::ToolCall {
            name,
            summary,
            input,
            result,
            ..
        } => {
            let result = result.map_or("runs".to_owned(), |result| {
                format!(
                    "{} {:?}",
                    if result.ok { "ok" } else { "failed" },
                    result.text
                )
            });
            format!("{name} ({summary}) {input}: {result}")
        }
        other => format!("{other:?}"),
    };
    entries
        .into_iter()
        .map(|entry| line(entry.kind) + "\n")
        .collect()
}

/// The activity after each line, and the verdict.
fn driven(name: &str, exit: &ProcessEnd) -> (Vec<String>, Verdict) {
    let mut session = ToolSession::default();
    let mut actual = Vec::new();
    for line in recorded(name)
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        session.handle_line(Stream::Stdout, line);
        actual.push(session.activity().unwrap_or_default());
    }
    (actual, session.verdict(exit))
}

fn failed(detail: &str) -> Verdict {
    Verdict::Failed(Failure::ToolError {
        detail: detail.to_owned(),
    })
}

#[test]
fn reported_result_decides_verdict() {
    let exit = |code| ProcessEnd::Exited(code);
    for (name, end, verdict) in [
        ("read", exit(0), Verdict::Succeeded),
        // It reported success before its process was killed.
        ("read", ProcessEnd::Signaled(9), Verdict::Succeeded),
        ("loop", exit(0), Verdict::Succeeded),
        ("condition", exit(0), Verdict::Succeeded),
        (
            "shell_fails",
            exit(1),
            failed("shell: ended with exit code 2: no such target"),
        ),
        (
            "mistaken",
            exit(1),
            failed("there is no tool 'raed'; did you mean 'read'?"),
        ),
        (
            "server",
            exit(1),
            failed("1 of 2 calls failed: call 2, near/fail: the disk is upside down"),
        ),
        (
            "condition_unanswered",
            exit(1),
            failed("`nodes.count.outputs.m` has no value: node 'count' wrote n but not 'm'"),
        ),
        (
            "killed",
            ProcessEnd::Signaled(9),
            Verdict::Failed(Failure::Signal { signal: 9 }),
        ),
        (
            "killed",
            exit(2),
            Verdict::Failed(Failure::ExitCode { code: 2 }),
        ),
        (
            "killed",
            exit(0),
            Verdict::Failed(Failure::ExitCode { code: 0 }),
        ),
    ] {
        assert_eq!(driven(name, &end).1, verdict, "{name} {end:?}");
    }
}

#[test]
fn activity_shows_running_tool() {
    let (actual, _) = driven("parallel", &ProcessEnd::Exited(1));
    assert_eq!(
        actual,
        [
            "read: VERSION",
            "",
            "read: LICENSE",
            "",
            "glob: *",
            "",
            "shell: printf red; printf green >&2",
            "",
            ""
        ]
    );
    let mut session = ToolSession::default();
    for id in ["1", "2", "3"] {
        let line =
            format!(r#"{{"type":"call","id":"{id}","tool":"read","args":{{"path":"{id}.txt"}}}}"#);
        session.handle_line(Stream::Stdout, line.as_bytes());
    }
    assert_eq!(
        session.activity().as_deref(),
        Some("read: 3.txt (and 2 more)")
    );
}

#[test]
fn timeline_shows_calls_with_results() {
    let actual: String = [
        "read",
        "shell_fails",
        "parallel",
        "loop",
        "server",
        "condition",
        "condition_unanswered",
        "mistaken",
        "killed",
    ]
    .into_iter()
    .map(|name| format!("{name}\n{}\n", timeline(recorded(name))))
    .collect();
    insta::assert_snapshot!(actual, @r##"
    read
    read (NOTES.md) {"path":"NOTES.md"}: ok "First line.\nSecond line.\n"

    shell_fails
    shell (echo checking; echo no such target >&2; exit 2) {"command":"echo checking; echo no such target >&2; exit 2"}: failed "ended with exit code 2: no such target"
    Error { text: "shell: ended with exit code 2: no such target" }

    parallel
    read (VERSION) {"path":"VERSION"}: ok "1.4.0\n"
    read (LICENSE) {"path":"LICENSE"}: failed "could not read /home/dev/project/LICENSE: No such file or directory (os error 2)"
    glob (*) {"pattern":"*"}: ok "NOTES.md\nVERSION"
    shell (printf red; printf green >&2) {"command":"printf red; printf green >&2"}: ok "red\ngreen"
    Error { text: "1 of 4 calls failed: call 2, read: could not read /home/dev/project/LICENSE: No such file or directory (os error 2)" }

    loop
    shell ([ $BATON_ITERATION = 2 ] && echo ready || echo waiting) {"command":"[ $BATON_ITERATION = 2 ] && echo ready || echo waiting","iteration":1}: ok "waiting"
    Note { text: "`result.stdout != \"ready\"` is true." }
    shell ([ $BATON_ITERATION = 2 ] && echo ready || echo waiting) {"command":"[ $BATON_ITERATION = 2 ] && echo ready || echo waiting","iteration":2}: ok "ready"
    Note { text: "`result.stdout != \"ready\"` is false." }

    server
    near/add () {"a":2,"b":40}: ok "{\n  \"sum\": 42\n}"
    near/fail () {}: failed "the disk is upside down"
    Error { text: "1 of 2 calls failed: call 2, near/fail: the disk is upside down" }

    condition
    Note { text: "`nodes.count.outputs.n > 3` is true." }

    condition_unanswered
    Error { text: "`nodes.count.outputs.m` has no value: node 'count' wrote n but not 'm'" }

    mistaken
    raed (NOTES.md) {"path":"NOTES.md"}: failed "there is no tool 'raed'; did you mean 'read'?"
    Error { text: "there is no tool 'raed'; did you mean 'read'?" }

    killed
    shell (sleep 1000) {"command":"sleep 1000"}: runs
    "##);
}

#[test]
fn non_event_output_is_shown_raw() {
    let log = b"\nplain words\n{\"type\":\"later\",\"n\":1}\n{\"type\":\"call\",\"id\":\"1\"}\n{\"type\":\"result\",\"id\":\"7\",\"value\":null}\n";
    insta::assert_snapshot!(timeline(log.to_vec()), @r##"
    Output { stream: Stdout, text: "plain words\n", styles: [] }
    Unknown { raw: "{\"type\":\"later\",\"n\":1}" }
    Unknown { raw: "{\"type\":\"call\",\"id\":\"1\"}" }
     () null: ok ""
    "##);
}
