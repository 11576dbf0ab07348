//! Tests that finished nodes are marked in the task lists that plans came from.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use baton_api::Code;
use baton_api::wire::*;
use baton_model::PlanId;
use baton_tests::{Shell, TestEnvironment};

/// Line ends of Windows, a box in code, and a text that looks like a task.
const LIST: &str = "\u{feff}# Tasks: Login\r\n\r\n## Phase 1: Setup\r\n\r\n- [ ] T001 Create a.txt\r\n- [ ] T002 Create b.txt (depends on T001)  \r\n\r\n```\r\n- [ ] T001 An example\r\n```\r\nLast line without an end";
const TASK: &str = "---\nid: task-1\ntitle: Create it\nstatus: To Do # for now\nassignee: []\n---\n\n## Description\n\nstatus: To Do\n";

struct Scene {
    env: TestEnvironment,
    list: PathBuf,
    plan: PlanId,
}

/// A plan from a list with this text, approved and run with marking its first node as done.
fn scene(path: &str, text: &str) -> Scene {
    let env = TestEnvironment::new();
    let list = env.work_dir.path().join(path);
    fs::create_dir_all(list.parent().expect("a folder")).expect("folders");
    fs::write(&list, text).expect("a file");
    let input = PlanImport {
        file_name: list.display().to_string(),
        text: text.to_owned(),
        ..PlanImport::default()
    };
    let imported: PlanImported = env.call("plan_import", input).expect("a plan");
    let plan = imported.plan.plan.id;
    Scene { env, list, plan }
}

impl Scene {
    /// Starts a run in which a person marks the first node as done.
    fn finish_first(&self) {
        let view: PlanView = self
            .env
            .call("plan_get", PlanRef { plan: self.plan })
            .expect("the plan");
        let all: Vec<_> = view
            .plan
            .inferred_edges()
            .map(|edge| (edge.parent, edge.child))
            .collect();
        if !all.is_empty() {
            let shell = Shell::new(&self.env);
            let confirmed = shell.run(&["plan", "confirm-edges", &self.plan.to_string()]);
            assert_eq!(confirmed.code, Some(0), "{}", confirmed.err);
        }
        self.env.add_agent("idle", "sleep 600");
        let shell = Shell::new(&self.env);
        for node in &view.plan.nodes {
            let (plan, slug) = (self.plan.to_string(), node.slug.to_string());
            let set = shell.run(&["plan", "set-node", &plan, &slug, "agent=idle"]);
            assert_eq!(set.code, Some(0), "{}", set.err);
        }
        let approved = shell.run(&["plan", "approve", "--anyway", &self.plan.to_string()]);
        assert_eq!(approved.code, Some(0), "{}", approved.err);
        let run = self.env.run(self.plan, RunGoal::All).expect("a run");
        let done = NodeMarkDone {
            run: run.summary.id,
            node: run.plan.nodes[0].id,
            handoff: String::new(),
            stop: Some(true),
        };
        self.env
            .call::<RunSummary>("node_mark_done", done)
            .expect("it can be marked");
        let node = run.plan.nodes[0].id;
        self.env.wait_until(run.summary.id, |view| {
            view.nodes
                .iter()
                .any(|row| row.node == node && row.state.as_str() == "done")
        });
        if run.plan.nodes.len() > 1 {
            let cancel = RunRef {
                run: run.summary.id,
            };
            self.env
                .call::<RunSummary>("run_cancel", cancel)
                .expect("the other nodes are open");
        }
        self.env
            .wait_until(run.summary.id, |view| view.summary.state.has_ended());
    }

    fn write(&self, preview: bool) -> Result<PlanStatusWritten, baton_api::ApiError> {
        let input = PlanStatusBack {
            plan: self.plan,
            path: None,
            preview,
        };
        self.env.call("plan_status_back", input)
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.list).expect("the list")
    }
}

#[test]
fn box_of_a_finished_task_is_ticked_and_nothing_else_changes() {
    let scene = scene("specs/001-login/tasks.md", LIST);
    fs::set_permissions(&scene.list, fs::Permissions::from_mode(0o640)).expect("permissions");
    scene.finish_first();
    let shown = scene.write(true).expect("a preview");
    assert_eq!(scene.text(), LIST, "a preview changes nothing");
    assert_eq!(shown.files[0].lines[0].after, "- [x] T001 Create a.txt");
    let shell = Shell::new(&scene.env);
    let plan = scene.plan.to_string();
    let printed = shell.run(&["plan", "status-back", &plan, "--print"]);
    assert!(
        printed.out.contains("5: + - [x] T001 Create a.txt"),
        "{}",
        printed.out
    );
    assert_eq!(scene.text(), LIST);
    let written = shell.run(&["plan", "status-back", &plan]);
    assert_eq!(written.code, Some(0), "{}", written.err);
    assert_eq!(scene.text(), LIST.replacen("[ ] T001", "[x] T001", 1));
    let mode = fs::metadata(&scene.list)
        .expect("the list")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    assert!(
        scene.write(false).expect("again").files.is_empty(),
        "there is nothing left"
    );
}

#[test]
fn status_of_a_finished_backlog_task_is_done() {
    let scene = scene("backlog/tasks/task-1 - Create it.md", TASK);
    scene.finish_first();
    scene.write(false).expect("written");
    assert_eq!(
        scene.text(),
        TASK.replacen("status: To Do #", "status: Done #", 1)
    );
}

#[test]
fn list_that_has_changed_is_refused() {
    let scene = scene("specs/001-login/tasks.md", LIST);
    let early = scene.write(false).expect_err("no run yet");
    assert_eq!(early.code, Code::Refused);
    scene.finish_first();
    for other in [
        LIST.replace("T001 Create a.txt", "T001 Delete all"),
        LIST.replace("- [ ] T001 Create a.txt\r\n", ""),
    ] {
        fs::write(&scene.list, &other).expect("a file");
        let error = scene.write(false).expect_err("it has changed");
        assert_eq!(error.code, Code::Conflict, "{error:?}");
        assert!(error.message.contains("T001"), "{error:?}");
        assert_eq!(scene.text(), other);
    }
}

#[test]
fn files_outside_of_the_plans_directory_are_refused() {
    let scene = scene("specs/001-login/tasks.md", LIST);
    scene.finish_first();
    let elsewhere = tempfile::TempDir::new().expect("a folder");
    let outside = elsewhere.path().join("tasks.md");
    fs::write(&outside, LIST).expect("a file");
    fs::remove_file(&scene.list).expect("removed");
    symlink(&outside, &scene.list).expect("a link");
    for path in [None, Some(outside.display().to_string())] {
        let input = PlanStatusBack {
            plan: scene.plan,
            path,
            preview: false,
        };
        let error = scene
            .env
            .call::<PlanStatusWritten>("plan_status_back", input)
            .expect_err("it leads out");
        assert_eq!(error.code, Code::Refused, "{error:?}");
    }
    assert_eq!(fs::read_to_string(&outside).expect("the file"), LIST);
}
