//! Checks a file that was claimed and is not among the known changes.
//!
//! The before/after comparison does not cover everything: files below `.git` or in a nested
//! repository, a new folder without files, a path through a symbolic link. There the modification
//! time decides.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use baton_model::evidence::{AttemptDirectory, FileChanges, FileSource, PathProbe};

use crate::changed_files::probe;

/// Checks `path` (absolute, perhaps with `*`) for an attempt that began at `began_ms`.
pub(super) fn probe_file(
    place: &AttemptDirectory,
    known: &FileChanges,
    path: &str,
    began_ms: u64,
) -> PathProbe {
    if let Some((before, _)) = path.split_once('*') {
        return probe_pattern(place, known, before, began_ms);
    }
    let path = &without_links(place, path);
    let absolute = path.display().to_string();
    let is_known = |changed: &str| {
        let changed = place.absolute(changed);
        changed == absolute || Path::new(&changed).starts_with(path)
    };
    if known.paths_with_shared().any(is_known) {
        return PathProbe::Changed;
    }
    if is_apart(place, known, path) {
        return by_date(path, began_ms);
    }
    match fs::symlink_metadata(path) {
        // A folder is not a file that could have changed; its time shows when an entry was created
        // or removed.
        Ok(meta) if meta.is_dir() && is_new(&meta, began_ms) => PathProbe::Changed,
        _ => probe(place, known, &absolute, began_ms),
    }
}

/// No changed file matches the pattern. Ignored files may match: then their folder has a new
/// modification time.
fn probe_pattern(
    place: &AttemptDirectory,
    known: &FileChanges,
    before: &str,
    began_ms: u64,
) -> PathProbe {
    let folder = before.rsplit_once('/').map_or("/", |(folder, _)| folder);
    match probe_file(place, known, folder, began_ms) {
        PathProbe::Changed | PathProbe::Unknown => PathProbe::Unknown,
        PathProbe::Unchanged | PathProbe::Missing => PathProbe::Missing,
    }
}

/// The path as the comparison names it, if it leads there through a link; otherwise the path
/// itself.
fn without_links(place: &AttemptDirectory, path: &str) -> PathBuf {
    let given = Path::new(path);
    let (Some(folder), Some(name)) = (given.parent(), given.file_name()) else {
        return given.to_path_buf();
    };
    let real = |path: &Path| fs::canonicalize(path).ok();
    let below = real(Path::new(&place.root))
        .zip(real(folder))
        .and_then(|(root, folder)| {
            let below = folder.strip_prefix(root).ok()?.join(name);
            Some(Path::new(&place.root).join(below))
        });
    below.unwrap_or_else(|| given.to_path_buf())
}

/// Returns whether git does not compare the file, although it is in the tree: it is git's own, or
/// in a nested repository.
fn is_apart(place: &AttemptDirectory, known: &FileChanges, path: &Path) -> bool {
    let Ok(below) = path.strip_prefix(&place.root) else {
        return false;
    };
    if below.components().any(|part| part.as_os_str() == ".git") {
        return true;
    }
    let root = Path::new(&place.root);
    let mut folders = path
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != root);
    known.source == FileSource::Git && folders.any(|folder| folder.join(".git").exists())
}

/// Returns whether it existed before is unknown.
fn by_date(path: &Path, began_ms: u64) -> PathProbe {
    match fs::symlink_metadata(path) {
        Ok(meta) if is_new(&meta, began_ms) => PathProbe::Changed,
        Ok(meta) if !meta.is_dir() => PathProbe::Unchanged,
        _ => PathProbe::Unknown,
    }
}

/// Returns whether the last change is as late as the beginning. File system timestamps are coarse.
fn is_new(meta: &fs::Metadata, began_ms: u64) -> bool {
    let changed_ms = i128::from(meta.ctime()) * 1000 + i128::from(meta.ctime_nsec()) / 1_000_000;
    changed_ms + 1000 >= i128::from(began_ms)
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::SystemTime;

    use super::*;

    const LATER: u64 = 3_600_000;

    fn now() -> u64 {
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .expect("after 1970");
        u64::try_from(since.as_millis()).expect("fits in u64")
    }

    fn repository(folder: &Path) {
        let status = Command::new("git")
            .args(["init", "--quiet"])
            .current_dir(folder)
            .status()
            .expect("git is installed");
        assert!(status.success());
    }

    /// The results for an attempt that began just now, and for one that begins in an hour.
    fn probes(root: &Path, path: &str, changed: &[&str]) -> (PathProbe, PathProbe) {
        let root = root.display().to_string();
        let place = AttemptDirectory {
            directory: root.clone(),
            root,
        };
        let changed = changed.iter().map(|&path| path.to_owned()).collect();
        let known = FileChanges {
            source: FileSource::Git,
            changed,
            ..FileChanges::default()
        };
        let path = place.absolute(path);
        (
            probe_file(&place, &known, &path, now()),
            probe_file(&place, &known, &path, now() + LATER),
        )
    }

    #[test]
    fn files_unknown_to_git_are_judged_by_mtime() {
        let folder = tempfile::tempdir().expect("temp dir");
        let root = folder.path().canonicalize().expect("exists");
        repository(&root);
        for path in ["nested/src", "empty", "src", "ignored"] {
            fs::create_dir_all(root.join(path)).expect("create folder");
        }
        repository(&root.join("nested"));
        for (path, text) in [
            ("nested/src/a.c", ""),
            (".git/hooks/pre-commit", ""),
            ("src/a.rs", ""),
            ("ignored/a.js", ""),
            (".gitignore", "ignored/\n"),
        ] {
            fs::write(root.join(path), text).expect("write file");
        }
        std::os::unix::fs::symlink("src", root.join("link")).expect("create link");
        use PathProbe::{Changed, Missing, Unchanged, Unknown};
        for (path, changed, expected) in [
            ("nested/src/a.c", &[][..], (Changed, Unchanged)),
            ("nested/src/gone.c", &[], (Unknown, Unknown)),
            (".git/hooks/pre-commit", &[], (Changed, Unchanged)),
            (".git/hooks/gone", &[], (Unknown, Unknown)),
            ("empty", &[], (Changed, Unchanged)),
            ("ignored/a.js", &[], (Changed, Unchanged)),
            ("ignored/*.js", &[], (Unknown, Unknown)),
            ("src/*.py", &[], (Unknown, Missing)),
            ("src/a.rs", &[], (Unchanged, Unchanged)),
            ("src/gone.rs", &[], (Missing, Missing)),
            ("link/a.rs", &["src/a.rs"], (Changed, Changed)),
            ("link/a.rs", &[], (Unchanged, Unchanged)),
        ] {
            assert_eq!(probes(&root, path, changed), expected, "{path}");
        }
    }
}
