//! Programs that the repository's own configuration names, and the settings that keep git from
//! starting them.
//!
//! A session of an agent may write `.git/config`. Git has no option to ignore that file, so each
//! call that could start such a program first reads the configuration and overrides each program in
//! it with the value from the person's own configuration (system, global), or with nothing. Only
//! the large-file filter is allowed, if it is exactly what git-lfs itself writes.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use baton_model::git_setting::GIT_LFS_COMMANDS;

/// The only filter that a repository may define.
const LFS_FILTER: &[u8] = b"lfs";

/// Merges lines as git itself does: a configured driver cannot be unset, and an empty one would
/// silently keep one side.
const MERGE_LINES: &str = "git merge-file -L ours -L base -L theirs --marker-size=%L %A %O %B; code=$?; \
                           test $code -le 127 || code=1; exit $code";
const MERGE_BOTH: &str = "git merge-file --union %A %O %B";
/// A conflict in which our own side stays, as git does for binary files.
const MERGE_NOTHING: &str = "exit 1";

/// The variables of a filter.
const FILTER: [&[u8]; 4] = [b"clean", b"smudge", b"process", b"required"];

/// A setting, as `git config --list` prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Setting {
    /// From the system's or the person's files, or from the call itself.
    is_from_user: bool,
    section: Vec<u8>,
    subsection: Vec<u8>,
    variable: Vec<u8>,
    value: Vec<u8>,
}

/// The configuration that git reads in a folder.
#[derive(Debug, Default)]
pub(super) struct RepositoryConfig {
    settings: Vec<Setting>,
}

