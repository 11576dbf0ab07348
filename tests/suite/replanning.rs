//! Tests runs that wait for a new version of their plan: their state before and after, and crashes
//! in between.

use std::process::Command;

use baton_api::Role;
use baton_api::wire::*;
use baton_model::planning::ProposalState;
use baton_model::run::{Event, ReplanEnd};
use baton_model::{ProposalId, RunId, RunState};
use baton_store::{Options, Store};
use baton_tests::processes::wait;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::state_labels;
use baton_tests::{Shell, TestEnvironment};
use serde_json::json;

use super::planning::{planner_environment, settled, show};

/// Creates the missing file before the node that failed.
const REPAIRED_PLAN: &str = r#"{"reasoning": "The file was missing.", "nodes": [
  {"id": "first", "keep": true},
  {"id": "repair", "title": "Repair", "kind": "command", "command": "touch needed.txt", "dependsOn": ["first"]},
  {"id": "second", "keep": true, "dependsOn": ["repair"]}]}"#;
const PLAN: &str = "{baton: 1, title: Work, nodes: [
    {id: first, kind: command, command: 'echo x >> first.log'},
    {id: second, kind: command, command: 'test -e needed.txt', dependsOn: [first]}]}";

/// Returns a failed run of `PLAN`, and a ready proposal for it.
fn failed_and_replanned(env: &TestEnvironment) -> (RunId, ProposalId) {
    let run = env.finish(env.start(PLAN).summary.id).summary.id;
    let begun = replan(env, run).expect("the run has failed");
    let ready = settled(env, begun.summary.id);
    assert_eq!(ready.summary.state, ProposalState::Ready, "{ready:#?}");
    (run, begun.summary.id)
}

fn replan(env: &TestEnvironment, run: RunId) -> Result<ProposalView, baton_api::ApiError> {
    env.call("run_replan", json!({"run": run, "agent": "planner"}))
}

/// Returns the run's events about replanning.
fn replan_events(env: &TestEnvironment, run: RunId) -> Vec<Event> {
    let store = Store::open_with(env.data(), Options::default()).expect("the same data");
    let history = store
        .run_events()
        .list_after(run, 0, u32::MAX)
        .expect("a history");
    let about =
        |event: &Event| matches!(event, Event::ReplanBegun { .. } | Event::ReplanEnded { .. });
    history
        .into_iter()
        .map(|record| record.event)
        .filter(about)
        .collect()
}

#[test]
fn rejected_proposal_returns_the_run_to_failed() {
    let env = planner_environment(&[REPAIRED_PLAN]);
    let (run, proposal) = failed_and_replanned(&env);
    let waiting = env.view(run).summary;
    assert!(
        matches!(waiting.state, RunState::Replanning { proposal: by, .. } if by == proposal),
        "{waiting:?}"
    );
    let ended_at = waiting
        .ended_at
        .expect("the run has ended and has no executor");
    let second = replan(&env, run).expect_err("a replan is already open");
    assert!(second.message.contains("already"), "{second:?}");

    let no = ProposalReject {
        round: None,
        proposal,
        reason: None,
        feedback: "No.".to_owned(),
        again: false,
    };
    let _: ProposalView = env
        .call("proposal_reject", no)
        .expect("a ready proposal can be rejected");
    let after = env.view(run).summary;
    assert!(matches!(after.state, RunState::Failed { .. }), "{after:?}");
    assert_eq!(
        after.ended_at,
        Some(ended_at),
        "the rejection isn't another failure"
    );
    let end = ReplanEnd::Rejected;
    assert_eq!(
        replan_events(&env, run),
        [
            Event::ReplanBegun { proposal },
            Event::ReplanEnded { proposal, end }
        ]
    );
}

#[test]
fn run_history_refers_to_the_next_run() {
    let env = planner_environment(&[REPAIRED_PLAN]);
    let (run, proposal) = failed_and_replanned(&env);
    let wish = ProposalAccept {
        round: None,
        proposal,
        changes: None,
        resume: true,
    };
    let accepted: ProposalAccepted = env
        .call("proposal_accept", wish)
        .expect("nothing has changed");
    let next = accepted.run;
    let end = ReplanEnd::Accepted { run: next };
    assert_eq!(
        replan_events(&env, run),
        [
            Event::ReplanBegun { proposal },
            Event::ReplanEnded { proposal, end }
        ]
    );
    assert!(matches!(
        env.view(run).summary.state,
        RunState::Failed { .. }
    ));
    let next = env.finish(next.expect("the next run exists"));
    assert_eq!(
        state_labels(&next),
        ["first done", "repair done", "second done"]
    );
}

