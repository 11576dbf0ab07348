//! Tests generated plans: with small scripts as planners, and with the real `claude` and the
//! scripted model.

use std::path::{Path, PathBuf};
use std::process::Command;

use baton_api::wire::*;
use baton_api::{ApiError, Code, Role};
use baton_model::planning::{ProposalState, ProposedChange};
use baton_model::{ProposalId, ReviewState, RunState};
use baton_tests::model_api::ModelApi;
use baton_tests::processes::{self, wait};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{node, state_labels};
use baton_tests::{Shell, TestEnvironment};
use serde_json::json;
use tempfile::TempDir;

pub(crate) const GOOD: &str = r#"Here you are: {"title": "Two things", "reasoning": "They are independent.", "nodes": [
  {"id": "one", "title": "One", "kind": "command", "command": "true"},
  {"id": "two", "title": "Two", "agent": "planner", "prompt": "Do it.", "dependsOn": ["one"], "acceptanceCriteria": ["done.txt exists"]}]}"#;
const CIRCLE: &str = r#"{"title": "C", "nodes": [
  {"id": "a", "title": "Do it", "kind": "command", "command": "true", "dependsOn": ["b"]},
  {"id": "b", "title": "Redo it", "kind": "command", "command": "true", "dependsOn": ["a"]}]}"#;

/// An environment whose planner stores each prompt as `prompt.<n>` and answers with `answer.<n>`,
/// starting at 0.
pub(crate) fn planner_environment(answers: &[&str]) -> TestEnvironment {
    let env = TestEnvironment::new();
    teach(
        &env,
        "n=$(ls prompt.* 2>/dev/null | wc -l); cat > prompt.$n; cat answer.$n",
    );
    for (number, answer) in answers.iter().enumerate() {
        std::fs::write(env.work_dir.path().join(format!("answer.{number}")), answer)
            .expect("enough disk space");
    }
    env
}

pub(crate) fn teach(env: &TestEnvironment, script: &str) {
    let command: Vec<String> = ["sh", "-c", script].map(str::to_owned).to_vec();
    let agent = json!({"id": "planner", "command": command});
    let _: Vec<AgentView> = env.call("agent_save", agent).expect("the agent is saved");
}

fn generate(env: &TestEnvironment, goal: &str) -> ProposalView {
    let input = json!({"goal": goal, "cwd": env.work_dir.path(), "agent": "planner"});
    env.call("plan_generate", input)
        .expect("the planner exists")
}

pub(crate) fn show(env: &TestEnvironment, proposal: ProposalId) -> ProposalView {
    env.call("proposal_get", ProposalRef { proposal })
        .expect("the proposal exists")
}

pub(crate) fn settled(env: &TestEnvironment, proposal: ProposalId) -> ProposalView {
    wait("the planner is done", || {
        let view = show(env, proposal);
        let works = view.summary.state == ProposalState::Working;
        if works {
            Err(format!("{:?}", view.summary))
        } else {
            Ok(view)
        }
    })
}

pub(crate) fn accept(
    env: &TestEnvironment,
    proposal: ProposalId,
) -> Result<ProposalAccepted, ApiError> {
    env.call(
        "proposal_accept",
        ProposalAccept {
            round: None,
            proposal,
            changes: None,
            resume: false,
        },
    )
}

fn titles(env: &TestEnvironment) -> Vec<String> {
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    plans.into_iter().map(|plan| plan.title).collect()
}

