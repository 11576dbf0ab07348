//! Tables of choices, and properties that hold for all choices.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::Timestamp;

const NOW: Timestamp = Timestamp(1_000);

/// What is known about agents in a test.
#[derive(Debug, Clone, Default)]
struct World {
    teams: Vec<Team>,
    standings: BTreeMap<String, AgentStatus>,
    rooms: BTreeMap<String, u32>,
    busy: BTreeMap<String, u32>,
    limits: BTreeMap<String, Timestamp>,
    failed: Vec<String>,
    last: Option<String>,
    suggested: Option<String>,
    plan_default: Option<String>,
    insists: bool,
}

impl Roster for World {
    fn team(&self, name: &str) -> Option<Team> {
        self.teams.iter().find(|team| team.name == name).cloned()
    }

    fn agent_status(&self, agent: &str) -> AgentStatus {
        self.standings.get(agent).cloned().unwrap_or_default()
    }

    fn default_agent(&self) -> Option<String> {
        Some("claude".to_owned())
    }
}

impl World {
    fn of(rule: TeamRule) -> Self {
        let members = ["a", "b", "c"].map(str::to_owned).to_vec();
        Self {
            teams: vec![Team {
                name: "t".to_owned(),
                members,
                rule,
                ..Team::default()
            }],
            ..Self::default()
        }
    }

    fn judge(&self, named: Option<&str>) -> Selection {
        let case = SelectionInput {
            named,
            suggested: self.suggested.as_deref(),
            plan_default: self.plan_default.as_deref(),
            failed: &self.failed,
            last_of_team: &|_| self.last.as_deref(),
            room: &|agent| self.rooms.get(agent).copied().unwrap_or(u32::MAX),
            busy: &|agent| self.busy.get(agent).copied().unwrap_or_default(),
            limited_until: &|agent| self.limits.get(agent).copied(),
            ignores_limits: self.insists,
            now: NOW,
        };
        choose_agent(&case, self)
    }

    fn says(&self, named: Option<&str>) -> String {
        match self.judge(named) {
            Selection::Chosen(choice) => format!("{}, {choice}", choice.agent),
            Selection::Ask(asking) => {
                format!("ask {} about {}", asking.by, asking.offered.join(" "))
            }
            Selection::Wait => "wait".to_owned(),
            Selection::Park { until } => format!("park until {}", until.0),
            Selection::Nobody => "nobody".to_owned(),
        }
    }

    fn missing(mut self, agent: &str) -> Self {
        self.standings.entry(agent.to_owned()).or_default().missing = true;
        self
    }

    fn unknown(mut self, agent: &str) -> Self {
        self.standings.entry(agent.to_owned()).or_default().unknown = true;
        self
    }

    fn limited(mut self, agent: &str, until: i64) -> Self {
        self.limits.insert(agent.to_owned(), Timestamp(until));
        self
    }

    fn limited_elsewhere(mut self, agent: &str, until: i64) -> Self {
        self.standings
            .entry(agent.to_owned())
            .or_default()
            .limited_until = Some(Timestamp(until));
        self
    }

    fn full(mut self, agent: &str) -> Self {
        self.rooms.insert(agent.to_owned(), 0);
        self
    }

    fn busy(mut self, agent: &str, here: u32, elsewhere: u32) -> Self {
        self.busy.insert(agent.to_owned(), here);
        self.standings
            .entry(agent.to_owned())
            .or_default()
            .busy_elsewhere = elsewhere;
        self
    }

    fn failed(mut self, agents: &[&str]) -> Self {
        self.failed = agents.iter().map(|&agent| agent.to_owned()).collect();
        self
    }

    fn suggests(mut self, agent: &str) -> Self {
        self.suggested = Some(agent.to_owned());
        self
    }
}

