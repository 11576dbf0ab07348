//! Pinned outputs, read from real files.

use baton_model::run::PinOrigin;
use baton_model::{Artifact, ArtifactId, PlanId, Timestamp};
use baton_store::{Actor, PinnedOutputRow, StoreError};
use uuid::Uuid;

use crate::sample_run::{layered_plan, open};

#[test]
fn pins_belong_to_the_plan_and_go_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let (plan, other) = (layered_plan(1, 2), layered_plan(1, 1));
    for plan in [&plan, &other] {
        store
            .plans()
            .create(plan, &Actor::PERSON, Timestamp(1))
            .unwrap();
    }
    let pin = |at: usize, text: &str, run: Option<u32>| PinnedOutputRow {
        node: plan.nodes[at].id,
        content: Artifact::from_person(text),
        artifact: run.map(|_| ArtifactId(Uuid::from_u128(7))),
        origin: PinOrigin {
            by: Actor::PERSON.to_string(),
            at: Timestamp(2),
            run,
        },
    };
    let texts = |plan: PlanId| -> Vec<String> {
        let rows = store.pinned_outputs().list(plan).unwrap();
        rows.into_iter().map(|row| row.content.text).collect()
    };
    let before = store.plans().current(plan.id).unwrap().0;
    store
        .pinned_outputs()
        .pin(plan.id, &pin(0, "old", Some(4)))
        .unwrap();
    store
        .pinned_outputs()
        .pin(plan.id, &pin(0, "new", None))
        .unwrap();
    let kept = store.pinned_outputs().list(plan.id).unwrap();
    assert_eq!(kept, [pin(0, "new", None)], "the later pin replaces it");
    assert_eq!(
        store.plans().current(plan.id).unwrap().0.revision,
        before.revision,
        "a pin is no edit of the plan"
    );
    assert!(texts(other.id).is_empty());

    store
        .pinned_outputs()
        .unpin(plan.id, plan.nodes[1].id)
        .unwrap();
    assert_eq!(texts(plan.id).len(), 1, "the other node had no pin");
    store
        .pinned_outputs()
        .unpin(plan.id, plan.nodes[0].id)
        .unwrap();
    assert!(texts(plan.id).is_empty());
}

#[test]
fn unknown_plan_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).unwrap();
    let plan = layered_plan(1, 1);
    let refused = store.pinned_outputs().unpin(plan.id, plan.nodes[0].id);
    assert!(matches!(refused, Err(StoreError::NotFound { .. })));
}
