//! The lines of one step: its numbered line, and below it a description and a block of YAML.

use super::body::{Line, LineRole, indent, trimmed};
use super::step_line::StepLine;

/// The lines of one step.
pub(super) struct StepText<'t> {
    pub(super) line: Line<'t>,
    pub(super) first: StepLine<'t>,
    /// The lines of its block without the fences.
    pub(super) block: Option<Vec<Line<'t>>>,
    /// All other lines, without blank ones at both ends.
    description: Vec<Line<'t>>,
}

impl<'t> StepText<'t> {
    /// `lines` are those below `line`.
    pub(super) fn read(line: Line<'t>, first: StepLine<'t>, lines: &[Line<'t>]) -> Self {
        let (mut block, mut description) = (None, Vec::new());
        let mut is_in_block = false;
        for below in lines {
            let begins = block.is_none() && matches!(below.language(), Some("yaml" | "yml"));
            if begins {
                block = Some(Vec::new());
                is_in_block = true;
            } else if is_in_block && below.role == LineRole::Closes {
                is_in_block = false;
            } else if let Some(block) = block.as_mut().filter(|_| is_in_block) {
                block.push(*below);
            } else {
                description.push(*below);
            }
        }
        Self {
            line,
            first,
            block,
            description: trimmed(description),
        }
    }

    /// The first line of the description.
    pub(super) fn description_start(&self) -> Option<&Line<'t>> {
        self.description.first()
    }

    /// The description without the indent of the step.
    pub(super) fn description(&self) -> String {
        let without_indent =
            |line: &Line<'t>| &line.text[indent(line.text).min(self.first.width)..];
        let lines: Vec<&str> = self.description.iter().map(without_indent).collect();
        lines.join("\n")
    }
}