#[test]
fn without_a_team_the_most_specific_agent_wins() {
    let plain = World::default();
    assert_eq!(plain.says(Some("codex")), "codex, named by the node");
    assert_eq!(plain.says(None), "claude, default agent");
    let planned = World {
        plan_default: Some("pi".to_owned()),
        ..World::default()
    };
    assert_eq!(planned.says(None), "pi, the plan's default");
    assert_eq!(
        plain.clone().suggests("pi").says(None),
        "pi, suggested for the node"
    );
    // A person named the agent, so a planner's suggestion does not override it.
    assert_eq!(
        plain.clone().suggests("pi").says(Some("codex")),
        "codex, named by the node"
    );
    // An unavailable agent is tried anyway, so that its own error says what to do.
    assert_eq!(
        plain.missing("codex").says(Some("codex")),
        "codex, named by the node"
    );
}

#[test]
fn unavailable_suggestion_falls_back_to_default() {
    let suggested = World::default().suggests("pi");
    for (world, says) in [
        (
            suggested.clone().missing("pi"),
            "claude, default agent; passed over: pi is not installed",
        ),
        (
            suggested.clone().unknown("pi"),
            "claude, default agent; passed over: pi is not defined",
        ),
        (
            suggested.clone().limited("pi", 2_000),
            "claude, default agent; passed over: pi is at its usage limit",
        ),
        (
            suggested.clone().limited("pi", 500),
            "pi, suggested for the node",
        ),
        (
            suggested.clone().failed(&["pi"]),
            "claude, default agent; passed over: pi failed an earlier attempt",
        ),
        (
            suggested.clone().missing("pi").missing("claude"),
            "claude, default agent; passed over: pi is not installed",
        ),
        (
            World::default().suggests("claude").missing("claude"),
            "claude, default agent",
        ),
        (
            suggested.limited("pi", 3_000).limited("claude", 2_000),
            "park until 2000",
        ),
    ] {
        assert_eq!(world.says(None), says);
    }
}

#[test]
fn first_available_member_is_chosen() {
    let team = World::of(TeamRule::First);
    for (world, says) in [
        (team.clone(), "a, first available agent of team t"),
        (
            team.clone().missing("a"),
            "b, first available agent of team t; passed over: a is not installed",
        ),
        (
            team.clone().unknown("a").limited_elsewhere("b", 9_000),
            "c, first available agent of team t; passed over: a is not defined, b is at its usage limit",
        ),
        (
            team.clone().failed(&["a"]),
            "b, first available agent of team t; passed over: a failed an earlier attempt",
        ),
        // All have failed once. The one that failed last does not go next.
        (
            team.clone().failed(&["b", "c", "a"]),
            "b, first available agent of team t; passed over: a failed an earlier attempt",
        ),
        (
            team.clone().missing("b").missing("c").failed(&["a"]),
            "a, first available agent of team t; passed over: b is not installed, c is not installed",
        ),
        (
            team.clone().full("a"),
            "b, first available agent of team t; passed over: a has reached its session limit",
        ),
        (team.clone().full("a").full("b").full("c"), "wait"),
        // A failed member does not prevent waiting for one that has not failed.
        (team.clone().failed(&["a"]).full("b").full("c"), "wait"),
        (
            team.clone()
                .limited("a", 5_000)
                .limited("b", 3_000)
                .missing("c"),
            "park until 3000",
        ),
        (
            team.clone().missing("a").unknown("b").missing("c"),
            "a, first agent of team t, which has no available agents; passed over: b is not defined, c is not installed",
        ),
        (
            World {
                insists: true,
                ..team
                    .clone()
                    .limited("a", 5_000)
                    .limited("b", 3_000)
                    .limited("c", 4_000)
            },
            "a, first available agent of team t",
        ),
        (team.clone().suggests("c"), "c, suggested for the node"),
        (team.clone().suggests("x"), "x, suggested for the node"),
        (
            team.suggests("x").missing("x"),
            "a, first available agent of team t; passed over: x is not installed",
        ),
    ] {
        assert_eq!(world.says(Some("team:t")), says, "{world:?}");
    }
}

