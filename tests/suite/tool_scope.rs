//! Tests tools outside of a plan's list and the answers of a person, using the real `claude` and
//! the scripted model.

use std::path::Path;

use baton_api::wire::*;
use baton_model::run::{Answer, WaitingFor};
use baton_model::{NodeState, RunId};
use baton_tests::Shell;
use baton_tests::TestEnvironment;
use baton_tests::model_api::ModelApi;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, node, state};
use tempfile::TempDir;

use crate::agents_run::baton;

/// A Baton and the scripted model of its agents.
struct Stage {
    env: TestEnvironment,
    api: ModelApi,
    home: TempDir,
}

impl Stage {
    fn new() -> Self {
        Self {
            env: TestEnvironment::new(),
            api: ModelApi::start().expect("a port"),
            home: TempDir::new().expect("a folder"),
        }
    }

    /// Starts a run of a plan with these lines.
    fn run(&self, scenario: &str, plan: &str) -> (RunningCommand, RunId) {
        let shell = Shell::new(&self.env);
        let file = shell.plan_file(
            "scope.yaml",
            &format!("baton: 1\ntitle: Scope\ncwd: .\n{plan}"),
        );
        let running = RunningCommand::new(baton(
            &shell,
            &self.api,
            scenario,
            self.home.path(),
            &["run", &file, "--yes"],
        ));
        let run = baton_tests::processes::wait("the run starts", || {
            let runs: Vec<RunSummary> = self
                .env
                .call(
                    "runs_list",
                    RunsFilter {
                        plan: None,
                        limit: 1,
                    },
                )
                .expect("runs");
            runs.first()
                .map(|run| run.id)
                .ok_or_else(|| "no run yet".to_owned())
        });
        (running, run)
    }

    /// Returns the open request of `slug` if it is about `tool`. At level 0, allows the node first.
    fn asked(&self, run: RunId, slug: &str, tool: &str) -> Option<String> {
        let view = self.env.view(run);
        match state(&view, slug) {
            NodeState::Waiting {
                what: WaitingFor::Approval { .. },
            } => {
                let input = NodeApprove {
                    run,
                    node: id(&view, slug),
                    allow: true,
                };
                let _: RunSummary = self.env.call("node_approve", input).ok()?;
                None
            }
            NodeState::Waiting {
                what:
                    WaitingFor::Person {
                        request,
                        call: Some(call),
                        ..
                    },
            } if call.tool == tool => Some(request.clone()),
            _ => None,
        }
    }

    fn answer(&self, run: RunId, slug: &str, tool: &str, answer: Answer) {
        let request = baton_tests::processes::wait("the agent requests permission", || {
            self.asked(run, slug, tool)
                .ok_or_else(|| format!("{:?}", state(&self.env.view(run), slug)))
        });
        let view = self.env.view(run);
        let input = NodeAnswer {
            run,
            node: id(&view, slug),
            request,
            answer,
        };
        let _: RunSummary = self
            .env
            .call("node_answer", input)
            .expect("the request is open");
    }

    /// Returns the command that `work` requests, and the id of the request.
    fn asked_command(&self, run: RunId) -> (String, String) {
        baton_tests::processes::wait("the agent requests permission", || {
            match state(&self.env.view(run), "work") {
                NodeState::Waiting {
                    what:
                        WaitingFor::Person {
                            request,
                            call: Some(call),
                            ..
                        },
                } => Ok((call.command.clone().unwrap_or_default(), request.clone())),
                state => Err(format!("{state:?}")),
            }
        })
    }

    fn answer_request(
        &self,
        run: RunId,
        request: String,
        answer: Answer,
    ) -> Result<RunSummary, baton_api::ApiError> {
        let node = id(&self.env.view(run), "work");
        self.env.call(
            "node_answer",
            NodeAnswer {
                run,
                node,
                request,
                answer,
            },
        )
    }

    fn grants(&self, plan: baton_model::PlanId) -> Vec<GrantView> {
        self.env
            .call("grants_list", GrantsFilter { plan })
            .expect("a list of permissions")
    }

