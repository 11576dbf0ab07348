//! Tests `baton session output` with real sessions.

use baton_api::wire::*;
use baton_model::SessionId;
use baton_tests::test_environment::node;
use baton_tests::{Shell, TestEnvironment};

use crate::pseudo_terminal::Terminal;

/// Defines `noted`, which waits until the keeper has recorded that many outputs: their order is
/// certain then.
const NOTED: &str = "clock=$(dirname $BATON_OUTPUT)/clock\n\
    noted() { until [ $(stat -c %s $clock 2>/dev/null || echo 0) -ge $(($1 * 24)) ]; do sleep 0.02; done; }\n";

/// Starts a script as the node `work`, outside of the sandbox, which would hide the clock.
fn start(env: &TestEnvironment, script: &str) -> RunView {
    let file = env.work_dir.path().join("work.sh");
    std::fs::write(file, format!("{NOTED}{script}")).expect("enough disk space");
    env.start(
        "baton: 1\ntitle: Output\ncwd: .\nnodes:\n  \
         - {id: work, kind: command, command: sh work.sh, sandbox: \"off\"}\n",
    )
}

/// Runs a script to its end. Returns its session.
fn run(env: &TestEnvironment, script: &str) -> SessionId {
    let view = start(env, script);
    let view = env.finish(view.summary.id);
    node(&view, "work").session.expect("a session")
}

/// Returns what `baton session output` prints.
fn printed(env: &TestEnvironment, session: SessionId, options: &[&str]) -> String {
    let session = session.to_string();
    let arguments = [&["session", "output", &session], options].concat();
    let done = Shell::new(env).run(&arguments);
    assert_eq!(done.code, Some(0), "{options:?}: {}", done.err);
    done.out
}

#[test]
fn streams_are_printed_in_order_or_alone() {
    let env = TestEnvironment::new();
    let session = run(
        &env,
        "echo one; noted 1; echo two >&2; noted 2; echo three; noted 3; echo four >&2\n",
    );
    assert_eq!(printed(&env, session, &[]), "one\ntwo\nthree\nfour\n");
    let cases = [
        ("stdout", "one\nthree\n"),
        ("stderr", "two\nfour\n"),
        ("both", "one\ntwo\nthree\nfour\n"),
    ];
    for (stream, lines) in cases {
        assert_eq!(printed(&env, session, &["--stream", stream]), lines);
        assert_eq!(
            printed(&env, session, &["--stream", stream, "--raw"]),
            lines
        );
    }
    assert_eq!(
        printed(&env, session, &["--stream", "stdout", "--tail", "1"]),
        "three\n"
    );
    assert_eq!(
        printed(&env, session, &["--stream", "stderr", "--grep", "o"]),
        "two\nfour\n"
    );
    assert_eq!(
        printed(
            &env,
            session,
            &["--stream", "stdout", "--grep", "o", "--tail", "1"]
        ),
        "one\n"
    );
}

#[test]
fn control_characters_are_printed_only_on_request() {
    let env = TestEnvironment::new();
    let session = run(
        &env,
        "printf '\\033[31mred\\033[0m\\033]0;title\\007\\n 10%%\\r100%%\\n\\377\\n'\n",
    );
    assert_eq!(printed(&env, session, &[]), "red\n100%\n\u{fffd}\n");
    let shell = Shell::new(&env);
    let arguments = ["session", "output", &session.to_string(), "--raw"];
    let raw = shell.baton(&[&arguments[..], &["--stream", "stdout"]].concat());
    let bytes = { raw }.output().expect("baton starts").stdout;
    let whole = b"\x1b[31mred\x1b[0m\x1b]0;title\x07\n 10%\r100%\n";
    assert_eq!(bytes, [&whole[..], b"\xff\n"].concat());
    let both = shell.run(&arguments).out;
    assert_eq!(
        both.as_bytes(),
        [&whole[..], "\u{fffd}\n".as_bytes()].concat()
    );
    // A terminal would interpret the bytes.
    let (status, screen) = Terminal::start(shell.baton(&arguments)).end();
    assert!(status.success(), "{screen}");
    assert!(
        screen.contains("red\n100%\n") && !screen.contains('\u{1b}'),
        "{screen:?}"
    );
}

