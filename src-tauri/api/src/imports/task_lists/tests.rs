//! Tests of importing task lists, of their second import, and of what waits before an approval.

use std::fs;
use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::imports::{import, import_or_update, preview};
use crate::{Role, plan_edits};

struct TestEnvironment {
    app: Arc<App>,
    place: TempDir,
}

impl TestEnvironment {
    fn new() -> Self {
        let place = TempDir::new().expect("temp dir");
        // Nothing runs here; the program only has to exist.
        let keeper = place.path().join("keeper");
        fs::write(&keeper, "").expect("write file");
        let app =
            App::open_with_keeper(place.path().join("data"), Role::Cli, keeper).expect("opens");
        Self { app, place }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.place.path().join(name);
        fs::create_dir_all(path.parent().expect("has a parent")).expect("create folders");
        fs::write(path, text).expect("write file");
    }

    fn path(&self, name: &str) -> String {
        let place = self.place.path().canonicalize().expect("exists");
        place.join(name).display().to_string()
    }

    fn file(&self, name: &str) -> PlanImport {
        PlanImport {
            text: fs::read_to_string(self.path(name)).expect("readable"),
            file_name: self.path(name),
            ..PlanImport::default()
        }
    }

    fn folder(&self, name: &str) -> PlanImport {
        PlanImport {
            file_name: self.path(name),
            folder: true,
            ..PlanImport::default()
        }
    }

    fn count(&self) -> usize {
        self.app.store.plans().list().expect("plans").rows.len()
    }

    fn approve(&self, view: &PlanView) -> Result<PlanView, ApiError> {
        let input = PlanApprove {
            plan: view.plan.id,
            revision: view.revision,
            anyway: true,
        };
        plans::approve(&self.app, input)
    }

