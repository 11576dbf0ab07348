//! Tests permissions at each level of autonomy with the real agents: with a tool list that contains
//! their tools, with one that doesn't, and without a list. Unit tests cover the rules for every
//! kind of tool.

use std::cell::RefCell;
use std::collections::BTreeSet;

use baton_api::wire::*;
use baton_model::run::{Answer, WaitingFor};
use baton_model::{NodeState, RunId};
use baton_tests::model_api::ModelApi;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, node, state};
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

use crate::real_agent::{Agent, agent};

/// The nodes, by whether their list contains the tools they use.
const NODES: [&str; 3] = ["listed", "outside", "without"];

/// The outcome of a node's tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Ran,
    /// A person was asked about each call, and allowed it.
    Asked,
    /// The calls were denied or the tools unavailable, without asking a person.
    Refused,
}

use Fate::{Asked, Ran, Refused};

/// The outcome of tools that change something, for each of [`NODES`].
const BY_LEVEL: [[Fate; 3]; 5] = [
    [Asked, Asked, Asked],
    [Ran, Asked, Ran],
    [Ran, Asked, Asked],
    [Ran, Refused, Refused],
    [Ran, Ran, Ran],
];

/// Runs the nodes at a level of autonomy, allowing every request, and checks the outcomes.
fn meet(agent: &Agent, level: usize, expected: [Fate; 3]) {
    let (env, api, home) = (
        TestEnvironment::new(),
        ModelApi::start().expect("a port"),
        TempDir::new().expect("a folder"),
    );
    let shell = Shell::new(&env);
    let name = agent.name;
    let node_of = |slug: &str, list: &str| {
        format!("  - {{id: {slug}, agent: {name}, prompt: 'MARK={slug}.'{list}}}\n")
    };
    let plan = format!(
        // opencode processes that start in parallel fail over the database that each of them
        // creates in their shared home.
        "baton: 1\ntitle: Guards\ncwd: .\nautonomy: {level}\nagentConcurrency: {{opencode: 1}}\nnodes:\n{}{}{}",
        node_of("listed", ", toolsRequired: [Write, Bash]"),
        node_of("outside", ", toolsRequired: [Read]"),
        node_of("without", "")
    );
    let file = shell.plan_file("guards.yaml", &plan);
    let running = RunningCommand::new(agent.baton(
        &shell,
        &api.base_url("guards"),
        home.path(),
        &["run", &file, "--yes"],
    ));
    let run = baton_tests::processes::wait("the run starts", || {
        let runs: Vec<RunSummary> = env
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
    let asked = allow_all(&env, run);
    let (_, said) = running.end();
    for (slug, expected) in NODES.into_iter().zip(expected) {
        let ran = ["written", "ran"]
            .map(|what| env.work_dir.path().join(format!("{slug}.{what}")).exists());
        let found = (ran, asked.iter().filter(|asked| **asked == slug).count());
        let met = match expected {
            Ran => ([true, true], 0),
            Asked => ([true, true], 2),
            Refused => ([false, false], 0),
        };
        assert_eq!(
            found,
            met,
            "{name} at {level}, {slug}\n{said}\n{:?}",
            node(&env.view(run), slug)
        );
    }
}

/// Allows nodes and calls until the run has ended. Returns the node of each allowed call.
fn allow_all(env: &TestEnvironment, run: RunId) -> Vec<&'static str> {
    let asked = RefCell::new(BTreeSet::new());
    env.wait_until(run, |view| {
        for slug in NODES {
            let node = id(view, slug);
            match state(view, slug) {
                NodeState::Waiting {
                    what: WaitingFor::Approval { .. },
                } => {
                    // The request may already be answered.
                    drop(env.call::<RunSummary>(
                        "node_approve",
                        NodeApprove {
                            run,
                            node,
                            allow: true,
                        },
                    ));
                }
                NodeState::Waiting {
                    what: WaitingFor::Person { request, .. },
                } => {
                    let input = NodeAnswer {
                        run,
                        node,
                        request: request.clone(),
                        answer: Answer::AllowOnce,
                    };
                    drop(env.call::<RunSummary>("node_answer", input));
                    asked.borrow_mut().insert((slug, request.clone()));
                }
                _ => {}
            }
        }
        view.summary.state.has_ended()
    });
    asked
        .into_inner()
        .into_iter()
        .map(|(slug, _)| slug)
        .collect()
}

fn follows_the_table(name: &str, expected: [[Fate; 3]; 5]) {
    for (level, expected) in expected.into_iter().enumerate() {
        meet(agent(name), level, expected);
    }
}

#[test]
fn claude_follows_the_autonomy_level() {
    follows_the_table("claude", BY_LEVEL);
}

#[test]
fn codex_follows_the_autonomy_level() {
    follows_the_table("codex", BY_LEVEL);
}

#[test]
fn gemini_follows_the_autonomy_level() {
    follows_the_table("gemini", BY_LEVEL);
}

#[test]
fn opencode_follows_the_autonomy_level() {
    follows_the_table("opencode", BY_LEVEL);
}

/// pi can't ask for permission, so that tools which would need it are unavailable.
#[test]
fn pi_follows_the_autonomy_level() {
    follows_the_table(
        "pi",
        BY_LEVEL.map(|nodes| nodes.map(|fate| if fate == Asked { Refused } else { fate })),
    );
}
