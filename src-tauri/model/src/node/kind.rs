//! What a node does, and how long that may take.

use serde::{Deserialize, Serialize};

use super::{
    AgentTask, CommandTask, ConditionTask, DecisionTask, LoopTask, Note, ParallelTask,
    PlanningTask, Question, SubPlanTask, ToolCall,
};
use crate::NodeId;

/// What a node does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NodeKind {
    /// A session of a coding agent.
    Agent(AgentTask),
    /// A command of the operating system.
    Command(CommandTask),
    /// A call of one tool.
    ToolCall(ToolCall),
    /// A choice that an agent makes.
    LlmDecision(DecisionTask),
    /// A question to a person. Holds no process and no place while it waits.
    UserInput(Question),
    /// A fork: one of two branches is taken.
    Condition(ConditionTask),
    /// Several tool calls at once.
    Parallel(ParallelTask),
    /// A tool call, or a plan, again and again.
    Loop(LoopTask),
    /// A run of another plan.
    SubPlan(SubPlanTask),
    /// A sticky note; never runs and has no edges.
    Note(Note),
    /// A planner's session; only in plans that Baton makes for itself.
    #[cfg_attr(feature = "bindings", ts(skip))]
    Planning(PlanningTask),
}

/// How long an attempt of an agent may take where nobody says: 30 minutes.
pub const AGENT_TIMEOUT_MS: u64 = 30 * 60 * 1000;
/// How long an attempt of a command or tool call may take where nobody says: 60 seconds.
pub const COMMAND_TIMEOUT_MS: u64 = 60 * 1000;

impl NodeKind {
    /// The limit of an attempt of this kind, by those of agents and of commands; a loop over a tool has it for each iteration.
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

    /// The word for this kind, the same in plan files, the store and the window.
    #[must_use]
    pub fn word(&self) -> &'static str {
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

    /// The agent that works on the node: `None` when none does, `Some(None)` for the default one.
    #[must_use]
    pub fn agent(&self) -> Option<Option<&str>> {
        match self {
            Self::Agent(task) => Some(task.agent.as_deref()),
            Self::LlmDecision(task) => Some(task.agent.as_deref()),
            Self::Planning(task) => Some(Some(&task.agent)),
            _ => None,
        }
    }

    /// The plan that the node runs, as it names it.
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

    /// The tool calls that the node makes by itself.
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

    /// Whether the work is calls of tools, or a condition, and nothing else.
    #[must_use]
    pub fn is_done_by_tools(&self) -> bool {
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

    /// The heads of the branches, with the answer that takes them.
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
