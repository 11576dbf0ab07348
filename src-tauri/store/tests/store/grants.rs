//! Leave that was given in runs, read from real files.

use baton_model::Grant;
use baton_model::node::Position;
use baton_model::run::{Answer, AskedCall, Command};
use baton_model::{NodeId, Plan, Timestamp};
use baton_store::{Actor, Store};

use crate::story::{Story, open, strands};

fn asks(story: &mut Story, answer: Answer) {
    let (node, attempt, _) = story.run.live_attempts().next().unwrap();
    let call = Some(AskedCall {
        tool: "Bash".to_owned(),
        command: Some("ls".to_owned()),
    });
    let (question, request) = ("Bash: ls".to_owned(), format!("{answer:?}"));
    story
        .command(
            &Command::SessionAsked {
                node,
                attempt,
                question,
                request: request.clone(),
                call,
            },
            &[],
        )
        .unwrap();
    story
        .command(
            &Command::Answer {
                node,
                request,
                answer,
            },
            &[],
        )
        .unwrap();
}

#[test]
fn leave_is_found_with_its_plan_and_can_be_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 1));
    let content = story.run.plan().as_ref().clone();
    let plan = content.id;
    let (node, _, _) = story.run.live_attempts().next().unwrap();
    let grant = Grant::exact("Bash", Some("ls"));

    asks(&mut story, Answer::AllowOnce);
    assert_eq!(
        store.grants().list(plan).unwrap(),
        [],
        "leave for one call is nothing to keep"
    );
    asks(&mut story, Answer::allow_node());
    let rows = store.grants().list(plan).unwrap();
    assert_eq!(
        rows.iter()
            .map(|row| (row.of, &row.grant))
            .collect::<Vec<_>>(),
        [(Some((story.run.id(), node)), &grant)]
    );
    let of_plan = || -> Vec<Grant> {
        store
            .grants()
            .of_plan(&content)
            .unwrap()
            .into_iter()
            .map(|row| row.grant)
            .collect()
    };
    assert_eq!(of_plan(), [], "what one node may is not for later runs");

    story
        .command(
            &Command::Revoke {
                grant: grant.clone(),
                of: Some(node),
            },
            &[],
        )
        .unwrap();
    assert_eq!(store.grants().list(plan).unwrap(), []);
    asks(&mut story, Answer::allow_plan());
    assert_eq!(of_plan(), std::slice::from_ref(&grant));
    store.grants().take_back(plan, &grant).unwrap();
    assert_eq!(store.grants().list(plan).unwrap(), []);
}

/// The plan as it is stored, and the node in which `answer` was given.
fn given(store: &Store, story: &mut Story, answer: Answer) -> (Plan, NodeId) {
    asks(story, answer);
    let (_, content) = store.plans().current(story.run.plan().id).unwrap();
    let (node, _, _) = story.run.live_attempts().next().unwrap();
    (content, node)
}

#[test]
fn leave_for_commands_that_begin_alike_is_stored_and_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let begins = vec!["ls".to_owned()];
    let grant = Grant::beginning("Bash", "ls");
    let (plan, node) = {
        let store = open(folder.path()).unwrap();
        let mut story = Story::begin(&store, strands(1, 1));
        let (plan, node) = given(
            &store,
            &mut story,
            Answer::AllowNode {
                begins: begins.clone(),
            },
        );
        story
            .command(
                &Command::Revoke {
                    grant: grant.clone(),
                    of: Some(node),
                },
                &[],
            )
            .unwrap();
        assert_eq!(store.grants().list(plan.id).unwrap(), []);
        given(&store, &mut story, Answer::AllowPlan { begins })
    };
    let store = open(folder.path()).unwrap();
    let rows = store.grants().list(plan.id).unwrap();
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.of, row.given_in, &row.grant))
        .collect();
    assert_eq!(told, [(None, Some(node), &grant)]);
    store
        .grants()
        .take_back(plan.id, &Grant::exact("Bash", Some("ls")))
        .unwrap();
    assert_eq!(
        store.grants().list(plan.id).unwrap().len(),
        1,
        "leave to the letter is another"
    );
    store.grants().take_back(plan.id, &grant).unwrap();
    assert_eq!(store.grants().list(plan.id).unwrap(), []);
}

#[test]
fn leave_for_the_plan_ends_with_a_version_that_changes_its_node() {
    type Change = (&'static str, bool, fn(&mut Plan, usize));
    let changes: [Change; 6] = [
        ("title", true, |plan, at| {
            plan.nodes[at].title = "Another".to_owned()
        }),
        ("place", true, |plan, at| {
            plan.nodes[at].position = Some(Position { x: 1.0, y: 2.0 })
        }),
        ("another node", true, |plan, at| {
            plan.nodes[1 - at].instructions = "More.".to_owned()
        }),
        ("work", false, |plan, at| {
            plan.nodes[at].instructions = "More.".to_owned()
        }),
        ("directory", false, |plan, _| {
            plan.cwd = Some("/elsewhere".to_owned())
        }),
        ("removal", false, |plan, at| {
            let gone = plan.nodes.remove(at).id;
            plan.edges
                .retain(|edge| edge.parent != gone && edge.child != gone);
        }),
    ];
    for (what, stays, change) in changes {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).unwrap();
        let mut story = Story::begin(&store, strands(1, 2));
        let (before, node) = given(&store, &mut story, Answer::allow_plan());
        let at = before
            .nodes
            .iter()
            .position(|other| other.id == node)
            .unwrap();
        let mut after = before.clone();
        change(&mut after, at);
        let holds = |plan: &Plan| store.grants().of_plan(plan).unwrap().len() == 1;
        assert!(holds(&before), "{what}");
        assert_eq!(holds(&after), stays, "{what}: before anything is saved");
        let save = |plan: &Plan| {
            let record = store.plans().record(plan.id).unwrap();
            store
                .plans()
                .save(plan, record.revision, &Actor::Baton, Timestamp(9))
                .unwrap();
        };
        save(&after);
        assert_eq!(holds(&after), stays, "{what}");
        save(&before);
        assert_eq!(
            holds(&before),
            stays,
            "{what}: what has ended does not come back"
        );
        assert_eq!(
            story.run.given().len(),
            1,
            "the run that has it executes the version that was approved"
        );
    }
}

#[test]
fn leave_of_unknown_origin_ends_with_the_next_version() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut story = Story::begin(&store, strands(1, 2));
    let (plan, _) = given(&store, &mut story, Answer::allow_plan());
    let connection = rusqlite::Connection::open(folder.path().join("baton.db")).unwrap();
    connection
        .execute("UPDATE grants SET node = NULL, node_digest = NULL", [])
        .unwrap();
    drop(connection);
    assert_eq!(store.grants().of_plan(&plan).unwrap().len(), 1);
    let mut later = plan.clone();
    later.nodes[0].position = Some(Position { x: 1.0, y: 2.0 });
    let save = |plan: &Plan| {
        let record = store.plans().record(plan.id).unwrap();
        store
            .plans()
            .save(plan, record.revision, &Actor::Baton, Timestamp(9))
            .unwrap();
    };
    save(&later);
    assert_eq!(
        store.grants().of_plan(&later).unwrap().len(),
        1,
        "a change of layout makes no version"
    );
    later.nodes[0].title = "Another".to_owned();
    save(&later);
    assert_eq!(store.grants().of_plan(&later).unwrap(), []);
}
