//! The differences between two snapshots.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use baton_model::evidence::GitFileRole;
use baton_model::git_setting::{
    Setting, SettingChange, attribute_lines_with_drivers, changed_program_settings,
};
use serde::{Deserialize, Serialize};

use super::file_state::FileState;
use super::settings::settings_in;
use super::{GitSnapshot, WatchedFile};

/// A change, with everything needed to restore it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum RecordedChange {
    /// The values of a setting in a file.
    Setting {
        file: String,
        key: String,
        before: Vec<String>,
        after: Vec<String>,
    },
    /// A file that takes effect as a whole.
    File {
        file: String,
        role: GitFileRole,
        before: FileState,
        after: FileState,
    },
}

impl GitSnapshot {
    /// The changes since `before`, in the order of the files.
    pub(crate) fn changes_since(&self, before: &Self) -> Vec<RecordedChange> {
        let places: BTreeMap<&String, GitFileRole> = before
            .files
            .iter()
            .chain(&self.files)
            .map(|(file, WatchedFile { role, .. })| (file, *role))
            .collect();
        let change = |(file, role): (&String, GitFileRole)| {
            let then = before
                .files
                .get(file)
                .map_or(FileState::Absent, |watched| watched.state.clone());
            let now = self.state_of(file);
            if then.is_same(&now, role) {
                Vec::new()
            } else {
                changes_of(file, role, then, now)
            }
        };
        places.into_iter().flat_map(change).collect()
    }
}

fn changes_of(
    file: &str,
    role: GitFileRole,
    before: FileState,
    after: FileState,
) -> Vec<RecordedChange> {
    let whole = |before, after| {
        vec![RecordedChange::File {
            file: file.to_owned(),
            role,
            before,
            after,
        }]
    };
    match role {
        GitFileRole::Hook => whole(before, after),
        GitFileRole::Attributes => match (lines_of(&before), lines_of(&after)) {
            (Some(then), Some(now)) if then == now => Vec::new(),
            _ => whole(before, after),
        },
        GitFileRole::Configuration => match settings_of(&after) {
            Some(now) => {
                let then = settings_of(&before).unwrap_or_default();
                let setting = |SettingChange { key, before, after }| RecordedChange::Setting {
                    file: file.to_owned(),
                    key,
                    before,
                    after,
                };
                changed_program_settings(&then, &now)
                    .into_iter()
                    .map(setting)
                    .collect()
            }
            None => whole(before, after),
        },
    }
}

fn lines_of(state: &FileState) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(state.content()?).into_owned();
    Some(
        attribute_lines_with_drivers(&text)
            .into_iter()
            .map(str::to_owned)
            .collect(),
    )
}

/// `None` when git could not read it, or would follow a link to another place.
pub(super) fn settings_of(state: &FileState) -> Option<Arc<Vec<Setting>>> {
    let read = settings_in(state.content()?);
    read.inspect_err(|error| tracing::warn!(%error, "couldn't read a changed git configuration"))
        .ok()
}

pub(super) fn values(settings: &[Setting], key: &str) -> Vec<String> {
    settings
        .iter()
        .filter(|(name, _)| name == key)
        .map(|(_, value)| value.clone())
        .collect()
}

impl RecordedChange {
    /// Returns whether both concern the same setting or file.
    fn has_same_place(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Setting { file, key, .. },
                Self::Setting {
                    file: other,
                    key: same,
                    ..
                },
            ) => file == other && key == same,
            (Self::File { file, .. }, Self::File { file: other, .. }) => file == other,
            _ => false,
        }
    }

    /// Whether the file or setting is still as the attempt left it.
    pub(crate) fn is_current(&self) -> bool {
        match self {
            Self::Setting {
                file, key, after, ..
            } => settings_of(&FileState::read(Path::new(file)))
                .is_some_and(|settings| values(&settings, key) == *after),
            Self::File {
                file, role, after, ..
            } => FileState::read(Path::new(file)).is_same(after, *role),
        }
    }

    /// Merges an earlier change into this one, if this one starts where the earlier one ended.
    fn revert_to(&mut self, earlier: &Self) {
        match (self, earlier) {
            (
                Self::Setting { before, .. },
                Self::Setting {
                    before: first,
                    after,
                    ..
                },
            ) if before == after => {
                before.clone_from(first);
            }
            (
                Self::File { role, before, .. },
                Self::File {
                    before: first,
                    after,
                    ..
                },
            ) if before.is_same(after, *role) => {
                before.clone_from(first);
            }
            _ => {}
        }
    }

    fn is_undone(&self) -> bool {
        match self {
            Self::Setting { before, after, .. } => before == after,
            Self::File {
                role,
                before,
                after,
                ..
            } => before.is_same(after, *role),
        }
    }
}

/// The `changes` of an attempt together with the remaining `earlier` ones of the same node, latest
/// first: a change is reported even if an earlier attempt made it.
pub(crate) fn with_earlier(
    mut changes: Vec<RecordedChange>,
    earlier: Vec<RecordedChange>,
) -> Vec<RecordedChange> {
    for one in earlier {
        match changes
            .iter_mut()
            .find(|change| change.has_same_place(&one))
        {
            Some(change) => change.revert_to(&one),
            None if one.is_current() => changes.push(one),
            None => {}
        }
    }
    changes.retain(|change| !change.is_undone());
    changes
}
