//! Stand-ins for required parts of a node that could not be read.
//!
//! The missing part is a fault already, so the plan is refused. A stand-in causes no fault itself,
//! and lets the checks find the other faults of the node in the same pass.

use baton_model::node::{CommandLine, CommandTask, NodeKind, ToolCall};

/// Any name that is not blank.
const NAME: &str = "?";

/// A kind that can have dependencies and has no texts of its own.
pub(super) fn kind() -> NodeKind {
    NodeKind::Command(CommandTask {
        command: command(),
        env: Default::default(),
        cwd: None,
    })
}

pub(super) fn command() -> CommandLine {
    CommandLine::Argv(Vec::new())
}

pub(super) fn condition() -> String {
    "true".to_owned()
}

pub(super) fn plan_name() -> String {
    NAME.to_owned()
}

pub(super) fn tool_name() -> String {
    NAME.to_owned()
}

pub(super) fn call() -> ToolCall {
    ToolCall {
        tool_name: tool_name(),
        tool_args: serde_json::Map::new(),
    }
}
