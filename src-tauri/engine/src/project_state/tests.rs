//! States of real repositories.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::*;

struct Project {
    place: tempfile::TempDir,
    data: tempfile::TempDir,
}

impl Project {
    /// A repository with one commit of `a.txt`.
    fn new() -> Self {
        let project = Self {
            place: tempfile::tempdir().expect("temp dir"),
            data: tempfile::tempdir().expect("temp dir"),
        };
        project.git(&["init", "--quiet", "--initial-branch=main"]);
        project.write("a.txt", "a\n");
        project.commit("first");
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("create folder");
        fs::write(path, content).expect("write file");
    }

    fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=Ann", "-c", "user.email=a@b"])
            .args(arguments)
            .current_dir(self.place.path())
            .status();
        assert!(status.expect("git is installed").success(), "{arguments:?}");
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", subject]);
    }

    fn view(&self) -> ProjectRepositoryView {
        ProjectRepositoryView::of(self.place.path(), self.data.path())
            .expect("git works")
            .expect("a repository")
    }

    fn state(&self) -> RepositoryState {
        self.view().state().expect("git works")
    }

    fn since(&self, then: &RepositoryState) -> RepositoryNow {
        self.view().since(then).expect("git works")
    }
}

fn names(files: &[FileState]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn commits_since_an_approval_are_listed() {
    let project = Project::new();
    let then = project.state();
    assert_eq!(then.branch.as_deref(), Some("main"));
    assert_eq!(then.uncommitted, []);
    for number in 1..=7 {
        project.write(&format!("dir/{number} ü.txt"), "text\n");
        project.commit(&format!("change {number} \u{1b}[31m"));
    }
    let history = project.since(&then).history.expect("there was a commit");
    assert_eq!(history.approved, ApprovedCommit::InHistory);
    assert_eq!(history.count, 7);
    assert_eq!(history.files.len(), 7);
    assert_eq!(history.files[0], "dir/1 ü.txt");
    let newest: Vec<_> = history
        .newest
        .iter()
        .map(|one| (&*one.author, &*one.subject))
        .collect();
    assert_eq!(newest.len(), MAX_LISTED_COMMITS);
    assert_eq!(newest[0], ("Ann", "change 7 \u{1b}[31m"));
    let same = project
        .since(&project.state())
        .history
        .expect("there is a commit");
    assert_eq!((same.approved, same.count), (ApprovedCommit::CheckedOut, 0));
}

#[test]
fn rebased_and_lost_commits_are_noticed() {
    let project = Project::new();
    project.write("b.txt", "b\n");
    project.commit("second");
    let then = project.state();
    project.git(&["commit", "--quiet", "--amend", "-m", "second, reworded"]);
    let history = project.since(&then).history.expect("there was a commit");
    assert_eq!(
        (history.approved, history.count),
        (ApprovedCommit::NotInHistory, 1)
    );
    assert_eq!(history.files, Vec::<String>::new());
    project.git(&["reflog", "expire", "--expire=now", "--all"]);
    project.git(&["gc", "--quiet", "--prune=now"]);
    let history = project.since(&then).history.expect("there was a commit");
    assert_eq!((history.approved, history.count), (ApprovedCommit::Gone, 0));
    let edited = RepositoryState {
        commit: Some("--output=stolen".to_owned()),
        ..then
    };
    let history = project.since(&edited).history.expect("there was a commit");
    assert_eq!(history.approved, ApprovedCommit::Gone);
    assert!(!project.path("stolen").exists());
}

#[test]
fn branch_and_detached_head_are_known() {
    let project = Project::new();
    let then = project.state();
    project.git(&["switch", "--quiet", "-c", "feature/x"]);
    assert_eq!(
        project.since(&then).state.branch.as_deref(),
        Some("feature/x")
    );
    project.git(&["switch", "--quiet", "--detach"]);
    let now = project.since(&then);
    assert_eq!(now.state.branch, None);
    assert_eq!(now.state.commit, then.commit);
}

#[test]
fn uncommitted_files_are_known_by_content() {
    let project = Project::new();
    project.write("a.txt", "edited\n");
    project.write("new/b.txt", "b\n");
    std::os::unix::fs::symlink("a.txt", project.path("link")).expect("create link");
    let then = project.state();
    assert_eq!(names(&then.uncommitted), ["a.txt", "link", "new/b.txt"]);
    let is_read = |file: &FileState| matches!(file.content, FileContent::Digest(_));
    assert!(then.uncommitted.iter().all(is_read), "{then:?}");
    assert_eq!(
        project.since(&then).earlier_files,
        then.uncommitted,
        "same content"
    );

    project.commit("as approved");
    let now = project.since(&then);
    assert_eq!(
        now.earlier_files, then.uncommitted,
        "a commit changes no content"
    );
    assert_eq!(now.state.uncommitted, []);
    project.write("a.txt", "edited again\n");
    fs::remove_file(project.path("new/b.txt")).expect("it exists");
    let now = project.since(&then);
    assert_ne!(now.earlier_files[0], then.uncommitted[0]);
    assert_eq!(now.earlier_files[1], then.uncommitted[1]);
    assert_eq!(now.earlier_files[2].content, FileContent::Missing);
    assert_eq!(names(&now.state.uncommitted), ["a.txt", "new/b.txt"]);
}

#[test]
fn only_a_bounded_number_of_files_is_remembered() {
    let project = Project::new();
    for number in 0..1_000 {
        project.write(&format!("many/{number:04}"), "x");
    }
    let then = project.state();
    assert_eq!((then.uncommitted.len(), then.left_out), (MAX_FILES, 500));
    let now = project.since(&then);
    assert_eq!(
        (now.state.uncommitted.len(), now.state.left_out),
        (1_000, 0)
    );
    assert_eq!(now.earlier_files, then.uncommitted);
}

#[test]
fn empty_repository_and_plain_folders_have_no_commit() {
    let data = tempfile::tempdir().expect("temp dir");
    let place = tempfile::tempdir().expect("temp dir");
    let look = || ProjectRepositoryView::of(place.path(), data.path()).expect("no error");
    assert!(look().is_none());
    let made = Command::new("git")
        .args(["init", "--quiet", "-b", "main"])
        .current_dir(place.path())
        .status();
    assert!(made.expect("git is installed").success());
    let state = look().expect("a repository").state().expect("git works");
    assert_eq!(
        (state.commit.as_deref(), state.branch.as_deref()),
        (None, Some("main"))
    );
    let now = look()
        .expect("a repository")
        .since(&state)
        .expect("git works");
    assert_eq!(now.history, None);
    drop(fs::remove_dir_all(place.path()));
    assert!(look().is_none(), "a deleted directory is in no repository");
}

#[test]
fn directory_has_a_place_in_the_work_tree() {
    let project = Project::new();
    project.write("packages/app/a", "");
    let inside = project.path("packages/app");
    assert_eq!(project.view().place_of(&inside), "packages/app");
    assert_eq!(project.view().place_of(project.place.path()), "");
}

#[test]
fn nothing_but_files_inside_the_work_tree_is_read() {
    let project = Project::new();
    fs::create_dir(project.path("folder")).expect("create folder");
    let made = Command::new("mkfifo").arg(project.path("pipe")).status();
    assert!(made.expect("mkfifo is installed").success());
    let now = Instant::now();
    let mut reader = FileReader::new(project.place.path(), now + TIME_LIMIT);
    for (path, expected) in [
        ("folder", FileContent::NotRead),
        ("pipe", FileContent::NotRead),
        ("../a.txt", FileContent::NotRead),
        ("/etc/passwd", FileContent::NotRead),
        ("a\u{fffd}", FileContent::NotRead),
        ("a.txt/b", FileContent::Missing),
        ("none", FileContent::Missing),
    ] {
        assert_eq!(reader.read(path), expected, "{path}");
    }
    assert!(matches!(reader.read("a.txt"), FileContent::Digest(_)));
    let past = now
        .checked_sub(Duration::from_secs(1))
        .expect("the machine runs for longer");
    let mut late = FileReader::new(project.place.path(), past);
    assert_eq!(
        late.read("a.txt"),
        FileContent::NotRead,
        "there is no time left"
    );
}
