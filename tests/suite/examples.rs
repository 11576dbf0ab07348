//! Runs the built-in examples for real, and checks that their reports are true.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use baton_api::wire::*;
use baton_model::{NodeState, PlanId, RunState};
use baton_tests::TestEnvironment;
use baton_tests::test_environment::node;

/// The outputs of all nodes of a run, by slug.
type Outputs = BTreeMap<String, BTreeMap<String, String>>;

#[test]
fn repository_report_matches_the_repository() {
    let env = TestEnvironment::new();
    make_repository(env.work_dir.path());
    let before = git(env.work_dir.path(), &["status", "--porcelain"]);
    let outputs = run_example(&env, "repository-report");
    let report = read_report(&outputs["check"]);
    assert!(
        report.contains("commits: 2, files: 3, mostly Rust, open TODOs: 1."),
        "{report}"
    );
    assert!(report.contains("Commits: 2. Authors: 1."), "{report}");
    assert!(
        report.contains("| Rust | 2 | 4.0 |"),
        "two files of 2 KiB each: {report}"
    );
    assert!(
        report.contains("src/main.rs:1:// TODO say something"),
        "{report}"
    );
    assert!(
        report.contains("Add the rest's \"$(reboot)\""),
        "commit messages aren't executed: {report}"
    );
    assert!(!report.contains("a sample"), "{report}");
    assert!(
        report.contains("### Read the history"),
        "the parents' handoffs are the appendix: {report}"
    );
    assert_eq!(
        git(env.work_dir.path(), &["status", "--porcelain"]),
        before,
        "the repository is unchanged"
    );
}

#[test]
fn sample_is_reported_without_a_repository() {
    let env = TestEnvironment::new();
    let outputs = run_example(&env, "repository-report");
    let report = read_report(&outputs["check"]);
    assert_eq!(outputs["find"]["kind"], "sample");
    assert!(report.contains("This is a report on a sample."), "{report}");
    assert!(
        report.contains("commits: 2, files: 3, mostly Python, open TODOs: 2."),
        "{report}"
    );
    assert!(report.contains("src/greet.py:2:    # FIXME"), "{report}");
    assert_eq!(
        listed(env.work_dir.path()),
        Vec::<String>::new(),
        "the working directory is unchanged"
    );
}

#[test]
fn disk_usage_is_ranked() {
    let env = TestEnvironment::new();
    let place = env.work_dir.path();
    std::fs::create_dir_all(place.join("large/inner")).expect("enough disk space");
    std::fs::create_dir(place.join("small")).expect("enough disk space");
    std::fs::write(place.join("large/inner/big one.bin"), vec![1; 3 << 20])
        .expect("enough disk space");
    std::fs::write(place.join("small/old.txt"), vec![b'x'; 8000]).expect("enough disk space");
    let aged = Command::new("touch")
        .args(["-d", "2001-01-01"])
        .arg(place.join("small/old.txt"))
        .status();
    assert!(aged.expect("touch runs").success());
    let report = read_report(&run_example(&env, "disk-usage")["summary"]);
    let (folders, rest) = report.split_once("## Largest files").expect("three parts");
    let (files, old) = rest
        .split_once("## Not changed for a year")
        .expect("three parts");
    assert!(
        folders.contains("| 1 | 3.0 | 99 % | `./large` |"),
        "{folders}"
    );
    assert!(
        files.contains("| 1 | 3.0 | 99 % | `./large/inner/big one.bin` |"),
        "{files}"
    );
    assert!(
        old.contains("`./small/old.txt`") && !old.contains("big one"),
        "{old}"
    );

    let empty = TestEnvironment::new();
    let report = read_report(&run_example(&empty, "disk-usage")["summary"]);
    assert_eq!(
        report.matches("None.").count(),
        3,
        "nothing to rank: {report}"
    );
}

#[test]
fn machine_check_reports_a_verdict() {
    let env = TestEnvironment::new();
    let outputs = run_example(&env, "machine-check");
    let verdict = &outputs["verdict"];
    assert!(verdict["verdict"].starts_with("ready"), "{verdict:?}");
    let report = read_report(verdict);
    assert!(
        report.contains("processors"),
        "what the machine has: {report}"
    );
    assert!(report.contains("MiB free on the disk"), "{report}");
    let version = String::from_utf8(
        Command::new("git")
            .arg("--version")
            .output()
            .expect("git runs")
            .stdout,
    );
    let version = version.expect("a version is text");
    assert!(
        report.contains(&format!("- git, {}", version.trim())),
        "{report}"
    );
    assert_eq!(
        listed(env.work_dir.path()),
        Vec::<String>::new(),
        "the working directory is unchanged"
    );
}

