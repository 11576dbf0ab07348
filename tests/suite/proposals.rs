//! Tests proposals: expiry, partial acceptance, and planners that read sessions and plans. Uses
//! scripts, and the real `claude` with the scripted model.

use baton_api::wire::*;
use baton_api::{ApiError, Code, Role};
use baton_model::planning::{ProposalState, ProposedChange};
use baton_model::{ProposalId, Timestamp};
use baton_store::{Actor, Options, ProposalUpdate, Store, StoreError};
use baton_tests::model_api::ModelApi;
use baton_tests::processes::wait;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::{id, node};
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::agents_run::baton;
use super::planning::{GOOD, accept, planner_environment, settled, show};

const DAY: u64 = 24 * 60 * 60 * 1000;

fn ready(env: &TestEnvironment) -> ProposalView {
    let wish = json!({"goal": "Do it.", "cwd": env.work_dir.path(), "agent": "planner"});
    let begun: ProposalView = env.call("plan_generate", wish).expect("the planner exists");
    let ready = settled(env, begun.summary.id);
    assert_eq!(ready.summary.state, ProposalState::Ready, "{ready:#?}");
    ready
}

/// Moves a proposal's expiry into the past, as if time had passed. Baton shows what a planner
/// answered before it stores it, and storing it sets the expiry: the change is made after that.
fn let_time_pass(env: &TestEnvironment, proposal: ProposalId, ms: u64) {
    let store = Store::open_with(env.data(), Options::default()).expect("the same data");
    let ms = i64::try_from(ms).expect("some days");
    wait("the expiry is moved", || {
        let row = store.proposals().get(proposal).expect("it exists");
        let mut moved = row.proposal;
        if moved.state == ProposalState::Working {
            return Err("the planner's answer isn't stored".to_owned());
        }
        moved.expires_at = Timestamp(moved.expires_at.0 - ms);
        let proposals = store.proposals();
        match proposals.update(
            &moved,
            row.revision,
            ProposalUpdate::default(),
            &Actor::PERSON,
        ) {
            Err(error @ StoreError::StaleProposal { .. }) => Err(error.to_string()),
            written => {
                written.expect("the store is readable");
                Ok(())
            }
        }
    })
}

fn open(env: &TestEnvironment) -> Vec<ProposalSummary> {
    env.call(
        "proposals_list",
        ProposalsFilter {
            open: true,
            plan: None,
            limit: 10,
        },
    )
    .expect("proposals")
}

#[test]
fn expired_proposal_is_shown_until_seen() {
    let env = planner_environment(&[GOOD, GOOD]);
    let view = ready(&env).summary;
    assert_eq!(
        view.expires_at.ms_since(view.updated_at),
        30 * DAY,
        "requested by a person"
    );
    let_time_pass(&env, view.id, 30 * DAY - 60_000);
    assert_eq!(
        show(&env, view.id).summary.state,
        ProposalState::Ready,
        "one minute is left"
    );
    let_time_pass(&env, view.id, 60_000);
    assert_eq!(show(&env, view.id).summary.state, ProposalState::Expired);
    let refused = accept(&env, view.id).expect_err("the proposal has expired");
    assert_eq!(refused.code, Code::Refused);
    assert_eq!(
        open(&env).len(),
        1,
        "an expired proposal is listed until it is dismissed"
    );

    let again = ProposalRetry {
        proposal: view.id,
        feedback: String::new(),
    };
    let _: ProposalView = env
        .call("proposal_retry", again)
        .expect("an expired proposal can be requested again");
    let fresh = settled(&env, view.id).summary;
    assert_eq!(fresh.state, ProposalState::Ready, "the expiry starts again");
    let_time_pass(&env, view.id, 31 * DAY);
    assert_eq!(show(&env, view.id).summary.state, ProposalState::Expired);
    let away: ProposalView = env
        .call("proposal_cancel", ProposalRef { proposal: view.id })
        .expect("the proposal is dismissed");
    assert_eq!(away.summary.state, ProposalState::Cancelled);
    assert!(open(&env).is_empty());
}

