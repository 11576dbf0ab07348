//! Tests of what is found out before a run.

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

struct House {
    app: Arc<App>,
    place: TempDir,
}

impl House {
    fn new() -> Self {
        let place = TempDir::new().expect("room for data");
        // Nothing runs here, so the program only has to be there.
        let keeper = place.path().join("keeper");
        std::fs::write(&keeper, "").expect("room for a file");
        let app = App::open_with_keeper(place.path().join("data"), Role::Cli, keeper)
            .expect("an empty folder opens");
        Self { app, place }
    }

    /// Stores an approved plan of these nodes, a chain.
    fn plan(&self, title: &str, kinds: Vec<NodeKind>) -> Plan {
        let mut plan = Plan::new(PlanId(Uuid::now_v7()), title);
        plan.cwd = Some(self.place.path().display().to_string());
        for (number, kind) in kinds.into_iter().enumerate() {
            let slug = Slug::new(&format!("n{number}")).expect("plain");
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
            })
            .collect();
        let view = plans::put(&self.app, plan).expect("it is sound");
        let approval = PlanApprove {
            plan: view.plan.id,
            revision: view.revision,
            anyway: true,
        };
        plans::approve(&self.app, approval)
            .expect("somebody insists")
            .plan
    }

    fn told(&self, plan: &Plan) -> String {
        let found = report(self.app.context(), plan).expect("the store can be read");
        let told = found
            .checks
            .iter()
            .filter(|check| check.verdict != CheckVerdict::Passed);
        let lines: Vec<_> = told
            .map(|check| format!("{:?}: {}", check.verdict, check.in_full()))
            .collect();
        assert_eq!(
            found.may_run,
            !lines.iter().any(|line| line.starts_with("Failed"))
        );
        lines.join("\n")
    }
}

