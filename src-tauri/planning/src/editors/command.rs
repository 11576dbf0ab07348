//! The command line that opens a file in the chosen editor.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use baton_engine::find_program;

use super::known_editor::KnownEditor;
use super::setting::EditorSetting;
use super::template::{check_template, fill};
use crate::{PlanningError, RefusalReason};

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePosition<'a> {
    /// An absolute path, so that no program takes it for an option.
    pub path: &'a Path,
    /// Counted from 1.
    pub line: Option<u32>,
    /// Counted from 1.
    pub column: Option<u32>,
}

/// A program to start, without a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorCommand {
    /// The editor's name, for messages.
    pub label: String,
    /// The absolute path of the program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// The command line that opens `position`; `None` for the read-only view.
///
/// `environment` is that of agents: its `PATH` includes what a login shell adds.
pub fn editor_command(
    setting: &EditorSetting,
    position: &FilePosition<'_>,
    environment: &BTreeMap<String, String>,
) -> Result<Option<EditorCommand>, PlanningError> {
    match setting {
        EditorSetting::View => Ok(None),
        EditorSetting::Automatic => Ok(first_installed(environment)
            .map(|(editor, program)| known_command(editor, program, position))),
        EditorSetting::Known { editor } => {
            let program = find_editor(*editor, environment)
                .ok_or_else(|| missing(editor.label(), editor.programs()[0]))?;
            Ok(Some(known_command(*editor, program, position)))
        }
        EditorSetting::Environment => environment_command(position, environment).map(Some),
        EditorSetting::Custom { argv } => custom_command(argv, position, environment).map(Some),
    }
}

/// The first known editor that is installed.
pub(super) fn first_installed(
    environment: &BTreeMap<String, String>,
) -> Option<(KnownEditor, PathBuf)> {
    KnownEditor::ALL
        .into_iter()
        .find_map(|editor| Some((editor, find_editor(editor, environment)?)))
}

/// The program of an editor, if it is installed.
pub(super) fn find_editor(
    editor: KnownEditor,
    environment: &BTreeMap<String, String>,
) -> Option<PathBuf> {
    editor
        .programs()
        .iter()
        .find_map(|program| find_absolute(program, environment))
}

/// A relative entry of `PATH` could be a folder that a session writes to.
fn find_absolute(program: &str, environment: &BTreeMap<String, String>) -> Option<PathBuf> {
    find_program(program, environment).filter(|path| path.is_absolute())
}

fn known_command(
    editor: KnownEditor,
    program: PathBuf,
    position: &FilePosition<'_>,
) -> EditorCommand {
    EditorCommand {
        label: editor.label().to_owned(),
        program,
        arguments: editor.arguments(position),
    }
}

/// The variable that names the person's editor, and its value.
pub(super) fn editor_variable(
    environment: &BTreeMap<String, String>,
) -> Option<(&'static str, &str)> {
    ["VISUAL", "EDITOR"].into_iter().find_map(|name| {
        let value = environment.get(name)?.trim();
        (!value.is_empty()).then_some((name, value))
    })
}

fn environment_command(
    position: &FilePosition<'_>,
    environment: &BTreeMap<String, String>,
) -> Result<EditorCommand, PlanningError> {
    let fix = "choose another editor in Settings → Editor";
    let (variable, value) = editor_variable(environment).ok_or_else(|| {
        let message = "neither VISUAL nor EDITOR is set";
        PlanningError::new(RefusalReason::Refused, message).with_fix(fix)
    })?;
    let words = shlex::split(value).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| {
        let message = format!("{variable} isn't a valid command line: {value}");
        PlanningError::new(RefusalReason::Refused, message).with_fix(fix)
    })?;
    let (name, options) = (&words[0], &words[1..]);
    let program = find_absolute(name, environment).ok_or_else(|| missing(variable, name))?;
    let mut arguments: Vec<OsString> = options.iter().map(OsString::from).collect();
    match KnownEditor::from_program(name) {
        Some(editor) => arguments.extend(editor.arguments(position)),
        None => arguments.push(position.path.as_os_str().to_owned()),
    }
    Ok(EditorCommand {
        label: name.clone(),
        program,
        arguments,
    })
}

fn custom_command(
    argv: &[String],
    position: &FilePosition<'_>,
    environment: &BTreeMap<String, String>,
) -> Result<EditorCommand, PlanningError> {
    check_template(argv).map_err(|fault| {
        PlanningError::new(RefusalReason::BadInput, fault.to_string()).with_fix(fault.fix())
    })?;
    let (name, arguments) = (argv[0].trim(), &argv[1..]);
    let program =
        find_absolute(name, environment).ok_or_else(|| missing("the custom editor", name))?;
    Ok(EditorCommand {
        label: name.to_owned(),
        program,
        arguments: arguments
            .iter()
            .map(|argument| fill(argument, position))
            .collect(),
    })
}

