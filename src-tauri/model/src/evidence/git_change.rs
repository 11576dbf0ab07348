//! What became different in a repository, while an attempt ran, of what makes the person's own git run programs.

use serde::{Deserialize, Serialize};

use crate::visible_text::visible_by_number;

/// The most changes that are listed; more are counted.
pub const GIT_CHANGE_LIMIT: usize = 100;
/// The most characters that are shown of a value.
const VALUE_LIMIT: usize = 500;
/// The most characters that are shown of a file.
const TEXT_LIMIT: usize = 4_000;

/// A setting or file of a repository by which git runs a program, and which is not as it was before the attempt.
///
/// Others may have worked in the repository meanwhile: this says when it changed, not who changed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GitChange {
    /// A setting that git obeys.
    Setting {
        /// The file that holds it, absolute.
        file: String,
        /// Its key, as git writes it.
        key: String,
        /// Its values before, all of them; none: it appeared.
        before: Vec<String>,
        /// Its values after; none: it was removed.
        after: Vec<String>,
    },
    /// A file that git obeys as a whole.
    File {
        /// Where, absolute.
        file: String,
        /// What git does with it.
        role: GitFileRole,
        /// What was there before.
        before: GitFile,
        /// What was there after.
        after: GitFile,
    },
}

/// What git does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GitFileRole {
    /// Reads settings from it, which cannot be read as such now.
    Configuration,
    /// Chooses filters, and drivers for differences and merges, by it.
    Attributes,
    /// Runs it.
    Hook,
}

/// What is in a place where git looks for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum GitFile {
    /// Nothing.
    Absent,
    /// A file.
    File {
        /// Its size.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        bytes: u64,
        /// Whether it may be run.
        executable: bool,
        /// The beginning of what is in it.
        text: String,
    },
    /// A symbolic link.
    Link {
        /// Where it leads.
        target: String,
    },
    /// Something else, or a file that cannot be read.
    Other {
        /// What, for people.
        what: String,
    },
}

impl GitChange {
    /// The same change as it is stored and shown: nothing is longer than somebody reads, and what is invisible is
    /// written by number.
    #[must_use]
    pub fn shown(self) -> Self {
        let values =
            |values: Vec<String>| values.iter().map(|value| cut(value, VALUE_LIMIT)).collect();
        match self {
            Self::Setting {
                file,
                key,
                before,
                after,
            } => Self::Setting {
                file: visible_by_number(&file),
                key: cut(&key, VALUE_LIMIT),
                before: values(before),
                after: values(after),
            },
            Self::File {
                file,
                role,
                before,
                after,
            } => Self::File {
                file: visible_by_number(&file),
                role,
                before: before.shown(),
                after: after.shown(),
            },
        }
    }

    /// The file that it is about.
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
                format!("{key} appeared in {file}: {}", after.join(", "))
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
                format!("{} {verb}: {file}{}", role.word(), after.detail())
            }
        }
    }

    /// What Restore does about it, as a line for people.
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
            Self::File { file, .. } => format!("write {file} as it was before"),
        }
    }
}

impl GitFileRole {
    fn word(self) -> &'static str {
        match self {
            Self::Configuration => "git configuration that git cannot read",
            Self::Attributes => "git attributes that choose a program",
            Self::Hook => "git hook",
        }
    }
}

impl GitFile {
    fn shown(self) -> Self {
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
                    .map(visible_by_number)
                    .collect();
                Self::File {
                    bytes,
                    executable,
                    text: lines.join("\n"),
                }
            }
            Self::Link { target } => Self::Link {
                target: cut(&target, VALUE_LIMIT),
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
            } => format!(" ({bytes} bytes, executable)"),
            Self::File { bytes, .. } => format!(" ({bytes} bytes)"),
            Self::Link { target } => format!(" (a link to {target})"),
            Self::Other { what } => format!(" ({what})"),
        }
    }
}

fn cut(text: &str, limit: usize) -> String {
    let shown = visible_by_number(text);
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
    fn a_setting_says_what_happened_and_what_restore_does() {
        for (before, after, sentence, remedy) in [
            (
                &[][..],
                &["evil"][..],
                "core.pager appeared in /w/.git/config: evil",
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
    fn a_file_says_what_happened_and_what_restore_does() {
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
        assert_eq!(
            removed.remedy(),
            "write /w/.git/hooks/pre-commit as it was before"
        );
    }

    #[test]
    fn what_nobody_sees_is_written_by_number_and_long_values_are_cut() {
        let GitChange::Setting { after, .. } =
            setting(&[], &["\u{1b}]0;x\u{7}\u{202e}\nb", &"é".repeat(600)]).shown()
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
        .shown();
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
