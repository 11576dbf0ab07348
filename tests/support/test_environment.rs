//! A Baton for a single test: a data directory, a working directory, and the operations.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use baton_api::wire::*;
use baton_api::{ApiError, App, Role};
use baton_model::{Evidence, NodeId, NodeState, PlanId, RunId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tempfile::TempDir;

/// The timeout of everything that tests wait for: only what hangs takes that long, also on a busy
/// machine.
pub const WAIT_TIMEOUT: Duration = Duration::from_mins(4);

/// A Baton that runs in the test's process.
pub struct TestEnvironment {
    /// The opened application.
    pub app: Arc<App>,
    /// The working directory of imported plans.
    pub work_dir: Arc<TempDir>,
    data: Arc<TempDir>,
}

impl TestEnvironment {
    /// Creates a Baton that contains only the examples.
    pub fn new() -> Self {
        let data = Arc::new(TempDir::new().expect("a temporary folder"));
        let work_dir = Arc::new(TempDir::new().expect("a temporary folder"));
        Self {
            app: open(data.path(), Role::Cli),
            data,
            work_dir,
        }
    }

    /// Creates a Baton whose data directory is inside of `data`.
    pub fn in_folder(data: &Path) -> Self {
        let data = Arc::new(
            tempfile::Builder::new()
                .tempdir_in(data)
                .expect("a temporary folder"),
        );
        let work_dir = Arc::new(TempDir::new().expect("a temporary folder"));
        Self {
            app: open(data.path(), Role::Cli),
            data,
            work_dir,
        }
    }

    /// Creates a Baton that starts with a copy of `database`.
    pub fn with_database(database: &Path) -> Self {
        let data = Arc::new(TempDir::new().expect("a temporary folder"));
        std::fs::copy(database, data.path().join("baton.db")).expect("a database to copy");
        let work_dir = Arc::new(TempDir::new().expect("a temporary folder"));
        Self {
            app: open(data.path(), Role::Cli),
            data,
            work_dir,
        }
    }

    /// Opens another Baton on the same data, as a second process would.
    pub fn second_process(&self, role: Role) -> Self {
        Self {
            app: open(self.data.path(), role),
            data: Arc::clone(&self.data),
            work_dir: Arc::clone(&self.work_dir),
        }
    }

    /// Returns the data directory.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Calls an operation with JSON input and output, as every adapter does.
    pub fn call<O: DeserializeOwned>(
        &self,
        operation: &str,
        input: impl Serialize,
    ) -> Result<O, ApiError> {
        let input = serde_json::to_value(input).expect("inputs are JSON");
        let output: Value = baton_api::call(&self.app, operation, input)?;
        Ok(serde_json::from_value(output)
            .unwrap_or_else(|error| panic!("unexpected output of {operation}: {error}")))
    }

    /// Imports a plan file, with this environment's working directory.
    pub fn import(&self, text: &str) -> PlanView {
        let cwd = Some(self.work_dir.path().display().to_string());
        let input = PlanImport {
            file_name: "plan.yaml".to_owned(),
            text: text.to_owned(),
            cwd,
            ..PlanImport::default()
        };
        let imported: PlanImported = self
            .call("plan_import", input)
            .expect("a plan file without faults");
        imported.plan
    }

    /// Imports a plan file, then replaces `from` with `to` in the plan and saves it, as in the
    /// editor.
    pub fn import_changed(&self, text: &str, from: &str, to: &str) -> PlanView {
        let view = self.import(text);
        let plan = serde_json::to_string(&view.plan)
            .expect("plans are JSON")
            .replace(from, to);
        let plan: baton_model::Plan = serde_json::from_str(&plan).expect("still a valid plan");
        let id = plan.id;
        let _: PlanSaved = self
            .call(
                "plan_save",
                PlanSave {
                    plan,
                    base_revision: view.revision,
                },
            )
            .expect("no conflicting change");
        self.call("plan_get", PlanRef { plan: id })
            .expect("the plan exists")
    }

    /// Imports a plan file and approves it.
    pub fn import_approved(&self, text: &str) -> PlanView {
        let plan = self.import(text);
        let input = PlanApprove {
            plan: plan.plan.id,
            revision: plan.revision,
            anyway: true,
        };
        self.call("plan_approve", input)
            .expect("no conflicting change")
    }

    /// Imports a plan file, approves it and starts a run.
    pub fn start(&self, text: &str) -> RunView {
        let plan = self.import_approved(text);
        self.run(plan.plan.id, RunGoal::All)
            .expect("the plan can run")
    }

    /// Starts a run of an approved plan.
    pub fn run(&self, plan: PlanId, goal: RunGoal) -> Result<RunView, ApiError> {
        self.call(
            "run_start",
            RunStart {
                plan,
                goal,
                limit: None,
                base_revision: None,
                finished: Vec::new(),
            },
        )
    }

    /// Waits until this process has finished the run, and returns it.
    pub fn finish(&self, run: RunId) -> RunView {
        self.app.wait_for_run(run).expect("the run finishes");
        self.view(run)
    }

    /// Returns the current view of a run.
    pub fn view(&self, run: RunId) -> RunView {
        self.call("run_get", RunRef { run })
            .expect("the run exists")
    }

    /// Waits until `what` holds for the run, checking after each change.
    pub fn wait_until(&self, run: RunId, what: impl Fn(&RunView) -> bool) -> RunView {
        let changes = self.app.changes();
        let deadline = Instant::now() + WAIT_TIMEOUT;
        loop {
            let view = self.view(run);
            if what(&view) {
                return view;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "timed out: {:#?}", view.summary);
            // Unrelated changes only cause an extra check.
            drop(changes.recv_timeout(left.min(Duration::from_secs(1))));
        }
    }

    /// Adds an agent that is a shell command line. It gets the prompt on standard input.
    pub fn add_agent(&self, name: &str, line: &str) {
        let command = ["sh", "-c", line].map(str::to_owned).to_vec();
        let input = serde_json::json!({ "id": name, "command": command });
        let _: Value = self
            .call("agent_save", input)
            .expect("a name and a command");
    }

    /// Returns the evidence of the latest attempt of a node.
    pub fn evidence(&self, view: &RunView, slug: &str) -> Evidence {
        let input = AttemptRef {
            run: view.summary.id,
            node: id(view, slug),
            attempt: None,
        };
        let known: EvidenceView = self
            .call("evidence_get", input)
            .expect("the node has an attempt");
        known.evidence.expect("evidence was gathered")
    }

    /// Returns the content of a file in the working directory, or an empty string.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.work_dir.path().join(name)).unwrap_or_default()
    }
}

