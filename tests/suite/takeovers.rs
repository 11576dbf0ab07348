//! Tests runs whose executor was displaced: inherited work is checked or a person is asked, and the
//! history records it.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use baton_api::Code;
use baton_api::wire::*;
use baton_model::run::{
    Event, InheritedCheck, NotRun, PauseReason, RecheckResult, TakeoverReason, TakeoverRecord,
};
use baton_model::{NodeState, RunId, RunState};
use baton_tests::processes::{self, signal, wait};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{node, state};
use baton_tests::{Shell, TestEnvironment};

use crate::planning::{GOOD, settled, show, teach};

/// Heartbeat interval, unhealthy and stale thresholds in milliseconds.
const LEASE: &str = "100,500,2000";

/// A plan that works in `work-<title>`. Its last node waits in another directory until `go-<title>`
/// exists.
fn plan(env: &TestEnvironment, title: &str, on_takeover: &str, holds_in: &str) -> String {
    let place = env.work_dir.path();
    for folder in [format!("work-{title}"), "elsewhere".to_owned()] {
        std::fs::create_dir_all(place.join(folder)).expect("enough disk space");
    }
    let place = place.display();
    format!(
        "
baton: 1
title: {title}
description: Make it whole
cwd: work-{title}
onTakeover: {on_takeover}
concurrency: 2
nodes:
  - id: made
    kind: command
    command: 'echo ok > made.txt'
    acceptanceCriteria:
      - run: 'echo check >> {place}/checks-{title}; while [ -f {place}/block-{title} ]; do sleep 0.02; done; grep ok made.txt'
  - id: exempt
    kind: command
    command: 'true'
    acceptanceCriteria: [{{run: 'echo exempt >> {place}/exempt-{title}', verifyOnTakeover: false}}]
  - id: hold
    kind: command
    dependsOn: [made, exempt]
    cwd: {holds_in}
    command: 'echo first; echo step 7 of 9; while [ ! -f {place}/go-{title} ]; do sleep 0.02; done'
  - {{id: last, kind: command, dependsOn: [hold], command: 'echo last >> {place}/ledger-{title}'}}
"
    )
}

fn elsewhere(env: &TestEnvironment) -> String {
    env.work_dir.path().join("elsewhere").display().to_string()
}

fn touch(env: &TestEnvironment, name: &str) {
    std::fs::write(env.work_dir.path().join(name), "").expect("enough disk space");
}

fn lines(env: &TestEnvironment, name: &str) -> usize {
    std::fs::read_to_string(env.work_dir.path().join(name)).map_or(0, |text| text.lines().count())
}

/// Starts the plan in its own process with a short lease, and waits until its last node is running.
fn started(
    env: &TestEnvironment,
    shell: &Shell,
    title: &str,
    text: &str,
) -> (RunningCommand, RunId) {
    let file = shell.plan_file(&format!("{title}.yaml"), text);
    let mut command = shell.baton(&["run", &file, "--yes", "--json"]);
    command.env("BATON_LEASE", LEASE);
    let executor = RunningCommand::new(command);
    let run = wait("the run starts", || {
        let runs: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 100,
                },
            )
            .expect("runs");
        runs.into_iter()
            .find(|run| run.title == title)
            .map(|run| run.id)
            .ok_or_else(|| "not yet".to_owned())
    });
    env.wait_until(run, |view| *state(view, "hold") == NodeState::Running);
    (executor, run)
}

/// A worker process, killed when dropped.
struct Worker(Child);

impl Worker {
    fn start(shell: &Shell, crash_at: Option<&str>) -> Self {
        let mut command: Command = shell.baton(&["worker", "--json"]);
        command
            .env("BATON_LEASE", LEASE)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(point) = crash_at {
            command.env("BATON_CRASH_AT", point);
        }
        Self(command.spawn().expect("baton starts"))
    }

