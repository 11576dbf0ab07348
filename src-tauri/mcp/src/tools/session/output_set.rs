//! `output_set`: a named output of the attempt, for the nodes after it.

use baton_api::ApiError;
use baton_model::artifact::{OUTPUT_LIMIT, OutputFault, is_output_name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempt;
use crate::answer::Answer;
use crate::caller_error::bad_input;
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OutputSetArguments {
    /// Letters, digits, _, - and .
    key: String,
    /// One line.
    value: String,
}

#[derive(Serialize, JsonSchema)]
struct OutputSet {
    key: String,
    bytes: usize,
}

impl Answer for OutputSet {
    fn text(&self) -> String {
        format!("{} is set: {} bytes", self.key, self.bytes)
    }
}

pub(super) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "output_set",
        title: "Set an output of this node",
        description: "Sets a named output of this node, which later nodes and conditions read. The last \
            value of a key counts.",
    };
    ToolDefinition::new(text, Effect::Ask, output_set)
}

fn output_set(context: &ToolContext, input: OutputSetArguments) -> Result<OutputSet, ApiError> {
    let own = attempt(context)?;
    let OutputSetArguments { key, value } = input;
    if !is_output_name(&key) {
        let fault = OutputFault::BadName {
            number: 1,
            name: key,
        };
        return Err(bad_input(fault.to_string(), fault.fix()));
    }
    if value.contains(['\n', '\r']) || value.len() > OUTPUT_LIMIT {
        let message = format!("the value of {key} is not one line of at most {OUTPUT_LIMIT} bytes");
        return Err(bad_input(
            message,
            "write it to a file and set the file's path",
        ));
    }
    own.set_output(&key, &value)?;
    Ok(OutputSet {
        bytes: value.len(),
        key,
    })
}
