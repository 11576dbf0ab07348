//! Pages of runs, and deleting runs.

use baton_model::run::Command;
use baton_model::{PlanId, Retention, RunId, Timestamp};
use baton_store::{
    Change, HousekeepingTask, RunStateFilter, RunsPageFilter, RunsSort, StartedByFilter, Store,
    StoreError,
};
use rusqlite::{Connection, params};

use crate::sample_run::{SampleRun, executor, layered_plan, open};

#[test]
fn pages_continue_in_every_order_and_numbers_are_never_reused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    let mut first = SampleRun::begin(&store, plan.clone());
    first.finish();
    let mut runs = vec![first.run.id()];
    for _ in 0..2 {
        let executor = executor();
        store.executors().register(&executor).unwrap();
        let mut next = SampleRun::begin_stored(&store, plan.clone(), executor.id);
        next.finish();
        runs.push(next.run.id());
    }
    let filters = [
        RunsPageFilter::default(),
        RunsPageFilter {
            plan: Some(plan.id),
            search: "a PLAN".to_owned(),
            ..RunsPageFilter::default()
        },
    ];
    for filter in &filters {
        for sort in [
            RunsSort::Newest,
            RunsSort::Oldest,
            RunsSort::Longest,
            RunsSort::Costliest,
        ] {
            let (mut after, mut seen) = (None, Vec::new());
            loop {
                let page = store
                    .runs()
                    .page(filter, sort, after, 2, Timestamp(5000))
                    .unwrap();
                assert_eq!(page.total, 3);
                seen.extend(page.rows.iter().map(|row| row.id));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            seen.sort();
            let mut all = runs.clone();
            all.sort();
            assert_eq!(seen, all, "{sort:?}");
        }
    }
    let changes = store.subscribe();
    assert_eq!(store.runs().delete(&runs[1..]).unwrap().len(), 2);
    let deleted = changes.recv().unwrap();
    assert!(matches!(deleted, Change::RunsDeleted { plan: of, .. } if of == plan.id));
    let executor = executor();
    store.executors().register(&executor).unwrap();
    let next = SampleRun::begin_stored(&store, plan.clone(), executor.id);
    assert_eq!(store.runs().get(next.run.id()).unwrap().number, 4);
    assert!(
        store.runs().delete(&[next.run.id()]).unwrap().is_empty(),
        "it hasn't ended"
    );
    let by_number = RunsPageFilter {
        search: "#4".to_owned(),
        ..RunsPageFilter::default()
    };
    let page = store
        .runs()
        .page(&by_number, RunsSort::Newest, None, 10, Timestamp(5000))
        .unwrap();
    assert_eq!(page.rows[0].id, next.run.id());
}

#[test]
fn one_process_claims_a_sweep_and_rules_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let (store, other) = (open(folder.path()).unwrap(), open(folder.path()).unwrap());
    assert!(
        store
            .claim_housekeeping(HousekeepingTask::ApplyRetention, Timestamp(10_000), 100)
            .unwrap()
    );
    assert!(
        !other
            .claim_housekeeping(HousekeepingTask::ApplyRetention, Timestamp(10_050), 100)
            .unwrap()
    );
    assert!(
        other
            .claim_housekeeping(HousekeepingTask::ApplyRetention, Timestamp(10_100), 100)
            .unwrap()
    );

    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let plan = sample.run.plan().id;
    store.plans().archive(plan, Timestamp(1)).unwrap_err();
    sample.finish();
    store.plans().archive(plan, Timestamp(7)).unwrap();
    let rule = Retention {
        keep_last: Some(3),
        ..Retention::default()
    };
    store.plans().set_retention(plan, Some(rule)).unwrap();
    let record = other.plans().record(plan).unwrap();
    assert_eq!(
        (record.archived_at, record.retention),
        (Some(Timestamp(7)), Some(rule))
    );
    assert!(store.retained_plans().unwrap()[0].facts.is_archived);
    let executor = executor();
    store.executors().register(&executor).unwrap();
    SampleRun::begin_stored(&store, sample.run.plan().as_ref().clone(), executor.id);
    assert_eq!(other.plans().record(plan).unwrap().archived_at, None);
}

/// Finished runs of one plan, oldest first.
fn finished_runs(store: &Store, count: usize) -> (PlanId, Vec<RunId>) {
    let plan = layered_plan(1, 1);
    let id = plan.id;
    let mut first = SampleRun::begin(store, plan.clone());
    first.finish();
    let mut runs = vec![first.run.id()];
    for _ in 1..count {
        let executor = executor();
        store.executors().register(&executor).unwrap();
        let mut next = SampleRun::begin_stored(store, plan.clone(), executor.id);
        next.finish();
        runs.push(next.run.id());
    }
    (id, runs)
}