impl Drop for House {
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
fn the_plans_that_a_plan_runs_are_there_approved_and_not_itself() {
    let house = House::new();
    let sound = house.plan(
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
    let fine = house.plan(
        "Fine",
        vec![sub_plan(&sound.id.to_string()), sub_plan("Sound"), again],
    );
    assert_eq!(house.told(&fine), "");

    house.plan("Twin", vec![]);
    house.plan("Twin", vec![]);
    house.plan("First", vec![sub_plan("Second")]);
    house.plan("Second", vec![sub_plan("Third"), sub_plan("Sound")]);
    house.plan("Third", vec![sub_plan("First")]);
    let draft = plans::create(
        &house.app,
        PlanCreate {
            title: "Draft".to_owned(),
            description: String::new(),
            cwd: Some("/nowhere/at/all".to_owned()),
        },
    );
    assert!(draft.is_ok());
    let nobody = Uuid::from_u128(7).to_string();
    let all = vec![
        sub_plan("Nowhere"),
        sub_plan(&nobody),
        sub_plan("Twin"),
        sub_plan("First"),
        sub_plan("Draft"),
    ];
    let top = house.plan("Top", all);
    insta::assert_snapshot!(house.told(&top));
}

#[test]
fn calls_fit_their_tools() {
    let house = House::new();
    let steps = vec![
        call("glob", serde_json::json!({"pattern": "*"})),
        call("git/log", serde_json::json!({})),
    ];
    let plan = house.plan(
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
    insta::assert_snapshot!(house.told(&plan));
}

#[test]
fn agents_that_decide_are_looked_for() {
    let house = House::new();
    let task = baton_model::node::DecisionTask {
        agent: Some("nobody".to_owned()),
        prompt: "Well?".to_owned(),
        choices: vec!["yes".to_owned(), "no".to_owned()],
        ..Default::default()
    };
    let plan = house.plan("Decides", vec![NodeKind::LlmDecision(task)]);
    insta::assert_snapshot!(house.told(&plan));
}

#[test]
fn nothing_is_wanted_of_the_machine_for_a_disabled_node() {
    let house = House::new();
    let task = baton_model::node::AgentTask {
        agent: Some("nobody".to_owned()),
        prompt: "Work.".to_owned(),
        ..Default::default()
    };
    let command = NodeKind::ToolCall(call("list_plans", serde_json::json!({})));
    let wrong = NodeKind::ToolCall(call("raed", serde_json::json!({})));
    let mut plan = house.plan(
        "Partly",
        vec![NodeKind::Agent(task), wrong, sub_plan("Nowhere"), command],
    );
    let found = report(house.app.context(), &plan).expect("the store can be read");
    assert!(!found.may_run);
    for node in &mut plan.nodes[..3] {
        node.disabled = true;
    }
    assert_eq!(house.told(&plan), "");
    let passed = report(house.app.context(), &plan)
        .expect("the store can be read")
        .checks;
    assert!(
        passed
            .iter()
            .any(|check| check.sentence == "4 nodes, 3 of them disabled, no cycle"),
        "{passed:?}"
    );
    plan.nodes[3].disabled = true;
    assert_eq!(
        house.told(&plan),
        "Warning: every node is disabled, so a run does nothing: enable one"
    );
}

/// Whoever approves hears what keeps the plan from running, and may insist.
#[test]
fn a_plan_that_cannot_run_is_approved_only_by_somebody_who_insists() {
    let house = House::new();
    let here = house.place.path().display().to_string();
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
            "the plan has nothing to run: add a node first",
        ),
        (
            Some("/nowhere/at/all"),
            vec![run()],
            "the directory /nowhere/at/all is not there: make it",
        ),
        (
            None,
            vec![run()],
            "the plan has no working directory: choose one",
        ),
        (
            Some(here.as_str()),
            vec![ask("nobody")],
            "wants the agent 'nobody', which Baton does not know: choose another",
        ),
        (Some(here.as_str()), vec![run()], ""),
    ];
    for (cwd, kinds, why) in table {
        let mut plan = Plan::new(PlanId(Uuid::now_v7()), "A plan");
        plan.cwd = cwd.map(str::to_owned);
        let node = |kind| {
            Node::new(
                NodeId(Uuid::now_v7()),
                Slug::new("n").expect("plain"),
                "N",
                kind,
            )
        };
        plan.nodes = kinds.into_iter().map(node).collect();
        let view = plans::put(&house.app, plan).expect("it is sound");
        let word = |anyway| PlanApprove {
            plan: view.plan.id,
            revision: view.revision,
            anyway,
        };
        let said = plans::approve(&house.app, word(false));
        if why.is_empty() {
            assert_eq!(
                said.expect("nothing is wrong").review,
                baton_model::ReviewState::Approved
            );
            continue;
        }
        let error = said.expect_err(why);
        assert_eq!(error.code, Code::Refused);
        assert!(
            error.faults.iter().any(|fault| fault.contains(why)),
            "{error:?}"
        );
        let untouched = plans::view(&house.app, view.plan.id).expect("it is there");
        assert_eq!(untouched.review, baton_model::ReviewState::Draft, "{why}");
        let insisted = plans::approve(&house.app, word(true)).expect("a person insists");
        assert_eq!(insisted.review, baton_model::ReviewState::Approved, "{why}");
    }
}

#[test]
fn the_state_of_the_repository_is_told() {
    let house = House::new();
    let plan = house.plan(
        "Work",
        vec![NodeKind::ToolCall(call(
            "list_plans",
            serde_json::json!({}),
        ))],
    );
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.current_dir(house.place.path()).args([
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@localhost",
        ]);
        command
            .args(arguments)
            .output()
            .expect("git is there")
            .status
            .success()
    };
    let write =
        |name: &str, text: &str| std::fs::write(house.place.path().join(name), text).expect("room");
    assert!(git(&["init", "--quiet", "--initial-branch=main"]));
    assert_eq!(
        house.told(&plan),
        "Warning: the repository has no commit yet: make a first commit: worktrees start from it"
    );
    write("file", "1");
    assert!(git(&["add", "file", "keeper"]) && git(&["commit", "--quiet", "-m", "one"]));
    assert_eq!(
        house.told(&plan),
        "",
        "all is committed, and Baton's own data does not count"
    );
    for name in ["a", "b", "c", "file"] {
        write(name, "2");
    }
    assert!(
        house
            .told(&plan)
            .contains("4 files are not committed: file, a, b, …: commit them first"),
        "{}",
        house.told(&plan)
    );
    assert!(git(&["config", "filter.crypt.clean", "tr a-z n-za-m"]));
    write(".gitattributes", "secret filter=crypt\n");
    assert!(
        !house.told(&plan).contains("crypt"),
        "no file goes through it"
    );
    write("secret", "plain");
    let told = house.told(&plan);
    assert!(
        told.contains("secret goes through the filter crypt, which only the repository's own"),
        "{told}"
    );
    for name in ["secret", ".gitattributes"] {
        std::fs::remove_file(house.place.path().join(name)).expect("it is there");
    }
    assert!(
        git(&["checkout", "--quiet", "-b", "other"])
            && git(&["commit", "--quiet", "-a", "-m", "two"])
    );
    assert!(git(&["checkout", "--quiet", "main"]));
    write("file", "3");
    assert!(git(&["commit", "--quiet", "-a", "-m", "three"]));
    assert!(!git(&["merge", "other"]), "they do not fit together");
    let told = house.told(&plan);
    assert!(
        told.contains(
            "a merge is under way in the repository: finish it first, or give it up with `git merge --abort`"
        ),
        "{told}"
    );
}

