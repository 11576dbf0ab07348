//! Usage of a session, as far as the agent reports it.
//!
//! The protocol servers of Claude and Codex, and gemini, report the tokens of a whole turn at its
//! end. opencode reports only the tokens of the turn's last request (measured on 1.18.33:
//! requests of 1000, 2000 and 3000 tokens, reported as 3000); its cost covers the whole session.
//! Each tool call takes another request. After a turn of opencode with tool calls, the token
//! counts of the session are therefore unknown: the reported ones could be too low by any factor.
//! The timeline shows the reported ones. A turn without calls counts as one request, although a
//! client may make more (for a title or a summary).

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json_text::parse;
use crate::lenient_json;
use crate::usage::Usage;

/// The reported name of the agent that counts only the tokens of a turn's last request.
const REPORTS_LAST_REQUEST_ONLY: &str = "OpenCode";

/// The sum of the turns, and the cost that the agent reports for all of them.
#[derive(Debug, Default)]
pub(super) struct UsageTracker {
    turns: Usage,
    usd: Option<f64>,
    reports_last_request_only: bool,
    /// A tool was called in this turn.
    called: bool,
    /// Some requests were not reported.
    has_unreported: bool,
}

impl UsageTracker {
    /// Sets the agent's reported name.
    pub(super) fn set_agent(&mut self, name: &str) {
        self.reports_last_request_only = name == REPORTS_LAST_REQUEST_ONLY;
    }

    pub(super) fn record_call(&mut self) {
        self.called = true;
    }

    /// Adds a finished turn.
    pub(super) fn record_turn(&mut self, turn: Usage) {
        self.has_unreported |= self.reports_last_request_only && self.called;
        self.called = false;
        self.turns = self.turns.plus(turn);
    }

    /// Sets the cost. In the protocol it covers the session so far.
    pub(super) fn record_price(&mut self, usage: Usage) {
        self.usd = usage.usd.or(self.usd);
    }

    pub(super) fn total(&self) -> Usage {
        let tokens = if self.has_unreported {
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
    #[serde(default, deserialize_with = "lenient_json::field")]
    usage: Option<Tokens>,
    #[serde(rename = "_meta", default, deserialize_with = "lenient_json::field")]
    meta: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    #[serde(default, deserialize_with = "lenient_json::field")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cached_read_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cached_write_tokens: Option<u64>,
}

/// The usage in the answer that ends a turn. Gemini reports it in a different place.
pub(super) fn parse_turn(result: &RawValue) -> Usage {
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
        // Gemini includes cached tokens in the input.
        input_tokens: count("input_tokens")
            .map(|input| input.saturating_sub(cached.unwrap_or_default())),
        output_tokens: count("output_tokens"),
        cache_read_tokens: cached,
        ..Usage::default()
    }
}

#[derive(Deserialize)]
struct UsageUpdate {
    #[serde(default, deserialize_with = "lenient_json::field")]
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Cost {
    #[serde(default, deserialize_with = "lenient_json::field")]
    amount: f64,
    #[serde(default, deserialize_with = "lenient_json::field")]
    currency: String,
}

/// The cost in a `usage_update`; unknown without one or in another currency.
pub(super) fn parse_update(update: &RawValue) -> Usage {
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

    /// Two turns of 100 tokens each, the first one with or without a tool call.
    fn session(agent: &str, called: bool) -> Option<u64> {
        let mut usage_tracker = UsageTracker::default();
        usage_tracker.set_agent(agent);
        usage_tracker.record_price(Usage {
            usd: Some(0.5),
            ..Usage::default()
        });
        if called {
            usage_tracker.record_call();
        }
        usage_tracker.record_turn(Usage {
            input_tokens: Some(100),
            ..Usage::default()
        });
        usage_tracker.record_turn(Usage {
            input_tokens: Some(100),
            ..Usage::default()
        });
        assert_eq!(
            usage_tracker.total().usd,
            Some(0.5),
            "the price covers all requests"
        );
        usage_tracker.total().input_tokens
    }

    #[test]
    fn partial_token_counts_are_unknown() {
        for (agent, called, tokens) in [
            ("OpenCode", true, None),
            ("OpenCode", false, Some(200)),
            ("gemini-cli", true, Some(200)),
        ] {
            assert_eq!(session(agent, called), tokens, "{agent}, called: {called}");
        }
    }
}
