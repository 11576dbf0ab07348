//! Tests sessions that a person continues with a message, using the real agents and the scripted
//! model.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use baton_api::wire::*;
use baton_model::SessionId;
use baton_model::node::NodeKind;
use baton_model::run::Event;
use baton_tests::model_api::ModelApi;
use baton_tests::processes::wait;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{node, state_labels};
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

use crate::scripted_session::{Settings, program};
use crate::{agents_codex, agents_pi, agents_run};

const CLAUDE: &str = "claude";
const AGENTS: &[&str] = &[CLAUDE, "codex", "pi"];

/// An environment in which an agent has finished a node, whose session is then continued.
struct Scene {
    env: TestEnvironment,
    shell: Shell,
    api: ModelApi,
    home: TempDir,
    agent: &'static str,
}

impl Scene {
    /// The agent has written hello.txt, and a command has copied its handoff.
    fn of(agent: &'static str) -> Self {
        let env = TestEnvironment::new();
        let (api, home) = (
            ModelApi::start().expect("a port"),
            TempDir::new().expect("a folder"),
        );
        let scene = Self {
            shell: Shell::new(&env),
            env,
            api,
            home,
            agent,
        };
        let text = format!(
            "baton: 1\ntitle: Greeting\ncwd: .\nautonomy: 4\nnodes:\n  - {{id: write, agent: {agent}, prompt: 'Remember 4711 and \
             write a greeting.', afterCrash: resume}}\n  - {{id: after, kind: command, command: 'cp $BATON_CONTEXT received.md', \
             dependsOn: [write]}}\n"
        );
        let file = scene.shell.plan_file("greeting.yaml", &text);
        scene.does("write_bash", &["run", &file, "--yes"]);
        scene
    }

    fn baton(&self, scenario: &str, words: &[&str]) -> Command {
        if self.agent == CLAUDE {
            return agents_run::baton(&self.shell, &self.api, scenario, self.home.path(), words);
        }
        let settings: Settings = if self.agent == "pi" {
            agents_pi::settings
        } else {
            agents_codex::settings
        };
        let folder = program(self.agent)
            .parent()
            .expect("a program is in a folder")
            .display()
            .to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command: Command = self.shell.baton(words);
        command
            .env("PATH", format!("{folder}:{path}"))
            .env("HOME", self.home.path());
        command.envs(settings(self.home.path(), &self.api.base_url(scenario)));
        command
    }

    /// Runs a command that must succeed. Returns what it wrote to both streams.
    fn does(&self, scenario: &str, words: &[&str]) -> String {
        let output = self.baton(scenario, words).output().expect("baton starts");
        let said = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .concat();
        assert!(output.status.success(), "{} {words:?}: {said}", self.agent);
        said
    }

    fn refuses(&self, words: &[&str]) -> String {
        let output = self.baton("text", words).output().expect("baton starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{} {words:?}: {said}", self.agent);
        said
    }

    fn runs(&self) -> Vec<RunView> {
        let runs: Vec<RunSummary> = self
            .env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 10,
                },
            )
            .expect("runs");
        runs.into_iter().map(|run| self.env.view(run.id)).collect()
    }

    /// The run of the initial plan.
    fn first_run(&self) -> RunView {
        self.runs()
            .into_iter()
            .find(|view| view.summary.title == "Greeting")
            .expect("the first run")
    }

    fn session(&self) -> SessionView {
        let session = node(&self.first_run(), "write")
            .session
            .expect("an attempt has a session");
        self.env
            .call("session_get", SessionRef { session })
            .expect("the session")
    }

    /// Returns the first request to the model whose message contains `words`.
    fn sent_with(&self, words: &str) -> String {
        let seen = self.api.seen();
        let found = seen.iter().find(|request| request.prompt.contains(words));
        found
            .unwrap_or_else(|| panic!("no request contains {words:?}: {seen:#?}"))
            .sent
            .clone()
    }

    fn prompt_of(&self, session: SessionId) -> String {
        fs::read_to_string(
            self.env
                .data()
                .join("sessions")
                .join(session.to_string())
                .join("prompt.md"),
        )
        .expect("a prompt")
    }

    /// Returns the agent's own files of the session `native`, by path.
    fn history(&self, native: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        files_of(self.home.path(), native, &mut found);
        assert_eq!(
            found.len(),
            1,
            "{} keeps one file of {native}: {:?}",
            self.agent,
            found.keys()
        );
        found
    }
}

