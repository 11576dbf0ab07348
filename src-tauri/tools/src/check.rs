//! Checks whether a call matches its tool.
//!
//! Arguments come from hand-written plans and from templates, which always produce text. A text
//! that parses as the expected type is converted, and a text that still contains a template is
//! accepted unchecked. Arguments of MCP tools are not checked, because only the server knows their
//! schema.

use serde_json::{Map, Value};

use crate::catalog::BuiltInTool;
use crate::{CallFault, McpServer, ToolCall, ToolName};

/// Returns the errors in `call`, or an empty list.
#[must_use]
pub fn check(call: &ToolCall, servers: &[McpServer]) -> Vec<CallFault> {
    match ToolName::parse(&call.tool_name, servers) {
        ToolName::BuiltIn(tool) => coerce_arguments(tool, &call.tool_args)
            .err()
            .unwrap_or_default(),
        ToolName::Mcp { .. } => Vec::new(),
        ToolName::NoServer { server } => {
            let known = servers.iter().map(|server| server.name.clone()).collect();
            vec![CallFault::UnknownServer {
                server: server.to_owned(),
                known,
            }]
        }
        ToolName::Unknown => {
            let known = BuiltInTool::ALL.into_iter().map(BuiltInTool::name);
            vec![CallFault::UnknownTool {
                name: call.tool_name.clone(),
                nearest: nearest(&call.tool_name, known),
            }]
        }
    }
}

/// Returns up to three of `known`: the one most similar to `name`, and those with nearly the same
/// similarity.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let name = name.to_lowercase();
    let similarity =
        |other: &str| (strsim::jaro_winkler(&name, &other.to_lowercase()) * 1000.0) as u32;
    let mut known: Vec<(u32, &str)> = known
        .into_iter()
        .map(|other| (similarity(other), other))
        .collect();
    known.sort_by_key(|(similarity, _)| std::cmp::Reverse(*similarity));
    let best = known.first().map_or(0, |(similarity, _)| *similarity);
    let near = known
        .into_iter()
        .take_while(|(similarity, _)| similarity + 100 > best);
    near.take(3).map(|(_, other)| other.to_owned()).collect()
}

/// Converts `arguments` to the types of `tool`'s schema, or returns the errors in them.
pub fn coerce_arguments(
    tool: BuiltInTool,
    arguments: &Map<String, Value>,
) -> Result<Map<String, Value>, Vec<CallFault>> {
    let schema = tool.schema();
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let mut faults = Vec::new();
    let mut fitted = Map::new();
    for (argument, value) in arguments {
        let fit = match properties.get(argument) {
            // A key without a value is ignored: `cwd:` in YAML is null.
            _ if value.is_null() => continue,
            Some(property) => coerce_value(tool, argument, value, property),
            None => Err(CallFault::UnknownArgument {
                tool: tool.name(),
                argument: argument.clone(),
                known: properties.keys().cloned().collect(),
            }),
        };
        match fit {
            Ok(value) => drop(fitted.insert(argument.clone(), value)),
            Err(fault) => faults.push(fault),
        }
    }
    let required = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let missing = required.filter(|name| arguments.get(*name).is_none_or(Value::is_null));
    faults.extend(missing.map(|name| CallFault::Missing {
        tool: tool.name(),
        argument: name.to_owned(),
    }));
    if faults.is_empty() {
        Ok(fitted)
    } else {
        Err(faults)
    }
}

fn coerce_value(
    tool: BuiltInTool,
    argument: &str,
    value: &Value,
    property: &Value,
) -> Result<Value, CallFault> {
    if value.as_str().is_some_and(|text| text.contains("{{")) {
        return Ok(value.clone());
    }
    let wrong = |expected| CallFault::WrongType {
        tool: tool.name(),
        argument: argument.to_owned(),
        expected,
        found: preview(value),
    };
    let read = || {
        value
            .as_str()
            .and_then(|text| serde_json::from_str::<Value>(text.trim()).ok())
    };
    let fitted = match property["type"].as_str() {
        Some("string") => scalar_to_string(value)
            .map(Value::String)
            .ok_or_else(|| wrong("text"))?,
        Some("integer") => {
            let whole = |value: Value| value.as_u64().filter(|number| *number > 0);
            whole(value.clone())
                .or_else(|| read().and_then(whole))
                .ok_or_else(|| wrong("a positive integer"))?
                .into()
        }
        Some("boolean") => {
            let flag = |value: Value| value.as_bool();
            flag(value.clone())
                .or_else(|| read().and_then(flag))
                .ok_or_else(|| wrong("true or false"))?
                .into()
        }
        Some("array") => {
            let list = |value: Value| Some(value).filter(Value::is_array);
            list(value.clone())
                .or_else(|| read().and_then(list))
                .ok_or_else(|| wrong("a list"))?
        }
        Some("object") => coerce_object(value, read(), property).ok_or_else(|| {
            wrong(if property["additionalProperties"].is_object() {
                "a mapping of names to text"
            } else {
                "a mapping"
            })
        })?,
        _ => value.clone(),
    };
    check_enum(tool, argument, fitted, property)
}

