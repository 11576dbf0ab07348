//! Which agent works on a node: teams, rotation, limits and failures, as a run stores and replays
//! them.

use std::sync::Arc;

use super::scenario::{Scenario, failed, start, started_run, take_over};
use crate::arbiter::{AgentChoice, AgentStatus, ChoiceReason, ExclusionReason, Team, TeamRule};
use crate::node::{AgentTask, NodeKind};
use crate::outcome::Failure;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::{Command, Effect, Event, NodeState, Obstacle, Run, RunState, Step, WaitingFor};
use crate::{Outcome, Plan, Timestamp};

const A: usize = 0;
const B: usize = 1;
const HOUR: u64 = 3_600_000;

/// Independent nodes for the team `t`.
fn plan(nodes: usize) -> Plan {
    let titles = ["A", "B", "C", "D", "E", "F"];
    let mut plan = plan_of(&titles[..nodes], &[]);
    for node in &mut plan.nodes {
        node.kind = NodeKind::Agent(AgentTask {
            agent: Some("team:t".to_owned()),
            ..AgentTask::default()
        });
    }
    plan
}

fn scenario(plan: Plan, rule: TeamRule) -> Scenario {
    let mut scenario = Scenario::of(plan);
    let members = ["a", "b", "c"].map(str::to_owned).to_vec();
    scenario.roster.teams = vec![Team {
        name: "t".to_owned(),
        members,
        rule,
        ..Team::default()
    }];
    scenario
}

fn begin(plan: Plan, rule: TeamRule) -> Scenario {
    let mut scenario = scenario(plan, rule);
    scenario.step_ok(start(None));
    scenario
}

fn agent(scenario: &Scenario, position: usize) -> String {
    scenario
        .node(position)
        .choice
        .as_ref()
        .map(|choice| choice.agent.clone())
        .unwrap_or_default()
}

fn limited(reset_at: Timestamp) -> Outcome {
    Outcome::Failed {
        failure: Failure::UsageLimit {
            reset_at: Some(reset_at),
            detail: "later".to_owned(),
        },
    }
}

fn parked_until(scenario: &Scenario, position: usize) -> Option<Timestamp> {
    match scenario.state(position) {
        NodeState::Waiting {
            what: WaitingFor::LimitUntil { at },
        } => Some(*at),
        _ => None,
    }
}

fn chosen(agent: &str) -> AgentChoice {
    let reason = ChoiceReason::Asked {
        by: "judge".to_owned(),
        words: "knows it".to_owned(),
    };
    AgentChoice {
        agent: agent.to_owned(),
        reason,
        team: Some("t".to_owned()),
        passed_over: Vec::new(),
    }
}

fn starts(step: &Step) -> usize {
    step.effects
        .iter()
        .filter(|effect| matches!(effect, Effect::StartSession { .. }))
        .count()
}

#[test]
fn rotation_covers_all_members() {
    let scenario = begin(plan(4), TeamRule::Rotate);
    let agents: Vec<_> = (0..4).map(|position| agent(&scenario, position)).collect();
    assert_eq!(agents, ["a", "b", "c", "a"]);
    let choice = scenario.node(1).choice.clone().expect("made");
    assert_eq!(choice.to_string(), "next in rotation in team t");
}

#[test]
fn least_busy_updates_while_reserving() {
    let scenario = begin(plan(4), TeamRule::LeastBusy);
    let agents: Vec<_> = (0..4).map(|position| agent(&scenario, position)).collect();
    assert_eq!(
        agents,
        ["a", "b", "c", "a"],
        "each reservation counts for the next choice"
    );
}

#[test]
fn named_agent_is_kept_with_its_reason() {
    let mut plan = plan_of(&["A", "B"], &[]);
    plan.nodes[B].kind = NodeKind::Agent(AgentTask {
        agent: Some("pi".to_owned()),
        ..AgentTask::default()
    });
    plan.nodes[A].kind = NodeKind::Agent(AgentTask::default());
    let scenario = started_run(plan.clone());
    let reasons = [A, B].map(|position| {
        scenario
            .node(position)
            .choice
            .as_ref()
            .map(ToString::to_string)
    });
    assert_eq!(
        reasons,
        [
            Some("default agent".to_owned()),
            Some("named by the node".to_owned())
        ]
    );
    plan.settings.agent = Some("codex".to_owned());
    let scenario = started_run(plan);
    assert_eq!(agent(&scenario, A), "codex");
    assert_eq!(
        scenario
            .node(A)
            .choice
            .as_ref()
            .map(ToString::to_string)
            .as_deref(),
        Some("the plan's default")
    );
}

