//! Prints what may go wrong with a plan, and the facts that its nodes receive.

use baton_model::Plan;
use baton_model::plan::{PlanContext, Risk};

use crate::failure::Failure;
use crate::output::Output;
use crate::style::{self, Tone};

/// How many lines of notes are printed.
const MAX_NOTE_LINES: usize = 20;

/// Prints both; nothing for a plan without them.
pub(crate) fn print(output: &Output, plan: &Plan) -> Result<(), Failure> {
    let sections = [
        ("Risks", risks(&plan.risks)),
        ("Context", context(&plan.context)),
    ];
    for (title, lines) in sections {
        if lines.is_empty() {
            continue;
        }
        output.line("")?;
        output.line(&output.paint(title, Tone::Strong))?;
        for line in lines {
            output.line(&format!("  {line}"))?;
        }
    }
    Ok(())
}

fn risks(risks: &[Risk]) -> Vec<String> {
    let line = |risk: &Risk| {
        let text = style::one_line(&risk.text);
        let mitigation = risk.mitigation.as_deref().map(style::one_line);
        mitigation.map_or_else(
            || text.clone(),
            |mitigation| format!("{text} ({mitigation})"),
        )
    };
    risks.iter().map(line).collect()
}

fn context(context: &PlanContext) -> Vec<String> {
    let notes: Vec<&str> = context.notes.trim().lines().collect();
    let mut lines: Vec<String> = notes
        .iter()
        .take(MAX_NOTE_LINES)
        .map(|line| style::one_line(line))
        .collect();
    if let Some(more) = notes
        .len()
        .checked_sub(MAX_NOTE_LINES)
        .filter(|more| *more > 0)
    {
        lines.push(format!("and {more} more lines"));
    }
    lines.extend(context.tool_outputs.iter().map(|(key, output)| {
        let (tool, operation) = (&output.tool, &output.operation);
        style::one_line(&format!("{key}: {tool} {operation}"))
    }));
    lines.extend(context.artifacts.iter().map(|artifact| {
        let path = artifact.path.iter().map(|path| format!(": {path}"));
        style::one_line(&format!("{}{}", artifact.name, path.collect::<String>()))
    }));
    lines
}