#[test]
fn goal_becomes_a_plan_that_a_person_accepts() {
    let env = planner_environment(&[GOOD]);
    let before = titles(&env);
    let begun = generate(&env, "Do two things.");
    assert_eq!(begun.summary.title, "Do two things.");
    let ready = settled(&env, begun.summary.id);
    assert_eq!(ready.summary.state, ProposalState::Ready);
    assert_eq!(ready.reasoning, "They are independent.");
    let draft = ready.draft.expect("there is a draft");
    assert!(
        draft.nodes.iter().all(|node| node.position.is_some()),
        "the draft has a layout"
    );
    assert!(
        ready.summary.session.is_some(),
        "its session can be watched"
    );
    let prompt = env.read("prompt.0");
    for part in [
        "## Goal\nDo two things.",
        "It contains:",
        "agent `planner`",
        "tool `shell`",
        "\"acceptanceCriteria\"",
    ] {
        assert!(prompt.contains(part), "{part} is missing in {prompt}");
    }
    assert_eq!(
        titles(&env),
        before,
        "no plan exists before acceptance, and the planner's own plan is hidden"
    );
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 10,
            },
        )
        .expect("runs");
    let ended: Vec<EndedRunView> = env
        .call("runs_ended", EndedRunsFilter { limit: 10 })
        .expect("ends");
    assert!(
        runs.is_empty() && ended.is_empty(),
        "a planner's run isn't listed"
    );
    let figures: Statistics = env.call("statistics_get", Nothing {}).expect("the figures");
    assert_eq!(
        (figures.used.sessions, figures.by_plan.len()),
        (1, 0),
        "its usage counts, without a blueprint to open"
    );

    let inbox = || {
        env.call::<Vec<InboxItem>>("inbox_list", Nothing {})
            .expect("a list")
    };
    let waiting = || {
        env.call::<Overview>("overview_get", Nothing {})
            .expect("an overview")
            .waiting
    };
    let items = inbox();
    assert_eq!(
        (items.len(), waiting()),
        (1, 1),
        "the proposal waits in the Inbox, its badge and the tray"
    );
    assert_eq!(items[0].plan_title, "Two things");
    assert!(
        matches!(items[0].ask, InboxRequest::Proposal { proposal, .. } if proposal == begun.summary.id)
    );
    let said = Shell::new(&env).run(&["inbox"]);
    assert!(
        said.out
            .contains(&format!("baton proposal accept {}", begun.summary.id)),
        "{said:?}"
    );

    let accepted = accept(&env, begun.summary.id).expect("a ready proposal");
    assert_eq!(
        (inbox().len(), waiting()),
        (0, 0),
        "the proposal is decided"
    );
    assert_eq!(accepted.plan.review, ReviewState::Draft);
    assert_eq!(accepted.plan.plan.description, "Do two things.");
    assert_eq!(
        accepted.plan.plan.origin.created_by.as_deref(),
        Some("planner")
    );
    assert!(titles(&env).contains(&"Two things".to_owned()));
    let again = accept(&env, begun.summary.id).expect_err("the proposal is already accepted");
    assert_eq!(again.code, Code::Refused);
}

#[test]
fn invalid_answer_is_repaired_once() {
    let env = planner_environment(&[CIRCLE, GOOD]);
    let ready = settled(&env, generate(&env, "Do it.").summary.id);
    assert_eq!(ready.summary.state, ProposalState::Ready);
    assert_eq!(ready.rounds.len(), 2);
    let repair = env.read("prompt.1");
    assert!(
        repair.contains("Do it → Redo it → Do it"),
        "the cycle is described with titles: {repair}"
    );
    assert!(
        repair.contains("## Your answer"),
        "an agent that can't resume gets its own answer: {repair}"
    );
}

#[test]
fn invalid_answer_never_becomes_a_plan() {
    let env = planner_environment(&[CIRCLE, "I am sorry, I cannot."]);
    let before = titles(&env);
    let failed = settled(&env, generate(&env, "Do it.").summary.id);
    let ProposalState::Failed { why } = &failed.summary.state else {
        panic!("{:?}", failed.summary.state)
    };
    assert!(why.contains("no JSON object"), "{why}");
    assert_eq!(failed.rounds.len(), 2, "only one repair is tried");
    assert!(failed.draft.is_none());
    assert_eq!(
        accept(&env, failed.summary.id)
            .expect_err("there is no draft")
            .code,
        Code::Refused
    );
    assert_eq!(titles(&env), before);
}

#[test]
fn third_rejection_stops_automatic_retries() {
    let env = planner_environment(&[GOOD, GOOD, GOOD, GOOD]);
    let proposal = settled(&env, generate(&env, "Do it.").summary.id)
        .summary
        .id;
    for (number, feedback) in ["Too small.", "Too large.", "Too late."]
        .into_iter()
        .enumerate()
    {
        let wish = ProposalReject {
            round: None,
            proposal,
            reason: None,
            feedback: feedback.to_owned(),
            again: true,
        };
        let _: ProposalView = env
            .call("proposal_reject", wish)
            .expect("a ready proposal can be rejected");
        let view = settled(&env, proposal);
        let expected = if number < 2 {
            ProposalState::Ready
        } else {
            ProposalState::NeedsReview
        };
        assert_eq!(
            view.summary.state,
            expected,
            "after rejection {}",
            number + 1
        );
    }
    let prompt = env.read("prompt.2");
    assert!(
        prompt.contains("- Too small.\n- Too large."),
        "the planner gets all earlier feedback: {prompt}"
    );
    assert!(prompt.contains("Your last draft"), "{prompt}");
    assert_eq!(
        env.read("prompt.3"),
        "",
        "nothing is retried after the third rejection"
    );
    let _: ProposalView = env
        .call(
            "proposal_retry",
            ProposalRetry {
                proposal,
                feedback: "Once more.".to_owned(),
            },
        )
        .expect("a person can still retry");
    assert_eq!(settled(&env, proposal).summary.state, ProposalState::Ready);
    assert!(env.read("prompt.3").contains("- Too late.\n- Once more."));
}