#[test]
fn agent_limits_apply_to_chosen_members() {
    let mut plan = plan(6);
    plan.settings.concurrency = Some(6);
    plan.settings.agent_concurrency = [("a", 1), ("b", 2), ("c", 1)]
        .map(|(a, n)| (a.to_owned(), n))
        .into();
    for rule in [TeamRule::First, TeamRule::Rotate, TeamRule::LeastBusy] {
        let mut scenario = begin(plan.clone(), rule);
        let mut done = 0;
        while !scenario.run.state().has_ended() {
            let live: Vec<usize> = (0..6)
                .filter(|&position| matches!(scenario.state_name(position), "waiting" | "running"))
                .collect();
            for (member, most) in [("a", 1), ("b", 2), ("c", 1)] {
                let count = live
                    .iter()
                    .filter(|&&position| agent(&scenario, position) == member)
                    .count();
                assert!(
                    count <= most,
                    "{member} has {count} sessions under {rule:?}"
                );
            }
            assert!(
                live.len() == 4 || done > 2,
                "every slot that an agent could use is taken, {rule:?}: {live:?}"
            );
            scenario.runs(live[0], Outcome::Succeeded);
            done += 1;
        }
        assert_eq!(*scenario.run.state(), RunState::Completed, "{rule:?}");
    }
}

#[test]
fn member_at_usage_limit_is_passed_over() {
    let mut scenario = begin(plan(2), TeamRule::First);
    let reset_at = scenario.now.plus_ms(HOUR);
    assert_eq!(
        (agent(&scenario, A), agent(&scenario, B)),
        ("a".to_owned(), "a".to_owned())
    );
    scenario.runs(A, limited(reset_at));
    assert_eq!(
        agent(&scenario, A),
        "b",
        "the node does not wait for an hour while another member is available"
    );
    let node = scenario.node(A);
    assert_eq!(
        (node.resumes, node.own_failures),
        (None, 0),
        "another agent cannot resume the session"
    );
    let choice = node.choice.as_ref().expect("made").to_string();
    assert_eq!(
        choice,
        "first available agent of team t; passed over: a is at its usage limit"
    );
    scenario.runs(B, limited(reset_at));
    assert_eq!(agent(&scenario, B), "b");
    scenario.now = reset_at.plus_ms(60_000);
    scenario.runs(A, limited(scenario.now.plus_ms(HOUR)));
    assert_eq!(agent(&scenario, A), "a", "its limit is lifted by now");
}

#[test]
fn node_waits_for_the_first_lifted_limit() {
    let mut scenario = begin(plan(2), TeamRule::First);
    let first = scenario.now.plus_ms(HOUR);
    for reset_at in [first.plus_ms(HOUR), first, first.plus_ms(2 * HOUR)] {
        scenario.runs(A, limited(reset_at));
    }
    let due = parked_until(&scenario, A).expect("parked");
    assert!(
        due >= first && due < first.plus_ms(30_000),
        "b's limit is lifted first"
    );
    // The other node reaches a's limit as well, and is parked without another session.
    let sessions = scenario.node(B).attempt;
    scenario.runs(B, limited(first.plus_ms(HOUR)));
    assert_eq!(scenario.node(B).attempt, sessions);
    assert!(parked_until(&scenario, B).is_some_and(|due| due < first.plus_ms(30_000)));
    scenario.now = due;
    scenario.step_ok(Command::Due { node: node_id(A) });
    assert_eq!(agent(&scenario, A), "b");
}

