//! Changes to git settings and files that make a person's own git run programs.

use crate::count::format_quantity;
use serde::{Deserialize, Serialize};

use crate::visible_text::escape_invisible;

/// The maximum number of changes listed; further ones are counted.
pub const GIT_CHANGE_LIMIT: usize = 100;
/// The maximum length of a stored setting value, in characters.
const VALUE_LIMIT: usize = 500;
/// The maximum length of a stored file's text, in characters.
const TEXT_LIMIT: usize = 4_000;

/// A git setting or file that makes git run a program and that changed during an attempt.
///
/// Others may have worked in the repository at the same time: this records when it changed, not who
/// changed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum GitChange {
    /// A setting in a configuration file.
    Setting {
        /// The absolute path of the file.
        file: String,
        /// The key, as git writes it.
        key: String,
        /// All values before; empty if the setting was added.
        before: Vec<String>,
        /// All values after; empty if the setting was removed.
        after: Vec<String>,
    },
    /// A file that git uses as a whole.
    File {
        file: String,
        role: GitFileRole,
        before: GitFile,
        after: GitFile,
    },
}

/// What git uses a file for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GitFileRole {
    /// A configuration file that git can't parse at the moment.
    Configuration,
    /// Attributes, which select filters and diff or merge drivers.
    Attributes,
    /// A hook, which git runs.
    Hook,
}

/// What exists at a path where git looks for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "is", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum GitFile {
    Absent,
    File {
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        bytes: u64,
        executable: bool,
        /// The beginning of its content.
        text: String,
    },
    Link {
        target: String,
    },
    /// Something else, or a file that can't be read.
    Other {
        /// A description for people.
        what: String,
    },
}

impl GitChange {
    /// The same change as it is stored and shown: truncated, with invisible characters escaped.
    #[must_use]
    pub fn for_display(self) -> Self {
        let values = |values: Vec<String>| {
            values
                .iter()
                .map(|value| truncate(value, VALUE_LIMIT))
                .collect()
        };
        match self {
            Self::Setting {
                file,
                key,
                before,
                after,
            } => Self::Setting {
                file: escape_invisible(&file),
                key: truncate(&key, VALUE_LIMIT),
                before: values(before),
                after: values(after),
            },
            Self::File {
                file,
                role,
                before,
                after,
            } => Self::File {
                file: escape_invisible(&file),
                role,
                before: before.for_display(),
                after: after.for_display(),
            },
        }
    }

    /// The absolute path of the file it concerns.
    #[must_use]
    pub fn file(&self) -> &str {
        let (Self::Setting { file, .. } | Self::File { file, .. }) = self;
        file
    }

    /// What happened, as a line for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Setting {
                file,
                key,
                before,
                after,
            } if before.is_empty() => {
                format!("{key} was added to {file}: {}", after.join(", "))
            }
            Self::Setting {
                file,
                key,
                before,
                after,
            } if after.is_empty() => {
                format!("{key} was removed from {file}: {}", before.join(", "))
            }
            Self::Setting {
                file,
                key,
                before,
                after,
            } => {
                format!(
                    "{key} changed in {file}: {} → {}",
                    before.join(", "),
                    after.join(", ")
                )
            }
            Self::File {
                file,
                role,
                before,
                after,
            } => {
                let verb = match (before, after) {
                    (GitFile::Absent, _) => "appeared",
                    (_, GitFile::Absent) => "was removed",
                    _ => "changed",
                };
                format!("{} {verb}: {file}{}", role.label(), after.detail())
            }
        }
    }

    /// What restoring would do, as a line for people.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::Setting {
                file, key, before, ..
            } if before.is_empty() => format!("remove {key} from {file}"),
            Self::Setting {
                file, key, before, ..
            } => format!("set {key} in {file} to {}", before.join(", ")),
            Self::File {
                file,
                before: GitFile::Absent,
                ..
            } => format!("delete {file}"),
            Self::File { file, .. } => format!("restore {file}"),
        }
    }
}

