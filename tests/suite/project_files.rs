//! Plans as files in a project, with real files, git, and several processes on one data directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use baton_api::wire::*;
use baton_api::{ApiError, App, Code, Role};
use baton_model::{PlanId, ProposalId};
use baton_store::Actor;
use baton_tests::{Shell, TestEnvironment};

const PLAN: &str = "baton: 1\ntitle: Ship it\nnodes:\n  - {id: build, kind: command, command: make}\n  - {id: test, kind: command, command: make test, dependsOn: [build]}\n";
const WAIT: Duration = Duration::from_secs(60);

/// A project with one plan whose file is kept by a second process.
struct Project {
    env: TestEnvironment,
    /// Only has to be open.
    _keeper: TestEnvironment,
    plan: PlanId,
    file: PathBuf,
}

impl Project {
    fn new() -> Self {
        Self::of(PLAN, false)
    }

    /// With the plan in `text`, and with a line about its last run if `run_line` is set.
    fn of(text: &str, run_line: bool) -> Self {
        let env = TestEnvironment::new();
        let view = env.import(text);
        let keeper = env.second_process(Role::Worker);
        let input = PlanFilesSave {
            run_line,
            ..switched(&env, true)
        };
        let saved = env.call("plan_files_save", input);
        let projects: Vec<PlanFilesProject> = saved.expect("a person may");
        let directory = env.work_dir.path().canonicalize().expect("a directory");
        let name = &projects[0].files[0].name;
        Self {
            file: directory.join(".baton/plans").join(name),
            plan: view.plan.id,
            env,
            _keeper: keeper,
        }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.file).unwrap_or_default()
    }

    fn view(&self) -> PlanView {
        let input = PlanRef { plan: self.plan };
        self.env.call("plan_get", input).expect("the plan")
    }

    /// Saves another title, as the editor does.
    fn save_title(&self, title: &str) {
        let view = self.view();
        let mut plan = view.plan;
        plan.title = title.to_owned();
        let input = PlanSave {
            plan,
            base_revision: view.revision,
        };
        let _: PlanSaved = self.env.call("plan_save", input).expect("saved");
    }

    /// An open proposal with this title.
    fn wait_for_title(&self, title: &str) -> ProposalId {
        until(&format!("a proposal '{title}'"), || {
            let open = proposals(&self.env, true).into_iter();
            let mut found = open.filter(|proposal| proposal.title == title);
            found.next().map(|proposal| proposal.id)
        })
    }

    fn wait_for_text(&self, part: &str) {
        until(&format!("the file to have '{part}'"), || {
            self.text().contains(part).then_some(())
        });
    }

    /// Waits until what was saved before has been handled: the file of a later plan is there.
    fn wait_until_handled(&self) {
        self.env.import(&PLAN.replace("Ship it", "Another"));
        until("the other file", || {
            let states = self.state();
            let is_done = |(name, state, _): &(String, ProjectFileState, Vec<String>)| {
                *state == ProjectFileState::Current && *name != self.name()
            };
            states.iter().any(is_done).then_some(())
        });
    }

    fn state(&self) -> Vec<(String, ProjectFileState, Vec<String>)> {
        let projects: Vec<PlanFilesProject> = self
            .env
            .call("plan_files_list", Nothing {})
            .expect("a list");
        let files = projects.into_iter().flat_map(|project| project.files);
        files
            .map(|file| (file.name, file.state, file.faults))
            .collect()
    }

    fn name(&self) -> String {
        let name = self.file.file_name().expect("a name");
        name.to_string_lossy().into_owned()
    }
}

fn proposals(env: &TestEnvironment, open: bool) -> Vec<ProposalSummary> {
    let input = serde_json::json!({"open": open, "limit": 100});
    env.call("proposals_list", input).expect("proposals")
}

fn switched(env: &TestEnvironment, on: bool) -> PlanFilesSave {
    PlanFilesSave {
        directory: env.work_dir.path().display().to_string(),
        on,
        format: ProjectFileFormat::Markdown,
        run_line: false,
    }
}

fn switch(env: &TestEnvironment, on: bool) -> Result<Vec<PlanFilesProject>, ApiError> {
    env.call("plan_files_save", switched(env, on))
}

