//! The conversation that the first attempt of an agent node continues.

use serde::{Deserialize, Serialize};

/// A session of the node's agent that existed before the run, started by anyone.
///
/// It is only identified here, never read: only the agent knows its content. Later attempts
/// continue the node's own session, or start from this one again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EarlierSession {
    /// The agent's own ID of the session.
    pub id: String,
    /// Whether the node works in a copy. Otherwise it continues in the session's own file.
    #[serde(default = "EarlierSession::default_fork")]
    pub fork: bool,
}

impl EarlierSession {
    /// A copy, so that nothing of a person's is changed unless they choose so.
    #[must_use]
    pub fn default_fork() -> bool {
        true
    }

    /// Whether `id` can be a session ID. It is passed to programs as one argument, so text that
    /// could be an option or a path is rejected.
    #[must_use]
    pub fn is_valid_id(id: &str) -> bool {
        const LONGEST: usize = 200;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
        id.len() <= LONGEST
            && id.chars().all(is_plain)
            && id.starts_with(|c: char| c.is_ascii_alphanumeric())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_ids_cannot_be_options_or_paths() {
        for (id, is_name) in [
            ("0198c1de-7000-7000-8000-000000000001", true),
            ("ses_4f2A", true),
            ("", false),
            (" ", false),
            ("--dangerously-skip-permissions", false),
            ("../../etc/passwd", false),
            (".", false),
            ("a b", false),
            ("a\nb", false),
        ] {
            assert_eq!(EarlierSession::is_valid_id(id), is_name, "{id:?}");
        }
        assert!(!EarlierSession::is_valid_id(&"a".repeat(201)));
    }
}
