//! Tests that a deleted plan is hidden everywhere and comes back whole.

use baton_model::planning::{Proposal, ProposalBasis, ProposalState, Request, Subject};
use baton_model::project_state::ProjectRepository;
use baton_model::{PlanId, ProposalId, Timestamp};
use baton_store::{Actor, StoreError, deleted_until};
use uuid::Uuid;

use crate::sample_run::{SampleRun, layered_plan, open};

const ME: &Actor = &Actor::PERSON;

#[test]
fn plan_is_not_deleted_at_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    let made = store.plans().create(&plan, ME, Timestamp(1)).unwrap();
    let changed = baton_model::Plan {
        title: "Important now".to_owned(),
        ..plan.clone()
    };
    let saved = store
        .plans()
        .save(&changed, made.revision, ME, Timestamp(2));
    let current = saved.unwrap().revision;
    let delete = |base: u64| {
        let plans = store.plans();
        plans.delete_revision(plan.id, Some(base), Timestamp(3), |_| false)
    };
    let refused = delete(made.revision).unwrap_err();
    assert!(matches!(refused, StoreError::Conflict { .. }), "{refused}");
    delete(current).unwrap();
}

#[test]
fn deleted_plan_is_hidden_and_restored_with_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(2, 2));
    sample.finish();
    let (plan, run) = (sample.run.plan().id, sample.run.id());
    let sessions = store.sessions().list(None, 100).unwrap();
    store.plans().delete(plan, Timestamp(7), |_| false).unwrap();

    assert!(store.plans().list().unwrap().rows.is_empty());
    assert!(store.runs().list(None, 10).unwrap().rows.is_empty());
    assert!(store.sessions().list(None, 10).unwrap().rows.is_empty());
    assert!(store.inbox().ended(10).unwrap().rows.is_empty());
    assert!(store.plan_versions().runs(plan).unwrap().is_empty());
    let is_deleted =
        |error: StoreError| matches!(error, StoreError::PlanDeleted { plan: of } if of == plan);
    assert!(is_deleted(store.plans().record(plan).unwrap_err()));
    assert!(is_deleted(store.runs().get(run).unwrap_err()));
    let again = store.plans().delete(plan, Timestamp(8), |_| false);
    assert!(is_deleted(again.unwrap_err()));
    let deleted = store.plans().deleted().unwrap().rows;
    assert_eq!(deleted.len(), 1);
    assert_eq!((deleted[0].id, deleted[0].run_count), (plan, 1));
    assert_eq!(deleted[0].deleted_until, deleted_until(Timestamp(7)));

    store.plans().restore(plan).unwrap();
    assert_eq!(store.plans().list().unwrap().rows.len(), 1);
    assert_eq!(store.runs().get(run).unwrap().number, 1);
    assert_eq!(store.sessions().list(None, 100).unwrap(), sessions);
    assert!(store.plans().deleted().unwrap().rows.is_empty());
    store
        .plans()
        .restore(plan)
        .expect("restoring twice does nothing");
}

#[test]
fn deleted_plan_is_neither_saved_nor_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    sample.finish();
    let id = sample.run.plan().id;
    let (record, mut plan) = store.plans().current(id).unwrap();
    store.plans().delete(id, Timestamp(7), |_| false).unwrap();
    plan.title = "Edited".to_owned();
    let saved = store.plans().save(&plan, record.revision, ME, Timestamp(8));
    assert!(matches!(saved, Err(StoreError::PlanDeleted { .. })));
    let created = store.plans().create(&plan, ME, Timestamp(8));
    assert!(matches!(created, Err(StoreError::Exists { .. })));
}

#[test]
fn only_deleted_plans_are_purged() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut sample = SampleRun::begin(&store, layered_plan(1, 2));
    sample.finish();
    let plan = sample.run.plan().id;
    let refused = store.plans().purge(plan).unwrap_err();
    assert!(matches!(refused, StoreError::PlanNotDeleted { .. }));
    store.plans().delete(plan, Timestamp(7), |_| false).unwrap();
    store.plans().purge(plan).unwrap();
    let gone = store.plans().restore(plan).unwrap_err();
    assert!(matches!(gone, StoreError::NotFound { .. }));
}

