//! A numbered line of the list of steps: `1. Fetch the invoice (odoo-toolbox: read)`.

/// A line that begins a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StepLine<'t> {
    pub(super) text: &'t str,
    /// The number of blanks and characters before the text, in which lines below it are indented.
    pub(super) width: usize,
}

impl<'t> StepLine<'t> {
    /// `None` for a line that begins no step. Lists within a step are indented further.
    pub(super) fn read(line: &'t str) -> Option<Self> {
        const INDENT_LIMIT: usize = 2;
        const DIGIT_LIMIT: usize = 9;
        let rest = line.trim_start_matches(' ');
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if line.len() - rest.len() > INDENT_LIMIT || !(1..=DIGIT_LIMIT).contains(&digits) {
            return None;
        }
        let after = rest[digits..].strip_prefix(['.', ')'])?;
        let text = after.trim_start_matches([' ', '\t']);
        if text.len() == after.len() && !after.is_empty() {
            return None;
        }
        Some(Self {
            text: text.trim_end(),
            width: line.len() - text.len(),
        })
    }
}

/// The tool that a step needs, at the end of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ToolMention<'t> {
    /// The text before it.
    pub(super) title: &'t str,
    pub(super) tool: &'t str,
}

impl<'t> ToolMention<'t> {
    /// `(tool: operation)`, where the tool is one word.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let (title, mention) = text.strip_suffix(')')?.rsplit_once(" (")?;
        let (tool, operation) = mention.split_once(": ")?;
        let is_word = !tool.is_empty() && !tool.contains(|c: char| c.is_whitespace() || c == '(');
        let title = title.trim_end();
        (is_word && !title.is_empty() && !operation.trim().is_empty())
            .then_some(Self { title, tool })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_steps() {
        for (line, text) in [
            ("1. Fetch", Some("Fetch")),
            ("12) Fetch  ", Some("Fetch")),
            ("  3.  Fetch", Some("Fetch")),
            ("4.", Some("")),
            ("   1. Nested", None),
            ("1.5 is more", None),
            ("- Fetch", None),
            ("1234567890. Fetch", None),
        ] {
            assert_eq!(StepLine::read(line).map(|line| line.text), text, "{line}");
        }
    }

    #[test]
    fn tool_is_mentioned_at_the_end() {
        for (text, expected) in [
            ("Fetch (odoo: read)", Some(("Fetch", "odoo"))),
            ("Send (go-easy: gmail send)", Some(("Send", "go-easy"))),
            ("Do (a) and (b: c)", Some(("Do (a) and", "b"))),
            ("Check (see: )", None),
            ("Check (as the manual says: now)", None),
            ("(a: b)", None),
            ("Check (a:b)", None),
        ] {
            let found = ToolMention::read(text).map(|found| (found.title, found.tool));
            assert_eq!(found, expected, "{text}");
        }
    }
}
