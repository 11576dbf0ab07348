//! The arguments of `add_plan_step`, the tool of other planners, as the keys of a node in a plan file.

use serde_json::{Map, Value};

/// The arguments that a node calls by another name.
const RENAMED: [(&str, &str); 5] = [
    ("name", "title"),
    ("type", "kind"),
    ("tool_name", "toolName"),
    ("tool_args", "toolArgs"),
    ("dependencies", "dependsOn"),
];
/// The arguments that place the step and are no keys of its node.
const PLACE: [&str; 3] = ["plan_id", "plan", "order"];
/// The argument with other keys of the node.
const CONFIG: &str = "config";

/// The keys of the node for a step with these arguments. What `config` sets is more specific.
#[must_use]
pub fn node_keys(mut arguments: Map<String, Value>) -> Map<String, Value> {
    let config = arguments.remove(CONFIG);
    let is_key =
        |(name, value): &(String, Value)| !PLACE.contains(&name.as_str()) && !value.is_null();
    let renamed = |(name, value): (String, Value)| {
        let new = RENAMED.iter().find(|(old, _)| *old == name);
        (new.map_or(name, |(_, new)| (*new).to_owned()), value)
    };
    let mut keys: Map<_, _> = arguments.into_iter().filter(is_key).map(renamed).collect();
    if let Some(Value::Object(config)) = config {
        keys.extend(config);
    }
    keys
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn configuration_is_more_specific() {
        let step = json!({"plan_id": "p", "order": 2, "type": "agent", "name": "Work", "prompt": "Do it.",
            "question": null, "dependencies": [], "config": {"prompt": "Do it well.", "maxRetries": 0}});
        let Value::Object(step) = step else {
            panic!("an object")
        };
        assert_eq!(
            Value::Object(node_keys(step)),
            json!({"title": "Work", "kind": "agent", "prompt": "Do it well.", "dependsOn": [], "maxRetries": 0})
        );
    }
}
