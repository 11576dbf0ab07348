//! Runs that wait for a new version of their plan: what they are meanwhile and afterwards, whatever dies in between.

use std::process::Command;

use baton_api::Role;
use baton_api::wire::*;
use baton_model::planning::ProposalState;
use baton_model::run::{Event, ReplanEnd};
use baton_model::{ProposalId, RunId, RunState};
use baton_store::{Options, Store};
use baton_tests::house::words;
use baton_tests::processes::wait;
use baton_tests::shell::Running;
use baton_tests::{House, Shell};
use serde_json::json;

use super::planning::{house, settled, show};

/// Makes the missing file before the node that failed.
const MENDED: &str = r#"{"reasoning": "The file was missing.", "nodes": [
  {"id": "first", "keep": true},
  {"id": "mend", "title": "Mend", "kind": "command", "command": "touch needed.txt", "dependsOn": ["first"]},
  {"id": "second", "keep": true, "dependsOn": ["mend"]}]}"#;
const PLAN: &str = "{baton: 1, title: Work, nodes: [
    {id: first, kind: command, command: 'echo x >> first.log'},
    {id: second, kind: command, command: 'test -e needed.txt', dependsOn: [first]}]}";

/// A run of `PLAN` that has failed, and a proposal for it that waits for a person.
fn failed_and_replanned(house: &House) -> (RunId, ProposalId) {
    let run = house.finish(house.start(PLAN).summary.id).summary.id;
    let begun = replan(house, run).expect("the run has failed");
    let ready = settled(house, begun.summary.id);
    assert_eq!(ready.summary.state, ProposalState::Ready, "{ready:#?}");
    (run, begun.summary.id)
}

fn replan(house: &House, run: RunId) -> Result<ProposalView, baton_api::ApiError> {
    house.ask("run_replan", json!({"run": run, "agent": "planner"}))
}