fn missing(label: &str, program: &str) -> PlanningError {
    let message = format!("{label} can't be started, because the program '{program}' isn't found");
    PlanningError::new(RefusalReason::Refused, message)
        .with_fix("install it, or choose another editor in Settings → Editor")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A folder of programs, and an environment in which only these are found.
    fn machine(programs: &[&str]) -> (tempfile::TempDir, BTreeMap<String, String>) {
        let folder = tempfile::tempdir().expect("temp dir");
        for program in programs {
            let path = folder.path().join(program);
            fs::write(&path, "#!/bin/sh\n").expect("write file");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        }
        let path = folder.path().display().to_string();
        (folder, [("PATH".to_owned(), path)].into())
    }

    const PLACE: &str = "/work/-rf $(touch x) 'y'";

    /// The name of the program and its arguments.
    fn argv(
        setting: &EditorSetting,
        environment: &BTreeMap<String, String>,
    ) -> Result<Option<Vec<String>>, String> {
        let position = FilePosition {
            path: Path::new(PLACE),
            line: Some(42),
            column: Some(7),
        };
        let command = editor_command(setting, &position, environment);
        let words = |command: EditorCommand| {
            let name = command.program.file_name().expect("a name").to_owned();
            let words = std::iter::once(name).chain(command.arguments);
            words
                .map(|word| word.into_string().expect("UTF-8"))
                .collect()
        };
        command
            .map(|command| command.map(words))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn automatic_takes_the_first_installed_editor() {
        let known = |editor| EditorSetting::Known { editor };
        let place = format!("{PLACE}:42:7");
        let (_folder, both) = machine(&["zeditor", "cursor", "vim"]);
        let cursor = vec!["cursor".to_owned(), "-g".to_owned(), place.clone()];
        assert_eq!(argv(&EditorSetting::Automatic, &both), Ok(Some(cursor)));
        assert_eq!(
            argv(&known(KnownEditor::Zed), &both),
            Ok(Some(vec!["zeditor".to_owned(), place]))
        );
        assert_eq!(argv(&EditorSetting::View, &both), Ok(None));
        let (_folder, none) = machine(&["vim"]);
        assert_eq!(argv(&EditorSetting::Automatic, &none), Ok(None));
        let error = argv(&known(KnownEditor::VsCode), &none).expect_err("not installed");
        assert!(error.contains("'code'"), "{error}");
    }

    #[test]
    fn environment_is_split_into_words_without_a_shell() {
        for (variables, expected) in [
            (
                &[("VISUAL", "gedit --wait"), ("EDITOR", "vim")][..],
                Ok(vec!["gedit", "--wait", PLACE]),
            ),
            (
                &[
                    ("VISUAL", " "),
                    ("EDITOR", "gedit 'a b' \"$(touch x)\" ; rm"),
                ],
                Ok(vec!["gedit", "a b", "$(touch x)", ";", "rm", PLACE]),
            ),
            (
                &[("EDITOR", "code --wait")],
                Ok(vec![
                    "code",
                    "--wait",
                    "-g",
                    "/work/-rf $(touch x) 'y':42:7",
                ]),
            ),
            (&[("EDITOR", "gedit 'a")], Err("isn't a valid command line")),
            (&[("EDITOR", "emacs")], Err("'emacs' isn't found")),
            (&[], Err("neither VISUAL nor EDITOR is set")),
        ] {
            let (_folder, mut environment) = machine(&["gedit", "code"]);
            for (name, value) in variables {
                environment.insert((*name).to_owned(), (*value).to_owned());
            }
            match (argv(&EditorSetting::Environment, &environment), expected) {
                (Ok(Some(words)), Ok(expected)) => assert_eq!(words, expected),
                (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
                (found, expected) => panic!("{found:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn custom_command_fills_its_placeholders() {
        let custom = |argv: &[&str]| EditorSetting::Custom {
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
        };
        let (_folder, environment) = machine(&["gvim"]);
        assert_eq!(
            argv(&custom(&["gvim", "+{line}", "--", "{path}"]), &environment),
            Ok(Some(vec![
                "gvim".to_owned(),
                "+42".to_owned(),
                "--".to_owned(),
                PLACE.to_owned()
            ]))
        );
        let error = argv(&custom(&["gvim"]), &environment).expect_err("no path");
        assert!(error.contains("which file"), "{error}");
        let error = argv(&custom(&["./gvim", "{path}"]), &environment).expect_err("relative");
        assert!(error.contains("isn't found"), "{error}");
    }

    #[test]
    fn relative_entries_of_path_are_ignored() {
        let environment = [("PATH".to_owned(), ".:bin".to_owned())].into();
        assert_eq!(argv(&EditorSetting::Automatic, &environment), Ok(None));
    }
}
