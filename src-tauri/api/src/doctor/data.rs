//! Checks for the data directory and the database.

use std::path::Path;

use crate::wire::*;
use crate::{App, damage, data_dir_permissions};

/// Below this, sessions may soon have no space for their output.
const LOW_DISK_BYTES: u64 = 1024 * 1024 * 1024;

/// The checks for the data directory and the database in it.
pub(super) fn checks(app: &App) -> Vec<Check> {
    let folder = app.store.data_dir();
    let mut checks = vec![
        check_writable(folder),
        check_permissions(folder),
        disk_space(folder, free_bytes(folder)),
        database(app),
    ];
    checks.extend(damage::checks(app));
    checks
}

fn check_writable(folder: &Path) -> Check {
    match tempfile::Builder::new()
        .prefix("doctor-")
        .tempfile_in(folder)
    {
        Ok(_) => Check::new(
            CheckVerdict::Passed,
            format!("{} is writable", folder.display()),
        ),
        Err(error) => {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("{} isn't writable: {error}", folder.display()),
            );
            check.with_fix(
                "change its owner and permissions, or set BATON_DATA_DIR to another folder",
            )
        }
    }
}

fn check_permissions(folder: &Path) -> Check {
    let name = folder.display();
    if !data_dir_permissions::is_exposed(folder) {
        return Check::new(CheckVerdict::Passed, format!("only you can access {name}"));
    }
    let sentence = format!(
        "other users of this machine can access {name}, which contains prompts, output and tokens"
    );
    Check::new(CheckVerdict::Warning, sentence)
        .with_fix("set BATON_DATA_DIR to a separate folder, or run `chmod 700` on this one")
}

fn disk_space(folder: &Path, free: Option<u64>) -> Check {
    match free {
        None => Check::new(
            CheckVerdict::Warning,
            format!("couldn't check the free space in {}", folder.display()),
        )
        .with_fix("check with `df`"),
        Some(free) if free < LOW_DISK_BYTES => Check::new(
            CheckVerdict::Warning,
            format!("only {} MB of disk space is free", free / 1_000_000),
        )
        .with_fix("free some space, or delete old plans and their runs"),
        Some(free) => Check::new(
            CheckVerdict::Passed,
            format!("{} GB of disk space is free", free / 1_000_000_000),
        ),
    }
}

fn free_bytes(folder: &Path) -> Option<u64> {
    let stat = nix::sys::statvfs::statvfs(folder).ok()?;
    // The width of these numbers depends on the platform.
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
    Some((stat.blocks_available() as u64).saturating_mul(stat.fragment_size() as u64))
}

fn database(app: &App) -> Check {
    match app.store.integrity_errors() {
        Ok(damage) if damage.is_empty() => Check::new(
            CheckVerdict::Passed,
            format!(
                "the database is intact (format {})",
                baton_store::NEWEST_FORMAT
            ),
        ),
        Ok(damage) => Check::new(
            CheckVerdict::Failed,
            format!("the database is damaged: {}", damage.join("; ")),
        )
        .with_fix(
            "stop Baton, keep a copy of baton.db, and recover it with `sqlite3 baton.db .recover`",
        ),
        Err(error) => Check::new(
            CheckVerdict::Failed,
            format!("couldn't check the database: {error}"),
        )
        .with_fix("close other programs that use it, then check again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_disk_space_is_a_warning() {
        let folder = Path::new("/data");
        assert_eq!(
            disk_space(folder, Some(5_000_000_000)).verdict,
            CheckVerdict::Passed
        );
        assert_eq!(
            disk_space(folder, Some(100_000_000)).sentence,
            "only 100 MB of disk space is free"
        );
        assert_eq!(disk_space(folder, None).verdict, CheckVerdict::Warning);
        assert!(free_bytes(&std::env::temp_dir()).is_some_and(|free| free > 0));
    }

    #[test]
    fn exposed_folder_is_a_warning() {
        assert_eq!(
            check_permissions(&std::env::temp_dir()).verdict,
            CheckVerdict::Warning
        );
        let own = tempfile::tempdir().expect("temp dir");
        data_dir_permissions::restrict_to_owner(own.path()).expect("set permissions");
        assert_eq!(check_permissions(own.path()).verdict, CheckVerdict::Passed);
    }

    #[test]
    fn unwritable_folder_fails() {
        assert_eq!(
            check_writable(&std::env::temp_dir()).verdict,
            CheckVerdict::Passed
        );
        assert_eq!(
            check_writable(Path::new("/proc")).verdict,
            CheckVerdict::Failed
        );
    }
}