    fn has(&self, file: &str) -> bool {
        Path::new(self.env.work_dir.path()).join(file).exists()
    }

    /// Returns whether `text` was sent to the model as a tool result.
    fn model_read(&self, text: &str) -> bool {
        self.api.seen().iter().any(|seen| seen.sent.contains(text))
    }
}

const SENTENCE: &str = "Tool Bash is not available in this plan. Only: Write";

#[test]
fn tool_scope_modes_are_enforced() {
    for (mode, runs, noted) in [
        ("off", true, None),
        ("log", true, Some(false)),
        ("enforce", false, Some(true)),
    ] {
        let stage = Stage::new();
        let plan = format!(
            "toolScope: {mode}\nnodes:\n  - {{id: work, prompt: Go., toolsRequired: [Write]}}\n"
        );
        let (running, run) = stage.run("write_bash", &plan);
        let (status, said) = running.end();
        assert!(status.success(), "{mode}: {said}");
        assert!(stage.has("hello.txt"), "{mode}: listed tools run");
        assert_eq!(stage.has("checked.txt"), runs, "{mode}");
        assert_eq!(
            stage.model_read(SENTENCE),
            !runs,
            "{mode}: the agent gets the tool list"
        );
        let view = stage.env.view(run);
        let outside = &node(&view, "work").marks.outside;
        assert_eq!(
            outside.first().map(|call| call.refused),
            noted,
            "{mode}: {outside:?}"
        );
        assert_eq!(
            outside.len(),
            usize::from(noted.is_some()),
            "{mode}: each call once, {outside:?}"
        );
        if noted == Some(false) {
            assert_eq!(
                outside[0].note,
                format!("would have been blocked: {SENTENCE}")
            );
            assert!(outside[0].what.starts_with("Bash: "), "{outside:?}");
        }
    }
}

#[test]
fn list_covers_calls_that_claude_allows_by_itself() {
    let stage = Stage::new();
    // `cat` only reads, so that Claude Code runs it without a permission request.
    let plan = "toolScope: enforce\nnodes:\n  - {id: work, prompt: Go., toolsRequired: [Write]}\n";
    let (running, _) = stage.run("cat", plan);
    let (status, said) = running.end();
    assert!(status.success(), "{said}");
    assert!(stage.model_read(SENTENCE), "{:?}", stage.api.seen());
}

#[test]
fn list_covers_subagents_of_claude() {
    let stage = Stage::new();
    let plan = "toolScope: enforce\nnodes:\n  - {id: work, prompt: Go., toolsRequired: [Agent]}\n";
    let (running, run) = stage.run("helper", plan);
    let (status, said) = running.end();
    assert!(status.success(), "{said}");
    let asked_helper = stage
        .api
        .seen()
        .iter()
        .any(|seen| seen.prompt.contains("Look at the greeting"));
    assert!(
        asked_helper,
        "the subagent ran: {:?}",
        node(&stage.env.view(run), "work")
    );
    assert!(
        !stage.has("helped.txt"),
        "the subagent's denied call didn't run"
    );
    assert!(stage.model_read("Tool Bash is not available in this plan. Only: Agent"));
}

#[test]
fn denial_reason_reaches_the_model() {
    let stage = Stage::new();
    let (running, run) = stage.run(
        "write_bash",
        "autonomy: 0\nnodes:\n  - {id: work, prompt: Go.}\n",
    );
    stage.answer(run, "work", "Write", Answer::AllowOnce);
    stage.answer(
        run,
        "work",
        "Bash",
        Answer::Deny {
            reason: "Use make instead.".to_owned(),
        },
    );
    let (status, said) = running.end();
    assert!(status.success(), "{said}");
    assert!(!stage.has("checked.txt"));
    assert!(
        stage.model_read("The person who supervises this plan denied this call: Use make instead.")
    );
}

