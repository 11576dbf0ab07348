//! The files that a tool call changes, with their diffs.
//!
//! Agents that report a patch with the result know the lines' numbers. For all others, and for
//! calls that have not run, the diff is made of the call's own input.

mod input;
mod patch_text;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{DiffHunk, ToolResult};
use crate::text_diff;

/// How many lines of a call's diffs are kept.
const LINE_LIMIT: usize = 2_000;
/// The maximum number of files of a call. A patch names them one by one.
const FILE_LIMIT: usize = 200;

/// What a tool call changes in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileEdit {
    /// The path as the agent wrote it, absolute or relative to its directory.
    pub path: String,
    /// The file's new path, if the call moves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub moved_to: Option<String>,
    /// What happens to the file.
    pub kind: FileEditKind,
    /// Empty when the agent does not report the content.
    pub hunks: Vec<DiffHunk>,
    /// The number of lines that are not in `hunks`, because there are too many.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub left_out_lines: u64,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum FileEditKind {
    /// It is new.
    Created,
    /// It gets this content. Whether it existed is unknown.
    Written,
    /// Parts of it change.
    Changed,
    /// It is deleted.
    Deleted,
}

impl FileEdit {
    pub(crate) fn new(path: &str, kind: FileEditKind, hunks: Vec<DiffHunk>) -> Self {
        Self {
            path: path.to_owned(),
            moved_to: None,
            kind,
            hunks,
            left_out_lines: 0,
        }
    }

    /// Drops the lines that exceed `lines` or `bytes`, and takes the rest from both.
    fn cut(&mut self, lines: &mut usize, bytes: &mut usize) {
        for hunk in &mut self.hunks {
            let fits = hunk
                .lines
                .iter()
                .take(*lines)
                .take_while(|line| {
                    let fits = line.len() <= *bytes;
                    *bytes = if fits { *bytes - line.len() } else { 0 };
                    fits
                })
                .count();
            *lines -= fits;
            self.left_out_lines += (hunk.lines.len() - fits) as u64;
            hunk.lines.truncate(fits);
        }
        self.hunks.retain(|hunk| !hunk.lines.is_empty());
    }
}

/// The edits of a call: from its result if that has a patch, otherwise from its input.
pub(crate) fn edits_of_call(
    name: &str,
    input: &Value,
    result: Option<&ToolResult>,
) -> Vec<FileEdit> {
    let mut edits = input::edits(name, input);
    let reported = result.and_then(|result| result.diff.as_deref());
    if let (Some(hunks), [edit]) = (reported.filter(|hunks| !hunks.is_empty()), &mut edits[..]) {
        edit.kind = reported_kind(edit.kind, hunks);
        edit.hunks = hunks.to_vec();
    }
    limited(edits)
}

/// The edits in the content of a call of the Agent Client Protocol.
pub(crate) fn edits_of_content(content: &serde_json::value::RawValue) -> Vec<FileEdit> {
    let edit = |(path, is_new, hunks)| {
        let kind = if is_new {
            FileEditKind::Created
        } else {
            FileEditKind::Changed
        };
        FileEdit::new(path, kind, hunks)
    };
    let diffs = text_diff::diffs_in_content(content);
    limited(
        diffs
            .iter()
            .map(|(path, is_new, hunks)| edit((path.as_str(), *is_new, hunks.clone())))
            .collect(),
    )
}

/// Truncates the edits of one call so that their lines hold `bytes` bytes together.
pub(crate) fn cut_edits(edits: &mut [FileEdit], mut bytes: usize) {
    let mut lines = LINE_LIMIT;
    for edit in edits {
        edit.cut(&mut lines, &mut bytes);
    }
}

fn limited(mut edits: Vec<FileEdit>) -> Vec<FileEdit> {
    edits.truncate(FILE_LIMIT);
    cut_edits(&mut edits, usize::MAX);
    edits
}

/// A patch says more about a written file than the input does.
fn reported_kind(kind: FileEditKind, hunks: &[DiffHunk]) -> FileEditKind {
    match (kind, hunks) {
        (
            FileEditKind::Written,
            [
                DiffHunk {
                    old_start: 0,
                    new_start: 1,
                    ..
                },
            ],
        ) => FileEditKind::Created,
        (FileEditKind::Written, _) => FileEditKind::Changed,
        (kind, _) => kind,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(diff: Option<Vec<DiffHunk>>) -> ToolResult {
        ToolResult {
            ok: true,
            diff,
            ..ToolResult::default()
        }
    }

    #[test]
    fn patch_of_the_result_replaces_the_guess() {
        let input = json!({"file_path": "/a", "old_string": "x", "new_string": "y"});
        let reported = DiffHunk {
            old_start: 7,
            new_start: 7,
            lines: vec!["-x".to_owned(), "+y".to_owned()],
        };
        let edits = |diff| edits_of_call("Edit", &input, Some(&result(diff)));
        assert_eq!(edits(Some(vec![reported]))[0].hunks[0].old_start, 7);
        assert_eq!(edits(None)[0].hunks[0].old_start, 0);
        assert_eq!(edits(Some(Vec::new()))[0].hunks[0].lines, ["-x", "+y"]);
    }

    #[test]
    fn written_file_is_created_or_changed_once_the_result_says_so() {
        let input = json!({"file_path": "/a", "content": "x\n"});
        let hunk = |old_start| DiffHunk {
            old_start,
            new_start: 1,
            lines: vec!["+x".to_owned()],
        };
        for (diff, kind) in [
            (None, FileEditKind::Written),
            (Some(vec![hunk(0)]), FileEditKind::Created),
            (Some(vec![hunk(1)]), FileEditKind::Changed),
        ] {
            assert_eq!(
                edits_of_call("Write", &input, Some(&result(diff)))[0].kind,
                kind
            );
        }
    }

    #[test]
    fn huge_diffs_are_bounded_and_the_rest_is_counted() {
        let content = "line\n".repeat(5_000);
        let edits = edits_of_call(
            "Write",
            &json!({"file_path": "/a", "content": content}),
            None,
        );
        assert_eq!(edits[0].hunks[0].lines.len(), LINE_LIMIT);
        assert_eq!(edits[0].left_out_lines, 3_000);

        let mut edits = edits;
        cut_edits(&mut edits, 12);
        assert_eq!(
            (edits[0].hunks[0].lines.len(), edits[0].left_out_lines),
            (2, 4_998)
        );
        cut_edits(&mut edits, 0);
        assert_eq!((edits[0].hunks.len(), edits[0].left_out_lines), (0, 5_000));
    }
}
