//! The log of plans: what is logged, in which order, and what a reader is told of gaps.

use baton_model::run::Command;
use baton_model::{EventName, HistoryType, Timestamp};
use baton_store::{Actor, PlanLogEntry, PlanLogFilter, Store};

use crate::approvals::approval;
use crate::sample_run::{SampleRun, layered_plan, open};

const ME: &Actor = &Actor::PERSON;

fn types(entries: &[PlanLogEntry]) -> Vec<HistoryType> {
    entries
        .iter()
        .filter_map(|entry| entry.history_type)
        .collect()
}

fn names(store: &Store, after: u64) -> Vec<&'static str> {
    let entries = store
        .plan_log()
        .named_after(PlanLogFilter::default(), after, 100)
        .expect("readable");
    let name = |entry: PlanLogEntry| entry.name.map(EventName::as_str);
    entries.rows.into_iter().filter_map(name).collect()
}

#[test]
fn history_of_a_plan_covers_its_acts_and_all_runs_latest_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    let mut first = SampleRun::begin(&store, plan.clone());
    first.finish();
    let mut changed = plan.clone();
    changed.title = "Another title".to_owned();
    let record = store.plans().save(&changed, 1, ME, Timestamp(2)).unwrap();
    store
        .plans()
        .approve(plan.id, record.revision, &approval(3))
        .unwrap();
    let history = |before, limit| {
        let page = store.plan_log().history(plan.id, before, limit).unwrap();
        assert!(page.unreadable.is_empty());
        page.rows
    };
    let whole = history(None, 100);
    use HistoryType::{Approved, Completed, Created, Edited, Started, StepCompleted, StepStarted};
    assert_eq!(
        types(&whole),
        [
            Approved,
            Edited,
            Completed,
            StepCompleted,
            StepStarted,
            Started,
            Created
        ]
    );
    assert!(whole.iter().all(|entry| entry.plan == Some(plan.id)));
    assert_eq!(whole[0].version, Some(2));
    let event = whole[2].event.clone().expect("an event of a run");
    assert_eq!(
        (event.run, event.content),
        (first.run.id(), Ok(baton_model::run::Event::Completed))
    );

    let page = history(None, 3);
    let rest = history(Some(page[2].id), 100);
    assert_eq!([page, rest].concat(), whole);
}

#[test]
fn run_tells_its_events_by_name_and_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    SampleRun::begin(&store, layered_plan(2, 1)).finish();
    let expected = [
        "plans:created",
        "plan:started",
        "step:started",
        "step:completed",
        "step:started",
        "step:completed",
        "plan:completed",
    ];
    assert_eq!(names(&store, 0), expected);
    let last = store.plan_log().last().unwrap();
    assert!(names(&store, last).is_empty());
    assert!(names(&store, last - 1) == ["plan:completed"]);
}

#[test]
fn run_that_only_waits_for_a_person_is_told_as_paused_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut plan = layered_plan(1, 1);
    plan.settings.autonomy = Some(baton_model::plan::Autonomy::AskAll);
    let node = plan.nodes[0].id;
    let mut run = SampleRun::begin(&store, plan);
    assert_eq!(
        names(&store, 0),
        [
            "plans:created",
            "plan:started",
            "approval:required",
            "plan:paused"
        ]
    );
    assert!(store.runs().get(run.run.id()).unwrap().waits_for_person);
    let seen = store.plan_log().last().unwrap();
    run.command(&Command::Approve { node, allow: true }, &[])
        .unwrap();
    run.finish();
    assert_eq!(
        names(&store, seen),
        [
            "plan:resumed",
            "step:started",
            "step:completed",
            "plan:completed"
        ]
    );
    assert!(!store.runs().get(run.run.id()).unwrap().waits_for_person);
}

#[test]
fn reader_is_told_when_entries_after_its_own_were_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    let other = layered_plan(1, 1);
    store.plans().create(&other, ME, Timestamp(1)).unwrap();
    let mut run = SampleRun::begin(&store, plan.clone());
    let early = store.plan_log().last().unwrap();
    run.finish();
    let late = store.plan_log().last().unwrap();
    let of = |plan| PlanLogFilter {
        plan: Some(plan),
        run: None,
    };
    let gap = |filter, after| store.plan_log().has_gap(filter, after).unwrap();
    assert!(!gap(PlanLogFilter::default(), early));
    store.runs().delete(&[run.run.id()]).unwrap();
    assert!(gap(PlanLogFilter::default(), early));
    assert!(gap(of(plan.id), early));
    assert!(
        !gap(of(other.id), early),
        "nothing of this plan was deleted"
    );
    assert!(
        !gap(PlanLogFilter::default(), late),
        "these were read before"
    );
    assert_eq!(
        store.plan_log().last().unwrap(),
        late,
        "numbers are never used again"
    );
    SampleRun::begin_stored(&store, plan.clone(), crate::sample_run::executor().id);
    assert!(store.plan_log().last().unwrap() > late);
}

#[test]
fn deleted_plans_tell_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    store.plans().create(&plan, ME, Timestamp(1)).unwrap();
    store
        .plans()
        .delete(plan.id, Timestamp(2), |_| true)
        .unwrap();
    assert!(names(&store, 0).is_empty());
    SampleRun::begin(&store, layered_plan(1, 1));
    let seen = store.plan_log().last().unwrap();
    let gap = |after| store.plan_log().has_gap(PlanLogFilter::default(), after);
    assert!(!gap(seen - 1).unwrap());
    store.plans().restore(plan.id).unwrap();
    assert!(names(&store, 0).starts_with(&["plans:created"]));
    assert!(gap(seen - 1).unwrap(), "a reader went past what is back");
}

#[test]
fn damaged_event_hides_only_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    let mut run = SampleRun::begin(&store, plan.clone());
    run.finish();
    let id = run.run.id();
    drop(store);
    let connection = rusqlite::Connection::open(folder.path().join("baton.db")).unwrap();
    let damage = "DROP TRIGGER run_events_stay_as_they_are;
        UPDATE run_events SET event = '{' WHERE event LIKE '%\"node_started\"%'";
    connection.execute_batch(damage).unwrap();
    drop(connection);

    let store = open(folder.path()).unwrap();
    let history = store.plan_log().history(plan.id, None, 100).unwrap();
    assert_eq!(
        types(&history.rows),
        [
            HistoryType::Completed,
            HistoryType::StepCompleted,
            HistoryType::StepStarted,
            HistoryType::Started,
            HistoryType::Created
        ]
    );
    let damaged = history.rows[2].event.clone().expect("an event of a run");
    let reason = damaged.content.expect_err("damaged");
    assert_eq!(reason.table, "run_events");
    assert_eq!(reason.id, format!("{id}, event {}", damaged.seq));
    assert_eq!(history.rows[2].node, Some(plan.nodes[0].id));
    assert_eq!(
        names(&store, 0).len(),
        5,
        "programs that listen get the others"
    );
}
