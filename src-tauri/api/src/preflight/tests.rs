//! Tests of the preflight checks.

use std::sync::Arc;

use baton_model::node::{
    AfterCrash, CommandLine, CommandTask, LoopBody, LoopTask, NodeKind, OnFailure, ParallelTask,
    SubPlanTask, ToolCall,
};
use baton_model::{Edge, Node, NodeId, Plan, PlanId, Slug};
use baton_planning::preflight::{self, report};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::{Code, Role, plans};

struct TestEnvironment {
    app: Arc<App>,
    place: TempDir,
}

impl TestEnvironment {
    fn new() -> Self {
        let place = TempDir::new().expect("temp dir");
        // Nothing runs here; the program only has to exist.
        let keeper = place.path().join("keeper");
        std::fs::write(&keeper, "").expect("write file");
        let app =
            App::open_with_keeper(place.path().join("data"), Role::Cli, keeper).expect("opens");
        Self { app, place }
    }

    /// Stores an approved plan with a chain of these nodes.
    fn plan(&self, title: &str, kinds: Vec<NodeKind>) -> Plan {
        let mut plan = Plan::new(PlanId(Uuid::now_v7()), title);
        plan.cwd = Some(self.place.path().display().to_string());
        for (number, kind) in kinds.into_iter().enumerate() {
            let slug = Slug::new(&format!("n{number}")).expect("valid slug");
            plan.nodes.push(Node::new(
                NodeId(Uuid::now_v7()),
                slug,
                format!("{title} {number}"),
                kind,
            ));
        }
        plan.edges = plan
            .nodes
            .windows(2)
            .map(|pair| Edge {
                parent: pair[0].id,
                child: pair[1].id,
                soft: false,
                inferred: false,
            })
            .collect();
        let view = plans::create_from(&self.app, plan).expect("valid plan");
        let approval = PlanApprove {
            plan: view.plan.id,
            revision: view.revision,
            anyway: true,
        };
        plans::approve(&self.app, approval).expect("forced").plan
    }

