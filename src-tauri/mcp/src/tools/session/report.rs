//! `report`: what the person who reads the run should know, while the attempt works.

use baton_api::ApiError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempt;
use crate::answer::Answer;
use crate::caller_error::bad_input;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

/// The longest report, in bytes.
const MAX_BYTES: usize = 2_000;

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ReportKind {
    Progress,
    Important,
    Blocked,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReportArguments {
    kind: ReportKind,
    /// One or two sentences.
    text: String,
    /// Your name for it. Repeating it adds nothing.
    report_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Reported {
    kind: ReportKind,
    /// false for a known reportId
    added: bool,
}

impl Answer for Reported {
    fn text(&self) -> String {
        let added = "added to the summary of this node";
        let known = "this reportId was added before";
        if self.added { added } else { known }.to_owned()
    }
}

pub(super) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "report",
        title: "Report to a person",
        description: "Adds a line to this node's summary, which people read. It asks nobody and waits \
            for nothing.",
    };
    ToolDefinition::new(text, Effect::Ask, report)
}

fn report(context: &ToolContext, input: ReportArguments) -> Result<Reported, ApiError> {
    let own = attempt(context)?;
    let text = input.text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.len() > MAX_BYTES {
        return Err(bad_input(
            format!("a report has 1 to {MAX_BYTES} bytes, not {}", text.len()),
            "say it in one or two sentences",
        ));
    }
    let line = match input.kind {
        ReportKind::Progress => format!("- {text}\n"),
        ReportKind::Important => format!("- **Important:** {text}\n"),
        ReportKind::Blocked => format!("- **Blocked:** {text}\n"),
    };
    Ok(Reported {
        kind: input.kind,
        added: own.report(input.report_id.as_deref(), &line)?,
    })
}
