//! Tests that changes of a session to `.git` are reported by the node, and restored when a person
//! asks for it. Until then, the person's own git would use them.

use std::path::Path;
use std::process::Command;

use baton_api::wire::*;
use baton_api::{Actor, Code, Role};
use baton_model::evidence::GitChange;
use baton_model::{NodeState, RunId, RunState};
use baton_tests::processes;
use baton_tests::test_environment::{id, node, state};
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

/// Returns the output of the person's git in the plans' working directory.
fn git(place: &Path, words: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(place)
        .args(["-c", "user.name=T", "-c", "user.email=t@example.org"])
        .args(words);
    let output = command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is installed");
    assert!(
        output.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A Baton whose plans work in a repository.
fn git_environment() -> TestEnvironment {
    let env = TestEnvironment::new();
    let place = env.work_dir.path();
    git(place, &["init", "-q", "--initial-branch=main"]);
    git(place, &["config", "alias.st", "status --short"]);
    std::fs::write(place.join("a.txt"), "a\n").expect("enough disk space");
    git(place, &["add", "-A"]);
    git(place, &["commit", "-qm", "first"]);
    env
}

/// A program that leaves a trace when it runs.
struct Trap {
    folder: TempDir,
}

impl Trap {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = TempDir::new().expect("a folder");
        let program = folder.path().join("evil");
        std::fs::write(
            &program,
            format!("#!/bin/sh\n: > {}/ran\n", folder.path().display()),
        )
        .expect("enough disk space");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))
            .expect("permission");
        Self { folder }
    }

    fn program(&self) -> String {
        self.folder.path().join("evil").display().to_string()
    }

    fn has_run(&self) -> bool {
        std::fs::remove_file(self.folder.path().join("ran")).is_ok()
    }
}

fn known(env: &TestEnvironment, view: &RunView, slug: &str) -> EvidenceView {
    let input = AttemptRef {
        run: view.summary.id,
        node: id(view, slug),
        attempt: None,
    };
    env.call("evidence_get", input)
        .expect("the node has an attempt")
}

/// The key or file name of each change.
fn changes(known: &EvidenceView) -> Vec<&str> {
    let changes = known
        .evidence
        .as_ref()
        .map(|evidence| evidence.git_changes.as_slice())
        .unwrap_or_default();
    let names = changes.iter().map(|change| match change {
        GitChange::Setting { key, .. } => key.as_str(),
        GitChange::File { file, .. } => file.rsplit('/').next().unwrap_or_default(),
    });
    names.collect()
}

fn restore(env: &TestEnvironment, view: &RunView, slug: &str) -> GitRestored {
    let input = AttemptRef {
        run: view.summary.id,
        node: id(view, slug),
        attempt: None,
    };
    env.call("git_restore", input)
        .expect("there is something to restore")
}

