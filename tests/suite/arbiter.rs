//! Who does a node's work, with real processes: teams of small scripts, of which some are missing, fail, or are at a limit.

use baton_agents::custom::Protocol;
use baton_api::wire::*;
use baton_model::arbiter::{Rule, Team};
use baton_model::run::WaitingFor;
use baton_model::{NodeState, RunState};
use baton_tests::house::{id, node, state, words};
use baton_tests::processes::wait_for_none;
use baton_tests::{House, Shell};

/// Notes who worked in the ledger; a prompt comes on standard input.
const WORKS: &str = "cat > /dev/null; echo $0 >> ledger; echo '**What was done:** it'";
/// An agent whose account is used up, in the words of the agent client protocol.
const LIMITED: &str = r#"
read -r l; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
read -r l; echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
read -r l; echo limited >> ledger
echo '{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"rate limit reached. Try again in 2 hours."}}'
read -r l
"#;

fn employ(house: &House, id: &str, argv: &[&str], protocol: Protocol) {
    let command = argv.iter().map(|&word| word.to_owned()).collect();
    let agent = CustomAgent {
        id: id.to_owned(),
        command,
        protocol,
    };
    let _: Vec<AgentView> = house.ask("agent_save", agent).expect("a new agent");
}

/// A plain agent that runs this script and is called so.
fn scripted(house: &House, id: &str, script: &str) {
    employ(house, id, &["sh", "-c", script, id], Protocol::default());
}

fn team(members: &[&str], rule: Rule) -> Team {
    let members = members.iter().map(|&member| member.to_owned()).collect();
    Team {
        name: "crew".to_owned(),
        members,
        rule,
        asks: Some("judge".to_owned()),
        model: None,
    }
}

fn form(house: &House, members: &[&str], rule: Rule) {
    if rule != Rule::Ask {
        scripted(house, "judge", "exit 9");
    }
    let _: Vec<Team> = house
        .ask("team_save", team(members, rule))
        .expect("a new team");
}

/// A plan of these nodes, one after the other, that the team does.
fn plan(nodes: &[&str], more: &str) -> String {
    let mut text = "baton: 1\ntitle: Crew\ncwd: .\nnodes:\n".to_owned();
    for (at, slug) in nodes.iter().enumerate() {
        let after = if at == 0 {
            String::new()
        } else {
            nodes[at - 1].to_owned()
        };
        text += &format!(
            "  - {{id: {slug}, agent: 'team:crew', prompt: Work., dependsOn: [{after}]{more}}}\n"
        );
    }
    text
}

fn attempts(house: &House, view: &RunView, slug: &str) -> Vec<(Option<String>, Option<String>)> {
    let node = NodeRef {
        run: view.summary.id,
        node: id(view, slug),
    };
    let attempts: Vec<AttemptView> = house.ask("node_attempts", node).expect("its attempts");
    attempts
        .into_iter()
        .map(|attempt| (attempt.agent, attempt.reason))
        .collect()
}

fn some(agent: &str, reason: &str) -> (Option<String>, Option<String>) {
    (Some(agent.to_owned()), Some(reason.to_owned()))
}

