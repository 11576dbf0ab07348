//! What a run would ask a person.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::SimulationFacts;
use crate::node::NodeKind;
use crate::plan::{Autonomy, ToolScopeMode};
use crate::{Node, Plan};

/// A question that a node asks a person, or may ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "asks",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ExpectedQuestion {
    /// Whether it may start, because the level of autonomy asks before every node.
    Start,
    /// Whether it may start, because the approval doesn't cover the address that it calls.
    Address {
        /// The address with its expressions.
        url: String,
    },
    /// The question of the node itself.
    Input {
        /// The question with its expressions.
        question: String,
    },
    /// Its agent may ask for tools that are not on the list.
    UnlistedTools,
    /// Its agent may ask for tools that change something.
    GuardedTools {
        /// Tools on the list don't ask.
        unlisted_only: bool,
    },
}

/// The questions of `node`. Those that its agent may ask come last.
pub(super) fn of_node(plan: &Plan, facts: &SimulationFacts, node: &Node) -> Vec<ExpectedQuestion> {
    let mut questions = Vec::new();
    if let NodeKind::UserInput(input) = &node.kind {
        questions.push(ExpectedQuestion::Input {
            question: input.question.clone(),
        });
        return questions;
    }
    match plan.settings.effective_autonomy() {
        Autonomy::AskAll => questions.push(ExpectedQuestion::Start),
        Autonomy::AskNew | Autonomy::AskGuarded => {
            let addresses = node.kind.tool_calls().iter();
            questions.extend(
                addresses
                    .filter_map(|call| plan.unapproved_address(call))
                    .map(|url| ExpectedQuestion::Address {
                        url: url.to_owned(),
                    }),
            );
        }
        Autonomy::RefuseGuarded | Autonomy::Free => {}
    }
    let agents = facts.agents.get(&node.id).into_iter();
    if agents
        .flat_map(|agents| &agents.candidates)
        .any(|candidate| candidate.asks)
    {
        questions.extend(of_agent(plan, facts, node));
    }
    questions
}

/// What an agent that can ask may ask about its tools.
fn of_agent(plan: &Plan, facts: &SimulationFacts, node: &Node) -> Option<ExpectedQuestion> {
    let mode = match &node.kind {
        NodeKind::Agent(task) => task.tool_scope,
        _ => None,
    };
    let mode = mode.unwrap_or(plan.settings.tool_scope);
    let has_list = !plan.tools_of(node).is_empty();
    let has_guards = !plan.settings.guarded_tools.is_empty() || !facts.guarded_tools.is_empty();
    // A list that is enforced refuses other tools instead of asking.
    let is_closed = has_list && mode == ToolScopeMode::Enforce;
    match plan.settings.effective_autonomy() {
        Autonomy::AskAll => Some(ExpectedQuestion::GuardedTools {
            unlisted_only: false,
        }),
        _ if is_closed => None,
        Autonomy::AskNew if has_list && mode == ToolScopeMode::ByLevel => {
            Some(ExpectedQuestion::UnlistedTools)
        }
        Autonomy::AskNew if has_guards => Some(ExpectedQuestion::GuardedTools {
            unlisted_only: true,
        }),
        Autonomy::AskGuarded => Some(ExpectedQuestion::GuardedTools {
            unlisted_only: true,
        }),
        Autonomy::AskNew | Autonomy::RefuseGuarded | Autonomy::Free => None,
    }
}

impl fmt::Display for ExpectedQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("asks before it starts"),
            Self::Address { url } => write!(f, "asks before it calls {url}"),
            Self::Input { question } => write!(f, "asks: {question}"),
            Self::UnlistedTools => f.write_str("may ask for tools that are not on its list"),
            Self::GuardedTools {
                unlisted_only: true,
            } => f.write_str("may ask for guarded tools that are not on its list"),
            Self::GuardedTools {
                unlisted_only: false,
            } => f.write_str("may ask for guarded tools"),
        }
    }
}