impl GitFileRole {
    fn label(self) -> &'static str {
        match self {
            Self::Configuration => "unreadable git configuration",
            Self::Attributes => "git attributes",
            Self::Hook => "git hook",
        }
    }
}

impl GitFile {
    fn for_display(self) -> Self {
        match self {
            Self::File {
                bytes,
                executable,
                text,
            } => {
                let lines: Vec<String> = text
                    .chars()
                    .take(TEXT_LIMIT)
                    .collect::<String>()
                    .lines()
                    .map(escape_invisible)
                    .collect();
                Self::File {
                    bytes,
                    executable,
                    text: lines.join("\n"),
                }
            }
            Self::Link { target } => Self::Link {
                target: truncate(&target, VALUE_LIMIT),
            },
            other => other,
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::Absent => String::new(),
            Self::File {
                bytes,
                executable: true,
                ..
            } => format!(
                " ({}, executable)",
                format_quantity(*bytes, "byte", "bytes")
            ),
            Self::File { bytes, .. } => format!(" ({})", format_quantity(*bytes, "byte", "bytes")),
            Self::Link { target } => format!(" (link to {target})"),
            Self::Other { what } => format!(" ({what})"),
        }
    }
}

fn truncate(text: &str, limit: usize) -> String {
    let shown = escape_invisible(text);
    match shown.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &shown[..at]),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(before: &[&str], after: &[&str]) -> GitChange {
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let (file, key) = ("/w/.git/config".to_owned(), "core.pager".to_owned());
        GitChange::Setting {
            file,
            key,
            before: owned(before),
            after: owned(after),
        }
    }

    #[test]
    fn setting_change_describes_event_and_remedy() {
        for (before, after, sentence, remedy) in [
            (
                &[][..],
                &["evil"][..],
                "core.pager was added to /w/.git/config: evil",
                "remove core.pager from /w/.git/config",
            ),
            (
                &["less"],
                &[],
                "core.pager was removed from /w/.git/config: less",
                "set core.pager in /w/.git/config to less",
            ),
            (
                &["less"],
                &["evil"],
                "core.pager changed in /w/.git/config: less → evil",
                "set core.pager in /w/.git/config to less",
            ),
        ] {
            assert_eq!(setting(before, after).sentence(), sentence);
            assert_eq!(setting(before, after).remedy(), remedy);
        }
    }

    #[test]
    fn file_change_describes_event_and_remedy() {
        let hook = GitFile::File {
            bytes: 12,
            executable: true,
            text: "#!/bin/sh".to_owned(),
        };
        let change = |before, after| GitChange::File {
            file: "/w/.git/hooks/pre-commit".to_owned(),
            role: GitFileRole::Hook,
            before,
            after,
        };
        let appeared = change(GitFile::Absent, hook.clone());
        assert_eq!(
            appeared.sentence(),
            "git hook appeared: /w/.git/hooks/pre-commit (12 bytes, executable)"
        );
        assert_eq!(appeared.remedy(), "delete /w/.git/hooks/pre-commit");
        let removed = change(hook, GitFile::Absent);
        assert_eq!(
            removed.sentence(),
            "git hook was removed: /w/.git/hooks/pre-commit"
        );
        assert_eq!(removed.remedy(), "restore /w/.git/hooks/pre-commit");
    }

    #[test]
    fn invisible_characters_are_escaped_and_long_values_truncated() {
        let GitChange::Setting { after, .. } =
            setting(&[], &["\u{1b}]0;x\u{7}\u{202e}\nb", &"é".repeat(600)]).for_display()
        else {
            panic!("it stays a setting")
        };
        assert_eq!(after[0], "\\u{1b}]0;x\\u{7}\\u{202e}\\u{a}b");
        assert_eq!(after[1], format!("{}…", "é".repeat(500)));
        let file = GitFile::File {
            bytes: 1,
            executable: false,
            text: "a\u{1b}\n\tb".to_owned(),
        }
        .for_display();
        assert_eq!(
            file,
            GitFile::File {
                bytes: 1,
                executable: false,
                text: "a\\u{1b}\n\\u{9}b".to_owned()
            }
        );
    }
}