#[test]
fn changed_git_settings_make_the_node_unverified_and_can_be_restored() {
    let (env, trap) = (git_environment(), Trap::new());
    let (place, evil) = (env.work_dir.path(), trap.program());
    let script = format!(
        "set -e\n\
         git config core.fsmonitor {evil}\n\
         git config alias.st '!sh {evil}'\n\
         git config include.path ../more.gitconfig\n\
         git config filter.x.clean 'cat; {evil}'\n\
         mkdir -p .git/info; echo '*.txt filter=x' > .git/info/attributes\n\
         git config branch.main.remote origin\n\
         git config branch.main.merge refs/heads/main\n"
    );
    std::fs::write(place.join("plant.sh"), script).expect("enough disk space");
    let view = env.start(
        "baton: 1\ntitle: Plant\ncwd: .\nnodes:\n  \
         - {id: plant, kind: command, command: sh plant.sh}\n  \
         - {id: after, kind: command, command: 'git config branch.x.remote origin', dependsOn: [plant]}\n",
    );
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert!(node(&view, "plant").unverified);
    assert!(
        !node(&view, "after").unverified,
        "earlier settings aren't reported"
    );
    assert_eq!(changes(&known(&env, &view, "after")), [] as [&str; 0]);
    let found = known(&env, &view, "plant");
    let expected = [
        "alias.st",
        "core.fsmonitor",
        "filter.x.clean",
        "include.path",
        "attributes",
    ];
    assert_eq!(changes(&found), expected, "{:#?}", found.evidence);
    let doubt = found.doubt.expect("the node is unverified");
    assert_eq!(
        doubt,
        "git settings or hooks changed while this node ran (alias.st, core.fsmonitor, filter.x.clean and 2 more)"
    );

    git(place, &["status"]);
    assert!(
        trap.has_run(),
        "the person's git runs the program before restoring"
    );
    let done = restore(&env, &view, "plant");
    assert_eq!(
        (done.restored, done.left),
        (vec![0, 1, 2, 3, 4], Vec::new())
    );
    std::fs::write(place.join("a.txt"), "changed\n").expect("enough disk space");
    git(place, &["status"]);
    git(place, &["st"]);
    git(place, &["add", "-A"]);
    assert!(!trap.has_run(), "the planted program no longer runs");
    assert_eq!(git(place, &["config", "branch.main.remote"]), "origin\n");
    assert_eq!(
        git(place, &["config", "--get-all", "alias.st"]),
        "status --short\n"
    );

    let found = known(&env, &view, "plant");
    assert_eq!(found.git_restored.len(), 5, "{:#?}", found.git_restored);
    assert!(
        found.git_restored[0].by.starts_with("person"),
        "{:#?}",
        found.git_restored
    );
    assert!(
        node(&env.view(view.summary.id), "plant").unverified,
        "the node's work still has to be accepted"
    );
}

#[test]
fn copied_repository_hooks_are_detected() {
    let (env, trap) = (TestEnvironment::new(), Trap::new());
    let repository = env.work_dir.path().join("repository");
    std::fs::create_dir(&repository).expect("enough disk space");
    git(&repository, &["init", "-q"]);
    git(
        &repository,
        &["commit", "-q", "--allow-empty", "-m", "first"],
    );
    // The mount that protects the hooks moves away with the folder.
    let script = format!(
        "set -e\ncd ..\nmv repository moved\ncp -a moved repository\n\
         cp {} repository/.git/hooks/post-commit\n",
        trap.program()
    );
    std::fs::write(env.work_dir.path().join("plant.sh"), script).expect("enough disk space");
    let view = env.start(
        "baton: 1\ntitle: Copy\ncwd: .\nnodes:\n  \
         - {id: copy, kind: command, command: sh ../plant.sh, cwd: repository}\n",
    );
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert!(node(&view, "copy").unverified);
    assert_eq!(changes(&known(&env, &view, "copy")), ["post-commit"]);
    git(
        &repository,
        &["commit", "-q", "--allow-empty", "-m", "person"],
    );
    assert!(trap.has_run());
    assert_eq!(restore(&env, &view, "copy").restored, [0]);
    git(
        &repository,
        &["commit", "-q", "--allow-empty", "-m", "person"],
    );
    assert!(!trap.has_run());
}

#[test]
fn a_failed_attempt_does_not_make_the_next_one_clean() {
    let env = git_environment();
    let script = "[ -f second ] && exit 0\ntouch second\ngit config core.sshCommand evil\nexit 1\n";
    std::fs::write(env.work_dir.path().join("twice.sh"), script).expect("enough disk space");
    let plan = "baton: 1\ntitle: Twice\ncwd: .\nnodes:\n  \
                - {id: twice, kind: command, command: sh twice.sh, maxRetries: 1}\n";
    let view = env.start(plan);
    let view = env.finish(view.summary.id);
    assert_eq!(
        (&view.summary.state, node(&view, "twice").attempt.0),
        (&RunState::Completed, 2)
    );
    assert!(node(&view, "twice").unverified);
    assert_eq!(changes(&known(&env, &view, "twice")), ["core.sshcommand"]);
    let (run, target) = (view.summary.id, id(&view, "twice"));
    let _: RunSummary = env
        .call("evidence_accept", NodeRef { run, node: target })
        .expect("a person can accept it");
    let _: RunSummary = env
        .call("node_rerun_alone", NodeRef { run, node: target })
        .expect("the node is done");
    let view = env.finish(run);
    assert_eq!(node(&view, "twice").attempt.0, 3);
    assert!(!node(&view, "twice").unverified, "a person has accepted it");
}

