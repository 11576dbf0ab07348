//! Reads tool calls in a plan file: single ones, parallel ones, and those in loops.

use super::core_schema;
use super::fault::{FaultKind, Faults};
use super::fields::{Fields, wrong_type};
use super::json_tree;
use super::node_draft::{Reference, ReferenceRole, reference};
use super::stand_in;
use super::tree::{Entry, Located, ScalarKind, SourceLocation, Value};
use baton_model::node::{LoopBody, LoopTask, ParallelTask, SubPlanTask, ToolCall};
use baton_model::problem::{CONCURRENCY_LIMIT, ITERATION_LIMIT};

const NAME_A_TOOL: &str = "name the tool, such as shell, read, write, glob or http, or SERVER/TOOL";

/// The call that the entries of `fields` describe.
pub(super) fn call(fields: &Fields<'_>, faults: &mut Faults) -> ToolCall {
    let tool_args = fields.json("toolArgs", faults);
    fields.required("toolName", NAME_A_TOOL, faults);
    ToolCall {
        tool_name: fields
            .text("toolName", faults)
            .unwrap_or_else(stand_in::tool_name),
        tool_args,
    }
}

/// The calls of a parallel node.
pub(super) fn parallel(fields: &Fields<'_>, faults: &mut Faults) -> ParallelTask {
    let limit = fields.whole_number("maxConcurrent", 1..=CONCURRENCY_LIMIT.into(), faults);
    ParallelTask {
        steps: steps(fields, faults).unwrap_or_else(|| vec![stand_in::call()]),
        wait_all: fields.flag("waitAll", faults).unwrap_or(true),
        max_concurrent: limit.unwrap_or_else(ParallelTask::default_limit),
    }
}

/// `None` if there is no list of steps, which is a fault.
fn steps(fields: &Fields<'_>, faults: &mut Faults) -> Option<Vec<ToolCall>> {
    let fix = "list the calls, each as {toolName: NAME, toolArgs: {…}} or as the tool's name";
    let located = fields.required("steps", fix, faults)?;
    let items = fields.list("steps", faults);
    let step = |(item, number): (&Located, u32)| {
        let name = format!("step {number} of {}", fields.owner);
        definition(item, &name, faults).unwrap_or_else(stand_in::call)
    };
    matches!(located.value, Value::List(_)).then(|| items.iter().zip(1..).map(step).collect())
}

/// A tool call as a mapping, as JSON text, or as the name of a tool that needs no arguments.
fn definition(located: &Located, name: &str, faults: &mut Faults) -> Option<ToolCall> {
    match &located.value {
        Value::Map(entries) => call_from_mapping(entries, located.at, name, faults),
        Value::Scalar(text, ScalarKind::Text) if text.trim_start().starts_with('{') => {
            match serde_json::from_str::<serde_json::Value>(text) {
                Ok(value) => definition(&from_json(&value, located.at), name, faults),
                Err(error) => {
                    let reason = json_tree::reason(&error);
                    faults.add(
                        located.at,
                        FaultKind::BadDefinition {
                            owner: name.to_owned(),
                            reason,
                        },
                    );
                    None
                }
            }
        }
        Value::Scalar(text, ScalarKind::Text) => Some(ToolCall {
            tool_name: text.clone(),
            tool_args: serde_json::Map::new(),
        }),
        _ => {
            wrong_type(
                located,
                name,
                "a tool's name or a mapping with toolName and toolArgs",
                faults,
            );
            None
        }
    }
}

fn call_from_mapping(
    entries: &[Entry],
    at: SourceLocation,
    name: &str,
    faults: &mut Faults,
) -> Option<ToolCall> {
    let fields = Fields {
        owner: name,
        entries,
    };
    fields.refuse_unknown(&["toolName", "toolArgs"], faults);
    if entries.is_empty() {
        faults.add(
            at,
            FaultKind::MissingKey {
                key: "toolName",
                owner: name.to_owned(),
                fix: NAME_A_TOOL,
            },
        );
        return None;
    }
    Some(call(&fields, faults))
}

