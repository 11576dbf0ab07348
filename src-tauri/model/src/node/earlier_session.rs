//! The conversation with which the first attempt of an agent node begins.

use serde::{Deserialize, Serialize};

/// A session of the node's agent that was there before the run, whoever held it.
///
/// Only the agent knows what was said in it. Later attempts go on with the node's own session, or begin with this
/// one again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EarlierSession {
    /// The agent's own name of the session.
    pub id: String,
    /// The node works in a copy and leaves the session as it is; otherwise it goes on in the session's own file.
    #[serde(default = "EarlierSession::default_fork")]
    pub fork: bool,
}

impl EarlierSession {
    /// Nothing of a person's is changed unless they say so.
    #[must_use]
    pub fn default_fork() -> bool {
        true
    }

    /// Whether `id` can be the name of a session. It is handed to programs as one word of their command line, so
    /// nothing that they might take for an option or a path counts.
    #[must_use]
    pub fn is_name(id: &str) -> bool {
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
    fn names_are_words_that_no_program_takes_for_an_option_or_a_path() {
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
            assert_eq!(EarlierSession::is_name(id), is_name, "{id:?}");
        }
        assert!(!EarlierSession::is_name(&"a".repeat(201)));
    }
}
