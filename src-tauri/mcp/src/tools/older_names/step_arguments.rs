//! The arguments of `add_plan_step`, as the keys of a node in a plan file.

use baton_model::PlanId;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepArguments {
    #[schemars(with = "String")]
    #[serde(alias = "plan")]
    pub(super) plan_id: PlanId,
    /// Steps with the same number run in parallel, after those with the next lower one.
    pub(super) order: u64,
    /// agent, command, tool_call, llm_decision, user_input, condition, parallel, loop, sub_plan
    #[serde(rename = "type")]
    kind: String,
    pub(super) name: String,
    description: Option<String>,
    tool_name: Option<String>,
    tool_args: Option<Map<String, Value>>,
    prompt: Option<String>,
    choices: Option<Vec<String>>,
    question: Option<String>,
    command: Option<String>,
    /// Other keys of the node.
    config: Option<Map<String, Value>>,
    /// IDs of steps.
    dependencies: Option<Vec<String>>,
}

impl StepArguments {
    /// The node's keys. What the configuration sets is more specific.
    pub(super) fn keys(&self) -> Map<String, Value> {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let own = [
            ("title", Some(self.name.as_str().into())),
            ("kind", Some(self.kind.as_str().into())),
            ("description", text(&self.description)),
            ("toolName", text(&self.tool_name)),
            ("toolArgs", self.tool_args.clone().map(Value::Object)),
            ("prompt", text(&self.prompt)),
            ("choices", self.choices.clone().map(Value::from)),
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