impl Default for TestEnvironment {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

/// Returns the node with this slug.
pub fn node<'a>(view: &'a RunView, slug: &str) -> &'a NodeRunView {
    let id = id(view, slug);
    view.nodes
        .iter()
        .find(|node| node.node == id)
        .expect("every executable node is shown")
}

/// Returns the id of the node with this slug.
pub fn id(view: &RunView, slug: &str) -> NodeId {
    view.plan
        .nodes
        .iter()
        .find(|node| node.slug.as_str() == slug)
        .expect("the plan has this node")
        .id
}

/// Returns the states of all nodes, as `slug state`.
pub fn state_labels(view: &RunView) -> Vec<String> {
    let word = |node: &NodeRunView| {
        let slug = &view.plan.node(node.node).expect("nodes of the plan").slug;
        format!("{slug} {}", node.state.as_str())
    };
    view.nodes.iter().map(word).collect()
}

/// Returns the state of the node with this slug.
pub fn state<'a>(view: &'a RunView, slug: &str) -> &'a NodeState {
    &node(view, slug).state
}

/// Returns the path of a program that was built with the tests.
pub fn program(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("tests know where they are");
    let beside = own
        .parent()
        .and_then(Path::parent)
        .expect("tests are in target/…/deps");
    let path = beside.join(name);
    assert!(
        path.is_file(),
        "{} is missing: build the workspace first (cargo build --workspace)",
        path.display()
    );
    path
}

fn open(data: &Path, role: Role) -> Arc<App> {
    App::open_with_keeper(data.to_path_buf(), role, program("baton-keeper"))
        .expect("a fresh data directory opens")
}
