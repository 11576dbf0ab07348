//! Leave that a person gave for more than one call.

use serde::{Deserialize, Serialize};

use crate::command_prefix::{CommandPrefix, all_begin_with};

/// Leave to use a tool again without being asked.
///
/// Names count exactly. Where the tool runs commands, leave is given for one command, to the letter, or for commands that begin with
/// the same words: a tool that can do anything is never let through as a whole by an answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The tool, as the agent calls it.
    pub tool: String,
    /// The one command that it may run; `None`: whatever it is given.
    #[serde(default)]
    pub command: Option<String>,
    /// `command` is only the first words: whatever begins with them may run. Who does not know this takes it for the whole command,
    /// and allows less.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub begins: bool,
}

/// What stands for a secret in a command that was told. Anything may stand there, so that nothing is allowed for such a command.
pub const HIDDEN: &str = "[secret]";

impl Grant {
    /// Leave for calls of `tool`: for this one `command` where it runs one.
    #[must_use]
    pub fn exact(tool: &str, command: Option<&str>) -> Self {
        Self {
            tool: tool.to_owned(),
            command: command.map(str::to_owned),
            begins: false,
        }
    }

    /// Leave for commands of `tool` that begin with `words`.
    #[must_use]
    pub fn beginning(tool: &str, words: &str) -> Self {
        Self {
            begins: true,
            ..Self::exact(tool, Some(words))
        }
    }

    fn covers(&self, tool: &str, command: Option<&str>) -> bool {
        let is_allowed = |allowed: &str| !self.begins && Some(allowed) == command;
        self.tool == tool && self.command.as_deref().is_none_or(is_allowed)
    }

    /// The first words that it allows for `tool`. Words that would not be allowed any more count no longer.
    fn prefix_for(&self, tool: &str) -> Option<CommandPrefix> {
        let words = self
            .command
            .as_deref()
            .filter(|_| self.begins && self.tool == tool)?;
        CommandPrefix::parse(words).ok()
    }
}

/// Whether a call of `tool`, with `command` if it runs one, needs no question any more. Of a line with several commands each has to
/// begin with words that one of `grants` allows.
pub fn is_covered<'g>(
    grants: impl Iterator<Item = &'g Grant> + Clone,
    tool: &str,
    command: Option<&str>,
) -> bool {
    if command.is_some_and(|line| line.contains(HIDDEN)) {
        return false;
    }
    if grants.clone().any(|grant| grant.covers(tool, command)) {
        return true;
    }
    let prefixes: Vec<CommandPrefix> = grants.filter_map(|grant| grant.prefix_for(tool)).collect();
    command.is_some_and(|line| all_begin_with(&prefixes, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leave_reaches_as_far_as_it_says() {
        for (grant, tool, command, covers) in [
            (Grant::exact("Bash", None), "Bash", Some("ls"), true),
            (Grant::exact("Bash", None), "BashOutput", None, false),
            (Grant::exact("Bash", Some("ls")), "Bash", Some("ls"), true),
            (
                Grant::exact("Bash", Some("ls")),
                "Bash",
                Some("ls; rm -rf ."),
                false,
            ),
            (Grant::exact("Bash", Some("ls")), "Bash", Some(" ls"), false),
            (Grant::exact("Bash", Some("ls")), "Bash", None, false),
            (Grant::beginning("Bash", "ls"), "Bash", Some("ls -l"), true),
            (Grant::beginning("Bash", "ls"), "Bash", Some("lsof"), false),
            (Grant::beginning("Bash", "ls"), "Bash", None, false),
            (Grant::beginning("Bash", "ls"), "shell", Some("ls"), false),
            (
                Grant::exact("Bash", Some("psql [secret]")),
                "Bash",
                Some("psql [secret]"),
                false,
            ),
            (
                Grant::beginning("Bash", "ls"),
                "Bash",
                Some("ls [secret]"),
                false,
            ),
            (
                Grant::beginning("Bash", "sudo"),
                "Bash",
                Some("sudo"),
                false,
            ),
        ] {
            assert_eq!(
                is_covered([&grant].into_iter(), tool, command),
                covers,
                "{grant:?} {tool} {command:?}"
            );
        }
    }

    #[test]
    fn several_grants_cover_a_line_together() {
        let grants = [
            Grant::beginning("Bash", "git status"),
            Grant::beginning("Bash", "wc"),
            Grant::exact("Bash", Some("ls")),
        ];
        let covers = |line: &str| is_covered(grants.iter(), "Bash", Some(line));
        assert!(covers("git status --short | wc -l"));
        assert!(covers("ls"));
        assert!(
            !covers("git status && ls"),
            "leave to the letter is for a whole command"
        );
        assert!(!covers("git status | sh"));
    }

    #[test]
    fn who_does_not_know_of_first_words_allows_less() {
        let text = serde_json::to_string(&Grant::beginning("Bash", "git push")).expect("JSON");
        assert_eq!(
            text,
            r#"{"tool":"Bash","command":"git push","begins":true}"#
        );
        let exact = serde_json::to_string(&Grant::exact("Bash", Some("ls"))).expect("JSON");
        assert_eq!(
            exact, r#"{"tool":"Bash","command":"ls"}"#,
            "as it always was"
        );
        assert_eq!(
            serde_json::from_str::<Grant>(&exact).ok(),
            Some(Grant::exact("Bash", Some("ls")))
        );
    }
}
