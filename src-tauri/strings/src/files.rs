//! Finds the files that contain texts.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Folders and files whose strings no user sees: tests, benchmarks, build output.
const SKIPPED: [&str; 9] = [
    "benches",
    "build.rs",
    "examples",
    "recorded",
    "simulation",
    "snapshots",
    "target",
    "tests",
    "tests.rs",
];

/// Returns the files below `root` with the extension `ending`, sorted.
pub(crate) fn files_with_extension(root: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect_files(root, &mut found)?;
    found.retain(|file| file.extension().is_some_and(|end| end == ending));
    found.sort();
    Ok(found)
}

fn collect_files(root: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if root
        .file_name()
        .is_some_and(|name| SKIPPED.iter().any(|silent| name == *silent))
    {
        return Ok(());
    }
    if root.is_dir() {
        return fs::read_dir(root)?.try_for_each(|entry| collect_files(&entry?.path(), found));
    }
    found.push(root.to_owned());
    Ok(())
}
