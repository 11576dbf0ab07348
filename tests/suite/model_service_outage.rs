//! Tests unavailable model services and denied tool calls with the real agents.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use baton_api::wire::*;
use baton_model::evidence::Mismatch;
use baton_tests::model_api::ModelApi;
use baton_tests::processes::wait;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::node;
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

use crate::agents_codex;
use crate::agents_run;
use crate::scripted_session::program;

fn only_run(env: &TestEnvironment) -> Result<RunView, String> {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    Ok(env.view(runs.first().ok_or("no run yet")?.id))
}

fn codex(shell: &Shell, home: &Path, url: &str, file: &str) -> Command {
    let folder = program("codex")
        .parent()
        .expect("a program is in a folder")
        .display()
        .to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = shell.baton(&["run", file, "--yes"]);
    command
        .env("PATH", format!("{folder}:{path}"))
        .env("HOME", home)
        .envs(agents_codex::settings(home, url));
    command
}

#[test]
fn agent_without_service_fails_before_its_time_limit() {
    let (env, home) = (TestEnvironment::new(), TempDir::new().expect("a folder"));
    let shell = Shell::new(&env);
    // The port was just released, so that connections to it are refused.
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|socket| socket.local_addr())
        .expect("a port")
        .port();
    let text = "baton: 1\ncwd: .\nnodes:\n  - {id: write, agent: codex, prompt: Write a greeting., silentAfterMs: 3000}\n";
    let file = shell.plan_file("gone.yaml", text);
    let running = RunningCommand::new(codex(
        &shell,
        home.path(),
        &format!("http://127.0.0.1:{port}"),
        &file,
    ));
    let view = wait("the attempt fails", || {
        let view = only_run(&env)?;
        let losses = node(&view, "write").marks.losses;
        if losses > 0 {
            Ok(view)
        } else {
            Err(format!("{:?}", view.nodes))
        }
    });
    let _: RunSummary = env
        .call(
            "run_cancel",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("the run is active");
    let _ = running.end();
}

#[test]
fn node_with_only_refused_calls_is_unverified() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let text = "baton: 1\ncwd: .\nautonomy: 3\nnodes:\n  - {id: write, agent: claude, prompt: Write., toolsRequired: [Read]}\n";
    let file = shell.plan_file("refused.yaml", text);
    let words = ["run", &file, "--yes"];
    let (_, said) = RunningCommand::new(agents_run::baton(
        &shell,
        &api,
        "write_bash",
        home.path(),
        &words,
    ))
    .end();
    let view = only_run(&env).expect("a run");
    let write = node(&view, "write");
    assert!(!env.work_dir.path().join("hello.txt").exists(), "{said}");
    let attempt = AttemptRef {
        run: view.summary.id,
        node: write.node,
        attempt: None,
    };
    let known: EvidenceView = env.call("evidence_get", attempt).expect("evidence");
    let evidence = known.evidence.expect("an agent leaves evidence");
    assert_eq!(evidence.refused, 2, "{evidence:?}");
    assert!(
        evidence.mismatches.contains(&Mismatch::WorkRefused),
        "{evidence:?}"
    );
    let doubt = known.doubt.expect("the node is unverified");
    assert!(
        doubt.contains("every call that could have done the work was denied"),
        "{doubt}"
    );
    let session = write.session.expect("a session").to_string();
    for words in [
        &["session", "show", &session][..],
        &["artifact", "show", &view.summary.id.to_string(), "write"],
    ] {
        let said = shell.run(words);
        assert!(
            said.out.contains("2 calls denied"),
            "{words:?}: {}{}",
            said.out,
            said.err
        );
    }
}
