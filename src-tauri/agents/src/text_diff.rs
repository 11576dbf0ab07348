//! Differences of two texts as hunks of a unified diff.

use serde::Deserialize;
use serde_json::value::RawValue;
use similar::{ChangeTag, TextDiff};

use crate::event::DiffHunk;
use crate::json_text::parse;
use crate::lenient_json;

/// The maximum length of both texts together, in bytes. The time for a diff grows with its
/// square.
const TEXT_LIMIT: usize = 512 * 1024;
/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// What git prints after a last line without a line break.
const NO_LINE_BREAK: &str = "\\ No newline at end of file";

/// The maximum number of lines of both texts together that are compared. Longer texts are shown as
/// removed and added.
const COMPARED_LINES: usize = 8_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    path: String,
    #[serde(borrow)]
    old_text: Option<&'a RawValue>,
    #[serde(borrow)]
    new_text: Option<&'a RawValue>,
}

/// The changes in the content of a tool call, file by file. `None` when it has none, or only
/// texts that are too long.
pub(crate) fn diff_from_content(content: &RawValue) -> Option<Vec<DiffHunk>> {
    let hunks: Vec<_> = diffs_in_content(content)
        .into_iter()
        .flat_map(|(_, _, hunks)| hunks)
        .collect();
    (!hunks.is_empty()).then_some(hunks)
}

