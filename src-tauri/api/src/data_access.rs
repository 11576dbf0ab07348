//! Who may reach the data directory: its owner alone.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The rights of the group and of everybody.
const OTHERS: u32 = 0o077;
/// Such a directory is shared by many users on purpose.
const STICKY: u32 = 0o1000;

/// What lies directly in the data directory, beside the databases with their companions.
const OWN: [&str; 8] = [
    "app-state.json",
    "app-state.lock",
    "enrichments.json",
    "enrichments.lock",
    "file-journals",
    "logs",
    "sessions",
    "worktrees",
];

/// Takes the rights of others from the data directory and from what lies directly in it; deeper down nobody gets then.
/// Returns what others can still reach: a directory that holds more than Baton's data keeps its mode, and one of
/// another user cannot be changed.
pub(crate) fn close(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut exposed = Vec::new();
    let mut is_shared = false;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !is_own(&entry.file_name().to_string_lossy()) {
            is_shared = true;
        } else if let Some(open) = still_open(&entry.path()) {
            exposed.push(open);
        }
    }
    let meta = folder.metadata()?;
    is_shared |= meta.mode() & STICKY != 0;
    if is_open(&meta) && (is_shared || !shut(folder, &meta)) {
        exposed.push(folder.to_owned());
    }
    exposed.sort();
    Ok(exposed)
}

/// Whether others may enter or read the data directory.
pub(crate) fn is_exposed(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|meta| is_open(&meta))
}

fn is_own(name: &str) -> bool {
    let companions = ["baton.", "transcripts.", "window.", "doctor-", "."];
    OWN.contains(&name) || companions.iter().any(|start| name.starts_with(start))
}

/// The path when it is open to others and stays so. A link has no mode of its own, and what it leads to is elsewhere.
fn still_open(path: &Path) -> Option<PathBuf> {
    let meta = path
        .symlink_metadata()
        .ok()
        .filter(|meta| !meta.is_symlink())?;
    (is_open(&meta) && !shut(path, &meta)).then(|| path.to_owned())
}

fn is_open(meta: &Metadata) -> bool {
    meta.mode() & OTHERS != 0
}

fn shut(path: &Path, meta: &Metadata) -> bool {
    fs::set_permissions(path, Permissions::from_mode(meta.mode() & 0o7777 & !OTHERS)).is_ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().expect("it is there").mode() & 0o777
    }

    fn with_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    }

    #[test]
    fn an_open_data_directory_is_closed_with_what_lies_in_it() {
        let folder = tempfile::tempdir().expect("room");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sessions")).expect("room");
        fs::write(at("baton.db"), "").expect("room");
        fs::write(at("window.json"), "").expect("room");
        with_mode(folder.path(), 0o755);
        with_mode(&at("sessions"), 0o775);
        with_mode(&at("baton.db"), 0o644);
        assert!(is_exposed(folder.path()));
        assert_eq!(
            close(folder.path()).expect("readable"),
            Vec::<PathBuf>::new()
        );
        assert_eq!(
            (
                mode(folder.path()),
                mode(&at("sessions")),
                mode(&at("baton.db"))
            ),
            (0o700, 0o700, 0o600)
        );
        assert!(!is_exposed(folder.path()));
    }

    #[test]
    fn a_directory_that_holds_other_things_keeps_its_mode_and_is_told() {
        let (folder, elsewhere) = (
            tempfile::tempdir().expect("room"),
            tempfile::tempdir().expect("room"),
        );
        let at = |name: &str| folder.path().join(name);
        for name in ["baton.db", "letter.txt"] {
            fs::write(at(name), "").expect("room");
            with_mode(&at(name), 0o644);
        }
        with_mode(folder.path(), 0o755);
        with_mode(elsewhere.path(), 0o755);
        symlink(elsewhere.path(), at("sessions")).expect("room");
        assert_eq!(
            close(folder.path()).expect("readable"),
            [folder.path().to_owned()]
        );
        assert_eq!(
            (mode(folder.path()), mode(&at("letter.txt"))),
            (0o755, 0o644)
        );
        assert_eq!(
            mode(&at("baton.db")),
            0o600,
            "Baton's own files are closed anyway"
        );
        assert_eq!(mode(elsewhere.path()), 0o755, "a link is not followed");
    }

    #[test]
    fn a_directory_that_many_share_is_left_alone() {
        let folder = tempfile::tempdir().expect("room");
        with_mode(folder.path(), 0o1777);
        assert_eq!(
            close(folder.path()).expect("readable"),
            [folder.path().to_owned()]
        );
        assert_eq!(mode(folder.path()), 0o777);
    }
}
