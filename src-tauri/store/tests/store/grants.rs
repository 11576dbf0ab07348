//! Permissions granted in runs, read from real files.

use baton_model::Grant;
use baton_model::node::Position;
use baton_model::run::{Answer, Command, RequestedToolCall};
use baton_model::{NodeId, Plan, Timestamp};
use baton_store::{Actor, Store};

use crate::sample_run::{SampleRun, layered_plan, open};

fn asks(sample: &mut SampleRun, answer: Answer) {
    let (node, attempt, _) = sample.run.live_attempts().next().unwrap();
    let call = Some(RequestedToolCall {
        tool: "Bash".to_owned(),
        command: Some("ls".to_owned()),
    });
    let (question, request) = ("Bash: ls".to_owned(), format!("{answer:?}"));
    sample
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
    sample
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
fn grant_is_listed_with_its_plan_and_revocable() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let content = sample.run.plan().as_ref().clone();
    let plan = content.id;
    let (node, _, _) = sample.run.live_attempts().next().unwrap();
    let grant = Grant::exact("Bash", Some("ls"));

    asks(&mut sample, Answer::AllowOnce);
    assert_eq!(
        store.grants().list(plan).unwrap(),
        [],
        "permission for one call isn't stored"
    );
    asks(&mut sample, Answer::allow_node());
    let rows = store.grants().list(plan).unwrap();
    assert_eq!(
        rows.iter()
            .map(|row| (row.of, &row.grant))
            .collect::<Vec<_>>(),
        [(Some((sample.run.id(), node)), &grant)]
    );
    let of_plan = || -> Vec<Grant> {
        store
            .grants()
            .list_effective(&content)
            .unwrap()
            .into_iter()
            .map(|row| row.grant)
            .collect()
    };
    assert_eq!(
        of_plan(),
        [],
        "a grant for one node doesn't apply to later runs"
    );

    sample
        .command(
            &Command::Revoke {
                grant: grant.clone(),
                of: Some(node),
            },
            &[],
        )
        .unwrap();
    assert_eq!(store.grants().list(plan).unwrap(), []);
    asks(&mut sample, Answer::allow_plan());
    assert_eq!(of_plan(), std::slice::from_ref(&grant));
    store.grants().revoke(plan, &grant).unwrap();
    assert_eq!(store.grants().list(plan).unwrap(), []);
}

/// The plan as stored, and the node in which `answer` was given.
fn given(store: &Store, sample: &mut SampleRun, answer: Answer) -> (Plan, NodeId) {
    asks(sample, answer);
    let (_, content) = store.plans().current(sample.run.plan().id).unwrap();
    let (node, _, _) = sample.run.live_attempts().next().unwrap();
    (content, node)
}

#[test]
fn prefix_grant_is_stored_and_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let begins = vec!["ls".to_owned()];
    let grant = Grant::with_prefix("Bash", "ls");
    let (plan, node) = {
        let store = open(folder.path()).unwrap();
        let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
        let (plan, node) = given(
            &store,
            &mut sample,
            Answer::AllowNode {
                begins: begins.clone(),
            },
        );
        sample
            .command(
                &Command::Revoke {
                    grant: grant.clone(),
                    of: Some(node),
                },
                &[],
            )
            .unwrap();
        assert_eq!(store.grants().list(plan.id).unwrap(), []);
        given(&store, &mut sample, Answer::AllowPlan { begins })
    };
    let store = open(folder.path()).unwrap();
    let rows = store.grants().list(plan.id).unwrap();
    let reported: Vec<_> = rows
        .iter()
        .map(|row| (row.of, row.given_in, &row.grant))
        .collect();
    assert_eq!(reported, [(None, Some(node), &grant)]);
    store
        .grants()
        .revoke(plan.id, &Grant::exact("Bash", Some("ls")))
        .unwrap();
    assert_eq!(
        store.grants().list(plan.id).unwrap().len(),
        1,
        "an exact grant is a different one"
    );
    store.grants().revoke(plan.id, &grant).unwrap();
    assert_eq!(store.grants().list(plan.id).unwrap(), []);
}

#[test]
fn plan_grant_ends_when_a_version_changes_its_node() {
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
        let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
        let (before, node) = given(&store, &mut sample, Answer::allow_plan());
        let at = before
            .nodes
            .iter()
            .position(|other| other.id == node)
            .unwrap();
        let mut after = before.clone();
        change(&mut after, at);
        let holds = |plan: &Plan| store.grants().list_effective(plan).unwrap().len() == 1;
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
            "{what}: an ended grant does not return"
        );
        assert_eq!(
            sample.run.active_grants().len(),
            1,
            "the run that has it executes the version that was approved"
        );
    }
}

#[test]
fn grant_without_digest_ends_with_the_next_version() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    let (plan, _) = given(&store, &mut sample, Answer::allow_plan());
    let connection = rusqlite::Connection::open(folder.path().join("baton.db")).unwrap();
    connection
        .execute("UPDATE grants SET node = NULL, node_digest = NULL", [])
        .unwrap();
    drop(connection);
    assert_eq!(store.grants().list_effective(&plan).unwrap().len(), 1);
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
        store.grants().list_effective(&later).unwrap().len(),
        1,
        "a layout change creates no version"
    );
    later.nodes[0].title = "Another".to_owned();
    save(&later);
    assert_eq!(store.grants().list_effective(&later).unwrap(), []);
}
