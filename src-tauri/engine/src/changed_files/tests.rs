//! Real repositories, and real directories without one.

use super::*;

struct Repository {
    _folder: tempfile::TempDir,
    root: PathBuf,
    snapshots: Snapshots,
}

impl Repository {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        let snapshots = Snapshots::new(root.join("data"));
        let new = Self { _folder: folder, root, snapshots };
        for arguments in [&["init", "--quiet"][..], &["config", "user.email", "a@b"], &["config", "user.name", "A"]] {
            new.git(arguments);
        }
        new
    }

    fn git(&self, arguments: &[&str]) {
        git(&self.root, arguments).expect("git works");
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("room");
        fs::write(path, content).expect("room");
    }

    fn commit(&self) {
        self.git(&["add", "--all", "--", ".", ":(exclude)data"]);
        self.git(&["commit", "--quiet", "-m", "work"]);
    }

    fn since(&self, directory: &Path, before: &Before) -> FileChanges {
        self.snapshots.since(directory, before, Care::Agent)
    }
}

#[test]
fn git_tells_what_changed_meanwhile_and_nothing_else() {
    let repository = Repository::new();
    let root = &repository.root;
    for path in ["kept", "edited", "removed"] {
        repository.write(path, "1");
    }
    repository.commit();
    repository.write("dirty before", "1");
    let before = repository.snapshots.look(root, Care::Agent);
    repository.write("committed", "1");
    repository.git(&["add", "committed"]);
    repository.git(&["commit", "--quiet", "-m", "second"]);
    repository.write("new", "1");
    repository.write("edited", "22");
    fs::remove_file(root.join("removed")).expect("it is there");
    repository.write("data/baton.db", "Baton's own");
    let changes = repository.since(root, &before);
    assert_eq!(changes.source, FileSource::Git);
    assert_eq!(changes.created, ["committed", "new"]);
    assert_eq!(changes.changed, ["edited"]);
    assert_eq!(changes.deleted, ["removed"]);
}

#[test]
fn the_first_commit_of_a_repository_is_told_as_well() {
    let repository = Repository::new();
    let before = repository.snapshots.look(&repository.root, Care::Agent);
    repository.write("first", "1");
    repository.commit();
    repository.write("first", "2");
    assert_eq!(repository.since(&repository.root, &before).created, ["first"]);
}

#[test]
fn files_are_named_from_where_the_attempt_stands() {
    let repository = Repository::new();
    repository.write("app/kept", "1");
    repository.commit();
    let app = repository.root.join("app");
    let before = repository.snapshots.look(&app, Care::Agent);
    repository.write("app/src/new", "1");
    repository.write("docs/new", "1");
    assert_eq!(repository.since(&app, &before).created, ["src/new", "../docs/new"]);
}

#[test]
fn before_is_kept_in_a_file_and_read_back() {
    let repository = Repository::new();
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("a"), "1").expect("room");
    for directory in [repository.root.as_path(), outside.path()] {
        let before = repository.snapshots.look(directory, Care::Agent);
        let text = serde_json::to_string(&before).expect("plain data");
        assert_eq!(serde_json::from_str::<Before>(&text).expect("the same"), before);
    }
}

#[test]
fn outside_of_git_the_directory_is_compared_with_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let snapshots = Snapshots::new(folder.path().join("data"));
    fs::write(folder.path().join("kept"), "1").expect("room");
    let before = snapshots.look(folder.path(), Care::Agent);
    fs::write(folder.path().join("new"), "1").expect("room");
    let changes = snapshots.since(folder.path(), &before, Care::Agent);
    assert_eq!((changes.source, changes.created), (FileSource::Directory, vec!["new".to_owned()]));
}

#[test]
fn a_directory_that_is_too_large_is_not_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let snapshots = Snapshots::new(folder.path().join("data"));
    for number in 0..600 {
        fs::write(folder.path().join(number.to_string()), "").expect("room");
    }
    let before = snapshots.look(folder.path(), Care::Command);
    let changes = snapshots.since(folder.path(), &before, Care::Command);
    assert!(matches!(changes.source, FileSource::Unknown { reason } if reason.contains("too large")));
}

#[test]
fn a_claimed_file_that_git_ignores_is_looked_at_by_itself() {
    let repository = Repository::new();
    repository.write(".gitignore", "dist/\n");
    repository.write("kept", "1");
    repository.commit();
    let place = place_of(&repository.root);
    let known = FileChanges { source: FileSource::Git, ..FileChanges::default() };
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_millis();
    let now = u64::try_from(now).expect("a while yet");
    repository.write("dist/app.js", "1");
    repository.write("kept", "1");
    let look = |path: &str, began| probe(&place, &known, &place.absolute(path), began);
    assert_eq!(look("dist/app.js", now), Probe::Changed, "git does not look there");
    assert_eq!(look("dist/app.js", now + 3_600_000), Probe::Unchanged, "it was there before");
    assert_eq!(look("kept", now), Probe::Unchanged, "written again with the same content, and git knows");
    assert_eq!(look("none", now), Probe::Missing);
}
