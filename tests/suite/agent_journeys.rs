//! The real agents, connected by `baton agents connect`, plan with a person: they propose, read
//! comments, revise, are told that a person decides, and follow the run. Those with hooks are
//! guarded.
//!
//! The scripted model makes the calls; the agents' own MCP clients carry them out. pi has no MCP
//! client: it reads only the skill, so it isn't here.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use baton_api::wire::*;
use baton_model::PlanId;
use baton_model::planning::ProposalState;
use baton_tests::model_api::{ModelApi, Seen};
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::real_agent::{Variables, agent};

/// How an agent is started without a person. The prompt comes on its standard input.
const INVOCATIONS: [(&str, &[&str]); 4] = [
    ("claude", &["-p", "--allowedTools", "mcp__baton", "Bash"]),
    (
        "codex",
        &[
            "exec",
            "--skip-git-repo-check",
            "-s",
            "workspace-write",
            // Stands for the person who trusts the hook in /hooks.
            "--dangerously-bypass-hook-trust",
            "-",
        ],
    ),
    ("gemini", &["--approval-mode", "yolo"]),
    ("opencode", &["run"]),
];

/// An agent in a home of its own, with Baton's tools.
struct Connected {
    env: TestEnvironment,
    api: ModelApi,
    home: TempDir,
    program: PathBuf,
    variables: Variables,
    arguments: &'static [&'static str],
}

impl Connected {
    fn new(name: &str) -> Self {
        Self::connect(name, &[])
    }

    /// Connects with more words for `baton agents connect`.
    fn connect(name: &str, words: &[&str]) -> Self {
        let (env, home) = (TestEnvironment::new(), TempDir::new().expect("a folder"));
        let api = ModelApi::start().expect("a port is free");
        let (program, variables) = agent(name).configure(home.path(), &api.base_url("calls"));
        let invocation = INVOCATIONS.iter().find(|(known, _)| *known == name);
        let (_, arguments) = invocation.expect("a known agent");
        let mut connect = Shell::new(&env).baton(&[&["agents", "connect", name], words].concat());
        for variable in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"] {
            connect.env_remove(variable);
        }
        let output = connect.env("HOME", home.path()).output();
        let output = output.expect("baton starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {err}");
        Self {
            env,
            api,
            home,
            program,
            variables,
            arguments,
        }
    }

    /// Lets the agent make a call of one of Baton's tools. Returns what the model was sent after
    /// it, with the tool's result.
    fn call(&self, tool: &str, arguments: &Value) -> String {
        let calls = json!([{"tool": tool, "arguments": arguments}]);
        let known = self.api.seen().len();
        let mut command = Command::new(&self.program);
        command
            .args(self.arguments)
            .current_dir(self.env.work_dir.path())
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.home.path())
            .envs(self.variables.iter().map(|(name, value)| (*name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the agent starts");
        let prompt = format!("Use Baton. CALLS={calls}\n");
        let mut input = child.stdin.take().expect("stdin is piped");
        input.write_all(prompt.as_bytes()).expect("the agent reads");
        drop(input);
        let output = child.wait_with_output().expect("the agent ends");
        let seen = self.api.seen();
        let after = seen.iter().skip(known).rfind(|seen: &&Seen| seen.step == 1);
        let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        let after = after.unwrap_or_else(|| panic!("{tool}: no result was sent: {said:?}"));
        after.sent.clone()
    }

    /// Does something as a person.
    fn person<I: serde::Serialize, O: serde::de::DeserializeOwned + 'static>(
        &self,
        operation: &str,
        input: I,
    ) -> O {
        let done = self.env.call(operation, input);
        done.unwrap_or_else(|error: baton_api::ApiError| panic!("{operation}: {error}"))
    }

    fn proposal(&self) -> ProposalView {
        let filter = ProposalsFilter {
            open: false,
            plan: None,
            limit: 1,
        };
        let rows: Vec<ProposalSummary> = self.person("proposals_list", filter);
        let proposal = rows.first().expect("a proposal").id;
        self.person("proposal_get", ProposalRef { proposal })
    }

    /// Accepts the newest draft and approves the plan.
    fn accept(&self, view: &ProposalView) -> PlanView {
        let accept = json!({"proposal": view.summary.id, "round": view.summary.rounds});
        let accepted: ProposalAccepted = self.person("proposal_accept", accept);
        let plan = accepted.plan;
        let approve = PlanApprove {
            plan: plan.plan.id,
            revision: plan.revision,
            anyway: true,
        };
        self.person("plan_approve", approve)
    }

    /// Allows the run that the agent asked for, and returns it.
    fn allow(&self, plan: PlanId) -> RunSummary {
        let requests: Vec<RequestView> = self.person("requests_list", Nothing {});
        assert_eq!(requests.len(), 1, "{requests:#?}");
        assert_eq!(requests[0].operation, "run_request");
        let request = RequestRef {
            request: requests[0].id,
        };
        let _: RequestView = self.person("request_allow", request);
        let filter = RunsFilter {
            plan: Some(plan),
            limit: 10,
        };
        let runs: Vec<RunSummary> = self.person("runs_list", filter);
        runs.into_iter().next().expect("a run")
    }
}

