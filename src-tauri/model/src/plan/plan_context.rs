//! What was found out before a plan was made, and what may go wrong with it.
//!
//! Nodes receive the context as data: agents as a section of their prompt, commands in the file
//! behind `BATON_CONTEXT`, and both as `{{context.<key>}}`. Nothing in it is ever parsed for
//! templates or run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Facts for the nodes of a plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct PlanContext {
    /// What tools answered, by the key that templates use.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(
        feature = "bindings",
        ts(optional, as = "Option<BTreeMap<String, ToolOutput>>")
    )]
    pub tool_outputs: BTreeMap<String, ToolOutput>,
    /// For people and agents.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<String>"))]
    pub notes: String,
    /// Files that belong to the plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "bindings",
        ts(optional, as = "Option<Vec<ContextArtifact>>")
    )]
    pub artifacts: Vec<ContextArtifact>,
}

/// The answer of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names say it")]
pub struct ToolOutput {
    pub tool: String,
    pub operation: String,
    /// The answer itself: any JSON value.
    #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
    pub data: Value,
}

/// A file that belongs to a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ContextArtifact {
    pub name: String,
    /// Where it is, relative to the plan's directory. Nothing opens it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub path: Option<String>,
}

/// Something that may go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Risk {
    /// One sentence for people.
    pub text: String,
    /// What reduces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional = nullable))]
    pub mitigation: Option<String>,
}

impl PlanContext {
    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tool_outputs.is_empty() && self.notes.trim().is_empty() && self.artifacts.is_empty()
    }

    /// Whether it equals the default, so that a plan is stored as it was before plans had one.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What a node receives of it; `None` if there is nothing.
    #[must_use]
    pub fn markdown(&self) -> Option<String> {
        let parts = [self.note_text(), self.outputs(), self.artifact_list()];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }

    fn note_text(&self) -> Option<String> {
        let notes = self.notes.trim();
        (!notes.is_empty()).then(|| notes.to_owned())
    }

    /// A JSON value can't end its code block: quotes surround each text, and line breaks in texts
    /// are escaped.
    fn outputs(&self) -> Option<String> {
        if self.tool_outputs.is_empty() {
            return None;
        }
        let json = serde_json::to_string_pretty(&self.tool_outputs).unwrap_or_default();
        Some(format!("### Tool outputs\n\n```json\n{json}\n```"))
    }

    fn artifact_list(&self) -> Option<String> {
        let line = |artifact: &ContextArtifact| match &artifact.path {
            Some(path) => format!("- {}: {path}", artifact.name),
            None => format!("- {}", artifact.name),
        };
        let lines: Vec<String> = self.artifacts.iter().map(line).collect();
        (!lines.is_empty()).then(|| format!("### Artifacts\n\n{}", lines.join("\n")))
    }
}

/// The keys of tool outputs that `text` refers to, as in `{{context.invoice.total}}` or
/// `{{ context['invoice'] }}`. Other braces are left alone.
pub fn referenced_context_keys(text: &str) -> impl Iterator<Item = &str> {
    let inner = text
        .split("{{")
        .skip(1)
        .filter_map(|rest| rest.split_once("}}"))
        .map(|(inner, _)| inner.trim_start());
    inner.filter_map(|inner| key_after(inner.strip_prefix("context")?))
}

/// The key at the start of `.invoice.total` or `['invoice']`.
fn key_after(rest: &str) -> Option<&str> {
    if let Some(rest) = rest.strip_prefix('[') {
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        return rest[1..].split_once(quote).map(|(key, _)| key);
    }
    let rest = rest.strip_prefix('.')?;
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))
        .unwrap_or(rest.len());
    Some(&rest[..end]).filter(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> PlanContext {
        let invoice = ToolOutput {
            tool: "odoo-toolbox".to_owned(),
            operation: "read".to_owned(),
            data: serde_json::json!({"id": 123, "note": "```\n## Not a heading"}),
        };
        PlanContext {
            tool_outputs: [("invoice".to_owned(), invoice)].into(),
            notes: "Pay through account XYZ.\n".to_owned(),
            artifacts: vec![ContextArtifact {
                name: "invoice.pdf".to_owned(),
                path: Some("artifacts/invoice.pdf".to_owned()),
            }],
        }
    }

    #[test]
    fn markdown_holds_notes_outputs_and_artifacts() {
        let text = context().markdown().expect("there is a context");
        let (before, rest) = text.split_once("```json\n").expect("a code block");
        let (json, after) = rest.split_once("\n```").expect("its end");
        assert!(before.starts_with("Pay through account XYZ.\n\n### Tool outputs"));
        let read: BTreeMap<String, ToolOutput> = serde_json::from_str(json).expect("JSON");
        assert_eq!(read, context().tool_outputs, "no text ends the block early");
        assert!(after.ends_with("- invoice.pdf: artifacts/invoice.pdf"));
        assert_eq!(PlanContext::default().markdown(), None);
    }

    #[test]
    fn absent_context_is_not_stored() {
        let empty = serde_json::to_string(&PlanContext::default()).expect("JSON");
        assert_eq!(empty, "{}");
        let stored = serde_json::to_string(&context()).expect("JSON");
        let read: PlanContext = serde_json::from_str(&stored).expect("a context");
        assert_eq!(read, context());
    }

    #[test]
    fn referenced_keys_come_from_context_expressions() {
        for (text, keys) in [
            (
                "{{context.invoice.total}} {{ context['a b'] }}",
                vec!["invoice", "a b"],
            ),
            ("{{context.a-b[0]}}{{ context[\"c\"].d }}", vec!["a-b", "c"]),
            (
                "{{.context}} {{contexts.a}} context.a {{context}} {{context.}}",
                vec![],
            ),
        ] {
            assert_eq!(
                referenced_context_keys(text).collect::<Vec<_>>(),
                keys,
                "{text}"
            );
        }
    }
}