#[test]
fn versions_say_what_they_changed_and_can_be_restored() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let first = layered_plan(1, 2);
    let id = first.id;
    store.plans().create(&first, ME, Timestamp(1)).unwrap();
    let mut second = first.clone();
    second.title = "Second".to_owned();
    store.plans().save(&second, 1, ME, Timestamp(2)).unwrap();
    store
        .plan_versions()
        .set_name(id, 1, Some("Before"))
        .unwrap();
    let stale = store.plans().restore_version(id, 1, 1, ME, Timestamp(3));
    assert!(matches!(stale, Err(StoreError::Conflict { .. })));
    let record = store
        .plans()
        .restore_version(id, 1, 2, ME, Timestamp(3))
        .unwrap();
    assert_eq!((record.version, record.revision), (3, 3));
    assert_eq!(store.plans().current(id).unwrap().1, first);
    let versions = store.plan_versions().list(id).unwrap();
    assert_eq!(versions[2].name.as_deref(), Some("Before"));
    let changes = versions[0].changes.as_ref().unwrap();
    assert_eq!(
        changes[0],
        baton_model::VersionChange::Restored { version: 1 }
    );
    assert_eq!(changes.len(), 2, "{changes:?}");
}

/// What a draft was made from.
pub fn basis() -> ProposalBasis {
    ProposalBasis {
        repository: ProjectRepository::Absent,
        agents: vec!["claude".to_owned()],
    }
}

pub fn proposal(subject: Subject, state: ProposalState, planning: Option<PlanId>) -> Proposal {
    Proposal {
        id: ProposalId(Uuid::now_v7()),
        request: Request {
            subject,
            wish: "Change it.".to_owned(),
            cwd: String::new(),
            agent: "ci".to_owned(),
            model: None,
            constraints: Vec::new(),
            existing_code: Vec::new(),
            memories: Vec::new(),
            automatic: false,
        },
        state,
        planning,
        submission: None,
        rounds: Vec::new(),
        rejections: 0,
        feedback: Vec::new(),
        draft: None,
        reviewed: None,
        comments: Vec::new(),
        created_at: Timestamp(1),
        updated_at: Timestamp(1),
        expires_at: Timestamp(9),
        promised: None,
    }
}

#[test]
fn purged_plan_takes_its_proposals_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let (plan, other) = (layered_plan(1, 1), layered_plan(1, 1));
    for plan in [&plan, &other] {
        store.plans().create(plan, ME, Timestamp(1)).unwrap();
    }
    let change = |plan: PlanId| Subject::SubmittedChange { plan, version: 1 };
    let planning = layered_plan(1, 1);
    let accepted = ProposalState::Accepted {
        plan: plan.id,
        version: 1,
        run: None,
    };
    let explain = Subject::Explain {
        plan: plan.id,
        version: 1,
        node: None,
    };
    let gone = [
        proposal(change(plan.id), ProposalState::Ready, None),
        proposal(explain, ProposalState::Ready, Some(planning.id)),
        proposal(Subject::SubmittedPlan, accepted, None),
    ];
    let kept = proposal(change(other.id), ProposalState::Ready, None);
    for proposal in gone.iter().chain([&kept]) {
        let planner = proposal.planning.is_some().then_some(&planning);
        store
            .proposals()
            .create(proposal, planner, &basis(), ME)
            .unwrap();
    }
    let last = store.plan_log().last().unwrap();
    store
        .plans()
        .delete(plan.id, Timestamp(7), |_| false)
        .unwrap();
    store.plans().purge(plan.id).unwrap();
    for proposal in &gone {
        let found = store.proposals().get(proposal.id);
        assert!(
            matches!(found, Err(StoreError::NotFound { .. })),
            "{:?}",
            proposal.request
        );
    }
    assert!(store.proposals().get(kept.id).is_ok());
    assert!(
        store.plans().record(planning.id).is_err(),
        "the planner's own plan"
    );
    assert_eq!(store.plans().list().unwrap().rows.len(), 1);
    assert_eq!(store.plan_log().last().unwrap(), last);
}