#[test]
fn long_running_process_expires_proposals() {
    let env = planner_environment(&[GOOD]);
    let proposal = ready(&env).summary.id;
    let store = Store::open_with(env.data(), Options::default()).expect("the same data");
    let _stays = env.second_process(Role::Server);
    let row = store
        .proposals()
        .get(proposal)
        .expect("the proposal exists");
    let mut soon = row.proposal;
    soon.expires_at = soon.updated_at.plus_ms(1500);
    store
        .proposals()
        .update(
            &soon,
            row.revision,
            ProposalUpdate::default(),
            &Actor::PERSON,
        )
        .expect("no conflicting write");
    wait("the proposal expires without a query", || {
        match store
            .proposals()
            .get(proposal)
            .expect("a row")
            .proposal
            .state
        {
            ProposalState::Expired => Ok(()),
            other => Err(format!("{other:?}")),
        }
    });
}

#[test]
fn proposal_lifetime_is_a_setting() {
    let env = planner_environment(&[GOOD]);
    let mut settings: Settings = env.call("settings_get", Nothing {}).expect("settings");
    assert_eq!(
        settings.proposal_days,
        ProposalDays {
            automatic: 7,
            asked: 30
        }
    );
    settings.proposal_days.asked = 0;
    let refused: ApiError = env
        .call::<Settings>("settings_save", &settings)
        .expect_err("the lifetime is too short");
    assert_eq!(refused.code, Code::BadInput);
    settings.proposal_days.asked = 2;
    let _: Settings = env
        .call("settings_save", &settings)
        .expect("two days are allowed");
    let view = ready(&env).summary;
    assert_eq!(view.expires_at.ms_since(view.updated_at), 2 * DAY);
}

#[test]
fn part_of_a_proposal_can_be_accepted() {
    let env = planner_environment(&[r#"{"reasoning": "Smaller.", "nodes": [
        {"id": "dig-1", "title": "Dig left", "kind": "command", "command": "true"},
        {"id": "dig-2", "title": "Dig right", "kind": "command", "command": "true"}]}"#]);
    let plan = env.import(
        "{baton: 1, title: Garden, nodes: [
            {id: dig, kind: command, command: 'true'},
            {id: plant, kind: command, command: 'true', dependsOn: [dig]}]}",
    );
    let dig = plan.plan.nodes[0].id;
    let split = json!({"plan": plan.plan.id, "node": dig, "agent": "planner"});
    let begun: ProposalView = env.call("plan_split", split).expect("the planner exists");
    let ready = settled(&env, begun.summary.id);
    let draft = ready.draft.expect("a draft");
    let left = draft
        .nodes
        .iter()
        .find(|node| node.title == "Dig left")
        .expect("a new node")
        .id;
    let accept = |changes: Vec<ProposedChange>| {
        let wish = ProposalAccept {
            round: None,
            proposal: begun.summary.id,
            changes: Some(changes),
            resume: false,
        };
        env.call::<ProposalAccepted>("proposal_accept", wish)
    };
    assert_eq!(
        accept(Vec::new())
            .expect_err("an empty selection is invalid")
            .code,
        Code::BadInput
    );
    let accepted =
        accept(vec![ProposedChange::AddNode { node: left }]).expect("nothing has changed");
    let titles: Vec<&str> = accepted
        .plan
        .plan
        .nodes
        .iter()
        .map(|node| node.title.as_str())
        .collect();
    assert_eq!(
        titles,
        ["dig", "plant", "Dig left"],
        "changes that weren't selected aren't applied"
    );
    assert_eq!(
        accepted.plan.plan.edges, plan.plan.edges,
        "edges are separate changes"
    );
}

/// A claude that has worked on one node of a run, and requests for proposals based on it.
struct Scene {
    env: TestEnvironment,
    shell: Shell,
    api: ModelApi,
    home: TempDir,
    run: RunView,
}

