//! Tests the summaries that nodes write to `BATON_SUMMARY`, with real commands.

use baton_api::Code;
use baton_api::wire::*;
use baton_model::outcome::Failure;
use baton_model::{Attempt, NodeState, RunState};
use baton_tests::test_environment::{id, node, state};
use baton_tests::{Shell, TestEnvironment};

const LIMIT: usize = 1024 * 1024;

fn attempt_of(view: &RunView, slug: &str, attempt: Option<u32>) -> AttemptRef {
    AttemptRef {
        run: view.summary.id,
        node: id(view, slug),
        attempt: attempt.map(Attempt),
    }
}

fn summary_of(env: &TestEnvironment, view: &RunView, slug: &str) -> SummaryView {
    env.call("node_summary", attempt_of(view, slug, None))
        .expect("a summary")
}

/// Runs scripts, each as the node of its name, to the end of the run.
fn run_scripts(env: &TestEnvironment, scripts: &[(&str, &str)], more: &str) -> RunView {
    let nodes: String = scripts
        .iter()
        .map(|(name, script)| {
            let file = env.work_dir.path().join(format!("{name}.sh"));
            std::fs::write(file, script).expect("enough disk space");
            format!("  - {{id: {name}, kind: command, command: sh {name}.sh{more}}}\n")
        })
        .collect();
    let run = env.start(&format!(
        "baton: 1\ntitle: Summaries\ncwd: .\nnodes:\n{nodes}"
    ));
    env.finish(run.summary.id)
}

#[test]
fn summary_is_kept_however_the_attempt_ends() {
    let env = TestEnvironment::new();
    let scripts = [
        (
            "passed",
            "echo '# Tests' >> $BATON_SUMMARY; echo '41 passed' >> $BATON_SUMMARY",
        ),
        ("failed", "echo '1 failed' > $BATON_SUMMARY; exit 1"),
        ("silent", "true"),
    ];
    let view = run_scripts(&env, &scripts, ", onFailure: skip");
    assert_eq!(
        summary_of(&env, &view, "passed").markdown,
        "# Tests\n41 passed\n"
    );
    assert!(state(&view, "failed").is_tolerated_failure());
    assert_eq!(summary_of(&env, &view, "failed").markdown, "1 failed\n");
    let silent = summary_of(&env, &view, "silent");
    assert_eq!(
        (silent.markdown.as_str(), silent.bytes, silent.cut),
        ("", 0, false)
    );
}

#[test]
fn each_attempt_has_its_own_summary() {
    let env = TestEnvironment::new();
    let script = "echo attempt $BATON_ATTEMPT > $BATON_SUMMARY; test $BATON_ATTEMPT = 2";
    let view = run_scripts(&env, &[("work", script)], ", maxRetries: 1");
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    for attempt in [1, 2] {
        let summary: SummaryView = env
            .call("node_summary", attempt_of(&view, "work", Some(attempt)))
            .expect("a summary");
        assert_eq!(summary.attempt, Attempt(attempt));
        assert_eq!(summary.markdown, format!("attempt {attempt}\n"));
    }
    let missing = env.call::<SummaryView>("node_summary", attempt_of(&view, "work", Some(3)));
    assert_eq!(missing.expect_err("no third attempt").code, Code::NotFound);
}

#[test]
fn hostile_summaries_stay_bounded_text_without_secrets() {
    let env = TestEnvironment::new();
    let scripts = [
        (
            "secret",
            "printf 'password: %s' \"$DB_PASSWORD\" > $BATON_SUMMARY",
        ),
        (
            "codes",
            "printf '\\033]0;title\\007\\033[31mred\\033[0m<script>alert(1)</script>' > $BATON_SUMMARY",
        ),
        ("bytes", "printf '\\377\\376 ok' > $BATON_SUMMARY"),
        (
            "large",
            "head -c 3000000 /dev/zero | tr '\\0' x > $BATON_SUMMARY",
        ),
    ];
    let view = run_scripts(
        &env,
        &scripts,
        ", env: {DB_PASSWORD: correct-horse-battery}",
    );
    let markdown = |slug| summary_of(&env, &view, slug).markdown;
    assert_eq!(markdown("secret"), "password: [secret]");
    assert_eq!(markdown("codes"), "red<script>alert(1)</script>");
    assert_eq!(markdown("bytes"), "\u{fffd}\u{fffd} ok");
    let large = summary_of(&env, &view, "large");
    assert_eq!(
        (large.markdown.len(), large.bytes, large.cut),
        (LIMIT, 3_000_000, true)
    );
    let session = node(&view, "secret").session.expect("a session");
    let folder = env.data().join("sessions").join(session.to_string());
    assert!(
        !folder.join("summary.md").exists(),
        "the unmasked file is gone"
    );
}

