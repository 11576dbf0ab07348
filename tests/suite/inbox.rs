//! Tests the Inbox: questions and approvals of all runs, answered through operations and from the
//! shell.

use baton_api::Code;
use baton_api::wire::*;
use baton_model::node::InputType;
use baton_model::{NodeState, RunState};
use baton_tests::test_environment::{id, state, state_labels};
use baton_tests::{Shell, TestEnvironment};

/// Returns the Inbox.
fn inbox(env: &TestEnvironment) -> Vec<InboxItem> {
    env.call("inbox_list", Nothing {}).expect("a list")
}

fn waits(view: &RunView, slug: &str) -> bool {
    matches!(state(view, slug), NodeState::Waiting { .. })
}

const QUESTION: &str = "
baton: 1
title: Question
nodes:
  - {id: ask, kind: user_input, title: Pick a name, question: 'Which name?', inputType: choice, options: [Harbour, Lantern]}
  - {id: use, kind: command, dependsOn: [ask], command: 'echo {{nodes.ask.outputs.answer}} > named'}
";

#[test]
fn question_stays_in_the_inbox_until_validly_answered() {
    let env = TestEnvironment::new();
    let run = env.start(QUESTION).summary.id;
    let view = env.wait_until(run, |view| waits(view, "ask"));
    let items = inbox(&env);
    let overview: Overview = env.call("overview_get", Nothing {}).expect("an overview");
    let open: Vec<_> = overview
        .runs
        .iter()
        .map(|open| (open.run, open.title.as_str(), open.here))
        .collect();
    assert_eq!((open, overview.waiting), (vec![(run, "Question", true)], 1));
    let [item] = items.as_slice() else {
        panic!("expected one item: {items:#?}")
    };
    assert_eq!((item.run, item.plan_title.as_str()), (run, "Question"));
    assert!(
        item.since >= view.summary.started_at,
        "the waiting time starts during this run: {:?}",
        item.since
    );
    let node = item.node.as_ref().expect("the item has a node");
    assert_eq!(
        (node.id, node.slug.as_str(), node.title.as_str()),
        (id(&view, "ask"), "ask", "Pick a name")
    );
    let options = vec!["Harbour".to_owned(), "Lantern".to_owned()];
    let question = "Which name?".to_owned();
    assert_eq!(
        item.ask,
        InboxRequest::Input {
            question,
            input_type: InputType::Choice,
            options,
            due: None
        }
    );

    let answer = |value: &str| NodeInput {
        run,
        node: node.id,
        value: value.to_owned(),
    };
    let refused = env
        .call::<RunSummary>("node_input", answer("Bridge"))
        .expect_err("not one of the options");
    assert_eq!(refused.code, Code::Refused);
    assert!(
        refused.message.contains("one of Harbour, Lantern"),
        "{}",
        refused.message
    );
    assert_eq!(inbox(&env).len(), 1, "a rejected answer changes nothing");

    let _: RunSummary = env
        .call("node_input", answer("Lantern"))
        .expect("one of the options");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert_eq!(env.read("named"), "Lantern\n");
    assert!(inbox(&env).is_empty());
    let overview: Overview = env.call("overview_get", Nothing {}).expect("an overview");
    assert_eq!((overview.runs, overview.waiting), (Vec::new(), 0));
    let ended: Vec<EndedRunView> = env
        .call("runs_ended", EndedRunsFilter { limit: 5 })
        .expect("a list");
    assert_eq!((ended[0].run, ended[0].title.as_str()), (run, "Question"));
}

#[test]
fn approvals_are_ordered_by_waiting_time() {
    let env = TestEnvironment::new();
    let plan = |title: &str| {
        format!(
            "
baton: 1
title: {title}
autonomy: 0
nodes:
  - {{id: only, kind: command, command: 'echo {title} >> ledger'}}
"
        )
    };
    let first = env.start(&plan("first")).summary.id;
    env.wait_until(first, |view| waits(view, "only"));
    let second = env.start(&plan("second")).summary.id;
    let view = env.wait_until(second, |view| waits(view, "only"));
    let items = inbox(&env);
    let runs: Vec<_> = items
        .iter()
        .map(|item| (item.run, matches!(item.ask, InboxRequest::Approval { .. })))
        .collect();
    assert_eq!(runs, [(first, true), (second, true)], "{items:#?}");

    let refuse = NodeApprove {
        run: second,
        node: id(&view, "only"),
        allow: false,
    };
    let _: RunSummary = env.call("node_approve", refuse).expect("the node waits");
    assert_eq!(state_labels(&env.finish(second)), ["only skipped"]);
    let allow = NodeApprove {
        run: first,
        node: items[0].node.as_ref().expect("a node").id,
        allow: true,
    };
    let _: RunSummary = env.call("node_approve", &allow).expect("the node waits");
    assert_eq!(env.finish(first).summary.state, RunState::Completed);
    assert_eq!(env.read("ledger"), "first\n", "the denied node hasn't run");
    let again = env
        .call::<RunSummary>("node_approve", &allow)
        .expect_err("the request is already answered");
    assert_eq!(again.code, Code::Refused);
}

