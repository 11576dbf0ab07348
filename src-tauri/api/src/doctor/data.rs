//! Whether Baton can keep what it has to keep.

use std::path::Path;

use crate::wire::*;
use crate::{App, damage, data_access};

/// Below this, sessions soon have no room for their output.
const LITTLE_ROOM: u64 = 1024 * 1024 * 1024;

/// What was found of the data directory and the database in it.
pub(super) fn checks(app: &App) -> Vec<Check> {
    let folder = app.store.data_dir();
    let mut checks = vec![
        writable(folder),
        private(folder),
        room(folder, free_bytes(folder)),
        database(app),
    ];
    checks.extend(damage::checks(app));
    checks
}

fn writable(folder: &Path) -> Check {
    match tempfile::Builder::new()
        .prefix("doctor-")
        .tempfile_in(folder)
    {
        Ok(_) => Check::new(
            CheckVerdict::Passed,
            format!("{} can be written", folder.display()),
        ),
        Err(error) => {
            let check = Check::new(
                CheckVerdict::Failed,
                format!("{} cannot be written: {error}", folder.display()),
            );
            check.mended_by("make it yours again, or set BATON_DATA_DIR to another folder")
        }
    }
}

fn private(folder: &Path) -> Check {
    let name = folder.display();
    if !data_access::is_exposed(folder) {
        return Check::new(CheckVerdict::Passed, format!("only you can open {name}"));
    }
    let sentence = format!(
        "other users of this machine can open {name}, where prompts, output and tokens are kept"
    );
    Check::new(CheckVerdict::Warning, sentence)
        .mended_by("set BATON_DATA_DIR to a folder of its own, or run `chmod 700` on this one")
}

fn room(folder: &Path, free: Option<u64>) -> Check {
    match free {
        None => Check::new(
            CheckVerdict::Warning,
            format!("how much room {} has is not known", folder.display()),
        )
        .mended_by("look with `df`"),
        Some(free) if free < LITTLE_ROOM => Check::new(
            CheckVerdict::Warning,
            format!("only {} MB are free for sessions", free / 1_000_000),
        )
        .mended_by("free some room, or delete old blueprints with their runs"),
        Some(free) => Check::new(
            CheckVerdict::Passed,
            format!("{} GB are free for sessions", free / 1_000_000_000),
        ),
    }
}

fn free_bytes(folder: &Path) -> Option<u64> {
    let stat = nix::sys::statvfs::statvfs(folder).ok()?;
    // The width of these numbers differs from system to system.
    #[allow(clippy::useless_conversion, clippy::unnecessary_cast)]
    Some((stat.blocks_available() as u64).saturating_mul(stat.fragment_size() as u64))
}

fn database(app: &App) -> Check {
    match app.store.damage() {
        Ok(damage) if damage.is_empty() => Check::new(
            CheckVerdict::Passed,
            format!(
                "the database is sound, format {}",
                baton_store::NEWEST_FORMAT
            ),
        ),
        Ok(damage) => Check::new(
            CheckVerdict::Failed,
            format!("the database is damaged: {}", damage.join("; ")),
        )
        .mended_by(
            "stop Baton, keep a copy of baton.db, and recover it with `sqlite3 baton.db .recover`",
        ),
        Err(error) => Check::new(
            CheckVerdict::Failed,
            format!("the database could not be checked: {error}"),
        )
        .mended_by("close what else uses it, then look again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_room_is_told_before_it_is_gone() {
        let folder = Path::new("/data");
        assert_eq!(
            room(folder, Some(5_000_000_000)).verdict,
            CheckVerdict::Passed
        );
        assert_eq!(
            room(folder, Some(100_000_000)).sentence,
            "only 100 MB are free for sessions"
        );
        assert_eq!(room(folder, None).verdict, CheckVerdict::Warning);
        assert!(free_bytes(&std::env::temp_dir()).is_some_and(|free| free > 0));
    }

    #[test]
    fn a_folder_that_others_can_open_is_a_warning() {
        assert_eq!(
            private(&std::env::temp_dir()).verdict,
            CheckVerdict::Warning
        );
        let own = tempfile::tempdir().expect("room");
        data_access::close(own.path()).expect("it is ours");
        assert_eq!(private(own.path()).verdict, CheckVerdict::Passed);
    }

    #[test]
    fn a_folder_that_cannot_be_written_fails() {
        assert_eq!(
            writable(&std::env::temp_dir()).verdict,
            CheckVerdict::Passed
        );
        assert_eq!(writable(Path::new("/proc")).verdict, CheckVerdict::Failed);
    }
}
