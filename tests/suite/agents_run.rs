//! Tests the real `claude` on nodes of a plan, run by `baton` with the scripted model.

use std::path::{Path, PathBuf};
use std::process::Command;

use baton_api::wire::*;
use baton_model::artifact::Author;
use baton_model::run::{Answer, WaitingFor};
use baton_model::{NodeState, RunState};
use baton_tests::model_api::ModelApi;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, node, state, state_labels};
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

/// Returns `baton` with arguments, with the real claude in its `PATH`, configured for the scripted
/// model.
pub(crate) fn baton(
    shell: &Shell,
    api: &ModelApi,
    scenario: &str,
    home: &Path,
    words: &[&str],
) -> Command {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/tools/claude/node_modules/.bin/claude");
    let claude = std::env::var_os("BATON_TEST_CLAUDE").map_or(installed, PathBuf::from);
    assert!(
        claude.exists(),
        "claude isn't installed at {}: run `cargo xtask test` to install it",
        claude.display()
    );
    let folder = claude
        .parent()
        .expect("a program is in a folder")
        .display()
        .to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = shell.baton(words);
    command
        .env("PATH", format!("{folder}:{path}"))
        .env("HOME", home)
        .envs([
            ("ANTHROPIC_BASE_URL", api.base_url(scenario).as_str()),
            ("ANTHROPIC_API_KEY", "sk-ant-fake"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("IS_SANDBOX", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "1"),
        ]);
    command
}

fn only_run(env: &TestEnvironment) -> RunView {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 10,
            },
        )
        .expect("runs");
    env.view(runs.first().expect("the run has begun").id)
}

#[test]
fn next_node_receives_the_agents_handoff() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "agent.yaml",
        "
baton: 1
title: Agent
cwd: .
nodes:
  - {id: before, kind: command, command: 'echo topic=greetings >> $BATON_OUTPUT; printf \"{\\173nodes.nowhere.outputs.x}}\"'}
  - {id: write, agent: claude, prompt: 'Write about {{nodes.before.outputs.topic}}.', dependsOn: [before]}
  - {id: after, kind: command, command: 'cp $BATON_CONTEXT received.md', dependsOn: [write]}
",
    );
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &api,
        "write_bash",
        home.path(),
        &["run", &file, "--yes"],
    ))
    .end();
    assert!(status.success(), "{said}");
    let view = only_run(&env);
    assert_eq!(
        state_labels(&view),
        ["before done", "write done", "after done"]
    );
    assert_eq!(
        env.read("hello.txt"),
        "hello from the scripted model\n",
        "the agent's own tools did the work"
    );
    let prompts = api.seen();
    let prompt = &prompts.first().expect("the model got a request").prompt;
    assert!(prompt.contains("step 2/3 of a plan: \"Agent\""), "{prompt}");
    assert!(
        prompt.contains("Write about greetings."),
        "templates are filled in: {prompt}"
    );
    assert!(
        prompt.contains("## before\n\n**What was done:**"),
        "the parent's handoff: {prompt}"
    );
    assert!(
        prompt.contains("{{nodes.nowhere.outputs.x}}"),
        "a parent's handoff is never expanded as a template: {prompt}"
    );
    let received = env.read("received.md");
    assert!(
        received.starts_with("## write\n\n**What was done:**"),
        "the agent's handoff, cut at its marker: {received}"
    );
    let artifacts: Vec<ArtifactView> = env
        .call(
            "artifacts_list",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("handoffs");
    assert_eq!(artifacts[1].content.author, Author::Agent);
    let session = node(&view, "write")
        .session
        .expect("an attempt has a session");
    let range = TimelineRange {
        session,
        from: 0,
        limit: 100,
        since: None,
        of_end: false,
    };
    let page: TimelinePage = env.call("session_timeline", range).expect("a timeline");
    let text = serde_json::to_string(&page.entries).expect("JSON");
    for part in ["\"Write\"", "\"Bash\"", "hello.txt", "What was done"] {
        assert!(text.contains(part), "the timeline shows {part}");
    }
    assert!(page.ended);
}

