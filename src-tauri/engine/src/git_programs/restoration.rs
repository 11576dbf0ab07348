//! Restoring the git settings and hooks from before an attempt.
//!
//! Settings are changed in a copy, which then replaces the file under the lock that git itself
//! uses. So concurrent changes are not lost, no link is followed, and git never runs in the
//! repository for this.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use baton_model::evidence::GitFileRole;

use super::comparison::{RecordedChange, settings_of, values};
use super::file_state::FileState;
use super::record::Record;
use super::settings::git;
use crate::git::GitError;

/// The copy in which settings are changed, in the folder of the session.
const COPY: &str = "git-restored";
/// Replaces bytes that are not valid Unicode.
const NO_TEXT: char = '\u{fffd}';

/// The result of restoring the changes of one attempt. Changes are identified by their index in its
/// evidence.
#[derive(Debug, Default)]
pub struct GitRestoration {
    /// The changes that were restored.
    pub restored: Vec<u32>,
    /// The changes that were not restored, each with the reason.
    pub left: Vec<(u32, NotRestored)>,
}

/// Why a change was not restored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRestored {
    /// It has changed since the attempt.
    #[error("it has changed since then: check it, and change it yourself")]
    ChangedSince,
    /// Another git process is changing the file.
    #[error(
        "its file is locked: remove the .lock file beside it if git is not running, then restore again"
    )]
    Locked,
    /// The earlier content was too large, or not valid Unicode.
    #[error("its earlier content was not saved: edit it yourself")]
    NotKept,
    /// The operating system or git refused.
    #[error("couldn't restore it: {0}")]
    Refused(String),
}

/// Why nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum GitRestoreError {
    /// There is nothing to restore.
    #[error(
        "no git settings or hooks changed during this attempt, or its session is gone: there is nothing to restore"
    )]
    Nothing,
}

/// Restores what changed during the session in `folder`.
///
/// # Errors
///
/// When nothing changed.
pub fn restore(folder: &Path) -> Result<GitRestoration, GitRestoreError> {
    let changes = Record::changes(folder);
    if changes.is_empty() {
        return Err(GitRestoreError::Nothing);
    }
    let mut outcomes: BTreeMap<u32, Result<(), NotRestored>> = BTreeMap::new();
    let mut by_file: BTreeMap<&str, Vec<(u32, SettingBefore<'_>)>> = BTreeMap::new();
    for (number, change) in (0..).zip(&changes) {
        match change {
            RecordedChange::Setting {
                file,
                key,
                before,
                after,
            } => {
                by_file
                    .entry(file)
                    .or_default()
                    .push((number, SettingBefore { key, before, after }));
            }
            RecordedChange::File {
                file,
                role,
                before,
                after,
            } => {
                outcomes.insert(number, restore_file(Path::new(file), *role, before, after));
            }
        }
    }
    for (file, settings) in by_file {
        outcomes.extend(restore_settings(
            Path::new(file),
            &settings,
            &folder.join(COPY),
        ));
    }
    let mut done = GitRestoration::default();
    for (number, outcome) in outcomes {
        match outcome {
            Ok(()) => done.restored.push(number),
            Err(why) => done.left.push((number, why)),
        }
    }
    Ok(done)
}

/// A setting with its earlier values.
#[derive(Clone, Copy)]
struct SettingBefore<'a> {
    key: &'a str,
    before: &'a [String],
    after: &'a [String],
}

