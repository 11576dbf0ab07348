//! What a usable answer of a planner holds.

use serde::{Deserialize, Serialize};

use crate::{NodeId, Plan};

/// The content of a proposal that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "draft",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Draft {
    /// A plan: a new one, or the next content of one that is there.
    Plan {
        /// The plan, laid out. [`Plan::problems`] finds nothing in it.
        plan: Box<Plan>,
        /// Why the planner made it so, in its own words.
        reasoning: String,
        /// What a person may want to know before they accept.
        remarks: Vec<Remark>,
    },
    /// A text, Markdown.
    Text {
        /// The text.
        text: String,
    },
}

/// Something that is allowed and probably not best.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(
    tag = "remark",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Remark {
    /// Nodes of one agent that wait for one another without anything between them: one node would do.
    NeedlessChain {
        /// The nodes, the first one first.
        nodes: Vec<NodeId>,
        /// Their titles, likewise.
        titles: Vec<String>,
    },
    /// An agent node says nothing that could be checked afterwards.
    NoCriteria {
        /// The node.
        node: NodeId,
        /// Its title.
        title: String,
    },
    /// The planner said something that plans do not take from it, and it was left out.
    LeftOut {
        /// The key.
        key: String,
    },
    /// What the reader of plans noticed.
    Noticed {
        /// In a sentence.
        sentence: String,
    },
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NeedlessChain { titles, .. } => write!(
                f,
                "{} do one thing after the other with the same agent; one node could do it in one session",
                titles.join(" → ")
            ),
            Self::NoCriteria { title, .. } => write!(
                f,
                "'{title}' says nothing that could be checked when it is done"
            ),
            Self::LeftOut { key } => {
                write!(
                    f,
                    "the planner also set \"{key}\", which only a person sets; it was left out"
                )
            }
            Self::Noticed { sentence } => f.write_str(sentence),
        }
    }
}
