//! A person's comments on the lines of a change, and the message that sends all of them to the
//! agent that made it.
//!
//! Lines and paths come from the work of agents, so they are quoted in a way that no content can
//! end early.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::count::format_quantity;

/// The maximum number of quoted lines per comment; further ones are counted.
const QUOTED_LINES: usize = 60;
/// The maximum number of bytes quoted of one line: generated files may have very long ones.
const QUOTED_BYTES: usize = 400;
/// The number of characters of a commit id that are enough to find it.
const SHORT_COMMIT: usize = 12;

/// The comments of one review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangeReview {
    /// The commit or tree before the change.
    pub base: String,
    /// The commit or tree with the change.
    pub head: String,
    /// What the person says about the change as a whole; may be empty.
    pub text: String,
    /// The comments, in the order of the diff.
    pub comments: Vec<LineComment>,
}

/// A comment on neighboring lines of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LineComment {
    /// The file after the change, relative to the root of the repository.
    pub path: String,
    /// Where the lines are before the change; `None` if all of them were added.
    pub old: Option<LineRange>,
    /// Where the lines are after the change; `None` if all of them were removed.
    pub new: Option<LineRange>,
    /// The lines, each of which begins with ` `, `-` or `+`.
    pub lines: Vec<String>,
    /// The comment, as Markdown.
    pub text: String,
    /// The commit or tree that the comment was written for, if its lines have changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub outdated: Option<String>,
}

/// Lines of a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LineRange {
    /// The first line.
    pub first: u32,
    /// The last line, included.
    pub last: u32,
}

impl ChangeReview {
    /// Whether there is nothing to send: neither a comment nor a text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.comments.is_empty()
    }

    /// The message to the agent, as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut message = self.introduction();
        if !self.text.trim().is_empty() {
            let _ = write!(message, "\n\n{}", self.text.trim());
        }
        for comment in &self.comments {
            let _ = write!(message, "\n\n{}", comment.to_markdown());
        }
        message.push('\n');
        message
    }

    fn introduction(&self) -> String {
        let (head, base) = (short(&self.head), short(&self.base));
        let what = format!("I reviewed your changes as of `{head}` (compared with `{base}`)");
        let files: BTreeSet<&str> = self.comments.iter().map(|it| it.path.as_str()).collect();
        match self.comments.len() {
            0 => format!("{what}."),
            comments => format!(
                "{what} and left {} on {}. Address each of them; line numbers refer to `{head}`.",
                format_quantity(comments, "comment", "comments"),
                format_quantity(files.len(), "file", "files"),
            ),
        }
    }
}

impl LineComment {
    fn to_markdown(&self) -> String {
        let quoted = quoted(&self.lines);
        let mut text = format!("## {}, {}\n\n", code_span(&self.path), self.place());
        if let Some(commit) = &self.outdated {
            let commit = short(commit);
            let _ = write!(
                text,
                "Outdated: written for `{commit}`. These lines have changed since.\n\n"
            );
        }
        let fence = "`".repeat(longest_run(&quoted).max(2) + 1);
        let _ = write!(text, "{fence}diff\n{quoted}{fence}\n\n{}", self.text.trim());
        text
    }

    /// Where the lines are, in words.
    fn place(&self) -> String {
        match (self.new, self.old) {
            (Some(lines), _) => lines.to_text("line"),
            (None, Some(lines)) => format!("removed {}", lines.to_text("line")),
            (None, None) => "the file".to_owned(),
        }
    }
}

impl LineRange {
    fn to_text(self, word: &str) -> String {
        if self.first == self.last {
            format!("{word} {}", self.first)
        } else {
            format!("{word}s {}-{}", self.first, self.last)
        }
    }
}

/// The lines as they stand between fences.
fn quoted(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines.iter().take(QUOTED_LINES) {
        // A line break or another control character would end the quoted line.
        let line = line.replace(|letter: char| letter.is_control() && letter != '\t', "");
        let end = line.floor_char_boundary(QUOTED_BYTES);
        let more = if end < line.len() { "…" } else { "" };
        let _ = writeln!(text, "{}{more}", &line[..end]);
    }
    let left_out = lines.len().saturating_sub(QUOTED_LINES);
    if left_out > 0 {
        let _ = writeln!(
            text,
            "… {}",
            format_quantity(left_out, "more line", "more lines")
        );
    }
    text
}

/// The text as inline code, whatever it contains.
fn code_span(text: &str) -> String {
    let text = text.replace(|letter: char| letter.is_control(), "\u{fffd}");
    let fence = "`".repeat(longest_run(&text) + 1);
    // Spaces keep a backtick at an end apart from the fence. Markdown removes them.
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

fn short(commit: &str) -> String {
    let letters = commit.chars().filter(char::is_ascii_alphanumeric);
    letters.take(SHORT_COMMIT).collect()
}