    fn await_death(&mut self, why: &str) {
        wait(why, || {
            match self.0.try_wait().expect("a child of this process") {
                Some(_) => Ok(()),
                None => Err("still running".to_owned()),
            }
        });
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may already be dead.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn history(env: &TestEnvironment, run: RunId) -> Vec<HistoryRow> {
    env.call(
        "run_history",
        RunHistory {
            run,
            after: 0,
            limit: 10_000,
        },
    )
    .expect("history")
}

fn record(env: &TestEnvironment, run: RunId) -> TakeoverRecord {
    wait("the run is taken over", || {
        let mut records = history(env, run)
            .into_iter()
            .filter_map(|row| match row.event {
                Event::TakenOver { record, .. } => record,
                _ => None,
            });
        records
            .next_back()
            .map(|record| *record)
            .ok_or_else(|| "not yet".to_owned())
    })
}

/// Returns the check of `made`.
fn checked(env: &TestEnvironment, run: RunId) -> InheritedCheck {
    wait("inherited work is checked", || {
        let checks = history(env, run)
            .into_iter()
            .filter_map(|row| match row.event {
                Event::InheritedChecked { checks, .. } => Some(checks),
                _ => None,
            });
        let all: Vec<InheritedCheck> = checks.flatten().collect();
        assert!(all.len() < 2, "one criterion has one result: {all:#?}");
        all.into_iter().next().ok_or_else(|| "not yet".to_owned())
    })
}

fn finish(env: &TestEnvironment, title: &str, run: RunId) -> RunView {
    touch(env, &format!("go-{title}"));
    let view = env.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(lines(env, &format!("ledger-{title}")), 1);
    view
}

fn end(zombie: RunningCommand) {
    signal("-CONT", zombie.pid());
    let (status, _) = zombie.end();
    assert!(matches!(status.code(), Some(0 | 1 | 130)), "{status:?}");
}

#[test]
fn broken_inherited_work_is_unverified() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let _worker = Worker::start(&shell, None);
    for (title, breaks) in [("broken", true), ("as-it-was", false)] {
        let text = plan(&env, title, "verify", &elsewhere(&env));
        let (zombie, run) = started(&env, &shell, title, &text);
        processes::stop_at_write(zombie.pid(), env.data(), false);
        if breaks {
            std::fs::write(
                env.work_dir.path().join(format!("work-{title}/made.txt")),
                "gone",
            )
            .expect("enough disk space");
        }
        let check = checked(&env, run);
        assert_eq!(check.then.and_then(|end| end.code), Some(0), "{check:?}");
        let view = finish(&env, title, run);
        let made = node(&view, "made");
        assert_eq!(
            made.state,
            NodeState::Done { by_hand: false },
            "the node doesn't fail because of that"
        );
        assert_eq!(made.unverified, breaks);
        let of = AttemptRef {
            run,
            node: made.node,
            attempt: None,
        };
        let evidence: EvidenceView = env.call("evidence_get", of).expect("evidence");
        assert_eq!(evidence.after_takeover.len(), 1, "{evidence:?}");
        let names_both_results = |doubt: &String| {
            doubt.contains("passed before the takeover (exit 0") && doubt.contains("(exit 1")
        };
        assert_eq!(
            evidence
                .doubt
                .is_some_and(|doubt| names_both_results(&doubt)),
            breaks,
            "both results are reported"
        );
        if breaks {
            assert!(
                matches!(&check.now, RecheckResult::Broken { end, .. } if end.code == Some(1)),
                "{check:?}"
            );
        } else {
            assert_eq!(
                check.now,
                RecheckResult::NotRun {
                    why: NotRun::Unchanged
                }
            );
        }
        assert_eq!(
            lines(&env, &format!("checks-{title}")),
            if breaks { 2 } else { 1 }
        );
        assert_eq!(
            lines(&env, &format!("exempt-{title}")),
            1,
            "the node is exempt"
        );
        end(zombie);
    }
    processes::wait_for_none(env.data());
}

#[test]
fn directory_with_a_running_session_is_not_checked() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let _worker = Worker::start(&shell, None);
    let (zombie, run) = started(&env, &shell, "busy", &plan(&env, "busy", "verify", "."));
    processes::stop_at_write(zombie.pid(), env.data(), false);
    std::fs::write(env.work_dir.path().join("work-busy/made.txt"), "gone")
        .expect("enough disk space");
    assert_eq!(
        checked(&env, run).now,
        RecheckResult::NotRun {
            why: NotRun::SessionRuns
        }
    );
    let view = finish(&env, "busy", run);
    assert!(!node(&view, "made").unverified);
    end(zombie);
    processes::wait_for_none(env.data());
}

