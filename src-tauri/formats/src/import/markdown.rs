//! The parts of Markdown that task lists use: headings, check boxes, front matter.

use super::status::SourceStatus;

/// A line of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) text: &'t str,
    /// Whether it is code or a comment, in which nothing has a meaning.
    pub(super) is_verbatim: bool,
}

/// The lines of `text`, the first of which has the number `first`.
pub(super) fn lines(text: &str, first: usize) -> Vec<Line<'_>> {
    let mut fence: Option<&str> = None;
    let mut is_comment = false;
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let mut is_verbatim = fence.is_some() || is_comment;
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) if !is_comment => {
                (fence, is_verbatim) = (Some(mark), true);
            }
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_none() && !is_verbatim && trimmed.starts_with("<!--") {
            is_verbatim = true;
            is_comment = true;
        }
        if is_comment && line.contains("-->") {
            is_comment = false;
        }
        found.push(Line {
            number: first + at,
            text: line,
            is_verbatim,
        });
    }
    found
}

/// The level and the text of a heading.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    let rest = line.get(level..)?;
    ((1..=6).contains(&level) && rest.starts_with([' ', '\t'])).then(|| (level, rest.trim()))
}

/// An item with a check box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkbox<'t> {
    pub(super) mark: char,
    pub(super) text: &'t str,
}

impl Checkbox<'_> {
    /// The status that the box stands for.
    pub(super) fn status(&self) -> SourceStatus {
        SourceStatus::from_word(match self.mark {
            'x' | 'X' => "done",
            '-' | '~' | '/' => "in-progress",
            _ => "",
        })
    }
}

/// The check box of a line, if it has one: `- [ ] text`.
pub(super) fn checkbox(line: &str) -> Option<Checkbox<'_>> {
    let rest = line
        .trim_start()
        .strip_prefix(['-', '*', '+'])?
        .trim_start();
    let rest = rest.strip_prefix('[')?;
    let mut chars = rest.chars();
    let mark = chars.next()?;
    let text = match mark {
        ']' => chars.as_str(),
        _ => chars.as_str().strip_prefix(']')?,
    };
    // A link, such as `- [1](url)`.
    if text.starts_with(['(', '[', ':']) {
        return None;
    }
    // Kiro marks optional tasks with a star behind the box.
    let text = text.strip_prefix('*').unwrap_or(text).trim();
    (!text.is_empty()).then_some(Checkbox { mark, text })
}

/// The front matter of a document, its body, and the number of lines before each.
pub(super) fn front_matter(text: &str) -> Option<(&str, &str, usize)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text
        .strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))?;
    let mut offset = 0;
    for (at, line) in rest.split_inclusive('\n').enumerate() {
        if line.trim_end() == "---" {
            return Some((&rest[..offset], &rest[offset + line.len()..], at + 2));
        }
        offset += line.len();
    }
    None
}

/// The text between a heading that begins with `name` and the next one of its level or above, with
/// the number of its first line. Comments are left out.
pub(super) fn section(document: &[Line<'_>], name: &str) -> Option<String> {
    let is_heading = |line: &Line<'_>| !line.is_verbatim && heading(line.text).is_some();
    let start = document.iter().position(|line| {
        !line.is_verbatim
            && heading(line.text)
                .is_some_and(|(_, text)| text.to_lowercase().starts_with(&name.to_lowercase()))
    })?;
    let (level, _) = heading(document[start].text)?;
    let end = document[start + 1..]
        .iter()
        .position(|line| is_heading(line) && heading(line.text).is_some_and(|(at, _)| at <= level));
    let end = end.map_or(document.len(), |end| start + 1 + end);
    let body: Vec<&str> = document[start + 1..end]
        .iter()
        .filter(|line| !line.text.trim_start().starts_with("<!--"))
        .map(|line| line.text)
        .collect();
    Some(body.join("\n").trim().to_owned())
}

/// The words of a text that look like paths of files, each once.
pub(super) fn file_paths(text: &str) -> Vec<String> {
    let edges = |c: char| "`'\"()[]{}<>,;:*".contains(c);
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(edges).trim_end_matches(['.', '!', '?']);
        let word = word.trim_matches(edges);
        if is_path(word) && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

fn is_path(word: &str) -> bool {
    let all_fit = word
        .chars()
        .all(|c| c.is_alphanumeric() || "._-/\\@+*".contains(c));
    if !all_fit || word.contains("//") || word.len() > 300 {
        return false;
    }
    let name = word.rsplit('/').next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=6).contains(&extension.len())
            && extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
    });
    let is_folder = word.ends_with('/') && word.len() > 1;
    has_extension
        && (word.contains('/') || !name.starts_with(char::is_uppercase) || name.contains('_'))
        || is_folder
        || word.matches('/').count() > 1 && word.starts_with(|c: char| c.is_lowercase() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_told_from_links() {
        let text = |line| checkbox(line).map(|found| (found.mark, found.text));
        assert_eq!(text("- [ ] Do it"), Some((' ', "Do it")));
        assert_eq!(text("  * [x] Done"), Some(('x', "Done")));
        assert_eq!(text("\t- [ ]* Maybe"), Some((' ', "Maybe")));
        assert_eq!(text("- [] Empty box"), Some((']', "Empty box")));
        for other in [
            "- [a](b)",
            "- Do it",
            "[ ] Do it",
            "- [ ]",
            "- [link][1]",
            "-",
            "",
        ] {
            assert_eq!(text(other), None, "{other}");
        }
    }

    #[test]
    fn code_and_comments_are_verbatim() {
        let text = "a\n```\n- [ ] b\n```\nc\n<!-- d\n- [ ] e\n-->\nf <!-- g -->";
        let plain: Vec<_> = lines(text, 1)
            .into_iter()
            .filter(|line| !line.is_verbatim)
            .map(|line| line.number)
            .collect();
        assert_eq!(plain, [1, 5, 9]);
    }

    #[test]
    fn paths_are_found_in_sentences() {
        let text = "Create `src/models/user.py`, tests/ and setup.cfg (see docs/a.md). Node.js 3.5 and/or http://x.y/z.";
        assert_eq!(
            file_paths(text),
            ["src/models/user.py", "tests/", "setup.cfg", "docs/a.md"]
        );
    }

    #[test]
    fn front_matter_ends_at_its_line() {
        let (yaml, body, lines) =
            front_matter("---\na: 1\nb: 2\n---\nText\n").expect("front matter");
        assert_eq!((yaml, body, lines), ("a: 1\nb: 2\n", "Text\n", 4));
        assert!(front_matter("---\na: 1\n").is_none());
        assert!(front_matter("# Title\n---\n").is_none());
    }
}