impl RepositoryConfig {
    /// The arguments that make git list it.
    pub(super) const LIST_ARGUMENTS: [&'static str; 5] =
        ["config", "--list", "--includes", "--show-scope", "-z"];

    /// Parses git's output: scope, NUL, key, line feed, value, NUL. A key without a value has no
    /// line feed.
    pub(super) fn read(output: &[u8]) -> Self {
        let mut parts = output.split(|byte| *byte == 0);
        let mut settings = Vec::new();
        while let (Some(scope), Some(entry)) = (parts.next(), parts.next()) {
            let is_from_user = matches!(scope, b"system" | b"global" | b"command");
            settings.extend(Setting::read(is_from_user, entry));
        }
        Self { settings }
    }

    /// The settings to add to a call, which take precedence.
    pub(super) fn overrides(&self) -> Vec<(OsString, OsString)> {
        let mut overrides = Vec::new();
        for name in self.refused_filters() {
            let required: &[u8] = b"false";
            overrides.extend(FILTER.map(|variable| {
                let user_value = self
                    .user_value(b"filter", &name, variable)
                    .filter(|_| !self.is_lfs_filter(&name));
                let nothing = if variable == b"required" {
                    required
                } else {
                    b""
                };
                (
                    key(b"filter", &name, variable),
                    value(user_value.unwrap_or(nothing)),
                )
            }));
        }
        for setting in self.settings.iter().filter(|setting| !setting.is_from_user) {
            overrides.extend(self.override_for(setting));
        }
        overrides
    }

    /// The filters that only the repository defines, and that therefore do not run.
    pub(super) fn blocked_filters(&self) -> Vec<OsString> {
        let blocked = |name: &Vec<u8>| self.is_lfs_filter(name) || !self.has_user_filter(name);
        self.refused_filters()
            .into_iter()
            .filter(blocked)
            .map(OsString::from_vec)
            .collect()
    }

    /// Whether this is a partial clone, for which git would download missing objects.
    pub(super) fn is_partial(&self) -> bool {
        self.settings
            .iter()
            .any(|setting| match &setting.section[..] {
                b"extensions" => setting.variable == b"partialclone",
                b"remote" => setting.variable == b"promisor",
                _ => false,
            })
    }

    fn override_for(&self, setting: &Setting) -> Vec<(OsString, OsString)> {
        let Setting {
            section,
            subsection,
            variable,
            ..
        } = setting;
        let instead = |nothing: &[u8]| {
            let user_value = self
                .user_value(section, subsection, variable)
                .unwrap_or(nothing);
            vec![(key(section, subsection, variable), value(user_value))]
        };
        match (&section[..], &variable[..]) {
            (b"merge", b"driver") => instead(
                match &subsection[..] {
                    b"union" => MERGE_BOTH,
                    b"binary" => MERGE_NOTHING,
                    _ => MERGE_LINES,
                }
                .as_bytes(),
            ),
            // Hooks defined in the configuration itself.
            (b"hook", b"command") => instead(b":"),
            (b"core", b"sshcommand") => instead(b"ssh"),
            (b"core", b"askpass") => instead(b""),
            // An empty value resets the list; the person's own helpers follow.
            (b"credential", b"helper") => {
                let all = self
                    .settings
                    .iter()
                    .filter(|other| other.is_from_user && other.is_same(setting));
                let none: &[u8] = b"";
                let values = std::iter::once(none).chain(all.map(|other| &other.value[..]));
                values
                    .map(|helper| (key(section, subsection, variable), value(helper)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The filters for which the repository has a setting that is not allowed.
    fn refused_filters(&self) -> Vec<Vec<u8>> {
        let own = self
            .settings
            .iter()
            .filter(|setting| !setting.is_from_user && setting.section == b"filter");
        let mut names: Vec<_> = own.map(|setting| setting.subsection.clone()).collect();
        if self.extends_lfs_filter() {
            names.push(LFS_FILTER.to_vec());
        }
        names.sort();
        names.dedup();
        names.retain(|name| {
            self.extends_lfs_filter() && name == LFS_FILTER || !self.is_git_lfs(name)
        });
        names
    }

    /// Returns whether everything that the repository defines for the filter is what git-lfs
    /// writes.
    fn is_git_lfs(&self, name: &[u8]) -> bool {
        let mut own = self.settings.iter().filter(|setting| {
            !setting.is_from_user && setting.section == b"filter" && setting.subsection == name
        });
        name == LFS_FILTER
            && own.all(|setting| {
                setting.variable == b"required"
                    || GIT_LFS_COMMANDS
                        .iter()
                        .any(|command| command.as_bytes() == setting.value)
            })
    }

    /// Returns whether the filter is git-lfs and the repository defines further programs for it,
    /// which even the person's own git-lfs would start.
    fn is_lfs_filter(&self, name: &[u8]) -> bool {
        name == LFS_FILTER && self.extends_lfs_filter()
    }

    fn extends_lfs_filter(&self) -> bool {
        self.settings.iter().any(|setting| {
            let names_program = setting.subsection.starts_with(b"extension.")
                || setting.subsection.starts_with(b"customtransfer.")
                || setting.variable == b"standalonetransferagent";
            !setting.is_from_user && setting.section == LFS_FILTER && names_program
        })
    }

    fn has_user_filter(&self, name: &[u8]) -> bool {
        FILTER[..3]
            .iter()
            .any(|variable| self.user_value(b"filter", name, variable).is_some())
    }

    fn user_value(&self, section: &[u8], subsection: &[u8], variable: &[u8]) -> Option<&[u8]> {
        let of = |setting: &&Setting| {
            let place = (
                &setting.section[..],
                &setting.subsection[..],
                &setting.variable[..],
            );
            setting.is_from_user && place == (section, subsection, variable)
        };
        self.settings
            .iter()
            .rev()
            .find(of)
            .map(|setting| &setting.value[..])
    }
}

impl Setting {
    fn read(is_from_user: bool, entry: &[u8]) -> Option<Self> {
        let end = entry.iter().position(|byte| *byte == b'\n');
        let (key, value) = end.map_or((entry, &b""[..]), |end| (&entry[..end], &entry[end + 1..]));
        let (first, last) = (
            key.iter().position(|byte| *byte == b'.')?,
            key.iter().rposition(|byte| *byte == b'.')?,
        );
        let subsection = if first < last {
            &key[first + 1..last]
        } else {
            &[]
        };
        Some(Self {
            is_from_user,
            section: key[..first].to_ascii_lowercase(),
            subsection: subsection.to_vec(),
            variable: key[last + 1..].to_ascii_lowercase(),
            value: value.to_vec(),
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.section, &self.subsection, &self.variable)
            == (&other.section, &other.subsection, &other.variable)
    }
}

fn key(section: &[u8], subsection: &[u8], variable: &[u8]) -> OsString {
    let parts: &[&[u8]] = if subsection.is_empty() {
        &[section, variable]
    } else {
        &[section, subsection, variable]
    };
    OsString::from_vec(parts.join(&b'.'))
}

fn value(bytes: &[u8]) -> OsString {
    OsStr::from_bytes(bytes).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &[(&str, &str, &str)]) -> RepositoryConfig {
        let printed: String = settings
            .iter()
            .map(|(scope, key, value)| format!("{scope}\0{key}\n{value}\0"))
            .collect();
        RepositoryConfig::read(printed.as_bytes())
    }

    fn overrides(settings: &[(&str, &str, &str)]) -> Vec<(String, String)> {
        let text = |text: OsString| text.into_string().expect("text");
        read(settings)
            .overrides()
            .into_iter()
            .map(|(key, value)| (text(key), text(value)))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn repository_filter_is_disabled_and_user_filter_kept() {
        let own = ("local", "filter.a=b.clean", "evil");
        let emptied = [
            ("filter.a=b.clean", ""),
            ("filter.a=b.smudge", ""),
            ("filter.a=b.process", ""),
            ("filter.a=b.required", "false"),
        ];
        assert_eq!(
            overrides(&[own, ("local", "filter.a=b.required", "true")]),
            pairs(&emptied)
        );
        assert_eq!(read(&[own]).blocked_filters(), ["a=b"]);
        let user_value = ("global", "filter.a=b.clean", "good");
        assert_eq!(
            overrides(&[user_value, own])[0],
            ("filter.a=b.clean".to_owned(), "good".to_owned())
        );
        assert!(
            read(&[user_value, own]).blocked_filters().is_empty(),
            "the person's own runs in its place"
        );
        assert!(overrides(&[user_value]).is_empty());
    }

    #[test]
    fn lfs_filter_is_allowed_only_with_standard_commands() {
        let as_written = [
            ("worktree", "filter.lfs.clean", "git-lfs clean -- %f"),
            ("local", "filter.lfs.process", "git-lfs filter-process"),
            ("local", "filter.lfs.required", "true"),
        ];
        assert!(
            overrides(&as_written).is_empty() && read(&as_written).blocked_filters().is_empty()
        );
        for other in [
            "git-lfs clean -- %f; evil",
            "./git-lfs filter-process",
            "/tmp/git-lfs clean -- %f",
        ] {
            assert_eq!(
                read(&[("local", "filter.lfs.clean", other)]).blocked_filters(),
                ["lfs"],
                "{other}"
            );
        }
        for extension in [
            "lfs.extension.x.clean",
            "lfs.customtransfer.x.path",
            "lfs.standalonetransferagent",
        ] {
            let extended = [
                ("global", "filter.lfs.clean", "git-lfs clean -- %f"),
                ("local", extension, "evil"),
            ];
            assert_eq!(read(&extended).blocked_filters(), ["lfs"], "{extension}");
            assert_eq!(
                overrides(&extended)[0],
                ("filter.lfs.clean".to_owned(), String::new()),
                "{extension}"
            );
        }
    }

    #[test]
    fn user_settings_override_repository_programs() {
        let actual = overrides(&[
            ("global", "credential.helper", "mine"),
            ("local", "credential.helper", "!evil"),
            ("local", "core.sshCommand", "evil"),
            ("local", "merge.x.driver", "evil"),
            ("local", "hook.x.command", "evil"),
            ("local", "user.name", "Somebody"),
        ]);
        let expected = [
            ("credential.helper", ""),
            ("credential.helper", "mine"),
            ("core.sshcommand", "ssh"),
            ("merge.x.driver", MERGE_LINES),
            ("hook.x.command", ":"),
        ];
        assert_eq!(actual, pairs(&expected));
        assert!(read(&[("local", "remote.origin.promisor", "true")]).is_partial());
    }

    #[test]
    fn non_utf8_names_and_valueless_keys_are_parsed() {
        let odd = RepositoryConfig::read(b"local\0filter.\xff.clean\nevil\0local\0core.bare\0");
        assert_eq!(odd.overrides()[0].0.as_bytes(), b"filter.\xff.clean");
        assert_eq!(odd.settings.len(), 2);
    }
}