/// The runs that a filter selects, newest first.
fn found(store: &Store, filter: &RunsPageFilter) -> Vec<RunId> {
    let page = store
        .runs()
        .page(filter, RunsSort::Newest, None, 100, Timestamp(5000))
        .unwrap();
    assert_eq!(page.total as usize, page.rows.len());
    page.rows.into_iter().map(|row| row.id).collect()
}

#[test]
fn state_and_starter_are_stored_with_each_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 1));
    let run = sample.run.id();
    let of_state = |state| RunsPageFilter {
        states: vec![state],
        ..RunsPageFilter::default()
    };
    let by = |started_by| RunsPageFilter {
        started_by: Some(started_by),
        ..RunsPageFilter::default()
    };
    assert_eq!(found(&store, &of_state(RunStateFilter::Running)), [run]);
    sample.finish();
    assert_eq!(found(&store, &of_state(RunStateFilter::Running)), []);
    assert_eq!(found(&store, &of_state(RunStateFilter::Completed)), [run]);
    store.runs().rebuild_node_states(run).unwrap();
    assert_eq!(found(&store, &of_state(RunStateFilter::Completed)), [run]);
    assert_eq!(found(&store, &by(StartedByFilter::Person)), [run]);
    assert_eq!(found(&store, &by(StartedByFilter::Run)), []);
}

#[test]
fn runs_of_a_deleted_plan_are_on_no_page_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let (plan, runs) = finished_runs(&store, 2);
    let (_, others) = finished_runs(&store, 1);
    store.plans().delete(plan, Timestamp(9), |_| false).unwrap();
    assert_eq!(found(&store, &RunsPageFilter::default()), others);
    let of_plan = RunsPageFilter {
        plan: Some(plan),
        ..RunsPageFilter::default()
    };
    assert_eq!(found(&store, &of_plan), []);
    assert_eq!(store.runs().deletable(runs[0]).unwrap(), None);
    assert_eq!(store.runs().delete(&runs).unwrap(), []);
    assert!(store.runs().retention_facts(plan).unwrap().is_empty());
    let retained = store.retained_plans().unwrap();
    assert!(retained.iter().all(|retained| retained.plan != plan));
    for changed in [
        store.plans().archive(plan, Timestamp(10)),
        store.plans().unarchive(plan),
        store.plans().set_retention(plan, None),
    ] {
        assert!(matches!(changed, Err(StoreError::PlanDeleted { .. })));
    }

    store.plans().restore(plan).unwrap();
    assert_eq!(store.runs().retention_facts(plan).unwrap().len(), 2);
    assert_eq!(found(&store, &of_plan).len(), 2);
}

#[test]
fn run_that_was_deleted_cannot_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let (_, runs) = finished_runs(&store, 1);
    let other = open(folder.path()).unwrap();
    let mut resumed = SampleRun::load(&other, runs[0]);
    store.runs().delete(&runs).unwrap();
    let node = resumed.run.plan().nodes[0].id;
    let error = resumed
        .command(&Command::RerunNode { node }, &[])
        .expect_err("the run is gone");
    assert!(matches!(error, StoreError::NotFound { .. }), "{error}");
}

#[test]
fn later_runs_keep_what_they_reuse_also_below_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let (_, runs) = finished_runs(&store, 3);
    let [parent, child, later] = runs[..] else {
        panic!("three runs");
    };
    let raw = Connection::open(folder.path().join("baton.db")).unwrap();
    let query = "UPDATE runs SET parent_run = ?2, parent_node = ?3 WHERE id = ?1";
    raw.execute(query, params![child.0, parent.0, uuid::Uuid::nil()])
        .unwrap();
    raw.execute(
        "UPDATE runs SET inherits = ?2 WHERE id = ?1",
        params![later.0, child.0],
    )
    .unwrap();

    let facts = store.runs().deletable(parent).unwrap().unwrap();
    assert_eq!(
        (facts.inheritors, facts.descendants),
        (vec![later], vec![child])
    );
    assert_eq!(store.runs().delete(&[parent]).unwrap(), []);
    let mut gone = store.runs().delete(&[parent, later]).unwrap();
    gone.sort();
    let mut all = runs.clone();
    all.sort();
    assert_eq!(gone, all, "the later run goes first");
}