#[test]
fn planner_can_be_cancelled() {
    let env = planner_environment(&[]);
    teach(&env, "cat > prompt.0; echo thinking; sleep 300");
    let begun = generate(&env, "Do it.");
    let run = begun.summary.run.expect("a planner's run");
    env.wait_until(run, |view| {
        view.nodes.iter().any(|node| node.session.is_some())
    });
    wait("the planner has started", || {
        if env.read("prompt.0").is_empty() {
            Err("nothing yet".to_owned())
        } else {
            Ok(())
        }
    });
    let view: ProposalView = env
        .call(
            "proposal_cancel",
            ProposalRef {
                proposal: begun.summary.id,
            },
        )
        .expect("the planner is still running");
    assert_eq!(view.summary.state, ProposalState::Cancelled);
    processes::wait_for_none(env.data());
    assert_eq!(
        show(&env, begun.summary.id).summary.state,
        ProposalState::Cancelled,
        "the state is final"
    );
}

#[test]
fn proposal_for_an_older_version_is_rejected() {
    let env = planner_environment(&[r#"{"reasoning": "Smaller.", "nodes": [
        {"id": "dig-1", "title": "Dig left", "kind": "command", "command": "true"},
        {"id": "dig-2", "title": "Dig right", "kind": "command", "command": "true"}]}"#]);
    let plan = env.import(
        "{baton: 1, title: Garden, nodes: [
            {id: buy, kind: command, command: 'true'},
            {id: dig, kind: command, command: 'true', dependsOn: [buy]},
            {id: plant, kind: command, command: 'true', dependsOn: [dig]}]}",
    );
    let dig = plan.plan.nodes[1].id;
    let split = json!({"plan": plan.plan.id, "node": dig, "agent": "planner"});
    let begun: ProposalView = env.call("plan_split", split).expect("the planner exists");
    let ready = settled(&env, begun.summary.id);
    assert_eq!(ready.summary.state, ProposalState::Ready);
    let draft = ready.draft.expect("a draft");
    assert_eq!(
        draft.edges.len(),
        4,
        "both wait for the parent, and the child waits for both"
    );
    let partly = [ProposedChange::RemoveNode { node: dig }].to_vec();
    let wish = ProposalAccept {
        round: None,
        proposal: begun.summary.id,
        changes: Some(partly),
        resume: false,
    };
    let mut moved = plan.plan.clone();
    moved.title = "Yard".to_owned();
    let saved = moved.clone();
    let _: PlanSaved = env
        .call(
            "plan_save",
            PlanSave {
                plan: moved,
                base_revision: plan.revision,
            },
        )
        .expect("no conflicting change");
    let refused: ApiError = env
        .call::<ProposalAccepted>("proposal_accept", wish)
        .expect_err("the plan has changed");
    assert_eq!(refused.code, Code::Conflict);
    assert!(
        show(&env, begun.summary.id)
            .summary
            .target
            .is_some_and(|target| target.moved)
    );
    let now: PlanView = env
        .call("plan_get", PlanRef { plan: saved.id })
        .expect("the plan");
    assert_eq!(now.plan, saved, "a refused proposal changes nothing");
}

