//! Approvals, read from real files.

use baton_model::approval::{Digest, FileDigest};
use baton_model::project_state::{
    AgentVersion, FileContent, FileState, ProjectRepository, ProjectState, RepositoryState,
};
use baton_model::{PlanId, ReviewState, Timestamp};
use baton_store::{Actor, ActorChannel, Approval, PlanWrite, StoreError};
use rusqlite::Connection;
use uuid::Uuid;

use crate::sample_run::{layered_plan, open};

/// An approval by a person at a window.
pub fn approval(at: i64) -> Approval {
    let digest = |byte: u8| Digest([byte; 32]);
    Approval {
        actor: Actor::Person(ActorChannel::Window),
        at: Timestamp(at),
        digest: digest(7),
        files: vec![FileDigest {
            path: "check.sh".to_owned(),
            digest: digest(8),
        }],
        project: Some(project()),
    }
}

/// The state of a project at an approval.
fn project() -> ProjectState {
    let uncommitted = FileState {
        path: "notes.md".to_owned(),
        content: FileContent::Digest(Digest([9; 32])),
    };
    ProjectState {
        repository: ProjectRepository::Present(RepositoryState {
            commit: Some("0123456789".repeat(4)),
            branch: Some("main".to_owned()),
            uncommitted: vec![uncommitted],
            left_out: 0,
        }),
        agents: vec![AgentVersion {
            agent: "claude".to_owned(),
            version: Some("2.1.4".to_owned()),
        }],
    }
}

#[test]
fn newest_approval_of_a_version_counts() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut plan = layered_plan(1, 1);
    let record = store
        .plans()
        .create(&plan, &Actor::PERSON, Timestamp(1))
        .unwrap();
    assert_eq!(store.approvals().newest(plan.id, 1).unwrap(), None);

    let record = store
        .plans()
        .approve(plan.id, record.revision, &approval(2))
        .unwrap();
    assert_eq!(
        (record.review, record.approved_version, record.updated_at),
        (ReviewState::Approved, Some(1), Timestamp(2))
    );
    assert_eq!(
        store.approvals().newest(plan.id, 1).unwrap(),
        Some(approval(2))
    );

    let again = Approval {
        actor: Actor::Person(ActorChannel::Shell),
        digest: Digest([9; 32]),
        files: Vec::new(),
        project: None,
        ..approval(3)
    };
    let record = store
        .plans()
        .approve(plan.id, record.revision, &again)
        .unwrap();
    assert_eq!(
        store.approvals().newest(plan.id, 1).unwrap().as_ref(),
        Some(&again),
        "the newest approval counts"
    );

    plan.title = "Another title".to_owned();
    let record = store
        .plans()
        .save(&plan, record.revision, &Actor::PERSON, Timestamp(4))
        .unwrap();
    assert_eq!(
        store.approvals().newest(plan.id, record.version).unwrap(),
        None,
        "a new version has none"
    );
    let rows = store.approvals().list(plan.id).unwrap();
    assert_eq!(
        rows.iter()
            .map(|row| (row.version, row.approval.at.0))
            .collect::<Vec<_>>(),
        [(1, 3), (1, 2)]
    );

    store
        .plans()
        .delete(plan.id, Timestamp(9), |_| false)
        .unwrap();
    store.plans().purge(plan.id).unwrap();
    assert_eq!(
        store.approvals().list(plan.id).unwrap(),
        [],
        "approvals are deleted with their plan"
    );
}

#[test]
fn approval_of_an_outdated_revision_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    store
        .plans()
        .create(&plan, &Actor::PERSON, Timestamp(1))
        .unwrap();
    let error = store.plans().approve(plan.id, 7, &approval(2)).unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Conflict {
                based_on: 7,
                current: 1,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(store.approvals().list(plan.id).unwrap(), []);
}

#[test]
fn agents_may_start_survives_new_versions() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let mut plan = layered_plan(1, 1);
    let record = store
        .plans()
        .create(&plan, &Actor::PERSON, Timestamp(1))
        .unwrap();
    assert!(!record.agents_may_start, "off until a person decides");
    let allowed = store.plans().set_agents_may_start(plan.id, true).unwrap();
    assert!(allowed.agents_may_start);
    assert_eq!(
        allowed.revision, record.revision,
        "it doesn't conflict with other writers"
    );

    plan.title = "Another title".to_owned();
    let record = store
        .plans()
        .save(&plan, record.revision, &Actor::PERSON, Timestamp(2))
        .unwrap();
    assert!(record.agents_may_start && store.plans().record(plan.id).unwrap().agents_may_start);
    assert_eq!(
        record.review,
        ReviewState::Draft,
        "it doesn't approve the new version"
    );
    store
        .plans()
        .delete(plan.id, Timestamp(9), |_| false)
        .unwrap();
    store.plans().purge(plan.id).unwrap();
    let write = PlanWrite::New(plan.clone());
    store
        .plans()
        .write_all(&[write], &Actor::PERSON, Timestamp(3))
        .unwrap();
    assert!(!store.plans().record(plan.id).unwrap().agents_may_start);
    let missing = store
        .plans()
        .set_agents_may_start(PlanId(Uuid::from_u128(1)), true);
    assert!(matches!(missing, Err(StoreError::NotFound { .. })));
}

#[test]
fn damaged_approval_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    store
        .plans()
        .create(&plan, &Actor::PERSON, Timestamp(1))
        .unwrap();
    store.plans().approve(plan.id, 1, &approval(2)).unwrap();
    let other = Connection::open(folder.path().join("baton.db")).unwrap();
    let newest = || store.approvals().newest(plan.id, 1);
    let set = |change: &str| {
        other
            .execute(&format!("UPDATE approvals SET {change}"), [])
            .unwrap()
    };
    set("project = NULL");
    assert_eq!(
        newest().unwrap().unwrap().project,
        None,
        "as before format 11"
    );
    for column in ["project", "files"] {
        set(&format!("{column} = 'nothing'"));
        assert!(
            matches!(newest(), Err(StoreError::Unreadable(_))),
            "{column}"
        );
    }
}
