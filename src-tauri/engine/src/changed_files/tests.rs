//! Tests with real repositories, and with real directories outside of git.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use baton_model::evidence::{FileChanges, FileSource, PathProbe};
use baton_model::{RunId, SessionId};
use uuid::Uuid;

use super::tree::WatchMode;
use super::*;

/// A working directory, and a ledger that observes it.
struct Workplace {
    _folder: tempfile::TempDir,
    root: PathBuf,
    ledger: FileLedger,
}

impl Workplace {
    fn plain() -> Self {
        let folder = tempfile::tempdir().expect("temp dir");
        let root = folder.path().canonicalize().expect("exists").join("work");
        fs::create_dir(&root).expect("create folder");
        let ledger = FileLedger::new(root.join("data"));
        Self {
            _folder: folder,
            root,
            ledger,
        }
    }

    fn repository() -> Self {
        let new = Self::plain();
        for arguments in [
            &["init", "--quiet"][..],
            &["config", "user.email", "a@b"],
            &["config", "user.name", "A"],
        ] {
            new.git(arguments);
        }
        new
    }

    fn watch_mode(mut self, watch_mode: WatchMode) -> Self {
        self.ledger.watch_mode = watch_mode;
        self
    }

    fn git(&self, arguments: &[&str]) {
        git(&self.root, arguments).expect("git works");
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("has a parent")).expect("create folder");
        fs::write(path, content).expect("write file");
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).expect("exists");
    }

    fn commit(&self) {
        self.git(&["add", "--all", "--", ".", ":(exclude)data"]);
        self.git(&["commit", "--quiet", "-m", "work"]);
    }

    fn attempt(&self, number: u128) -> AttemptFiles {
        self.attempt_in(&self.root, number)
    }

    fn attempt_in(&self, directory: &Path, number: u128) -> AttemptFiles {
        self.ledger
            .begin(attempting(directory, number, &format!("Node {number}")))
    }
}

fn attempting<'a>(directory: &'a Path, number: u128, title: &'a str) -> AttemptInfo<'a> {
    let (run, session) = (
        RunId(Uuid::from_u128(1)),
        SessionId(Uuid::from_u128(number)),
    );
    AttemptInfo {
        run,
        session,
        title,
        directory,
        scan_depth: ScanDepth::Agent,
    }
}

fn files_of(attempt: &AttemptFiles) -> FileChanges {
    attempt.changes().expect("first call").files
}

const EVERY_WAY: [WatchMode; 3] = [WatchMode::Allowed, WatchMode::Never, WatchMode::UpTo(2)];

#[test]
fn only_changes_during_the_attempt_are_reported() {
    for watch_mode in EVERY_WAY {
        let place = Workplace::repository().watch_mode(watch_mode);
        place.write(".gitignore", "*.log\nbuild/\n");
        for path in ["kept", "edited", "removed", "rewritten", "sub/a/b/deep"] {
            place.write(path, "1");
        }
        let old = fs::File::options()
            .append(true)
            .open(place.root.join("rewritten"))
            .expect("exists");
        old.set_modified(std::time::SystemTime::UNIX_EPOCH)
            .expect("a date");
        place.commit();
        place.write("dirty before", "1");
        place.write("build/before.o", "1");
        let attempt = place.attempt(1);
        place.write("committed", "1");
        place.git(&["add", "committed"]);
        place.git(&["commit", "--quiet", "-m", "second"]);
        place.write("new/in/folders", "1");
        place.write("edited", "22");
        place.write("sub/a/b/deep", "22");
        place.write("rewritten", "1");
        place.remove("removed");
        place.write("data/baton.db", "Baton's own");
        place.write("x.log", "ignored");
        place.write("build/x.o", "ignored");
        place.write("passing", "1");
        place.remove("passing");
        let Changes { files, transient } = attempt.changes().expect("first call");
        assert_eq!(files.source, FileSource::Git);
        assert_eq!(
            files.created,
            ["committed", "new/in/folders"],
            "{watch_mode:?}"
        );
        assert_eq!(files.changed, ["edited", "sub/a/b/deep"], "{watch_mode:?}");
        assert_eq!(files.deleted, ["removed"], "{watch_mode:?}");
        assert_eq!((files.shared.len(), files.beside.len()), (0, 0));
        if watch_mode == WatchMode::Allowed {
            assert_eq!(transient, ["passing"]);
        }
        assert_eq!(attempt.changes(), None, "the work is over");
    }
}

