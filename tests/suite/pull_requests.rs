//! Tests opening pull requests from the work of a run: with a bare repository as the remote, and
//! scripts in the place of `gh` and `glab`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use baton_model::RunState;
use baton_tests::git::git;
use baton_tests::shell::CommandOutput;
use baton_tests::{Shell, TestEnvironment};

/// Two nodes with worktrees that build on each other.
const WORK: &str = "
baton: 1
title: Sign in
cwd: .
isolation: worktree
nodes:
  - {id: form, title: 'Form @admin', kind: command, command: 'echo form > form.txt && echo \"Added a form. Fixes #1\" > $BATON_SUMMARY'}
  - {id: test, kind: command, dependsOn: [form], command: 'cp form.txt test.txt'}
";

/// A node that works in the plan's directory.
const SHARED: &str = "
baton: 1
title: Shared
cwd: .
nodes:
  - {id: only, kind: command, command: 'echo changed >> first.txt && echo new > new.txt'}
";

/// Opens a request unless one is open; keeps its arguments and its input.
const GH: &str = r#"#!/bin/sh
echo "$*" >> "$FAKE/calls"
case "$1 $2" in
  "auth token") echo secret;;
  "pr list") if test -e "$FAKE/open"; then echo '[{"isCrossRepository":false,"url":"https://github.com/acme/app/pull/7"}]'; else echo '[]'; fi;;
  "pr create") printf '%s\n' "$@" > "$FAKE/arguments"; cat > "$FAKE/description"; : > "$FAKE/open"
    echo https://github.com/acme/app/pull/7;;
esac
"#;

const GLAB: &str = r#"#!/bin/sh
case "$1 $5" in
  "config "*) echo secret;;
  "api --method") printf '%s\n' "$@" > "$FAKE/arguments"; cat > "$FAKE/description"
    echo '{"iid":7,"web_url":"https://gitlab.com/acme/app/-/merge_requests/7"}';;
  "api "*) echo '[]';;
esac
"#;

/// A repository with a remote, and a folder of programs.
struct Fixture {
    env: TestEnvironment,
    shell: Shell,
    fake: tempfile::TempDir,
}

impl Fixture {
    /// The remote has this address, and pushes to it reach a bare repository.
    fn new(address: &str) -> Self {
        let env = TestEnvironment::new();
        let place = env.work_dir.path();
        let fake = tempfile::tempdir().expect("temp dir");
        let bare = fake.path().join("bare.git");
        git(fake.path(), &["init", "--quiet", "--bare", "bare.git"]);
        git(place, &["init", "--quiet", "--initial-branch=main"]);
        fs::write(place.join(".git/info/exclude"), "*.yaml\n").expect("enough disk space");
        fs::write(place.join("first.txt"), "first\n").expect("enough disk space");
        git(place, &["add", "--all"]);
        git(place, &["commit", "--quiet", "-m", "first"]);
        git(
            place,
            &["remote", "add", "origin", &bare.display().to_string()],
        );
        git(place, &["push", "--quiet", "origin", "main"]);
        if !address.is_empty() {
            let rewrite = format!("url.{}.insteadOf", bare.display());
            git(place, &["config", &rewrite, address]);
            git(place, &["remote", "set-url", "origin", address]);
        }
        Self {
            shell: Shell::new(&env),
            env,
            fake,
        }
    }

    fn install(&self, name: &str, script: &str) {
        let file = self.fake.path().join(name);
        fs::write(&file, script).expect("enough disk space");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("an own file");
    }

    fn run_plan(&self, text: &str) {
        let run = self.env.start(text).summary.id;
        let view = self.env.finish(run);
        assert_eq!(view.summary.state, RunState::Completed, "{view:?}");
    }

    fn baton(&self, arguments: &[&str]) -> CommandOutput {
        let path = format!("{}:/usr/bin:/bin", self.fake.path().display());
        let mut command = self.shell.baton(arguments);
        command
            .env("PATH", path)
            .env("FAKE", self.fake.path())
            .env_remove("SHELL");
        CommandOutput::of(command)
    }