#[test]
fn finished_nodes_stay_done_after_replanning() {
    let env = planner_environment(&[r#"{"reasoning": "The file was missing.", "nodes": [
        {"id": "first", "keep": true},
        {"id": "repair", "title": "Repair", "kind": "command", "command": "touch needed.txt"},
        {"id": "second", "keep": true, "dependsOn": ["first", "repair"]},
        {"id": "third", "keep": true}]}"#]);
    let run = env.start(
        "{baton: 1, title: Work, nodes: [
            {id: first, kind: command, command: 'echo x >> first.log; echo word=hello >> $BATON_OUTPUT'},
            {id: second, kind: command, command: 'test -e needed.txt', dependsOn: [first]},
            {id: third, kind: command, command: 'echo {{nodes.first.outputs.word}} > third.txt', dependsOn: [second]}]}",
    );
    let failed = env.finish(run.summary.id);
    assert!(
        matches!(failed.summary.state, RunState::Failed { .. }),
        "{:?}",
        failed.summary.state
    );
    let wish = json!({"run": run.summary.id, "agent": "planner", "wish": "Be quick."});
    let begun: ProposalView = env.call("run_replan", wish).expect("the run has failed");
    let ready = settled(&env, begun.summary.id);
    assert_eq!(ready.summary.state, ProposalState::Ready, "{ready:#?}");
    let prompt = env.read("prompt.0");
    for part in [
        "`first` is done",
        "`second` ended with exit code 1",
        "  > - Attempt 1: ended with exit code 1",
        "`third` was not done yet",
        "Be quick.",
    ] {
        assert!(prompt.contains(part), "{part} is missing in {prompt}");
    }
    assert_eq!(ready.impact_sentences, ["1 finished node stays done"]);
    let wish = ProposalAccept {
        round: None,
        proposal: begun.summary.id,
        changes: None,
        resume: true,
    };
    let accepted: ProposalAccepted = env
        .call("proposal_accept", wish)
        .expect("nothing has changed");
    assert_eq!(
        (accepted.plan.version, accepted.plan.review),
        (2, ReviewState::Approved)
    );
    let next = env.finish(accepted.run.expect("the plan is run again"));
    assert_eq!(next.summary.state, RunState::Completed);
    assert_eq!(
        state_labels(&next),
        ["first done", "repair done", "second done", "third done"]
    );
    assert_eq!(
        env.read("first.log"),
        "x\n",
        "finished nodes don't run again"
    );
    assert_eq!(env.read("third.txt"), "hello\n", "its handoff is available");
    assert_eq!(
        node(&next, "first").artifact,
        node(&failed, "first").artifact
    );
    let versions: Vec<PlanVersionRow> = env
        .call(
            "plan_versions",
            PlanRef {
                plan: accepted.plan.plan.id,
            },
        )
        .expect("versions");
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0].author, "agent:planner");
}

