//! Edits in the inputs of the agents' own tools.
//!
//! | agent | tools and their fields |
//! | --- | --- |
//! | Claude Code | `Edit`, `MultiEdit`: `file_path`, `old_string`, `new_string`, `edits`; `Write`: `content`; `NotebookEdit`: `notebook_path`, `new_source`, `edit_mode` |
//! | Codex | `apply_patch`: a patch in `input`, `patch` or the command line, or `changes` |
//! | Gemini CLI, Qwen Code | `replace`, `edit`, `write_file`: as Claude Code |
//! | opencode | `edit`, `multiedit`, `write`: `filePath`, `oldString`, `newString`; `patch`: `patchText` |
//! | pi | `edit`: `path`, `oldText`, `newText`, `edits`; `write`: `path`, `content` |

use serde::Deserialize;
use serde_json::Value;

use super::{FileEdit, FileEditKind, patch_text};
use crate::event::DiffHunk;
use crate::text_diff::{hunks_without_place, unified_hunks, whole_file};
use crate::tool_kind::ToolKind;

#[derive(Deserialize)]
struct Input {
    #[serde(
        default,
        alias = "file_path",
        alias = "filePath",
        alias = "absolute_path",
        alias = "notebook_path"
    )]
    path: Option<String>,
    #[serde(flatten)]
    pair: Pair,
    #[serde(default)]
    edits: Option<Vec<Pair>>,
    /// Of a written file.
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    new_source: Option<String>,
    #[serde(default)]
    edit_mode: Option<String>,
    #[serde(default)]
    changes: Option<Vec<Change>>,
    #[serde(default, alias = "patchText", alias = "input")]
    patch: Option<String>,
}

/// One replacement.
#[derive(Deserialize)]
struct Pair {
    #[serde(default, alias = "old_string", alias = "oldString", alias = "oldText")]
    old: Option<String>,
    #[serde(default, alias = "new_string", alias = "newString", alias = "newText")]
    new: Option<String>,
}

/// A change as Baton describes Codex's, see `codex/item.rs`.
#[derive(Deserialize)]
struct Change {
    path: String,
    change: String,
    #[serde(default)]
    diff: Option<String>,
}

