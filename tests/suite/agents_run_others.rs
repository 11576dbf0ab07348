//! Tests the real `codex` and `pi` on nodes of a plan, run by `baton` with the scripted model.

use std::process::Command;

use baton_api::wire::*;
use baton_model::RunState;
use baton_model::artifact::Author;
use baton_tests::model_api::ModelApi;
use baton_tests::processes::{session_processes, wait, wait_for_none};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{node, state_labels};
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

use crate::scripted_session::{Settings, program};
use crate::{agents_codex, agents_pi};

const AGENTS: &[(&str, Settings)] = &[
    ("codex", agents_codex::settings),
    ("pi", agents_pi::settings),
];

/// An environment in which `baton run` runs an agent with a scenario.
struct Scene {
    env: TestEnvironment,
    shell: Shell,
    api: ModelApi,
    home: TempDir,
    agent: &'static str,
    settings: Settings,
}

impl Scene {
    fn new(agent: &'static str, settings: Settings) -> Self {
        let env = TestEnvironment::new();
        let home = TempDir::new().expect("a folder");
        Self {
            shell: Shell::new(&env),
            env,
            api: ModelApi::start().expect("a port"),
            home,
            agent,
            settings,
        }
    }

    fn run(&self, scenario: &str, more: &str) -> RunningCommand {
        let text = format!(
            "baton: 1\ntitle: Others\ncwd: .\nnodes:\n  - {{id: write, agent: {}, prompt: Write a greeting.}}\n{more}",
            self.agent
        );
        let file = self.shell.plan_file("others.yaml", &text);
        let folder = program(self.agent)
            .parent()
            .expect("a program is in a folder")
            .display()
            .to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command: Command = self.shell.baton(&["run", &file, "--yes"]);
        command
            .env("PATH", format!("{folder}:{path}"))
            .env("HOME", self.home.path());
        command.envs((self.settings)(
            self.home.path(),
            &self.api.base_url(scenario),
        ));
        RunningCommand::new(command)
    }

    fn view(&self) -> Option<RunView> {
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
        Some(self.env.view(runs.first()?.id))
    }

    fn timeline(&self, view: &RunView) -> String {
        let session = node(view, "write")
            .session
            .expect("an attempt has a session");
        let range = TimelineRange {
            session,
            from: 0,
            limit: 100,
            since: None,
            of_end: false,
        };
        let page: TimelinePage = self
            .env
            .call("session_timeline", range)
            .expect("a timeline");
        assert!(page.ended);
        serde_json::to_string(&page.entries).expect("JSON")
    }
}

#[test]
fn next_node_receives_the_agents_handoff() {
    for &(agent, settings) in AGENTS {
        let scene = Scene::new(agent, settings);
        let after = "  - {id: after, kind: command, command: 'cp $BATON_CONTEXT received.md', dependsOn: [write]}\n";
        let (status, said) = scene.run("write_bash", after).end();
        assert!(status.success(), "{agent}: {said}");
        let view = scene.view().expect("the run has begun");
        assert_eq!(state_labels(&view), ["write done", "after done"], "{agent}");
        assert_eq!(
            scene.env.read("hello.txt"),
            "hello from the scripted model\n",
            "{agent}: its own tools did the work"
        );
        assert!(
            scene.env.work_dir.path().join("checked.txt").exists(),
            "{agent}"
        );
        let received = scene.env.read("received.md");
        assert!(
            received.starts_with("## write\n\n**What was done:**"),
            "{agent}: cut at its marker: {received}"
        );
        let artifacts: Vec<ArtifactView> = scene
            .env
            .call(
                "artifacts_list",
                RunRef {
                    run: view.summary.id,
                },
            )
            .expect("handoffs");
        assert_eq!(artifacts[0].content.author, Author::Agent, "{agent}");
        let timeline = scene.timeline(&view);
        for part in [
            "\"prompt\"",
            "\"toolCall\"",
            "\"usage\"",
            "hello.txt",
            "What was done",
        ] {
            assert!(
                timeline.contains(part),
                "{agent}: the timeline shows {part}: {timeline}"
            );
        }
        assert!(!timeline.contains("\"unknown\""), "{agent}: {timeline}");
    }
}

#[test]
fn model_error_is_shown_verbatim() {
    for &(agent, settings) in AGENTS {
        let scene = Scene::new(agent, settings);
        let (status, said) = scene.run("err401", "").end();
        assert_eq!(status.code(), Some(1), "{agent}: {said}");
        let RunState::Failed { message, .. } = scene.view().expect("a run").summary.state else {
            panic!("{agent}: {said}")
        };
        assert!(
            message.contains("hit an agent error") && message.contains("invalid x-api-key"),
            "{agent}: {message}"
        );
    }
}

#[test]
fn cancelled_agent_leaves_no_processes() {
    for &(agent, settings) in AGENTS {
        let scene = Scene::new(agent, settings);
        let running = scene.run("bash", "");
        let run = wait("the agent's command to run", || {
            let view = scene.view().ok_or("no run yet")?;
            let processes = session_processes(scene.env.data());
            let found = processes
                .iter()
                .any(|process| process.contains("time.sleep(30"));
            if found {
                Ok(view.summary.id)
            } else {
                Err(format!("{agent}: {processes:?}"))
            }
        });
        let _: RunSummary = scene
            .env
            .call("run_cancel", RunRef { run })
            .expect("the run is active");
        let (_, said) = running.end();
        wait_for_none(scene.env.data());
        assert_eq!(
            scene.view().expect("a run").summary.state,
            RunState::Cancelled,
            "{agent}: {said}"
        );
    }
}