/// A loop over a tool call or a plan.
pub(super) fn repeated(
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> LoopTask {
    let limit = fields.whole_number("maxIterations", 1..=ITERATION_LIMIT.into(), faults);
    let loop_condition = fields.text("loopCondition", faults);
    let stand_in_body = || LoopBody::Tool(stand_in::call());
    LoopTask {
        body: body(fields, references, faults).unwrap_or_else(stand_in_body),
        max_iterations: limit.unwrap_or_else(LoopTask::default_iterations),
        loop_condition,
    }
}

/// The body of a loop, which can be given in one of four ways.
fn body(
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> Option<LoopBody> {
    const WAYS: [&str; 4] = ["toolName", "subPlanId", "body", "loopStep"];
    let given: Vec<_> = WAYS
        .into_iter()
        .filter(|way| fields.get(way).is_some())
        .collect();
    match given[..] {
        [] => {
            report_no_body(fields, faults);
            None
        }
        [way] => {
            refuse_strays(way, fields, faults);
            body_given_as(way, fields, references, faults)
        }
        [first, second, ..] => {
            report_second_body(first, second, fields, faults);
            body_given_as(first, fields, references, faults)
        }
    }
}

fn report_no_body(fields: &Fields<'_>, faults: &mut Faults) {
    let fix = "set what to repeat: toolName and toolArgs for a tool, or subPlanId for a plan";
    fields.required("toolName", fix, faults);
    // What is written without them may be wrong too.
    fields.json("toolArgs", faults);
    fields.text("prompt", faults);
}

fn report_second_body(
    first: &'static str,
    second: &'static str,
    fields: &Fields<'_>,
    faults: &mut Faults,
) {
    let at = fields
        .get(second)
        .map_or(SourceLocation::START, |located| located.at);
    let kind = FaultKind::SeveralBodies {
        owner: fields.owner.to_owned(),
        first,
        second,
    };
    faults.add(at, kind);
}

/// Reports keys that belong to another body than the one given as `way`.
fn refuse_strays(way: &'static str, fields: &Fields<'_>, faults: &mut Faults) {
    let stray = if way == "toolName" {
        "prompt"
    } else {
        "toolArgs"
    };
    if fields.get(stray).is_some() {
        report_second_body(way, stray, fields, faults);
    }
}

fn body_given_as(
    way: &str,
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> Option<LoopBody> {
    match way {
        "toolName" => Some(LoopBody::Tool(call(fields, faults))),
        "subPlanId" => Some(plan(fields, faults)),
        "loopStep" => {
            references.extend(reference(fields, ReferenceRole::LoopStep, faults));
            // Until the named node is known.
            Some(LoopBody::Tool(stand_in::call()))
        }
        _ => inline_body(fields, faults),
    }
}

fn inline_body(fields: &Fields<'_>, faults: &mut Faults) -> Option<LoopBody> {
    let located = fields.get("body")?;
    let name = fields.describe_key("body");
    let Value::Map(entries) = &located.value else {
        return definition(located, &name, faults).map(LoopBody::Tool);
    };
    let inner = Fields {
        owner: &name,
        entries,
    };
    if inner.get("subPlanId").is_none() {
        return call_from_mapping(entries, located.at, &name, faults).map(LoopBody::Tool);
    }
    inner.refuse_unknown(&["subPlanId", "prompt"], faults);
    Some(plan(&inner, faults))
}

fn plan(fields: &Fields<'_>, faults: &mut Faults) -> LoopBody {
    LoopBody::Plan(SubPlanTask {
        prompt: fields.text("prompt", faults).unwrap_or_default(),
        sub_plan_id: fields
            .text("subPlanId", faults)
            .unwrap_or_else(stand_in::plan_name),
    })
}

/// JSON from a text, with the location of the text.
fn from_json(value: &serde_json::Value, at: SourceLocation) -> Located {
    use serde_json::Value as Json;
    let value = match value {
        Json::Null => Value::Scalar("null".to_owned(), ScalarKind::Null),
        Json::Bool(flag) => Value::Scalar(flag.to_string(), ScalarKind::Bool(*flag)),
        Json::Number(number) => {
            let text = number.to_string();
            let kind = if core_schema::integer(&text).is_some() {
                ScalarKind::Integer
            } else {
                ScalarKind::Float
            };
            Value::Scalar(text, kind)
        }
        Json::String(text) => Value::Scalar(text.clone(), ScalarKind::Text),
        Json::Array(items) => Value::List(items.iter().map(|item| from_json(item, at)).collect()),
        Json::Object(map) => {
            let entry = |(key, value): (&String, &Json)| Entry {
                key: key.clone(),
                at,
                value: from_json(value, at),
            };
            Value::Map(map.iter().map(entry).collect())
        }
    };
    Located { at, value }
}