impl Scene {
    fn after_a_run() -> Self {
        let (env, api, home) = (
            TestEnvironment::new(),
            ModelApi::start().expect("a port"),
            TempDir::new().expect("a folder"),
        );
        let shell = Shell::new(&env);
        let text = "{baton: 1, title: Garden, cwd: ., nodes: [
            {id: dig, agent: claude, prompt: Dig a hole.},
            {id: plant, kind: command, command: 'true', dependsOn: [dig]}]}";
        let file = shell.plan_file("garden.yaml", text);
        let run = ["run", &file, "--yes"];
        let (status, said) =
            RunningCommand::new(baton(&shell, &api, "write_bash", home.path(), &run)).end();
        assert!(status.success(), "{said}");
        let runs: Vec<RunSummary> = env
            .call(
                "runs_list",
                RunsFilter {
                    plan: None,
                    limit: 1,
                },
            )
            .expect("runs");
        let run = env.view(runs[0].id);
        Self {
            env,
            shell,
            api,
            home,
            run,
        }
    }

    /// Calls `operation` in its own process, which finds claude. Returns the finished proposal.
    fn asks(&self, operation: &str, input: &Value) -> ProposalView {
        let input = input.to_string();
        let command = baton(
            &self.shell,
            &self.api,
            "plan",
            self.home.path(),
            &["call", operation, &input],
        );
        let (status, said) = RunningCommand::new(command).end();
        assert!(status.success(), "{said}");
        let begun: ProposalView =
            serde_json::from_str(said.trim()).unwrap_or_else(|error| panic!("{error}: {said}"));
        let settled = settled(&self.env, begun.summary.id);
        assert_eq!(settled.summary.state, ProposalState::Ready, "{settled:#?}");
        settled
    }

    /// Checks that one of the planner's prompts, not the node's, contains `part`.
    fn planner_was_told(&self, part: &str) {
        let prompts: Vec<String> = self
            .api
            .seen()
            .into_iter()
            .map(|seen| seen.prompt)
            .collect();
        assert!(
            prompts.iter().any(|prompt| prompt.contains(part)),
            "{part} is missing in {prompts:#?}"
        );
    }
}

#[test]
fn claude_makes_a_plan_from_a_session() {
    let scene = Scene::after_a_run();
    let session = node(&scene.run, "dig")
        .session
        .expect("the node has a session");
    let proposal = scene.asks(
        "plan_from_session",
        &json!({"session": session, "agent": "claude"}),
    );
    assert_eq!(proposal.summary.title, "<b>Greet</b> & go");
    assert!(proposal.draft.is_some_and(|draft| draft.nodes.len() == 3));
    scene.planner_was_told("Dig a hole.");
    scene.planner_was_told("> Tool: Write");
}

#[test]
fn claude_explains_a_plan_and_markup_stays_text() {
    let scene = Scene::after_a_run();
    let plan = scene.run.summary.plan;
    let proposal = scene.asks("plan_explain", &json!({"plan": plan, "agent": "claude"}));
    assert_eq!(
        proposal.explanation.as_deref(),
        Some("It digs, then plants. <script>alert(1)</script>")
    );
    scene.planner_was_told("\"title\": \"Garden\"");
    let refused =
        accept(&scene.env, proposal.summary.id).expect_err("an explanation changes nothing");
    assert_eq!(refused.code, Code::Refused);
    let away: ProposalView = scene
        .env
        .call(
            "proposal_cancel",
            ProposalRef {
                proposal: proposal.summary.id,
            },
        )
        .expect("the explanation is dismissed");
    assert_eq!(away.summary.state, ProposalState::Cancelled);
}

#[test]
fn claude_splits_a_node_between_its_neighbors() {
    let scene = Scene::after_a_run();
    let input =
        json!({"plan": scene.run.summary.plan, "node": id(&scene.run, "dig"), "agent": "claude"});
    let proposal = scene.asks("plan_split", &input);
    scene.planner_was_told("The node to divide: `dig`");
    let accepted = accept(&scene.env, proposal.summary.id)
        .expect("nothing has changed")
        .plan
        .plan;
    let title = |id| accepted.node(id).map_or("gone", |node| node.title.as_str());
    assert!(
        accepted.node(id(&scene.run, "dig")).is_none(),
        "its parts replace it"
    );
    let before_plant: Vec<&str> = accepted
        .edges
        .iter()
        .filter(|edge| title(edge.child) == "plant")
        .map(|edge| title(edge.parent))
        .collect();
    assert_eq!(
        before_plant,
        ["Check both"],
        "the child waits for the last part"
    );
}