    fn bare(&self) -> PathBuf {
        self.fake.path().join("bare.git")
    }

    fn remote_branches(&self) -> String {
        git(
            &self.bare(),
            &["for-each-ref", "--format=%(refname:short)", "refs/heads"],
        )
    }

    fn recorded(&self, name: &str) -> String {
        fs::read_to_string(self.fake.path().join(name)).expect("the program was called")
    }
}

#[test]
fn gh_opens_a_pull_request_with_the_work_of_the_run_alone() {
    let fixture = Fixture::new("https://github.com/acme/app");
    fixture.install("gh", GH);
    let place = fixture.env.work_dir.path();
    // Neither of these is the run's work.
    fs::write(place.join("mine.txt"), "mine\n").expect("enough disk space");
    fs::write(place.join("first.txt"), "first\nmine\n").expect("enough disk space");
    fixture.run_plan(WORK);
    let before = git(place, &["status", "--porcelain", "--branch"]);

    let seen = fixture.baton(&["runs", "pr", "Sign in", "--dry-run"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    for line in [
        "baton/sign-in-1 -> main at ",
        "  form.txt\n  test.txt\n2 files changed",
    ] {
        assert!(seen.out.contains(line), "{line}: {}", seen.out);
    }
    assert_eq!(
        fixture.remote_branches(),
        "main",
        "a preview changes nothing"
    );
    assert_eq!(git(place, &["branch", "--format=%(refname:short)"]), "main");
    assert_eq!(
        fixture.recorded("calls"),
        "auth token --hostname github.com\n",
        "a preview uses no network"
    );

    let opened = fixture.baton(&["runs", "pr", "Sign in", "--draft"]);
    assert_eq!(opened.code, Some(0), "{opened:?}");
    assert_eq!(opened.out, "https://github.com/acme/app/pull/7\n");
    assert_eq!(
        fixture.recorded("arguments").lines().collect::<Vec<_>>(),
        [
            "pr",
            "create",
            "--repo",
            "github.com/acme/app",
            "--head",
            "baton/sign-in-1",
            "--base",
            "main",
            "--title",
            "Sign in",
            "--body-file",
            "-",
            "--draft",
        ]
    );
    let description = fixture.recorded("description");
    assert!(description.contains("Added a form."), "{description}");
    for sign in ["@admin", "Fixes", "#1"] {
        assert!(!description.contains(sign), "{sign}: {description}");
    }
    let bare = fixture.bare();
    assert_eq!(
        git(&bare, &["diff", "--name-only", "main", "baton/sign-in-1"]),
        "form.txt\ntest.txt"
    );
    assert_eq!(
        git(&bare, &["rev-list", "--count", "main..baton/sign-in-1"]),
        "1"
    );
    assert_eq!(git(place, &["status", "--porcelain", "--branch"]), before);

    let again = fixture.baton(&["runs", "pr", "Sign in"]);
    assert!(again.err.contains("was open already"), "{again:?}");
    assert_eq!(
        git(&bare, &["rev-list", "--count", "main..baton/sign-in-1"]),
        "1"
    );
    let seen = fixture.baton(&["runs", "pr", "Sign in", "--dry-run"]);
    assert!(
        seen.err
            .contains("Opened before: https://github.com/acme/app/pull/7"),
        "{seen:?}"
    );
}

#[test]
fn glab_opens_a_merge_request_from_shared_work() {
    let fixture = Fixture::new("https://gitlab.com/acme/app");
    fixture.install("glab", GLAB);
    let place = fixture.env.work_dir.path();
    fs::write(place.join("mine.txt"), "mine\n").expect("enough disk space");
    fixture.run_plan(SHARED);
    let opened = fixture.baton(&["runs", "pr", "Shared", "--base", "main"]);
    assert_eq!(
        opened.out, "https://gitlab.com/acme/app/-/merge_requests/7\n",
        "{opened:?}"
    );
    let arguments = fixture.recorded("arguments");
    assert!(
        arguments.contains("projects/acme%2Fapp/merge_requests"),
        "{arguments}"
    );
    let sent = fixture.recorded("description");
    for part in [
        r#""source_branch":"baton/shared-1""#,
        r#""target_branch":"main""#,
        r#""title":"Shared""#,
    ] {
        assert!(sent.contains(part), "{part}: {sent}");
    }
    assert_eq!(
        git(
            &fixture.bare(),
            &["diff", "--name-only", "main", "baton/shared-1"]
        ),
        "first.txt\nnew.txt"
    );

    fs::write(place.join("new.txt"), "newer\n").expect("enough disk space");
    let refused = fixture.baton(&["runs", "pr", "Shared"]);
    assert!(refused.err.contains("already exists"), "{refused:?}");
    let looking = fixture.fake.path().join("looking").display().to_string();
    git(
        place,
        &["worktree", "add", "--quiet", &looking, "baton/shared-1"],
    );
    let refused = fixture.baton(&["runs", "pr", "Shared", "--update"]);
    assert!(refused.err.contains("is checked out in"), "{refused:?}");
    git(place, &["worktree", "remove", &looking]);
    let updated = fixture.baton(&["runs", "pr", "Shared", "--update"]);
    assert_eq!(updated.code, Some(0), "{updated:?}");
    assert_eq!(
        git(&fixture.bare(), &["show", "baton/shared-1:new.txt"]),
        "newer"
    );
}

#[test]
fn without_a_program_the_branch_is_made_and_the_push_is_shown() {
    let fixture = Fixture::new("");
    fixture.run_plan(WORK);
    let made = fixture.baton(&["runs", "pr", "Sign in"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(
        made.out
            .contains("push --set-upstream 'origin' 'baton/sign-in-1'"),
        "{made:?}"
    );
    assert_eq!(fixture.remote_branches(), "main");
    let place = fixture.env.work_dir.path();
    assert_eq!(git(place, &["show", "baton/sign-in-1:test.txt"]), "form");

    // A commit that isn't Baton's is never overwritten.
    git(place, &["branch", "--force", "baton/sign-in-1", "main"]);
    let taken = fixture.baton(&["runs", "pr", "Sign in", "--update"]);
    assert!(taken.err.contains("already exists"), "{taken:?}");
    git(place, &["remote", "remove", "origin"]);
    let lonely = fixture.baton(&["runs", "pr", "Sign in", "--branch", "other"]);
    assert!(lonely.err.contains("no remote"), "{lonely:?}");
}

#[test]
fn a_refused_push_is_reported_and_programs_of_the_repository_do_not_run() {
    let fixture = Fixture::new("https://github.com/acme/app");
    fixture.install("gh", GH);
    fixture.run_plan(WORK);
    let place = fixture.env.work_dir.path();
    let evil = fixture.fake.path().join("evil");
    let program = format!("touch {}; git-receive-pack", evil.display());
    git(place, &["config", "remote.origin.receivepack", &program]);
    let hook = fixture.bare().join("hooks/pre-receive");
    fs::write(&hook, "#!/bin/sh\necho protected branch >&2\nexit 1\n").expect("enough disk space");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("an own file");
    let refused = fixture.baton(&["runs", "pr", "Sign in"]);
    assert_ne!(refused.code, Some(0));
    assert!(refused.err.contains("protected branch"), "{refused:?}");
    assert!(
        !fixture.fake.path().join("arguments").exists(),
        "nothing was opened"
    );
    assert!(!evil.exists(), "the repository's program did not run");
    fs::remove_file(&hook).expect("an own file");
    let opened = fixture.baton(&["runs", "pr", "Sign in"]);
    assert_eq!(
        opened.out, "https://github.com/acme/app/pull/7\n",
        "{opened:?}"
    );
}
