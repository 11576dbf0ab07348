//! Tests authorization: processes inside sessions, programs with tokens, and agents outside of
//! Baton.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use baton_api::wire::*;
use baton_api::{AccessLevel, Actor, Code};
use baton_model::{NodeState, RunState};
use baton_tests::test_environment::{id, program, state};
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};

/// Returns the pending requests of agents.
fn requests(env: &TestEnvironment) -> Vec<RequestView> {
    env.call("requests_list", Nothing {}).expect("a list")
}

fn waits(view: &RunView, slug: &str) -> bool {
    matches!(state(view, slug), NodeState::Waiting { .. })
}

/// Starts a run whose node `attack` runs `script`, next to a node `held` that a person must
/// approve.
///
/// In the script, `$B` is `baton` on the data of `env`, and the file `held` contains the id of the
/// other node.
fn attack(env: &TestEnvironment, script: &str) -> RunView {
    let data = env.data().display();
    let baton = program("baton").display().to_string();
    let text = format!(
        "
baton: 1
title: Attack
autonomy: 0
nodes:
  - id: attack
    kind: command
    command: |
      export B='{baton} --data-dir {data}' NO_COLOR=1
      {}
  - {{id: held, kind: command, command: 'touch decided'}}
",
        script.trim().replace('\n', "\n      ")
    );
    let run = env.start(&text).summary.id;
    let view = env.wait_until(run, |view| waits(view, "attack") && waits(view, "held"));
    std::fs::write(
        env.work_dir.path().join("held"),
        id(&view, "held").to_string(),
    )
    .expect("enough disk space");
    let approve = NodeApprove {
        run,
        node: id(&view, "attack"),
        allow: true,
    };
    let _: RunSummary = env
        .call("node_approve", approve)
        .expect("a person can approve");
    // Sessions are authorized by their run's executor, which is this test.
    let app = std::sync::Arc::clone(&env.app);
    std::thread::spawn(move || drop(app.wait_for_run(run)));
    env.wait_until(run, |view| state(view, "attack").has_ended())
}

/// Ways for a process to hide that it belongs to a session, as prefixes of a `baton` command.
const DISGUISES: [&str; 6] = [
    "$B",
    "setsid --wait $B",
    "nohup $B",
    "env -i $B",
    "env -u BATON_SESSION_MARK -u BATON_RUN_ID $B",
    "setsid sh -c '(\"$@\" > answer 2>&1; echo $? > code) & wait' sh $B",
];

#[test]
fn session_cannot_impersonate_a_person() {
    for disguise in DISGUISES {
        let env = TestEnvironment::new();
        let script = format!(
            "{disguise} node approve $BATON_RUN_ID held > said 2>&1; echo $? > ended; [ -f code ] && mv code ended; true"
        );
        let view = attack(&env, &script);
        assert_eq!(
            env.read("ended").trim(),
            "3",
            "{disguise}: {}{}",
            env.read("said"),
            env.read("answer")
        );
        assert!(
            waits(&env.view(view.summary.id), "held"),
            "{disguise} could approve the node"
        );
        let waiting = requests(&env);
        let [request] = waiting.as_slice() else {
            panic!("{disguise}: expected one request: {waiting:#?}")
        };
        assert_eq!(request.operation, "node_approve");
        let of = request.of.as_ref().expect("the request belongs to a node");
        assert_eq!((of.run, of.slug.as_str()), (view.summary.id, "attack"));
        assert_eq!(request.actor, Actor::Session(of.session));
        let _: RunSummary = env
            .call(
                "run_cancel",
                RunRef {
                    run: view.summary.id,
                },
            )
            .expect("the run is active");
        assert!(requests(&env).is_empty(), "requests end with their run");
    }
}