#[test]
fn waiting_session_survives_baton_being_killed() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "asks.yaml",
        "
baton: 1
title: Asks
cwd: .
autonomy: 0
nodes:
  - {id: write, agent: claude, prompt: Write a greeting.}
",
    );
    let first = RunningCommand::new(baton(
        &shell,
        &api,
        "write_bash",
        home.path(),
        &["run", &file, "--yes"],
    ));
    let asked = |view: &RunView, tool: &str| match state(view, "write") {
        NodeState::Waiting {
            what: WaitingFor::Person {
                question, request, ..
            },
        } if question.starts_with(tool) => Some(request.clone()),
        _ => None,
    };
    let run = baton_tests::processes::wait("the agent requests permission", || {
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
        // At level 0 the node itself waits for approval before its agent asks for anything.
        if matches!(
            state(&view, "write"),
            NodeState::Waiting {
                what: WaitingFor::Approval { .. }
            }
        ) {
            let input = NodeApprove {
                run,
                node: id(&view, "write"),
                allow: true,
            };
            let _: RunSummary = env
                .call("node_approve", input)
                .map_err(|error| error.message)?;
        }
        asked(&env.view(run), "Write")
            .map(|_| run)
            .ok_or_else(|| format!("{:?}", env.view(run).nodes))
    });
    assert!(first.kill(), "baton is killed while the request is open");

    let mut second = RunningCommand::new(baton(
        &shell,
        &api,
        "write_bash",
        home.path(),
        &["resume", "--all"],
    ));
    let view = env.wait_until(run, |view| {
        view.summary.attendance != RunExecutorView::None && asked(view, "Write").is_some()
    });
    assert_eq!(
        node(&view, "write").attempt.0,
        1,
        "the session kept running and no other was started"
    );
    let answer = |request: String, answer: Answer| NodeAnswer {
        run,
        node: id(&view, "write"),
        request,
        answer,
    };
    let request = asked(&view, "Write").expect("the request is still open");
    let _: RunSummary = env
        .call("node_answer", answer(request, Answer::AllowOnce))
        .expect("the question is open");
    let view = env.wait_until(run, |view| asked(view, "Bash").is_some());
    let request = asked(&view, "Bash").expect("the next tool is requested");
    let _: RunSummary = env
        .call("node_answer", answer(request, Answer::deny()))
        .expect("the question is open");
    let view = env.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "a denied tool is not a failure"
    );
    assert_eq!(
        env.read("hello.txt"),
        "hello from the scripted model\n",
        "the allowed tool ran"
    );
    assert!(
        !env.work_dir.path().join("checked.txt").exists(),
        "the denied tool didn't run"
    );
    while second.next_line().is_some() {}
    let (status, said) = second.end();
    assert!(status.success(), "{said}");
}

#[test]
fn model_error_is_shown_verbatim() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let file = shell.plan_file(
        "error.yaml",
        "baton: 1\ncwd: .\nnodes:\n  - {id: write, agent: claude, prompt: Hello}\n",
    );
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &api,
        "err401",
        home.path(),
        &["run", &file, "--yes"],
    ))
    .end();
    assert_eq!(status.code(), Some(1), "{said}");
    let view = only_run(&env);
    let RunState::Failed { message, .. } = &view.summary.state else {
        panic!("{:?}", view.summary.state)
    };
    assert!(message.contains("hit an agent error"), "{message}");
    assert!(
        message.contains("401") || message.to_lowercase().contains("api key"),
        "{message}"
    );
}