fn assert_told(sent: &str, words: &[&str]) {
    for word in words {
        assert!(sent.contains(word), "{word} is not in {sent}");
    }
}

/// The journey, the same for every agent.
fn journey(name: &str) {
    let agent = Connected::new(name);
    let nodes =
        json!([{"id": "only", "title": "Only", "kind": "command", "command": "touch first"}]);
    let propose = json!({"title": "Journey", "goal": "A file", "reason": "asked", "nodes": nodes});
    let told = agent.call("plan_propose", &propose);
    assert_told(&told, &["waits_for_person"]);
    let view = agent.proposal();
    let by = view.summary.author.submitted_by.clone();
    assert!(by.is_some_and(|by| by.starts_with("agent:")), "{name}");

    let comment =
        json!({"proposal": view.summary.id, "place": {"on": "plan"}, "text": "Write it as ran"});
    let _: ProposalView = agent.person("proposal_comment", comment);
    let told = agent.call("proposal_get", &json!({"proposal": view.summary.id}));
    assert_told(&told, &["Write it as ran", "proposal_revise"]);

    let change = json!({"op": "edit", "node": "only", "changes": {"command": "touch ran"}});
    let revise = json!({"proposal": view.summary.id, "round": 1, "changes": [change], "answers": {"1": "Done"}});
    assert_told(
        &agent.call("proposal_revise", &revise),
        &["waits_for_person"],
    );
    let view = agent.proposal();
    assert_eq!(view.summary.rounds, 2, "{name}");
    assert!(
        !matches!(view.summary.state, ProposalState::Accepted { .. }),
        "{name}: a person decides"
    );

    let plan = agent.accept(&view);
    let (id, version) = (plan.plan.id, plan.version);
    let ask =
        json!({"plan": id, "version": version, "reason": "It is approved", "requestId": "one"});
    let told = agent.call("run_request", &ask);
    assert_told(&told, &["A person has to allow this run"]);
    let run = agent.allow(id).id;
    agent.env.finish(run);
    let told = agent.call("run_get", &json!({"run": run}));
    assert_told(&told, &["completed"]);
    assert!(agent.env.work_dir.path().join("ran").exists(), "{name}");
}

#[test]
fn claude_plans_with_a_person() {
    journey("claude");
}

#[test]
fn codex_plans_with_a_person() {
    journey("codex");
}

#[test]
fn gemini_plans_with_a_person() {
    journey("gemini");
}

#[test]
fn opencode_plans_with_a_person() {
    journey("opencode");
}

/// The real agents run Baton's hook: a guarded call is recorded or refused, and the agent's model
/// reads why.
fn guards_calls(name: &str, tool: &str, arguments: &Value) {
    for (mode, runs) in [("log", true), ("block", false)] {
        let agent = Connected::connect(name, &["--guard", mode]);
        let mut settings: Settings = agent.person("settings_get", Nothing {});
        settings.guarded_tools = Some(vec!["Bash".to_owned()]);
        let _: Settings = agent.person("settings_save", settings);
        let told = agent.call(tool, arguments);
        assert_eq!(told.contains("is a guarded tool"), !runs, "{name}: {told}");
        let touched = agent.env.work_dir.path().join("touched").exists();
        assert_eq!(touched, runs, "{name}, {mode}: {told}");
        let listed = Shell::new(&agent.env)
            .baton(&["agents", "calls", "--json"])
            .output();
        let calls: Value =
            serde_json::from_slice(&listed.expect("baton starts").stdout).expect("JSON");
        assert_eq!(calls[0]["refused"], !runs, "{name}: {calls}");
        assert_eq!(calls[0]["agent"], name);
    }
}

#[test]
fn claude_is_guarded() {
    guards_calls("claude", "Bash", &json!({"command": "touch touched"}));
}

#[test]
fn codex_is_guarded_once_its_hook_is_trusted() {
    guards_calls("codex", "exec_command", &json!({"cmd": "touch touched"}));
}

#[test]
fn gemini_is_guarded() {
    guards_calls(
        "gemini",
        "run_shell_command",
        &json!({"command": "touch touched"}),
    );
}
