//! The input of `baton-tool run`: the content of its job file.

use std::path::PathBuf;

use baton_model::expression::Values;
use baton_model::loop_round::LoopValue;
use baton_model::node::{LoopTask, ParallelTask};
use serde::{Deserialize, Serialize};

use crate::{McpServer, ToolCall};

/// The argument that holds an iteration's number, starting at 1.
pub const ITERATION: &str = "iteration";

/// The job of one attempt with its context. All templates are already filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ToolJob {
    #[serde(flatten)]
    pub task: Task,
    /// The MCP servers in the settings.
    #[serde(default)]
    pub servers: Vec<McpServer>,
    /// The node's working directory, which relative paths are resolved against.
    pub directory: PathBuf,
    /// Baton's data directory, for the plan tools.
    #[serde(default)]
    pub data_directory: PathBuf,
    /// The `baton` program, for the plan tools.
    #[serde(default)]
    pub baton: PathBuf,
}

/// The kinds of jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Task {
    Call {
        call: ToolCall,
    },
    /// Several calls in parallel.
    Parallel {
        calls: Vec<ToolCall>,
        /// Run every call to its end, even after one has failed. Otherwise the first failure stops
        /// the others.
        #[serde(default = "default_true")]
        wait_all: bool,
        /// The maximum number of calls that run in parallel.
        #[serde(default = "ParallelTask::default_limit")]
        limit: u32,
    },
    /// A repeated call, with its iteration's number as the argument [`ITERATION`].
    Loop {
        call: ToolCall,
        #[serde(default = "LoopTask::default_iterations")]
        max_iterations: u32,
        /// Evaluated after each iteration: the loop continues while it holds. `None` loops
        /// `max_iterations` times.
        #[serde(default)]
        loop_condition: Option<String>,
        /// The values that the condition may refer to.
        #[serde(default)]
        values: Values,
        /// The texts of the call that refer to the loop.
        #[serde(default)]
        texts: Vec<IterationText>,
    },
    /// A condition on known values.
    Condition {
        /// An expression, see [`baton_model::Expression`].
        condition: String,
        /// The values that the condition may refer to.
        #[serde(default)]
        values: Values,
    },
}

/// A text in the arguments of a loop's call that is assembled for each iteration.
///
/// It is stored in parts, so that templates in inserted text are never expanded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IterationText {
    /// The location in the arguments, as a JSON pointer.
    pub pointer: String,
    /// Joined without a separator.
    pub parts: Vec<IterationPart>,
}

/// A part of an [`IterationText`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IterationPart {
    /// Literal text.
    Text(String),
    /// A value of the iteration.
    Round(LoopValue),
}

fn default_true() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn job_file_may_omit_defaults() {
        let job: ToolJob = serde_json::from_value(json!({
            "kind": "parallel", "calls": [{"toolName": "read", "toolArgs": {"path": "a"}}], "directory": "/tmp",
        }))
        .expect("a job");
        let Task::Parallel {
            calls,
            wait_all: true,
            limit: 5,
        } = &job.task
        else {
            panic!("{job:?}")
        };
        assert_eq!(calls[0].tool_name, "read");
        let again = serde_json::from_value(serde_json::to_value(&job).expect("JSON"))
            .expect("the same job");
        assert_eq!(job, again);
    }

    #[test]
    fn loop_defaults_to_ten_iterations() {
        let job: ToolJob = serde_json::from_value(json!({
            "kind": "loop", "call": {"toolName": "shell"}, "directory": "/tmp", "loopCondition": "iteration < 3",
            "values": {"nodes": {"a": {"state": "done"}}},
        }))
        .expect("a job");
        let Task::Loop {
            max_iterations: 10,
            loop_condition: Some(_),
            values,
            ..
        } = job.task
        else {
            panic!()
        };
        assert_eq!(values.nodes["a"].state, "done");
    }
}