#[test]
fn takeover_record_is_shown_in_shell_and_history() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let _worker = Worker::start(&shell, None);
    let text = plan(&env, "told", "continue", &elsewhere(&env));
    let (zombie, run) = started(&env, &shell, "told", &text);
    processes::stop_at_write(zombie.pid(), env.data(), false);
    let record = record(&env, run);
    assert_eq!(record.former.pid, Some(zombie.pid()));
    assert!(
        matches!(record.reason, TakeoverReason::Silent { silence_ms } if silence_ms >= 2000),
        "{record:?}"
    );
    assert_eq!(
        (record.goal.as_str(), record.plan.as_str()),
        ("Make it whole", "told")
    );
    assert_eq!((record.inherited_count, record.remaining_count), (2, 2));
    assert!(record.elapsed_ms >= 2000, "{record:?}");
    let said: Vec<_> = record
        .unfinished
        .iter()
        .map(|session| session.last_line.as_deref())
        .collect();
    assert_eq!(
        said,
        [Some("step 7 of 9")],
        "the last line of each unfinished session"
    );
    let said = shell.run(&["runs", "show", &run.to_string(), "--history"]);
    for part in [
        &format!("taken over from process {}", zombie.pid()),
        "Plan: told. Goal: Make it whole",
        "Inherited: 2 finished nodes: 'made', 'exempt'",
        "running; last line: step 7 of 9",
        "Remaining: 2 nodes",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    let view = finish(&env, "told", run);
    assert!(
        !history(&env, run)
            .iter()
            .any(|row| matches!(row.event, Event::InheritedChecked { .. }))
    );
    assert_eq!(view.nodes.iter().filter(|node| node.unverified).count(), 0);
    end(zombie);
    processes::wait_for_none(env.data());
}

#[test]
fn same_executor_resumes_without_checks() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    for (title, on_takeover) in [("dead-verify", "verify"), ("dead-review", "review")] {
        let text = plan(&env, title, on_takeover, &elsewhere(&env));
        let (executor, run) = started(&env, &shell, title, &text);
        std::fs::write(
            env.work_dir.path().join(format!("work-{title}/made.txt")),
            "gone",
        )
        .expect("enough disk space");
        assert!(executor.kill(), "baton waits for its node");
        let _worker = Worker::start(&shell, None);
        assert_eq!(record(&env, run).reason, TakeoverReason::Left);
        let view = finish(&env, title, run);
        assert!(!node(&view, "made").unverified);
        assert_eq!(lines(&env, &format!("checks-{title}")), 1);
    }
    processes::wait_for_none(env.data());
}

#[test]
fn takeover_review_waits_without_an_executor() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let _worker = Worker::start(&shell, None);
    let text = plan(&env, "asked", "review", &elsewhere(&env));
    let (zombie, run) = started(&env, &shell, "asked", &text);
    processes::stop_at_write(zombie.pid(), env.data(), false);
    record(&env, run);
    touch(&env, "go-asked");
    let view = env.wait_until(run, |view| !view.summary.state.is_running());
    assert_eq!(
        view.summary.state,
        RunState::Paused {
            reason: PauseReason::TakenOver
        },
        "{:#?}",
        view.nodes
    );
    assert_eq!(*state(&view, "last"), NodeState::Pending);
    processes::wait_for_none(env.data());

    let items: Vec<InboxItem> = env.call("inbox_list", Nothing {}).expect("a list");
    let [
        InboxItem {
            ask: InboxRequest::Takeover { message, details },
            run: asked,
            ..
        },
    ] = &items[..]
    else {
        panic!("{items:#?}")
    };
    assert_eq!(*asked, run);
    assert!(
        message.contains(&format!("process {}", zombie.pid())),
        "{message}"
    );
    assert!(
        details
            .iter()
            .any(|line| line.starts_with("Inherited: 2 finished nodes")),
        "{details:?}"
    );
    let said = shell.run(&["inbox"]);
    assert!(
        said.out.contains(&format!("baton resume {run}")),
        "{said:?}"
    );
    let listed = shell.run(&["runs", "list"]);
    assert!(listed.out.contains("waiting for your review"), "{listed:?}");

    let said = shell.run(&["resume", &run.to_string()]);
    assert_eq!(said.code, Some(0), "{said:?}");
    finish(&env, "asked", run);
    assert!(
        env.call::<Vec<InboxItem>>("inbox_list", Nothing {})
            .expect("a list")
            .is_empty()
    );
    end(zombie);
    processes::wait_for_none(env.data());
}

