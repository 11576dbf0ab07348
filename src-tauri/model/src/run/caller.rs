//! What a run gets from the node of another run that called it: its input, and its limits. The run
//! of an error handler gets the facts about the failure in the same way.
//!
//! Part of the run's first event, so that it is the same after a crash, even if the calling run
//! changes or is deleted.

use serde::{Deserialize, Serialize};

use super::error_handler::FailedRun;
use super::state::BudgetUsage;
use crate::loop_round::LoopRound;
use crate::node::Budget;
use crate::plan::Autonomy;
use crate::{Plan, SessionId};

/// The node that called a plan, as the run of that plan knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Caller {
    /// The title of the node.
    pub title: String,
    /// The first session of the attempt. The IDs of the called runs derive from it. For an error
    /// handler, the ID of the failed run.
    pub session: SessionId,
    /// The run whose failure the plan handles, instead of a calling node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub handles: Option<FailedRun>,
    /// The node's usage before that attempt.
    #[serde(default, skip_serializing_if = "BudgetUsage::is_zero")]
    #[cfg_attr(feature = "bindings", ts(as = "Option<BudgetUsage>", optional))]
    pub spent_before: BudgetUsage,
    /// The node's prompt for the plan, with templates expanded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// The node's input: the sections of its parents, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub received: Vec<Section>,
    /// The iteration, if the plan is the body of a loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub round: Option<LoopRound>,
    /// The autonomy level of the calling run. The stricter of the two levels applies.
    pub autonomy: Autonomy,
    /// The remaining budget of the calling run. The smaller of the two budgets applies.
    #[serde(default, skip_serializing_if = "Allowance::is_unlimited")]
    #[cfg_attr(feature = "bindings", ts(as = "Option<Allowance>", optional))]
    pub allowance: Allowance,
}

/// A section of the calling node's input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// The heading without its `##`.
    pub heading: String,
    /// The content in Markdown.
    pub text: String,
}

/// A remaining budget. Unlike a [`Budget`], it can be compared and stored exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Allowance {
    /// Input and output tokens, including cached ones.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub tokens: Option<u64>,
    /// In millionths of a US dollar.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub cost_micros: Option<u64>,
}

impl Allowance {
    /// Returns what is left of `budget` after `spent`.
    #[must_use]
    pub fn remaining_of(budget: &Budget, spent: BudgetUsage) -> Self {
        let micros = budget
            .cost_usd
            .map(|dollars| (dollars * 1e6).max(0.0) as u64);
        Self {
            tokens: budget
                .tokens
                .map(|tokens| tokens.saturating_sub(spent.tokens)),
            cost_micros: micros.map(|micros| micros.saturating_sub(spent.cost_micros)),
        }
    }

    /// Returns what is left of it after `spent`.
    #[must_use]
    pub fn minus(self, spent: BudgetUsage) -> Self {
        Self {
            tokens: self
                .tokens
                .map(|tokens| tokens.saturating_sub(spent.tokens)),
            cost_micros: self
                .cost_micros
                .map(|micros| micros.saturating_sub(spent.cost_micros)),
        }
    }

    /// The minimum of each value.
    #[must_use]
    pub fn smaller_of_each(self, other: Self) -> Self {
        Self {
            tokens: smaller(self.tokens, other.tokens),
            cost_micros: smaller(self.cost_micros, other.cost_micros),
        }
    }

    /// Whether neither value is limited.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }
}

fn smaller(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

impl Caller {
    /// What the run of an error handler receives: `facts` about the run `failed`. It keeps its own
    /// limits.
    #[must_use]
    pub fn of_handler(failed: FailedRun, facts: Vec<Section>) -> Self {
        Self {
            title: format!("The failure of #{} of {}", failed.number, failed.title),
            session: SessionId(failed.run.0),
            handles: Some(failed),
            spent_before: BudgetUsage::default(),
            prompt: String::new(),
            received: facts,
            round: None,
            autonomy: Autonomy::Free,
            allowance: Allowance::default(),
        }
    }

    /// `plan` as its run executes it: with the stricter autonomy and the smaller budget.
    #[must_use]
    pub fn restrict(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        let settings = &mut plan.settings;
        settings.autonomy = Some(settings.effective_autonomy().min(self.autonomy));
        let own = Allowance::remaining_of(&settings.budget, BudgetUsage::default());
        let both = own.smaller_of_each(self.allowance);
        settings.budget.tokens = both.tokens;
        if both.cost_micros != own.cost_micros {
            settings.budget.cost_usd = both.cost_micros.map(|micros| micros as f64 / 1e6);
        }
        plan
    }

    /// The sections for the first nodes of the plan: the calling node's prompt, then its own input.
    pub fn sections(&self) -> impl Iterator<Item = Section> {
        let prompt = self.prompt.trim();
        let heading = format!(
            "Prompt of the calling node: {}",
            self.title.replace('\n', " ")
        );
        let prompt = (!prompt.is_empty()).then(|| Section {
            heading,
            text: prompt.to_owned(),
        });
        prompt.into_iter().chain(self.received.iter().cloned())
    }
}