#[test]
fn link_in_place_of_the_summary_fails_the_node_and_is_not_followed() {
    let env = TestEnvironment::new();
    let hidden = env.work_dir.path().join("hidden.md");
    std::fs::write(&hidden, "hidden words").expect("enough disk space");
    let script = "rm -f $BATON_SUMMARY; ln -s $PWD/hidden.md $BATON_SUMMARY";
    // Within a sandbox the file can't be replaced.
    let view = run_scripts(&env, &[("link", script)], ", sandbox: \"off\"");
    let failure = state(&view, "link");
    assert!(
        matches!(
            failure,
            NodeState::Failed {
                failure: Failure::SessionFiles { .. },
                ..
            }
        ),
        "{failure:?}"
    );
    assert_eq!(summary_of(&env, &view, "link").markdown, "");
    assert_eq!(env.read("hidden.md"), "hidden words");
}

#[test]
fn shell_shows_the_summary_without_control_characters() {
    let env = TestEnvironment::new();
    let scripts = [
        (
            "work",
            "printf '# Done\\n\\n\\342\\200\\256evil\\n' > $BATON_SUMMARY",
        ),
        ("silent", "true"),
    ];
    let view = run_scripts(&env, &scripts, "");
    let run = view.summary.id.to_string();
    let shell = Shell::new(&env);
    let printed = |arguments: &[&str]| {
        let done = shell.baton(arguments).output().expect("baton starts");
        assert!(done.status.success(), "{done:?}");
        (
            String::from_utf8(done.stdout).expect("UTF-8"),
            String::from_utf8(done.stderr).expect("UTF-8"),
        )
    };
    let (text, _) = printed(&["node", "summary", &run, "work"]);
    assert!(text.starts_with("# Done\n\n"), "{text}");
    assert!(
        text.contains("evil") && !text.contains('\u{202e}'),
        "{text}"
    );
    let (json, _) = printed(&["node", "summary", &run, "work", "--json"]);
    let summary: SummaryView = serde_json::from_str(&json).expect("JSON");
    assert_eq!(summary.markdown, "# Done\n\n\u{202e}evil\n");
    let (all, _) = printed(&["runs", "show", &run, "--summaries"]);
    assert!(all.contains("\nSummary of work\n# Done\n"), "{all}");
    assert!(!all.contains("Summary of silent"), "{all}");
    let (nothing, note) = printed(&["node", "summary", &run, "silent"]);
    assert_eq!(
        (nothing.as_str(), note.trim_end()),
        ("", "This attempt wrote no summary.")
    );
}

#[test]
fn summaries_of_a_run_follow_its_order() {
    let env = TestEnvironment::new();
    let write = |text: &str| format!("echo '{text}' >> $BATON_SUMMARY");
    for (name, script) in [
        ("last", write("packed")),
        ("silent", "true".to_owned()),
        (
            "first",
            format!("{}; test $BATON_ATTEMPT = 2", write("built")),
        ),
        (
            "large",
            "head -c 30000 /dev/zero | tr '\\0' x > $BATON_SUMMARY".to_owned(),
        ),
    ] {
        let file = env.work_dir.path().join(format!("{name}.sh"));
        std::fs::write(file, script).expect("enough disk space");
    }
    let run = env.start(
        "
baton: 1
title: Summaries
cwd: .
nodes:
  - {id: last, kind: command, command: sh last.sh, dependsOn: [silent]}
  - {id: silent, kind: command, command: sh silent.sh, dependsOn: [first]}
  - {id: first, kind: command, command: sh first.sh, maxRetries: 1}
  - {id: large, kind: command, command: sh large.sh, dependsOn: [first]}
",
    );
    let view = env.finish(run.summary.id);
    let wanted = RunRef {
        run: view.summary.id,
    };
    let read: RunSummariesView = env.call("run_summaries", wanted).expect("the summaries");
    let found: Vec<_> = read
        .summaries
        .iter()
        .map(|summary| {
            (
                summary.node,
                summary.attempt,
                summary.markdown.len(),
                summary.cut,
            )
        })
        .collect();
    let expected = [
        (id(&view, "first"), Attempt(2), "built\n".len(), false),
        (id(&view, "large"), Attempt(1), 16 * 1024, true),
        (id(&view, "last"), Attempt(1), "packed\n".len(), false),
    ];
    assert_eq!(found, expected);
    assert_eq!(read.left_out, 0);

    let shell = Shell::new(&env);
    let run = view.summary.id.to_string();
    let shown = shell.run(&["runs", "show", &run, "--summaries"]);
    let order = ["1  first", "2  silent", "3  last", "4  large"];
    let places: Vec<_> = order.iter().map(|row| shown.out.find(row)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{}", shown.out);
    let heads: Vec<_> = shown
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("Summary of "))
        .collect();
    assert_eq!(heads, ["first", "last", "large"], "as in the table");
    assert!(
        shown.out.contains("Summary of first\nbuilt\n"),
        "{}",
        shown.out
    );
    let json = shell.run(&["runs", "show", &run, "--summaries", "--json"]);
    let attempts: Vec<_> = serde_json::Deserializer::from_str(&json.out)
        .into_iter::<serde_json::Value>()
        .map(|line| line.expect("JSON")["summary"]["attempt"].clone())
        .collect();
    assert_eq!(attempts, [2, 1, 1], "the latest attempts");
}