#[test]
fn interrupted_check_is_adopted_or_repeated() {
    for point in ["before inherited check", "after inherited check"] {
        let env = TestEnvironment::new();
        let shell = Shell::new(&env);
        let mut first = Worker::start(&shell, Some(point));
        let text = plan(&env, "dies", "verify", &elsewhere(&env));
        let (zombie, run) = started(&env, &shell, "dies", &text);
        processes::stop_at_write(zombie.pid(), env.data(), false);
        std::fs::write(env.work_dir.path().join("work-dies/made.txt"), "gone")
            .expect("enough disk space");
        first.await_death(point);
        let _second = Worker::start(&shell, None);
        let check = checked(&env, run);
        assert!(
            matches!(check.now, RecheckResult::Broken { .. }),
            "{point}: {check:?}"
        );
        assert_eq!(
            lines(&env, "checks-dies"),
            2,
            "{point}: the check ran once after the takeover"
        );
        let view = finish(&env, "dies", run);
        assert!(node(&view, "made").unverified, "{point}");
        end(zombie);
        processes::wait_for_none(env.data());
    }
}

#[test]
fn check_survives_its_executor_and_can_be_canceled() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let first = Worker::start(&shell, None);
    let text = plan(&env, "long", "verify", &elsewhere(&env));
    let (zombie, run) = started(&env, &shell, "long", &text);
    processes::stop_at_write(zombie.pid(), env.data(), false);
    touch(&env, "block-long");
    touch(&env, "work-long/new.txt");
    let begins = |count| {
        wait("the check is running", || {
            match lines(&env, "checks-long") {
                lines if lines == count => Ok(()),
                lines => Err(lines.to_string()),
            }
        });
    };
    begins(2);
    drop(first);
    let _second = Worker::start(&shell, None);
    wait("the second worker is the executor", || {
        match env.view(run).takeover {
            Some(takeover) if takeover.from_pid != Some(zombie.pid()) => Ok(()),
            _ => Err("not yet".to_owned()),
        }
    });
    let _: RunSummary = env
        .call("run_cancel", RunRef { run })
        .expect("the worker responds");
    let view = env.wait_until(run, |view| view.summary.state.has_ended());
    assert_eq!(view.summary.state, RunState::Cancelled);
    assert_eq!(
        checked(&env, run).now,
        RecheckResult::NotRun {
            why: NotRun::Stopped
        }
    );
    assert_eq!(
        lines(&env, "checks-long"),
        2,
        "the check wasn't started again"
    );
    assert!(!node(&view, "made").unverified);
    processes::wait_for_none(env.data());
    end(zombie);
}