    fn confirm(&self, plan: PlanId, edges: Option<&[(&str, &str)]>) -> Result<u32, ApiError> {
        let named = |(parent, child): &(&str, &str)| EdgeEnds {
            parent: (*parent).to_owned(),
            child: (*child).to_owned(),
        };
        let input = EdgesConfirm {
            plan,
            edges: edges.map(|edges| edges.iter().map(named).collect()),
            base_revision: None,
        };
        plan_edits::confirm_edges(&self.app, input).map(|confirmed| confirmed.confirmed)
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

const TAGS: &str = r#"{
  "master": {"tasks": [{"id": 1, "title": "One"}, {"id": 2, "title": "Two", "dependencies": [1]}]},
  "search": {"tasks": [{"id": 1, "title": "Index"}]}
}"#;
const TASKS: &str = "# Tasks: Albums\n\n## Phase 1: Setup\n\n- [ ] T001 Start\n- [ ] T002 Go on in src/a.rs\n- [ ] T003 End\n";

#[test]
fn tags_become_plans_and_can_be_chosen() {
    let env = TestEnvironment::new();
    env.write("shop/.taskmaster/tasks/tasks.json", TAGS);
    let seen = preview(&env.app, env.folder("shop")).expect("a preview");
    let names: Vec<_> = seen
        .plans
        .iter()
        .map(|plan| (plan.name.as_str(), plan.nodes))
        .collect();
    assert_eq!(names, [("master", 2), ("search", 1)]);
    assert_eq!(seen.format, Some(ImportFormat::TaskMaster));
    let all = import(&env.app, env.folder("shop")).expect("imported");
    assert_eq!(all.more.len(), 1);
    assert_eq!(
        all.plan.plan.cwd,
        Some(env.path("shop")),
        "not the hidden folder"
    );
    let mut one = env.file("shop/.taskmaster/tasks/tasks.json");
    one.plans = vec!["search".to_owned()];
    let one = import(&env.app, one).expect("imported");
    assert_eq!(
        (one.plan.plan.title.as_str(), one.more.len()),
        ("search", 0)
    );
    assert_eq!(one.plan.plan.cwd, Some(env.path("shop")));
    let mut missing = env.folder("shop");
    missing.plans = vec!["gone".to_owned()];
    let error = import(&env.app, missing).expect_err("no such tag");
    assert!(error.message.contains("it has master, search"), "{error}");
}

#[test]
fn inferred_edges_wait_for_a_person_before_approval() {
    let env = TestEnvironment::new();
    env.write("specs/001-albums/tasks.md", TASKS);
    let view = import(&env.app, env.folder("specs/001-albums"))
        .expect("imported")
        .plan;
    assert_eq!(view.problems.len(), 1);
    let refused = env.approve(&view).expect_err("unconfirmed");
    assert_eq!(refused.code, Code::Invalid);
    assert!(
        refused.message.contains("2 inferred edges wait"),
        "{refused}"
    );
    assert!(refused.fix.expect("a fix").contains("confirm"));
    let plan = view.plan.id;
    let unknown = env
        .confirm(plan, Some(&[("T001", "T003")]))
        .expect_err("no such edge");
    assert_eq!(unknown.code, Code::NotFound);
    assert_eq!(env.confirm(plan, Some(&[("T001", "T002")])), Ok(1));
    assert_eq!(env.confirm(plan, None), Ok(1));
    assert_eq!(env.confirm(plan, None), Ok(0), "nothing is left");
    let view = plans::view(&env.app, plan).expect("stored");
    assert_eq!(view.problems, []);
    assert!(env.approve(&view).is_ok());
}

#[test]
fn second_import_is_a_diff() {
    let env = TestEnvironment::new();
    env.write("specs/001-albums/tasks.md", TASKS);
    let bring = || import_or_update(&env.app, env.folder("specs/001-albums")).expect("imported");
    let first = bring().plan;
    assert_eq!(bring().plan.version, first.version, "nothing has changed");
    let mut edited = first.plan.clone();
    edited.nodes[0].title = "Start, by me".to_owned();
    edited.confirm_edges(None);
    let save = PlanSave {
        plan: edited,
        base_revision: first.revision,
    };
    plans::save(&env.app, save).expect("saved");
    let more = TASKS.replace("Go on in", "Continue in") + "- [ ] T004 After the end\n";
    env.write("specs/001-albums/tasks.md", &more);
    let seen = preview(&env.app, env.folder("specs/001-albums")).expect("a preview");
    assert_eq!(seen.fate, PlanImportEffect::Changed);
    let second = bring().plan.plan;
    assert_eq!(second.id, first.plan.id);
    let titles: Vec<_> = second
        .nodes
        .iter()
        .map(|node| node.title.as_str())
        .collect();
    assert_eq!(
        titles,
        [
            "Start, by me",
            "Continue in src/a.rs",
            "End",
            "After the end"
        ]
    );
    assert_eq!(second.nodes[1].id, first.plan.nodes[1].id);
    assert_eq!(second.inferred_edges().count(), 1, "only the new one waits");
}

#[test]
fn faults_name_their_file_and_line() {
    let env = TestEnvironment::new();
    let before = env.count();
    env.write("a/tasks.json", "{\n\"tasks\": [\n{\"id\": 1}]}");
    let mut input = env.file("a/tasks.json");
    input.format = Some(ImportFormat::TaskMaster);
    let error = import(&env.app, input).expect_err("no title");
    assert_eq!(error.code, Code::Invalid);
    assert_eq!(error.faults, ["tasks.json:3:1: task 1 has no \"title\""]);
    env.write("b/notes.md", "# Notes\n\nText\n");
    for input in [env.file("b/notes.md"), env.folder("b")] {
        let error = import(&env.app, input).expect_err("no task list");
        assert!(error.message.contains("Backlog.md"), "{error}");
    }
    let mut relative = env.folder("b");
    relative.file_name = "b".to_owned();
    assert_eq!(
        import(&env.app, relative).expect_err("relative").code,
        Code::BadInput
    );
    let error = import(&env.app, env.folder("nowhere")).expect_err("missing");
    assert_eq!(error.code, Code::Unavailable);
    assert_eq!(env.count(), before, "nothing is stored");
}

#[test]
fn files_of_a_folder_may_be_sent() {
    let env = TestEnvironment::new();
    let input = PlanImport {
        file_name: "albums".to_owned(),
        files: vec![ImportFile {
            path: "001-albums/tasks.md".to_owned(),
            text: TASKS.to_owned(),
        }],
        ..PlanImport::default()
    };
    let imported = import(&env.app, input).expect("imported");
    assert_eq!(imported.plan.plan.title, "Albums");
    assert_eq!(imported.plan.plan.cwd, None, "nobody knows its folder");
}

#[test]
fn programs_cannot_have_files_of_this_machine_read() {
    let env = TestEnvironment::new();
    env.write("shop/.taskmaster/tasks/tasks.json", TAGS);
    env.write(
        "secret.yaml",
        "baton: 1\ntitle: Secret\nnodes: [{id: a, command: pwd}]\n",
    );
    let runs = "baton: 1\ntitle: P\nnodes: [{id: b, kind: sub_plan, subPlanId: secret.yaml}]\n";
    env.write("parent.yaml", runs);
    let program = env
        .app
        .acting_as(baton_store::Actor::Program("ci".to_owned()));
    let (folder, before) = (env.folder("shop"), env.count());
    let refused = [
        preview(&program, folder.clone()).map(drop),
        import_or_update(&program, folder.clone()).map(drop),
        preview(&program, env.file("parent.yaml")).map(drop),
    ];
    for refused in refused {
        let error = refused.expect_err("read for a program");
        assert_eq!(error.code, Code::Forbidden, "{error}");
        assert_eq!(
            error.fix.as_deref(),
            Some("Send the texts of the files instead.")
        );
    }
    let text = fs::read_to_string(env.path("shop/.taskmaster/tasks/tasks.json")).expect("a file");
    let sent = PlanImport {
        files: vec![ImportFile {
            path: "tasks.json".to_owned(),
            text,
        }],
        ..folder
    };
    assert_eq!(preview(&program, sent).expect("sent").plans.len(), 2);
    assert_eq!(
        preview(&env.app, env.folder("shop"))
            .expect("a person")
            .plans
            .len(),
        2
    );
    assert_eq!(env.count(), before, "nothing is stored");
}