fn files_of(folder: &Path, native: &str, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_it = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().ends_with(&format!("{native}.jsonl")));
        if is_it {
            found.insert(path.clone(), fs::read(&path).expect("the file is readable"));
        }
        if path.is_dir() {
            files_of(&path, native, found);
        }
    }
}

#[test]
fn finished_node_continues_and_creates_a_new_handoff() {
    for &agent in AGENTS {
        let scene = Scene::of(agent);
        let (before, first) = (scene.first_run(), scene.session());
        let session = first.id.to_string();
        scene.does(
            "text",
            &["session", "continue", &session, "Which number was it?"],
        );
        let view = scene.first_run();
        let write = node(&view, "write");
        assert_eq!(state_labels(&view), ["write done", "after done"], "{agent}");
        assert_eq!(
            (write.attempt.0, write.marks.resumes),
            (2, Some(first.id)),
            "{agent}"
        );
        assert!(
            node(&view, "after").stale,
            "{agent}: the node after it is out of date"
        );
        assert_ne!(
            write.artifact,
            node(&before, "write").artifact,
            "{agent}: the new handoff replaces the old one"
        );
        let sent = scene.sent_with("Which number was it?");
        assert!(
            sent.contains("Remember 4711"),
            "{agent}: the model gets the earlier messages: {sent}"
        );
        let now = scene.session();
        assert_eq!(
            now.native_id, first.native_id,
            "{agent}: the native session is the same"
        );
        // The first attempt had two more messages of the model than the second.
        assert!(
            now.usage.output_tokens < first.usage.output_tokens,
            "{agent}: each attempt counts only its own usage: {:?}",
            now.usage
        );
        assert_eq!(
            scene.prompt_of(now.id),
            "Which number was it?",
            "{agent}: prompt.md contains the message"
        );
        // The handoff mentions hello.txt, which the session wrote in its first attempt.
        assert!(
            !write.unverified,
            "{agent}: work of earlier attempts counts"
        );

        let wish = RunHistory {
            run: view.summary.id,
            after: 0,
            limit: 1000,
        };
        let history: Vec<HistoryRow> = scene.env.call("run_history", wish).expect("a history");
        let fact = history.iter().find_map(|row| match &row.event {
            Event::NodeContinued { message, .. } => {
                Some((row.actor.clone(), message.clone(), row.sentence.clone()))
            }
            _ => None,
        });
        let (actor, message, sentence) = fact.expect("the history has the event");
        assert_eq!(message, "Which number was it?");
        assert!(
            !actor.is_empty() && sentence.contains("with the message: Which number"),
            "{actor}: {sentence}"
        );

        // Only the latest session of a node can continue in its run.
        let said = scene.refuses(&["session", "continue", &session, "And now?"]);
        assert!(said.contains("newer session"), "{agent}: {said}");
    }
}

#[test]
fn fork_has_the_history_and_leaves_the_original_unchanged() {
    for &agent in AGENTS {
        let scene = Scene::of(agent);
        let first = scene.session();
        let native = first
            .native_id
            .clone()
            .expect("the agent reported its session id");
        let before = scene.history(&native);
        let said = scene.does(
            "text",
            &[
                "session",
                "fork",
                &first.id.to_string(),
                "Which number was it?",
            ],
        );
        let plans: Vec<PlanSummary> = scene.env.call("plans_list", Nothing {}).expect("plans");
        let plan = plans
            .iter()
            .find(|plan| plan.title.starts_with("Fork: "))
            .expect("the plan exists");
        assert!(said.contains(&plan.id.to_string()), "{said}");
        let view: PlanView = scene
            .env
            .call("plan_get", PlanRef { plan: plan.id })
            .expect("the plan");
        assert_eq!(
            view.plan.origin.source_id,
            Some(format!("{agent}:{native}")),
            "the plan names its source"
        );
        assert_eq!(
            view.plan.cwd.as_deref(),
            Some(first.cwd.as_str()),
            "the working directory is the session's"
        );
        let NodeKind::Agent(task) = &view.plan.nodes[0].kind else {
            panic!("an agent works: {:?}", view.plan.nodes)
        };
        assert!(
            task.session
                .as_ref()
                .is_some_and(|earlier| earlier.fork && earlier.id == native),
            "{task:?}"
        );
        scene.does("text", &["run", &plan.id.to_string(), "--yes"]);

        let sent = scene.sent_with("Which number was it?");
        assert!(
            sent.contains("Remember 4711"),
            "{agent}: the fork has the earlier messages: {sent}"
        );
        assert_eq!(
            scene.history(&native),
            before,
            "{agent}: the original is unchanged"
        );
        let run = scene
            .runs()
            .into_iter()
            .find(|run| run.summary.plan == plan.id)
            .expect("its run");
        let session = run.nodes[0].session.expect("an attempt has a session");
        let copy: SessionView = scene
            .env
            .call("session_get", SessionRef { session })
            .expect("the session");
        assert_ne!(
            copy.native_id,
            Some(native),
            "{agent}: the fork has its own session id"
        );
    }
}

