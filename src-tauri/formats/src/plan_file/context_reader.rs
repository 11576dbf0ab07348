//! Reads the context and the risks of a plan.

use super::fault::Faults;
use super::fields::{Fields, json, text, wrong_type};
use super::tree::{Entry, Located, Value, quoted};
use baton_model::plan::{ContextArtifact, PlanContext, Risk, ToolOutput};

pub(super) fn context(fields: &Fields<'_>, faults: &mut Faults) -> PlanContext {
    let Some(entries) = fields.map("context", faults) else {
        return PlanContext::default();
    };
    let owner = fields.describe_key("context");
    let inner = Fields {
        owner: &owner,
        entries,
    };
    inner.refuse_unknown(&["toolOutputs", "notes", "artifacts"], faults);
    let outputs = inner.map("toolOutputs", faults).unwrap_or_default();
    let artifacts = inner.list("artifacts", faults);
    PlanContext {
        tool_outputs: outputs
            .iter()
            .filter_map(|entry| Some((entry.key.clone(), tool_output(entry, faults)?)))
            .collect(),
        notes: inner.text("notes", faults).unwrap_or_default(),
        artifacts: artifacts
            .iter()
            .filter_map(|item| artifact(item, faults))
            .collect(),
    }
}

fn tool_output(entry: &Entry, faults: &mut Faults) -> Option<ToolOutput> {
    const FIX: &str = "write a mapping with \"tool\", \"operation\" and \"data\"";
    let owner = format!("the tool output {}", quoted(&entry.key));
    let Value::Map(entries) = &entry.value.value else {
        let expected = "a mapping with \"tool\", \"operation\" and \"data\"";
        wrong_type(&entry.value, &owner, expected, faults);
        return None;
    };
    let fields = Fields {
        owner: &owner,
        entries,
    };
    fields.refuse_unknown(&["tool", "operation", "data"], faults);
    let tool = fields.required("tool", FIX, faults).is_some();
    let operation = fields.required("operation", FIX, faults).is_some();
    let data = entries.iter().find(|entry| entry.key == "data");
    let name = format!("a value in \"data\" of {owner}");
    let output = ToolOutput {
        tool: fields.text("tool", faults)?,
        operation: fields.text("operation", faults)?,
        data: data.map_or(serde_json::Value::Null, |entry| {
            json(&entry.value, &name, faults)
        }),
    };
    (tool && operation).then_some(output)
}

/// `name`, or `{name: …, path: …}`.
fn artifact(item: &Located, faults: &mut Faults) -> Option<ContextArtifact> {
    const OWNER: &str = "an artifact of the context";
    let Value::Map(entries) = &item.value else {
        let name = text(item, OWNER, faults)?;
        return Some(ContextArtifact { name, path: None });
    };
    let fields = Fields {
        owner: OWNER,
        entries,
    };
    fields.refuse_unknown(&["name", "path"], faults);
    fields.required("name", "write the name of the file", faults);
    Some(ContextArtifact {
        name: fields.text("name", faults)?,
        path: fields.text("path", faults),
    })
}

/// `text`, or `{text: …, mitigation: …}`.
pub(super) fn risks(fields: &Fields<'_>, faults: &mut Faults) -> Vec<Risk> {
    let items = fields.list("risks", faults);
    items.iter().filter_map(|item| risk(item, faults)).collect()
}

fn risk(item: &Located, faults: &mut Faults) -> Option<Risk> {
    const OWNER: &str = "a risk of the plan";
    let Value::Map(entries) = &item.value else {
        let text = text(item, OWNER, faults)?;
        return Some(Risk {
            text,
            mitigation: None,
        });
    };
    let fields = Fields {
        owner: OWNER,
        entries,
    };
    fields.refuse_unknown(&["text", "mitigation"], faults);
    fields.required("text", "write what may go wrong", faults);
    Some(Risk {
        text: fields.text("text", faults)?,
        mitigation: fields.text("mitigation", faults),
    })
}
