//! File changes as diff hunks.

use crate::event::DiffHunk;
use crate::text_diff::{unified_hunks, whole_file};

/// The kind of a file change, as the client reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeKind {
    Add,
    Delete,
    Update,
}

/// The hunks of one change. For a new or deleted file the client sends the content, for others a
/// unified diff.
pub(super) fn hunks(kind: ChangeKind, text: &str) -> Vec<DiffHunk> {
    match kind {
        ChangeKind::Add => whole_file('+', text),
        ChangeKind::Delete => whole_file('-', text),
        ChangeKind::Update => unified_hunks(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_become_hunks() {
        let update = "@@ -1,2 +1,3 @@ fn main\n a\n-b\n+c\n+d\n\\ No newline at end of file\n@@ -9 +10 @@\n-x\n+y\n";
        let hunks = hunks(ChangeKind::Update, update);
        assert_eq!(
            hunks
                .iter()
                .map(|hunk| (hunk.old_start, hunk.new_start))
                .collect::<Vec<_>>(),
            [(1, 1), (9, 10)]
        );
        assert_eq!(hunks[0].lines, [" a", "-b", "+c", "+d"]);
        let added = super::hunks(ChangeKind::Add, "one\ntwo\n");
        assert_eq!(
            added,
            [DiffHunk {
                old_start: 0,
                new_start: 1,
                lines: vec!["+one".to_owned(), "+two".to_owned()]
            }]
        );
        assert_eq!(super::hunks(ChangeKind::Delete, "one")[0].lines, ["-one"]);
        assert_eq!(
            super::hunks(ChangeKind::Update, "no diff at all\n@@ what\n@@ -a +b @@"),
            []
        );
    }
}