#[test]
fn agent_history_session_continues_in_its_own_file() {
    let scene = Scene::of(CLAUDE);
    let native = scene
        .session()
        .native_id
        .expect("the agent reported its session id");
    let before = scene
        .history(&native)
        .into_values()
        .next()
        .expect("one file");
    let named = format!("{CLAUDE}:{native}");
    let said = scene.does(
        "text",
        &["session", "continue", &named, "Which number was it?"],
    );
    assert!(said.contains("continues in its own file"), "{said}");
    let plans: Vec<PlanSummary> = scene.env.call("plans_list", Nothing {}).expect("plans");
    let plan = plans
        .iter()
        .find(|plan| plan.title.starts_with("Continue: "))
        .expect("the plan exists");
    scene.does("text", &["run", &plan.id.to_string(), "--yes"]);
    assert!(
        scene
            .sent_with("Which number was it?")
            .contains("Remember 4711")
    );
    let after = scene
        .history(&native)
        .into_values()
        .next()
        .expect("still one file");
    assert!(
        after.len() > before.len() && after.starts_with(&before),
        "the file is only appended to"
    );
}

#[test]
fn continuing_is_rejected_without_a_resumable_session() {
    let scene = Scene::of(CLAUDE);
    let command = node(&scene.first_run(), "after")
        .session
        .expect("a session")
        .to_string();
    let said = scene.refuses(&["session", "continue", &command, "Hello?"]);
    assert!(said.contains("it had no agent"), "{said}");
    let session = scene.session();
    let id = session.id.to_string();
    let said = scene.refuses(&["session", "continue", &id, " "]);
    assert!(
        said.contains("The message is empty. Write what the agent should do next."),
        "{said}"
    );
    let native = session.native_id.expect("the session has an id");
    for path in scene.history(&native).keys() {
        fs::remove_file(path).expect("the agent's file is deleted");
    }
    for verb in ["continue", "fork"] {
        let said = scene.refuses(&["session", verb, &id, "Hello?"]);
        assert!(
            said.contains("The session file is missing"),
            "{verb}: {said}"
        );
    }
    assert_eq!(
        node(&scene.first_run(), "write").attempt.0,
        1,
        "no run was started"
    );
}

#[test]
fn continuation_survives_kills_without_duplicates() {
    let scene = Scene::of(CLAUDE);
    let id = scene.session().id.to_string();
    let first = RunningCommand::new(scene.baton(
        "slow",
        &["session", "continue", &id, "Which number was it?"],
    ));
    wait("the model to be asked", || {
        let asked = scene
            .api
            .seen()
            .iter()
            .any(|request| request.prompt.contains("Which number was it?"));
        if asked {
            Ok(())
        } else {
            Err(format!("{:?}", scene.first_run().nodes))
        }
    });
    assert!(first.kill(), "baton is killed during the run");
    scene.does("slow", &["resume", "--all"]);
    let view = scene.first_run();
    assert_eq!(
        (
            state_labels(&view)[0].as_str(),
            node(&view, "write").attempt.0
        ),
        ("write done", 2)
    );
    let steps = scene
        .api
        .seen()
        .into_iter()
        .filter(|request| request.prompt.contains("Which number was it?"));
    assert_eq!(
        steps.filter(|request| request.step == 0).count(),
        1,
        "the message was sent once"
    );
}