    fn report(&self, plan: &Plan) -> String {
        let found = report(self.app.context(), plan).expect("store is readable");
        let report = found
            .checks
            .iter()
            .filter(|check| check.verdict != CheckVerdict::Passed);
        let lines: Vec<_> = report
            .map(|check| format!("{:?}: {}", check.verdict, check.full_message()))
            .collect();
        assert_eq!(
            found.may_run,
            !lines.iter().any(|line| line.starts_with("Failed"))
        );
        lines.join("\n")
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

fn sub_plan(name: &str) -> NodeKind {
    NodeKind::SubPlan(SubPlanTask {
        sub_plan_id: name.to_owned(),
        ..SubPlanTask::default()
    })
}

fn call(name: &str, arguments: serde_json::Value) -> ToolCall {
    let serde_json::Value::Object(tool_args) = arguments else {
        panic!("arguments are a mapping")
    };
    ToolCall {
        tool_name: name.to_owned(),
        tool_args,
    }
}

#[test]
fn sub_plans_exist_are_approved_and_acyclic() {
    let env = TestEnvironment::new();
    let sound = env.plan(
        "Sound",
        vec![NodeKind::ToolCall(call(
            "list_plans",
            serde_json::json!({}),
        ))],
    );
    let again = NodeKind::Loop(LoopTask {
        body: LoopBody::Plan(SubPlanTask {
            sub_plan_id: "Sound".to_owned(),
            ..SubPlanTask::default()
        }),
        max_iterations: 2,
        loop_condition: None,
    });
    let fine = env.plan(
        "Fine",
        vec![sub_plan(&sound.id.to_string()), sub_plan("Sound"), again],
    );
    assert_eq!(env.report(&fine), "");

    env.plan("Twin", vec![]);
    env.plan("Twin", vec![]);
    env.plan("First", vec![sub_plan("Second")]);
    env.plan("Second", vec![sub_plan("Third"), sub_plan("Sound")]);
    env.plan("Third", vec![sub_plan("First")]);
    let draft = plans::create(
        &env.app,
        PlanCreate {
            title: "Draft".to_owned(),
            description: String::new(),
            cwd: Some("/nowhere/at/all".to_owned()),
        },
    );
    assert!(draft.is_ok());
    let unknown = Uuid::from_u128(7).to_string();
    let all = vec![
        sub_plan("Nowhere"),
        sub_plan(&unknown),
        sub_plan("Twin"),
        sub_plan("First"),
        sub_plan("Draft"),
    ];
    let top = env.plan("Top", all);
    insta::assert_snapshot!(env.report(&top));
}

#[test]
fn tool_calls_match_their_schemas() {
    let env = TestEnvironment::new();
    let steps = vec![
        call("glob", serde_json::json!({"pattern": "*"})),
        call("git/log", serde_json::json!({})),
    ];
    let plan = env.plan(
        "Calls",
        vec![
            NodeKind::ToolCall(call("raed", serde_json::json!({}))),
            NodeKind::ToolCall(call("read", serde_json::json!({"file": "a"}))),
            NodeKind::Parallel(ParallelTask {
                steps,
                wait_all: true,
                max_concurrent: 5,
            }),
        ],
    );
    insta::assert_snapshot!(env.report(&plan));
}

#[test]
fn deciding_agents_are_checked() {
    let env = TestEnvironment::new();
    let task = baton_model::node::DecisionTask {
        agent: Some("nobody".to_owned()),
        prompt: "Well?".to_owned(),
        choices: vec!["yes".to_owned(), "no".to_owned()],
        ..Default::default()
    };
    let plan = env.plan("Decides", vec![NodeKind::LlmDecision(task)]);
    insta::assert_snapshot!(env.report(&plan));
}

#[test]
fn disabled_nodes_are_not_checked() {
    let env = TestEnvironment::new();
    let task = baton_model::node::AgentTask {
        agent: Some("nobody".to_owned()),
        prompt: "Work.".to_owned(),
        ..Default::default()
    };
    let command = NodeKind::ToolCall(call("list_plans", serde_json::json!({})));
    let wrong = NodeKind::ToolCall(call("raed", serde_json::json!({})));
    let mut plan = env.plan(
        "Partly",
        vec![NodeKind::Agent(task), wrong, sub_plan("Nowhere"), command],
    );
    let found = report(env.app.context(), &plan).expect("store is readable");
    assert!(!found.may_run);
    for node in &mut plan.nodes[..3] {
        node.disabled = true;
    }
    assert_eq!(env.report(&plan), "");
    let passed = report(env.app.context(), &plan)
        .expect("store is readable")
        .checks;
    assert!(
        passed
            .iter()
            .any(|check| check.sentence == "4 nodes, 3 of them disabled, no cycles"),
        "{passed:?}"
    );
    plan.nodes[3].disabled = true;
    assert_eq!(
        env.report(&plan),
        "Warning: every node is disabled, so a run would do nothing: enable at least one node"
    );
}

/// Approving reports what prevents the plan from running; the person may insist.
#[test]
fn plan_that_cannot_run_needs_approval_anyway() {
    let env = TestEnvironment::new();
    let here = env.place.path().display().to_string();
    let ask = |agent: &str| {
        let task = baton_model::node::DecisionTask {
            agent: Some(agent.to_owned()),
            prompt: "Well?".to_owned(),
            choices: vec!["yes".to_owned(), "no".to_owned()],
            ..Default::default()
        };
        NodeKind::LlmDecision(task)
    };
    let run = || NodeKind::ToolCall(call("list_plans", serde_json::json!({})));
    let table = [
        (
            Some(here.as_str()),
            vec![],
            "the plan has no nodes to run: add a node first",
        ),
        (
            Some("/nowhere/at/all"),
            vec![run()],
            "the directory /nowhere/at/all doesn't exist: create it",
        ),
        (
            None,
            vec![run()],
            "the plan has no working directory: choose one",
        ),
        (
            Some(here.as_str()),
            vec![ask("nobody")],
            "uses the agent 'nobody', which is not defined: choose another",
        ),
        (Some(here.as_str()), vec![run()], ""),
    ];
    for (cwd, kinds, why) in table {
        let mut plan = Plan::new(PlanId(Uuid::now_v7()), "A plan");
        plan.cwd = cwd.map(str::to_owned);
        let node = |kind| {
            Node::new(
                NodeId(Uuid::now_v7()),
                Slug::new("n").expect("valid slug"),
                "N",
                kind,
            )
        };
        plan.nodes = kinds.into_iter().map(node).collect();
        let view = plans::create_from(&env.app, plan).expect("valid plan");
        let approve_request = |anyway| PlanApprove {
            plan: view.plan.id,
            revision: view.revision,
            anyway,
        };
        let approval = plans::approve(&env.app, approve_request(false));
        if why.is_empty() {
            assert_eq!(
                approval.expect("approved").review,
                baton_model::ReviewState::Approved
            );
            continue;
        }
        let error = approval.expect_err(why);
        assert_eq!(error.code, Code::Refused);
        assert!(
            error.faults.iter().any(|fault| fault.contains(why)),
            "{error:?}"
        );
        let untouched = plans::view(&env.app, view.plan.id).expect("exists");
        assert_eq!(untouched.review, baton_model::ReviewState::Draft, "{why}");
        let insisted = plans::approve(&env.app, approve_request(true)).expect("forced");
        assert_eq!(insisted.review, baton_model::ReviewState::Approved, "{why}");
    }
}

#[test]
fn repository_state_is_reported() {
    let env = TestEnvironment::new();
    let plan = env.plan(
        "Work",
        vec![NodeKind::ToolCall(call(
            "list_plans",
            serde_json::json!({}),
        ))],
    );
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.current_dir(env.place.path()).args([
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@localhost",
        ]);
        command
            .args(arguments)
            .output()
            .expect("git is installed")
            .status
            .success()
    };
    let write = |name: &str, text: &str| {
        std::fs::write(env.place.path().join(name), text).expect("write file")
    };
    assert!(git(&["init", "--quiet", "--initial-branch=main"]));
    assert_eq!(
        env.report(&plan),
        "Warning: the repository has no commits yet: create an initial commit: worktrees are based on it"
    );
    write("file", "1");
    assert!(git(&["add", "file", "keeper"]) && git(&["commit", "--quiet", "-m", "one"]));
    assert_eq!(
        env.report(&plan),
        "",
        "everything is committed, except for Baton's own data"
    );
    for name in ["a", "b", "c", "file"] {
        write(name, "2");
    }
    assert!(
        env.report(&plan)
            .contains("4 files have uncommitted changes: file, a, b and 1 more: commit them first"),
        "{}",
        env.report(&plan)
    );
    assert!(git(&["config", "filter.crypt.clean", "tr a-z n-za-m"]));
    write(".gitattributes", "secret filter=crypt\n");
    assert!(
        !env.report(&plan).contains("crypt"),
        "no file uses the filter"
    );
    write("secret", "plain");
    let report = env.report(&plan);
    assert!(
        report.contains("secret uses the filter crypt, which only the repository's own"),
        "{report}"
    );
    for name in ["secret", ".gitattributes"] {
        std::fs::remove_file(env.place.path().join(name)).expect("exists");
    }
    assert!(
        git(&["checkout", "--quiet", "-b", "other"])
            && git(&["commit", "--quiet", "-a", "-m", "two"])
    );
    assert!(git(&["checkout", "--quiet", "main"]));
    write("file", "3");
    assert!(git(&["commit", "--quiet", "-a", "-m", "three"]));
    assert!(!git(&["merge", "other"]), "the merge conflicts");
    let report = env.report(&plan);
    assert!(
        report.contains(
            "a merge is in progress in the repository: finish it first, or abort it with `git merge --abort`"
        ),
        "{report}"
    );
}

#[test]
fn agent_without_login_is_reported() {
    let env = TestEnvironment::new();
    let node = Node::new(
        NodeId(Uuid::now_v7()),
        Slug::new("n").expect("valid slug"),
        "N",
        sub_plan("Any"),
    );
    let folder = TempDir::new().expect("temp dir");
    let home = folder.path().display().to_string();
    for agent in env.app.engine.agents().all() {
        let probe = agent.probe();
        std::fs::write(folder.path().join(&probe.program), "").expect("write file");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path().join(&probe.program), mode)
            .expect("set permissions");
        let environment = [
            ("PATH".to_owned(), home.clone()),
            ("HOME".to_owned(), home.clone()),
        ]
        .into();
        let found = preflight::check_agent(env.app.context(), &node, agent.id(), &environment);
        if probe.login.is_empty() {
            assert_eq!(found.verdict, CheckVerdict::Passed, "{found:?}");
        } else {
            assert_eq!(found.verdict, CheckVerdict::Warning, "{found:?}");
            assert_eq!(found.mend.as_deref(), Some(probe.not_logged_in.as_str()));
            assert!(found.sentence.contains(agent.title()), "{found:?}");
        }
    }
}