#[test]
fn failed_check_still_gives_a_verdict() {
    let env = TestEnvironment::new();
    let mut made = instantiate(&env, "machine-check");
    let resources = made
        .plan
        .nodes
        .iter_mut()
        .find(|node| node.slug.as_str() == "resources")
        .expect("the node exists");
    let command =
        baton_model::node::CommandLine::Shell("echo 'warning: no space'; exit 1".to_owned());
    let task = baton_model::node::CommandTask {
        command,
        env: BTreeMap::new(),
        cwd: None,
    };
    resources.kind = baton_model::NodeKind::Command(task);
    let plan = made.plan.id;
    let saved: PlanSaved = env
        .call(
            "plan_save",
            PlanSave {
                plan: made.plan,
                base_revision: made.revision,
            },
        )
        .expect("sound");
    let view = finish(&env, plan, saved.revision);
    assert!(
        matches!(view.summary.state, RunState::Failed { .. }),
        "{:?}",
        view.summary.state
    );
    assert_eq!(
        node(&view, "verdict").state.as_str(),
        "done",
        "its trigger rule is all_done"
    );
    let left = outputs(&env, &view);
    assert_eq!(
        left["verdict"]["verdict"],
        "not ready: 1 of 4 checks failed"
    );
    assert!(read_report(&left["verdict"]).contains("not ready"));
}

/// Runs an example in the environment's working directory, and returns the outputs of its nodes.
fn run_example(env: &TestEnvironment, template: &str) -> Outputs {
    let made = instantiate(env, template);
    let view = finish(env, made.plan.id, made.revision);
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{template}: {:#?}",
        view.nodes
    );
    for node in &view.nodes {
        assert_eq!(node.state, NodeState::Done { by_hand: false }, "{template}");
    }
    outputs(env, &view)
}

fn instantiate(env: &TestEnvironment, template: &str) -> PlanView {
    let cwd = Some(env.work_dir.path().display().to_string());
    let input = PlanFromTemplate {
        template: template.to_owned(),
        title: None,
        cwd,
    };
    env.call("plan_from_template", input)
        .expect("the template is valid")
}

fn finish(env: &TestEnvironment, plan: PlanId, revision: u64) -> RunView {
    let input = PlanApprove {
        plan,
        revision,
        anyway: false,
    };
    let approved: PlanView = env
        .call("plan_approve", input)
        .expect("no conflicting change");
    let run = env
        .run(approved.plan.id, RunGoal::All)
        .expect("the example can run");
    env.finish(run.summary.id)
}

fn outputs(env: &TestEnvironment, view: &RunView) -> Outputs {
    let artifacts: Vec<ArtifactView> = env
        .call(
            "artifacts_list",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("handoffs");
    let slug = |artifact: &ArtifactView| {
        view.plan
            .node(artifact.node)
            .expect("the node is in the plan")
            .slug
            .to_string()
    };
    artifacts
        .into_iter()
        .map(|artifact| (slug(&artifact), artifact.content.outputs))
        .collect()
}

/// Reads the report that a node refers to, and deletes its folder.
fn read_report(outputs: &BTreeMap<String, String>) -> String {
    let path = Path::new(&outputs["report"]);
    let report = std::fs::read_to_string(path).expect("the report is where the node says");
    std::fs::remove_dir_all(path.parent().expect("the report is in a folder"))
        .expect("the folder can be removed");
    report
}

fn listed(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder exists");
    entries
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

fn make_repository(place: &Path) {
    std::fs::create_dir(place.join("src")).expect("enough disk space");
    std::fs::write(place.join("src/main.rs"), padded("// TODO say something\n"))
        .expect("enough disk space");
    git(place, &["init", "-q"]);
    git(place, &["add", "."]);
    git(place, &["commit", "-q", "-m", "Begin"]);
    std::fs::write(place.join("src/lib.rs"), padded("//! All.\n")).expect("enough disk space");
    std::fs::write(place.join("with \"quotes\" & é.md"), "# Odd\n").expect("enough disk space");
    git(place, &["add", "."]);
    git(
        place,
        &["commit", "-q", "-m", "Add the rest's \"$(reboot)\""],
    );
}

/// Pads `text` to 2 KiB.
fn padded(text: &str) -> String {
    format!("{text:\n<2048}")
}

fn git(place: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    let output = Command::new("git")
        .current_dir(place)
        .args(identity)
        .args(arguments)
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("names are UTF-8")
}
