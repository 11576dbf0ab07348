//! Named locks: resources that nodes share, such as a build directory or a port.

use serde::{Deserialize, Serialize};

/// The maximum length of a lock's name, in characters.
pub const LOCK_NAME_LIMIT: usize = 100;

/// Prefixes of locks that apply to the whole machine, regardless of the plan's directory.
const MACHINE_PREFIXES: [&str; 3] = ["port:", "device:", "host:"];

/// Where locks of the same name are the same lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LockScope {
    /// In one repository, or in one directory outside of any repository.
    Directory,
    /// On the whole machine.
    Machine,
}

impl LockScope {
    /// The scope of the lock called `name`.
    #[must_use]
    pub fn from_lock_name(name: &str) -> Self {
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

/// Whether `name` is valid: non-empty text on one line, with text after a prefix.
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
    fn prefixed_locks_have_machine_scope() {
        let table = [
            ("build", LockScope::Directory),
            ("port:3000", LockScope::Machine),
            ("device:/dev/ttyUSB0", LockScope::Machine),
            ("host:db", LockScope::Machine),
            ("ports:3000", LockScope::Directory),
            ("my port:3000", LockScope::Directory),
        ];
        for (name, scope) in table {
            assert_eq!(LockScope::from_lock_name(name), scope, "{name}");
        }
    }

    #[test]
    fn lock_name_is_one_line_of_text() {
        let long = "x".repeat(LOCK_NAME_LIMIT + 1);
        for name in ["build", "port:3000", "the test database"] {
            assert!(is_lock_name(name), "{name}");
        }
        for name in ["", " ", "port:", "host: ", " build", "a\nb", &long] {
            assert!(!is_lock_name(name), "{name:?}");
        }
    }
}