#[test]
fn earlier_changes_committed_during_the_attempt_are_reported() {
    let place = Workplace::repository();
    place.write("a", "1");
    place.commit();
    place.write("a", "22");
    let attempt = place.attempt(1);
    place.commit();
    assert_eq!(files_of(&attempt).changed, ["a"]);
}

#[test]
fn first_commit_is_reported() {
    let place = Workplace::repository();
    let attempt = place.attempt(1);
    place.write("first", "1");
    place.commit();
    assert_eq!(files_of(&attempt).created, ["first"]);
}

#[test]
fn paths_are_relative_to_the_attempt_directory() {
    let place = Workplace::repository();
    place.write("app/kept", "1");
    place.commit();
    let attempt = place.attempt_in(&place.root.join("app"), 1);
    place.write("app/src/new", "1");
    place.write("docs/new", "1");
    assert_eq!(files_of(&attempt).created, ["src/new", "../docs/new"]);
}

#[test]
fn rewrite_with_same_content_is_unchanged_outside_git() {
    for watch_mode in EVERY_WAY {
        let place = Workplace::plain().watch_mode(watch_mode);
        for path in ["kept", "touched", "edited", "gone", "tool"] {
            place.write(path, "1");
        }
        let attempt = place.attempt(1);
        for own in ["node_modules", "data", "sub/.git"] {
            place.write(&format!("{own}/x"), "passed over");
        }
        place.write("sub/new", "1");
        place.write("edited", "2");
        place.write("touched", "1");
        place.remove("gone");
        std::os::unix::fs::symlink("/nowhere", place.root.join("link")).expect("create link");
        let files = files_of(&attempt);
        assert_eq!(files.source, FileSource::Directory);
        assert_eq!(files.created, ["link", "sub/new"], "{watch_mode:?}");
        assert_eq!(files.changed, ["edited"], "{watch_mode:?}");
        assert_eq!(files.deleted, ["gone"], "{watch_mode:?}");
    }
}

#[test]
fn change_is_attributed_only_to_a_lone_attempt() {
    for place in [Workplace::plain(), Workplace::repository()] {
        let first = place.attempt(1);
        place.write("of the first", "1");
        let second = place.attempt(2);
        place.write("of either", "1");
        let found = files_of(&first);
        assert_eq!(
            (found.created, found.shared),
            (
                vec!["of the first".to_owned()],
                vec!["of either".to_owned()]
            )
        );
        assert_eq!(found.beside, ["Node 2"]);
        place.write("by a check of the first", "1");
        first.finish();
        place.write("of the second", "1");
        let found = files_of(&second);
        assert_eq!(found.created, ["of the second"]);
        assert_eq!(found.shared, ["by a check of the first", "of either"]);
        second.finish();
        place.write("of a person", "1");
        let third = place.attempt(3);
        assert_eq!(
            files_of(&third),
            FileChanges {
                source: found.source,
                base: found.base,
                ..FileChanges::default()
            }
        );
    }
}

#[test]
fn nested_directories_count_as_shared() {
    let place = Workplace::plain();
    let app = place.root.join("app");
    fs::create_dir(&app).expect("create folder");
    let above = place.attempt(1);
    let below = place.attempt_in(&app, 2);
    place.write("app/x", "1");
    assert_eq!(files_of(&above).shared, ["app/x"]);
    let found = files_of(&below);
    assert_eq!(
        (found.created.len(), found.shared),
        (0, vec!["x".to_owned()])
    );
}

