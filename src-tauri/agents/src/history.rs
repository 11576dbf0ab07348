//! The locations of an agent's own histories, as plain data.
//!
//! This crate does no I/O. `baton-transcripts` finds and opens the files that a [`HistoryLayout`]
//! describes. Histories that are not files of lines (opencode's database, Gemini's chat documents)
//! are converted there too, by one line per agent in its list of history readers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::log_format::LogFormat;

/// The folders, files and format of an agent's histories.
///
/// File patterns are compared with the end of a path, component by component. A `*` in a component
/// stands for one or more characters.
#[derive(Debug)]
pub struct HistoryLayout {
    /// How a timeline reads the lines.
    pub format: LogFormat,
    /// The environment variable that replaces `homes` when it is set and not empty.
    pub home_variable: Option<HomeVariable>,
    /// The agent's usual home folders.
    pub homes: &'static [HomeFolder],
    /// The folders below each home that hold histories.
    pub folders: &'static [&'static str],
    /// Patterns of history files below these folders.
    pub files: &'static [&'static str],
    /// Patterns of SQLite databases directly in these folders, each with many sessions.
    pub databases: &'static [&'static str],
    /// How the name of a session's file ends, with `{id}` for the session. `None`: it cannot be
    /// found by its name.
    pub session_file: Option<&'static str>,
    /// Pattern of the files that belong to subagents of another session.
    pub helper_files: Option<&'static str>,
    /// Whether the file name is the session's id, even when the records in it name another one.
    pub is_file_named_by_session: bool,
}

/// An environment variable that says where an agent's home is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeVariable {
    /// Holds the path of one folder.
    Folder(&'static str),
    /// Holds paths separated by commas.
    Folders(&'static str),
}

/// A folder, relative to one of the folders of the person who runs Baton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeFolder {
    /// Below the home directory.
    Home(&'static str),
    /// Below `XDG_CONFIG_HOME`, which defaults to `~/.config`.
    XdgConfig(&'static str),
    /// Below `XDG_DATA_HOME`, which defaults to `~/.local/share`.
    XdgData(&'static str),
}

impl HistoryLayout {
    /// No folders and plain text; the base of every layout.
    pub const EMPTY: Self = Self {
        format: LogFormat::PLAIN,
        home_variable: None,
        homes: &[],
        folders: &[],
        files: &[],
        databases: &[],
        session_file: None,
        helper_files: None,
        is_file_named_by_session: false,
    };

    /// The folders that hold histories, for a home directory and an environment. They need not
    /// exist.
    #[must_use]
    pub fn roots(&self, home: &Path, variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
        let homes = self.homes(home, &|name| {
            variable(name).filter(|value| !value.is_empty())
        });
        let folders = |home: PathBuf| self.folders.iter().map(move |folder| home.join(folder));
        homes.into_iter().flat_map(folders).collect()
    }

    fn homes(&self, home: &Path, variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
        let named = match self.home_variable {
            Some(HomeVariable::Folder(name)) => {
                variable(name).map(|folder| vec![PathBuf::from(folder)])
            }
            Some(HomeVariable::Folders(name)) => variable(name).map(|folders| {
                let folders = folders.to_string_lossy();
                let folders = folders.split(',').map(str::trim);
                folders.map(PathBuf::from).collect()
            }),
            None => None,
        };
        let xdg = |name: &str, default: &str| {
            variable(name).map_or_else(|| home.join(default), PathBuf::from)
        };
        let folder = |folder: &HomeFolder| match folder {
            HomeFolder::Home(below) => home.join(below),
            HomeFolder::XdgConfig(below) => xdg("XDG_CONFIG_HOME", ".config").join(below),
            HomeFolder::XdgData(below) => xdg("XDG_DATA_HOME", ".local/share").join(below),
        };
        named.unwrap_or_else(|| self.homes.iter().map(folder).collect())
    }

    /// Returns whether a file with this path holds a history.
    #[must_use]
    pub fn is_history(&self, path: &Path) -> bool {
        self.files.iter().any(|pattern| matches(pattern, path))
    }

    /// Returns whether a file with this path is a database of sessions.
    #[must_use]
    pub fn is_database(&self, path: &Path) -> bool {
        self.databases.iter().any(|pattern| matches(pattern, path))
    }

    /// Returns whether a file with this path belongs to a subagent.
    #[must_use]
    pub fn is_helper(&self, path: &Path) -> bool {
        self.helper_files
            .is_some_and(|pattern| matches(pattern, path))
    }

    /// Returns how the name of the file of session `id` ends. `None`: it cannot be found by its
    /// name.
    #[must_use]
    pub fn session_file(&self, id: &str) -> Option<String> {
        self.session_file.map(|name| name.replace("{id}", id))
    }
}

/// Returns whether the last components of `path` match `pattern`.
fn matches(pattern: &str, path: &Path) -> bool {
    let mut components = path.components().rev();
    pattern.rsplit('/').all(|pattern| {
        components.next().is_some_and(|component| {
            matches_name(pattern, &component.as_os_str().to_string_lossy())
        })
    })
}

fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_ends_of_paths() {
        for (pattern, path, expected) in [
            ("*.jsonl", "/h/a.jsonl", true),
            ("*.jsonl", "/h/.jsonl", false),
            ("rollout-*.jsonl", "/h/2026/rollout-1.jsonl", true),
            ("rollout-*.jsonl", "/h/2026/1.jsonl", false),
            ("chats/session-*.json", "/h/p/chats/session-1.json", true),
            ("chats/session-*.json", "/h/p/other/session-1.json", false),
            (
                "storage/session/*/s_*.json",
                "/h/storage/session/p/s_1.json",
                true,
            ),
            (
                "storage/session/*/s_*.json",
                "/h/storage/message/p/s_1.json",
                false,
            ),
            ("a/b", "b", false),
        ] {
            assert_eq!(
                matches(pattern, Path::new(path)),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
