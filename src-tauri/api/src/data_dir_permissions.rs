//! File permissions of the data directory: only its owner has access.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Permission bits of the group and of others.
const GROUP_AND_OTHERS: u32 = 0o077;
/// Directories with this bit are deliberately shared by many users.
const STICKY: u32 = 0o1000;

/// Files and folders directly in the data directory, except for databases and their companion
/// files.
const BATON_FILES: [&str; 9] = [
    "app-state.json",
    "app-state.lock",
    "commits",
    "enrichments.json",
    "enrichments.lock",
    "file-journals",
    "logs",
    "sessions",
    "worktrees",
];

/// Removes other users' permissions from the data directory and the files directly in it, which
/// also blocks access to everything below. Returns the paths that others can still access: a
/// directory that contains other data keeps its mode, and one that belongs to another user can't be
/// changed.
pub(crate) fn restrict_to_owner(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut exposed = Vec::new();
    let mut is_shared = false;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !is_baton_file(&entry.file_name().to_string_lossy()) {
            is_shared = true;
        } else if let Some(open) = still_accessible(&entry.path()) {
            exposed.push(open);
        }
    }
    let meta = folder.metadata()?;
    is_shared |= meta.mode() & STICKY != 0;
    if is_accessible_to_others(&meta) && (is_shared || !remove_access(folder, &meta)) {
        exposed.push(folder.to_owned());
    }
    exposed.sort();
    Ok(exposed)
}

/// Returns whether other users may enter or read the data directory.
pub(crate) fn is_exposed(folder: &Path) -> bool {
    folder
        .metadata()
        .is_ok_and(|meta| is_accessible_to_others(&meta))
}

fn is_baton_file(name: &str) -> bool {
    let companions = ["baton.", "transcripts.", "window.", "doctor-", "."];
    BATON_FILES.contains(&name) || companions.iter().any(|start| name.starts_with(start))
}

/// Returns the path if others can access it and that can't be changed. Links are skipped: they have
/// no mode of their own, and their targets are elsewhere.
fn still_accessible(path: &Path) -> Option<PathBuf> {
    let meta = path
        .symlink_metadata()
        .ok()
        .filter(|meta| !meta.is_symlink())?;
    (is_accessible_to_others(&meta) && !remove_access(path, &meta)).then(|| path.to_owned())
}

fn is_accessible_to_others(meta: &Metadata) -> bool {
    meta.mode() & GROUP_AND_OTHERS != 0
}

fn remove_access(path: &Path, meta: &Metadata) -> bool {
    fs::set_permissions(
        path,
        Permissions::from_mode(meta.mode() & 0o7777 & !GROUP_AND_OTHERS),
    )
    .is_ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().expect("exists").mode() & 0o777
    }

    fn with_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("set permissions");
    }

    #[test]
    fn exposed_data_directory_is_restricted_with_its_files() {
        let folder = tempfile::tempdir().expect("temp dir");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sessions")).expect("create folder");
        fs::write(at("baton.db"), "").expect("write file");
        fs::write(at("window.json"), "").expect("write file");
        with_mode(folder.path(), 0o755);
        with_mode(&at("sessions"), 0o775);
        with_mode(&at("baton.db"), 0o644);
        assert!(is_exposed(folder.path()));
        assert_eq!(
            restrict_to_owner(folder.path()).expect("readable"),
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
    fn directory_with_foreign_files_keeps_its_mode_and_is_reported() {
        let (folder, elsewhere) = (
            tempfile::tempdir().expect("temp dir"),
            tempfile::tempdir().expect("temp dir"),
        );
        let at = |name: &str| folder.path().join(name);
        for name in ["baton.db", "letter.txt"] {
            fs::write(at(name), "").expect("write file");
            with_mode(&at(name), 0o644);
        }
        with_mode(folder.path(), 0o755);
        with_mode(elsewhere.path(), 0o755);
        symlink(elsewhere.path(), at("sessions")).expect("create link");
        assert_eq!(
            restrict_to_owner(folder.path()).expect("readable"),
            [folder.path().to_owned()]
        );
        assert_eq!(
            (mode(folder.path()), mode(&at("letter.txt"))),
            (0o755, 0o644)
        );
        assert_eq!(
            mode(&at("baton.db")),
            0o600,
            "Baton's own files are still restricted"
        );
        assert_eq!(mode(elsewhere.path()), 0o755, "a link is not followed");
    }

    #[test]
    fn sticky_directory_is_left_alone() {
        let folder = tempfile::tempdir().expect("temp dir");
        with_mode(folder.path(), 0o1777);
        assert_eq!(
            restrict_to_owner(folder.path()).expect("readable"),
            [folder.path().to_owned()]
        );
        assert_eq!(mode(folder.path()), 0o777);
    }
}