#[test]
fn request_is_executed_when_a_person_allows_it() {
    let env = TestEnvironment::new();
    let view = attack(
        &env,
        "for i in 1 2 3; do $B node approve $BATON_RUN_ID held; done; true",
    );
    let waiting = requests(&env);
    let [request] = waiting.as_slice() else {
        panic!("expected equal calls to be one request: {waiting:#?}")
    };
    let shell = Shell::new(&env);
    let listed = shell.run(&["inbox"]);
    assert!(
        listed.out.contains("node_approve") && listed.out.contains(&request.id.to_string()),
        "{}",
        listed.out
    );
    let allowed = shell.run(&["request", "allow", &request.id.to_string()]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.err);
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert!(env.work_dir.path().join("decided").exists());
    let printed = shell.run(&["runs", "show", &view.summary.id.to_string(), "--history"]);
    assert!(
        printed
            .out
            .contains("'held' was approved to start  by person:shell"),
        "{}",
        printed.out
    );
    let view: RequestView = env
        .call(
            "request_get",
            RequestRef {
                request: request.id,
            },
        )
        .expect("the result is stored");
    assert_eq!(
        view.decided_by.map(|actor| actor.to_string()).as_deref(),
        Some("person:shell")
    );
}

/// Calls that need a person's decision, as lines of a script. None may change anything.
const DECISIONS: [(&str, i32); 9] = [
    (
        "$B call node_answer '{\"run\":\"'$BATON_RUN_ID'\",\"node\":\"'$(cat held)'\",\"request\":\"1\",\"answer\":{\"answer\":\"allow_once\"}}'",
        3,
    ),
    ("$B plan approve $BATON_PLAN_ID", 3),
    ("$B run --yes other.yaml", 3),
    ("$B plan delete $BATON_PLAN_ID --yes", 3),
    ("$B node done $BATON_RUN_ID held", 3),
    ("$B node skip $BATON_RUN_ID held", 3),
    ("$B token create --name mine --surface decide", 3),
    (
        "$B call request_allow '{\"request\":\"00000000-0000-7000-8000-000000000000\"}'",
        3,
    ),
    // Calls that a session isn't even allowed to read are rejected instead of becoming requests.
    ("$B call settings_get", 2),
];