/// The edits that a call with this input makes. Empty for other tools, and for unknown inputs.
pub(super) fn edits(name: &str, input: &Value) -> Vec<FileEdit> {
    match ToolKind::from_name(name) {
        ToolKind::Edit => match input {
            Value::String(patch) => patch_text::edits(patch),
            Value::Object(_) => Input::deserialize(input)
                .map(Input::edits)
                .unwrap_or_default(),
            _ => Vec::new(),
        },
        ToolKind::Execute => patch_in_command(input)
            .map(patch_text::edits)
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Codex may call its patch tool on a command line.
fn patch_in_command(input: &Value) -> Option<&str> {
    let holds_patch = |text: &&str| text.contains(patch_text::BEGIN);
    match input.get("command").or_else(|| input.get("cmd"))? {
        Value::String(line) => {
            Some(line.as_str()).filter(|line| holds_patch(line) && line.contains("apply_patch"))
        }
        Value::Array(words) => words.iter().filter_map(Value::as_str).find(holds_patch),
        _ => None,
    }
}

impl Input {
    fn edits(self) -> Vec<FileEdit> {
        if let Some(changes) = &self.changes {
            return changes.iter().map(Change::edit).collect();
        }
        if let Some(patch) = self
            .patch
            .as_deref()
            .filter(|patch| patch.contains(patch_text::BEGIN))
        {
            return patch_text::edits(patch);
        }
        let Some(path) = self.path.clone() else {
            return Vec::new();
        };
        let (kind, hunks) = self.change();
        match hunks {
            Some(hunks) => vec![FileEdit::new(&path, kind, hunks)],
            None => Vec::new(),
        }
    }

    fn change(self) -> (FileEditKind, Option<Vec<DiffHunk>>) {
        if let Some(source) = self.new_source {
            let sides = match self.edit_mode.as_deref() {
                Some("delete") => None,
                _ => Some(hunks_without_place("", &source)),
            };
            return (FileEditKind::Changed, sides);
        }
        if let Some(content) = self.content {
            return (FileEditKind::Written, Some(whole_file('+', &content)));
        }
        let pairs = match self.edits {
            Some(edits) => edits,
            None => vec![self.pair],
        };
        let hunks: Vec<_> = pairs.iter().flat_map(Pair::hunks).collect();
        // An edit that replaces nothing creates the file.
        let creates = matches!(&pairs[..], [Pair { old: Some(old), .. }] if old.is_empty());
        let kind = if creates {
            FileEditKind::Written
        } else {
            FileEditKind::Changed
        };
        (kind, Some(hunks).filter(|hunks| !hunks.is_empty()))
    }
}

impl Pair {
    fn hunks(&self) -> Vec<DiffHunk> {
        match (self.old.as_deref(), self.new.as_deref()) {
            (None, None) => Vec::new(),
            (old, new) => hunks_without_place(old.unwrap_or_default(), new.unwrap_or_default()),
        }
    }
}

impl Change {
    fn edit(&self) -> FileEdit {
        let diff = self.diff.as_deref();
        let (kind, hunks) = match self.change.as_str() {
            "added" => (
                FileEditKind::Created,
                diff.map(|text| whole_file('+', text)),
            ),
            "deleted" => (
                FileEditKind::Deleted,
                diff.map(|text| whole_file('-', text)),
            ),
            _ => (FileEditKind::Changed, diff.map(unified_hunks)),
        };
        FileEdit::new(&self.path, kind, hunks.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(name: &str, input: &Value) -> Vec<String> {
        let edit = |edit: FileEdit| {
            let lines: Vec<_> = edit.hunks.iter().map(|hunk| hunk.lines.join("|")).collect();
            format!("{:?} {} {}", edit.kind, edit.path, lines.join(" @ "))
        };
        edits(name, input).into_iter().map(edit).collect()
    }

    #[test]
    fn every_agents_edit_tool_gives_a_diff() {
        let patch = "*** Begin Patch\n*** Update File: a.rs\n@@\n-x\n+y\n*** End Patch";
        for (name, input, expected) in [
            (
                "Edit",
                json!({"file_path": "/a", "old_string": "one\ntwo", "new_string": "one\n2", "replace_all": false}),
                &["Changed /a  one|-two|+2"][..],
            ),
            (
                "MultiEdit",
                json!({"file_path": "/a", "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "p", "new_string": ""}]}),
                &["Changed /a -x|+y @ -p"],
            ),
            (
                "Write",
                json!({"file_path": "/a", "content": "one\ntwo\n"}),
                &["Written /a +one|+two"],
            ),
            (
                "Write",
                json!({"file_path": "/a", "content": ""}),
                &["Written /a "],
            ),
            (
                "NotebookEdit",
                json!({"notebook_path": "/n.ipynb", "cell_id": "3", "new_source": "print(1)"}),
                &["Changed /n.ipynb +print(1)"],
            ),
            (
                "replace",
                json!({"file_path": "/a", "old_string": "", "new_string": "new", "instruction": "add"}),
                &["Written /a +new"],
            ),
            (
                "write_file",
                json!({"file_path": "a", "content": "x"}),
                &["Written a +x"],
            ),
            (
                "edit",
                json!({"filePath": "/a", "oldString": "x", "newString": "y"}),
                &["Changed /a -x|+y"],
            ),
            (
                "write",
                json!({"filePath": "/a", "content": "x"}),
                &["Written /a +x"],
            ),
            (
                "patch",
                json!({"patchText": patch}),
                &["Changed a.rs -x|+y"],
            ),
            (
                "edit",
                json!({"path": "a", "oldText": "x", "newText": "y"}),
                &["Changed a -x|+y"],
            ),
            (
                "edit",
                json!({"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}),
                &["Changed a -x|+y"],
            ),
            (
                "apply_patch",
                json!({"input": patch}),
                &["Changed a.rs -x|+y"],
            ),
            ("apply_patch", json!(patch), &["Changed a.rs -x|+y"]),
            (
                "shell",
                json!({"command": ["apply_patch", patch]}),
                &["Changed a.rs -x|+y"],
            ),
            (
                "exec_command",
                json!({"cmd": format!("apply_patch <<'P'\n{patch}\nP")}),
                &["Changed a.rs -x|+y"],
            ),
            (
                "apply_patch",
                json!({"changes": [
                    {"path": "/n", "change": "added", "diff": "x\n"},
                    {"path": "/c", "change": "changed", "diff": "@@ -1 +1 @@\n-x\n+y"},
                    {"path": "/d", "change": "deleted"},
                ]}),
                &["Created /n +x", "Changed /c -x|+y", "Deleted /d "],
            ),
        ] {
            assert_eq!(shown(name, &input), expected, "{name} {input}");
        }
    }

    #[test]
    fn other_calls_change_no_file() {
        for (name, input) in [
            ("Read", json!({"file_path": "/a", "content": "x"})),
            ("mcp__notes__write", json!({"path": "/a", "content": "x"})),
            ("Edit", json!({"file_path": "/a"})),
            ("Edit", json!({"old_string": "x", "new_string": "y"})),
            ("Edit", json!({"file_path": 7, "old_string": "x"})),
            ("Write", json!(null)),
            ("save_memory", json!({"fact": "x"})),
            ("Bash", json!({"command": "echo '*** Begin Patch'"})),
        ] {
            assert_eq!(shown(name, &input), [""; 0], "{name} {input}");
        }
    }
}