#[test]
fn tail_and_grep_choose_lines_of_any_output() {
    let env = TestEnvironment::new();
    let session = run(
        &env,
        "seq 1 5000; head -c 10000 /dev/zero | tr '\\0' x; echo; echo Last\n",
    );
    let lines: Vec<String> = (1..=5000)
        .map(|number| number.to_string())
        .chain(["x".repeat(10_000), "Last".to_owned()])
        .collect();
    let text = |lines: &[String]| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    assert_eq!(printed(&env, session, &[]), text(&lines));
    // The long line is three rows.
    assert_eq!(
        printed(&env, session, &["--tail", "3004"]),
        text(&lines[2000..])
    );
    for (tail, expected) in [("0", ""), ("1", "Last\n"), ("100000", &text(&lines))] {
        assert_eq!(printed(&env, session, &["--tail", tail]), expected);
    }
    let matching = |found: &str| -> Vec<String> {
        lines
            .iter()
            .filter(|line| line.contains(found))
            .cloned()
            .collect()
    };
    assert_eq!(
        printed(&env, session, &["--grep", "7"]),
        text(&matching("7"))
    );
    assert_eq!(printed(&env, session, &["--grep", "^777$"]), "777\n");
    let sevens = matching("7");
    assert_eq!(
        printed(&env, session, &["--grep", "7", "--tail", "3"]),
        text(&sevens[sevens.len() - 3..])
    );
    assert_eq!(printed(&env, session, &["--grep", "last"]), "");
    assert_eq!(printed(&env, session, &["--grep", "last", "-i"]), "Last\n");
}

#[test]
fn json_is_a_row_on_each_line() {
    let env = TestEnvironment::new();
    let session = run(
        &env,
        "printf '\\033[31mred\\033[0m\\n'; noted 1; echo plain >&2\n",
    );
    let rows: Vec<OutputRow> = printed(&env, session, &["--json"])
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let shown: Vec<_> = rows
        .iter()
        .map(|row| (row.text.as_str(), row.stream))
        .collect();
    assert_eq!(
        shown,
        [
            ("red", OutputStream::Stdout),
            ("plain", OutputStream::Stderr)
        ]
    );
    assert_eq!((rows[0].styles.len(), rows[1].styles.len()), (1, 0));
    assert!(rows.iter().all(|row| row.at_ms.is_some()));
}

#[test]
fn follow_prints_lines_as_they_come_until_the_session_ends() {
    let env = TestEnvironment::new();
    let view = start(
        &env,
        "echo first; printf 'half'; until [ -e go ]; do sleep 0.02; done; echo way; echo third >&2\n",
    );
    let view = env.wait_until(view.summary.id, |view| node(view, "work").session.is_some());
    let session = node(&view, "work").session.expect("a session").to_string();
    let shell = Shell::new(&env);
    let mut all = shell.start(&["session", "output", &session, "--follow"]);
    assert_eq!(all.next_line().as_deref(), Some("first\n"));
    let grep = shell.start(&["session", "output", &session, "-f", "--grep", "h"]);
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let (status, rest) = all.end();
    assert!(status.success());
    let mut lines: Vec<_> = rest.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        ["halfway", "third"],
        "a line is printed when it is complete"
    );
    let (_, found) = grep.end();
    let mut lines: Vec<_> = found.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["halfway", "third"]);
    env.finish(view.summary.id);
}

#[test]
fn mistakes_are_explained() {
    let env = TestEnvironment::new();
    let session = run(&env, "true\n").to_string();
    assert_eq!(printed(&env, session.parse().expect("an id"), &[]), "");
    let shell = Shell::new(&env);
    let cases: [(&[&str], &str); 4] = [
        (&[&session, "--grep", "a(b"], "unclosed group"),
        (&[&session, "--raw", "--follow"], "cannot be used with"),
        (&[&session, "--stream", "all"], "invalid value"),
        (&["nothing"], "no session"),
    ];
    for (options, reason) in cases {
        let done = shell.run(&[&["session", "output"], options].concat());
        assert_ne!(done.code, Some(0), "{options:?}");
        assert!(done.err.contains(reason), "{options:?}: {}", done.err);
    }
}
