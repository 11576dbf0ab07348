//! Tests what has changed in a project since its plan was approved, with real git repositories and
//! a script in the place of an agent.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use baton_api::wire::*;
use baton_model::project_changes::{
    AgentChangeKind, ApprovedCommit, ProjectChanges, RepositoryChanges, RepositoryComparison,
};
use baton_tests::git::git;
use baton_tests::shell::CommandOutput;
use baton_tests::{Shell, TestEnvironment};

const PLAN: &str = "
baton: 1
title: Checked
cwd: .
nodes:
  - {id: work, kind: command, command: 'cat src/named.txt'}
";

/// A repository with a plan that was approved in a shell.
struct Project {
    env: TestEnvironment,
    shell: Shell,
    plan: PlanRef,
}

impl Project {
    fn new() -> Self {
        let env = TestEnvironment::new();
        git(
            env.work_dir.path(),
            &["init", "--quiet", "--initial-branch=main"],
        );
        let project = Self::in_directory(env, PLAN);
        project.write("src/named.txt", "1\n");
        project.commit("first");
        project.approve();
        project
    }

    fn in_directory(env: TestEnvironment, text: &str) -> Self {
        let plan = env.import(text).plan.id;
        let shell = Shell::new(&env);
        let plan = PlanRef { plan };
        Self { env, shell, plan }
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.env.work_dir.path().join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("enough disk space");
        fs::write(path, content).expect("enough disk space");
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(self.env.work_dir.path(), arguments)
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", subject]);
    }

    fn approve(&self) {
        let approved = self.shell.run(&["plan", "approve", "Checked"]);
        assert_eq!(approved.code, Some(0), "{}", approved.err);
    }

    fn changes(&self) -> ProjectChanges {
        let found: ApprovalChangesView = self
            .env
            .call("approval_changes", self.plan.clone())
            .expect("it never fails");
        assert!(found.approval.is_some());
        found.project.expect("the approval has the state")
    }

    fn repository(&self) -> RepositoryChanges {
        match self.changes().repository {
            RepositoryComparison::Compared(changes) => changes,
            other => panic!("{other:?}"),
        }
    }

    fn printed(&self) -> String {
        let printed = self.shell.run(&["plan", "changes", "Checked"]);
        assert_eq!(printed.code, Some(0), "{}", printed.err);
        printed.out
    }
}

fn paths(changes: &RepositoryChanges) -> Vec<&str> {
    changes
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect()
}