#[test]
fn automatic_replanning_is_limited_to_three() {
    let answer = r#"{"reasoning": "Again.", "nodes": [{"id": "fail", "title": "Fail N", "kind": "command", "command": "exit N"}]}"#;
    let answers: Vec<String> = (2..6)
        .map(|number| answer.replace('N', &number.to_string()))
        .collect();
    let env = planner_environment(&answers.iter().map(String::as_str).collect::<Vec<_>>());
    let _: Settings = {
        let mut settings: Settings = env.call("settings_get", Nothing {}).expect("settings");
        settings.default_agent = "planner".to_owned();
        env.call("settings_save", settings)
            .expect("the agent exists")
    };
    let stays = env.second_process(Role::Server);
    let first =
        env.start("{baton: 1, title: Hard, replan: propose, nodes: [{id: fail, kind: command, command: exit 1}]}");
    let mut run = env.finish(first.summary.id).summary.id;
    for number in 0..3 {
        let proposal = wait("a proposal is created automatically", || {
            let filter = ProposalsFilter {
                open: true,
                plan: Some(first.summary.plan),
                limit: 10,
            };
            let found: Vec<ProposalSummary> =
                stays.call("proposals_list", filter).expect("proposals");
            found
                .first()
                .map(|found| found.id)
                .ok_or_else(|| "none yet".to_owned())
        });
        let ready = settled(&stays, proposal);
        assert_eq!(
            ready.summary.state,
            ProposalState::Ready,
            "try {number}: {ready:#?}"
        );
        assert!(ready.summary.author.automatic);
        let wish = ProposalAccept {
            round: None,
            proposal,
            changes: None,
            resume: true,
        };
        let accepted: ProposalAccepted = stays
            .call("proposal_accept", wish)
            .expect("nothing has changed");
        run = accepted.run.expect("the plan is run again");
        let failed = stays.finish(run);
        // The next proposal may already be requested.
        let is_failed = matches!(
            failed.summary.state,
            RunState::Failed { .. } | RunState::Replanning { .. }
        );
        assert!(is_failed, "{:?}", failed.summary.state);
    }
    let failed = stays.view(run);
    // A fourth one would have been requested by now: its prompt is written before the last run's
    // end is visible.
    let found: Vec<ProposalSummary> = stays
        .call(
            "proposals_list",
            ProposalsFilter {
                open: true,
                plan: Some(failed.summary.plan),
                limit: 10,
            },
        )
        .expect("proposals");
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn planner_survives_baton_being_killed() {
    let env = planner_environment(&[GOOD]);
    teach(
        &env,
        "cat > prompt.0; while [ ! -e go ]; do sleep 0.05; done; cat answer.0",
    );
    let shell = Shell::new(&env);
    let words = ["plan", "generate", "Do it.", "--agent", "planner"];
    let first = RunningCommand::new(shell.baton(&words));
    let proposal = wait("the planner is running", || {
        let filter = ProposalsFilter {
            open: true,
            plan: None,
            limit: 1,
        };
        let found: Vec<ProposalSummary> = env.call("proposals_list", filter).expect("proposals");
        let begun = found.first().filter(|_| !env.read("prompt.0").is_empty());
        begun
            .map(|begun| begun.id)
            .ok_or_else(|| "not yet".to_owned())
    });
    assert!(first.kill(), "baton is killed during planning");
    let next = env.second_process(Role::Server);
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let ready = settled(&next, proposal);
    assert_eq!(ready.summary.state, ProposalState::Ready, "{ready:#?}");
    assert_eq!(ready.rounds.len(), 1, "only one session was started");
    assert_eq!(env.read("prompt.1"), "");
}

#[test]
fn missing_agents_are_reported() {
    let env = TestEnvironment::new();
    let mut command = Shell::new(&env).baton(&["--json", "plan", "generate", "Do it."]);
    let output = command
        .env("PATH", "/nowhere")
        .output()
        .expect("baton starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("\"no_agent\"") && said.contains("template"),
        "{said}"
    );
}

/// Returns `baton plan generate` with the real claude, configured for the scripted model.
fn by_claude(shell: &Shell, api: &ModelApi, scenario: &str, home: &Path) -> Command {
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
    let mut command = shell.baton(&[
        "plan",
        "generate",
        "Greet everybody.",
        "--agent",
        "claude",
        "--yes",
        "--json",
    ]);
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

#[test]
fn claude_generates_a_plan_and_markup_stays_text() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let (status, said) = RunningCommand::new(by_claude(&shell, &api, "plan", home.path())).end();
    assert!(status.success(), "{said}");
    let accepted: ProposalAccepted = serde_json::from_str(said.trim()).expect("one document");
    assert_eq!(accepted.plan.plan.title, "<b>Greet</b> & go");
    assert_eq!(
        accepted.plan.plan.nodes[0].title,
        "<img src=x onerror=alert(1)>"
    );
    let prompts: Vec<String> = api.seen().into_iter().map(|seen| seen.prompt).collect();
    assert!(
        prompts
            .iter()
            .any(|prompt| prompt.contains("## Goal\nGreet everybody.")),
        "{prompts:?}"
    );
}

#[test]
fn claude_repairs_its_plan_in_the_same_session() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let (status, said) =
        RunningCommand::new(by_claude(&shell, &api, "plan_repaired", home.path())).end();
    assert!(status.success(), "{said}");
    let complaint = api
        .seen()
        .into_iter()
        .find(|seen| seen.prompt.starts_with("Your answer cannot be used"));
    let complaint = complaint
        .expect("the session continues instead of a new one")
        .prompt;
    assert!(complaint.contains("First → Second → First"), "{complaint}");
    let all: Vec<ProposalSummary> = env
        .call(
            "proposals_list",
            ProposalsFilter {
                open: false,
                plan: None,
                limit: 5,
            },
        )
        .expect("proposals");
    assert_eq!(all[0].rounds, 2);
}

#[test]
fn claude_with_repeated_bad_answers_leaves_no_plan() {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let before = titles(&env);
    let (status, said) =
        RunningCommand::new(by_claude(&shell, &api, "plan_never", home.path())).end();
    assert_eq!(status.code(), Some(1), "{said}");
    assert_eq!(titles(&env), before);
}
