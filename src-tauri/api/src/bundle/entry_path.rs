//! The paths that a bundle may contain.

/// Documents beside the database, by their names in the data directory.
pub(super) const DOCUMENTS: [&str; 2] = ["enrichments.json", "app-state.json"];
/// The folder of sessions, in the archive and in the data directory.
pub(super) const SESSIONS: &str = "sessions";
/// The folder of git bundles, in the archive and in the data directory.
pub(super) const COMMITS: &str = "commits";

/// The longest path of a file, in bytes.
const MAX_LENGTH: usize = 1024;

/// Whether a file with this path belongs in a bundle. No other path is ever written.
pub(super) fn is_allowed(path: &str) -> bool {
    if path == super::manifest::DATABASE || DOCUMENTS.contains(&path) {
        return true;
    }
    let mut parts = path.split('/');
    let folder = parts.next();
    let mut below = parts.clone();
    matches!(folder, Some(SESSIONS | COMMITS))
        && path.len() <= MAX_LENGTH
        && below.next().is_some()
        && parts.all(is_plain_name)
}

/// Whether a part of a path is a name on every system, and nothing else.
fn is_plain_name(part: &str) -> bool {
    !part.is_empty()
        && part != "."
        && part != ".."
        && !part.contains(['\\', ':'])
        && !part.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn only_files_of_a_data_directory_are_allowed() {
        for path in [
            "baton.db",
            "enrichments.json",
            "sessions/a.jsonl",
            "sessions/0190/stdout",
            "sessions/0190/checks/0/stdout",
            "commits/0.bundle",
        ] {
            assert!(is_allowed(path), "{path}");
        }
        let long = format!("sessions/{}", "a/".repeat(600));
        for path in [
            "",
            "/etc/passwd",
            "../baton.db",
            "sessions",
            "sessions/",
            "sessions/../baton.db",
            "sessions//stdout",
            "sessions/./stdout",
            "sessions/a\\..\\b",
            "sessions/C:x",
            "sessions/a\0b",
            "sessions/a\nb",
            "browser-token",
            "baton.db-wal",
            "logs/a",
            "commits",
            &long,
        ] {
            assert!(!is_allowed(path), "{path:?}");
        }
    }
}