fn coerce_object(value: &Value, read: Option<Value>, property: &Value) -> Option<Value> {
    let Value::Object(fields) = Some(value.clone()).filter(Value::is_object).or(read)? else {
        return None;
    };
    if property["additionalProperties"]["type"] != "string" {
        return Some(Value::Object(fields));
    }
    let fields = fields
        .into_iter()
        .map(|(name, value)| Some((name, Value::String(scalar_to_string(&value)?))));
    fields.collect::<Option<Map<_, _>>>().map(Value::Object)
}

/// Checks an enumeration's value, ignoring case. Returns it in the spelling of the enumeration.
fn check_enum(
    tool: BuiltInTool,
    argument: &str,
    value: Value,
    property: &Value,
) -> Result<Value, CallFault> {
    let (Some(allowed), Some(found)) = (property["enum"].as_array(), value.as_str()) else {
        return Ok(value);
    };
    let known = allowed.iter().find(|other| {
        other
            .as_str()
            .is_some_and(|other| other.eq_ignore_ascii_case(found))
    });
    known.cloned().ok_or_else(|| CallFault::NotAllowed {
        tool: tool.name(),
        argument: argument.to_owned(),
        allowed: allowed
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        found: found.to_owned(),
    })
}

/// Converts a text, number or flag to text.
fn scalar_to_string(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn preview(value: &Value) -> String {
    let text = value.to_string();
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() {
        cut + "…"
    } else {
        cut
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults_of(name: &str, arguments: Value) -> Vec<String> {
        let Value::Object(tool_args) = arguments else {
            panic!("arguments must be a mapping")
        };
        let call = ToolCall {
            tool_name: name.to_owned(),
            tool_args,
        };
        check(&call, &[]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn invalid_calls_are_described() {
        let mut all = String::new();
        for (name, arguments) in [
            ("raed", json!({})),
            ("List_Plan", json!({})),
            ("git/log", json!({})),
            ("read", json!({})),
            ("read", json!({"path": null})),
            ("read", json!({"path": ["a"], "limit": "many", "ofset": 3})),
            ("read", json!({"path": "a", "offset": 0})),
            (
                "write",
                json!({"path": "a", "content": "b", "append": "perhaps"}),
            ),
            (
                "http",
                json!({"url": "http://a", "method": "FETCH", "headers": {"a": []}}),
            ),
            (
                "add_plan_step",
                json!({"plan_id": "a", "order": 1, "type": "wish", "name": "b", "choices": "c"}),
            ),
        ] {
            all.extend([name, ": ", &faults_of(name, arguments).join("; "), "\n"]);
        }
        insta::assert_snapshot!(all, @r#"
        raed: there is no tool 'raed'; did you mean 'read'?
        List_Plan: there is no tool 'List_Plan'; did you mean 'list_plans'?
        git/log: the settings have no MCP server 'git'; none is configured
        read: read needs the argument 'path'
        read: read needs the argument 'path'
        read: the argument 'limit' of read must be a positive integer, not "many"; read has no argument 'ofset'; it takes limit, offset, path; the argument 'path' of read must be text, not ["a"]
        read: the argument 'offset' of read must be a positive integer, not 0
        write: the argument 'append' of write must be true or false, not "perhaps"
        http: the argument 'headers' of http must be a mapping of names to text, not {"a":[]}; the argument 'method' of http must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, not 'FETCH'
        add_plan_step: the argument 'choices' of add_plan_step must be a list, not "c"; the argument 'type' of add_plan_step must be one of agent, command, tool_call, llm_decision, user_input, condition, parallel, loop, sub_plan, not 'wish'
        "#);
    }

    #[test]
    fn valid_calls_have_no_faults() {
        for (name, arguments) in [
            (
                "shell",
                json!({"command": "ls", "env": {"N": 3, "FLAG": true}, "cwd": null}),
            ),
            (
                "read",
                json!({"path": "{{nodes.a.outputs.path}}", "limit": "{{nodes.a.outputs.n}}", "offset": "7"}),
            ),
            (
                "write",
                json!({"path": "a", "content": 42, "append": "true"}),
            ),
            (
                "http",
                json!({"url": "http://a", "method": "post", "json": [1], "headers": "{\"a\": \"b\"}"}),
            ),
            (
                "add_plan_step",
                json!({"plan_id": "a", "order": "2", "type": "agent", "name": "b", "choices": "[1]"}),
            ),
        ] {
            assert_eq!(
                faults_of(name, arguments.clone()),
                [""; 0],
                "{name} {arguments}"
            );
        }
    }

    #[test]
    fn arguments_are_coerced_to_schema_types() {
        let given = json!({"url": "http://a", "method": "post", "timeoutMs": "70", "headers": {"n": 1}, "body": 5});
        let fitted = coerce_arguments(BuiltInTool::Http, given.as_object().expect("a mapping"));
        let wanted = json!({"url": "http://a", "method": "POST", "timeoutMs": 70, "headers": {"n": "1"}, "body": "5"});
        assert_eq!(fitted.map(Value::Object), Ok(wanted));
    }
}