#[test]
fn parallel_nodes_both_report_changes() {
    for isolation in ["", "isolation: worktree\n"] {
        let env = git_environment();
        let meet = TempDir::new().expect("a folder");
        // Each waits until the other has started, and one plants a setting.
        let wait = |own: &str, other: &str| {
            let folder = meet.path().display();
            format!("touch {folder}/{own}; while [ ! -e {folder}/{other} ]; do sleep 0.02; done")
        };
        let view = env.start(&format!(
            "baton: 1\ntitle: Both\ncwd: .\n{isolation}nodes:\n  \
             - {{id: one, kind: command, command: '{}; git config core.pager evil; touch {}/planted'}}\n  \
             - {{id: two, kind: command, command: '{}; while [ ! -e {}/planted ]; do sleep 0.02; done'}}\n",
            wait("one", "two"),
            meet.path().display(),
            wait("two", "one"),
            meet.path().display(),
        ));
        let view = env.finish(view.summary.id);
        assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
        for slug in ["one", "two"] {
            assert_eq!(
                changes(&known(&env, &view, slug)),
                ["core.pager"],
                "{slug}, {isolation}"
            );
            assert!(node(&view, slug).unverified, "{slug}, {isolation}");
        }
        assert_eq!(restore(&env, &view, "one").restored, [0]);
        assert_eq!(
            restore(&env, &view, "two").restored,
            [0],
            "the settings are already restored"
        );
    }
}

