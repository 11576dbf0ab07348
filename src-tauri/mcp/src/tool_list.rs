//! Which tools a server offers.

use std::sync::Arc;

use crate::tool::{Effect, ToolDefinition};
use crate::tools;

/// A set of tools that a person chooses when connecting an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolSet {
    /// Planning: find, read, check, propose, revise, request and follow.
    #[default]
    Plan,
    /// The same, pausing and canceling, and the names that other planners have for these tools.
    All,
    /// What a session that Baton started does for its own attempt, and nothing else.
    Session,
}

/// The tools of `set`, in a fixed order, so that clients can cache the list.
pub(crate) fn tools(set: ToolSet, is_read_only: bool) -> Arc<[ToolDefinition]> {
    let mut all = match set {
        ToolSet::Plan => planning(),
        ToolSet::All => {
            let mut all = planning();
            all.extend([
                tools::run_stop::pause_tool(),
                tools::run_stop::cancel_tool(),
            ]);
            all.extend(tools::older_names::tools());
            all
        }
        ToolSet::Session => tools::session::tools(),
    };
    all.retain(|tool| !is_read_only || tool.effect == Effect::Read);
    all.into()
}

fn planning() -> Vec<ToolDefinition> {
    vec![
        tools::guide::tool(),
        tools::plan_find::tool(),
        tools::plan_get::tool(),
        tools::plan_check::tool(),
        tools::plan_propose::tool(),
        tools::proposal_get::tool(),
        tools::proposal_revise::tool(),
        tools::run_request::tool(),
        tools::run_get::tool(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::TOKEN_BYTES;

    /// The size of each tool as a client receives it.
    fn sizes(set: ToolSet) -> Vec<(String, usize)> {
        let tools = tools(set, false);
        let sizes = tools.iter().map(|tool| {
            let text = serde_json::to_string(&tool.tool).expect("JSON");
            (tool.tool.name.to_string(), text.len())
        });
        sizes.collect()
    }

    fn every_tool() -> Vec<ToolDefinition> {
        let mut all = planning();
        all.extend([
            tools::run_stop::pause_tool(),
            tools::run_stop::cancel_tool(),
        ]);
        all.extend(tools::older_names::tools());
        all.extend(tools::session::tools());
        all
    }

    #[test]
    fn list_of_a_session_is_small() {
        let sizes = sizes(ToolSet::Session);
        let bytes: usize = sizes.iter().map(|(_, bytes)| bytes).sum();
        assert!(bytes < 1_500 * TOKEN_BYTES, "{bytes} bytes: {sizes:?}");
    }

    #[test]
    fn default_list_is_small() {
        let sizes = sizes(ToolSet::Plan);
        let bytes: usize = sizes.iter().map(|(_, bytes)| bytes).sum();
        assert!(bytes < 3_000 * TOKEN_BYTES, "{bytes} bytes: {sizes:?}");
    }

    #[test]
    fn every_tool_has_closed_arguments_a_result_schema_and_hints() {
        for definition in every_tool() {
            let tool = &definition.tool;
            assert_eq!(
                tool.input_schema.get("additionalProperties"),
                Some(&serde_json::json!(false)),
                "{}",
                tool.name
            );
            let output = tool.output_schema.as_ref().expect("a schema");
            assert_eq!(output["type"], "object", "{}", tool.name);
            let hints = tool.annotations.as_ref().expect("hints");
            assert_eq!(
                hints.read_only_hint,
                Some(definition.effect == Effect::Read),
                "{}",
                tool.name
            );
        }
    }

    #[test]
    fn every_result_schema_accepts_an_answer_that_waits_for_a_person() {
        for definition in every_tool() {
            let name = &definition.tool.name;
            let schema = definition.tool.output_schema.as_ref().expect("a schema");
            assert_eq!(schema.get("required"), None, "{name}");
            assert_ne!(
                schema.get("additionalProperties"),
                Some(&false.into()),
                "{name}"
            );
            for key in ["state", "request", "url", "message"] {
                let property = schema["properties"].get(key);
                let kind = property.and_then(|property| property.get("type"));
                assert!(kind.is_none_or(|kind| kind == "string"), "{name}: {key}");
            }
        }
    }

    #[test]
    fn only_tools_that_stop_something_are_announced_as_destructive() {
        let all = tools(ToolSet::All, false);
        let destructive = all.iter().filter(|definition| {
            let hints = definition.tool.annotations.as_ref();
            hints.and_then(|hints| hints.destructive_hint) == Some(true)
        });
        let names: Vec<_> = destructive
            .map(|definition| &definition.tool.name)
            .collect();
        assert_eq!(names, ["run_cancel", "plan_reject"]);
    }

    #[test]
    fn read_only_list_has_no_tool_that_asks() {
        let names = |set, is_read_only| -> Vec<_> {
            let tools = tools(set, is_read_only);
            tools
                .iter()
                .map(|tool| tool.tool.name.to_string())
                .collect()
        };
        assert_eq!(
            names(ToolSet::All, true),
            [
                "guide",
                "plan_find",
                "plan_get",
                "plan_check",
                "proposal_get",
                "run_get",
                "list_plans",
                "plan_list",
                "get_plan_details"
            ]
        );
        let all = names(ToolSet::All, false);
        assert!(all.starts_with(&names(ToolSet::Plan, false)), "{all:?}");
    }
}
