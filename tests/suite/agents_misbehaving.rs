//! Tests misbehaving ACP agents: small scripts instead of programs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use baton_agents::custom::Protocol;
use baton_api::wire::*;
use baton_model::RunState;
use baton_model::outcome::Failure;
use baton_tests::processes::wait_for_none;
use baton_tests::test_environment::state_labels;
use baton_tests::{Shell, TestEnvironment};

/// Answers the requests of a session with two turns, in order. `$1` is what the agent does besides.
const AGENT: &str = r#"
say() { printf '%s\n' "$1"; }
hear() { read -r line; }
hear; say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
hear; say '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
hear; say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done."}}}}'
say '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
hear; say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"**What was done:** all of it"}}}}'
say '{"jsonrpc":"2.0","id":4,"result":{"stopReason":"end_turn"}}'
"#;

/// Runs a plan of one node with this script as the agent.
fn run(script: &str) -> (TestEnvironment, RunView) {
    let env = TestEnvironment::new();
    add_agent(&env, &["sh", "-c", script]);
    let plan =
        "baton: 1\ntitle: Odd\ncwd: .\nnodes:\n  - {id: work, agent: scripted, prompt: Work.}\n";
    let view = env.start(plan);
    let view = env.finish(view.summary.id);
    (env, view)
}

/// Adds a custom agent with this command.
fn add_agent(env: &TestEnvironment, command: &[&str]) {
    let command = command.iter().map(|&word| word.to_owned()).collect();
    let agent = CustomAgent {
        id: "scripted".to_owned(),
        command,
        protocol: Protocol::Acp,
    };
    let _: Vec<AgentView> = env.call("agent_save", agent).expect("a new agent");
}

fn install(program: &Path, script: &str) {
    fs::write(program, format!("#!/bin/sh\n{script}")).expect("enough disk space");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755))
        .expect("the file is executable");
}

#[test]
fn agent_that_never_exits_is_killed_and_its_work_kept() {
    let script = format!(
        "echo 'Welcome to the agent'; {AGENT} trap '' TERM; sleep 1000 & while :; do sleep 1; done"
    );
    let (env, view) = run(&script);
    assert_eq!(state_labels(&view), ["work done"], "{view:#?}");
    wait_for_none(env.data());
}

#[test]
fn daemonized_agent_processes_are_killed() {
    let script = format!("(setsid sleep 1000 &) ; {AGENT}");
    let (env, view) = run(&script);
    assert_eq!(state_labels(&view), ["work done"], "{view:#?}");
    wait_for_none(env.data());
}

#[test]
fn exit_without_answer_is_a_failure() {
    for (script, detail) in [
        ("exit 0", "it exited before scripted started a session"),
        (
            "echo 'login?' > /dev/null; read -r line; echo 'no account' >&2; exit 3",
            "no account (exit code 3)",
        ),
        (
            r#"read -r l; echo '{"id":1,"result":{"protocolVersion":1}}'; read -r l; echo '{"id":2,"error":{"code":-32000,"message":"Authentication required"}}'; read -r l"#,
            "Authentication required. Log in with the agent's own command.",
        ),
    ] {
        let (_house, view) = run(script);
        assert!(
            matches!(view.summary.state, RunState::Failed { .. }),
            "{view:#?}"
        );
        let node_state = format!("{:?}", view.nodes[0]);
        let failure = format!(
            "{:?}",
            Failure::AgentError {
                detail: detail.to_owned()
            }
        );
        assert!(node_state.contains(&failure), "{failure}: {node_state}");
    }
}

#[test]
fn agent_replaced_while_running_finishes_normally() {
    let env = TestEnvironment::new();
    let (program, newer) = (
        env.work_dir.path().join("agent"),
        env.work_dir.path().join("newer"),
    );
    install(&newer, &format!("echo new >> versions{AGENT}"));
    // The first version updates itself during its session, as real agents do.
    let update = format!("mv '{}' '{}'", newer.display(), program.display());
    install(
        &program,
        &format!(
            "echo old >> versions{}",
            AGENT.replacen(
                "hear; say '{\"jsonrpc\":\"2.0\",\"method\"",
                &format!("hear; {update}; say '{{\"jsonrpc\":\"2.0\",\"method\""),
                1
            )
        ),
    );
    add_agent(&env, &[&program.display().to_string()]);
    let plan = "baton: 1\ntitle: Odd\ncwd: .\nnodes:\n  - {id: first, agent: scripted, prompt: Work.}\n  - {id: second, agent: scripted, prompt: Work., dependsOn: [first]}\n";
    let view = env.finish(env.start(plan).summary.id);
    assert_eq!(
        state_labels(&view),
        ["first done", "second done"],
        "{view:#?}"
    );
    assert!(!newer.exists(), "the program was replaced");
    assert_eq!(
        env.read("versions"),
        "old\nnew\n",
        "the first session uses the old version, the next one the new"
    );
}

#[test]
fn agent_has_no_terminal() {
    const PLAN: &str =
        "baton: 1\ntitle: Odd\ncwd: .\nnodes:\n  - {id: work, agent: scripted, prompt: Work.}\n";
    let env = TestEnvironment::new();
    // With a terminal, the agent would wait for an answer to a question that no one sees.
    add_agent(
        &env,
        &[
            "sh",
            "-c",
            &format!("if sh -c 'exec < /dev/tty'; then read -r answer < /dev/tty; fi{AGENT}"),
        ],
    );
    let shell = Shell::new(&env);
    let baton = shell.baton(&["run", &shell.plan_file("plan.yaml", PLAN), "--yes"]);
    let words: Vec<String> = std::iter::once(baton.get_program())
        .chain(baton.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    let on_a_terminal = |line: &str| {
        let mut script = Command::new("script");
        script
            .args(["--quiet", "--return", "--command", line, "/dev/null"])
            .current_dir(env.work_dir.path());
        script.output().expect("script is installed").status.code()
    };
    assert_eq!(
        on_a_terminal("exec < /dev/tty"),
        Some(0),
        "the test itself has a terminal"
    );
    assert_eq!(on_a_terminal(&words.join(" ")), Some(0));
}
