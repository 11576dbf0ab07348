//! What can be wrong with a node, and in which field.

use serde::{Deserialize, Serialize};

use crate::node::LOCK_NAME_LIMIT;
use crate::shell::ValuePosition;
use crate::spelling_suggestion::did_you_mean;

/// A field of a node, named as in a plan file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the plan file format documents the keys")]
pub enum NodeField {
    Question,
    Options,
    Prompt,
    Choices,
    Condition,
    TrueStep,
    FalseStep,
    ToolName,
    Steps,
    LoopCondition,
    SubPlanId,
    Session,
    Command,
    Env,
    ToolArgs,
    AcceptanceCriteria,
    Budget,
    Locks,
    OnSuccess,
    OnFailure,
}

impl NodeField {
    #[expect(missing_docs, reason = "the name says it")]
    pub const ALL: [Self; 20] = [
        Self::Question,
        Self::Options,
        Self::Prompt,
        Self::Choices,
        Self::Condition,
        Self::TrueStep,
        Self::FalseStep,
        Self::ToolName,
        Self::Steps,
        Self::LoopCondition,
        Self::SubPlanId,
        Self::Session,
        Self::Command,
        Self::Env,
        Self::ToolArgs,
        Self::AcceptanceCriteria,
        Self::Budget,
        Self::Locks,
        Self::OnSuccess,
        Self::OnFailure,
    ];

    /// The key in a plan file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Options => "options",
            Self::Prompt => "prompt",
            Self::Choices => "choices",
            Self::Condition => "condition",
            Self::TrueStep => "trueStep",
            Self::FalseStep => "falseStep",
            Self::ToolName => "toolName",
            Self::Steps => "steps",
            Self::LoopCondition => "loopCondition",
            Self::SubPlanId => "subPlanId",
            Self::Session => "session",
            Self::Command => "command",
            Self::Env => "env",
            Self::ToolArgs => "toolArgs",
            Self::AcceptanceCriteria => "acceptanceCriteria",
            Self::Budget => "budget",
            Self::Locks => "locks",
            Self::OnSuccess => "onSuccess",
            Self::OnFailure => "onFailure",
        }
    }
}

/// The ways in which a node refers to a successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Jump {
    /// The branch for a true condition.
    TrueBranch,
    /// The branch for a false condition.
    FalseBranch,
    /// Where the run continues on success.
    Success,
    /// Where the run continues on failure.
    Failure,
}

impl Jump {
    /// The field that contains the target.
    #[must_use]
    pub fn field(self) -> NodeField {
        match self {
            Self::TrueBranch => NodeField::TrueStep,
            Self::FalseBranch => NodeField::FalseStep,
            Self::Success => NodeField::OnSuccess,
            Self::Failure => NodeField::OnFailure,
        }
    }
}

impl std::fmt::Display for Jump {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TrueBranch => "when its condition is true",
            Self::FalseBranch => "when its condition is false",
            Self::Success => "when it succeeds",
            Self::Failure => "when it fails",
        })
    }
}

