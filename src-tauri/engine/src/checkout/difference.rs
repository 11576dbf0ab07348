//! The difference between two commits, by file, with line counts. Paths are relative to the root of
//! the repository.

use super::{CheckoutError, Repository};
use crate::git::Git;

/// The mode of a nested repository, which is never part of a node's work.
const GITLINK: &str = "160000";

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileDelta {
    /// Invalid Unicode in the path is replaced.
    pub path: String,
    /// What happened to the file.
    pub change: DeltaKind,
    /// The number of added and removed lines; `None` for binary files.
    pub lines: Option<(u32, u32)>,
}

/// A file that differs, with its content before and after.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ContentDelta {
    pub(super) delta: FileDelta,
    pub(super) before: FileVersion,
    pub(super) after: FileVersion,
}

/// One version of a file, as git stores it. Both fields consist of zeros where there is none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileVersion {
    pub(super) mode: String,
    pub(super) object: String,
}

/// What happened to a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeltaKind {
    /// It did not exist before.
    Created,
    /// Its content, mode or type changed.
    Changed,
    /// It no longer exists.
    Deleted,
    /// It was moved, and may have been changed.
    Renamed {
        /// The path before the move.
        from: String,
    },
}

impl FileVersion {
    /// The git object with the content, if there is one.
    pub(super) fn object(&self) -> Option<&str> {
        let is_some = self.object.bytes().any(|digit| digit != b'0');
        is_some.then_some(self.object.as_str())
    }
}

impl Repository {
    /// The changes from `earlier` to `later`, sorted by path.
    pub(super) fn differences(
        &self,
        earlier: &str,
        later: &str,
    ) -> Result<Vec<FileDelta>, CheckoutError> {
        let deltas = self.content_differences(earlier, later)?;
        Ok(deltas.into_iter().map(|file| file.delta).collect())
    }

    /// The same with the content of both sides. Trees can be compared too.
    pub(super) fn content_differences(
        &self,
        earlier: &str,
        later: &str,
    ) -> Result<Vec<ContentDelta>, CheckoutError> {
        differences(&self.git(), earlier, later)
    }

    /// The paths whose content differs; a moved file counts as two.
    pub(super) fn differing(
        &self,
        earlier: &str,
        later: &str,
    ) -> Result<Vec<String>, CheckoutError> {
        let arguments = [
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            earlier,
            later,
        ];
        let output = self.git().run(&arguments)?;
        let paths = output
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty());
        Ok(paths
            .map(|path| String::from_utf8_lossy(path).into_owned())
            .collect())
    }
}

fn differences(git: &Git, earlier: &str, later: &str) -> Result<Vec<ContentDelta>, CheckoutError> {
    if earlier == later {
        return Ok(Vec::new());
    }
    let arguments = [
        "diff-tree",
        "-r",
        "-z",
        "-M",
        "--raw",
        "--numstat",
        "--no-ext-diff",
        "--no-textconv",
        earlier,
        later,
    ];
    let mut deltas = read(&git.run(&arguments)?);
    deltas.sort();
    Ok(deltas)
}

/// Parses the raw lines and the counts after them: git-diff-tree(1), "RAW OUTPUT FORMAT" and
/// `--numstat`, with `-z`.
fn read(output: &[u8]) -> Vec<ContentDelta> {
    let text = String::from_utf8_lossy(output);
    let mut parts = text.split('\0').filter(|part| !part.is_empty()).peekable();
    let mut deltas: Vec<ContentDelta> = Vec::new();
    while let Some(facts) = parts.next_if(|part| part.starts_with(':')) {
        let facts: Vec<&str> = facts.trim_start_matches(':').split(' ').collect();
        let (Some(&letter), Some(first)) = (facts.last(), parts.next()) else {
            break;
        };
        let (path, change) = match letter.chars().next() {
            Some('R' | 'C') => (
                parts.next().unwrap_or(first),
                DeltaKind::Renamed {
                    from: first.to_owned(),
                },
            ),
            Some('A') => (first, DeltaKind::Created),
            Some('D') => (first, DeltaKind::Deleted),
            _ => (first, DeltaKind::Changed),
        };
        let version = |mode: usize| FileVersion {
            mode: facts.get(mode).copied().unwrap_or_default().to_owned(),
            object: facts.get(mode + 2).copied().unwrap_or_default().to_owned(),
        };
        let (before, after) = (version(0), version(1));
        let delta = FileDelta {
            path: path.to_owned(),
            change,
            lines: None,
        };
        deltas.push(ContentDelta {
            delta,
            before,
            after,
        });
    }
    // The counts come in the same order; those of a moved file are followed by both of its paths.
    for ContentDelta { delta, .. } in &mut deltas {
        let Some(counts) = parts.next() else { break };
        let mut fields = counts.splitn(3, '\t');
        let mut count = || fields.next().and_then(|count| count.parse().ok());
        delta.lines = count().zip(count());
        if fields.next().is_none_or(str::is_empty) {
            parts.nth(1);
        }
    }
    deltas.retain(|file| file.before.mode != GITLINK && file.after.mode != GITLINK);
    deltas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diff_output_is_parsed_with_line_counts() {
        let output = ":100644 100644 a b M\0both.txt\0:000000 100644 0 b A\0new \"x\"\nline.txt\0\
            :100644 000000 a 0 D\0gone\0:100644 100644 a b R090\0old/a\0new/a\0:100644 100644 a b M\0image\0\
            :160000 160000 a b M\0inner\0\
            3\t1\tboth.txt\x002\t0\tnew \"x\"\nline.txt\x000\t7\tgone\x001\t1\t\0old/a\0new/a\0-\t-\timage\x001\t1\tinner\0";
        let files: Vec<_> = read(output.as_bytes())
            .into_iter()
            .map(|file| (file.delta.path, file.delta.change, file.delta.lines))
            .collect();
        let renamed = DeltaKind::Renamed {
            from: "old/a".to_owned(),
        };
        let expected = [
            ("both.txt", DeltaKind::Changed, Some((3, 1))),
            ("new \"x\"\nline.txt", DeltaKind::Created, Some((2, 0))),
            ("gone", DeltaKind::Deleted, Some((0, 7))),
            ("new/a", renamed, Some((1, 1))),
            ("image", DeltaKind::Changed, None),
        ];
        assert_eq!(
            files,
            expected.map(|(path, change, lines)| (path.to_owned(), change, lines))
        );
    }

    #[test]
    fn malformed_diff_output_is_ignored() {
        assert!(read(b"").is_empty());
        assert_eq!(
            read(b":100644 100644 a b M\0a\0").len(),
            1,
            "a missing count costs only the count"
        );
    }
}