#[test]
fn executor_silence_is_recorded() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let mut command = shell.baton(&["worker", "--json"]);
    // This worker only watches, and never takes over.
    command
        .env("BATON_LEASE", "100,500,600000")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _watcher = Worker(command.spawn().expect("baton starts"));
    let text = plan(&env, "silent", "verify", &elsewhere(&env));
    let (quiet, run) = started(&env, &shell, "silent", &text);
    let pid = quiet.pid();
    let silence = || {
        let view: ExecutorsView = env.call("executors_list", Nothing {}).expect("executors");
        let known = view.silences.into_iter().find(|silence| silence.pid == pid);
        let listed = view
            .executors
            .into_iter()
            .find(|executor| executor.pid == pid)
            .and_then(|row| row.silent_since);
        known
            .map(|silence| (silence, listed))
            .ok_or_else(|| "not noticed yet".to_owned())
    };
    processes::stop_at_write(pid, env.data(), false);
    let (known, listed) = wait("its silence is noticed", silence);
    assert_eq!((listed, known.back_at), (Some(known.since), None));
    let said = shell.run(&["executors"]);
    assert!(said.out.contains("not yet"), "{said:?}");
    signal("-CONT", pid);
    let back = wait("the executor is back", || match silence() {
        Ok((known, None)) => known.back_at.ok_or_else(|| "not yet".to_owned()),
        other => Err(format!("{other:?}")),
    });
    assert!(back.ms_since(known.since) >= 500, "{known:?} {back:?}");
    wait("the history records it", || {
        let is_recorded = |row: &HistoryRow| matches!(row.event, Event::ExecutorReturned { silence_ms, .. } if silence_ms >= 500);
        if history(&env, run).iter().any(is_recorded) {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    finish(&env, "silent", run);
    let (status, _) = quiet.end();
    assert_eq!(status.code(), Some(0));
    processes::wait_for_none(env.data());
}

#[test]
fn duplicate_generate_joins_or_takes_over() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let place: &Path = env.work_dir.path();
    std::fs::write(place.join("answer"), GOOD).expect("enough disk space");
    teach(
        &env,
        "cat > /dev/null; touch planning; while [ ! -f go ]; do sleep 0.02; done; cat answer",
    );
    let generate = |goal: &str, lease: &str| {
        let mut command = shell.baton(&["plan", "generate", goal, "--agent", "planner", "--json"]);
        command.env("BATON_LEASE", lease);
        command
    };
    let first = RunningCommand::new(generate("Do two things.", LEASE));
    wait("the planner is running", || {
        if place.join("planning").exists() {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    let again = |lease: &str| {
        let output = generate("  Do two things.\n", lease)
            .output()
            .expect("baton starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, said) = again("100,60000,120000");
    assert_ne!(code, Some(0), "{said}");
    assert!(
        said.contains("is already working") && said.contains(&format!("process {}", first.pid())),
        "{said}"
    );

    processes::stop_at_write(first.pid(), env.data(), false);
    let said = wait("the executor is unhealthy", || {
        match again("100,300,600000") {
            (Some(0), said) => panic!("{said}"),
            (_, said) if said.contains("is being watched") => Ok(said),
            (_, said) => Err(said),
        }
    });
    assert!(said.contains("has not responded for"), "{said}");
    let view: ExecutorsView = env.call("executors_list", Nothing {}).expect("executors");
    assert!(
        view.silences
            .iter()
            .any(|silence| silence.pid == first.pid()),
        "the executor is marked: {:?}",
        view.silences
    );

    let proposals = || -> Vec<ProposalSummary> {
        env.call(
            "proposals_list",
            ProposalsFilter {
                open: false,
                plan: None,
                limit: 10,
            },
        )
        .expect("proposals")
    };
    let [before] = &proposals()[..] else {
        panic!("expected one planner: {:#?}", proposals())
    };
    // A different goal isn't a duplicate.
    std::fs::write(place.join("go"), "").expect("enough disk space");
    let (code, said) = wait("the executor is stale", || match again(LEASE) {
        (Some(0), said) => Ok((0, said)),
        (code, said) => Err(format!("{code:?}: {said}")),
    });
    assert_eq!(code, 0, "{said}");
    let after = proposals();
    assert_eq!(
        after.iter().map(|proposal| proposal.id).collect::<Vec<_>>(),
        [before.id],
        "no second planner started"
    );
    assert_eq!(
        show(&env, before.id).rounds.len(),
        1,
        "the existing planner gave the answer"
    );
    signal("-CONT", first.pid());
    drop(first.end());
    processes::wait_for_none(env.data());
}

#[test]
fn duplicate_replan_starts_no_second_planner() {
    let env = TestEnvironment::new();
    let place: &Path = env.work_dir.path();
    std::fs::write(place.join("answer"), GOOD).expect("enough disk space");
    teach(
        &env,
        "cat > /dev/null; while [ ! -f go ]; do sleep 0.02; done; cat answer",
    );
    let text = "baton: 1\ntitle: T\ndescription: Do two things.\ncwd: .\nnodes:\n  - {id: a, kind: command, command: exit 1}\n";
    let run = env.start(text).summary.id;
    env.wait_until(run, |view| view.summary.state.has_ended());
    let input = serde_json::json!({"goal": "Do two things.", "cwd": place, "agent": "planner"});
    let first: ProposalView = env
        .call("plan_generate", input)
        .expect("the planner exists");
    let replan = |wish: &str| {
        let input = RunReplan {
            run,
            node: None,
            wish: wish.to_owned(),
            agent: Some("planner".to_owned()),
            model: None,
        };
        env.call::<ProposalView>("run_replan", input)
    };
    let refused = replan("").expect_err("a planner is already running");
    assert_eq!(refused.code, Code::Refused);
    assert!(
        refused
            .message
            .contains("is already working, in this process"),
        "{}",
        refused.message
    );
    assert!(
        refused.message.contains(&first.summary.id.to_string()),
        "{}",
        refused.message
    );
    assert!(
        matches!(env.view(run).summary.state, RunState::Failed { .. }),
        "the run isn't waiting"
    );
    touch(&env, "go");
    settled(&env, first.summary.id);
    let begun = replan("").expect("no planner is running anymore");
    assert_ne!(begun.summary.id, first.summary.id);
    settled(&env, begun.summary.id);
    processes::wait_for_none(env.data());
}