#[test]
fn session_resumes_if_its_limit_resets_first() {
    let mut scenario = begin(plan(1), TeamRule::First);
    let first = scenario.now.plus_ms(HOUR);
    for agent in ["b", "c"] {
        let standing = AgentStatus {
            limited_until: Some(first.plus_ms(HOUR)),
            ..AgentStatus::default()
        };
        scenario
            .roster
            .agent_statuses
            .insert(agent.to_owned(), standing);
    }
    scenario.runs(A, limited(first));
    scenario.now = parked_until(&scenario, A).expect("parked");
    scenario.step_ok(Command::Due { node: node_id(A) });
    assert_eq!(
        scenario
            .node(A)
            .choice
            .as_ref()
            .map(ToString::to_string)
            .as_deref(),
        Some("continues its session")
    );
    assert!(scenario.node(A).resumes.is_some());
}

#[test]
fn manual_retry_ignores_usage_limits() {
    let mut scenario = begin(plan(1), TeamRule::First);
    for _ in 0..3 {
        scenario.runs(A, limited(scenario.now.plus_ms(HOUR)));
    }
    assert!(parked_until(&scenario, A).is_some());
    scenario.step_ok(Command::RetryNode {
        node: node_id(A),
        resume: false,
    });
    assert_eq!(
        parked_until(&scenario, A),
        None,
        "another account may have been logged in"
    );
    assert_eq!(agent(&scenario, A), "a");
}

#[test]
fn retry_changes_member_unless_resumed() {
    let mut plan = plan(1);
    plan.nodes[A].max_retries = 2;
    let mut scenario = begin(plan, TeamRule::First);
    let mut agents = vec![agent(&scenario, A)];
    for _ in 0..2 {
        scenario.runs(A, failed());
        scenario.step_ok(Command::Due { node: node_id(A) });
        agents.push(agent(&scenario, A));
    }
    assert_eq!(agents, ["a", "b", "c"]);
    scenario.runs(A, failed());
    assert_eq!(scenario.state_name(A), "failed");
    scenario.step_ok(Command::RetryNode {
        node: node_id(A),
        resume: true,
    });
    assert_eq!(
        scenario
            .node(A)
            .choice
            .as_ref()
            .map(ToString::to_string)
            .as_deref(),
        Some("continues its session")
    );
    assert_eq!(agent(&scenario, A), "c");
    scenario.runs(A, failed());
    scenario.step_ok(Command::RetryNode {
        node: node_id(A),
        resume: false,
    });
    assert_eq!(
        agent(&scenario, A),
        "a",
        "among failed agents, the one that failed longest ago is chosen"
    );
    scenario.runs(A, Outcome::Succeeded);
    scenario.step_ok(Command::RerunNode { node: node_id(A) });
    let choice = scenario.node(A).choice.as_ref().expect("made");
    assert!(
        choice.passed_over.is_empty(),
        "success clears earlier failures"
    );
}

#[test]
fn attempt_starts_with_the_selected_agent() {
    let mut scenario = scenario(plan(1), TeamRule::Ask);
    let step = scenario.step_ok(start(None));
    assert_eq!(starts(&step), 1, "the session's thread asks");
    let (node, attempt) = scenario.attempt(A);
    let asking = scenario
        .run
        .selection_request(node)
        .expect("it is asked")
        .clone();
    assert_eq!((asking.by.as_str(), asking.offered.len()), ("claude", 3));
    // Another executor takes over: it receives the order to ask, or to find the answer.
    let step = scenario.step_ok(take_over(1));
    assert_eq!(starts(&step), 1);
    let step = scenario.step_ok(Command::AgentChosen {
        node,
        attempt,
        choice: chosen("b"),
    });
    assert_eq!(starts(&step), 1, "stored first, started then");
    assert_eq!(agent(&scenario, A), "b");
    assert!(scenario.run.selection_request(node).is_none());
    let again = scenario.step_ok(Command::AgentChosen {
        node,
        attempt,
        choice: chosen("c"),
    });
    assert_eq!(
        (again.events, agent(&scenario, A)),
        (vec![], "b".to_owned()),
        "an agent is not asked twice"
    );
    scenario.runs(A, Outcome::Succeeded);
    assert_eq!(scenario.state_name(A), "done");
    let late = scenario.step(&Command::AgentChosen {
        node,
        attempt,
        choice: chosen("c"),
    });
    assert!(late.is_err(), "the attempt is over");
}

