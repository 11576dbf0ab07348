//! Plans: versions, optimistic locking, review, and lists.

use baton_model::node::Position;
use baton_model::{PlanId, ReviewState, RunState, Timestamp};
use baton_store::{Actor, NodeStatus, PlanWrite, StoreError};
use rusqlite::Connection;
use uuid::Uuid;

use crate::approvals::approval;
use crate::sample_run::{SampleRun, layered_plan, open};

const ME: &Actor = &Actor::PERSON;

#[test]
fn edit_creates_a_draft_version() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let first = layered_plan(2, 2);
    let record = store.plans().create(&first, ME, Timestamp(1)).unwrap();
    let record = store
        .plans()
        .approve(first.id, record.revision, &approval(2))
        .unwrap();
    assert_eq!(
        (record.review, record.approved_version),
        (ReviewState::Approved, Some(1))
    );

    let mut second = first.clone();
    second.title = "Another title".to_owned();
    let agent = Actor::Agent("claude".to_owned());
    let record = store
        .plans()
        .save(&second, record.revision, &agent, Timestamp(3))
        .unwrap();
    assert_eq!(
        (record.version, record.revision, record.review),
        (2, 3, ReviewState::Draft)
    );
    assert_eq!(
        record.approved_version,
        Some(1),
        "the approved version is still recorded"
    );

    assert_eq!(store.plans().current(first.id).unwrap(), (record, second));
    assert_eq!(
        store.plan_versions().content(first.id, 1).unwrap(),
        first,
        "old versions stay"
    );
    let versions = store.plan_versions().list(first.id).unwrap();
    assert_eq!(
        versions
            .iter()
            .map(|row| (row.version, row.previous))
            .collect::<Vec<_>>(),
        [(2, Some(1)), (1, None)]
    );
    assert_eq!(versions[0].author, agent);
}

#[test]
fn layout_change_bumps_only_the_revision() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut plan = layered_plan(1, 2);
    let record = store.plans().create(&plan, ME, Timestamp(1)).unwrap();
    store
        .plans()
        .approve(plan.id, record.revision, &approval(2))
        .unwrap();
    plan.nodes[0].position = Some(Position { x: 1.5, y: -3.0 });
    let record = store.plans().save(&plan, 2, ME, Timestamp(3)).unwrap();
    assert_eq!(
        (record.version, record.revision, record.review),
        (1, 3, ReviewState::Approved)
    );
    assert_eq!(store.plan_versions().content(plan.id, 1).unwrap(), plan);
    assert!(matches!(
        store.plans().save(&plan, 2, ME, Timestamp(4)),
        Err(StoreError::Conflict { current: 3, .. })
    ));
}

#[test]
fn second_writer_gets_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, theirs) = (open(folder.path()).unwrap(), open(folder.path()).unwrap());
    let mut plan = layered_plan(1, 2);
    let record = mine.plans().create(&plan, ME, Timestamp(1)).unwrap();
    plan.title = "Theirs".to_owned();
    theirs
        .plans()
        .save(&plan, record.revision, ME, Timestamp(2))
        .unwrap();
    plan.title = "Mine".to_owned();
    let error = mine
        .plans()
        .save(&plan, record.revision, ME, Timestamp(3))
        .unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Conflict {
                based_on: 1,
                current: 2,
                ..
            }
        ),
        "{error:?}"
    );
    let review = mine.plans().approve(plan.id, record.revision, &approval(3));
    assert!(
        matches!(review, Err(StoreError::Conflict { .. })),
        "an outdated revision can't be approved"
    );
    assert_eq!(mine.plans().current(plan.id).unwrap().1.title, "Theirs");
}

#[test]
fn graph_of_the_current_version_can_be_queried() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut plan = layered_plan(2, 2);
    store.plans().create(&plan, ME, Timestamp(1)).unwrap();
    assert_eq!(
        store.plan_graph().edges(plan.id).unwrap().len(),
        plan.edges.len()
    );
    let gone = plan.nodes.remove(3);
    plan.edges.retain(|edge| edge.child != gone.id);
    store.plans().save(&plan, 1, ME, Timestamp(2)).unwrap();
    let slugs: Vec<_> = store
        .plan_graph()
        .nodes(plan.id)
        .unwrap()
        .into_iter()
        .map(|row| row.slug)
        .collect();
    assert_eq!(slugs, ["n0", "n1", "n2"]);
    assert!(store.plan_graph().with_node(gone.id).unwrap().is_empty());
    assert_eq!(
        store.plan_graph().with_node(plan.nodes[0].id).unwrap()[0].plan,
        plan.id
    );
}

#[test]
fn list_shows_progress_of_the_last_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 3));
    sample.step().unwrap();
    let row = store.plans().list().unwrap().rows.remove(0);
    let run = row.last_run.unwrap();
    assert_eq!(run.state, RunState::Running { ending: None });
    assert_eq!(
        run.nodes,
        [
            NodeStatus::Running,
            NodeStatus::Waiting,
            NodeStatus::Waiting
        ]
    );
    assert_eq!((run.settled, run.total, row.node_count), (0, 3, 3));
}