/// Restores settings in one file.
fn restore_settings(
    file: &Path,
    settings: &[(u32, SettingBefore<'_>)],
    copy: &Path,
) -> Vec<(u32, Result<(), NotRestored>)> {
    let all = |outcome: &Result<(), NotRestored>| {
        settings
            .iter()
            .map(|(number, _)| (*number, outcome.clone()))
            .collect()
    };
    let lock = match Lock::take(file) {
        Ok(lock) => lock,
        Err(why) => return all(&Err(why)),
    };
    let state = FileState::read(file);
    let (FileState::Absent | FileState::File { .. }, Some(present)) = (&state, settings_of(&state))
    else {
        return all(&Err(NotRestored::ChangedSince));
    };
    let mut outcomes: Vec<(u32, Result<(), NotRestored>)> = Vec::new();
    let mut wanted = Vec::new();
    for (number, setting) in settings {
        let now = values(&present, setting.key);
        let outcome = match () {
            () if now == setting.before => Ok(()),
            () if now != setting.after => Err(NotRestored::ChangedSince),
            () if setting.is_not_text() => Err(NotRestored::NotKept),
            () => {
                wanted.push(*setting);
                Ok(())
            }
        };
        outcomes.push((*number, outcome));
    }
    if wanted.is_empty() {
        return outcomes;
    }
    let content = state.content().unwrap_or_default();
    match changed(content, &wanted, copy).and_then(|content| lock.replace(&content, &state)) {
        Ok(()) => outcomes,
        Err(error) => {
            let refused = NotRestored::Refused(error.to_string());
            let is_wanted = |number: u32| {
                settings.iter().any(|(other, setting)| {
                    *other == number && wanted.iter().any(|one| one.key == setting.key)
                })
            };
            outcomes
                .into_iter()
                .map(|(number, outcome)| match outcome {
                    Ok(()) if is_wanted(number) => (number, Err(refused.clone())),
                    outcome => (number, outcome),
                })
                .collect()
        }
    }
}

impl SettingBefore<'_> {
    fn is_not_text(&self) -> bool {
        self.key.contains(NO_TEXT) || self.before.iter().any(|value| value.contains(NO_TEXT))
    }
}

/// The content of a settings file after restoring these settings.
fn changed(content: &[u8], settings: &[SettingBefore<'_>], copy: &Path) -> io::Result<Vec<u8>> {
    // Removes what a killed restoration left.
    for path in [copy.to_path_buf(), copy.with_extension("lock")] {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(copy)?
        .write_all(content)?;
    let name = copy.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
    let result = settings
        .iter()
        .try_for_each(|setting| restore_setting(name, setting));
    let changed = fs::read(copy);
    fs::remove_file(copy)?;
    result.map_err(io::Error::other)?;
    changed
}

fn restore_setting(file: &str, setting: &SettingBefore<'_>) -> Result<(), GitError> {
    let (git, key) = (git(), setting.key);
    if !setting.after.is_empty() {
        git.run(&["config", "--file", file, "--unset-all", key])?;
    }
    for value in setting.before {
        git.run(&["config", "--file", file, "--add", key, value])?;
    }
    Ok(())
}

/// The lock that git takes before it changes a settings file.
struct Lock {
    file: PathBuf,
    path: PathBuf,
    taken: File,
    is_used: std::cell::Cell<bool>,
}

impl Lock {
    fn take(file: &Path) -> Result<Self, NotRestored> {
        let mut path = file.as_os_str().to_owned();
        path.push(".lock");
        let taken = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        let taken = taken.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => NotRestored::Locked,
            io::ErrorKind::NotFound => NotRestored::ChangedSince,
            _ => NotRestored::Refused(error.to_string()),
        })?;
        Ok(Self {
            file: file.to_owned(),
            path: path.into(),
            taken,
            is_used: std::cell::Cell::new(false),
        })
    }

    /// Replaces the file at the path by one with this content.
    fn replace(&self, content: &[u8], before: &FileState) -> io::Result<()> {
        let mut taken = &self.taken;
        taken.write_all(content)?;
        let mode = if let FileState::File { mode, .. } = before {
            *mode
        } else {
            0o644
        };
        taken.set_permissions(fs::Permissions::from_mode(mode))?;
        taken.sync_all()?;
        fs::rename(&self.path, &self.file)?;
        self.is_used.set(true);
        Ok(())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if !self.is_used.get() {
            // If the lock stays, the next git command reports it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Restores a whole file.
fn restore_file(
    file: &Path,
    role: GitFileRole,
    before: &FileState,
    after: &FileState,
) -> Result<(), NotRestored> {
    let present = FileState::read(file);
    if present.is_same(before, role) {
        return Ok(());
    }
    if !present.is_same(after, role) || is_behind_link(file) {
        return Err(NotRestored::ChangedSince);
    }
    let refused = |error: io::Error| NotRestored::Refused(error.to_string());
    match before {
        FileState::Absent => fs::remove_file(file).map_err(refused),
        FileState::File { mode, content } => write_whole(file, *mode, content).map_err(refused),
        FileState::Link { target } if !target.contains(NO_TEXT) => {
            link(file, target).map_err(refused)
        }
        _ => Err(NotRestored::NotKept),
    }
}

/// Returns whether the folder of the hooks or attributes is a link, so that a write would change
/// another place.
fn is_behind_link(file: &Path) -> bool {
    let is_last = |folder: &&Path| {
        folder
            .file_name()
            .is_some_and(|name| name == "hooks" || name == "info")
    };
    let above: Vec<&Path> = file.ancestors().skip(1).collect();
    let last = above.iter().position(is_last);
    above
        .iter()
        .take(last.map_or(0, |last| last + 1))
        .any(|folder| folder.is_symlink())
}

fn write_whole(file: &Path, mode: u32, content: &[u8]) -> io::Result<()> {
    let beside = beside(file)?;
    let mut new = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside)?;
    new.write_all(content)?;
    new.set_permissions(fs::Permissions::from_mode(mode))?;
    new.sync_all()?;
    fs::rename(&beside, file).inspect_err(|_| _ = fs::remove_file(&beside))
}

fn link(file: &Path, target: &str) -> io::Result<()> {
    let beside = beside(file)?;
    symlink(target, &beside)?;
    fs::rename(&beside, file).inspect_err(|_| _ = fs::remove_file(&beside))
}

/// An unused name beside `file`, in an existing folder.
fn beside(file: &Path) -> io::Result<PathBuf> {
    let folder = file.parent().ok_or(io::ErrorKind::InvalidFilename)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    Ok(folder.join(format!(".baton-{}", uuid::Uuid::now_v7())))
}
