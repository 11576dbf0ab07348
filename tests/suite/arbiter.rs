//! Tests teams with real processes: small scripts, some of which are missing, fail, or are at a
//! usage limit.

use baton_agents::custom::Protocol;
use baton_api::wire::*;
use baton_model::arbiter::{Team, TeamRule};
use baton_model::run::WaitingFor;
use baton_model::{NodeState, RunState};
use baton_tests::processes::wait_for_none;
use baton_tests::test_environment::{id, node, state, state_labels};
use baton_tests::{Shell, TestEnvironment};

/// Records its name in the ledger. The prompt is on standard input.
const WORKS: &str = "cat > /dev/null; echo $0 >> ledger; echo '**What was done:** it'";
/// An ACP agent whose account has reached its usage limit.
const LIMITED: &str = r#"
read -r l; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
read -r l; echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
read -r l; echo limited >> ledger
echo '{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"rate limit reached. Try again in 2 hours."}}'
read -r l
"#;

fn add_agent(env: &TestEnvironment, id: &str, argv: &[&str], protocol: Protocol) {
    let command = argv.iter().map(|&word| word.to_owned()).collect();
    let agent = CustomAgent {
        id: id.to_owned(),
        command,
        protocol,
    };
    let _: Vec<AgentView> = env.call("agent_save", agent).expect("a new agent");
}

/// Adds a custom agent that runs this script.
fn scripted(env: &TestEnvironment, id: &str, script: &str) {
    add_agent(env, id, &["sh", "-c", script, id], Protocol::default());
}

fn team(members: &[&str], rule: TeamRule) -> Team {
    let members = members.iter().map(|&member| member.to_owned()).collect();
    Team {
        name: "crew".to_owned(),
        members,
        rule,
        asks: Some("judge".to_owned()),
        model: None,
    }
}

fn form(env: &TestEnvironment, members: &[&str], rule: TeamRule) {
    if rule != TeamRule::Ask {
        scripted(env, "judge", "exit 9");
    }
    let _: Vec<Team> = env
        .call("team_save", team(members, rule))
        .expect("a new team");
}

/// Returns a plan of consecutive nodes for the team.
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

fn attempts(
    env: &TestEnvironment,
    view: &RunView,
    slug: &str,
) -> Vec<(Option<String>, Option<String>)> {
    let node = NodeRef {
        run: view.summary.id,
        node: id(view, slug),
    };
    let attempts: Vec<AttemptView> = env.call("node_attempts", node).expect("its attempts");
    attempts
        .into_iter()
        .map(|attempt| (attempt.agent, attempt.reason))
        .collect()
}

fn some(agent: &str, reason: &str) -> (Option<String>, Option<String>) {
    (Some(agent.to_owned()), Some(reason.to_owned()))
}