#[test]
fn list_of_a_large_run_counts_all_nodes_and_shows_every_state() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 700));
    sample.step().unwrap();
    let run = store
        .plans()
        .list()
        .unwrap()
        .rows
        .remove(0)
        .last_run
        .unwrap();
    assert_eq!((run.settled, run.total), (0, 700));
    let running = run
        .nodes
        .iter()
        .filter(|&&word| word == NodeStatus::Running)
        .count();
    assert_eq!(running, 1, "one of 700 would have less than a cell");
    assert!(
        (195..=205).contains(&run.nodes.len()),
        "{} cells",
        run.nodes.len()
    );
}

#[test]
fn running_plan_is_not_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    let (plan, run) = (sample.run.plan().id, sample.run.id());
    let error = store
        .plans()
        .delete(plan, Timestamp(5), |_| true)
        .unwrap_err();
    assert!(
        matches!(&error, StoreError::PlanIsRunning { runs, .. } if *runs == [run]),
        "{error:?}"
    );
    sample.finish();
    store
        .plans()
        .delete(plan, Timestamp(5), |_| true)
        .expect("its run has ended");
    assert!(matches!(
        store.plans().record(plan),
        Err(StoreError::PlanDeleted { .. })
    ));
}

#[test]
fn plan_of_a_dead_executor_is_deleted_with_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(2, 2));
    sample.step().unwrap();
    sample.step().unwrap();
    let (plan, run) = (sample.run.plan().id, sample.run.id());
    store.plans().delete(plan, Timestamp(5), |_| false).unwrap();
    store.plans().purge(plan).unwrap();
    assert!(
        store
            .run_events()
            .list_after(run, 0, 10)
            .unwrap()
            .is_empty()
    );
    let connection = Connection::open(folder.path().join("baton.db")).unwrap();
    for table in [
        "plan_versions",
        "plan_nodes",
        "plan_edges",
        "runs",
        "run_goals",
        "run_events",
        "node_states",
        "attempts",
        "artifacts",
        "sessions",
    ] {
        let left: i64 = connection
            .query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(left, 0, "rows are left in {table}");
    }
}

#[test]
fn a_damaged_row_is_reported_and_the_others_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plans: Vec<_> = (0..3).map(|_| layered_plan(1, 1)).collect();
    for plan in &plans {
        store.plans().create(plan, ME, Timestamp(1)).unwrap();
    }
    let damaged = SampleRun::begin(&store, layered_plan(1, 1)).run;
    let raw = Connection::open(folder.path().join("baton.db")).unwrap();
    raw.execute("UPDATE plans SET tags = '[' WHERE id = ?1", [plans[0].id.0])
        .unwrap();
    raw.execute(
        "UPDATE plan_versions SET content = '{}' WHERE plan = ?1",
        [plans[1].id.0],
    )
    .unwrap();
    raw.execute(
        "UPDATE runs SET state = 'x' WHERE id = ?1",
        [damaged.id().0],
    )
    .unwrap();

    let listing = store.plans().list().unwrap();
    assert_eq!(
        listing.rows.len(),
        3,
        "damaged content or runs don't hide a plan"
    );
    let tables: Vec<_> = listing
        .unreadable
        .iter()
        .map(|row| (row.table.as_str(), row.id.clone()))
        .collect();
    assert!(
        tables.contains(&("plans", plans[0].id.to_string())),
        "{tables:?}"
    );
    assert!(
        tables.contains(&("runs", damaged.id().to_string())),
        "{tables:?}"
    );

    let error = store.plans().current(plans[1].id).unwrap_err();
    assert!(
        matches!(&error, StoreError::Unreadable(row) if row.table == "plan_versions"),
        "{error:?}"
    );
    store
        .plans()
        .save(&plans[1], 1, ME, Timestamp(2))
        .expect("valid content replaces damaged content");
    assert_eq!(store.runs().list(None, 10).unwrap().unreadable.len(), 1);
    assert!(
        store.runs().replay(damaged.id()).is_ok(),
        "the history is complete"
    );
}

#[test]
fn missing_rows_are_named_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = PlanId(Uuid::nil());
    let error = store.plans().current(plan).unwrap_err();
    assert_eq!(error.to_string(), format!("the plan {plan} doesn't exist"));
    let there = layered_plan(1, 1);
    store.plans().create(&there, ME, Timestamp(1)).unwrap();
    assert!(matches!(
        store.plans().create(&there, ME, Timestamp(1)),
        Err(StoreError::Exists { .. })
    ));
}

#[test]
fn several_plans_are_stored_all_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let old = layered_plan(1, 2);
    let record = store.plans().create(&old, ME, Timestamp(1)).unwrap();
    let (mut changed, mut new) = (old.clone(), layered_plan(1, 3));
    changed.title = "Changed".to_owned();
    new.id = PlanId(Uuid::now_v7());
    let change = |base_revision| PlanWrite::Changed {
        plan: changed.clone(),
        base_revision,
    };

    let late = [PlanWrite::New(new.clone()), change(record.revision + 1)];
    let refused = store.plans().write_all(&late, ME, Timestamp(2));
    assert!(matches!(refused, Err(StoreError::Conflict { .. })));
    assert!(
        store.plans().current(new.id).is_err(),
        "the first was valid, but isn't stored without the second"
    );

    let both = [PlanWrite::New(new.clone()), change(record.revision)];
    store.plans().write_all(&both, ME, Timestamp(3)).unwrap();
    assert_eq!(store.plans().current(new.id).unwrap().1, new);
    assert_eq!(store.plans().record(old.id).unwrap().version, 2);
}
