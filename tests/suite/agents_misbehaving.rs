//! Agents of the agent client protocol that do not behave: small scripts in the place of programs.

use baton_agents::custom::Protocol;
use baton_api::wire::*;
use baton_model::RunState;
use baton_model::outcome::Failure;
use baton_tests::House;
use baton_tests::house::words;
use baton_tests::processes::wait_for_none;

/// Answers the questions of a session in order, as the work of two turns; `$1` is what the agent does beside.
const AGENT: &str = r#"
say() { printf '%s\n' "$1"; }
hear() { read -r line; }
hear; say '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'
hear; say '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}'
hear; say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done."}}}}'
say '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'
hear; say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"**What was done:** all of it"}}}}'
say '{"jsonrpc":"2.0","id":4,"result":{"stopReason":"end_turn"}}'
"#;

/// Runs a plan of one node with an agent that is this script.
fn run(script: &str) -> (House, RunView) {
    let house = House::new();
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let agent = CustomAgent { id: "scripted".to_owned(), command, protocol: Protocol::Acp };
    let _: Vec<AgentView> = house.ask("agent_save", agent).expect("a new agent");
    let plan = "baton: 1\ntitle: Odd\ncwd: .\nnodes:\n  - {id: work, agent: scripted, prompt: Work.}\n";
    let view = house.start(plan);
    let view = house.finish(view.summary.id);
    (house, view)
}

#[test]
fn an_agent_that_never_goes_is_ended_and_its_work_stands() {
    let script = format!("echo 'Welcome to the agent'; {AGENT} trap '' TERM; sleep 1000 & while :; do sleep 1; done");
    let (house, view) = run(&script);
    assert_eq!(words(&view), ["work done"], "{view:#?}");
    wait_for_none(house.data());
}

#[test]
fn an_agent_that_forks_away_leaves_nothing_behind() {
    let script = format!("(setsid sleep 1000 &) ; {AGENT}");
    let (house, view) = run(&script);
    assert_eq!(words(&view), ["work done"], "{view:#?}");
    wait_for_none(house.data());
}

#[test]
fn an_end_without_an_answer_is_a_failure_whatever_the_exit_code() {
    for (script, detail) in [
        ("exit 0", "it ended before scripted had begun a session"),
        ("echo 'login?' > /dev/null; read -r line; echo 'no account' >&2; exit 3", "no account (exit code 3)"),
        (
            r#"read -r l; echo '{"id":1,"result":{"protocolVersion":1}}'; read -r l; echo '{"id":2,"error":{"code":-32000,"message":"Authentication required"}}'; read -r l"#,
            "Authentication required. Log in with the agent's own means.",
        ),
    ] {
        let (_house, view) = run(script);
        assert!(matches!(view.summary.state, RunState::Failed { .. }), "{view:#?}");
        let told = format!("{:?}", view.nodes[0]);
        let failure = format!("{:?}", Failure::AgentError { detail: detail.to_owned() });
        assert!(told.contains(&failure), "{failure}: {told}");
    }
}
