//! Parses settings from a file's content. Git itself does it, since the format is its own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use baton_model::git_setting::Setting;

use crate::git::{Git, GitError};

/// A folder that always exists and holds neither a repository nor programs.
const EMPTY_DIRECTORY: &str = "/dev";
/// The maximum number of files to cache.
const CACHE_CAPACITY: usize = 64;

/// Settings by the file content.
type SettingsByContent = HashMap<Vec<u8>, Arc<Vec<Setting>>>;

/// The parsed files, so that a repository with includes costs one git call and not one per attempt.
static SETTINGS_CACHE: LazyLock<Mutex<SettingsByContent>> = LazyLock::new(Mutex::default);

/// The settings in this file content. Included files are not read.
pub(super) fn settings_in(content: &[u8]) -> Result<Arc<Vec<Setting>>, GitError> {
    if content.is_empty() {
        return Ok(Arc::default());
    }
    let known = SETTINGS_CACHE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(content)
        .cloned();
    if let Some(known) = known {
        return Ok(known);
    }
    let listed = git().run_with_input(
        &["config", "--file", "-", "--no-includes", "--list", "-z"],
        content.to_vec(),
    )?;
    let settings = Arc::new(
        listed
            .split(|byte| *byte == 0)
            .filter(|entry| !entry.is_empty())
            .map(setting)
            .collect(),
    );
    let mut read = SETTINGS_CACHE
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if read.len() >= CACHE_CAPACITY {
        read.clear();
    }
    read.insert(content.to_vec(), Arc::clone(&settings));
    Ok(settings)
}

/// Git calls outside of any repository.
pub(super) fn git() -> Git {
    Git::at(Path::new(EMPTY_DIRECTORY)).with("GIT_DIR", "/dev/null")
}

/// A key without a value is true.
fn setting(entry: &[u8]) -> Setting {
    let text = String::from_utf8_lossy(entry);
    text.split_once('\n').map_or_else(
        || (text.to_string(), "true".to_owned()),
        |(key, value)| (key.to_owned(), value.to_owned()),
    )
}

/// The files that a settings file in `folder` includes, regardless of conditions.
pub(super) fn included_by(content: &[u8], folder: &Path) -> Vec<PathBuf> {
    // Section names are not abbreviated.
    let names_section = content
        .windows(7)
        .any(|word| word.eq_ignore_ascii_case(b"include"));
    if !names_section {
        return Vec::new();
    }
    let settings = settings_in(content).unwrap_or_default();
    let includes = |key: &str| {
        key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path"))
    };
    let home = |path: &str| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(path));
    let resolved = |path: &String| {
        path.strip_prefix("~/")
            .and_then(home)
            .unwrap_or_else(|| folder.join(path))
    };
    settings
        .iter()
        .filter(|(key, _)| includes(key))
        .map(|(_, path)| resolved(path))
        .collect()
}
