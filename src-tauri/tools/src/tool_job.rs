//! What `baton-tool run` is asked to do: the content of its work file.

use std::path::PathBuf;

use baton_model::expression::Values;
use baton_model::loop_round::LoopValue;
use baton_model::node::{LoopTask, ParallelTask};
use serde::{Deserialize, Serialize};

use crate::{McpServer, ToolCall};

/// The argument by which a call in a loop learns the number of its iteration, from 1.
pub const ITERATION: &str = "iteration";

/// The work of one attempt, with its surroundings. Nothing in it is a template any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct ToolJob {
    #[serde(flatten)]
    pub task: Task,
    /// The MCP servers of the settings.
    #[serde(default)]
    pub servers: Vec<McpServer>,
    /// Where the node works: relative paths begin here.
    pub directory: PathBuf,
    /// Where Baton keeps its data, for the tools that act on plans.
    #[serde(default)]
    pub data_directory: PathBuf,
    /// The program `baton`, for the same.
    #[serde(default)]
    pub baton: PathBuf,
}

/// What to do.
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
    /// Several calls at once.
    Parallel {
        calls: Vec<ToolCall>,
        /// Every call comes to its end, also after one has failed. Otherwise the first failure stops the others.
        #[serde(default = "default_true")]
        wait_all: bool,
        /// How many run at once.
        #[serde(default = "ParallelTask::default_limit")]
        limit: u32,
    },
    /// One call again and again. Each gets its number as the argument [`ITERATION`].
    Loop {
        call: ToolCall,
        #[serde(default = "LoopTask::default_iterations")]
        max_iterations: u32,
        /// Looked at after each iteration: while it holds, there is another. `None`: until the most is reached.
        #[serde(default)]
        loop_condition: Option<String>,
        /// What the condition may ask about the run.
        #[serde(default)]
        values: Values,
        /// The texts of the call that name the loop.
        #[serde(default)]
        texts: Vec<IterationText>,
    },
    /// A question to what is known already.
    Condition {
        /// An expression, see [`baton_model::Expression`].
        condition: String,
        /// What it is asked over.
        #[serde(default)]
        values: Values,
    },
}

/// A text in the arguments of a loop's call that is put together for each iteration.
///
/// It comes in parts, so that nothing that somebody else wrote is read for what it names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IterationText {
    /// Where it stands among the arguments, as a JSON pointer.
    pub pointer: String,
    /// What it is made of.
    pub parts: Vec<IterationPart>,
}

/// A part of a text that is put together for each iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IterationPart {
    /// Text as it is.
    Text(String),
    /// What the iteration knows.
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
        .expect("a work");
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
            .expect("the same work");
        assert_eq!(job, again);
    }

    #[test]
    fn loop_defaults_to_ten_iterations() {
        let job: ToolJob = serde_json::from_value(json!({
            "kind": "loop", "call": {"toolName": "shell"}, "directory": "/tmp", "loopCondition": "iteration < 3",
            "values": {"nodes": {"a": {"state": "done"}}},
        }))
        .expect("a work");
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