#[test]
fn commits_and_edits_are_listed_with_named_files_first() {
    let project = Project::new();
    assert!(!project.changes().any);
    assert!(
        project
            .printed()
            .starts_with("Nothing changed since you approved version 1 (")
    );

    project.write("a.txt", "new\n");
    project.write("src/named.txt", "2\n");
    project.commit("Fix \u{1b}]0;owned\u{7} it");
    project.write("b \u{1b}[31m.txt", "untracked\n");
    let changes = project.repository();
    assert_eq!(
        paths(&changes),
        ["src/named.txt", "a.txt", "b \u{1b}[31m.txt"]
    );
    assert_eq!(
        (changes.commit_count, changes.approved),
        (1, ApprovedCommit::InHistory)
    );
    let printed = project.printed();
    assert!(
        !printed.contains('\u{1b}') && !printed.contains('\u{7}'),
        "{printed:?}"
    );
    for line in [
        "Since you approved version 1 (",
        "  1 new commit:",
        "Fix ]0;owned it (A)",
        "  3 files changed (2 in commits, 1 uncommitted):",
        "    src/named.txt (named in the plan)",
        "    b [31m.txt (uncommitted)",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    let json = project.shell.run(&["plan", "changes", "Checked", "--json"]);
    let view: ApprovalChangesView = serde_json::from_str(&json.out).expect("JSON");
    assert!(view.project.expect("it is known").any);

    let ran = project.shell.run(&["run", "Checked"]);
    assert_eq!(
        ran.code,
        Some(0),
        "changes never keep a plan from running: {}",
        ran.err
    );
    assert!(ran.err.contains("3 files changed"), "{}", ran.err);
    project.approve();
    assert!(!project.changes().any, "the new approval covers it");
    let quiet = project.shell.run(&["run", "Checked"]);
    assert!(!quiet.err.contains("approved"), "{}", quiet.err);
}

#[test]
fn rebase_and_branch_switch_are_noticed() {
    let project = Project::new();
    project.write("a.txt", "a\n");
    project.commit("second");
    project.git(&["switch", "--quiet", "-c", "feature", "HEAD~1"]);
    project.write("b.txt", "b\n");
    project.commit("on the branch");
    project.approve();

    project.git(&["rebase", "--quiet", "main"]);
    let changes = project.repository();
    assert_eq!(changes.approved, ApprovedCommit::NotInHistory);
    assert_eq!((changes.commit_count, changes.branch.clone()), (2, None));
    assert_eq!(paths(&changes), ["a.txt"]);
    assert!(
        project
            .printed()
            .contains("is no longer in the history: the branch was rebased")
    );

    project.git(&["switch", "--quiet", "main"]);
    let branch = project.repository().branch.expect("another branch");
    assert_eq!(
        (branch.from.as_deref(), branch.to.as_deref()),
        (Some("feature"), Some("main"))
    );
    assert!(
        project
            .printed()
            .contains("Branch switched from feature to main")
    );
    project.git(&["switch", "--quiet", "--detach"]);
    assert!(
        project
            .printed()
            .contains("from feature to a detached commit")
    );
}

#[test]
fn a_thousand_files_are_counted() {
    let project = Project::new();
    for number in 0..1_000 {
        project.write(&format!("many/{number:04}.txt"), "x");
    }
    let changes = project.repository();
    assert_eq!((changes.file_count, changes.files.len()), (1_000, 50));
    assert!(project.printed().contains("    and 950 more\n"));

    project.approve();
    let same = project.repository();
    assert_eq!(same.file_count, 0, "{same:?}");
    assert_eq!(same.not_compared, 500, "the approval remembers 500 files");
    project.write("many/0007.txt", "edited");
    assert_eq!(paths(&project.repository()), ["many/0007.txt"]);
}

#[test]
fn directories_without_git_are_not_compared() {
    let project = Project::in_directory(TestEnvironment::new(), PLAN);
    let unapproved = project.shell.run(&["plan", "changes", "Checked"]);
    assert_eq!(unapproved.out, "The plan isn't approved yet.\n");
    project.approve();
    assert_eq!(
        project.changes().repository,
        RepositoryComparison::NoRepository
    );
    assert!(project.printed().contains("isn't in a git repository"));
    project.git(&["init", "--quiet"]);
    assert_eq!(project.changes().repository, RepositoryComparison::Created);

    project.commit("first");
    project.approve();
    fs::remove_dir_all(project.env.work_dir.path()).expect("it exists");
    let changes = project.changes();
    assert_eq!(
        (changes.repository, changes.any),
        (RepositoryComparison::Removed, true)
    );
}

#[test]
fn broken_repository_keeps_nobody_from_approving() {
    let project = Project::new();
    let config = project.env.work_dir.path().join(".git/config");
    let whole = fs::read(&config).expect("it exists");
    fs::write(&config, "[broken").expect("it exists");
    assert_eq!(project.changes().repository, RepositoryComparison::Unknown);
    project.approve();
    fs::write(&config, whole).expect("it exists");
    let changes = project.changes();
    assert_eq!(
        (changes.repository, changes.any),
        (RepositoryComparison::Unknown, false)
    );
}

#[test]
fn other_agent_version_is_a_change() {
    let env = TestEnvironment::new();
    let fake = tempfile::tempdir().expect("temp dir");
    let install = |version: &str| {
        let program = fake.path().join("claude");
        fs::write(
            &program,
            format!("#!/bin/sh\necho '{version} (Claude Code)'\n"),
        )
        .expect("enough disk space");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("own file");
    };
    install("2.1.4");
    let plan = PLAN.replace(
        "kind: command, command: 'cat src/named.txt'",
        "kind: agent, agent: claude, prompt: Go.",
    );
    env.import(&plan);
    let shell = Shell::new(&env);
    let run = |arguments: &[&str]| {
        let mut command = shell.baton(arguments);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{}:{path}", fake.path().display()))
            .env("SHLVL", "1");
        CommandOutput::of(command)
    };
    let approved = run(&["plan", "approve", "Checked"]);
    assert_eq!(approved.code, Some(0), "{}", approved.err);
    install("2.2.0");
    let printed = run(&["plan", "changes", "Checked"]);
    assert!(
        printed.out.contains("  claude 2.1.4 → 2.2.0\n"),
        "{}{}",
        printed.out,
        printed.err
    );
    let json = run(&["plan", "changes", "Checked", "--json"]);
    let view: ApprovalChangesView = serde_json::from_str(&json.out).expect("JSON");
    let agents = view.project.expect("it is known").agents;
    let expected = AgentChangeKind::Version {
        from: "2.1.4".to_owned(),
        to: "2.2.0".to_owned(),
    };
    assert_eq!((agents.len(), &agents[0].change), (1, &expected));
}