#[test]
fn shell_lists_the_inbox_with_commands_to_answer() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let said = shell.run(&["inbox"]);
    assert_eq!(
        (said.code, said.out.as_str(), said.err.trim()),
        (Some(0), "", "Nothing is waiting for you.")
    );

    let run = env.start(QUESTION).summary.id;
    env.wait_until(run, |view| waits(view, "ask"));
    let said = shell.run(&["inbox"]);
    assert!(
        said.out.contains("Which name? (Harbour, Lantern)"),
        "{said:?}"
    );
    let line = said
        .out
        .lines()
        .find_map(|line| Some(line.split_once("baton node input ")?.1))
        .expect("how to answer");
    let answer = line.replace("ANSWER", "Harbour");
    let mut verb = vec!["node", "input"];
    verb.extend(answer.split_whitespace());
    let said = shell.run(&verb);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert_eq!(env.read("named"), "Harbour\n");
    let said = shell.run(&["inbox", "--json"]);
    assert_eq!(said.out.trim(), "[]");
}

/// With nested sub-plans, the Inbox shows the path of nodes from the outermost plan.
#[test]
fn sub_plan_question_shows_its_path() {
    let env = TestEnvironment::new();
    env.import_approved(QUESTION);
    env.import_approved(
        "baton: 1\ntitle: Middle\nnodes:\n  - {id: name, kind: sub_plan, title: Name it, subPlanId: Question}\n",
    );
    let run = env.start(
        "baton: 1\ntitle: Outer\nnodes:\n  - {id: rollout, kind: sub_plan, title: Roll out, subPlanId: Middle}\n",
    );
    let run = run.summary.id;
    env.wait_until(run, |_| !inbox(&env).is_empty());
    let items = inbox(&env);
    let [item] = items.as_slice() else {
        panic!("expected one item: {items:#?}")
    };
    let path: Vec<_> = item
        .path
        .iter()
        .map(|step| (step.plan_title.as_str(), step.slug.as_str()))
        .collect();
    assert_eq!(path, [("Outer", "rollout"), ("Middle", "name")]);
    assert_eq!(
        (item.path[0].run, item.plan_title.as_str()),
        (run, "Question")
    );
    let overview: Overview = env.call("overview_get", Nothing {}).expect("an overview");
    assert_eq!(overview.waiting, 1);

    let shell = Shell::new(&env);
    let said = shell.run(&["inbox"]);
    assert!(
        said.out.contains("Outer") && said.out.contains("rollout › name › ask"),
        "{said:?}"
    );
    let line = said
        .out
        .lines()
        .find_map(|line| line.split_once("baton node input "))
        .expect("an answer")
        .1;
    let words: Vec<&str> = line.split_whitespace().collect();
    let answered = shell.run(&["node", "input", words[0], words[1], "Lantern"]);
    assert_eq!(answered.code, Some(0), "{line}: {answered:?}");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert!(inbox(&env).is_empty());
}

#[test]
fn resume_names_the_pending_decision() {
    let env = TestEnvironment::new();
    let text = "baton: 1\ntitle: Lost\nnodes:\n  - {id: lost, kind: command, command: 'echo $PPID > keeper; sleep 600'}\n";
    let run = env.start(text).summary.id;
    env.wait_until(run, |_| !env.read("keeper").trim().is_empty());
    let session = env.view(run).nodes[0]
        .session
        .expect("the node is running")
        .to_string();
    let claim = baton_keeper::Claim::read(&env.data().join("sessions").join(session));
    let keeper = claim
        .expect("readable")
        .expect("the keeper is running")
        .pid
        .to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-9", &keeper])
            .status()
            .expect("kill is installed")
            .success()
    );
    let view = env.finish(run);
    assert!(
        matches!(view.summary.state, RunState::Stalled { .. }),
        "{:?}",
        view.summary.state
    );

    let shell = Shell::new(&env);
    env.app.shut_down();
    let said = shell.run(&["resume", &run.to_string()]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("Waiting for your decision"), "{said:?}");
    let answer = said
        .out
        .lines()
        .find_map(|line| line.split_once("baton node retry "))
        .expect("the command")
        .1;
    assert!(answer.trim_end().ends_with("lost"), "{answer}");
    assert!(
        !said.out.contains("baton resume"),
        "resuming would have no effect: {said:?}"
    );
    let said = shell.run(&["--json", "resume", &run.to_string()]);
    let last = said.out.lines().last().expect("an end");
    assert!(last.contains(r#""decisions":[{"#), "{last}");
}

#[test]
fn approving_an_invalid_plan_needs_a_flag() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let text = "baton: 1\ntitle: Nowhere\ncwd: /nowhere/at/all\nnodes:\n  - {id: a, kind: command, command: 'true'}\n";
    let file = shell.plan_file("nowhere.yaml", text);
    assert_eq!(shell.run(&["plan", "import", &file]).code, Some(0));
    let refused = shell.run(&["plan", "approve", "Nowhere"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for part in [
        "the directory /nowhere/at/all doesn't exist: create it",
        "--anyway",
    ] {
        assert!(refused.err.contains(part), "{part}: {refused:?}");
    }
    let insisted = shell.run(&["plan", "approve", "Nowhere", "--anyway"]);
    assert_eq!(insisted.code, Some(0), "{insisted:?}");
    let run = shell.run(&["run", "Nowhere"]);
    assert_eq!(run.code, Some(2), "the plan still can't run: {run:?}");
}