#[test]
fn reads_are_ignored_and_renamed_folders_followed() {
    let place = Workplace::plain();
    for number in 0..50 {
        place.write(&format!("a/b/{number}"), "1");
    }
    let attempt = place.attempt(1);
    fs::read(place.root.join("a/b/1")).expect("exists");
    fs::rename(place.root.join("a/b"), place.root.join("c")).expect("rename");
    place.write("c/new", "1");
    fs::rename(place.root.join("c"), place.root.join("a/b")).expect("rename");
    place.write("a/b/later", "1");
    let found = files_of(&attempt);
    assert_eq!(found.created, ["a/b/later", "a/b/new"]);
    assert_eq!(
        (found.changed.len(), found.deleted.len()),
        (0, 0),
        "{found:?}"
    );
}

#[test]
fn oversized_directory_is_unknown() {
    let place = Workplace::plain().watch_mode(WatchMode::Never);
    for number in 0..600 {
        place.write(&number.to_string(), "");
    }
    let attempt = AttemptInfo {
        scan_depth: ScanDepth::Command,
        ..attempting(&place.root, 1, "Node")
    };
    let source = files_of(&place.ledger.begin(attempt)).source;
    assert!(matches!(source, FileSource::Unknown { reason } if reason.contains("too large")));
}

#[test]
fn next_process_sees_changes_made_while_none_ran() {
    for place in [Workplace::plain(), Workplace::repository()] {
        place.write("before", "1");
        place.write("edited", "1");
        let attempt = place.attempt(1);
        place.write("by the attempt", "1");
        // The process dies: nothing is queried or dropped, and its lock on the journal is released.
        let journals: Vec<PathBuf> = journals(&place.root.join("data"));
        let copies: Vec<Vec<u8>> = journals
            .iter()
            .map(|path| fs::read(path).expect("exists"))
            .collect();
        assert_eq!(
            journals.len(),
            1,
            "an agent's attempt has one from its beginning"
        );
        drop(attempt.changes());
        drop(attempt);
        place.write("edited", "22");
        let next = FileLedger::new(place.root.join("data"));
        // The old file is replaced; an open handle still refers to it.
        fs::rename(&journals[0], journals[0].with_extension("old")).expect("rename");
        fs::write(&journals[0], &copies[0]).expect("write file");
        fs::remove_file(journals[0].with_extension("old")).expect("exists");
        let adopted = next.adopt(attempting(&place.root, 1, "Node 1"));
        place.write("later", "1");
        let found = files_of(&adopted);
        assert_eq!(found.created, ["by the attempt", "later"]);
        assert_eq!(found.changed, ["edited"]);
        let stranger = next.adopt(attempting(&place.root, 2, "Node 2"));
        assert!(
            !files_of(&stranger).is_known(),
            "its beginning was not recorded"
        );
    }
}

#[test]
fn next_process_sees_changes_after_a_detach() {
    let place = Workplace::plain();
    let attempt = place.attempt(1);
    place.write("by the attempt", "1");
    assert_eq!(files_of(&attempt).created, ["by the attempt"]);
    drop(attempt);
    place.ledger.release(RunId(Uuid::from_u128(1)));
    let next = FileLedger::new(place.root.join("data"));
    let adopted = next.adopt(attempting(&place.root, 1, "Node 1"));
    assert_eq!(files_of(&adopted).created, ["by the attempt"]);
    adopted.finish();
    next.release(RunId(Uuid::from_u128(1)));
    assert!(
        journals(&place.root.join("data")).is_empty(),
        "they are no longer needed"
    );
}

fn journals(data: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(data.join("file-journals"))
        .expect("exists")
        .flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).expect("exists").flatten());
    files.map(|file| file.path()).collect()
}

#[test]
fn ignored_claimed_file_is_probed_individually() {
    let place = Workplace::repository();
    place.write(".gitignore", "dist/\n");
    place.write("kept", "1");
    place.commit();
    let here = place_of(&place.root);
    let known = FileChanges {
        source: FileSource::Git,
        ..FileChanges::default()
    };
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970")
        .as_millis();
    let now = u64::try_from(now).expect("fits in u64");
    place.write("dist/app.js", "1");
    place.write("kept", "1");
    let probe_at = |path: &str, began| probe(&here, &known, &here.absolute(path), began);
    assert_eq!(
        probe_at("dist/app.js", now),
        PathProbe::Changed,
        "git ignores it"
    );
    assert_eq!(
        probe_at("dist/app.js", now + 3_600_000),
        PathProbe::Unchanged,
        "it existed before"
    );
    assert_eq!(
        probe_at("kept", now),
        PathProbe::Unchanged,
        "rewritten with the content that git knows"
    );
    assert_eq!(probe_at("none", now), PathProbe::Missing);
}

