//! The editors that a person can choose from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::command::{editor_variable, find_editor, first_installed};
use super::known_editor::KnownEditor;

/// The editors of this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditorList {
    /// All known editors, also those that are not installed.
    pub editors: Vec<InstalledEditor>,
    /// The one that is used if none is chosen; null for the read-only view.
    pub automatic: Option<KnownEditor>,
    /// The editor that the environment names; null if it names none.
    pub environment: Option<EnvironmentEditor>,
}

/// A known editor, and where it is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct InstalledEditor {
    pub editor: KnownEditor,
    /// The editor's name.
    pub label: String,
    /// The path of its program; null if it isn't installed.
    pub program: Option<String>,
}

/// The editor that the environment names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnvironmentEditor {
    /// `VISUAL` or `EDITOR`.
    pub variable: String,
    /// The command line in the variable.
    pub command: String,
}

/// Lists the editors that are found with the `PATH` of `environment`.
#[must_use]
pub fn editor_list(environment: &BTreeMap<String, String>) -> EditorList {
    let installed = |editor: KnownEditor| InstalledEditor {
        editor,
        label: editor.label().to_owned(),
        program: find_editor(editor, environment).map(|path| path.display().to_string()),
    };
    EditorList {
        editors: KnownEditor::ALL.into_iter().map(installed).collect(),
        automatic: first_installed(environment).map(|(editor, _)| editor),
        environment: editor_variable(environment).map(|(variable, command)| EnvironmentEditor {
            variable: variable.to_owned(),
            command: command.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn installed_editors_are_marked() {
        let folder = tempfile::tempdir().expect("temp dir");
        for (name, mode) in [("subl", 0o755), ("pycharm", 0o755), ("code", 0o644)] {
            let path = folder.path().join(name);
            fs::write(&path, "").expect("write file");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("mode");
        }
        let mut environment: BTreeMap<String, String> =
            [("PATH".to_owned(), folder.path().display().to_string())].into();
        let list = editor_list(&environment);
        let found: Vec<KnownEditor> = list
            .editors
            .iter()
            .filter(|editor| editor.program.is_some())
            .map(|editor| editor.editor)
            .collect();
        assert_eq!(found, [KnownEditor::Sublime, KnownEditor::Pycharm]);
        assert_eq!(list.editors.len(), KnownEditor::ALL.len());
        assert_eq!(list.automatic, Some(KnownEditor::Sublime));
        assert_eq!(list.environment, None);
        environment.insert("EDITOR".to_owned(), "vim".to_owned());
        let named = editor_list(&environment).environment.expect("named");
        assert_eq!(
            (named.variable.as_str(), named.command.as_str()),
            ("EDITOR", "vim")
        );
    }
}
