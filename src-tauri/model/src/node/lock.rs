//! Named locks: what a node shares with others in the real world, such as a build directory or a port.

use serde::{Deserialize, Serialize};

/// How long the name of a lock may be, in characters.
pub const LOCK_NAME_LIMIT: usize = 100;

/// What begins the names that count on the whole machine, whatever the plan's directory.
const MACHINE_PREFIXES: [&str; 3] = ["port:", "device:", "host:"];

/// Where two locks of the same name are the same lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LockScope {
    /// In one repository, or in one directory that is in none.
    Directory,
    /// On the machine.
    Machine,
}

impl LockScope {
    /// Where the lock called `name` counts.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let is_on_machine = MACHINE_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix));
        if is_on_machine {
            Self::Machine
        } else {
            Self::Directory
        }
    }
}

/// Whether a lock can be called so: some text on one line, with something behind a prefix.
#[must_use]
pub fn is_lock_name(name: &str) -> bool {
    let bare = MACHINE_PREFIXES
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    !bare.trim().is_empty()
        && name.trim() == name
        && name.chars().count() <= LOCK_NAME_LIMIT
        && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixed_names_count_on_the_machine() {
        let table = [
            ("build", LockScope::Directory),
            ("port:3000", LockScope::Machine),
            ("device:/dev/ttyUSB0", LockScope::Machine),
            ("host:db", LockScope::Machine),
            ("ports:3000", LockScope::Directory),
            ("my port:3000", LockScope::Directory),
        ];
        for (name, scope) in table {
            assert_eq!(LockScope::of(name), scope, "{name}");
        }
    }

    #[test]
    fn lock_name_is_some_text_on_one_line() {
        let long = "x".repeat(LOCK_NAME_LIMIT + 1);
        for name in ["build", "port:3000", "the test database"] {
            assert!(is_lock_name(name), "{name}");
        }
        for name in ["", " ", "port:", "host: ", " build", "a\nb", &long] {
            assert!(!is_lock_name(name), "{name:?}");
        }
    }
}
