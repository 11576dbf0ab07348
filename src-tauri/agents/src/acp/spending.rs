//! What a session used, as far as the agent tells.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::acp::message::parse;
use crate::usage::Usage;

/// The whole session so far: the sum of its turns, and the price that the agent tells for all of them.
#[derive(Debug, Default)]
pub(super) struct Spending {
    turns: Usage,
    usd: Option<f64>,
}

impl Spending {
    /// A turn has ended.
    pub(super) fn turn(&mut self, turn: Usage) {
        self.turns = self.turns.plus(turn);
    }

    /// The agent told a price. The protocol has it grow over the session.
    pub(super) fn price(&mut self, usage: Usage) {
        self.usd = usage.usd.or(self.usd);
    }

    /// The sum so far.
    pub(super) fn total(&self) -> Usage {
        Usage { usd: self.usd, ..self.turns }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnEnd {
    usage: Option<Tokens>,
    #[serde(rename = "_meta")]
    meta: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cached_read_tokens: Option<u64>,
    cached_write_tokens: Option<u64>,
}

/// What the end of a turn tells of it. Gemini has its own place for that.
pub(super) fn of_turn(result: &RawValue) -> Usage {
    let Some(end) = parse::<TurnEnd>(result) else { return Usage::default() };
    if let Some(tokens) = end.usage {
        return Usage {
            input_tokens: tokens.input_tokens,
            output_tokens: tokens.output_tokens,
            cache_read_tokens: tokens.cached_read_tokens,
            cache_write_tokens: tokens.cached_write_tokens,
            usd: None,
        };
    }
    let meta = end.meta.unwrap_or_default();
    let count = |name: &str| meta.pointer("/quota/token_count")?.get(name)?.as_u64();
    Usage { input_tokens: count("input_tokens"), output_tokens: count("output_tokens"), ..Usage::default() }
}

#[derive(Deserialize)]
struct UsageUpdate {
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Cost {
    amount: f64,
    currency: String,
}

/// The price in a `usage_update`; nothing where it tells none, or in another currency.
pub(super) fn of_update(update: &RawValue) -> Usage {
    let cost = parse::<UsageUpdate>(update).and_then(|update| update.cost);
    Usage { usd: cost.filter(|cost| cost.currency == "USD").map(|cost| cost.amount), ..Usage::default() }
}