#[test]
fn agents_not_offered_are_rejected() {
    let mut scenario = begin(plan(1), TeamRule::Ask);
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(Command::AgentChosen {
        node,
        attempt,
        choice: chosen("somebody"),
    });
    assert_eq!(agent(&scenario, A), "a");
    let why = scenario.node(A).choice.as_ref().expect("made").to_string();
    assert_eq!(
        why,
        "first available agent, because claude named 'somebody', which was not offered"
    );
}

#[test]
fn late_selection_starts_nothing() {
    for (command, effect) in [
        (
            Command::Pause {
                stop_running: false,
            },
            "withdraw",
        ),
        (Command::Pause { stop_running: true }, "stop"),
        (Command::Cancel, "stop"),
    ] {
        let mut scenario = begin(plan(1), TeamRule::Ask);
        let (node, attempt) = scenario.attempt(A);
        scenario.step_ok(command.clone());
        let step = scenario.step_ok(Command::AgentChosen {
            node,
            attempt,
            choice: chosen("b"),
        });
        let words = step.effects.iter().map(|effect| match effect {
            Effect::StartSession { .. } => "start",
            Effect::StopSession { .. } => "stop",
            Effect::WithdrawSession { .. } => "withdraw",
            _ => "else",
        });
        assert_eq!(words.collect::<Vec<_>>(), [effect], "{command:?}");
        scenario.step_ok(Command::SessionWithdrawn { node, attempt });
        assert_eq!(scenario.node(A).choice, None, "{command:?}");
        assert!(scenario.run.busy_agents().is_empty(), "{command:?}");
    }
}

#[test]
fn all_offered_agents_count_while_asking() {
    let mut plan = plan(2);
    plan.settings.agent_concurrency = ["a", "b", "c"].map(|agent| (agent.to_owned(), 1)).into();
    let mut scenario = begin(plan, TeamRule::Ask);
    assert_eq!(
        scenario.state_name(B),
        "pending",
        "the limit must hold for any agent chosen for A"
    );
    let (node, attempt) = scenario.attempt(A);
    scenario.step_ok(Command::AgentChosen {
        node,
        attempt,
        choice: chosen("b"),
    });
    let asking = scenario
        .run
        .selection_request(node_id(B))
        .expect("its turn has come");
    assert_eq!(asking.offered, ["a", "c"]);
}

#[test]
fn unknown_team_fails_in_the_session() {
    let mut scenario = scenario(plan(1), TeamRule::First);
    scenario.roster.teams.clear();
    let step = scenario.step_ok(start(None));
    assert_eq!(starts(&step), 1);
    assert_eq!(scenario.node(A).choice, None);
}

#[test]
fn histories_without_choices_still_replay() {
    let mut plan = plan_of(&["A"], &[]);
    plan.nodes[A].kind = NodeKind::Agent(AgentTask {
        agent: Some("pi".to_owned()),
        ..AgentTask::default()
    });
    plan.settings.agent_concurrency = [("pi".to_owned(), 1)].into();
    let old = r#"{"event":"node_reserved","node":"00000000-0000-0000-0000-000000000001","attempt":1,
        "session":"00000000-0000-0000-0000-000000000002"}"#;
    let reserved: Event = serde_json::from_str(old).expect("an event of format 4");
    let mut scenario = Scenario::of(plan.clone());
    let started_run = scenario.step_ok(start(None)).events.swap_remove(0);
    let history = [started_run, reserved].map(|event| (Timestamp(1), event));
    let run = Run::replay(scenario.run.id(), Arc::new(plan), history).expect("it fits");
    assert_eq!(
        run.node(node_id(A)).map(|node| node.choice.is_some()),
        Some(false)
    );
}

