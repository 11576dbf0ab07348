//! Leave that a person gave for more than one call (product A8).

use serde::{Deserialize, Serialize};

/// Leave to use a tool again without being asked.
///
/// Names count exactly. Where the tool runs commands, leave is given for one command, to the letter: a tool that
/// can do anything is never let through as a whole by an answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The tool, as the agent calls it.
    pub tool: String,
    /// The one command that it may run; `None`: whatever it is given.
    #[serde(default)]
    pub command: Option<String>,
}

impl Grant {
    /// Whether a call of `tool`, with `command` if it runs one, needs no question any more.
    #[must_use]
    pub fn covers(&self, tool: &str, command: Option<&str>) -> bool {
        self.tool == tool && self.command.as_deref().is_none_or(|allowed| Some(allowed) == command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leave_reaches_as_far_as_it_says() {
        let grant = |command: Option<&str>| Grant { tool: "Bash".to_owned(), command: command.map(str::to_owned) };
        for (grant, tool, command, covers) in [
            (grant(None), "Bash", Some("ls"), true),
            (grant(None), "BashOutput", None, false),
            (grant(Some("ls")), "Bash", Some("ls"), true),
            (grant(Some("ls")), "Bash", Some("ls; rm -rf ."), false),
            (grant(Some("ls")), "Bash", Some(" ls"), false),
            (grant(Some("ls")), "Bash", None, false),
        ] {
            assert_eq!(grant.covers(tool, command), covers, "{grant:?} {tool} {command:?}");
        }
    }
}