#[test]
fn deciding_calls_from_a_session_become_requests() {
    let env = TestEnvironment::new();
    let other =
        "baton: 1\ntitle: Other\nnodes:\n  - {id: a, kind: command, command: touch other-ran}\n";
    std::fs::write(env.work_dir.path().join("other.yaml"), other).expect("enough disk space");
    let lines = DECISIONS
        .iter()
        .map(|(line, _)| format!("{line} >> said 2>&1; echo $? >> codes"));
    let view = attack(&env, &lines.collect::<Vec<_>>().join("\n"));
    let codes: Vec<String> = DECISIONS.iter().map(|(_, code)| code.to_string()).collect();
    assert_eq!(
        env.read("codes").lines().collect::<Vec<_>>(),
        codes,
        "{}",
        env.read("said")
    );
    assert!(waits(&env.view(view.summary.id), "held"));
    assert!(!env.work_dir.path().join("other-ran").exists());
    let tokens: Vec<TokenView> = env.call("tokens_list", Nothing {}).expect("a list");
    assert!(tokens.is_empty(), "{tokens:?}");
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("a list");
    assert!(plans.iter().all(|plan| plan.title != "Other"));
    let waiting = requests(&env).len();
    assert_eq!(
        waiting,
        DECISIONS.iter().filter(|(_, code)| *code == 3).count()
    );
    let _: RunSummary = env
        .call(
            "run_cancel",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("the run is active");
}

#[test]
fn session_can_read_its_plan_and_pause_its_run() {
    let env = TestEnvironment::new();
    let elsewhere = env.import(
        "baton: 1\ntitle: Elsewhere\nnodes:\n  - {id: a, kind: command, command: 'true'}\n",
    );
    let script = format!(
        "$B plan list --json > plans\n$B plan show $BATON_PLAN_ID > own\n\
         $B plan show {} > foreign 2>&1; echo $? > refused\n$B runs pause $BATON_RUN_ID > paused 2>&1",
        elsewhere.plan.id
    );
    let view = attack(&env, &script);
    let plans: Vec<Value> = serde_json::from_str(&env.read("plans")).expect("a list");
    let titles: Vec<&str> = plans
        .iter()
        .filter_map(|plan| plan["title"].as_str())
        .collect();
    assert_eq!(titles, ["Attack"], "a session only sees its own plan");
    assert!(env.read("own").contains("held"), "{}", env.read("own"));
    assert_eq!(env.read("refused").trim(), "2", "{}", env.read("foreign"));
    let view = env.wait_until(view.summary.id, |view| {
        matches!(view.summary.state, RunState::Paused { .. })
    });
    let history: Vec<Value> = env
        .call(
            "run_history",
            json!({ "run": view.summary.id, "after": 0, "limit": 100 }),
        )
        .expect("a history");
    let actors: Vec<&str> = history
        .iter()
        .filter_map(|row| row["actor"].as_str())
        .collect();
    assert!(
        actors.iter().any(|actor| actor.starts_with("session:")),
        "the history names who paused it: {actors:?}"
    );
}

/// Runs `baton serve` on the data of a test environment.
struct Served {
    child: Child,
    address: String,
    token: String,
}

impl Served {
    fn over(env: &TestEnvironment) -> Self {
        let mut command = Shell::new(env).baton(&["serve", "--json"]);
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("baton starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout is piped"))
            .read_line(&mut line)
            .expect("text");
        let printed: Value = serde_json::from_str(&line).expect("JSON");
        let text = |name: &str| printed[name].as_str().unwrap_or_default().to_owned();
        Self {
            child,
            address: format!("127.0.0.1:{}", printed["port"]),
            token: text("token"),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a bash command that posts `body` to an operation and prints the response.
fn post(address: &str, token: &str, operation: &str, body: &str) -> String {
    let port = address.rsplit(':').next().unwrap_or_default();
    format!(
        "body={body}; exec 3<>/dev/tcp/127.0.0.1/{port}; \
         printf 'POST /api/operations/{operation} HTTP/1.1\\r\\nhost: {address}\\r\\nauthorization: Bearer {token}\\r\\n\
         content-type: application/json\\r\\nconnection: close\\r\\ncontent-length: %s\\r\\n\\r\\n%s' ${{#body}} \"$body\" >&3; cat <&3"
    )
}

#[test]
fn token_inside_a_session_grants_no_person_rights() {
    let env = TestEnvironment::new();
    let served = Served::over(&env);
    let created: TokenCreated = env
        .call(
            "token_create",
            TokenCreate {
                name: "mine".to_owned(),
                surface: AccessLevel::Decide,
            },
        )
        .expect("a person can create a token");
    for token in [&served.token, &created.token] {
        let line = post(&served.address, token, "node_approve", "$(cat body)");
        std::fs::write(env.work_dir.path().join("post.sh"), line).expect("enough disk space");
        let script = "printf '{\"run\":\"%s\",\"node\":\"%s\",\"allow\":true}' $BATON_RUN_ID $(cat held) > body
setsid --wait env -i bash post.sh > answer 2>&1";
        let view = attack(&env, script);
        let answer = env.read("answer");
        assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
        assert!(
            answer.contains(r#""state":"waits_for_person""#) && answer.contains("/api/requests/"),
            "{answer}"
        );
        assert!(waits(&env.view(view.summary.id), "held"));
        let _: RunSummary = env
            .call(
                "run_cancel",
                RunRef {
                    run: view.summary.id,
                },
            )
            .expect("the run is active");
    }
    // The same call from outside of a session.
    let line = post(&served.address, &created.token, "settings_get", "'{}'");
    let output = Command::new("bash")
        .args(["-c", &line])
        .output()
        .expect("bash starts");
    assert!(
        output.stdout.starts_with(b"HTTP/1.1 200"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn token_grants_its_surface_until_revoked() {
    let env = TestEnvironment::new();
    let mut served = Served::over(&env);
    let shell = Shell::new(&env);
    let say = |served: &Served, token: &str, operation: &str, body: &str| {
        let line = post(&served.address, token, operation, body);
        let output = Command::new("bash")
            .args(["-c", &line])
            .output()
            .expect("bash starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    let mut tokens = Vec::new();
    for surface in ["read", "write", "decide"] {
        let made = shell.run(&["token", "create", "--name", surface, "--surface", surface]);
        assert_eq!(made.code, Some(0), "{}", made.err);
        tokens.push(made.out.trim().to_owned());
    }
    let create = "'{\"title\":\"T\",\"description\":\"\",\"cwd\":null}'";
    let revoke = "'{\"name\":\"nobody\"}'";
    let statuses = |served: &Served| {
        let of = |token: &String| {
            [
                ("plans_list", "'{}'"),
                ("plan_create", create),
                ("token_revoke", revoke),
            ]
            .map(|(operation, body)| say(served, token, operation, body))
        };
        tokens.iter().map(of).collect::<Vec<_>>()
    };
    let expected = [
        ["200", "403", "403"],
        ["200", "200", "403"],
        ["200", "200", "404"],
    ];
    assert_eq!(statuses(&served), expected);

    // Tokens survive a restart, including the browser's.
    let browser = served.token.clone();
    drop(served);
    served = Served::over(&env);
    assert_eq!(served.token, browser);
    assert_eq!(statuses(&served), expected);

    let listed = shell.run(&["token", "list"]);
    assert!(
        tokens
            .iter()
            .all(|token| !listed.out.contains(token.as_str())),
        "a token is only shown once"
    );
    assert_eq!(shell.run(&["token", "revoke", "write"]).code, Some(0));
    assert_eq!(say(&served, &tokens[1], "plans_list", "'{}'"), "401");
}

/// Runs a command below a fake agent, outside Baton.
fn below_an_agent(line: &str) -> std::process::Output {
    let script = format!(
        "exec -a claude bash -c {}",
        shell_word(&format!("{line}; exit $?"))
    );
    Command::new("bash")
        .args(["-c", &script])
        .env("NO_COLOR", "1")
        .output()
        .expect("bash starts")
}

fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[test]
fn approval_by_an_outside_agent_is_a_request() {
    let env = TestEnvironment::new();
    let plan = env.import(
        "baton: 1\ntitle: Draft\nnodes:\n  - {id: a, kind: command, command: 'touch ran'}\n",
    );
    let baton = program("baton").display().to_string();
    let said = below_an_agent(&format!(
        "{baton} plan approve {} --data-dir {}",
        plan.plan.id,
        env.data().display()
    ));
    assert_eq!(
        said.status.code(),
        Some(3),
        "{}",
        String::from_utf8_lossy(&said.stderr)
    );
    let waiting = requests(&env);
    let [request] = waiting.as_slice() else {
        panic!("expected one request: {waiting:#?}")
    };
    assert_eq!(
        (request.operation.as_str(), request.actor.clone()),
        ("plan_approve", Actor::Agent("claude".to_owned()))
    );
    assert_eq!(request.plan_title.as_deref(), Some("Draft"));
    let error = env
        .run(plan.plan.id, RunGoal::All)
        .expect_err("the plan isn't approved");
    assert_eq!(error.code, Code::NotApproved);
}

#[test]
fn agent_controls_a_data_directory_it_created() {
    let data = tempfile::tempdir().expect("enough disk space");
    let plan = data.path().join("plan.yaml");
    std::fs::write(
        &plan,
        "baton: 1\ntitle: Own\nnodes:\n  - {id: a, kind: command, command: 'touch ran'}\n",
    )
    .expect("enough disk space");
    let baton = program("baton").display().to_string();
    let own = data.path().join("data");
    let line = format!(
        "cd {} && {baton} plan list --data-dir {1} && {baton} run --yes plan.yaml --data-dir {1}",
        data.path().display(),
        own.display()
    );
    let said = below_an_agent(&line);
    assert_eq!(
        said.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&said.stderr)
    );
    assert!(data.path().join("ran").exists());
}

#[test]
fn keeper_of_another_data_directory_is_ignored() {
    let env = TestEnvironment::new();
    let other = tempfile::tempdir().expect("enough disk space");
    let baton = program("baton").display().to_string();
    let inner =
        "baton: 1\ntitle: Inner\nnodes:\n  - {id: a, kind: command, command: 'touch inner-ran'}\n";
    std::fs::write(env.work_dir.path().join("inner.yaml"), inner).expect("enough disk space");
    let line = format!(
        "{baton} run --yes inner.yaml --data-dir {}",
        other.path().display()
    );
    let text = format!(
        "baton: 1\ntitle: Outer\nnodes:\n  - {{id: a, kind: command, command: '{line}'}}\n"
    );
    let view = env.finish(env.start(&text).summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert!(env.work_dir.path().join("inner-ran").exists());
}

const TOOLS: &str = "
baton: 1
title: Tools
autonomy: 4
nodes:
  - {id: make, kind: tool_call, toolName: create_plan, toolArgs: {name: Made, goal: By a tool}}
  - {id: list, kind: tool_call, toolName: list_plans, dependsOn: [make]}
  - {id: execute, kind: tool_call, toolName: execute_plan, toolArgs: {plan_id: Ready}, dependsOn: [list]}
  - {id: delete, kind: tool_call, toolName: delete_plan, toolArgs: {plan_id: Made}, dependsOn: [execute]}
";

#[test]
fn plan_tools_only_do_what_the_approved_plan_says() {
    let env = TestEnvironment::new();
    env.import_approved(
        "baton: 1\ntitle: Ready\nnodes:\n  - {id: a, kind: command, command: 'touch ready-ran'}\n",
    );
    let run = env.start(TOOLS).summary.id;
    let view = env.finish(run);
    assert!(
        matches!(state(&view, "make"), NodeState::Done { .. }),
        "{:?}",
        state(&view, "make")
    );
    assert!(
        matches!(state(&view, "execute"), NodeState::Done { .. }),
        "{:?}",
        state(&view, "execute")
    );
    assert!(env.work_dir.path().join("ready-ran").exists());
    assert!(
        matches!(state(&view, "delete"), NodeState::Failed { .. }),
        "{:?}",
        state(&view, "delete")
    );
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("a list");
    assert!(
        plans.iter().any(|plan| plan.title == "Made"),
        "only a person can delete a plan"
    );
}

#[test]
fn child_run_ends_with_its_starting_node() {
    let env = TestEnvironment::new();
    let slow = "baton: 1\ntitle: Ready\nnodes:\n  - {id: a, kind: command, command: 'touch begun; sleep 600'}\n";
    let inner = env.import_approved(slow).plan.id;
    let outer = "baton: 1\ntitle: Outer\nautonomy: 4\nnodes:\n  - {id: execute, kind: tool_call, toolName: execute_plan, toolArgs: {plan_id: Ready}}\n";
    let run = env.start(outer).summary.id;
    let app = std::sync::Arc::clone(&env.app);
    std::thread::spawn(move || drop(app.wait_for_run(run)));
    let begun = env.work_dir.path().join("begun");
    env.wait_until(run, |_| begun.exists());
    let _: RunSummary = env
        .call("run_cancel", RunRef { run })
        .expect("the run is active");
    env.finish(run);
    let filter = RunsFilter {
        plan: Some(inner),
        limit: 1,
    };
    let runs: Vec<RunSummary> = env.call("runs_list", filter).expect("a list");
    let ended = env.wait_until(runs[0].id, |view| view.summary.state.has_ended());
    assert_eq!(ended.summary.state, RunState::Cancelled);
}
