//! The lines of a document below its front matter, divided into sections. Headings inside of code
//! blocks are code.

use super::super::fault::{FaultKind, Faults};
use super::super::tree::SourceLocation;

/// A line of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: &'t str,
    /// What it is to a code block.
    pub(super) role: LineRole,
}

/// What a line is to a code block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineRole {
    Outside,
    Opens,
    Inside,
    Closes,
}

impl Line<'_> {
    pub(super) fn at(&self, column: usize) -> SourceLocation {
        SourceLocation {
            line: self.number,
            column,
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_text(&self) -> bool {
        self.role == LineRole::Outside
    }

    /// The language of the code block that begins here: `yaml` of "```yaml".
    pub(super) fn language(&self) -> Option<&str> {
        let after = self.text.trim().trim_start_matches(['`', '~']);
        (self.role == LineRole::Opens).then(|| after.trim())
    }

    /// The text after `mark`, a heading such as `## `.
    pub(super) fn heading(&self, mark: &str) -> Option<&str> {
        let title = self.text.strip_prefix(mark).filter(|_| self.is_text())?;
        Some(title.trim())
    }
}

/// What stands below a heading of the second level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heading {
    /// Before the first heading.
    Preamble,
    Steps,
    Context,
    Risks,
    Other,
}

pub(super) struct Section<'t> {
    pub(super) heading: Heading,
    /// Where its heading is.
    pub(super) at: SourceLocation,
    /// With the line of another heading, without that of a known one.
    pub(super) lines: Vec<Line<'t>>,
}

/// The sections of `lines` from index `start` on.
pub(super) fn sections<'t>(
    lines: &[&'t str],
    start: usize,
    faults: &mut Faults,
) -> Vec<Section<'t>> {
    let at = SourceLocation {
        line: start + 1,
        column: 1,
    };
    let mut sections = vec![Section {
        heading: Heading::Preamble,
        at,
        lines: Vec::new(),
    }];
    for line in with_roles(lines, start, faults) {
        let heading = line.heading("## ").map(known_heading);
        if let Some(heading) = heading {
            let lines = Vec::new();
            let at = line.at(1);
            sections.push(Section { heading, at, lines });
        }
        let is_own = heading.is_none() || heading == Some(Heading::Other);
        if let Some(section) = sections.last_mut().filter(|_| is_own) {
            section.lines.push(line);
        }
    }
    sections
}

fn known_heading(title: &str) -> Heading {
    let known = [
        ("steps", Heading::Steps),
        ("context", Heading::Context),
        ("risks", Heading::Risks),
    ];
    let found = known
        .into_iter()
        .find(|(name, _)| title.eq_ignore_ascii_case(name));
    found.map_or(Heading::Other, |(_, heading)| heading)
}

/// The lines with what they are to code blocks. A block that never ends is a fault.
fn with_roles<'t>(lines: &[&'t str], start: usize, faults: &mut Faults) -> Vec<Line<'t>> {
    let mut open: Option<(Fence, SourceLocation)> = None;
    let mut all = Vec::with_capacity(lines.len());
    for (&text, number) in lines.iter().zip(1..).skip(start) {
        let fence = Fence::of(text);
        let role = match (&open, &fence) {
            (None, Some(_)) => LineRole::Opens,
            (None, None) => LineRole::Outside,
            (Some((opening, _)), Some(fence)) if fence.ends(opening) => LineRole::Closes,
            (Some(_), _) => LineRole::Inside,
        };
        let line = Line { number, text, role };
        match role {
            LineRole::Opens => open = fence.map(|fence| (fence, line.at(indent(text) + 1))),
            LineRole::Closes => open = None,
            LineRole::Outside | LineRole::Inside => {}
        }
        all.push(line);
    }
    if let Some((_, at)) = open {
        faults.add(at, FaultKind::OpenCodeBlock);
    }
    all
}

/// The number of blanks at the start of `text`.
pub(super) fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// A line that opens or ends a code block.
struct Fence {
    mark: char,
    length: usize,
    has_language: bool,
}

impl Fence {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = text.trim_start_matches(mark);
        let length = text.len() - rest.len();
        // "```x```" is code within a line.
        let is_inline = mark == '`' && rest.contains('`');
        (length >= 3 && !is_inline).then_some(Self {
            mark,
            length,
            has_language: !rest.is_empty(),
        })
    }

    fn ends(&self, opening: &Self) -> bool {
        self.mark == opening.mark && self.length >= opening.length && !self.has_language
    }
}

/// The lines of the goal: those before the first heading, and those of headings that mean nothing
/// to Baton. Blank lines at both ends are left out.
pub(super) fn goal_lines<'t>(sections: &[Section<'t>]) -> Vec<Line<'t>> {
    let is_goal =
        |section: &&Section<'_>| matches!(section.heading, Heading::Preamble | Heading::Other);
    let lines = sections.iter().filter(is_goal);
    trimmed(
        lines
            .flat_map(|section| section.lines.iter().copied())
            .collect(),
    )
}

/// `lines` without blank ones at both ends.
pub(super) fn trimmed(mut lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    let end = lines.iter().rposition(|line| !line.is_blank());
    lines.truncate(end.map_or(0, |end| end + 1));
    let start = lines.iter().position(|line| !line.is_blank());
    lines.drain(..start.unwrap_or(0));
    lines
}

/// The text of `lines`, without blank lines at both ends.
pub(super) fn joined(lines: &[Line<'_>]) -> String {
    let lines = trimmed(lines.to_vec());
    let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
    texts.join("\n")
}

/// Whether `text` is read as the goal when it stands before the first section.
pub(super) fn is_goal(text: &str) -> bool {
    let mut faults = Faults::default();
    let lines: Vec<&str> = text.split('\n').collect();
    let sections = sections(&lines, 0, &mut faults);
    let known = sections
        .iter()
        .any(|section| !matches!(section.heading, Heading::Preamble | Heading::Other));
    faults.is_empty() && !known && !text.contains('\r') && joined(&goal_lines(&sections)) == text
}