#[test]
fn invalid_answer_keeps_the_run_state() {
    let env = planner_environment(&["No.", "No."]);
    let run = env.finish(env.start(PLAN).summary.id).summary.id;
    let begun = replan(&env, run).expect("the run has failed");
    settled(&env, begun.summary.id);
    let state = env.view(run).summary.state;
    assert!(matches!(state, RunState::Failed { .. }), "{state:?}");
    let proposal = begun.summary.id;
    let end = ReplanEnd::GivenUp;
    let whole = [
        Event::ReplanBegun { proposal },
        Event::ReplanEnded { proposal, end },
    ];
    wait("the run records the failure", || {
        match replan_events(&env, run) {
            events if events == whole => Ok(()),
            events => Err(format!("{events:?}")),
        }
    });
}

#[test]
fn manual_retry_does_not_wait_for_the_planner() {
    let env = planner_environment(&[REPAIRED_PLAN]);
    let (run, _) = failed_and_replanned(&env);
    std::fs::write(env.work_dir.path().join("needed.txt"), "").expect("enough disk space");
    let second = baton_tests::test_environment::id(&env.view(run), "second");
    let retry = json!({"run": run, "node": second});
    let _: serde_json::Value = env.call("node_retry", retry).expect("the node has failed");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
}

/// Baton crashes between the acceptance and the promised run, or right after that run has started.
/// The run starts once.
#[test]
fn accepted_run_starts_exactly_once_despite_crashes() {
    for point in ["after acceptance", "after promised run"] {
        let env = planner_environment(&[REPAIRED_PLAN]);
        let (run, proposal) = failed_and_replanned(&env);
        let shell = Shell::new(&env);
        let mut command: Command =
            shell.baton(&["proposal", "accept", &proposal.0.to_string(), "--resume"]);
        command.env("BATON_CRASH_AT", point);
        let (status, said) = RunningCommand::new(command).end();
        assert!(!status.success(), "baton crashes at '{point}': {said}");
        let ProposalState::Accepted {
            run: Some(next), ..
        } = show(&env, proposal).summary.state
        else {
            panic!("the acceptance is stored before '{point}'")
        };

        let stays = env.second_process(Role::Server);
        let done = wait("the promised run is done", || {
            let runs: Vec<RunSummary> = stays
                .call(
                    "runs_list",
                    RunsFilter {
                        plan: None,
                        limit: 10,
                    },
                )
                .expect("runs");
            let found = runs
                .iter()
                .find(|run| run.id == next)
                .map(|run| run.state.clone());
            if found == Some(RunState::Completed) {
                Ok(runs.len())
            } else {
                Err(format!("{point}: {runs:#?}"))
            }
        });
        assert_eq!(done, 2, "the earlier run and the promised one");
        assert_eq!(
            stays.read("first.log"),
            "x\n",
            "finished nodes don't run again"
        );
        assert!(matches!(
            stays.view(run).summary.state,
            RunState::Failed { .. }
        ));
    }
}

#[test]
fn promised_run_is_dropped_if_another_was_started() {
    let env = planner_environment(&[REPAIRED_PLAN]);
    let (_, proposal) = failed_and_replanned(&env);
    let shell = Shell::new(&env);
    let mut command = shell.baton(&["proposal", "accept", &proposal.0.to_string(), "--resume"]);
    command.env("BATON_CRASH_AT", "after acceptance");
    assert!(
        !RunningCommand::new(command).end().0.success(),
        "baton crashes"
    );
    let ProposalState::Accepted {
        plan,
        run: Some(next),
        ..
    } = show(&env, proposal).summary.state
    else {
        panic!("the acceptance is stored")
    };
    let own = env
        .run(plan, RunGoal::All)
        .expect("the new version is approved")
        .summary
        .id;
    assert_eq!(env.finish(own).summary.state, RunState::Completed);

    let stays = env.second_process(Role::Server);
    let store = Store::open_with(env.data(), Options::default()).expect("the same data");
    wait("the promised run is dropped", || {
        let promised = store
            .proposals()
            .get(proposal)
            .expect("the proposal exists")
            .proposal
            .promised;
        if promised.is_none() {
            Ok(())
        } else {
            Err(format!("{promised:?}"))
        }
    });
    assert!(
        stays
            .call::<RunView>("run_get", RunRef { run: next })
            .is_err(),
        "only one run was started"
    );
}

