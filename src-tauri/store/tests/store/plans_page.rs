//! Pages of plans: filters, order, positions, and statuses as the model says.

use baton_model::plan_status::LatestRun;
use baton_model::{Plan, PlanId, PlanStatus, Timestamp};
use baton_store::{Actor, PlansPageFilter, PlansSort, Store};

use crate::approvals::approval;
use crate::sample_run::{SampleRun, layered_plan, open};

const ME: &Actor = &Actor::PERSON;

fn create(store: &Store, title: &str, at: i64, change: impl FnOnce(&mut Plan)) -> PlanId {
    let mut plan = layered_plan(1, 1);
    plan.title = title.to_owned();
    change(&mut plan);
    store
        .plans()
        .create(&plan, ME, Timestamp(at))
        .expect("a new plan");
    plan.id
}

fn titles(store: &Store, filter: &PlansPageFilter, sort: PlansSort) -> Vec<String> {
    let page = store.plans().page(filter, sort, 0, 100).expect("readable");
    let titles: Vec<_> = page.plans.rows.into_iter().map(|row| row.title).collect();
    assert_eq!(page.total as usize, titles.len());
    titles
}

#[test]
fn pages_are_ordered_and_cover_all_plans_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    for (title, at, priority) in [("b", 1, 5), ("a", 2, 5), ("C", 3, 9), ("d", 4, 1)] {
        create(&store, title, at, |plan| plan.settings.priority = priority);
    }
    let all = PlansPageFilter::default();
    for (sort, expected) in [
        (PlansSort::Priority, ["C", "a", "b", "d"]),
        (PlansSort::Waiting, ["C", "b", "a", "d"]),
        (PlansSort::Created, ["d", "C", "a", "b"]),
        (PlansSort::Updated, ["d", "C", "a", "b"]),
        (PlansSort::Title, ["a", "b", "C", "d"]),
    ] {
        assert_eq!(titles(&store, &all, sort), expected, "{sort:?}");
        for offset in 0..5_u32 {
            let page = store.plans().page(&all, sort, offset, 1).unwrap();
            let found: Vec<_> = page
                .plans
                .rows
                .iter()
                .map(|row| row.title.as_str())
                .collect();
            assert_eq!(found, expected.get(offset as usize).copied().as_slice());
            assert_eq!(page.total, 4);
        }
    }
}

#[test]
fn filters_select_by_what_the_plan_says() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    create(&store, "Release notes", 1, |plan| {
        plan.origin.user = Some("ada".to_owned());
        plan.origin.goal = Some("ship".to_owned());
        plan.cwd = Some("/work".to_owned());
    });
    create(&store, "Fix 100% of it", 2, |plan| {
        plan.origin.trigger = Some("nightly".to_owned());
        plan.settings.tags = vec!["urgent".to_owned()];
    });
    let page = |filter: PlansPageFilter| titles(&store, &filter, PlansSort::Created);
    let filter = PlansPageFilter::default;
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        page(PlansPageFilter {
            user: some("ada"),
            ..filter()
        }),
        ["Release notes"]
    );
    assert_eq!(
        page(PlansPageFilter {
            user: some("default"),
            ..filter()
        }),
        ["Fix 100% of it"]
    );
    assert_eq!(
        page(PlansPageFilter {
            goal: some("ship"),
            ..filter()
        }),
        ["Release notes"]
    );
    assert_eq!(
        page(PlansPageFilter {
            trigger: some("nightly"),
            ..filter()
        }),
        ["Fix 100% of it"]
    );
    assert_eq!(
        page(PlansPageFilter {
            cwd: some("/work"),
            ..filter()
        }),
        ["Release notes"]
    );
    let search = |search: &str| {
        page(PlansPageFilter {
            search: search.to_owned(),
            ..filter()
        })
    };
    assert_eq!(search("NOTES release"), ["Release notes"]);
    assert_eq!(search("urgent fix"), ["Fix 100% of it"]);
    assert_eq!(search("%"), ["Fix 100% of it"], "a percent sign is text");
    assert!(search("release urgent").is_empty());
}

/// The status in SQL and the status of the model are the same, for plans in all states that the
/// store can be brought into here.
#[test]
fn status_filter_agrees_with_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    create(&store, "draft", 1, |_| ());
    let approved = create(&store, "approved", 1, |_| ());
    store.plans().approve(approved, 1, &approval(2)).unwrap();
    let run = |change: &dyn Fn(&mut Plan)| {
        let mut plan = layered_plan(1, 1);
        change(&mut plan);
        SampleRun::begin(&store, plan)
    };
    run(&|_| ());
    run(&|plan| plan.settings.autonomy = Some(baton_model::plan::Autonomy::AskAll));
    run(&|_| ()).finish();
    let mut edited = run(&|_| ());
    edited.finish();
    let (record, mut plan) = store.plans().current(edited.run.plan().id).unwrap();
    plan.title = "changed".to_owned();
    let record = store
        .plans()
        .save(&plan, record.revision, ME, Timestamp(5))
        .unwrap();
    let anew = store
        .plans()
        .approve(plan.id, record.revision, &approval(6))
        .unwrap();
    assert_eq!(anew.approved_version, Some(2));

    let all = store.plans().list().unwrap().rows;
    let counts = store.plans().counts(None).unwrap();
    let mut seen = Vec::new();
    for status in PlanStatus::ALL {
        let filter = PlansPageFilter {
            statuses: vec![status],
            ..PlansPageFilter::default()
        };
        let page = store
            .plans()
            .page(&filter, PlansSort::Created, 0, 100)
            .unwrap();
        let expected = all.iter().filter(|row| {
            let latest = row.last_run.as_ref().map(|run| LatestRun {
                state: &run.state,
                waits_for_person: run.waits_for_person,
                is_current: run.version == row.record.version,
            });
            PlanStatus::of(row.record.review, latest.as_ref()) == status
        });
        let mut expected: Vec<_> = expected.map(|row| row.record.plan).collect();
        let mut found: Vec<_> = page.plans.rows.iter().map(|row| row.record.plan).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{status:?}");
        let count = counts.iter().find(|count| count.status == status);
        let plans = count.map_or(0, |count| count.plans as usize);
        assert_eq!(plans, found.len(), "{status:?} is counted");
        seen.extend(found.iter().map(|_| status));
    }
    assert_eq!(seen.len(), all.len());
    seen.dedup();
    use PlanStatus::{Completed, Paused, Pending, Running};
    assert_eq!(
        seen,
        [Pending, Running, Paused, Completed],
        "the test covers these"
    );
}

#[test]
fn counts_are_of_one_user_and_know_sizes_and_durations() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    create(&store, "hers", 1, |plan| {
        plan.origin.user = Some("ada".to_owned());
    });
    let mut run = SampleRun::begin(&store, layered_plan(2, 2));
    run.finish();
    let of = |user| store.plans().counts(user).unwrap();
    let [hers] = of(Some("ada"))[..] else {
        panic!("one status")
    };
    assert_eq!((hers.status, hers.plans), (PlanStatus::Pending, 1));
    assert_eq!((hers.nodes, hers.ended_runs), (1, 0));
    let [completed] = of(Some("default"))[..] else {
        panic!("one status")
    };
    assert_eq!(
        (completed.status, completed.nodes),
        (PlanStatus::Completed, 4)
    );
    let row = store.runs().get(run.run.id()).unwrap();
    let took = row.ended_at.unwrap().ms_since(row.started_at.unwrap());
    assert_eq!((completed.ended_runs, completed.took_ms), (1, took));
    assert_eq!(of(None).len(), 2);
    assert!(of(Some("nobody")).is_empty());
}
