//! The content of a planner's usable answer.

use serde::{Deserialize, Serialize};

use crate::{NodeId, Plan};

/// The content of a proposal that awaits a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "draft",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Draft {
    /// A plan: a new one, or new content for an existing one.
    Plan {
        /// The plan, with layout. [`Plan::problems`] is empty.
        plan: Box<Plan>,
        /// The planner's own explanation.
        reasoning: String,
        /// What a person may want to know before accepting.
        remarks: Vec<Remark>,
    },
    /// A text in Markdown.
    Text { text: String },
}

/// Something that is allowed but probably not ideal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "remark",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Remark {
    /// Nodes of one agent that run strictly one after another. A single node would be enough.
    NeedlessChain {
        /// The nodes in order.
        nodes: Vec<NodeId>,
        /// Their titles, in the same order.
        titles: Vec<String>,
    },
    /// An agent node has no acceptance criteria.
    NoCriteria { node: NodeId, title: String },
    /// The planner set a value that plans don't accept from planners. It was ignored.
    LeftOut {
        /// The key in the plan file.
        key: String,
    },
    /// A note from the plan file parser.
    Noticed {
        /// A full sentence.
        sentence: String,
    },
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NeedlessChain { titles, .. } => write!(
                f,
                "{} run one after another with the same agent; a single node could do this in one session",
                titles.join(" → ")
            ),
            Self::NoCriteria { title, .. } => write!(f, "'{title}' has no acceptance criteria"),
            Self::LeftOut { key } => {
                write!(
                    f,
                    "the planner also set \"{key}\", which only people can set; it was ignored"
                )
            }
            Self::Noticed { sentence } => f.write_str(sentence),
        }
    }
}