/// What is wrong with a node, and what to do. A fragment that follows the
/// node's title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "fault",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum NodeFault {
    /// The question is empty.
    #[error("has no question; enter one")]
    NoQuestion,
    /// A choice has no options.
    #[error("has no options; add the answers to choose from")]
    NoOptions,
    /// An answer is blank.
    #[error("has an empty answer; fill it in or remove it")]
    EmptyAnswer,
    /// The same answer exists twice.
    #[error("has the answer '{answer}' twice; remove one")]
    RepeatedAnswer { answer: String },
    /// A decision has no answers to choose from.
    #[error(
        "has no choices; add the answers to choose from, or use an agent node for a free answer"
    )]
    NoChoices,
    /// A decision has no prompt.
    #[error("has no prompt; describe the decision")]
    NoPrompt,
    /// A tool call names no tool.
    #[error("has no tool; name one, such as shell, read, write, glob or http")]
    NoTool,
    /// A parallel node has no calls.
    #[error("has no tool calls; add one")]
    NoCalls,
    /// No plan is named.
    #[error("has no plan; enter the title or ID of one")]
    NoSubPlan,
    /// The plan would run itself.
    #[error("runs its own plan, which would never end; choose another plan")]
    SubPlanOfItself,
    /// The session ID is invalid.
    #[error(
        "continues the session '{id}', which is not a valid session ID; use the ID that the agent shows"
    )]
    BadSession {
        /// The text that was given.
        id: String,
    },
    /// A session is given, but not its agent.
    #[error(
        "continues an earlier session but doesn't name a single agent; name the agent of that session"
    )]
    SessionOfNobody,
    /// The condition is missing.
    #[error(
        "has an empty condition; write true, false, result:ID, or an expression such as nodes.ID.outputs.count > 3"
    )]
    NoCondition,
    /// The condition can't be parsed.
    #[error("has an invalid condition: {reason}")]
    BadCondition {
        /// The parser's error, as a fragment.
        reason: String,
    },
    /// The condition refers to a node that does not exist.
    #[error("has a condition about '{slug}', which is not a node of this plan{}", did_you_mean(.nearest.as_deref()))]
    UnknownNode {
        slug: String,
        /// The most similar existing ID.
        nearest: Option<String>,
    },
    /// The condition refers to a node that may not have run yet.
    #[error(
        "has a condition about '{slug}', which does not run before it; add a dependency on '{slug}' or use another node"
    )]
    NotBefore {
        /// The ID of that node.
        slug: String,
    },
    /// The condition refers to its own node.
    #[error("has a condition about itself, but has no result yet; use a node that runs before it")]
    AboutItself,
    /// A value of another node might be interpreted as code.
    #[error("puts `{{{{{expression}}}}}` {place}")]
    UnsafeValue {
        /// The expression between the braces.
        expression: String,
        #[serde(flatten)]
        place: ValuePosition,
    },
    /// The budget is zero.
    #[error("has a budget of zero; raise it, or remove it for no limit")]
    EmptyBudget,
    /// The lock name is invalid.
    #[error(
        "has an invalid lock name '{name}'; use one line of at most {LOCK_NAME_LIMIT} characters, such as build or port:3000"
    )]
    BadLock {
        /// The text that was given.
        name: String,
    },
    /// The jump target is not in the plan.
    #[error("continues at a node that does not exist ({jump}); choose another one")]
    JumpNowhere { jump: Jump },
    /// The jump target is a note.
    #[error(
        "continues at '{target}' ({jump}), which is a note and never runs; choose another node"
    )]
    JumpToNote {
        jump: Jump,
        /// The title of the note.
        target: String,
    },
    /// The jump target is the node itself.
    #[error("continues at itself ({jump}); choose a later node, or set maxRetries to retry it")]
    JumpToItself { jump: Jump },
    /// The jump target runs before the node.
    #[error(
        "goes back to an earlier node ({jump}: {}); a run only moves forward, so continue at a later node or repeat \
         the work with a loop",
        .titles.join(" → ")
    )]
    JumpBack {
        jump: Jump,
        /// The titles on the cycle, from the target back to the target.
        titles: Vec<String>,
    },
    /// The target's ID is a reserved word in this field.
    #[error(
        "can't continue at the node '{slug}' when it fails, because '{slug}' is a reserved word there; give that node another ID"
    )]
    JumpToWord { slug: String },
    /// A note has a jump.
    #[error("is a note and never runs, so nothing can follow it; remove the jump")]
    JumpOfNote,
}

impl NodeFault {
    /// Whether something was not entered yet, rather than entered wrongly.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        matches!(
            self,
            Self::NoQuestion
                | Self::NoOptions
                | Self::EmptyAnswer
                | Self::NoChoices
                | Self::NoPrompt
                | Self::NoTool
                | Self::NoCalls
                | Self::NoSubPlan
                | Self::NoCondition
        )
    }
}