#[test]
fn killed_executor_loses_no_git_changes() {
    let env = git_environment();
    let shell = Shell::new(&env);
    let text = "baton: 1\ntitle: Dies\ncwd: .\nnodes:\n  - {id: plant, kind: command, command: \
                'git config core.fsmonitor evil; touch planted; while [ ! -f go ]; do sleep 0.02; done'}\n";
    let file = shell.plan_file("dies.yaml", text);
    let baton = shell.start(&["run", &file, "--yes"]);
    processes::wait("the setting is planted", || {
        if env.work_dir.path().join("planted").exists() {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    assert!(baton.kill(), "the shell waits for its node");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let resumed = shell.run(&["resume", "--all"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(
        resumed.out.contains("it changed git settings or hooks"),
        "{resumed:?}"
    );
    let run = latest(&env);
    let view = env.view(run);
    assert!(node(&view, "plant").unverified);
    assert_eq!(changes(&known(&env, &view, "plant")), ["core.fsmonitor"]);

    let run = run.to_string();
    let say = |more: &[&'static str]| {
        shell.run(&[&["node", "restore-git", &run, "plant"], more].concat())
    };
    let looked = say(&["--dry-run"]);
    assert!(
        looked.out.contains("core.fsmonitor was added to"),
        "{looked:?}"
    );
    let unasked = say(&[]);
    assert_eq!(unasked.code, Some(2), "there is no one to ask: {unasked:?}");
    assert_eq!(
        git(env.work_dir.path(), &["config", "core.fsmonitor"]),
        "evil\n"
    );
    let restored = say(&["--yes"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert!(!git(env.work_dir.path(), &["config", "--list", "--local"]).contains("fsmonitor"));
    let looked = say(&["--dry-run"]);
    assert!(
        looked.out.contains("restored by person:shell"),
        "{looked:?}"
    );
}

fn latest(env: &TestEnvironment) -> RunId {
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("runs");
    runs.first().expect("a run").id
}

#[test]
fn only_a_person_restores_and_not_what_changed_since() {
    let env = git_environment();
    let view = env.start(
        "baton: 1\ntitle: Since\ncwd: .\nnodes:\n  \
         - {id: plant, kind: command, command: 'git config core.pager evil; git config core.editor evil'}\n  \
         - {id: clean, kind: command, command: 'true', dependsOn: [plant]}\n",
    );
    let view = env.finish(view.summary.id);
    let input = AttemptRef {
        run: view.summary.id,
        node: id(&view, "plant"),
        attempt: None,
    };
    let agent = env.app.acting_as(Actor::Agent("claude".to_owned()));
    let wish = serde_json::to_value(&input).expect("JSON");
    let held = baton_api::call(&agent, "git_restore", wish).expect_err("an agent can't restore");
    assert_eq!(held.code, Code::WaitsForPerson);
    assert_eq!(
        git(env.work_dir.path(), &["config", "core.pager"]),
        "evil\n"
    );
    git(env.work_dir.path(), &["config", "core.editor", "mine"]);
    let done = restore(&env, &view, "plant");
    let left: Vec<_> = done
        .left
        .iter()
        .map(|left| (left.change, left.reason))
        .collect();
    assert_eq!(
        (done.restored, left),
        (vec![1], vec![(0, GitNotRestoredReason::ChangedSince)])
    );
    assert_eq!(
        git(env.work_dir.path(), &["config", "core.editor"]),
        "mine\n"
    );
    let none = AttemptRef {
        node: id(&view, "clean"),
        ..input
    };
    let refused = env
        .call::<GitRestored>("git_restore", none)
        .expect_err("nothing to restore");
    assert_eq!(refused.code, Code::Refused);
}

#[test]
fn values_are_shown_without_secrets_and_restored_whole() {
    let env = git_environment();
    let place = env.work_dir.path();
    let secret = format!(
        "ghp_{}",
        "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).expect("enough")
    );
    git(
        place,
        &[
            "config",
            "credential.helper",
            &format!("!echo password={secret}"),
        ],
    );
    std::fs::write(
        place.join("plant.sh"),
        "git config credential.helper \"!$(printf 'evil\\033[2J')\"\n",
    )
    .expect("enough disk space");
    let view =
        env.start("baton: 1\ntitle: Secret\ncwd: .\nnodes:\n  - {id: plant, kind: command, command: sh plant.sh}\n");
    let view = env.finish(view.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    let found = known(&env, &view, "plant");
    let GitChange::Setting { before, after, .. } = &found
        .evidence
        .as_ref()
        .expect("the evidence exists")
        .git_changes[0]
    else {
        panic!("{:#?}", found.evidence)
    };
    assert!(
        !before[0].contains(&secret) && before[0].starts_with("!echo "),
        "{before:?}"
    );
    assert_eq!(after[0], "!evil\\u{1b}[2J");
    restore(&env, &view, "plant");
    assert!(git(place, &["config", "credential.helper"]).contains(&secret));
}

#[test]
fn failed_node_reports_git_changes() {
    let env = git_environment();
    let shell = Shell::new(&env);
    let text = "baton: 1\ntitle: Fails\ncwd: .\nnodes:\n  \
                - {id: plant, kind: command, command: 'git config core.pager evil; exit 3'}\n";
    let said = shell.run(&["run", &shell.plan_file("fails.yaml", text), "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.out.contains("it changed git settings or hooks"),
        "{said:?}"
    );
    let view = env.view(latest(&env));
    assert!(matches!(state(&view, "plant"), NodeState::Failed { .. }));
    assert_eq!(
        restore(&env.second_process(Role::Cli), &view, "plant").restored,
        [0]
    );
}