#[test]
fn decision_selects_a_branch() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let text = "
baton: 1
title: Decide
cwd: .
nodes:
  - {id: look, kind: command, command: 'echo all tests pass'}
  - {id: decide, kind: llm_decision, agent: claude, dependsOn: [look], prompt: Ship or hold back?, choices: [ship, hold back]}
  - {id: if-ship, kind: condition, dependsOn: [decide], condition: \"nodes.decide.outputs.decision == 'ship'\", trueStep: ship, falseStep: hold}
  - {id: ship, kind: command, command: 'echo shipped >> ledger'}
  - {id: hold, kind: command, command: 'echo held >> ledger'}
";
    let file = shell.plan_file("decide.yaml", text);
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &api,
        "decide",
        home.path(),
        &["run", &file, "--yes"],
    ))
    .end();
    assert!(status.success(), "{said}");
    assert_eq!(env.read("ledger"), "shipped\n");
    let prompt = &api
        .seen()
        .first()
        .expect("the model got a request")
        .prompt
        .clone();
    assert!(
        prompt.contains("all tests pass") && prompt.contains("- hold back"),
        "{prompt}"
    );
}

#[test]
fn decision_with_an_invalid_choice_fails() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let text = "baton: 1\ncwd: .\nnodes:\n  - {id: decide, kind: llm_decision, prompt: Which?, choices: [one, two]}\n";
    let file = shell.plan_file("undecided.yaml", text);
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &api,
        "undecided",
        home.path(),
        &["run", &file, "--yes"],
    ))
    .end();
    assert_eq!(status.code(), Some(1), "{said}");
    let RunState::Failed { message, .. } = only_run(&env).summary.state else {
        panic!("{said}")
    };
    assert!(
        message.contains("'Perhaps later.', which is not one of one, two"),
        "{message}"
    );
}

#[test]
fn overload_retries_do_not_use_node_retries() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let text =
        "baton: 1\ncwd: .\nnodes:\n  - {id: write, agent: claude, prompt: Hello, maxRetries: 0}\n";
    let file = shell.plan_file("overloaded.yaml", text);
    let words = ["run", &file, "--yes"];
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &api,
        "err529_first_client",
        home.path(),
        &words,
    ))
    .end();
    assert!(status.success(), "{said}");
    let view = only_run(&env);
    let write = node(&view, "write");
    assert_eq!(
        (write.attempt.0, write.marks.losses),
        (2, 1),
        "the node has no retries of its own"
    );
}

#[test]
fn session_continues_after_a_usage_limit() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let text =
        "baton: 1\ncwd: .\nnodes:\n  - {id: write, agent: claude, prompt: Hello, maxRetries: 0}\n";
    let file = shell.plan_file("limited.yaml", text);
    let words = ["run", &file, "--yes"];
    let mut command = baton(&shell, &api, "limit_until_resumed", home.path(), &words);
    // Account limits are only reported to logged-in users, not with an API key.
    command
        .env_remove("ANTHROPIC_API_KEY")
        .env("CLAUDE_CODE_OAUTH_TOKEN", "anything");
    let run = RunningCommand::new(command);
    let (id, parked) = baton_tests::processes::wait("the node to be parked", || {
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
        match state(&env.view(run), "write") {
            NodeState::Waiting {
                what: WaitingFor::LimitUntil { at },
            } => Ok((run, *at)),
            other => Err(format!("{other:?}")),
        }
    });
    // The scripted model reports a limit that resets at the end of 2029. Nodes resume within
    // seconds after that.
    let late = parked.0 - 1_893_456_000_000;
    assert!(
        (1000..12_000).contains(&late),
        "{late} ms after the limit ends"
    );
    let write = node(&env.view(id), "write").clone();
    assert_eq!(write.marks.losses, 0, "waiting doesn't count as a loss");
    let again = NodeRetry {
        run: id,
        node: write.node,
        resume: Some(true),
    };
    let _: RunSummary = env
        .call("node_retry", again)
        .expect("a person can resume earlier");
    let (status, said) = run.end();
    assert!(status.success(), "{said}");
    assert!(said.contains("usage limit"), "{said}");
    let seen = api.seen();
    let went_on = seen.iter().any(|request| {
        request
            .prompt
            .contains("Your work on this step was interrupted")
    });
    assert!(
        went_on,
        "the session continued and no new one started: {seen:?}"
    );
}

