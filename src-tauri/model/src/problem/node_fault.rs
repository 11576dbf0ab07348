//! What is wrong with one node, and with which of its fields.

use serde::{Deserialize, Serialize};

use crate::likeness::did_you_mean;
use crate::node::LOCK_NAME_LIMIT;
use crate::shell::ValuePlace;

/// A field of a node that can be at fault, called as in a plan file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum NodeField {
    /// The question to a person.
    Question,
    /// The answers that a person chooses from.
    Options,
    /// What an agent decides.
    Prompt,
    /// The answers that an agent chooses from.
    Choices,
    /// What a fork looks at.
    Condition,
    /// The head of the branch that is taken when the condition holds.
    TrueStep,
    /// The head of the other branch.
    FalseStep,
    /// Which tool is called.
    ToolName,
    /// The calls that are made at once.
    Steps,
    /// What a loop looks at after each iteration.
    LoopCondition,
    /// The plan that is run.
    SubPlanId,
    /// The session with which an agent begins.
    Session,
    /// What is run.
    Command,
    /// The variables of what is run.
    Env,
    /// What a tool is called with.
    ToolArgs,
    /// What must be true when the node is done.
    AcceptanceCriteria,
    /// What the node may use.
    Budget,
    /// What the node uses alone.
    Locks,
    /// Where the run goes on when the node is done.
    OnSuccess,
    /// What becomes of the run when the node has failed.
    OnFailure,
}

impl NodeField {
    /// Every field.
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

/// How a node names what follows on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Jump {
    /// As the branch that is taken when its condition holds.
    TrueBranch,
    /// As the branch that is taken when its condition does not hold.
    FalseBranch,
    /// As where the run goes on when it is done.
    Success,
    /// As where the run goes on when it has failed.
    Failure,
}

impl Jump {
    /// The field that says so.
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
            Self::TrueBranch => "when its condition holds",
            Self::FalseBranch => "when its condition does not hold",
            Self::Success => "when it is done",
            Self::Failure => "when it has failed",
        })
    }
}

/// What keeps one node from being saved: what is wrong, and what to do. The sentence begins with the node's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "fault",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum NodeFault {
    /// A question without words.
    #[error("asks nothing; write the question")]
    NoQuestion,
    /// A choice without answers.
    #[error("offers a choice without options; add the answers to choose from")]
    NoOptions,
    /// An answer without words.
    #[error("offers an empty answer; write it or remove it")]
    EmptyAnswer,
    /// The same answer twice.
    #[error("offers the answer '{answer}' twice; keep one of the two")]
    RepeatedAnswer {
        /// The answer.
        answer: String,
    },
    /// A decision among no answers.
    #[error(
        "has no choices; add the answers to choose from, or use an agent node for a free answer"
    )]
    NoChoices,
    /// A decision about nothing.
    #[error("has no prompt; write what is to be decided")]
    NoPrompt,
    /// A call of nothing.
    #[error("calls no tool; name one, such as shell, read, write, glob or http")]
    NoTool,
    /// Several calls at once that are none.
    #[error("has no tool calls to make at once; add one")]
    NoCalls,
    /// No plan is named.
    #[error("runs no plan; name one by its title or id")]
    NoSubPlan,
    /// The plan would run itself.
    #[error("runs the plan that it belongs to, which would never end; name another plan")]
    SubPlanOfItself,
    /// The session with which it begins cannot be the name of one.
    #[error(
        "begins with the session '{id}', which cannot be the name of one; write the id that its agent gives it"
    )]
    BadSession {
        /// What stands there.
        id: String,
    },
    /// It begins with a session, and does not say whose.
    #[error(
        "begins with an earlier session and names no single agent; name the one whose session it is"
    )]
    SessionOfNobody,
    /// There is no condition where one belongs.
    #[error(
        "has an empty condition; write true, false, result:ID, or an expression such as nodes.ID.outputs.count > 3"
    )]
    NoCondition,
    /// The condition is no expression.
    #[error("has a condition that cannot be understood: {reason}")]
    BadCondition {
        /// What the language says.
        reason: String,
    },
    /// The condition names a node that is not there.
    #[error("has a condition about '{slug}', and there is no such node{}", did_you_mean(.nearest.as_deref()))]
    UnknownNode {
        /// The id that nobody has.
        slug: String,
        /// The id that is most like it.
        nearest: Option<String>,
    },
    /// The condition names a node that may not have run by then.
    #[error(
        "has a condition about '{slug}', which does not come before it; let it depend on '{slug}', or ask about another node"
    )]
    NotBefore {
        /// The node's id.
        slug: String,
    },
    /// The condition names its own node.
    #[error(
        "has a condition about itself, and has no result by then; ask about a node that comes before it"
    )]
    AboutItself,
    /// A value of another node would not stay data.
    #[error("puts `{{{{{expression}}}}}` {place}")]
    UnsafeValue {
        /// What stands between the braces.
        expression: String,
        /// Where it stands.
        #[serde(flatten)]
        place: ValuePlace,
    },
    /// Nothing may be used.
    #[error("has a budget that allows nothing; raise it, or leave it out for no limit")]
    EmptyBudget,
    /// A lock cannot be called so.
    #[error(
        "has a lock called '{name}'; write a name on one line of at most {LOCK_NAME_LIMIT} characters, such as build or port:3000"
    )]
    BadLock {
        /// What stands there.
        name: String,
    },
    /// It goes on at a node that is not in the plan.
    #[error("goes on, {jump}, at a node that is not there; choose another one")]
    JumpNowhere {
        /// On which occasion.
        jump: Jump,
    },
    /// It goes on at a note.
    #[error("goes on, {jump}, at '{target}', which is a note and never runs; choose another node")]
    JumpToNote {
        /// On which occasion.
        jump: Jump,
        /// The note's title.
        target: String,
    },
    /// It goes on at itself.
    #[error(
        "goes on, {jump}, at itself; choose a node that comes later, or let it be tried again with maxRetries"
    )]
    JumpToItself {
        /// On which occasion.
        jump: Jump,
    },
    /// It goes on at a node that comes before it.
    #[error(
        "goes back, {jump}, to a node that comes before it ({}); a run only moves forward, so let it go on at a later \
         node, or repeat the work with a loop",
        .titles.join(" → ")
    )]
    JumpBack {
        /// On which occasion.
        jump: Jump,
        /// The way from the target back to the target, by titles.
        titles: Vec<String>,
    },
    /// It goes on at a node whose id means something else there.
    #[error(
        "cannot go on at the node '{slug}' when it has failed, as '{slug}' is a policy there; give that node another id"
    )]
    JumpToWord {
        /// The id.
        slug: String,
    },
    /// A note is said to be followed by something.
    #[error("is a note and never runs, so nothing follows on it; remove the jump")]
    JumpOfNote,
}