const ASKING: &str = "{baton: 1, title: Work, replan: propose, nodes: [
    {id: first, kind: command, command: 'echo x >> first.log'},
    {id: second, kind: command, command: 'test -e needed.txt', dependsOn: [first]}]}";

/// Makes the planner the default agent, so that it also replans automatically.
fn employ_planner(env: &TestEnvironment) {
    let mut settings: Settings = env.call("settings_get", Nothing {}).expect("settings");
    settings.default_agent = "planner".to_owned();
    let _: Settings = env
        .call("settings_save", settings)
        .expect("the agent exists");
}

fn proposals(env: &TestEnvironment) -> Vec<ProposalSummary> {
    env.call(
        "proposals_list",
        ProposalsFilter {
            open: false,
            plan: None,
            limit: 10,
        },
    )
    .expect("proposals")
}

#[test]
fn shell_waits_for_the_planner_and_prints_the_accept_command() {
    let env = planner_environment(&[REPAIRED_PLAN]);
    employ_planner(&env);
    let shell = Shell::new(&env);
    let file = shell.plan_file("work.yaml", ASKING);
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(1), "the run has failed: {said:?}");
    let found = proposals(&env);
    let [proposal] = found.as_slice() else {
        panic!("one proposal: {found:#?}")
    };
    assert_eq!(proposal.state, ProposalState::Ready, "{said:?}");
    assert!(
        said.out
            .contains(&format!("baton proposal accept {} --resume", proposal.id)),
        "{said:?}"
    );
    assert_eq!(show(&env, proposal.id).rounds.len(), 1);
    assert_eq!(env.read("prompt.1"), "", "the planner ran once");

    let said = shell.run(&["proposal", "accept", &proposal.id.to_string(), "--resume"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(
        env.read("first.log"),
        "x\n",
        "finished nodes don't run again"
    );
}

#[test]
fn failed_run_is_replanned_when_an_executor_returns() {
    for point in ["before replan", "after planner", "after replan"] {
        let env = planner_environment(&[REPAIRED_PLAN]);
        employ_planner(&env);
        let shell = Shell::new(&env);
        let file = shell.plan_file("work.yaml", ASKING);
        let mut command = shell.baton(&["run", &file, "--yes"]);
        command.env("BATON_CRASH_AT", point);
        let (status, said) = RunningCommand::new(command).end();
        assert!(!status.success(), "baton crashes at '{point}': {said}");

        let stays = env.second_process(Role::Server);
        let proposal = wait("a proposal is open", || {
            let found = proposals(&stays);
            let ready = found
                .iter()
                .find(|found| found.state == ProposalState::Ready);
            ready
                .map(|ready| ready.id)
                .ok_or_else(|| format!("{point}: {found:#?}"))
        });
        assert_eq!(
            proposals(&stays).len(),
            1,
            "after '{point}' one proposal was requested"
        );
        let runs: Vec<RunSummary> = stays
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 10,
                },
            )
            .expect("runs");
        wait("the run waits for it", || {
            match &runs
                .iter()
                .map(|run| stays.view(run.id).summary.state)
                .collect::<Vec<_>>()[..]
            {
                [RunState::Replanning { proposal: by, .. }] if *by == proposal => Ok(()),
                other => Err(format!("{point}: {other:?}")),
            }
        });
    }
}

#[test]
fn earlier_failure_is_not_replanned() {
    let env = planner_environment(&[REPAIRED_PLAN]);
    employ_planner(&env);
    let failed = env.finish(env.start(PLAN).summary.id);
    let mut plan: PlanView = env
        .call(
            "plan_get",
            PlanRef {
                plan: failed.summary.plan,
            },
        )
        .expect("the plan");
    plan.plan.settings.replan = baton_model::plan::ReplanMode::Propose;
    let save = json!({"plan": plan.plan, "baseRevision": plan.revision});
    let _: serde_json::Value = env.call("plan_save", save).expect("no conflicting change");
    let stays = env.second_process(Role::Server);
    // Another run with automatic replanning is handled in the same pass, and later.
    let asking = env.finish(
        env.start(&ASKING.replace("title: Work", "title: Other"))
            .summary
            .id,
    );
    wait("the other one waits for its proposal", || {
        match stays.view(asking.summary.id).summary.state {
            RunState::Replanning { .. } => Ok(()),
            other => Err(format!("{other:?}")),
        }
    });
    assert!(matches!(
        stays.view(failed.summary.id).summary.state,
        RunState::Failed { .. }
    ));
    assert_eq!(proposals(&stays).len(), 1);
}