#[test]
fn unknown_team_selects_no_agent() {
    assert_eq!(World::default().says(Some("team:t")), "nobody");
    assert_eq!(
        World::default().suggests("pi").says(Some("team:t")),
        "pi, suggested for the node"
    );
    assert_eq!(
        World::default()
            .suggests("pi")
            .missing("pi")
            .says(Some("team:t")),
        "nobody"
    );
    let planned = World {
        plan_default: Some("team:t".to_owned()),
        ..World::of(TeamRule::First)
    };
    assert_eq!(planned.says(None), "a, first available agent of team t");
}

#[test]
fn rotation_skips_unable_agents() {
    let team = World::of(TeamRule::Rotate);
    let after = |last: &str, world: &World| {
        World {
            last: Some(last.to_owned()),
            ..world.clone()
        }
        .says(Some("team:t"))
    };
    assert_eq!(team.says(Some("team:t")), "a, next in rotation in team t");
    assert_eq!(after("a", &team), "b, next in rotation in team t");
    assert_eq!(after("c", &team), "a, next in rotation in team t");
    assert_eq!(
        after("gone", &team),
        "a, next in rotation in team t",
        "an agent that left the team does not affect the rotation"
    );
    let without_b = team.missing("b");
    assert_eq!(
        after("a", &without_b),
        "c, next in rotation in team t; passed over: b is not installed"
    );
}

#[test]
fn the_least_busy_counts_all_runs() {
    let team = World::of(TeamRule::LeastBusy);
    assert_eq!(team.says(Some("team:t")), "a, least busy agent of team t");
    let busy = team.busy("a", 1, 2).busy("b", 0, 2).busy("c", 2, 0);
    assert_eq!(
        busy.says(Some("team:t")),
        "b, least busy agent of team t",
        "the first in order among equals"
    );
}

#[test]
fn agent_is_asked_only_if_there_is_a_choice() {
    let team = World::of(TeamRule::Ask);
    assert_eq!(team.says(Some("team:t")), "ask claude about a b c");
    assert_eq!(
        team.clone().missing("b").says(Some("team:t")),
        "ask claude about a c"
    );
    let alone = team.clone().missing("b").limited("a", 2_000);
    assert_eq!(
        alone.says(Some("team:t")),
        "c, only available agent of team t; passed over: a is at its usage limit, b is not installed"
    );
    assert_eq!(
        team.suggests("b").says(Some("team:t")),
        "b, suggested for the node"
    );
}

#[test]
fn answer_must_name_an_offered_agent() {
    let asking = SelectionRequest {
        team: "t".to_owned(),
        by: "judge".to_owned(),
        model: None,
        offered: vec!["a-1".to_owned(), "b".to_owned()],
        passed_over: Vec::new(),
    };
    let settled = |answer: Result<&str, SelectionError>| {
        let choice = asking.resolve(answer).expect("an agent was offered");
        format!("{}, {choice}", choice.agent)
    };
    for (answer, says) in [
        ("b: writes tests", "b, chosen by judge: writes tests"),
        (
            "I looked at it.\n\n**b**: writes tests\n",
            "b, chosen by judge: writes tests",
        ),
        ("`A-1`", "a-1, chosen by judge"),
        (
            "b: see https://x: y",
            "b, chosen by judge: see https://x: y",
        ),
        (
            "",
            "a-1, first available agent, because judge gave no answer",
        ),
        (
            "rm -rf /",
            "a-1, first available agent, because judge answered 'rm -rf /', which is not one of a-1, b",
        ),
        (
            "not b",
            "a-1, first available agent, because judge answered 'not b', which is not one of a-1, b",
        ),
        (
            "b or a-1",
            "a-1, first available agent, because judge answered 'b or a-1', which is not one of a-1, b",
        ),
    ] {
        assert_eq!(settled(Ok(answer)), says, "{answer:?}");
    }
    let failed = settled(Err(SelectionError::Unfinished));
    assert_eq!(
        failed,
        "a-1, first available agent, because judge did not finish"
    );
    let long = "x".repeat(5_000);
    assert!(
        settled(Ok(&format!("b: {long}"))).len() < 1_000,
        "the recorded reason is truncated"
    );
}