#[test]
fn history_with_choices_replays() {
    let mut history = Vec::new();
    let mut scenario = scenario(plan(4), TeamRule::Rotate);
    let mut note = |step: Step, scenario: &Scenario| {
        history.extend(step.events.into_iter().map(|e| (scenario.now, e)))
    };
    let step = scenario.step_ok(start(None));
    note(step, &scenario);
    for (position, outcome) in [
        (A, limited(Timestamp(9_000_000))),
        (B, Outcome::Succeeded),
        (A, Outcome::Succeeded),
    ] {
        let (node, attempt) = scenario.attempt(position);
        for command in [
            super::scenario::started(node, attempt),
            super::scenario::ended(node, attempt, outcome),
        ] {
            let step = scenario.step_ok(command);
            note(step, &scenario);
        }
    }
    let replayed = Run::replay(scenario.run.id(), Arc::clone(scenario.run.plan()), history)
        .expect("its own history");
    for position in 0..4 {
        assert_eq!(
            replayed.node(node_id(position)),
            scenario.run.node(node_id(position))
        );
    }
    assert_eq!(
        (replayed.rotation, replayed.limits),
        (scenario.run.rotation, scenario.run.limits)
    );
}

fn passed_over(scenario: &Scenario, position: usize) -> Vec<(String, ExclusionReason)> {
    let choice = scenario
        .node(position)
        .choice
        .as_ref()
        .expect("it was chosen");
    choice
        .passed_over
        .iter()
        .map(|passed| (passed.agent.clone(), passed.why.clone()))
        .collect()
}

#[test]
fn member_at_its_limit_in_all_runs_is_passed_over() {
    let mut scenario = scenario(plan(2), TeamRule::First);
    scenario.permits.agent_limits.insert("a".to_owned(), 1);
    let history = scenario.step_ok(start(None)).events;
    assert_eq!(
        (agent(&scenario, A), agent(&scenario, B)),
        ("a".to_owned(), "b".to_owned())
    );
    assert_eq!(
        passed_over(&scenario, B),
        [("a".to_owned(), ExclusionReason::Full)]
    );
    let events = history.into_iter().map(|event| (Timestamp(1000), event));
    let replayed =
        Run::replay(scenario.run.id(), scenario.run.plan().clone(), events).expect("it was legal");
    for position in [A, B] {
        assert_eq!(
            replayed.node(node_id(position)),
            scenario.run.node(node_id(position))
        );
    }
}

#[test]
fn team_takes_the_first_member_with_a_free_session() {
    let mut scenario = scenario(plan(1), TeamRule::First);
    scenario.permits.agent_limits = ["a", "b", "c"].map(|agent| (agent.to_owned(), 0)).into();
    scenario.step_ok(start(None));
    let waits = Obstacle::Agent {
        agent: "a".to_owned(),
        limit: 0,
    };
    assert_eq!(
        scenario.node(A).held_back.as_ref().map(|held| &held.by),
        Some(&waits)
    );
    assert!(scenario.run.state().is_running());
    assert_eq!(
        scenario.run.waiting_for_permits().collect::<Vec<_>>(),
        [node_id(A)]
    );
    scenario.permits.agent_limits.insert("b".to_owned(), 1);
    scenario.step_ok(Command::PermitsFreed);
    assert_eq!(
        (scenario.state_name(A), agent(&scenario, A)),
        ("waiting", "b".to_owned())
    );
}

#[test]
fn selection_needs_room_for_the_asked_agent() {
    let mut scenario = scenario(plan(1), TeamRule::Ask);
    scenario.roster.teams[0].asks = Some("judge".to_owned());
    scenario.permits.agent_limits = ["a", "judge"].map(|agent| (agent.to_owned(), 0)).into();
    scenario.step_ok(start(None));
    let waits = Obstacle::Agent {
        agent: "judge".to_owned(),
        limit: 0,
    };
    assert_eq!(
        scenario.node(A).held_back.as_ref().map(|held| &held.by),
        Some(&waits)
    );
    scenario.permits.agent_limits.insert("judge".to_owned(), 1);
    scenario.step_ok(Command::PermitsFreed);
    let asking = scenario
        .run
        .selection_request(node_id(A))
        .expect("an agent is asked");
    assert_eq!(
        (asking.by.as_str(), asking.offered.as_slice()),
        ("judge", &["b".to_owned(), "c".to_owned()][..])
    );
}