fn command(cwd: Option<&str>) -> NodeKind {
    let command = CommandLine::Shell("make".to_owned());
    NodeKind::Command(CommandTask {
        command,
        env: Default::default(),
        cwd: cwd.map(str::to_owned),
    })
}

#[test]
fn restart_without_rollback_is_reported() {
    let env = TestEnvironment::new();
    let restarting = |mut plan: Plan| {
        plan.nodes
            .iter_mut()
            .for_each(|node| node.after_crash = AfterCrash::Restart);
        env.report(&plan)
    };
    let one = env.plan("One", vec![command(None)]);
    assert_eq!(env.report(&one), "", "Baton asks after a crash");
    let fix = "run `git init` there, or have Baton ask first (`afterCrash: ask`)";
    let outside = "without restoring files, because the directory is not a git repository";
    assert_eq!(
        restarting(one.clone()),
        format!("Warning: after a crash, 'One 0' restarts {outside}: {fix}")
    );
    let three = env.plan("Three", vec![command(None), command(None), command(None)]);
    let nodes = "'Three 0' and 2 more nodes restart";
    assert_eq!(
        restarting(three),
        format!("Warning: after a crash, {nodes} {outside}: {fix}")
    );

    let repository = env.place.path().join("repository");
    std::fs::create_dir_all(&repository).expect("create folder");
    let made = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(&repository)
        .status();
    assert!(made.expect("git is installed").success());
    let deep = env.plan("Deep", vec![command(Some("repository"))]);
    assert_eq!(restarting(deep), "", "the command works in a repository");
    let sub = env.plan("Sub", vec![sub_plan(&one.id.to_string())]);
    assert_eq!(
        restarting(sub),
        "Warning: after a crash, 'Sub 0' restarts without restoring files, because Baton doesn't \
         checkpoint sub-plans: have Baton ask first (`afterCrash: ask`)"
    );
}

#[test]
fn failure_edge_to_disabled_node_is_a_warning() {
    let env = TestEnvironment::new();
    let command = || {
        let command = CommandLine::Argv(vec!["/bin/true".to_owned()]);
        NodeKind::Command(baton_model::node::CommandTask {
            command,
            env: Default::default(),
            cwd: None,
        })
    };
    let mut plan = env.plan("Handled", vec![command(), command()]);
    plan.nodes[0].on_failure = OnFailure::Node(plan.nodes[1].id);
    assert_eq!(env.report(&plan), "");
    plan.nodes[1].disabled = true;
    let warning = "Warning: when 'Handled 0' fails, the run should continue at 'Handled 1', which is disabled: \
                   enable that node; otherwise, this failure fails the run";
    assert_eq!(env.report(&plan), warning);
    plan.nodes[0].disabled = true;
    plan.nodes[1].disabled = false;
    assert_eq!(env.report(&plan), "", "a disabled node can't fail");
}
