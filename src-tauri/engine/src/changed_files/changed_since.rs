//! Checks whether any file of a directory changed since some time, when no watch was active.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::tree::SKIPPED_FOLDERS;
use crate::work_tree::work_tree_above;

/// The maximum number of entries that are checked. A larger directory counts as changed.
const ENTRIES: usize = 200_000;
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns whether anything in the work tree around `directory`, or in `directory` outside of git,
/// was written, created or removed at `since_ms` (Unix time) or later. Folders that tools can
/// recreate do not count, nor does what Baton writes below `data_directory`. In doubt, the answer
/// is yes.
pub(crate) fn has_changed_since(directory: &Path, data_directory: &Path, since_ms: u64) -> bool {
    let root = work_tree_above(directory)
        .unwrap_or(directory)
        .to_path_buf();
    let (began, mut seen) = (Instant::now(), 0);
    let mut open: Vec<PathBuf> = vec![root];
    while let Some(folder) = open.pop() {
        if is_newer(&folder, since_ms) {
            return true;
        }
        let Ok(entries) = fs::read_dir(&folder) else {
            return true;
        };
        for entry in entries {
            let Ok(entry) = entry else { return true };
            seen += 1;
            if seen > ENTRIES || began.elapsed() > PATIENCE {
                return true;
            }
            let path = entry.path();
            let passed_over = SKIPPED_FOLDERS
                .iter()
                .any(|name| entry.file_name() == *name);
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && (passed_over || path == data_directory) => {}
                Ok(kind) if kind.is_dir() => open.push(path),
                _ if is_newer(&path, since_ms) => return true,
                _ => {}
            }
        }
    }
    false
}

/// Compares the change time of the inode, which no program can set back.
fn is_newer(path: &Path, since_ms: u64) -> bool {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return true;
    };
    let changed_ms = i128::from(meta.ctime()) * 1000 + i128::from(meta.ctime_nsec()) / 1_000_000;
    changed_ms >= i128::from(since_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moment after the last change of anything made so far, by the file system's own clock.
    fn after_all_of(path: &Path) -> u64 {
        let meta = fs::symlink_metadata(path).expect("exists");
        u64::try_from(meta.ctime() * 1000 + meta.ctime_nsec() / 1_000_000).expect("after 1970") + 1
    }

    /// Waits until the file system's clock has passed `moment`.
    fn touch_after(path: &Path, moment: u64) {
        while fs::symlink_metadata(path).map_or(true, |_| after_all_of(path) <= moment) {
            fs::write(path, "new").expect("write file");
        }
    }

    #[test]
    fn changes_are_detected_except_build_output() {
        let place = tempfile::tempdir().expect("temp dir");
        let root = place.path();
        let data = root.join("data");
        for folder in ["src/deep", "target", "data"] {
            fs::create_dir_all(root.join(folder)).expect("create folder");
        }
        fs::write(root.join("src/deep/a.rs"), "a").expect("write file");
        fs::write(root.join("target/out"), "a").expect("write file");
        let then = after_all_of(&root.join("target/out"));
        assert!(!has_changed_since(root, &data, then));

        touch_after(&root.join("target/out"), then);
        fs::write(data.join("log"), "a").expect("write file");
        assert!(
            !has_changed_since(root, &data, then),
            "build output does not count"
        );
        touch_after(&root.join("src/deep/a.rs"), then);
        assert!(has_changed_since(root, &data, then));

        let then = after_all_of(&root.join("src/deep/a.rs"));
        assert!(!has_changed_since(root, &data, then));
        touch_after(&data.join("log"), then);
        fs::remove_file(root.join("src/deep/a.rs")).expect("exists");
        assert!(
            has_changed_since(root, &data, then),
            "the folder's time shows the removal"
        );
        assert!(
            has_changed_since(&root.join("gone"), &data, then),
            "an unreadable folder may have changed"
        );
    }
}
