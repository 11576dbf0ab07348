//! The price table for agents that do not report costs.
//!
//! List prices in US dollars per million tokens, as published by the vendors by January 2026; for
//! later Claude models, the prices that Claude Code 2.1.329 used in November 2026. A model that
//! is not listed has no price. Names must match exactly, except for a release date at the end.

use crate::history::stats::Tokens;

/// The prices of one model per million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    input: f64,
    output: f64,
    cache_read: f64,
    cache_write: f64,
}

impl Price {
    /// The cost of the tokens in US dollars.
    #[must_use]
    pub fn usd(self, tokens: Tokens) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts are far below 2^53 tokens"
        )]
        let cost = |count: u64, price: f64| count as f64 * price / 1e6;
        cost(tokens.input, self.input)
            + cost(tokens.output, self.output)
            + cost(tokens.cache_read, self.cache_read)
            + cost(tokens.cache_write, self.cache_write)
    }
}

/// Input, output, cache read, cache write.
const PRICES: &[(&str, [f64; 4])] = &[
    ("claude-3-5-haiku", [0.8, 4.0, 0.08, 1.0]),
    ("claude-3-5-sonnet", [3.0, 15.0, 0.3, 3.75]),
    ("claude-3-7-sonnet", [3.0, 15.0, 0.3, 3.75]),
    ("claude-3-haiku", [0.25, 1.25, 0.03, 0.3]),
    ("claude-3-opus", [15.0, 75.0, 1.5, 18.75]),
    ("claude-haiku-4-5", [1.0, 5.0, 0.1, 1.25]),
    ("claude-opus-4", [15.0, 75.0, 1.5, 18.75]),
    ("claude-opus-4-1", [15.0, 75.0, 1.5, 18.75]),
    ("claude-opus-4-5", [5.0, 25.0, 0.5, 6.25]),
    ("claude-opus-4-8", [5.0, 25.0, 0.5, 6.25]),
    ("claude-opus-5-5", [4.0, 20.0, 0.2, 5.0]),
    ("claude-sonnet-4", [3.0, 15.0, 0.3, 3.75]),
    ("claude-sonnet-4-5", [3.0, 15.0, 0.3, 3.75]),
    ("gemini-2.5-flash", [0.3, 2.5, 0.03, 0.3]),
    ("gemini-2.5-flash-lite", [0.1, 0.4, 0.01, 0.1]),
    ("gemini-2.5-pro", [1.25, 10.0, 0.125, 1.25]),
    ("gemini-3-flash-preview", [0.5, 3.0, 0.05, 0.5]),
    ("gemini-3-pro-preview", [2.0, 12.0, 0.2, 2.0]),
    ("gpt-4.1", [2.0, 8.0, 0.5, 2.0]),
    ("gpt-5", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-5-codex", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-5-mini", [0.25, 2.0, 0.025, 0.25]),
    ("gpt-5-nano", [0.05, 0.4, 0.005, 0.05]),
    ("gpt-5.1", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-5.1-codex", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-5.1-codex-max", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-5.1-codex-mini", [0.25, 2.0, 0.025, 0.25]),
    ("gpt-5.2", [1.75, 14.0, 0.175, 1.75]),
    ("gpt-5.2-codex", [1.75, 14.0, 0.175, 1.75]),
    ("o3", [2.0, 8.0, 0.5, 2.0]),
    ("o4-mini", [1.1, 4.4, 0.275, 1.1]),
];

/// The price of a model, by its name with or without the release date.
#[must_use]
pub fn for_model(model: &str) -> Option<Price> {
    let place = PRICES
        .binary_search_by_key(&strip_release_date(model), |(name, _)| name)
        .ok()?;
    let [input, output, cache_read, cache_write] = PRICES[place].1;
    Some(Price {
        input,
        output,
        cache_read,
        cache_write,
    })
}

/// The name without a final `-20250929` or `-2025-08-07`.
fn strip_release_date(model: &str) -> &str {
    let day = |text: &str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((name, end)) = model.rsplit_once('-')
        && day(end)
    {
        return name;
    }
    let tail = model
        .len()
        .checked_sub(11)
        .and_then(|place| model.split_at_checked(place));
    match tail {
        Some((name, end)) if end.starts_with('-') && day(&end[1..].replace('-', "")) => name,
        _ => model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_table_is_sorted() {
        assert!(PRICES.is_sorted_by(|(a, _), (b, _)| a < b));
    }

    #[test]
    fn price_ignores_release_date() {
        for (model, known) in [
            ("claude-sonnet-4-5-20250929", true),
            ("claude-sonnet-4-20250514", true),
            ("gpt-5-2025-08-07", true),
            ("gpt-5", true),
            ("gpt-5.9", false),
            ("fake-model", false),
            ("ü-2025-08-07", false),
            ("", false),
        ] {
            assert_eq!(for_model(model).is_some(), known, "{model}");
        }
        let tokens = Tokens {
            input: 1_000_000,
            output: 100_000,
            cache_read: 0,
            cache_write: 0,
        };
        assert_eq!(
            for_model("claude-sonnet-4-5").map(|price| price.usd(tokens)),
            Some(4.5)
        );
    }
}
