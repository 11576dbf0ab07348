//! `baton node review`: sends comments on the lines that a node changed.

use std::path::{Path, PathBuf};

use baton_agents::DiffHunk;
use baton_api::wire::*;
use baton_model::{ChangeReview, LineComment, LineRange};
use clap::Args;

use super::{NodeArgs, diff, find, follow_if_executed_here, read_stdin};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::review_file::{WrittenComment, parse_review};

/// Send comments on a node's changes to its agent, as one message
///
/// In the file, a heading before each comment names its lines in the diff: `## src/main.rs:12`,
/// `## src/main.rs:12-14`, or `## src/main.rs:9 removed` for lines that the node removed. Text
/// before the first heading is about the change as a whole. The session continues with the message.
#[derive(Debug, Args)]
pub(crate) struct ReviewArgs {
    #[command(flatten)]
    node: NodeArgs,
    /// The Markdown file with the comments; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn send(client: &Client<'_>, args: &ReviewArgs) -> Result<Exit, Failure> {
    let markdown = read(&args.file)?;
    let (before, node) = find(client, &args.node)?;
    let query = NodeDiffQuery {
        run: before.summary.id,
        node,
        attempt: None,
        since: None,
        path: None,
    };
    let diff = diff::load(client, &query)?;
    let written = parse_review(&markdown);
    let comments = written.comments.into_iter();
    let comments = comments.map(|comment| find_lines(&diff, comment));
    let input = NodeReview {
        run: before.summary.id,
        node,
        session: Some(diff.session),
        review: ChangeReview {
            comments: comments.collect::<Result<_, _>>()?,
            text: written.text,
            base: diff.base,
            head: diff.head,
        },
    };
    let summary = client.ask("send the review", "node_review", &input)?;
    follow_if_executed_here(client, &before, summary)
}

fn read(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        return read_stdin();
    }
    std::fs::read_to_string(file).map_err(|error| Failure::Read {
        path: file.to_path_buf(),
        reason: error.to_string(),
    })
}

/// Adds the lines of the diff to a comment.
fn find_lines(diff: &NodeDiffView, comment: WrittenComment) -> Result<LineComment, Failure> {
    let file = diff
        .files
        .iter()
        .find(|file| file.delta.path == comment.path);
    let file = file.ok_or_else(|| {
        let path = &comment.path;
        Failure::Usage(format!(
            "the node did not change '{path}'. `baton node diff` lists what it changed"
        ))
    })?;
    let hunks = match &file.content {
        FileDiffContentView::Hunks { hunks } => hunks.as_slice(),
        _ => &[],
    };
    let (first, last) = comment.lines;
    let quoted = hunks
        .iter()
        .find_map(|hunk| lines_in(hunk, (first, last), comment.removed));
    let (lines, old, new) = quoted.ok_or_else(|| {
        let place = match comment.removed {
            true => format!("{first}-{last} before the change"),
            false => format!("{first}-{last}"),
        };
        Failure::Usage(format!(
            "the diff of '{}' doesn't have lines {place}. `baton node diff` shows its lines",
            comment.path
        ))
    })?;
    Ok(LineComment {
        path: comment.path,
        old,
        new,
        lines,
        text: comment.text.trim().to_owned(),
        outdated: None,
    })
}

type Quoted = (Vec<String>, Option<LineRange>, Option<LineRange>);

/// The lines of a hunk between two numbers, which count lines before or after the change, with
/// their places on both sides; `None` if the hunk doesn't contain both.
fn lines_in(hunk: &DiffHunk, (first, last): (u32, u32), removed: bool) -> Option<Quoted> {
    let (mut old, mut new) = (hunk.old_start, hunk.new_start);
    let mut rows = Vec::new();
    for line in hunk.lines.iter().filter(|line| !line.starts_with('\\')) {
        let numbers = (
            (!line.starts_with('+')).then_some(old),
            (!line.starts_with('-')).then_some(new),
        );
        old += u32::from(numbers.0.is_some());
        new += u32::from(numbers.1.is_some());
        rows.push((line, numbers));
    }
    let at = |wanted: u32| {
        rows.iter().position(|(_, (old, new))| {
            let number = if removed { old } else { new };
            *number == Some(wanted)
        })
    };
    let rows = rows
        .get(at(first)?..=at(last)?)
        .filter(|rows| !rows.is_empty())?;
    let lines = rows.iter().map(|(line, _)| (*line).clone()).collect();
    let old = range_of(rows.iter().filter_map(|(_, (old, _))| *old));
    let new = range_of(rows.iter().filter_map(|(_, (_, new))| *new));
    Some((lines, old, new))
}

/// The range between the first and the last number.
fn range_of(mut numbers: impl DoubleEndedIterator<Item = u32>) -> Option<LineRange> {
    let first = numbers.next()?;
    let last = numbers.next_back().unwrap_or(first);
    Some(LineRange { first, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_on_both_sides() {
        let hunk = DiffHunk {
            old_start: 10,
            new_start: 20,
            lines: [" a", "-b", "-c", "+d", " e"].map(str::to_owned).to_vec(),
        };
        let range = |first, last| Some(LineRange { first, last });
        let table = [
            (
                (20, 20),
                false,
                Some(("\u{20}a", range(10, 10), range(20, 20))),
            ),
            ((21, 21), false, Some(("+d", None, range(21, 21)))),
            ((11, 12), true, Some(("-b|-c", range(11, 12), None))),
            (
                (20, 22),
                false,
                Some((" a|-b|-c|+d| e", range(10, 13), range(20, 22))),
            ),
            ((22, 23), false, None),
            ((22, 21), false, None),
        ];
        for (wanted, removed, expected) in table {
            let found = lines_in(&hunk, wanted, removed);
            let found = found.map(|(lines, old, new)| (lines.join("|"), old, new));
            let expected = expected.map(|(lines, old, new)| (lines.to_owned(), old, new));
            assert_eq!(found, expected, "{wanted:?}");
        }
    }
}
