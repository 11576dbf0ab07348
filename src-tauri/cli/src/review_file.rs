//! The file of a review: Markdown with a heading `## PATH:LINES` before each comment.

/// A review as a person writes it in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReviewFile {
    /// The text before the first comment.
    pub(crate) text: String,
    pub(crate) comments: Vec<WrittenComment>,
}

/// A comment, and the lines that its heading names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenComment {
    pub(crate) path: String,
    /// The first and the last line.
    pub(crate) lines: (u32, u32),
    /// The numbers count lines before the change.
    pub(crate) removed: bool,
    pub(crate) text: String,
}

/// Reads a review. Headings in fenced code are part of a comment.
pub(crate) fn parse_review(markdown: &str) -> ReviewFile {
    let mut review = ReviewFile::default();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let heading = line.strip_prefix("## ").filter(|_| fence.is_none());
        if let Some(comment) = heading.and_then(parse_heading) {
            review.comments.push(comment);
            continue;
        }
        let ticks: String = line.chars().take_while(|letter| *letter == '`').collect();
        match &fence {
            Some(open) if ticks.len() >= open.len() => fence = None,
            None if ticks.len() >= 3 => fence = Some(ticks),
            _ => {}
        }
        let text = match review.comments.last_mut() {
            Some(comment) => &mut comment.text,
            None => &mut review.text,
        };
        text.push_str(line);
        text.push('\n');
    }
    review
}

/// Parses `PATH:12`, `PATH:12-14` or `PATH:12 removed`, with or without backticks.
fn parse_heading(heading: &str) -> Option<WrittenComment> {
    let heading = heading.trim();
    let (place, removed) = match heading.strip_suffix(" removed") {
        Some(place) => (place, true),
        None => (heading, false),
    };
    let (path, lines) = place.trim_matches('`').rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let lines = (first.parse().ok()?, last.parse().ok()?);
    (!path.is_empty()).then(|| WrittenComment {
        path: path.to_owned(),
        lines,
        removed,
        text: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_lines() {
        let table = [
            ("src/a.rs:12", Some(("src/a.rs", (12, 12), false))),
            ("`src/a.rs:12-14`", Some(("src/a.rs", (12, 14), false))),
            ("a b:c.rs:3 removed", Some(("a b:c.rs", (3, 3), true))),
            ("Summary", None),
            ("Note: see below", None),
            (":3", None),
        ];
        for (heading, expected) in table {
            let found = parse_heading(heading);
            let found = found
                .as_ref()
                .map(|found| (found.path.as_str(), found.lines, found.removed));
            assert_eq!(found, expected, "{heading}");
        }
    }

    #[test]
    fn text_belongs_to_the_heading_above() {
        let review = parse_review(
            "Nearly.\n\n## a:1\nFirst.\n\n```md\n## b:2\n```\n## Why\nStill first.\n## c:3\nSecond.\n",
        );
        assert_eq!(review.text, "Nearly.\n\n");
        let comments: Vec<_> = review
            .comments
            .iter()
            .map(|comment| (comment.path.as_str(), comment.text.as_str()))
            .collect();
        let first = "First.\n\n```md\n## b:2\n```\n## Why\nStill first.\n";
        assert_eq!(comments, [("a", first), ("c", "Second.\n")]);
    }
}