#[test]
fn invalid_teams_are_rejected() {
    let team = Team {
        name: "t".to_owned(),
        members: vec!["a".to_owned()],
        ..Team::default()
    };
    let members = |members: &[&str]| Team {
        members: members.iter().map(|&m| m.to_owned()).collect(),
        ..team.clone()
    };
    for (team, fault) in [
        (team.clone(), None),
        (
            Team {
                name: "no spaces".to_owned(),
                ..team.clone()
            },
            Some("a team name may contain letters"),
        ),
        (
            Team {
                name: String::new(),
                ..team.clone()
            },
            Some("a team name may contain letters"),
        ),
        (members(&[]), Some("has no members")),
        (
            members(&["a", "b", "a"]),
            Some("'a' is listed twice in the team 't'"),
        ),
        (members(&["team:u"]), Some("use agents only")),
        (members(&[" "]), Some("use agents only")),
        (
            Team {
                asks: Some("team:t".to_owned()),
                ..team.clone()
            },
            Some("use agents only"),
        ),
        (members(&["x"; 21]), Some("more than 20")),
    ] {
        let found = team.check().err().map(|fault| fault.to_string());
        let as_expected = match (&found, fault) {
            (None, None) => true,
            (Some(found), Some(part)) => found.contains(part),
            _ => false,
        };
        assert!(as_expected, "{team:?}: {found:?}");
    }
}

#[test]
fn selection_prompt_has_plan_node_and_last_error() {
    let mut plan = crate::plan_fixture::plan_of(&["one", "two", "three"], &[]);
    plan.nodes[1].acceptance_criteria =
        vec![crate::node::Criterion::Sentence("it compiles".to_owned())];
    let situation = PlanProgress {
        done: 1,
        left: vec!["the last one".to_owned()],
        last_error: Some("exited with code 3".to_owned()),
    };
    let colleagues = [("a", 0), ("b", 2)].map(|(name, sessions)| OfferedAgent {
        name: name.to_owned(),
        title: name.to_uppercase(),
        sessions,
    });
    let prompt = build_selection_prompt(&plan, &plan.nodes[1], &situation, &colleagues);
    for part in [
        plan.title.as_str(),
        "1 of 3 nodes done",
        plan.nodes[1].title.as_str(),
        "- it compiles",
        "- the last one",
        "exited with code 3",
        "- a (A)",
        "- b (B; running sessions: 2)",
        "the name of the agent (a, b)",
    ] {
        assert!(prompt.contains(part), "{part:?} is not in:\n{prompt}");
    }
}

fn worlds() -> impl Strategy<Value = World> {
    let rules = prop_oneof![
        Just(TeamRule::First),
        Just(TeamRule::Rotate),
        Just(TeamRule::LeastBusy),
        Just(TeamRule::Ask)
    ];
    let agent = prop::sample::select(vec!["a", "b", "c", "d"]).prop_map(str::to_owned);
    let standing = (
        any::<bool>(),
        any::<bool>(),
        prop::option::of(0_i64..2_000),
        0_u32..3,
    );
    let standings = prop::collection::btree_map(agent.clone(), standing, 0..4);
    let rooms = prop::collection::btree_map(agent.clone(), 0_u32..2, 0..4);
    let failed = prop::sample::subsequence(vec!["a", "b", "c", "d"], 0..4).prop_shuffle();
    let world = (
        rules,
        standings,
        rooms,
        failed,
        prop::option::of(agent.clone()),
        prop::option::of(agent),
    );
    world.prop_map(|(rule, standings, rooms, failed, last, suggested)| {
        let standings =
            standings
                .into_iter()
                .map(|(agent, (unknown, missing, until, busy_elsewhere))| {
                    let limited_until = until.map(Timestamp);
                    (
                        agent,
                        AgentStatus {
                            unknown,
                            missing,
                            limited_until,
                            busy_elsewhere,
                        },
                    )
                });
        let world = World::of(rule).failed(&failed);
        World {
            standings: standings.collect(),
            rooms,
            last,
            suggested,
            ..world
        }
    })
}

