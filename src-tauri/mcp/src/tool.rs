//! The definition of a tool: what clients see of it, and what it does.

use std::path::PathBuf;
use std::sync::Arc;

use baton_api::{ApiError, Code};
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{self, Answer};
use crate::attempt::Attempt;
use crate::caller_error::bad_input;
use crate::operations::Operations;
use crate::tool_schema::{answer_schema_of, schema_of};

/// What a tool works with.
#[derive(Clone)]
pub(crate) struct ToolContext {
    pub(crate) operations: Arc<dyn Operations>,
    /// The project of a call that names none: an absolute directory.
    pub(crate) project: Option<PathBuf>,
    /// The attempt of the session that this process runs in.
    pub(crate) attempt: Option<Arc<Attempt>>,
}

/// Whether a tool changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It only reads.
    Read,
    /// It stores a request, a proposal, or a result of the caller's own work.
    Ask,
    /// It makes something stop or withdraws it, and that can't be undone.
    Stop,
}

type Run = dyn Fn(&ToolContext, JsonObject) -> CallToolResult + Send + Sync;

/// A tool.
pub(crate) struct ToolDefinition {
    pub(crate) effect: Effect,
    pub(crate) tool: Tool,
    run: Box<Run>,
}

/// The words of a tool that a model reads.
pub(crate) struct ToolText {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
}

impl ToolDefinition {
    /// Defines a tool by its function.
    pub(crate) fn new<A, O>(
        text: ToolText,
        effect: Effect,
        function: fn(&ToolContext, A) -> Result<O, ApiError>,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        O: Answer + JsonSchema + 'static,
    {
        let name = text.name;
        let tool = Tool::new(name, text.description, schema_of::<A>())
            .with_raw_output_schema(answer_schema_of::<O>())
            .with_annotations(hints(text.title, effect));
        let run = move |context: &ToolContext, arguments: JsonObject| {
            let answer = parse(name, arguments).and_then(|input| function(context, input));
            match answer {
                Ok(answer) => answer.to_result(),
                Err(error) if error.code == Code::WaitsForPerson => answer::waiting_result(&error),
                Err(error) => answer::error_result(&error),
            }
        };
        Self {
            effect,
            tool,
            run: Box::new(run),
        }
    }

    /// Calls the tool. May block.
    pub(crate) fn call(&self, context: &ToolContext, arguments: JsonObject) -> CallToolResult {
        (self.run)(context, arguments)
    }
}

/// What clients are shown of a tool's effect. The last two hints mean nothing for tools that read.
fn hints(title: &str, effect: Effect) -> ToolAnnotations {
    let hints = ToolAnnotations::with_title(title)
        .read_only(effect == Effect::Read)
        .open_world(false);
    match effect {
        Effect::Read => hints,
        Effect::Ask | Effect::Stop => hints.destructive(effect == Effect::Stop).idempotent(true),
    }
}

fn parse<A: DeserializeOwned>(name: &str, arguments: JsonObject) -> Result<A, ApiError> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        bad_input(
            format!("wrong arguments for {name}: {error}"),
            format!("see the input schema of {name}"),
        )
    })
}