#[test]
fn node_permission_covers_later_calls_and_attempts() {
    let stage = Stage::new();
    let plan = "guardedTools: [Write]\nnodes:\n  - {id: work, prompt: Go.}\n";
    let (running, run) = stage.run("write_twice", plan);
    stage.answer(run, "work", "Write", Answer::allow_node());
    let (status, said) = running.end();
    assert!(status.success(), "{said}");
    assert!(
        stage.has("one.txt") && stage.has("two.txt"),
        "the second call needed no permission"
    );
    let shell = Shell::new(&stage.env);
    let run_id = run.to_string();
    let words = ["node", "rerun", run_id.as_str(), "work"];
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &stage.api,
        "write_twice",
        stage.home.path(),
        &words,
    ))
    .end();
    assert!(
        status.success(),
        "the second attempt needs no permission: {said}"
    );
    let view = stage.env.view(run);
    assert_eq!(node(&view, "work").attempt.0, 2);
    let filter = GrantsFilter {
        plan: view.summary.plan,
    };
    let grants: Vec<GrantView> = stage
        .env
        .call("grants_list", filter)
        .expect("a list of permissions");
    assert_eq!(
        grants
            .iter()
            .map(|given| given.of.as_ref().map(|of| of.run))
            .collect::<Vec<_>>(),
        [Some(run)]
    );
}

#[test]
fn permission_answer_is_delivered_once_despite_crashes() {
    let stage = Stage::new();
    let shell = Shell::new(&stage.env);
    let plan = "baton: 1\ntitle: Scope\ncwd: .\nguardedTools: [Write]\nnodes:\n  - {id: work, prompt: Go.}\n";
    let file = shell.plan_file("scope.yaml", plan);
    let mut command = baton(
        &shell,
        &stage.api,
        "write_twice",
        stage.home.path(),
        &["run", &file, "--yes"],
    );
    command.env("BATON_CRASH_AT", "before answer");
    let running = RunningCommand::new(command);
    let run = baton_tests::processes::wait("the run starts", || {
        let runs: Vec<RunSummary> = stage
            .env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 1,
                },
            )
            .expect("runs");
        runs.first()
            .map(|run| run.id)
            .ok_or_else(|| "no run yet".to_owned())
    });
    let request = baton_tests::processes::wait("the agent requests permission", || {
        stage
            .asked(run, "work", "Write")
            .ok_or_else(|| "no request yet".to_owned())
    });
    let view = stage.env.view(run);
    let answer = Answer::allow_node();
    // The executor crashes while it receives the answer, so that the caller may get no result.
    drop(stage.env.call::<RunSummary>(
        "node_answer",
        NodeAnswer {
            run,
            node: id(&view, "work"),
            request,
            answer,
        },
    ));
    let (status, said) = running.end();
    assert!(!status.success(), "baton should crash: {said}");
    let words = ["resume", "--all"];
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &stage.api,
        "write_twice",
        stage.home.path(),
        &words,
    ))
    .end();
    assert!(status.success(), "{said}");
    // Whichever process took over the run, the request isn't repeated.
    stage
        .env
        .wait_until(run, |view| view.summary.state.has_ended());
    assert!(stage.has("one.txt") && stage.has("two.txt"));
    assert_eq!(
        node(&stage.env.view(run), "work").attempt.0,
        1,
        "the session kept running"
    );
}

#[test]
fn plan_permission_covers_other_nodes_until_revoked() {
    let stage = Stage::new();
    let plan = "guardedTools: [Write]\nnodes:\n  - {id: first, prompt: Go.}\n  - {id: second, prompt: Go., dependsOn: [first]}\n";
    let (running, run) = stage.run("write_twice", plan);
    stage.answer(run, "first", "Write", Answer::allow_plan());
    let (status, said) = running.end();
    assert!(status.success(), "{said}");
    assert_eq!(
        said.matches("asks: Write").count(),
        4,
        "each use of a permission is recorded: {said}"
    );
    let plan = stage.env.view(run).summary.plan;
    let grants: Vec<GrantView> = stage
        .env
        .call("grants_list", GrantsFilter { plan })
        .expect("a list of permissions");
    let [given] = &grants[..] else {
        panic!("expected one permission: {grants:?}")
    };
    assert_eq!((given.grant.tool.as_str(), &given.of), ("Write", &None));

    let shell = Shell::new(&stage.env);
    let words = ["run", "Scope", "--yes"];
    let (status, said) = RunningCommand::new(baton(
        &shell,
        &stage.api,
        "write_twice",
        stage.home.path(),
        &words,
    ))
    .end();
    assert!(status.success(), "a later run needs no permission: {said}");
    let revoke = GrantRevoke {
        plan,
        grant: given.grant.clone(),
        of: None,
    };
    let left: Vec<GrantView> = stage
        .env
        .call("grant_revoke", revoke)
        .expect("the permission is revoked");
    assert!(left.is_empty());
}

