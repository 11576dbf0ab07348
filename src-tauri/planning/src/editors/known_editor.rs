//! The editors that Baton can start, and how each is told which line to show.

use std::ffi::OsString;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::command::FilePosition;

/// An editor with a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum KnownEditor {
    VsCode,
    Cursor,
    Zed,
    Sublime,
    Idea,
    Pycharm,
    Goland,
    Webstorm,
    Clion,
    Rustrover,
}

impl KnownEditor {
    /// All editors, in the order in which one is chosen automatically.
    pub const ALL: [Self; 10] = [
        Self::VsCode,
        Self::Cursor,
        Self::Zed,
        Self::Sublime,
        Self::Idea,
        Self::Pycharm,
        Self::Goland,
        Self::Webstorm,
        Self::Clion,
        Self::Rustrover,
    ];

    /// The editor's name.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::VsCode => "VS Code",
            Self::Cursor => "Cursor",
            Self::Zed => "Zed",
            Self::Sublime => "Sublime Text",
            Self::Idea => "IntelliJ IDEA",
            Self::Pycharm => "PyCharm",
            Self::Goland => "GoLand",
            Self::Webstorm => "WebStorm",
            Self::Clion => "CLion",
            Self::Rustrover => "RustRover",
        }
    }

    /// The names of its program, the usual one first.
    #[must_use]
    pub fn programs(self) -> &'static [&'static str] {
        match self {
            Self::VsCode => &["code"],
            Self::Cursor => &["cursor"],
            // Several Linux distributions rename it.
            Self::Zed => &["zed", "zeditor"],
            Self::Sublime => &["subl"],
            Self::Idea => &["idea"],
            Self::Pycharm => &["pycharm"],
            Self::Goland => &["goland"],
            Self::Webstorm => &["webstorm"],
            Self::Clion => &["clion"],
            Self::Rustrover => &["rustrover"],
        }
    }

    /// The editor whose program is `program`, a name or a path.
    pub(super) fn from_program(program: &str) -> Option<Self> {
        let name = Path::new(program).file_name()?.to_str()?;
        Self::ALL
            .into_iter()
            .find(|editor| editor.programs().contains(&name))
    }

    /// The arguments that open a file.
    #[must_use]
    pub fn arguments(self, position: &FilePosition<'_>) -> Vec<OsString> {
        let path = position.path.as_os_str().to_owned();
        let with_line = position.line.map(|line| (line, position.column));
        match self {
            Self::VsCode | Self::Cursor => match path_with_line(position) {
                Some(path) => vec!["-g".into(), path],
                None => vec![path],
            },
            Self::Zed | Self::Sublime => vec![path_with_line(position).unwrap_or(path)],
            Self::Idea
            | Self::Pycharm
            | Self::Goland
            | Self::Webstorm
            | Self::Clion
            | Self::Rustrover => {
                let mut arguments: Vec<OsString> = Vec::new();
                if let Some((line, column)) = with_line {
                    arguments.extend(["--line".into(), line.to_string().into()]);
                    let column =
                        column.map(|column| ["--column".into(), column.to_string().into()]);
                    arguments.extend(column.into_iter().flatten());
                }
                arguments.push(path);
                arguments
            }
        }
    }
}

/// `path:line:column`; `None` without a line, or if the path itself would be taken for one with a
/// line.
fn path_with_line(position: &FilePosition<'_>) -> Option<OsString> {
    let line = position.line?;
    let is_ambiguous = position
        .path
        .as_os_str()
        .as_encoded_bytes()
        .windows(2)
        .any(|pair| pair[0] == b':' && pair[1].is_ascii_digit());
    if is_ambiguous {
        return None;
    }
    let mut text = position.path.as_os_str().to_owned();
    text.push(format!(":{line}"));
    if let Some(column) = position.column {
        text.push(format!(":{column}"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(
        editor: KnownEditor,
        path: &str,
        line: Option<u32>,
        column: Option<u32>,
    ) -> Vec<String> {
        let position = FilePosition {
            path: Path::new(path),
            line,
            column,
        };
        let arguments = editor.arguments(&position).into_iter();
        arguments
            .map(|argument| argument.into_string().expect("UTF-8"))
            .collect()
    }

    #[test]
    fn every_editor_opens_a_line() {
        use KnownEditor::*;

        for (editor, whole, line, column) in [
            (
                VsCode,
                &["/a b"][..],
                &["-g", "/a b:7"][..],
                &["-g", "/a b:7:3"][..],
            ),
            (Cursor, &["/a b"], &["-g", "/a b:7"], &["-g", "/a b:7:3"]),
            (Zed, &["/a b"], &["/a b:7"], &["/a b:7:3"]),
            (Sublime, &["/a b"], &["/a b:7"], &["/a b:7:3"]),
        ] {
            assert_eq!(arguments(editor, "/a b", None, None), whole, "{editor:?}");
            assert_eq!(arguments(editor, "/a b", Some(7), None), line);
            assert_eq!(arguments(editor, "/a b", Some(7), Some(3)), column);
        }
        for editor in [Idea, Pycharm, Goland, Webstorm, Clion, Rustrover] {
            assert_eq!(arguments(editor, "/a b", None, Some(3)), ["/a b"]);
            assert_eq!(
                arguments(editor, "/a b", Some(7), None),
                ["--line", "7", "/a b"]
            );
            assert_eq!(
                arguments(editor, "/a b", Some(7), Some(3)),
                ["--line", "7", "--column", "3", "/a b"]
            );
        }
    }

    #[test]
    fn path_that_looks_like_a_line_is_opened_without_one() {
        let path = "/logs/build:12";
        assert_eq!(arguments(KnownEditor::VsCode, path, Some(7), None), [path]);
        assert_eq!(arguments(KnownEditor::Zed, path, Some(7), None), [path]);
        assert_eq!(
            arguments(KnownEditor::Idea, path, Some(7), None),
            ["--line", "7", path]
        );
    }

    #[test]
    fn programs_and_labels_are_unique() {
        let mut programs: Vec<&str> = KnownEditor::ALL
            .iter()
            .flat_map(|editor| editor.programs())
            .copied()
            .collect();
        let count = programs.len();
        programs.sort_unstable();
        programs.dedup();
        assert_eq!(programs.len(), count);
        assert_eq!(
            KnownEditor::from_program("/opt/zeditor"),
            Some(KnownEditor::Zed)
        );
        assert_eq!(KnownEditor::from_program("vim"), None);
    }
}
