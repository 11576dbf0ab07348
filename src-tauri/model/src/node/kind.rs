//! What a node does, and its time limits.

use serde::{Deserialize, Serialize};

use super::{
    AgentTask, CommandTask, ConditionTask, DecisionTask, LoopTask, Note, ParallelTask,
    PlanningTask, Question, SubPlanTask, ToolCall,
};
use crate::NodeId;

/// What a node does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NodeKind {
    /// A session of a coding agent.
    Agent(AgentTask),
    /// An operating system command.
    Command(CommandTask),
    /// A call of one tool.
    ToolCall(ToolCall),
    /// A choice that an agent makes.
    LlmDecision(DecisionTask),
    /// A question to a person. Uses no process and no slot while it waits.
    UserInput(Question),
    /// A fork: one of two branches is taken.
    Condition(ConditionTask),
    /// Several tool calls that run in parallel.
    Parallel(ParallelTask),
    /// A tool call or a plan, repeated.
    Loop(LoopTask),
    /// A run of another plan.
    SubPlan(SubPlanTask),
    /// A sticky note. Never runs and has no edges.
    Note(Note),
    /// A planner's session. Only in plans that Baton creates internally.
    #[cfg_attr(feature = "bindings", ts(skip), schemars(skip))]
    Planning(PlanningTask),
}

/// The default time limit of an agent's attempt: 30 minutes.
pub const AGENT_TIMEOUT_MS: u64 = 30 * 60 * 1000;
/// The default time limit of a command or tool call: 60 seconds.
pub const COMMAND_TIMEOUT_MS: u64 = 60 * 1000;

impl NodeKind {
    /// The time limit for this kind, given the limits for agents and commands. For a loop over a
    /// tool it applies to each iteration.
    pub(crate) fn timeout_ms(&self, agents: u64, commands: u64) -> Option<u64> {
        match self {
            Self::Agent(_) | Self::LlmDecision(_) | Self::Planning(_) => Some(agents),
            Self::Command(_)
            | Self::ToolCall(_)
            | Self::Condition(_)
            | Self::Parallel(_)
            | Self::Note(_) => Some(commands),
            Self::Loop(task) if task.body.is_plan() => None,
            Self::Loop(task) => Some(commands.saturating_mul(task.max_iterations.into())),
            Self::UserInput(_) | Self::SubPlan(_) => None,
        }
    }

    /// The name of this kind in plan files, the database and the window.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Agent(_) => "agent",
            Self::Command(_) => "command",
            Self::ToolCall(_) => "tool_call",
            Self::LlmDecision(_) => "llm_decision",
            Self::UserInput(_) => "user_input",
            Self::Condition(_) => "condition",
            Self::Parallel(_) => "parallel",
            Self::Loop(_) => "loop",
            Self::SubPlan(_) => "sub_plan",
            Self::Note(_) => "note",
            Self::Planning(_) => "planning",
        }
    }

    /// The agent that works on the node: `None` if there is none, `Some(None)` for the default
    /// agent.
    #[must_use]
    pub fn agent(&self) -> Option<Option<&str>> {
        match self {
            Self::Agent(task) => Some(task.agent.as_deref()),
            Self::LlmDecision(task) => Some(task.agent.as_deref()),
            Self::Planning(task) => Some(Some(&task.agent)),
            _ => None,
        }
    }

    /// The plan that the node runs, as the node refers to it.
    #[must_use]
    pub fn sub_plan(&self) -> Option<&SubPlanTask> {
        match self {
            Self::SubPlan(task) => Some(task),
            Self::Loop(LoopTask {
                body: super::LoopBody::Plan(task),
                ..
            }) => Some(task),
            _ => None,
        }
    }

    /// The tool calls that the node itself makes.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        match self {
            Self::ToolCall(call) => std::slice::from_ref(call),
            Self::Parallel(task) => &task.steps,
            Self::Loop(LoopTask {
                body: super::LoopBody::Tool(call),
                ..
            }) => std::slice::from_ref(call),
            _ => &[],
        }
    }

    /// Whether the node only calls tools or evaluates a condition.
    #[must_use]
    pub fn runs_only_tools(&self) -> bool {
        matches!(
            self,
            Self::ToolCall(_) | Self::Parallel(_) | Self::Loop(_) | Self::Condition(_)
        ) && self.sub_plan().is_none()
    }

    /// The expression that the node evaluates.
    #[must_use]
    pub fn condition(&self) -> Option<&str> {
        match self {
            Self::Condition(task) => Some(&task.condition),
            Self::Loop(task) => task.loop_condition.as_deref(),
            _ => None,
        }
    }

    /// The heads of the branches, with the answer that takes each.
    pub fn branches(&self) -> impl Iterator<Item = (bool, NodeId)> {
        let heads = match self {
            Self::Condition(task) => [
                task.true_step.map(|node| (true, node)),
                task.false_step.map(|node| (false, node)),
            ],
            _ => [None, None],
        };
        heads.into_iter().flatten()
    }
}