fn can_work(world: &World, agent: &str) -> bool {
    let standing = world.agent_status(agent);
    !standing.unknown
        && !standing.missing
        && standing.limited_until.is_none_or(|until| until <= NOW)
}

proptest! {
    /// An agent that is unavailable or has no free session is never chosen or offered while another
    /// one is available.
    #[test]
    fn only_able_agents_are_chosen(world in worlds()) {
        let of_field = |agent: &String| ["a", "b", "c"].contains(&agent.as_str()) || Some(agent) == world.suggested.as_ref();
        let has_room = |agent: &String| world.rooms.get(agent).is_none_or(|&room| room > 0);
        let able: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into_iter()
            .filter(|agent| of_field(agent) && can_work(&world, agent)).collect();
        let failed = |agent: &String| world.failed.contains(agent);
        match world.judge(Some("team:t")) {
            Selection::Chosen(choice) if choice.reason == ChoiceReason::NobodyCan => prop_assert!(able.is_empty()),
            Selection::Chosen(choice) => {
                prop_assert!(able.contains(&choice.agent) && has_room(&choice.agent));
                prop_assert!(!failed(&choice.agent) || able.iter().all(failed));
                prop_assert!(choice.passed_over.iter().all(|passed| passed.agent != choice.agent));
            }
            Selection::Ask(asking) => {
                prop_assert!(asking.offered.len() > 1);
                prop_assert!(asking.offered.iter().all(|agent| able.contains(agent) && has_room(agent)));
                let chosen = asking.resolve(Err(SelectionError::Unfinished)).map(|choice| choice.agent);
                prop_assert!(chosen.is_some_and(|agent| asking.offered.contains(&agent)));
            }
            Selection::Wait => prop_assert!(able.iter().any(|agent| !has_room(agent))),
            Selection::Park { until } => prop_assert!(able.is_empty() && until > NOW),
            Selection::Nobody => prop_assert!(false, "the team is there"),
        }
    }

    /// With rotation, no agent works twice before all available ones have worked once.
    #[test]
    fn rotation_is_fair(missing in prop::sample::subsequence(vec!["a", "b", "c"], 0..3)) {
        let mut world = missing.iter().fold(World::of(TeamRule::Rotate), |world, agent| world.missing(agent));
        let mut seen = Vec::new();
        for _ in 0..6 {
            let Selection::Chosen(choice) = world.judge(Some("team:t")) else { return Err(TestCaseError::fail("nobody")) };
            world.last = Some(choice.agent.clone());
            seen.push(choice.agent);
        }
        let able = 3 - missing.len();
        for window in seen.windows(able) {
            let mut once = window.to_vec();
            once.sort();
            once.dedup();
            prop_assert_eq!(once.len(), able, "{:?}", &seen);
        }
    }

    /// Choices are stored in histories and must be read back unchanged.
    #[test]
    fn choices_round_trip_through_json(world in worlds()) {
        if let Selection::Chosen(choice) = world.judge(Some("team:t")) {
            let text = serde_json::to_string(&choice).expect("plain data");
            prop_assert_eq!(serde_json::from_str::<AgentChoice>(&text).expect("our own"), choice);
        }
    }

    /// Whatever an agent answers, the choice is one of the offered agents.
    #[test]
    fn answers_never_select_an_agent_not_offered(answer in ".{0,80}") {
        let offered = vec!["a".to_owned(), "b".to_owned()];
        let asking = SelectionRequest { team: "t".into(), by: "j".into(), model: None, offered: offered.clone(), passed_over: vec![] };
        let choice = asking.resolve(Ok(&answer));
        prop_assert!(choice.is_some_and(|choice| offered.contains(&choice.agent)));
    }
}
