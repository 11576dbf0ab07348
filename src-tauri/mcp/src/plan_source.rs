//! The plan that an agent wrote: as text, or as a list of nodes.

use baton_api::ApiError;
use baton_formats::plan_file::{self, Fault, Format, PlanFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::caller_error::bad_input;

/// The name of the text in messages; it has no file.
const NAME: &str = "plan";
/// The longest text of a plan, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// Nodes with the keys of a plan file.
pub(crate) type NodeList = Vec<Map<String, Value>>;

/// A fault in what the agent wrote.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct PlanFault {
    /// `nodes[i]`, for a fault in a list of nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// What is wrong and how to fix it.
    pub(crate) message: String,
}

impl PlanFault {
    /// The fault in one sentence, with its place.
    pub(crate) fn sentence(&self) -> String {
        let line = self.line.map(|line| format!("line {line}"));
        match self.path.clone().or(line) {
            Some(place) => format!("{place}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// What the agent passed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanSource {
    pub(crate) yaml: Option<String>,
    pub(crate) nodes: Option<NodeList>,
    pub(crate) title: Option<String>,
}

impl PlanSource {
    /// Reads the plan. The inner error lists the faults of its text.
    pub(crate) fn read(&self) -> Result<Result<PlanFile, Vec<PlanFault>>, ApiError> {
        let (text, format) = match (&self.yaml, &self.nodes) {
            (Some(yaml), None) => (yaml.clone(), format_of(yaml)),
            (None, Some(nodes)) => (self.document(nodes), Format::Json),
            _ => {
                return Err(bad_input(
                    "pass either yaml or nodes",
                    "yaml is the text of a plan file; nodes is a list of its nodes",
                ));
            }
        };
        if text.len() > MAX_BYTES {
            return Err(bad_input(
                "a plan can have at most 1 MiB of text",
                "put long texts into files of the project and name them in prompts",
            ));
        }
        let by_line = self.nodes.is_some();
        Ok(
            plan_file::read_fragment(&text, format, NAME, &mut Uuid::now_v7).map_err(|error| {
                let fault = |fault: &Fault| plan_fault(fault, by_line);
                error.faults.iter().map(fault).collect()
            }),
        )
    }

    /// A plan file with each node on a line of its own, so that a line names a node.
    fn document(&self, nodes: &NodeList) -> String {
        let title = json!(self.title.as_deref().unwrap_or(NAME));
        let lines: Vec<_> = nodes
            .iter()
            .map(|node| Value::Object(node.clone()).to_string())
            .collect();
        format!(
            "{{\"baton\":1,\"title\":{title},\"nodes\":[\n{}\n]}}",
            lines.join(",\n")
        )
    }
}

fn format_of(text: &str) -> Format {
    if text.trim_start().starts_with('{') {
        Format::Json
    } else {
        Format::Yaml
    }
}

fn plan_fault(fault: &Fault, by_line: bool) -> PlanFault {
    let message = fault.kind.to_string();
    if !by_line {
        return PlanFault {
            path: None,
            line: Some(fault.at.line),
            message,
        };
    }
    // The first line is the plan's own.
    let path = fault
        .at
        .line
        .checked_sub(2)
        .map(|number| format!("nodes[{number}]"));
    PlanFault {
        path,
        line: None,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(yaml: Option<&str>, nodes: Option<Value>) -> PlanSource {
        PlanSource {
            yaml: yaml.map(str::to_owned),
            nodes: nodes.map(|nodes| serde_json::from_value(nodes).expect("objects")),
            title: None,
        }
    }

    #[test]
    fn faults_of_nodes_name_the_node_and_those_of_text_the_line() {
        let nodes = json!([
            {"id": "a", "kind": "command", "command": "true"},
            {"id": "b", "kind": "command", "command": "true", "dependsOn": ["missing"]},
        ]);
        let faults = source(None, Some(nodes))
            .read()
            .expect("arguments")
            .expect_err("a missing node");
        assert_eq!(faults[0].path.as_deref(), Some("nodes[1]"));
        let text = "baton: 1\nnodes:\n  - {id: a, kind: script, command: 'true'}\n";
        let faults = source(Some(text), None)
            .read()
            .expect("arguments")
            .expect_err("a wrong kind");
        assert_eq!((faults[0].line, &faults[0].path), (Some(3), &None));
    }

    #[test]
    fn exactly_one_form_is_accepted() {
        let text = "nodes: [{id: a, kind: command, command: 'true'}]";
        assert!(source(None, None).read().is_err());
        assert!(source(Some(text), Some(json!([]))).read().is_err());
        let file = source(Some(text), None).read().expect("arguments");
        assert_eq!(file.expect("a valid plan").plan.nodes.len(), 1);
    }
}
