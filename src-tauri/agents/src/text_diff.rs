//! Differences of two texts as hunks of a unified diff.

use serde::Deserialize;
use serde_json::value::RawValue;
use similar::{ChangeTag, TextDiff};

use crate::event::DiffHunk;
use crate::json_text::parse;

/// The maximum length of both texts together, in bytes. The time for a diff grows with its
/// square.
const TEXT_LIMIT: usize = 512 * 1024;
/// Unchanged lines around a change.
const CONTEXT: usize = 3;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(borrow)]
    old_text: Option<&'a RawValue>,
    #[serde(borrow)]
    new_text: Option<&'a RawValue>,
}

/// The changes in the content of a tool call, file by file. `None` when it has none, or only
/// texts that are too long.
pub(crate) fn diff_from_content(content: &RawValue) -> Option<Vec<DiffHunk>> {
    // Most content is of other kinds, and parsing a long one just to find that out is expensive.
    if !content.get().contains("\"diff\"") || content.get().len() > TEXT_LIMIT {
        return None;
    }
    let blocks: Vec<&RawValue> = parse(content)?;
    let diffs = blocks
        .into_iter()
        .filter_map(parse::<Block<'_>>)
        .filter(|block| block.kind == "diff");
    let text = |raw: Option<&RawValue>| raw.and_then(parse::<String>).unwrap_or_default();
    let hunks: Vec<_> = diffs
        .flat_map(|block| hunks(&text(block.old_text), &text(block.new_text)))
        .collect();
    (!hunks.is_empty()).then_some(hunks)
}

fn hunks(before: &str, after: &str) -> Vec<DiffHunk> {
    let diff = TextDiff::from_lines(before, after);
    let groups = diff.grouped_ops(CONTEXT);
    let hunk = |group: &Vec<similar::DiffOp>| {
        let first = group.first()?;
        let lines = group
            .iter()
            .flat_map(|op| diff.iter_changes(op))
            .map(|change| {
                let sign = match change.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                format!("{sign}{}", change.value().trim_end_matches(['\n', '\r']))
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
}
