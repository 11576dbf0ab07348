//! The context and the risks of a plan as the values that its file holds.

use super::document::{Document, Entries};
use baton_model::plan::{ContextArtifact, PlanContext, Risk, ToolOutput};

pub(super) fn put_context(context: &PlanContext, entries: &mut Entries) {
    let mut own = Entries::default();
    if !context.tool_outputs.is_empty() {
        own.put("toolOutputs", tool_outputs(context));
    }
    own.text("notes", &context.notes);
    if !context.artifacts.is_empty() {
        let artifacts = context.artifacts.iter().map(artifact);
        own.put("artifacts", Document::List(artifacts.collect()));
    }
    if !own.0.is_empty() {
        entries.put("context", Document::Map(own.0));
    }
}

/// The tool outputs by their keys.
pub(super) fn tool_outputs(context: &PlanContext) -> Document {
    let output = |(key, output): (&String, &ToolOutput)| {
        let mut own = Entries::default();
        own.put("tool", output.tool.as_str());
        own.put("operation", output.operation.as_str());
        own.put("data", &output.data);
        (key.clone(), Document::Map(own.0))
    };
    Document::Map(context.tool_outputs.iter().map(output).collect())
}

fn artifact(artifact: &ContextArtifact) -> Document {
    let Some(path) = &artifact.path else {
        return artifact.name.as_str().into();
    };
    let mut own = Entries::default();
    own.put("name", artifact.name.as_str());
    own.put("path", path.as_str());
    Document::Map(own.0)
}

pub(super) fn put_risks(risks: &[Risk], entries: &mut Entries) {
    let risk = |risk: &Risk| {
        let Some(mitigation) = &risk.mitigation else {
            return risk.text.as_str().into();
        };
        let mut own = Entries::default();
        own.put("text", risk.text.as_str());
        own.put("mitigation", mitigation.as_str());
        Document::Map(own.0)
    };
    if !risks.is_empty() {
        entries.put("risks", Document::List(risks.iter().map(risk).collect()));
    }
}
