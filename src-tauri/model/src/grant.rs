//! Permission that a person gave for more than one tool call.

use serde::{Deserialize, Serialize};

pub use crate::command_prefix::HIDDEN_SECRET;
use crate::command_prefix::{CommandPrefix, all_match_prefixes};

/// Permission to use a tool without asking again.
///
/// Names must match exactly. For a tool that runs commands, a grant covers exactly one command, or
/// commands with a certain prefix. A tool that can do anything is never allowed as a whole by
/// answering one question.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The tool's name, as the agent uses it.
    pub tool: String,
    /// The command that it may run; `None` allows any arguments.
    #[serde(default)]
    pub command: Option<String>,
    /// `command` is only a prefix: any command that begins with it may run. Versions that don't
    /// know this field treat the prefix as the whole command, which allows less.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub begins: bool,
}

impl Grant {
    /// A grant for calls of `tool`, limited to exactly this `command` if it runs one.
    #[must_use]
    pub fn exact(tool: &str, command: Option<&str>) -> Self {
        Self {
            tool: tool.to_owned(),
            command: command.map(str::to_owned),
            begins: false,
        }
    }

    /// A grant for commands of `tool` that begin with `words`.
    #[must_use]
    pub fn with_prefix(tool: &str, words: &str) -> Self {
        Self {
            begins: true,
            ..Self::exact(tool, Some(words))
        }
    }

    fn covers(&self, tool: &str, command: Option<&str>) -> bool {
        let is_allowed = |allowed: &str| !self.begins && Some(allowed) == command;
        self.tool == tool && self.command.as_deref().is_none_or(is_allowed)
    }

    /// The prefix that this grant allows for `tool`. Prefixes that are now considered too broad no
    /// longer count.
    fn prefix_for(&self, tool: &str) -> Option<CommandPrefix> {
        let words = self
            .command
            .as_deref()
            .filter(|_| self.begins && self.tool == tool)?;
        CommandPrefix::parse(words).ok()
    }
}

/// Whether a call of `tool`, with `command` if it runs one, is allowed without asking. If a line
/// consists of several commands, each must begin with a prefix from `grants`.
pub fn is_covered<'g>(
    grants: impl Iterator<Item = &'g Grant> + Clone,
    tool: &str,
    command: Option<&str>,
) -> bool {
    if command.is_some_and(|line| line.contains(HIDDEN_SECRET)) {
        return false;
    }
    if grants.clone().any(|grant| grant.covers(tool, command)) {
        return true;
    }
    let prefixes: Vec<CommandPrefix> = grants.filter_map(|grant| grant.prefix_for(tool)).collect();
    command.is_some_and(|line| all_match_prefixes(&prefixes, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_cover_exactly_what_they_name() {
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
            (
                Grant::with_prefix("Bash", "ls"),
                "Bash",
                Some("ls -l"),
                true,
            ),
            (
                Grant::with_prefix("Bash", "ls"),
                "Bash",
                Some("lsof"),
                false,
            ),
            (Grant::with_prefix("Bash", "ls"), "Bash", None, false),
            (Grant::with_prefix("Bash", "ls"), "shell", Some("ls"), false),
            (
                Grant::exact("Bash", Some("psql [secret]")),
                "Bash",
                Some("psql [secret]"),
                false,
            ),
            (
                Grant::with_prefix("Bash", "ls"),
                "Bash",
                Some("ls [secret]"),
                false,
            ),
            (
                Grant::with_prefix("Bash", "sudo"),
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
            Grant::with_prefix("Bash", "git status"),
            Grant::with_prefix("Bash", "wc"),
            Grant::exact("Bash", Some("ls")),
        ];
        let covers = |line: &str| is_covered(grants.iter(), "Bash", Some(line));
        assert!(covers("git status --short | wc -l"));
        assert!(covers("ls"));
        assert!(
            !covers("git status && ls"),
            "an exact grant covers only the whole command"
        );
        assert!(!covers("git status | sh"));
    }

    #[test]
    fn older_readers_of_prefix_grants_allow_less() {
        let text = serde_json::to_string(&Grant::with_prefix("Bash", "git push")).expect("JSON");
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
