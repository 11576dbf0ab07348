//! Tests real agents with secrets in their work: the files they write are unmasked, and no session
//! file contains a secret.

use baton_api::wire::*;
use baton_model::run::{Answer, WaitingFor};
use baton_model::{NodeState, RunState};
use baton_tests::model_api::ModelApi;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{node, state};
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

use crate::real_agent::{Agent, agent};

const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

/// Runs the agent at a level of autonomy, allowing every request.
fn work(agent: &Agent, autonomy: u8) {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let name = agent.name;
    let text = format!(
        "baton: 1\ncwd: .\nautonomy: {autonomy}\nnodes:\n  - {{id: write, agent: {name}, prompt: Keep the keys.}}\n"
    );
    let file = shell.plan_file("secrets.yaml", &text);
    let mut command = agent.baton(
        &shell,
        &api.base_url("write_secrets"),
        home.path(),
        &["run", &file, "--yes"],
    );
    command.env("DB_PASSWORD", "postgres");
    let running = RunningCommand::new(command);
    let view = allow_all(&env);
    let (_, said) = running.end();
    let folder = env
        .data()
        .join("sessions")
        .join(node(&view, "write").session.expect("a session").to_string());
    let log = || std::fs::read_to_string(folder.join("stdout")).unwrap_or_default();
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{name} at {autonomy}: {said}{}",
        log()
    );
    assert_eq!(
        env.read("k.txt"),
        "postgres\n",
        "{name} at {autonomy}: the command ran unmasked\n{}",
        log()
    );
    assert_eq!(
        env.read("token.txt").trim_end(),
        TOKEN,
        "{name} at {autonomy}: the file is unmasked\n{}",
        log()
    );
    for entry in std::fs::read_dir(&folder).expect("the session's folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read(&path)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default();
        assert!(
            !text.contains(TOKEN) && !text.contains("postgres"),
            "{name}: {} contains a secret",
            path.display()
        );
    }
}

fn allow_all(env: &TestEnvironment) -> RunView {
    baton_tests::processes::wait("the run ends", || {
        let runs: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 1,
                },
            )
            .expect("runs");
        let run = runs.first().ok_or("no run yet")?.id;
        let view = env.view(run);
        if view.summary.state.has_ended() {
            return Ok(view);
        }
        let write = node(&view, "write").node;
        let decision: Result<RunSummary, _> = match state(&view, "write") {
            NodeState::Waiting {
                what: WaitingFor::Approval { .. },
            } => env.call(
                "node_approve",
                NodeApprove {
                    run,
                    node: write,
                    allow: true,
                },
            ),
            NodeState::Waiting {
                what: WaitingFor::Person { request, .. },
            } => {
                let input = NodeAnswer {
                    run,
                    node: write,
                    request: request.clone(),
                    answer: Answer::AllowOnce,
                };
                env.call("node_answer", input)
            }
            _ => return Err(format!("{:?}", view.nodes)),
        };
        Err(format!("{decision:?}"))
    })
}

/// A command must get the secret itself: it couldn't use the mask.
#[test]
fn command_never_receives_a_masked_secret() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "passed-on.yaml",
        "
baton: 1
title: Passed on
cwd: .
nodes:
  - {id: log-in, kind: command, command: 'echo url=$DB_PASSWORD@host >> $BATON_OUTPUT; echo name=x >> $BATON_OUTPUT'}
  - {id: named, kind: command, command: 'echo {{nodes.log-in.outputs.url}} > named.txt', dependsOn: [log-in], onFailure: skip}
  - {id: read, kind: command, command: 'echo $DB_PASSWORD {{nodes.log-in.outputs.name}} > read.txt', dependsOn: [log-in]}
",
    );
    let mut command = shell.baton(&["run", &file, "--yes"]);
    command.env("DB_PASSWORD", "correct horse battery");
    let (_, said) = RunningCommand::new(command).end();
    assert!(
        said.contains("the output 'url' of node 'log-in' contained a secret"),
        "{said}"
    );
    assert!(!env.work_dir.path().join("named.txt").exists());
    assert_eq!(env.read("read.txt"), "correct horse battery x\n");
}

#[test]
fn claude_writes_unmasked_files() {
    [4, 0]
        .into_iter()
        .for_each(|autonomy| work(agent("claude"), autonomy));
}

#[test]
fn codex_writes_unmasked_files() {
    [4, 0]
        .into_iter()
        .for_each(|autonomy| work(agent("codex"), autonomy));
}

#[test]
fn gemini_writes_unmasked_files() {
    [4, 0]
        .into_iter()
        .for_each(|autonomy| work(agent("gemini"), autonomy));
}

#[test]
fn opencode_writes_unmasked_files() {
    [4, 0]
        .into_iter()
        .for_each(|autonomy| work(agent("opencode"), autonomy));
}

#[test]
fn pi_writes_unmasked_files() {
    work(agent("pi"), 4);
}

#[test]
fn command_output_is_stored_without_secrets() {
    const SECRET: &str = "my-own-secret-value";
    let env = TestEnvironment::new();
    let run = env.start(&format!(
        "baton: 1\ntitle: Secrets\nnodes:\n  - {{id: leak, kind: command, env: {{DB_PASS: {SECRET}}}, command: 'echo url=db:$DB_PASS >> \
         $BATON_OUTPUT; : > file-$DB_PASS; echo $DB_PASS; echo {TOKEN}'}}\n"
    ));
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert!(
        env.work_dir.path().join(format!("file-{SECRET}")).exists(),
        "created files are unmasked"
    );
    let artifact = node(&view, "leak")
        .artifact
        .expect("the node has a handoff");
    let artifact: ArtifactView = env
        .call("artifact_get", ArtifactRef { artifact })
        .expect("the artifact exists");
    assert_eq!(artifact.content.outputs["url"], "db:[secret]");
    let evidence = env.evidence(&view, "leak");
    assert!(
        evidence.files.paths().any(|path| path == "file-[secret]"),
        "{evidence:?}"
    );
    let session = node(&view, "leak").session.expect("the node has a session");
    let kept = env.data().join("sessions").join(session.to_string());
    for file in ["launch.json", "stdout"] {
        let text = std::fs::read_to_string(kept.join(file)).expect("the file exists");
        assert!(
            !text.contains(SECRET) && !text.contains(TOKEN) && text.contains("[secret]"),
            "{file}: {text}"
        );
    }
    let said = format!("{:?}{:?}", artifact.content, evidence);
    assert!(!said.contains(SECRET) && !said.contains(TOKEN), "{said}");
}