#[test]
fn prefix_permission_is_valid_until_the_node_changes() {
    const MORE: &str = "git status; touch more.txt";
    let stage = Stage::new();
    let plan = "guardedTools: [Bash]\nnodes:\n  - {id: work, prompt: Go.}\n";
    let (running, run) = stage.run("git_status", plan);
    let (command, request) = stage.asked_command(run);
    assert_eq!(command, "git status");
    let begins = |words: &str| Answer::AllowPlan {
        begins: vec![words.to_owned()],
    };
    let refused = stage
        .answer_request(run, request.clone(), begins("git"))
        .expect_err("the prefix is too broad");
    assert!(refused.message.contains("any program"), "{refused:?}");
    stage
        .answer_request(run, request, begins("git status"))
        .expect("the request is open");
    let (command, request) = stage.asked_command(run);
    assert_eq!(
        command, MORE,
        "commands with the prefix ran without a request"
    );
    stage
        .answer_request(run, request, Answer::deny())
        .expect("the request is open");
    let (status, said) = running.end();
    assert!(status.success(), "{said}");
    assert!(!stage.has("more.txt"));

    let plan = stage.env.view(run).summary.plan;
    let [given] = &stage.grants(plan)[..] else {
        panic!("expected one permission")
    };
    assert_eq!(given.given_in, Some(id(&stage.env.view(run), "work")));
    let found: Preflight = stage
        .env
        .call("plan_preflight", PlanRef { plan })
        .expect("checks");
    let mentions_prefix = |check: &Check| {
        check
            .sentence
            .contains("commands that begin with `git status`")
    };
    assert!(
        found.checks.iter().any(mentions_prefix),
        "{:?}",
        found.checks
    );

    // In another process and another run.
    let shell = Shell::new(&stage.env);
    let words = ["run", "Scope", "--yes"];
    let again = RunningCommand::new(baton(
        &shell,
        &stage.api,
        "git_status",
        stage.home.path(),
        &words,
    ));
    let run = baton_tests::processes::wait("the second run starts", || {
        let runs: Vec<RunSummary> = stage
            .env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 2,
                },
            )
            .expect("runs");
        runs.iter()
            .map(|other| other.id)
            .find(|other| *other != run)
            .ok_or_else(|| "no run yet".to_owned())
    });
    let (command, request) = stage.asked_command(run);
    assert_eq!(command, MORE, "there was no other request");
    stage
        .answer_request(run, request, Answer::deny())
        .expect("the request is open");
    let (status, said) = again.end();
    assert!(status.success(), "{said}");
    let approval = shell
        .baton(&["plan", "approve", "Scope"])
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&approval.stderr);
    assert!(
        said.contains("commands that begin with `git status`"),
        "the approver sees it: {said}"
    );

    let view: PlanView = stage
        .env
        .call("plan_get", PlanRef { plan })
        .expect("the plan");
    let mut changed = view.plan.clone();
    changed.nodes[0].instructions = "Look twice.".to_owned();
    let save = PlanSave {
        plan: changed,
        base_revision: view.revision,
    };
    let _: PlanSaved = stage
        .env
        .call("plan_save", save)
        .expect("the plan is saved");
    assert_eq!(stage.grants(plan), [], "the node has changed");
}