/// Waits for something that another thread or process does.
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + WAIT;
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn git(directory: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Anna", "-c", "user.email=anna@example.org"])
        .args(["-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("git runs");
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "git {arguments:?}: {error}");
}

#[test]
fn saved_versions_are_written_and_edits_become_proposals() {
    let project = Project::new();
    assert!(
        project.text().contains("title: Ship it"),
        "{}",
        project.text()
    );
    project.save_title("Ship it today");
    project.wait_for_text("title: Ship it today");

    // An editor that writes a new file and renames it over the old one.
    let edited = project.text().replace("Ship it today", "Ship it on Friday");
    let beside = project.file.with_extension("swp");
    fs::write(&beside, &edited).expect("written");
    fs::rename(&beside, &project.file).expect("renamed");
    let first = project.wait_for_title("Ship it on Friday");
    assert_eq!(
        project.view().plan.title,
        "Ship it today",
        "a person decides"
    );

    // An editor that truncates the file and writes it again.
    fs::write(&project.file, "").expect("truncated");
    fs::write(&project.file, edited.replace("on Friday", "on Monday")).expect("written");
    let second = project.wait_for_title("Ship it on Monday");
    assert_eq!(first, second, "another draft of the same proposal");
    assert_eq!(
        project.state(),
        [(project.name(), ProjectFileState::Proposed, vec![])]
    );

    let _: ProposalAccepted = project
        .env
        .call(
            "proposal_accept",
            serde_json::json!({"proposal": second, "resume": false}),
        )
        .expect("accepted");
    assert_eq!(project.view().plan.title, "Ship it on Monday");
    until("the file to be Baton's again", || {
        let current = vec![(project.name(), ProjectFileState::Current, vec![])];
        (project.state() == current).then_some(())
    });
}

#[test]
fn edits_are_never_overwritten() {
    let project = Project::new();
    let edited = project.text().replace("Ship it", "By hand");
    fs::write(&project.file, &edited).expect("written");
    project.wait_for_title("By hand");
    project.save_title("In Baton");
    project.wait_until_handled();
    assert_eq!(project.text(), edited, "it waits for a decision");
}

#[test]
fn unreadable_files_are_kept_and_named() {
    let project = Project::new();
    let broken = project.text().replacen("title: ", "caption: ", 1);
    fs::write(&project.file, &broken).expect("written");
    let notes = project.file.with_file_name("PLAN-notes.md");
    fs::write(&notes, "# Notes\n").expect("written");
    project.save_title("Another");
    project.wait_until_handled();
    let states = project.state();
    for name in [project.name(), "PLAN-notes.md".to_owned()] {
        let found = states.iter().find(|(file, ..)| *file == name);
        let Some((_, ProjectFileState::Unreadable, faults)) = found else {
            panic!("{name}: {states:?}")
        };
        assert!(faults[0].starts_with(&format!("{name}:")), "{faults:?}");
    }
    assert_eq!(project.text(), broken);
    assert_eq!(fs::read_to_string(&notes).expect("kept"), "# Notes\n");
}

#[test]
fn git_checkout_back_and_forth_loses_nothing() {
    let project = Project::new();
    let directory = project.env.work_dir.path();
    git(directory, &["init", "--quiet", "--initial-branch=main"]);
    git(directory, &["add", "."]);
    git(directory, &["commit", "--quiet", "-m", "plan"]);
    git(directory, &["checkout", "--quiet", "-b", "friday"]);
    fs::write(
        &project.file,
        project.text().replace("Ship it", "On Friday"),
    )
    .expect("written");
    let first = project.wait_for_title("On Friday");
    git(directory, &["commit", "--quiet", "-am", "friday"]);
    git(directory, &["checkout", "--quiet", "main"]);
    until("the proposal to be withdrawn", || {
        proposals(&project.env, true).is_empty().then_some(())
    });
    git(directory, &["checkout", "--quiet", "friday"]);
    let second = project.wait_for_title("On Friday");
    assert_ne!(first, second);
    let status = Command::new("git")
        .args(["status", "--porcelain"])
        .current_dir(directory)
        .output()
        .expect("git runs");
    assert!(
        status.stdout.is_empty(),
        "Baton changed no checked out file"
    );
}

#[test]
fn two_processes_make_one_proposal_and_do_not_loop() {
    let project = Project::new();
    let _other = project.env.second_process(Role::Worker);
    fs::write(&project.file, project.text().replace("Ship it", "By hand")).expect("written");
    project.wait_for_title("By hand");
    for number in 1..=5 {
        let text = project.text();
        let (head, rest) = text.split_once("title: ").expect("a title");
        let (_, tail) = rest.split_once('\n').expect("a line");
        let title = format!("By hand {number}");
        fs::write(&project.file, format!("{head}title: {title}\n{tail}")).expect("written");
        project.wait_for_title(&title);
    }
    assert_eq!(proposals(&project.env, false).len(), 1);
    assert_eq!(project.view().version, 1);
}

#[test]
fn two_batons_share_a_folder() {
    let project = Project::new();
    let other = TestEnvironment::new();
    let directory = project.env.work_dir.path().display().to_string();
    let imported: PlanImported = other
        .call(
            "plan_import",
            PlanImport {
                file_name: "plan.yaml".to_owned(),
                text: PLAN.replace("Ship it", "Theirs"),
                cwd: Some(directory.clone()),
                ..PlanImport::default()
            },
        )
        .expect("imported");
    let _keeper = other.second_process(Role::Worker);
    let input = PlanFilesSave {
        directory,
        on: true,
        format: ProjectFileFormat::Markdown,
        run_line: false,
    };
    let seen: Vec<PlanFilesProject> = other.call("plan_files_save", input).expect("on");
    let states: Vec<ProjectFileState> = seen[0].files.iter().map(|file| file.state).collect();
    assert!(states.contains(&ProjectFileState::OtherPlan), "{states:?}");
    assert!(states.contains(&ProjectFileState::Current), "{states:?}");
    project.save_title("Ours");
    project.wait_for_text("title: Ours");
    fs::write(&project.file, project.text().replace("Ours", "By hand")).expect("written");
    project.wait_for_title("By hand");
    let none = proposals(&other, false);
    assert!(none.is_empty(), "it is no plan of the other Baton");
    assert_ne!(imported.plan.plan.id, project.plan);
}

#[test]
fn only_a_person_switches_it_on() {
    let env = TestEnvironment::new();
    let app: App = env.app.acting_as(Actor::Agent("claude".to_owned()));
    let input = PlanFilesSave {
        directory: env.work_dir.path().display().to_string(),
        on: true,
        format: ProjectFileFormat::Markdown,
        run_line: false,
    };
    let input = serde_json::to_value(input).expect("JSON");
    let error = baton_api::call(&app, "plan_files_save", input).expect_err("not an agent");
    assert_eq!(error.code, Code::WaitsForPerson);
    assert!(!env.work_dir.path().join(".baton").exists());
    fs::create_dir(env.work_dir.path().join("elsewhere")).expect("a folder");
    fs::create_dir(env.work_dir.path().join(".baton")).expect("a folder");
    std::os::unix::fs::symlink("../elsewhere", env.work_dir.path().join(".baton/plans"))
        .expect("a link");
    let error = switch(&env, true).expect_err("a link");
    assert!(
        error.message.contains("leads out of the project"),
        "{error}"
    );
}

#[test]
fn front_matter_has_times_and_models_and_approving_changes_nothing() {
    let text = PLAN.replace(
        "title: Ship it",
        "title: Ship it\nplannerModel: opus\nexecutorModel: haiku\ntoolsRequired: [Read]",
    );
    let project = Project::of(&text, false);
    let written = project.text();
    for key in [
        "created_at: ",
        "updated_at: ",
        "planner_model: opus",
        "tools_required:",
        "executor_model: haiku",
    ] {
        assert!(written.contains(key), "{key}: {written}");
    }
    assert!(!written.contains("execution_"), "{written}");
    let view = project.view();
    let input = PlanApprove {
        plan: project.plan,
        revision: view.revision,
        anyway: true,
    };
    let _: PlanView = project.env.call("plan_approve", input).expect("approved");
    project.wait_until_handled();
    assert_eq!(project.text(), written);

    let edited = written.replace("executor_model: haiku", "executor_model: sonnet");
    fs::write(&project.file, edited).expect("written");
    let proposal = project.wait_for_title("Ship it");
    let _: ProposalAccepted = project
        .env
        .call(
            "proposal_accept",
            serde_json::json!({"proposal": proposal, "resume": false}),
        )
        .expect("accepted");
    let origin = project.view().plan.origin;
    assert_eq!(origin.executor_model.as_deref(), Some("sonnet"));
    assert_eq!(origin.planner_model.as_deref(), Some("opus"));
}

#[test]
fn last_run_is_in_the_file_of_projects_that_want_it() {
    let text = PLAN.replace("command: make test", "command: 'true'");
    let text = text.replace("command: make", "command: 'true'");
    let project = Project::of(&text, true);
    assert!(!project.text().contains("result_summary"));
    let view = project.view();
    let input = PlanApprove {
        plan: project.plan,
        revision: view.revision,
        anyway: false,
    };
    let _: PlanView = project.env.call("plan_approve", input).expect("approved");
    let run = project
        .env
        .run(project.plan, RunGoal::All)
        .expect("it runs");
    let run = run.summary.id;
    project.env.finish(run);
    project.wait_for_text("#1: completed");
    project.wait_for_text("execution_ended_at: ");
    let text = project.text();
    assert!(
        text.contains(&format!("execution_session: sessions/{run}.jsonl")),
        "{text}"
    );
    assert!(text.contains("execution_started_at: "), "{text}");
    let log = project.env.data().join(format!("sessions/{run}.jsonl"));
    assert_eq!(fs::read_to_string(log).expect("the log").lines().count(), 2);
    assert_eq!(
        project.state(),
        [(project.name(), ProjectFileState::Current, vec![])],
        "it is no edit"
    );
    assert_eq!(project.view().version, view.version);
    assert!(proposals(&project.env, false).is_empty());
}

#[test]
fn large_context_is_beside_the_file_and_never_outside() {
    let project = Project::new();
    let save_notes = |notes: &str| {
        let view = project.view();
        let mut plan = view.plan;
        plan.context.notes = notes.to_owned();
        let input = PlanSave {
            plan,
            base_revision: view.revision,
        };
        let _: PlanSaved = project.env.call("plan_save", input).expect("saved");
    };
    save_notes(&"long ".repeat(12_000));
    project.wait_for_text("/context.json");
    assert!(project.text().len() < 5_000, "{}", project.text().len());
    let folder = project.file.with_file_name("artifacts");
    let beside = folder.join(project.file.file_stem().expect("a name"));
    let json = fs::read_to_string(beside.join("context.json")).expect("the context");
    assert!(json.contains("long long"), "{} bytes", json.len());

    let outside = tempfile::tempdir().expect("a folder");
    fs::remove_dir_all(&folder).expect("removed");
    std::os::unix::fs::symlink(outside.path(), &folder).expect("a link");
    save_notes(&"other ".repeat(12_000));
    project.wait_until_handled();
    let names = fs::read_dir(outside.path()).expect("a folder").count();
    assert_eq!(names, 0, "nothing is written through the link");
}

#[test]
fn archived_plan_takes_its_file_along_and_brings_it_back() {
    let project = Project::new();
    let shell = Shell::new(&project.env);
    let archived = project.file.with_file_name("archive").join(project.name());
    let done = shell.run(&["plan", "archive", "Ship it"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    until("the file to be archived", || {
        (archived.exists() && !project.file.exists()).then_some(())
    });
    project.save_title("Ship it again");
    project.wait_for_text("title: Ship it again");
    assert!(!archived.exists(), "it is one file");
}

#[test]
fn retention_archives_the_file_of_an_unused_plan() {
    let env = TestEnvironment::new();
    let plan = env.import(PLAN).plan.id;
    let shell = Shell::new(&env);
    let rule = shell.run(&["plan", "retention", "Ship it", "--archive-after-days", "30"]);
    assert_eq!(rule.code, Some(0), "{rule:?}");
    let projects = switch(&env, true).expect("a person may");
    let name = &projects[0].files[0].name;
    let folder = env.work_dir.path().join(".baton/plans");
    let base = rusqlite::Connection::open(env.data().join("baton.db")).expect("a database");
    let month_and_a_day_ms = 31 * 24 * 60 * 60 * 1000_i64;
    let query = "UPDATE plans SET updated_at = updated_at - ?1";
    base.execute(query, [month_and_a_day_ms])
        .expect("the plan is there");

    let _server = env.second_process(Role::Server);
    until("the file to be archived", || {
        let is_there = folder.join("archive").join(name).exists();
        (is_there && !folder.join(name).exists()).then_some(())
    });
    let view: PlanView = env.call("plan_get", PlanRef { plan }).expect("a plan");
    assert!(view.archived_at.is_some());
}

#[test]
fn shell_switches_and_shows_files() {
    let env = TestEnvironment::new();
    env.import(PLAN);
    let shell = Shell::new(&env);
    let directory = env.work_dir.path().canonicalize().expect("a directory");
    let directory = directory.display().to_string();
    let on = shell.run(&["plan", "files", "on", "--yaml", &directory]);
    assert_eq!(on.code, Some(0), "{}", on.err);
    let lines: Vec<&str> = on.out.lines().collect();
    assert_eq!(lines[0], directory);
    assert!(lines[1].ends_with(".yaml: up to date"), "{}", on.out);
    let status = shell.run(&["plan", "files", "status", &directory]);
    assert_eq!(status.out, on.out);
    let off = shell.run(&["plan", "files", "off", &directory]);
    assert_eq!(off.out.trim(), "Plan files are off.");
    let again = shell.run(&["plan", "files", "off", &directory]);
    assert_ne!(again.code, Some(0));
}
