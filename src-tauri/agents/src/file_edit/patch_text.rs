//! The patch format of Codex's `apply_patch`, which opencode's `patch` shares. It has no line
//! numbers.

use super::{FileEdit, FileEditKind};
use crate::event::DiffHunk;

/// The first line of a patch.
pub(super) const BEGIN: &str = "*** Begin Patch";

/// The edits of a patch. Text before and after the patch is ignored.
pub(super) fn edits(text: &str) -> Vec<FileEdit> {
    let mut edits: Vec<FileEdit> = Vec::new();
    let lines = text
        .lines()
        .skip_while(|line| !line.ends_with(BEGIN))
        .skip(1)
        .take_while(|line| line.trim_end() != "*** End Patch");
    for line in lines {
        if let Some((kind, path)) = file_header(line) {
            edits.push(FileEdit::new(path, kind, Vec::new()));
        } else if let Some(edit) = edits.last_mut() {
            add_line(edit, line);
        }
    }
    edits
}

fn file_header(line: &str) -> Option<(FileEditKind, &str)> {
    let rest = line.strip_prefix("*** ")?;
    [
        ("Add File: ", FileEditKind::Created),
        ("Update File: ", FileEditKind::Changed),
        ("Delete File: ", FileEditKind::Deleted),
    ]
    .into_iter()
    .find_map(|(label, kind)| Some((kind, rest.strip_prefix(label)?.trim())))
}

fn add_line(edit: &mut FileEdit, line: &str) {
    if let Some(path) = line.strip_prefix("*** Move to: ") {
        edit.moved_to = Some(path.trim().to_owned());
        return;
    }
    let is_created = edit.kind == FileEditKind::Created;
    if line.starts_with("@@") || edit.hunks.is_empty() {
        edit.hunks.push(DiffHunk {
            old_start: 0,
            new_start: u32::from(is_created),
            lines: Vec::new(),
        });
    }
    let Some(hunk) = edit.hunks.last_mut() else {
        return;
    };
    if line.starts_with([' ', '-', '+']) {
        hunk.lines.push(line.to_owned());
    } else if line.is_empty() {
        // Models leave out the space of an empty line.
        hunk.lines.push(" ".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patch_becomes_one_edit_per_file() {
        let text = "cat <<'X'\n*** Begin Patch\n*** Add File: new file.txt\n+one\n+two\n\
            *** Update File: src/a.rs\n*** Move to: src/b.rs\n@@ fn main() {\n a\n\n-b\n+c\n@@\n-d\n\
            *** Delete File: old.txt\n*** End Patch\n+not part of it";
        let edits = edits(text);
        let told: Vec<_> = edits
            .iter()
            .map(|edit| (edit.kind, edit.path.as_str(), edit.moved_to.as_deref()))
            .collect();
        assert_eq!(
            told,
            [
                (FileEditKind::Created, "new file.txt", None),
                (FileEditKind::Changed, "src/a.rs", Some("src/b.rs")),
                (FileEditKind::Deleted, "old.txt", None),
            ]
        );
        assert_eq!(edits[0].hunks[0].lines, ["+one", "+two"]);
        assert_eq!(edits[0].hunks[0].new_start, 1);
        assert_eq!(edits[1].hunks[0].lines, [" a", " ", "-b", "+c"]);
        assert_eq!(edits[1].hunks[1].lines, ["-d"]);
        assert_eq!(edits[2].hunks, []);
    }

    #[test]
    fn broken_patches_give_what_can_be_read() {
        assert_eq!(super::edits("no patch"), []);
        assert_eq!(super::edits("*** Begin Patch\n+line of no file"), []);
        let cut = super::edits("*** Begin Patch\n*** Update File: a\n@@\n-x");
        assert_eq!(cut[0].hunks[0].lines, ["-x"]);
    }
}