/// Random numbers without a crate: a linear congruential generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

#[test]
fn incremental_changes_match_a_full_scan() {
    let seed = std::env::var("BATON_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| {
        u64::from(std::process::id())
            ^ u64::from(
                std::time::UNIX_EPOCH
                    .elapsed()
                    .map_or(0, |now| now.subsec_nanos()),
            )
    });
    for (number, place) in [Workplace::plain(), Workplace::repository()]
        .into_iter()
        .enumerate()
    {
        let mut chance = Chance(seed ^ number as u64);
        let mut next = 0;
        change_at_random(&place, &mut chance, 2_000, &mut next);
        for round in 0..4 {
            let seed = format!("{seed}, place {number}");
            let before = contents(&place.root);
            let attempt = place.attempt(round + 1);
            change_at_random(&place, &mut chance, 3_000, &mut next);
            let after = contents(&place.root);
            let found = files_of(&attempt);
            let created: BTreeSet<&String> = after
                .keys()
                .filter(|path| !before.contains_key(*path))
                .collect();
            let deleted: BTreeSet<&String> = before
                .keys()
                .filter(|path| !after.contains_key(*path))
                .collect();
            let changed: BTreeSet<&String> = after
                .iter()
                .filter(|(path, now)| before.get(*path).is_some_and(|was| was != *now))
                .map(|(path, _)| path)
                .collect();
            assert_eq!(
                found.created.iter().collect::<BTreeSet<_>>(),
                created,
                "BATON_SEED={seed}, round {round}"
            );
            assert_eq!(
                found.deleted.iter().collect::<BTreeSet<_>>(),
                deleted,
                "BATON_SEED={seed}, round {round}"
            );
            assert_eq!(
                found.changed.iter().collect::<BTreeSet<_>>(),
                changed,
                "BATON_SEED={seed}, round {round}"
            );
            attempt.finish();
        }
    }
}

/// The files and their content, read independently of the code under test.
fn contents(root: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("exists").flatten() {
            let path = entry.path();
            let below = path
                .strip_prefix(root)
                .expect("below")
                .display()
                .to_string();
            if below == "data" || below == ".git" {
                continue;
            }
            match entry.file_type().expect("exists").is_dir() {
                true => open.push(path),
                false => _ = found.insert(below, fs::read(path).expect("exists")),
            }
        }
    }
    found
}

fn change_at_random(place: &Workplace, chance: &mut Chance, count: usize, next: &mut usize) {
    let root = &place.root;
    for _ in 0..count {
        let folder = |chance: &mut Chance| format!("d{}/e{}", chance.below(12), chance.below(6));
        let file = |chance: &mut Chance| format!("{}/f{}", folder(chance), chance.below(8));
        *next += 1;
        match chance.below(12) {
            0..=4 => place.write(&file(chance), &format!("content {next}")),
            5 => place.write(&file(chance), "the same"),
            // Most of these fail, since the file does not exist.
            6 | 7 => drop(fs::remove_file(root.join(file(chance)))),
            8 => drop(fs::rename(root.join(file(chance)), root.join(file(chance)))),
            9 => drop(fs::rename(
                root.join(folder(chance)),
                root.join(format!("d{}/r{}", chance.below(12), chance.below(3))),
            )),
            10 => drop(fs::rename(
                root.join(format!("d{}", chance.below(12))),
                root.join(format!("d{}", chance.below(12))),
            )),
            _ if chance.below(10) == 0 => drop(fs::remove_dir_all(root.join(folder(chance)))),
            // As editors save: to a new file, which then replaces the old one.
            _ => {
                let to = file(chance);
                place.write(&format!("{to}.tmp"), &format!("saved {next}"));
                drop(fs::rename(root.join(format!("{to}.tmp")), root.join(to)));
            }
        }
    }
}