/// What the history says of new versions.
fn told(house: &House, run: RunId) -> Vec<Event> {
    let store = Store::open_with(house.data(), Options::default()).expect("the same data");
    let history = store
        .run_events()
        .after(run, 0, u32::MAX)
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
fn a_run_waits_for_its_new_version_and_has_failed_again_when_that_is_rejected() {
    let house = house(&[MENDED]);
    let (run, proposal) = failed_and_replanned(&house);
    let waiting = house.view(run).summary;
    assert!(
        matches!(waiting.state, RunState::Replanning { proposal: by, .. } if by == proposal),
        "{waiting:?}"
    );
    let ended_at = waiting.ended_at.expect("it has ended: nobody executes it");
    let second = replan(&house, run).expect_err("one at a time");
    assert!(second.message.contains("already"), "{second:?}");

    let no = ProposalReject {
        proposal,
        feedback: "No.".to_owned(),
        again: false,
    };
    let _: ProposalView = house
        .ask("proposal_reject", no)
        .expect("a ready proposal can be rejected");
    let after = house.view(run).summary;
    assert!(matches!(after.state, RunState::Failed { .. }), "{after:?}");
    assert_eq!(
        after.ended_at,
        Some(ended_at),
        "it failed once, and not again when somebody said no"
    );
    let end = ReplanEnd::Rejected;
    assert_eq!(
        told(&house, run),
        [
            Event::ReplanBegun { proposal },
            Event::ReplanEnded { proposal, end }
        ]
    );
}

#[test]
fn the_history_of_a_run_names_the_run_that_goes_on() {
    let house = house(&[MENDED]);
    let (run, proposal) = failed_and_replanned(&house);
    let wish = ProposalAccept {
        proposal,
        changes: None,
        resume: true,
    };
    let accepted: ProposalAccepted = house
        .ask("proposal_accept", wish)
        .expect("nothing has moved");
    let next = accepted.run;
    let end = ReplanEnd::Accepted { run: next };
    assert_eq!(
        told(&house, run),
        [
            Event::ReplanBegun { proposal },
            Event::ReplanEnded { proposal, end }
        ]
    );
    assert!(matches!(
        house.view(run).summary.state,
        RunState::Failed { .. }
    ));
    let next = house.finish(next.expect("it goes on"));
    assert_eq!(words(&next), ["first done", "mend done", "second done"]);
}

#[test]
fn no_usable_answer_leaves_the_run_as_it_was() {
    let house = house(&["No.", "No."]);
    let run = house.finish(house.start(PLAN).summary.id).summary.id;
    let begun = replan(&house, run).expect("the run has failed");
    settled(&house, begun.summary.id);
    let state = house.view(run).summary.state;
    assert!(matches!(state, RunState::Failed { .. }), "{state:?}");
    let proposal = begun.summary.id;
    let end = ReplanEnd::GivenUp;
    let whole = [
        Event::ReplanBegun { proposal },
        Event::ReplanEnded { proposal, end },
    ];
    wait("the run is told", || match told(&house, run) {
        events if events == whole => Ok(()),
        events => Err(format!("{events:?}")),
    });
}

#[test]
fn whoever_tries_again_by_hand_does_not_wait_for_the_planner() {
    let house = house(&[MENDED]);
    let (run, _) = failed_and_replanned(&house);
    std::fs::write(house.place.path().join("needed.txt"), "").expect("room");
    let second = baton_tests::house::id(&house.view(run), "second");
    let retry = json!({"run": run, "node": second});
    let _: serde_json::Value = house.ask("node_retry", retry).expect("it has failed");
    assert_eq!(house.finish(run).summary.state, RunState::Completed);
}

/// Baton dies between the acceptance and the run that it promised, or right after that run began: it begins once.
#[test]
fn a_promised_run_begins_once_whatever_dies_after_the_acceptance() {
    for point in ["after acceptance", "after promised run"] {
        let house = house(&[MENDED]);
        let (run, proposal) = failed_and_replanned(&house);
        let shell = Shell::of(&house);
        let mut command: Command =
            shell.baton(&["proposal", "accept", &proposal.0.to_string(), "--resume"]);
        command.env("BATON_CRASH_AT", point);
        let (status, said) = Running::new(command).end();
        assert!(!status.success(), "it dies at '{point}': {said}");
        let ProposalState::Accepted {
            run: Some(next), ..
        } = show(&house, proposal).summary.state
        else {
            panic!("the acceptance is stored before '{point}'")
        };

        let stays = house.neighbor(Role::Server);
        let done = wait("the promised run is done", || {
            let runs: Vec<RunSummary> = stays
                .ask(
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
        assert_eq!(done, 2, "the one before, and one that goes on");
        assert_eq!(
            stays.read("first.log"),
            "x\n",
            "what is done is not done again"
        );
        assert!(matches!(
            stays.view(run).summary.state,
            RunState::Failed { .. }
        ));
    }
}

#[test]
fn a_promise_is_void_when_the_person_has_begun_a_run_meanwhile() {
    let house = house(&[MENDED]);
    let (_, proposal) = failed_and_replanned(&house);
    let shell = Shell::of(&house);
    let mut command = shell.baton(&["proposal", "accept", &proposal.0.to_string(), "--resume"]);
    command.env("BATON_CRASH_AT", "after acceptance");
    assert!(!Running::new(command).end().0.success(), "it dies");
    let ProposalState::Accepted {
        plan,
        run: Some(next),
        ..
    } = show(&house, proposal).summary.state
    else {
        panic!("the acceptance is stored")
    };
    let own = house
        .run(plan, RunGoal::All)
        .expect("the new version is approved")
        .summary
        .id;
    assert_eq!(house.finish(own).summary.state, RunState::Completed);

    let stays = house.neighbor(Role::Server);
    let store = Store::open_with(house.data(), Options::default()).expect("the same data");
    wait("the promise is taken back", || {
        let promised = store
            .proposals()
            .get(proposal)
            .expect("it is there")
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
            .ask::<RunView>("run_get", RunRef { run: next })
            .is_err(),
        "no second run of one wish"
    );
}

const ASKING: &str = "{baton: 1, title: Work, replan: propose, nodes: [
    {id: first, kind: command, command: 'echo x >> first.log'},
    {id: second, kind: command, command: 'test -e needed.txt', dependsOn: [first]}]}";

/// The planner is the agent of nodes that name none, and so of plans that ask for a new version by themselves.
fn employ_planner(house: &House) {
    let mut settings: Settings = house.ask("settings_get", Nothing {}).expect("settings");
    settings.default_agent = "planner".to_owned();
    let _: Settings = house
        .ask("settings_save", settings)
        .expect("the agent is there");
}

fn proposals(house: &House) -> Vec<ProposalSummary> {
    house
        .ask(
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
fn a_shell_waits_for_the_planner_and_says_how_its_proposal_is_accepted() {
    let house = house(&[MENDED]);
    employ_planner(&house);
    let shell = Shell::of(&house);
    let file = shell.plan_file("work.yaml", ASKING);
    let said = shell.say(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(1), "the run has failed: {said:?}");
    let found = proposals(&house);
    let [proposal] = found.as_slice() else {
        panic!("one proposal: {found:#?}")
    };
    assert_eq!(proposal.state, ProposalState::Ready, "{said:?}");
    assert!(
        said.out
            .contains(&format!("baton proposal accept {} --resume", proposal.id)),
        "{said:?}"
    );
    assert_eq!(show(&house, proposal.id).rounds.len(), 1);
    assert_eq!(house.read("prompt.1"), "", "the planner was asked once");

    let said = shell.say(&["proposal", "accept", &proposal.id.to_string(), "--resume"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(
        house.read("first.log"),
        "x\n",
        "what is done is not done again"
    );
}

#[test]
fn a_run_that_failed_while_nobody_stayed_is_planned_anew_when_somebody_does() {
    for point in ["before replan", "after planner", "after replan"] {
        let house = house(&[MENDED]);
        employ_planner(&house);
        let shell = Shell::of(&house);
        let file = shell.plan_file("work.yaml", ASKING);
        let mut command = shell.baton(&["run", &file, "--yes"]);
        command.env("BATON_CRASH_AT", point);
        let (status, said) = Running::new(command).end();
        assert!(!status.success(), "it dies at '{point}': {said}");

        let stays = house.neighbor(Role::Server);
        let proposal = wait("a proposal waits", || {
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
            "after '{point}' it was asked for once"
        );
        let runs: Vec<RunSummary> = stays
            .ask(
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
fn a_failure_of_before_the_plan_asked_is_left_as_it_is() {
    let house = house(&[MENDED]);
    employ_planner(&house);
    let failed = house.finish(house.start(PLAN).summary.id);
    let mut plan: PlanView = house
        .ask(
            "plan_get",
            PlanRef {
                plan: failed.summary.plan,
            },
        )
        .expect("the plan");
    plan.plan.settings.replan = baton_model::plan::ReplanMode::Propose;
    let save = json!({"plan": plan.plan, "baseRevision": plan.revision});
    let _: serde_json::Value = house
        .ask("plan_save", save)
        .expect("nobody else has changed it");
    let stays = house.neighbor(Role::Server);
    // Another one that does ask is looked at in the same pass, and later.
    let asking = house.finish(
        house
            .start(&ASKING.replace("title: Work", "title: Other"))
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
