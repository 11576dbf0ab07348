//! What is searched for in output.

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

/// Programs have so many words for it that a list is better than nothing: compilers, test
/// runners, interpreters and shells agree on these.
const ERROR: &str = r"\b(?:errors?|fail(?:ed|ures?)?|fatal|panic(?:ked)?|exception|traceback|segmentation fault|assertion|not ok)\b";
/// What says before an error that there is none.
const NONE: [&str; 3] = ["0 ", "no ", "without "];
/// The maximum size of a compiled expression, in bytes.
const SIZE_LIMIT: usize = 4 * 1024 * 1024;

/// Finds matches in a row.
#[derive(Debug, Clone)]
pub struct OutputMatcher {
    regex: Regex,
    /// The same expression finds whether a block has a match at all.
    works_on_blocks: bool,
    reports_errors: bool,
}

/// The expression is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidPattern(String);

impl OutputMatcher {
    /// Finds exactly `text`.
    ///
    /// # Errors
    /// When the text is too long.
    pub fn text(text: &str, case_sensitive: bool) -> Result<Self, InvalidPattern> {
        Self::regex(&regex::escape(text), case_sensitive)
    }

    /// Finds a regular expression. `^` and `$` are the start and the end of a row.
    ///
    /// # Errors
    /// When the expression is invalid, or too large.
    pub fn regex(expression: &str, case_sensitive: bool) -> Result<Self, InvalidPattern> {
        let regex = RegexBuilder::new(expression)
            .case_insensitive(!case_sensitive)
            .multi_line(true)
            .size_limit(SIZE_LIMIT)
            .build();
        Ok(Self {
            regex: regex.map_err(|error| InvalidPattern(last_line(&error)))?,
            // These mean the start and the end of all that is searched.
            works_on_blocks: !expression.contains("\\A") && !expression.contains("\\z"),
            reports_errors: false,
        })
    }

    /// Finds rows that report an error, in the words of common programs.
    ///
    /// # Errors
    /// Never: the expression is fixed.
    pub fn error() -> Result<Self, InvalidPattern> {
        let matcher = Self::regex(ERROR, false)?;
        Ok(Self {
            reports_errors: true,
            ..matcher
        })
    }

    /// The matches in a row, in bytes. Empty matches are left out: there is nothing to show.
    pub(crate) fn matches<'a>(&'a self, row: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let found = self.regex.find_iter(row.as_bytes());
        found
            .map(|found| found.range())
            .filter(|range| !range.is_empty())
            .filter(|range| row.is_char_boundary(range.start) && row.is_char_boundary(range.end))
            .filter(|range| !self.reports_errors || !denies_errors(&row[..range.start]))
    }

    /// Whether some line of `block` may have a match.
    pub(crate) fn may_match(&self, block: &[u8]) -> bool {
        !self.works_on_blocks || self.regex.is_match(block)
    }
}

/// As in "0 failed" and "no errors".
fn denies_errors(before: &str) -> bool {
    NONE.iter().any(|none| {
        let Some(rest) = before.strip_suffix(none) else {
            return false;
        };
        !rest.ends_with(|c: char| c.is_alphanumeric())
    })
}

/// The error of the library shows the expression over several lines; the last one says why.
fn last_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(matcher: Result<OutputMatcher, InvalidPattern>, row: &str) -> Vec<(usize, usize)> {
        let matcher = matcher.expect("valid");
        let ranges = matcher.matches(row);
        ranges.map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn text_is_found_literally() {
        assert_eq!(
            ranges(OutputMatcher::text("a.c", true), "abc a.c A.C"),
            [(4, 7)]
        );
        assert_eq!(
            ranges(OutputMatcher::text("a.c", false), "abc a.c A.C"),
            [(4, 7), (8, 11)]
        );
        assert_eq!(
            ranges(OutputMatcher::text("é", true), "café é"),
            [(3, 5), (6, 8)]
        );
    }

    #[test]
    fn regular_expressions_are_found_in_a_row() {
        assert_eq!(
            ranges(OutputMatcher::regex(r"^\d+$", true), "123"),
            [(0, 3)]
        );
        assert_eq!(ranges(OutputMatcher::regex(r"x*", true), "abxxc"), [(2, 4)]);
    }

    #[test]
    fn invalid_expression_says_why() {
        let error = OutputMatcher::regex("a(b", true).unwrap_err().to_string();
        assert_eq!(error, "unclosed group");
        assert!(OutputMatcher::regex(r"\w{1000}{1000}", true).is_err());
    }

    #[test]
    fn errors_are_found_but_not_their_absence() {
        let finds = |row| !ranges(OutputMatcher::error(), row).is_empty();
        for row in [
            "error[E0308]: mismatched types",
            "ERROR in ./src/a.ts",
            "test result: FAILED. 1 passed; 3 failed",
            "Traceback (most recent call last):",
            "thread 'main' panicked at src/main.rs:3:5",
            "not ok 3 - adds",
            "10 errors generated.",
        ] {
            assert!(finds(row), "{row}");
        }
        for row in [
            "test result: ok. 12 passed; 0 failed",
            "Finished with no errors",
            "Compiling thiserror v2.0.0",
            "0 errors, 0 failures",
        ] {
            assert!(!finds(row), "{row}");
        }
    }
}