#[test]
fn four_nodes_take_turns_and_a_missing_member_has_none() {
    let house = House::new();
    scripted(&house, "ann", WORKS);
    scripted(&house, "bob", WORKS);
    employ(&house, "gone", &["/no/such/program"], Protocol::default());
    form(&house, &["ann", "gone", "bob"], Rule::Rotate);
    let view = house.start(&plan(&["a", "b", "c", "d"], ""));
    let view = house.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{view:#?}");
    assert_eq!(house.read("ledger"), "ann\nbob\nann\nbob\n");
    let why = "next in rotation of the team crew; passed over: gone is not installed";
    assert_eq!(attempts(&house, &view, "b"), [some("bob", why)]);
    assert_eq!(node(&view, "b").reason.as_deref(), Some(why));
    let session = node(&view, "b").session.expect("it ran");
    let session: SessionView = house
        .ask("session_get", SessionRef { session })
        .expect("its session");
    assert_eq!(
        (session.agent.as_deref(), session.reason.as_deref()),
        (Some("bob"), Some(why))
    );
}

#[test]
fn a_retry_goes_to_another_member_and_both_are_on_record() {
    let house = House::new();
    scripted(
        &house,
        "clumsy",
        "cat > /dev/null; echo clumsy >> ledger; echo oh >&2; exit 3",
    );
    scripted(&house, "ann", WORKS);
    form(&house, &["clumsy", "ann"], Rule::First);
    let view = house.start(&plan(&["a"], ", maxRetries: 1"));
    let view = house.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{view:#?}");
    assert_eq!(house.read("ledger"), "clumsy\nann\n");
    let why = "first of the team crew that can work";
    let then = format!("{why}; passed over: clumsy failed an earlier attempt");
    assert_eq!(
        attempts(&house, &view, "a"),
        [some("clumsy", why), some("ann", &then)]
    );
}

#[test]
fn a_member_at_its_limit_hands_over_at_once() {
    let house = House::new();
    employ(&house, "limited", &["sh", "-c", LIMITED], Protocol::Acp);
    scripted(&house, "ann", WORKS);
    form(&house, &["limited", "ann"], Rule::First);
    let view = house.start(&plan(&["a", "b"], ""));
    let view = house.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{view:#?}");
    assert_eq!(
        house.read("ledger"),
        "limited\nann\nann\n",
        "the second node did not try the one at its limit again"
    );
    let (agent, why) = attempts(&house, &view, "b").swap_remove(0);
    assert_eq!(agent.as_deref(), Some("ann"));
    assert!(
        why.is_some_and(|why| why.ends_with("limited is at its usage limit")),
        "{view:#?}"
    );
    // Another run of this process knows of the limit as well.
    let again = house.run(view.plan.id, RunGoal::All).expect("a second run");
    house.finish(again.summary.id);
    assert_eq!(house.read("ledger"), "limited\nann\nann\nann\nann\n");
}

#[test]
fn when_all_are_at_their_limits_the_node_is_parked_until_the_first() {
    let house = House::new();
    employ(&house, "limited", &["sh", "-c", LIMITED], Protocol::Acp);
    employ(
        &house,
        "too",
        &["sh", "-c", &LIMITED.replace("2 hours", "1 hour")],
        Protocol::Acp,
    );
    form(&house, &["limited", "too"], Rule::First);
    let view = house.start(&plan(&["a"], ""));
    let view = house.until(view.summary.id, |view| {
        matches!(
            state(view, "a"),
            NodeState::Waiting {
                what: WaitingFor::LimitUntil { .. }
            }
        ) && node(view, "a").attempt.0 == 2
    });
    let NodeState::Waiting {
        what: WaitingFor::LimitUntil { at },
    } = state(&view, "a")
    else {
        unreachable!()
    };
    let tried = node(&view, "a").started_at.expect("it was tried");
    let wait = at.ms_since(tried);
    assert!(
        (3_500_000..4_000_000).contains(&wait),
        "an hour, not two: {wait} ms"
    );
    let _: RunSummary = house
        .ask(
            "run_cancel",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("enough");
    house.finish(view.summary.id);
}

#[test]
fn an_agent_is_asked_with_the_plan_before_it_and_its_answer_is_held_against_the_team() {
    for (answer, chosen, why) in [
        (
            "bob: knows the tests",
            "bob",
            "chosen by judge: knows the tests",
        ),
        (
            "mallory",
            "ann",
            "first that can work, as judge was asked and answered 'mallory', which is none of ann, bob",
        ),
        (
            "",
            "ann",
            "first that can work, as judge was asked and said nothing",
        ),
    ] {
        let house = House::new();
        scripted(&house, "ann", WORKS);
        scripted(&house, "bob", WORKS);
        scripted(&house, "judge", &format!("cat > question; echo '{answer}'"));
        form(&house, &["ann", "bob"], Rule::Ask);
        let view = house.start(&plan(&["first", "second"], ""));
        let view = house.finish(view.summary.id);
        assert_eq!(words(&view), ["first done", "second done"], "{view:#?}");
        assert_eq!(attempts(&house, &view, "second"), [some(chosen, why)]);
        assert_eq!(house.read("ledger"), format!("{chosen}\n{chosen}\n"));
        let asked = house.read("question");
        for part in [
            "Crew",
            "1 of 2 nodes are done",
            "second",
            "- ann (ann)",
            "- bob (bob)",
        ] {
            assert!(asked.contains(part), "{part:?} is not in {asked}");
        }
        wait_for_none(house.data());
    }
}

#[test]
fn an_asked_agent_that_fails_holds_nothing_up() {
    let house = House::new();
    scripted(&house, "ann", WORKS);
    scripted(&house, "bob", WORKS);
    scripted(&house, "judge", "cat > /dev/null; exit 7");
    form(&house, &["ann", "bob"], Rule::Ask);
    let view = house.start(&plan(&["a"], ""));
    let view = house.finish(view.summary.id);
    let (agent, why) = attempts(&house, &view, "a").swap_remove(0);
    assert_eq!(agent.as_deref(), Some("ann"));
    let why = why.expect("a reason");
    assert!(
        why.starts_with("first that can work, as judge was asked and") && why.contains('7'),
        "{why}"
    );
}

#[test]
fn a_run_is_cancelled_while_somebody_is_asked() {
    let house = House::new();
    scripted(&house, "ann", WORKS);
    scripted(&house, "bob", WORKS);
    scripted(
        &house,
        "judge",
        "cat > /dev/null; echo asked >> asked; sleep 1000",
    );
    form(&house, &["ann", "bob"], Rule::Ask);
    let view = house.start(&plan(&["a"], ""));
    baton_tests::processes::wait("the judge to be asked", || {
        if house.read("asked").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let _: RunSummary = house
        .ask(
            "run_cancel",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("it runs");
    let view = house.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Cancelled);
    assert_eq!(house.read("ledger"), "");
    wait_for_none(house.data());
}

/// Baton dies between the answer and the start, before and after the answer is stored; nobody is asked twice.
#[test]
fn an_answer_outlives_baton() {
    // The answer is heard and not stored; the choice is stored and not acted on; the session is about to start.
    for (point, passage) in [
        ("before choice", 1),
        ("after append", 2),
        ("before effects", 2),
        ("before spawn", 2),
    ] {
        let house = House::new();
        let shell = Shell::of(&house);
        scripted(&house, "ann", WORKS);
        scripted(&house, "bob", WORKS);
        scripted(
            &house,
            "judge",
            "cat > /dev/null; echo asked >> asked; echo 'bob: it survives'",
        );
        form(&house, &["ann", "bob"], Rule::Ask);
        let file = shell.plan_file("crew.yaml", &plan(&["a"], ""));
        let died = shell
            .baton(&["run", &file, "--yes"])
            .env("BATON_CRASH_AT", format!("{point}:{passage}"))
            .output();
        assert_eq!(
            died.expect("baton starts").status.code(),
            None,
            "'{point}' is passed {passage} times"
        );
        let said = shell.say(&["resume", "--all"]);
        assert_eq!(said.code, Some(0), "after '{point}': {said:?}");
        assert_eq!(
            (house.read("asked"), house.read("ledger")),
            ("asked\n".to_owned(), "bob\n".to_owned()),
            "{point}"
        );
        let runs: Vec<RunSummary> = house
            .ask(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 1,
                },
            )
            .expect("runs");
        let view = house.view(runs.first().expect("one run").id);
        assert_eq!(
            attempts(&house, &view, "a"),
            [some("bob", "chosen by judge: it survives")],
            "{point}"
        );
        let told = shell.say(&["runs", "show", &view.summary.id.to_string()]);
        assert!(
            told.out.contains("a: bob, chosen by judge: it survives"),
            "{told:?}"
        );
    }
}

#[test]
fn a_team_is_checked_at_the_border_and_before_a_run() {
    let house = House::new();
    scripted(&house, "ann", WORKS);
    let refused = house
        .ask::<Vec<Team>>("team_save", team(&["anne"], Rule::First))
        .expect_err("nobody is called so");
    assert!(
        refused
            .message
            .contains("There is no agent 'anne'; did you mean 'ann'?"),
        "{refused:?}"
    );
    let refused = house
        .ask::<Vec<Team>>("team_save", team(&[], Rule::First))
        .expect_err("nobody is in it");
    assert!(refused.message.contains("has no members"), "{refused:?}");
    form(&house, &["ann"], Rule::First);

    let checks = |to: &str| -> Vec<String> {
        let plan = house
            .import_changed(&plan(&["a"], ""), "team:crew", to)
            .plan
            .id;
        let preflight: Preflight = house
            .ask("plan_preflight", PlanRef { plan })
            .expect("a look");
        let failed = preflight
            .checks
            .into_iter()
            .filter(|check| check.verdict == CheckVerdict::Failed);
        failed
            .map(|check| format!("{}: {}", check.sentence, check.mend.unwrap_or_default()))
            .collect()
    };
    assert_eq!(checks("team:crew"), Vec::<String>::new());
    let misspelt = checks("team:crwe");
    assert!(
        misspelt[0]
            .starts_with("'a' wants the team 'crwe', which there is not: did you mean 'crew'?"),
        "{misspelt:?}"
    );
    let known = house.import(&plan(&["a"], "")).plan.id;
    let _: Vec<Team> = house
        .ask(
            "team_delete",
            TeamRef {
                name: "crew".to_owned(),
            },
        )
        .expect("it is there");
    let preflight: Preflight = house
        .ask("plan_preflight", PlanRef { plan: known })
        .expect("a look");
    assert!(!preflight.may_run, "{preflight:?}");
    let gone = house.ask::<Vec<Team>>(
        "team_delete",
        TeamRef {
            name: "crew".to_owned(),
        },
    );
    assert!(gone.is_err(), "it is forgotten already");
}

#[test]
fn the_plans_own_default_and_a_suggestion_are_heeded() {
    let house = House::new();
    scripted(&house, "ann", WORKS);
    scripted(&house, "bob", WORKS);
    form(&house, &["ann"], Rule::First);
    let text = "baton: 1\ncwd: .\nagent: 'team:crew'\nnodes:\n  - {id: a, prompt: Work.}\n  \
                - {id: b, prompt: Work., suggestedAgent: bob, dependsOn: [a]}\n  \
                - {id: c, prompt: Work., suggestedAgent: nobody, dependsOn: [b]}\n";
    let view = house.start(text);
    let view = house.finish(view.summary.id);
    assert_eq!(house.read("ledger"), "ann\nbob\nann\n", "{view:#?}");
    let reasons = ["a", "b", "c"].map(|slug| node(&view, slug).reason.clone().unwrap_or_default());
    let first = "first of the team crew that can work";
    assert_eq!(
        reasons[..2],
        [first.to_owned(), "suggested for the node".to_owned()]
    );
    assert_eq!(
        reasons[2],
        format!("{first}; passed over: nobody is not known here")
    );
}
