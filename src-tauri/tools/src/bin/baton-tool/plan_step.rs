//! The arguments of a step, as the keys of a node in a plan file.

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Deserialize)]
pub(crate) struct AddStepArguments {
    pub(crate) plan_id: String,
    pub(crate) order: u64,
    #[serde(rename = "type")]
    kind: String,
    pub(crate) name: String,
    description: Option<String>,
    tool_name: Option<String>,
    tool_args: Option<Value>,
    prompt: Option<String>,
    choices: Option<Value>,
    question: Option<String>,
    command: Option<String>,
    config: Option<Map<String, Value>>,
    dependencies: Option<Vec<String>>,
}

impl AddStepArguments {
    /// The node's keys. What the configuration sets is more specific.
    pub(crate) fn keys(&self) -> Map<String, Value> {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let own = [
            ("title", Some(self.name.as_str().into())),
            ("kind", Some(self.kind.as_str().into())),
            ("description", text(&self.description)),
            ("toolName", text(&self.tool_name)),
            ("toolArgs", self.tool_args.clone()),
            ("prompt", text(&self.prompt)),
            ("choices", self.choices.clone()),
            ("question", text(&self.question)),
            ("command", text(&self.command)),
            ("dependsOn", self.dependencies.clone().map(Value::from)),
        ];
        let given = own
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let mut keys: Map<String, Value> = given.collect();
        keys.extend(self.config.clone().unwrap_or_default());
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn configuration_is_more_specific() {
        let step = json!({"plan_id": "p", "order": 2, "type": "agent", "name": "Work", "prompt": "Do it.",
            "dependencies": [], "config": {"prompt": "Do it well.", "maxRetries": 0}});
        let step: AddStepArguments = serde_json::from_value(step).expect("a step");
        assert_eq!(
            Value::Object(step.keys()),
            json!({"title": "Work", "kind": "agent", "prompt": "Do it well.", "dependsOn": [], "maxRetries": 0})
        );
    }
}