#[test]
fn round_robin_skips_missing_members() {
    let env = TestEnvironment::new();
    scripted(&env, "ann", WORKS);
    scripted(&env, "bob", WORKS);
    add_agent(&env, "gone", &["/no/such/program"], Protocol::default());
    form(&env, &["ann", "gone", "bob"], TeamRule::Rotate);
    let view = env.start(&plan(&["a", "b", "c", "d"], ""));
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{view:#?}");
    assert_eq!(env.read("ledger"), "ann\nbob\nann\nbob\n");
    let why = "next in rotation in team crew; passed over: gone is not installed";
    assert_eq!(attempts(&env, &view, "b"), [some("bob", why)]);
    assert_eq!(node(&view, "b").reason.as_deref(), Some(why));
    let session = node(&view, "b").session.expect("the node has a session");
    let session: SessionView = env
        .call("session_get", SessionRef { session })
        .expect("its session");
    assert_eq!(
        (session.agent.as_deref(), session.reason.as_deref()),
        (Some("bob"), Some(why))
    );
}

#[test]
fn retry_uses_another_member() {
    let env = TestEnvironment::new();
    scripted(
        &env,
        "clumsy",
        "cat > /dev/null; echo clumsy >> ledger; echo oh >&2; exit 3",
    );
    scripted(&env, "ann", WORKS);
    form(&env, &["clumsy", "ann"], TeamRule::First);
    let view = env.start(&plan(&["a"], ", maxRetries: 1"));
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{view:#?}");
    assert_eq!(env.read("ledger"), "clumsy\nann\n");
    let why = "first available agent of team crew";
    let then = format!("{why}; passed over: clumsy failed an earlier attempt");
    assert_eq!(
        attempts(&env, &view, "a"),
        [some("clumsy", why), some("ann", &then)]
    );
}

#[test]
fn member_at_its_limit_is_replaced_immediately() {
    let env = TestEnvironment::new();
    add_agent(&env, "limited", &["sh", "-c", LIMITED], Protocol::Acp);
    scripted(&env, "ann", WORKS);
    form(&env, &["limited", "ann"], TeamRule::First);
    let view = env.start(&plan(&["a", "b"], ""));
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{view:#?}");
    assert_eq!(
        env.read("ledger"),
        "limited\nann\nann\n",
        "the second node doesn't try the limited agent again"
    );
    let (agent, why) = attempts(&env, &view, "b").swap_remove(0);
    assert_eq!(agent.as_deref(), Some("ann"));
    assert!(
        why.is_some_and(|why| why.ends_with("limited is at its usage limit")),
        "{view:#?}"
    );
    // Other runs of this process also know about the limit.
    let again = env.run(view.plan.id, RunGoal::All).expect("a second run");
    env.finish(again.summary.id);
    assert_eq!(env.read("ledger"), "limited\nann\nann\nann\nann\n");
}

#[test]
fn node_waits_when_all_members_are_at_their_limit() {
    let env = TestEnvironment::new();
    add_agent(&env, "limited", &["sh", "-c", LIMITED], Protocol::Acp);
    add_agent(
        &env,
        "too",
        &["sh", "-c", &LIMITED.replace("2 hours", "1 hour")],
        Protocol::Acp,
    );
    form(&env, &["limited", "too"], TeamRule::First);
    let view = env.start(&plan(&["a"], ""));
    let view = env.wait_until(view.summary.id, |view| {
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
    let tried = node(&view, "a").started_at.expect("the node has started");
    let wait = at.ms_since(tried);
    assert!(
        (3_500_000..4_000_000).contains(&wait),
        "an hour, not two: {wait} ms"
    );
    let _: RunSummary = env
        .call(
            "run_cancel",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("enough");
    env.finish(view.summary.id);
}

#[test]
fn arbiter_choice_must_be_a_team_member() {
    for (answer, chosen, why) in [
        (
            "bob: knows the tests",
            "bob",
            "chosen by judge: knows the tests",
        ),
        (
            "mallory",
            "ann",
            "first available agent, because judge answered 'mallory', which is not one of ann, bob",
        ),
        (
            "",
            "ann",
            "first available agent, because judge gave no answer",
        ),
    ] {
        let env = TestEnvironment::new();
        scripted(&env, "ann", WORKS);
        scripted(&env, "bob", WORKS);
        scripted(&env, "judge", &format!("cat > question; echo '{answer}'"));
        form(&env, &["ann", "bob"], TeamRule::Ask);
        let view = env.start(&plan(&["first", "second"], ""));
        let view = env.finish(view.summary.id);
        assert_eq!(
            state_labels(&view),
            ["first done", "second done"],
            "{view:#?}"
        );
        assert_eq!(attempts(&env, &view, "second"), [some(chosen, why)]);
        assert_eq!(env.read("ledger"), format!("{chosen}\n{chosen}\n"));
        let asked = env.read("question");
        for part in [
            "Crew",
            "1 of 2 nodes done",
            "second",
            "- ann (ann)",
            "- bob (bob)",
        ] {
            assert!(asked.contains(part), "{part:?} is not in {asked}");
        }
        wait_for_none(env.data());
    }
}

#[test]
fn failing_arbiter_does_not_block_the_run() {
    let env = TestEnvironment::new();
    scripted(&env, "ann", WORKS);
    scripted(&env, "bob", WORKS);
    scripted(&env, "judge", "cat > /dev/null; exit 7");
    form(&env, &["ann", "bob"], TeamRule::Ask);
    let view = env.start(&plan(&["a"], ""));
    let view = env.finish(view.summary.id);
    let (agent, why) = attempts(&env, &view, "a").swap_remove(0);
    assert_eq!(agent.as_deref(), Some("ann"));
    let why = why.expect("a reason");
    assert!(
        why.starts_with("first available agent, because judge") && why.contains('7'),
        "{why}"
    );
}

#[test]
fn run_can_be_cancelled_while_the_arbiter_runs() {
    let env = TestEnvironment::new();
    scripted(&env, "ann", WORKS);
    scripted(&env, "bob", WORKS);
    scripted(
        &env,
        "judge",
        "cat > /dev/null; echo asked >> asked; sleep 1000",
    );
    form(&env, &["ann", "bob"], TeamRule::Ask);
    let view = env.start(&plan(&["a"], ""));
    baton_tests::processes::wait("the judge is asked", || {
        if env.read("asked").is_empty() {
            Err("not yet".to_owned())
        } else {
            Ok(())
        }
    });
    let _: RunSummary = env
        .call(
            "run_cancel",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("the run is active");
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Cancelled);
    assert_eq!(env.read("ledger"), "");
    wait_for_none(env.data());
}

/// Baton is killed between the answer and the start, before and after the answer is stored. No
/// arbiter is asked twice.
#[test]
fn arbiter_answer_survives_a_restart() {
    // The answer is received but not stored; the choice is stored but not applied; the session is
    // about to start.
    for (point, passage) in [
        ("before choice", 1),
        ("after append", 2),
        ("before effects", 2),
        ("before spawn", 2),
    ] {
        let env = TestEnvironment::new();
        let shell = Shell::new(&env);
        scripted(&env, "ann", WORKS);
        scripted(&env, "bob", WORKS);
        scripted(
            &env,
            "judge",
            "cat > /dev/null; echo asked >> asked; echo 'bob: it survives'",
        );
        form(&env, &["ann", "bob"], TeamRule::Ask);
        let file = shell.plan_file("crew.yaml", &plan(&["a"], ""));
        let died = shell
            .baton(&["run", &file, "--yes"])
            .env("BATON_CRASH_AT", format!("{point}:{passage}"))
            .output();
        assert_eq!(
            died.expect("baton starts").status.code(),
            None,
            "'{point}' is reached {passage} times"
        );
        let said = shell.run(&["resume", "--all"]);
        assert_eq!(said.code, Some(0), "after '{point}': {said:?}");
        assert_eq!(
            (env.read("asked"), env.read("ledger")),
            ("asked\n".to_owned(), "bob\n".to_owned()),
            "{point}"
        );
        let runs: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 1,
                },
            )
            .expect("runs");
        let view = env.view(runs.first().expect("one run").id);
        assert_eq!(
            attempts(&env, &view, "a"),
            [some("bob", "chosen by judge: it survives")],
            "{point}"
        );
        let shown = shell.run(&["runs", "show", &view.summary.id.to_string()]);
        assert!(
            shown.out.contains("a: bob, chosen by judge: it survives"),
            "{shown:?}"
        );
    }
}

#[test]
fn team_is_validated_when_saved_and_before_a_run() {
    let env = TestEnvironment::new();
    scripted(&env, "ann", WORKS);
    let refused = env
        .call::<Vec<Team>>("team_save", team(&["anne"], TeamRule::First))
        .expect_err("no agent has this name");
    assert!(
        refused
            .message
            .contains("There is no agent 'anne'; did you mean 'ann'?"),
        "{refused:?}"
    );
    let refused = env
        .call::<Vec<Team>>("team_save", team(&[], TeamRule::First))
        .expect_err("the team is empty");
    assert!(refused.message.contains("has no members"), "{refused:?}");
    form(&env, &["ann"], TeamRule::First);

    let checks = |to: &str| -> Vec<String> {
        let plan = env
            .import_changed(&plan(&["a"], ""), "team:crew", to)
            .plan
            .id;
        let preflight: Preflight = env
            .call("plan_preflight", PlanRef { plan })
            .expect("checks");
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
            .starts_with("'a' uses the team 'crwe', which is not defined: did you mean 'crew'?"),
        "{misspelt:?}"
    );
    let known = env.import(&plan(&["a"], "")).plan.id;
    let _: Vec<Team> = env
        .call(
            "team_delete",
            TeamRef {
                name: "crew".to_owned(),
            },
        )
        .expect("the team exists");
    let preflight: Preflight = env
        .call("plan_preflight", PlanRef { plan: known })
        .expect("checks");
    assert!(!preflight.may_run, "{preflight:?}");
    let gone = env.call::<Vec<Team>>(
        "team_delete",
        TeamRef {
            name: "crew".to_owned(),
        },
    );
    assert!(gone.is_err(), "the team is already deleted");
}

#[test]
fn plan_default_and_suggestion_are_used() {
    let env = TestEnvironment::new();
    scripted(&env, "ann", WORKS);
    scripted(&env, "bob", WORKS);
    form(&env, &["ann"], TeamRule::First);
    let text = "baton: 1\ncwd: .\nagent: 'team:crew'\nnodes:\n  - {id: a, prompt: Work.}\n  \
                - {id: b, prompt: Work., suggestedAgent: bob, dependsOn: [a]}\n  \
                - {id: c, prompt: Work., suggestedAgent: nobody, dependsOn: [b]}\n";
    let view = env.start(text);
    let view = env.finish(view.summary.id);
    assert_eq!(env.read("ledger"), "ann\nbob\nann\n", "{view:#?}");
    let reasons = ["a", "b", "c"].map(|slug| node(&view, slug).reason.clone().unwrap_or_default());
    let first = "first available agent of team crew";
    assert_eq!(
        reasons[..2],
        [first.to_owned(), "suggested for the node".to_owned()]
    );
    assert_eq!(
        reasons[2],
        format!("{first}; passed over: nobody is not defined")
    );
}