/// The changes in the content of a tool call: the path of each file, whether it is new, and its
/// hunks. Empty when the texts are too long.
pub(crate) fn diffs_in_content(content: &RawValue) -> Vec<(String, bool, Vec<DiffHunk>)> {
    // Most content is of other kinds, and parsing a long one just to find that out is expensive.
    if !content.get().contains("\"diff\"") || content.get().len() > TEXT_LIMIT {
        return Vec::new();
    }
    let text = |raw: Option<&RawValue>| raw.and_then(parse::<String>).unwrap_or_default();
    let blocks: Vec<&RawValue> = parse(content).unwrap_or_default();
    blocks
        .into_iter()
        .filter_map(parse::<Block<'_>>)
        .filter(|block| block.kind == "diff")
        .map(|block| {
            let is_new = block.old_text.is_none_or(|text| text.get() == "null");
            let hunks = hunks(&text(block.old_text), &text(block.new_text));
            (block.path, is_new, hunks)
        })
        .collect()
}

/// The hunks between two parts of a file. Where they are in the file is unknown, so both line
/// numbers are 0.
pub(crate) fn hunks_without_place(before: &str, after: &str) -> Vec<DiffHunk> {
    let mut hunks = hunks(before, after);
    for hunk in &mut hunks {
        (hunk.old_start, hunk.new_start) = (0, 0);
    }
    hunks
}

/// All lines of a file as added (`+`) or removed (`-`).
pub(crate) fn whole_file(sign: char, text: &str) -> Vec<DiffHunk> {
    if text.is_empty() {
        return Vec::new();
    }
    vec![DiffHunk {
        old_start: u32::from(sign == '-'),
        new_start: u32::from(sign == '+'),
        lines: signed_lines(sign, text).collect(),
    }]
}

fn signed_lines(sign: char, text: &str) -> impl Iterator<Item = String> {
    text.lines().map(move |line| format!("{sign}{line}"))
}

/// The hunks of a unified diff.
pub(crate) fn unified_hunks(text: &str) -> Vec<DiffHunk> {
    let mut hunks: Vec<DiffHunk> = Vec::new();
    for line in text.lines() {
        if let Some((old_start, new_start)) = hunk_starts(line) {
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
fn hunk_starts(line: &str) -> Option<(u32, u32)> {
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

fn is_comparable(before: &str, after: &str) -> bool {
    before.len() + after.len() <= TEXT_LIMIT
        && before.lines().count() + after.lines().count() <= COMPARED_LINES
}

fn hunks(before: &str, after: &str) -> Vec<DiffHunk> {
    if !is_comparable(before, after) {
        return vec![DiffHunk {
            old_start: u32::from(!before.is_empty()),
            new_start: 1,
            lines: signed_lines('-', before)
                .chain(signed_lines('+', after))
                .collect(),
        }];
    }
    compared(before, after, |sign, line| {
        vec![format!("{sign}{}", line.trim_end_matches(['\n', '\r']))]
    })
}

/// The hunks between two versions of a whole file, as git prints them: carriage returns are kept,
/// and a missing line break at the end is marked. The caller limits the length, because the time
/// grows with the number of changed lines.
#[must_use]
pub fn file_hunks(before: &str, after: &str) -> Vec<DiffHunk> {
    let mut hunks = compared(before, after, |sign, line| match line.strip_suffix('\n') {
        Some(line) => vec![format!("{sign}{line}")],
        None => vec![format!("{sign}{line}"), NO_LINE_BREAK.to_owned()],
    });
    if after.is_empty() {
        hunks.iter_mut().for_each(|hunk| hunk.new_start = 0);
    }
    hunks
}

fn compared(
    before: &str,
    after: &str,
    lines_of: impl Fn(char, &str) -> Vec<String>,
) -> Vec<DiffHunk> {
    let diff = TextDiff::from_lines(before, after);
    let groups = diff.grouped_ops(CONTEXT);
    let hunk = |group: &Vec<similar::DiffOp>| {
        let first = group.first()?;
        let lines = group
            .iter()
            .flat_map(|op| diff.iter_changes(op))
            .flat_map(|change| {
                let sign = match change.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                lines_of(sign, change.value())
            });
        let line =
            |range: std::ops::Range<usize>| u32::try_from(range.start + 1).unwrap_or(u32::MAX);
        Some(DiffHunk {
            old_start: if before.is_empty() {
                0
            } else {
                line(first.old_range())
            },
            new_start: line(first.new_range()),
            lines: lines.collect(),
        })
    };
    groups.iter().filter_map(hunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(json: &str) -> Option<String> {
        let raw = RawValue::from_string(json.to_owned()).expect("JSON");
        let hunk = |hunk: DiffHunk| {
            format!(
                "@{} @{} {}",
                hunk.old_start,
                hunk.new_start,
                hunk.lines.join("|")
            )
        };
        diff_from_content(&raw)
            .map(|hunks| hunks.into_iter().map(hunk).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn diff_includes_context_lines() {
        let new = r#"[{"type":"diff","path":"/a","oldText":null,"newText":"one\ntwo\n"}]"#;
        assert_eq!(patch(new).as_deref(), Some("@0 @1 +one|+two"));
        let lines: String = (0..20).map(|n| format!("{n}\\n")).collect();
        let edit = format!(
            r#"[{{"type":"content"}},{{"type":"diff","oldText":"{lines}","newText":"{}"}}]"#,
            lines.replace("10\\n", "ten\\n")
        );
        assert_eq!(
            patch(&edit).as_deref(),
            Some("@8 @8  7| 8| 9|-10|+ten| 11| 12| 13")
        );
    }

    #[test]
    fn unchanged_content_has_no_diff() {
        for json in [
            r#"[]"#,
            r#"[{"type":"content","content":{"type":"text","text":"\"diff\""}}]"#,
            r#"{"type":"diff"}"#,
            r#"[{"type":"diff","oldText":"a","newText":"a"}]"#,
            &format!(
                r#"[{{"type":"diff","oldText":"a","newText":"{}"}}]"#,
                "b".repeat(TEXT_LIMIT)
            ),
        ] {
            assert_eq!(patch(json), None, "{}", &json[..json.len().min(80)]);
        }
    }

    #[test]
    fn texts_too_long_to_compare_are_removed_and_added() {
        let old = (0..COMPARED_LINES)
            .map(|n| format!("{n}\n"))
            .collect::<String>();
        let hunks = hunks(&old, "new\n");
        assert_eq!(hunks[0].lines.len(), COMPARED_LINES + 1);
        assert_eq!(hunks[0].lines.last().map(String::as_str), Some("+new"));
    }

    #[test]
    fn hunks_of_files_say_what_git_says() {
        let numbers = |edit: (&str, &str)| {
            let lines: String = (1..=9).map(|n| format!("{n}\n")).collect();
            lines.replacen(edit.0, edit.1, 1)
        };
        let table = [
            ("", "one\ntwo\n", "@0 @1 +one|+two"),
            ("one\n", "", "@1 @0 -one"),
            (
                "one\n",
                "one",
                "@1 @1 -one|+one|\\ No newline at end of file",
            ),
            ("one\r\n", "one\n", "@1 @1 -one\r|+one"),
            ("same\n", "same\n", ""),
            (
                &numbers(("", "")),
                &numbers(("5", "five")),
                "@2 @2  2| 3| 4|-5|+five| 6| 7| 8",
            ),
        ];
        for (before, after, expected) in table {
            let hunks = file_hunks(before, after).into_iter().map(|hunk| {
                let lines = hunk.lines.join("|");
                format!("@{} @{} {lines}", hunk.old_start, hunk.new_start)
            });
            assert_eq!(hunks.collect::<Vec<_>>().join("\n"), expected, "{before:?}");
        }
    }
}