#[test]
fn agent_secrets_are_masked_in_session_files() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let text = "baton: 1\ncwd: .\nnodes:\n  - {id: write, agent: claude, prompt: Keep the key.}\n";
    let file = shell.plan_file("secret.yaml", text);
    let words = ["run", &file, "--yes"];
    let (status, said) =
        RunningCommand::new(baton(&shell, &api, "write_secret", home.path(), &words)).end();
    assert!(status.success(), "{said}");
    // The key is in the agent's environment. The permission request to write it passed through
    // Baton.
    assert_eq!(
        env.read(".env"),
        "KEY=sk-ant-fake\n",
        "the written file isn't masked"
    );
    let session = node(&only_run(&env), "write")
        .session
        .expect("an attempt has a session");
    let folder = env.data().join("sessions").join(session.to_string());
    for entry in std::fs::read_dir(&folder).expect("the session's folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read(&path)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default();
        assert!(
            !text.contains("sk-ant-fake"),
            "{} holds the key",
            path.display()
        );
    }
    let range = TimelineRange {
        session,
        from: 0,
        limit: 100,
        since: None,
        of_end: false,
    };
    let page: TimelinePage = env.call("session_timeline", range).expect("a timeline");
    let entries = serde_json::to_string(&page.entries).expect("JSON");
    assert!(
        entries.contains("KEY=[secret]"),
        "the call is shown without its secret: {entries}"
    );
}

#[test]
fn agent_over_its_cost_limit_is_stopped() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    // The scripted model loops forever, at 6,500 tokens per turn.
    let text = "
baton: 1
cwd: .
autonomy: 4
nodes:
  - {id: spend, agent: claude, prompt: Go on., budget: {tokens: 20000}}
";
    let file = shell.plan_file("spend.yaml", text);
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &api,
        "loop",
        home.path(),
        &["run", &file, "--yes"],
    ))
    .end();
    assert_eq!(status.code(), Some(1), "{said}");
    let RunState::Failed { message, .. } = only_run(&env).summary.state else {
        panic!("{said}")
    };
    assert!(
        message.contains("was stopped because its budget ran out"),
        "{message}"
    );
    assert!(message.contains("of 20,000 tokens"), "{message}");
    let query = serde_json::json!({"states": [], "search": "", "sort": "newest", "limit": 1});
    let page: RunsPage = env.call("runs_page", query).expect("a page");
    assert!(page.rows[0].agents_worked && page.rows[0].tokens >= Some(20_000));
}

#[test]
fn lost_agent_resumes_its_session_if_configured() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let text = "
baton: 1
title: Resume
cwd: .
autonomy: 4
nodes:
  - {id: work, agent: claude, prompt: Begin here., afterCrash: resume}
";
    let file = shell.plan_file("resume.yaml", text);
    let running = RunningCommand::new(baton(
        &shell,
        &api,
        "write_bash",
        home.path(),
        &["run", &file, "--yes"],
    ));
    let killed = baton_tests::processes::wait("the agent to have written", || {
        let runs: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 1,
                },
            )
            .expect("runs");
        let view = env.view(runs.first().ok_or("no run yet")?.id);
        let session = node(&view, "work").session.ok_or("no session yet")?;
        if api.seen().is_empty() {
            return Err("no request to the model yet".to_owned());
        }
        let folder = env.data().join("sessions").join(session.to_string());
        let claim = baton_keeper::Claim::read(&folder)
            .ok()
            .flatten()
            .ok_or("no keeper yet")?;
        let done = Command::new("kill")
            .args(["-9", &claim.pid.to_string()])
            .status()
            .expect("kill is installed");
        if done.success() {
            Ok(session)
        } else {
            Err("it has already exited".to_owned())
        }
    });
    let (status, said) = running.end();
    assert!(status.success(), "{said}");
    let view = only_run(&env);
    let work = node(&view, "work");
    assert_eq!(work.attempt.0, 2);
    assert_eq!(
        work.marks.resumes,
        Some(killed),
        "the second attempt continues the first one's session"
    );
    let last = api
        .seen()
        .iter()
        .rev()
        .map(|seen| seen.prompt.clone())
        .find(|prompt| prompt.contains("Your work on this step was interrupted"));
    assert!(
        last.is_some(),
        "the agent was told that its work was interrupted"
    );
}
