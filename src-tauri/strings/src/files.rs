//! Which files hold texts.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Folders and files whose strings nobody sees: tests, measurements, what is built.
const SILENT: [&str; 9] = [
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

/// The files at `place` that hold texts of one kind, by their ending, sorted.
pub(crate) fn below(place: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    gather(place, &mut found)?;
    found.retain(|file| file.extension().is_some_and(|end| end == ending));
    found.sort();
    Ok(found)
}

fn gather(place: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if place
        .file_name()
        .is_some_and(|name| SILENT.iter().any(|silent| name == *silent))
    {
        return Ok(());
    }
    if place.is_dir() {
        return fs::read_dir(place)?.try_for_each(|entry| gather(&entry?.path(), found));
    }
    found.push(place.to_owned());
    Ok(())
}
