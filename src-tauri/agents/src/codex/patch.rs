//! File changes as diff hunks.

use crate::event::DiffHunk;

/// How many lines of a new or deleted file are shown as a diff.
const WHOLE_FILE_LINES: usize = 2_000;

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
    let whole = |sign: char| {
        text.lines()
            .take(WHOLE_FILE_LINES)
            .map(|line| format!("{sign}{line}"))
            .collect()
    };
    match kind {
        ChangeKind::Add => vec![DiffHunk {
            old_start: 0,
            new_start: 1,
            lines: whole('+'),
        }],
        ChangeKind::Delete => vec![DiffHunk {
            old_start: 1,
            new_start: 0,
            lines: whole('-'),
        }],
        ChangeKind::Update => unified(text),
    }
}

fn unified(text: &str) -> Vec<DiffHunk> {
    let mut hunks: Vec<DiffHunk> = Vec::new();
    for line in text.lines() {
        if let Some((old_start, new_start)) = starts(line) {
            hunks.push(DiffHunk {
                old_start,
                new_start,
                lines: Vec::new(),
            });
        } else if let Some(hunk) = hunks.last_mut()
            && line.starts_with([' ', '-', '+'])
        {
            hunk.lines.push(line.to_owned());
        }
    }
    hunks
}

/// The first line numbers of a hunk `@@ -<old>,<count> +<new>,<count> @@`.
fn starts(line: &str) -> Option<(u32, u32)> {
    let mut words = line.strip_prefix("@@ ")?.split(' ');
    let mut first = |sign: char| {
        words
            .next()?
            .strip_prefix(sign)?
            .split(',')
            .next()?
            .parse()
            .ok()
    };
    Some((first('-')?, first('+')?))
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
