//! What a session used, as far as the agent tells.
//!
//! Claude's and codex' servers of the protocol and gemini tell a whole turn's tokens at its end. opencode tells those
//! of the turn's last request there (measured on 1.18.33: requests of 1000, 2000 and 3000 tokens, told as 3000), and
//! of the requests before it nothing; only its price is of the whole session. So of a turn of opencode's with tool
//! calls, which took a request more for each, the tokens stay unknown, and with them the session's: the most that
//! is known would be too little by any factor. The timeline shows what was told. A turn without calls is taken for one request, although a client may
//! ask more of it (for a title, for a summary).

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::acp::message::parse;
use crate::odd;
use crate::usage::Usage;

/// What an agent calls itself that tells the tokens of a turn's last request only.
const TELLS_LAST_REQUEST: &str = "OpenCode";

/// The whole session so far: the sum of its turns, and the price that the agent tells for all of them.
#[derive(Debug, Default)]
pub(super) struct Spending {
    turns: Usage,
    usd: Option<f64>,
    tells_last_request: bool,
    /// A tool was called in this turn.
    called: bool,
    /// There were requests whose tokens nobody told.
    misses_some: bool,
}

impl Spending {
    /// The agent has said its name.
    pub(super) fn agent(&mut self, name: &str) {
        self.tells_last_request = name == TELLS_LAST_REQUEST;
    }

    /// A tool was called.
    pub(super) fn called(&mut self) {
        self.called = true;
    }

    /// A turn has ended.
    pub(super) fn turn(&mut self, turn: Usage) {
        self.misses_some |= self.tells_last_request && self.called;
        self.called = false;
        self.turns = self.turns.plus(turn);
    }

    /// The agent told a price. The protocol has it grow over the session.
    pub(super) fn price(&mut self, usage: Usage) {
        self.usd = usage.usd.or(self.usd);
    }

    /// The sum so far.
    pub(super) fn total(&self) -> Usage {
        let tokens = if self.misses_some {
            Usage::default()
        } else {
            self.turns
        };
        Usage {
            usd: self.usd,
            ..tokens
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnEnd {
    #[serde(default, deserialize_with = "odd::field")]
    usage: Option<Tokens>,
    #[serde(rename = "_meta", default, deserialize_with = "odd::field")]
    meta: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    #[serde(default, deserialize_with = "odd::field")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cached_read_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cached_write_tokens: Option<u64>,
}

/// What the end of a turn tells of it. Gemini has its own place for that.
pub(super) fn of_turn(result: &RawValue) -> Usage {
    let Some(end) = parse::<TurnEnd>(result) else {
        return Usage::default();
    };
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
    let cached = ["cached_tokens", "cached_input_tokens", "cached"]
        .into_iter()
        .find_map(count);
    Usage {
        // Gemini counts what came from its cache among what was read.
        input_tokens: count("input_tokens")
            .map(|input| input.saturating_sub(cached.unwrap_or_default())),
        output_tokens: count("output_tokens"),
        cache_read_tokens: cached,
        ..Usage::default()
    }
}

#[derive(Deserialize)]
struct UsageUpdate {
    #[serde(default, deserialize_with = "odd::field")]
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Cost {
    #[serde(default, deserialize_with = "odd::field")]
    amount: f64,
    #[serde(default, deserialize_with = "odd::field")]
    currency: String,
}

/// The price in a `usage_update`; nothing where it tells none, or in another currency.
pub(super) fn of_update(update: &RawValue) -> Usage {
    let cost = parse::<UsageUpdate>(update).and_then(|update| update.cost);
    Usage {
        usd: cost
            .filter(|cost| cost.currency == "USD")
            .map(|cost| cost.amount),
        ..Usage::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two turns of 100 tokens each, the first of them with or without a call.
    fn session(agent: &str, called: bool) -> Option<u64> {
        let mut spending = Spending::default();
        spending.agent(agent);
        spending.price(Usage {
            usd: Some(0.5),
            ..Usage::default()
        });
        if called {
            spending.called();
        }
        spending.turn(Usage {
            input_tokens: Some(100),
            ..Usage::default()
        });
        spending.turn(Usage {
            input_tokens: Some(100),
            ..Usage::default()
        });
        assert_eq!(
            spending.total().usd,
            Some(0.5),
            "the price is of all requests"
        );
        spending.total().input_tokens
    }

    #[test]
    fn tokens_that_are_told_in_part_are_unknown() {
        for (agent, called, tokens) in [
            ("OpenCode", true, None),
            ("OpenCode", false, Some(200)),
            ("gemini-cli", true, Some(200)),
        ] {
            assert_eq!(session(agent, called), tokens, "{agent}, called: {called}");
        }
    }
}
