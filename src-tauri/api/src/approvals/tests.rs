//! Approvals of plans, and what invalidates them.

use std::path::Path;
use std::sync::Arc;

use baton_formats::plan_file::{self, Format};
use baton_model::approval::{FileChange, FileChangeKind};
use baton_model::node::{Criterion, OnFailedCriterion};
use baton_model::{Plan, ReviewState, RunId};
use baton_planning::approvals::{ApprovalStatus, approval_status};
use baton_store::{PlanRecord, SessionRow};
use serde_json::{Value, json};

use super::*;
use crate::sessions::tests::plan as plan_of;
use crate::wire::*;
use crate::{Code, Role, call, plans, preflight};

struct TestEnvironment {
    app: Arc<App>,
    place: tempfile::TempDir,
    _data: tempfile::TempDir,
}

impl TestEnvironment {
    fn new() -> Self {
        let (data, place) = (
            tempfile::tempdir().expect("temp dir"),
            tempfile::tempdir().expect("temp dir"),
        );
        let keeper = std::env::current_exe().expect("current exe");
        let app =
            App::open_with_keeper(data.path().to_path_buf(), Role::Cli, keeper).expect("opens");
        Self {
            app,
            place,
            _data: data,
        }
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.place.path().join(name), content).expect("write file");
    }

    /// A plan whose node has these criteria, approved by a person in the window.
    fn approved(&self, lines: &[&str]) -> PlanView {
        let view =
            plans::create_from(&self.app, plan(self.place.path(), lines)).expect("valid plan");
        self.approve(&view)
    }

    fn approve(&self, view: &PlanView) -> PlanView {
        let revision = self
            .app
            .store
            .plans()
            .record(view.plan.id)
            .expect("stored")
            .revision;
        let person = self.app.acting_as(Actor::Person(ActorChannel::Window));
        plans::approve(
            &person,
            PlanApprove {
                plan: view.plan.id,
                revision,
                anyway: false,
            },
        )
        .expect("can run")
    }

    fn status(&self, view: &PlanView) -> ApprovalStatus {
        let (record, plan) = self
            .app
            .store
            .plans()
            .current(view.plan.id)
            .expect("stored");
        approval_status(self.app.context(), &record, &plan).expect("store is readable")
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

fn plan(directory: &Path, lines: &[&str]) -> Plan {
    let mut plan = plan_of(1);
    plan.cwd = Some(directory.display().to_string());
    plan.nodes[0].acceptance_criteria = lines.iter().map(|line| Criterion::run(*line)).collect();
    plan
}

#[test]
fn approval_names_person_time_and_coverage() {
    let env = TestEnvironment::new();
    env.write("check.sh", "exit 1\n");
    let view = env.approved(&["sh check.sh"]);
    let approval = view.approval.expect("just approved");
    assert_eq!(
        (
            approval.version,
            approval.actor.as_str(),
            approval.files.as_slice()
        ),
        (1, "person:window", ["check.sh".to_owned()].as_slice())
    );
    assert!(approval.at > Timestamp(0));
    let versions =
        crate::plan_versions::list(&env.app, PlanRef { plan: view.plan.id }).expect("stored");
    assert_eq!(
        versions[0]
            .approval
            .as_ref()
            .map(|approval| approval.digest),
        Some(approval.digest)
    );
}

#[test]
fn changed_file_is_named_and_requires_new_approval() {
    let env = TestEnvironment::new();
    env.write("check.sh", "exit 1\n");
    let view = env.approved(&["sh check.sh"]);
    let input = json!({ "plan": view.plan.id, "goal": { "want": "all" }, "limit": null });
    let preflight = || preflight::plan(&env.app, PlanRef { plan: view.plan.id }).expect("stored");
    assert!(!preflight().needs_approval);

    env.write("check.sh", "exit 0\n");
    let refused = call(&env.app, "run_start", input).expect_err("changed file");
    assert_eq!(refused.code, Code::NotApproved);
    let title = &view.plan.title;
    let sentence = format!(
        "files that the criteria of '{title}' run have changed since its approval: check.sh has changed"
    );
    assert_eq!(
        refused.full_message(),
        format!("{sentence}. Review the changes, then approve it again.").replacen('f', "F", 1)
    );
    assert_eq!(refused.faults, ["check.sh has changed"]);
    assert!(
        env.app
            .store
            .runs()
            .list(None, 10)
            .expect("readable")
            .rows
            .is_empty(),
        "nothing began"
    );
    let found = preflight();
    assert!(found.may_run && found.needs_approval);
    let changes: Vec<_> = found
        .changed_since_approval
        .iter()
        .map(|change| change.path.as_str())
        .collect();
    assert_eq!(changes, ["check.sh"]);
    assert!(
        found
            .checks
            .iter()
            .any(|check| check.verdict == CheckVerdict::Warning && check.sentence == sentence)
    );

    env.approve(&view);
    assert_eq!(env.status(&view), ApprovalStatus::Approved);
    assert!(!preflight().needs_approval);
    env.write("check.sh", "exit 1\n");
    assert!(
        matches!(env.status(&view), ApprovalStatus::Outdated(changes) if changes.len() == 1),
        "only the newest approval counts"
    );
}

#[test]
fn added_and_removed_files_are_named() {
    let env = TestEnvironment::new();
    env.write("a.sh", "true\n");
    let view = env.approved(&["sh a.sh", "sh b.sh", "test -s out.txt"]);
    env.write("out.txt", "work of a node\n");
    assert_eq!(
        env.status(&view),
        ApprovalStatus::Approved,
        "files that criteria only read are not covered"
    );
    std::fs::remove_file(env.place.path().join("a.sh")).expect("exists");
    env.write("b.sh", "true\n");
    let change = |path: &str, kind| FileChange {
        path: path.to_owned(),
        kind,
    };
    let expected = vec![
        change("a.sh", FileChangeKind::Gone),
        change("b.sh", FileChangeKind::New),
    ];
    assert_eq!(env.status(&view), ApprovalStatus::Outdated(expected));
}

#[test]
fn plan_with_outdated_sub_plan_approval_does_not_start() {
    let env = TestEnvironment::new();
    env.write("check.sh", "exit 1\n");
    let inner = env.approved(&["sh check.sh"]);
    let mut outer = plan(env.place.path(), &[]);
    let task = baton_model::node::SubPlanTask {
        sub_plan_id: inner.plan.id.to_string(),
        ..Default::default()
    };
    outer.nodes[0].kind = baton_model::NodeKind::SubPlan(task);
    let outer = plans::create_from(&env.app, outer).expect("valid plan");
    let outer = env.approve(&outer);
    env.write("check.sh", "exit 0\n");
    let found = preflight::plan(
        &env.app,
        PlanRef {
            plan: outer.plan.id,
        },
    )
    .expect("stored");
    assert!(
        !found.may_run && !found.needs_approval,
        "only the other plan needs approval"
    );
    let failed: Vec<_> = found
        .checks
        .iter()
        .filter(|check| check.verdict == CheckVerdict::Failed)
        .collect();
    assert!(
        failed[0].sentence.contains("check.sh has changed"),
        "{}",
        failed[0].sentence
    );
    env.approve(&inner);
    assert!(
        preflight::plan(
            &env.app,
            PlanRef {
                plan: outer.plan.id
            }
        )
        .expect("stored")
        .may_run
    );
}

#[test]
fn approval_without_record_stays_valid() {
    let env = TestEnvironment::new();
    env.write("check.sh", "true\n");
    let view =
        plans::create_from(&env.app, plan(env.place.path(), &["sh check.sh"])).expect("valid plan");
    let (record, plan) = env.app.store.plans().current(view.plan.id).expect("stored");
    let record = PlanRecord {
        retention: None,
        archived_at: None,
        review: ReviewState::Approved,
        approved_version: Some(1),
        ..record
    };
    assert_eq!(
        approval_status(env.app.context(), &record, &plan).expect("readable"),
        ApprovalStatus::Approved
    );
}

/// Covers all ways of changing criteria, in both directions.
#[test]
fn any_change_of_criteria_invalidates_the_approval() {
    let env = TestEnvironment::new();
    type Change = fn(&mut Plan);
    let changes: &[(&str, Change)] = &[
        ("removed", |plan| plan.nodes[0].acceptance_criteria.clear()),
        ("weakened", |plan| {
            plan.nodes[0].acceptance_criteria[0] = Criterion::run("test 1 -lt 2 || true")
        }),
        ("strengthened", |plan| {
            plan.nodes[0]
                .acceptance_criteria
                .push(Criterion::run("false"))
        }),
        ("made a sentence", |plan| {
            plan.nodes[0].acceptance_criteria[0] = "One is less than two.".into()
        }),
        ("without consequence", |plan| {
            plan.settings.on_failed_criterion = OnFailedCriterion::Continue
        }),
    ];
    for (number, (name, change)) in changes.iter().enumerate() {
        for operation in ["plan_save", "plan_bring"] {
            let first = plan(env.place.path(), &["test 1 -lt 2"]);
            let file = env.place.path().join(format!("plan-{number}.yaml"));
            let bring = |plan: &Plan| {
                let text = plan_file::write(plan, Format::Yaml);
                let input = json!({ "fileName": file, "text": text, "cwd": null });
                let brought = call(&env.app, "plan_bring", input).expect("valid plan");
                serde_json::from_value::<PlanImported>(brought)
                    .expect("typed result")
                    .plan
            };
            let view = match operation {
                "plan_save" => plans::create_from(&env.app, first).expect("valid plan"),
                _ => bring(&first),
            };
            let view = env.approve(&view);
            assert_eq!(env.status(&view), ApprovalStatus::Approved);
            let mut changed = view.plan.clone();
            change(&mut changed);
            if operation == "plan_save" {
                let input = json!({ "plan": changed, "baseRevision": view.revision });
                call(&env.app, "plan_save", input).expect("valid plan");
            } else {
                assert_eq!(
                    bring(&changed).plan.id,
                    view.plan.id,
                    "the file is the same plan"
                );
            }
            let now = plans::view(&env.app, view.plan.id).expect("stored");
            assert_eq!(
                (now.version, now.review),
                (2, ReviewState::Draft),
                "{name} by {operation}"
            );
            let input = json!({ "plan": view.plan.id, "goal": { "want": "all" }, "limit": null });
            let refused = call(&env.app, "run_start", input).expect_err("not approved");
            assert_eq!(refused.code, Code::NotApproved, "{name} by {operation}");
            let approval = now.approval.expect("approval is kept");
            assert_eq!(approval.version, 1);
        }
    }
}

#[test]
fn session_starts_only_permitted_plans() {
    let env = TestEnvironment::new();
    env.write("check.sh", "exit 1\n");
    let session = session(&env.app);
    let view = env.approved(&["sh check.sh"]);
    let start = json!({ "plan": view.plan.id, "goal": { "want": "all" }, "limit": null });
    let admitted = |input: &Value| {
        let operation = crate::operations::find("run_start").expect("exists");
        let asking = env.app.acting_as(Actor::Session(session.id));
        match crate::admission::require(&asking, operation, input) {
            Ok(()) => true,
            Err(error) => {
                assert_eq!(error.code, Code::WaitsForPerson, "{error}");
                false
            }
        }
    };
    assert!(!admitted(&start), "off by default");
    let setting = json!({ "plan": view.plan.id, "allowed": true });
    let own = call(
        &env.app.acting_as(Actor::Session(session.id)),
        "plan_agents_may_start",
        setting.clone(),
    );
    assert_eq!(
        own.expect_err("sessions can't decide").code,
        Code::WaitsForPerson
    );
    call(&env.app, "plan_agents_may_start", setting).expect("people are allowed");
    assert!(admitted(&start));
    let more = json!({ "plan": view.plan.id, "goal": { "want": "all" }, "limit": 9 });
    assert!(!admitted(&more), "not with another limit than the plan's");

    env.write("check.sh", "exit 0\n");
    assert!(!admitted(&start), "the file was not approved");
    env.approve(&view);
    assert!(admitted(&start));
    let mut next = view.plan.clone();
    next.title = "Another".to_owned();
    let revision = env
        .app
        .store
        .plans()
        .record(next.id)
        .expect("stored")
        .revision;
    call(
        &env.app,
        "plan_save",
        json!({ "plan": next, "baseRevision": revision }),
    )
    .expect("valid plan");
    assert!(!admitted(&start), "the new version is not approved");
    assert!(
        env.approve(&view).agents_may_start,
        "the setting applies to later versions"
    );
    assert!(admitted(&start));
}

fn session(app: &App) -> SessionRow {
    let run: RunId = crate::sessions::tests::begin_plan(app, plan_of(1));
    app.store
        .sessions()
        .list(Some(run), 1)
        .expect("stored")
        .rows
        .remove(0)
}

#[test]
fn history_names_the_approval_of_a_run() {
    let approval = |version, at, way| ApprovalRow {
        version,
        is_history: false,
        approval: Approval {
            actor: Actor::Person(way),
            at: Timestamp(at),
            digest: baton_model::approval::Digest([0; 32]),
            files: Vec::new(),
            project: None,
        },
    };
    let list = [
        approval(2, 30, ActorChannel::Browser),
        approval(1, 20, ActorChannel::Window),
        approval(1, 10, ActorChannel::Shell),
    ];
    let words = |version, at| describe_at(&list, version, Timestamp(at));
    assert_eq!(
        words(1, 15),
        ["approved by a person in a shell, which covers the plan and its criteria"]
    );
    assert_eq!(
        words(1, 25),
        ["approved by a person in the window, which covers the plan and its criteria"]
    );
    assert_eq!(
        words(2, 25),
        Vec::<String>::new(),
        "later approvals are not shown"
    );
}
