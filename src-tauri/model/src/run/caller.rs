//! What a run that stands for a node of another run got from there: what it is told, and the limits it keeps.
//!
//! Part of the run's first event, so that it is the same after a crash, whatever becomes of the run above.

use serde::{Deserialize, Serialize};

use super::state::Spent;
use crate::context::HandedOn;
use crate::loop_round::LoopRound;
use crate::node::Budget;
use crate::plan::Autonomy;
use crate::{Plan, SessionId};

/// The node that called a plan, as the run of that plan knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Caller {
    /// The title of the node.
    pub title: String,
    /// The first session of the attempt: the ids of the runs that stand for it follow from that.
    pub session: SessionId,
    /// What the node had used before that attempt.
    #[serde(default, skip_serializing_if = "Spent::is_nothing")]
    #[cfg_attr(feature = "bindings", ts(as = "Option<Spent>", optional))]
    pub spent_before: Spent,
    /// What the node says to the plan, with its templates filled in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// What the node received: the sections of its parents, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub received: Vec<Section>,
    /// The iteration, when the plan is the body of a loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub round: Option<LoopRound>,
    /// The autonomy of the run above. The stricter one of the two plans holds.
    pub autonomy: Autonomy,
    /// What the run above had left of its budgets. The smaller one holds.
    #[serde(default, skip_serializing_if = "Allowance::is_open")]
    #[cfg_attr(feature = "bindings", ts(as = "Option<Allowance>", optional))]
    pub allowance: Allowance,
}

/// A section of what the calling node received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// Its heading, without the marks before it.
    pub heading: String,
    /// The Markdown below it.
    pub text: String,
}

impl From<&HandedOn<'_>> for Section {
    fn from(handed_on: &HandedOn<'_>) -> Self {
        Self {
            heading: handed_on.heading(),
            text: handed_on.body(),
        }
    }
}

/// What may still be used. Unlike a [`Budget`], it can be compared and stored exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Allowance {
    /// Tokens in and out, cached ones included.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub tokens: Option<u64>,
    /// Millionths of a United States dollar.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub cost_micros: Option<u64>,
}

impl Allowance {
    /// What `budget` leaves to somebody after `spent`.
    #[must_use]
    pub fn left_of(budget: &Budget, spent: Spent) -> Self {
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

    /// What is left of it after `spent`.
    #[must_use]
    pub fn less(self, spent: Spent) -> Self {
        Self {
            tokens: self
                .tokens
                .map(|tokens| tokens.saturating_sub(spent.tokens)),
            cost_micros: self
                .cost_micros
                .map(|micros| micros.saturating_sub(spent.cost_micros)),
        }
    }

    /// The smaller one of each.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            tokens: smaller(self.tokens, other.tokens),
            cost_micros: smaller(self.cost_micros, other.cost_micros),
        }
    }

    /// Whether nothing is limited.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

fn smaller(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

impl Caller {
    /// `plan` as its run keeps to it: under the stricter autonomy and the smaller budget.
    #[must_use]
    pub fn restrict(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        let settings = &mut plan.settings;
        settings.autonomy = Some(settings.effective_autonomy().min(self.autonomy));
        let own = Allowance::left_of(&settings.budget, Spent::default());
        let both = own.and(self.allowance);
        settings.budget.tokens = both.tokens;
        if both.cost_micros != own.cost_micros {
            settings.budget.cost_usd = both.cost_micros.map(|micros| micros as f64 / 1e6);
        }
        plan
    }

    /// The sections that the first nodes of the plan receive: what the calling node says, then what it received.
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