#[test]
fn an_agent_without_a_sign_of_a_login_is_told() {
    let house = House::new();
    let node = Node::new(
        NodeId(Uuid::now_v7()),
        Slug::new("n").expect("plain"),
        "N",
        sub_plan("Any"),
    );
    let folder = TempDir::new().expect("a folder");
    let home = folder.path().display().to_string();
    for agent in house.app.engine.agents().all() {
        let probe = agent.probe();
        std::fs::write(folder.path().join(&probe.program), "").expect("room");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path().join(&probe.program), mode).expect("our file");
        let environment = [
            ("PATH".to_owned(), home.clone()),
            ("HOME".to_owned(), home.clone()),
        ]
        .into();
        let found = preflight::agent(house.app.context(), &node, agent.id(), &environment);
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
fn a_restart_that_cannot_take_files_back_is_told() {
    let house = House::new();
    let restarting = |mut plan: Plan| {
        plan.nodes
            .iter_mut()
            .for_each(|node| node.after_crash = AfterCrash::Restart);
        house.told(&plan)
    };
    let one = house.plan("One", vec![command(None)]);
    assert_eq!(house.told(&one), "", "a person decides after a crash");
    let mend = "run `git init` there, or let a person decide (`afterCrash: ask`)";
    let outside = "with the files as they are then, since the directory is not under git";
    assert_eq!(
        restarting(one.clone()),
        format!("Warning: after a crash 'One 0' starts again {outside}: {mend}")
    );
    let three = house.plan("Three", vec![command(None), command(None), command(None)]);
    let who = "'Three 0' and 2 more nodes start again";
    assert_eq!(
        restarting(three),
        format!("Warning: after a crash {who} {outside}: {mend}")
    );

    let repository = house.place.path().join("repository");
    std::fs::create_dir_all(&repository).expect("room");
    let made = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(&repository)
        .status();
    assert!(made.expect("git is there").success());
    let deep = house.plan("Deep", vec![command(Some("repository"))]);
    assert_eq!(restarting(deep), "", "the command works in a repository");
    let sub = house.plan("Sub", vec![sub_plan(&one.id.to_string())]);
    assert_eq!(
        restarting(sub),
        "Warning: after a crash 'Sub 0' starts again with the files as they are then, since the files of a \
         plan within the plan are not kept: let a person decide (`afterCrash: ask`)"
    );
}

#[test]
fn failure_that_leads_to_a_disabled_node_is_warned_of() {
    let house = House::new();
    let command = || {
        let command = CommandLine::Argv(vec!["/bin/true".to_owned()]);
        NodeKind::Command(baton_model::node::CommandTask {
            command,
            env: Default::default(),
            cwd: None,
        })
    };
    let mut plan = house.plan("Handled", vec![command(), command()]);
    plan.nodes[0].on_failure = OnFailure::Node(plan.nodes[1].id);
    assert_eq!(house.told(&plan), "");
    plan.nodes[1].disabled = true;
    let warning = "Warning: a failure of 'Handled 0' leads to 'Handled 1', which is disabled: \
                   enable that node; otherwise the failure fails the run";
    assert_eq!(house.told(&plan), warning);
    plan.nodes[0].disabled = true;
    plan.nodes[1].disabled = false;
    assert_eq!(house.told(&plan), "", "what is disabled fails nowhere");
}
