//! Token and cost counts of a session. Unknown counts are `None`, never 0.

use serde::{Deserialize, Serialize};

/// The tokens and cost of one session so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens read by the model, without cached ones.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub input_tokens: Option<u64>,
    /// Tokens written by the model.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub output_tokens: Option<u64>,
    /// Tokens read from the cache.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub cache_read_tokens: Option<u64>,
    /// Tokens written to the cache.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub cache_write_tokens: Option<u64>,
    /// The agent's own cost estimate in US dollars.
    pub usd: Option<f64>,
}

impl Usage {
    /// The difference to `other`. Counts that are unknown in `other` stay unchanged.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        let left = |one: Option<u64>, other: Option<u64>| {
            one.map(|one| one.saturating_sub(other.unwrap_or_default()))
        };
        Self {
            input_tokens: left(self.input_tokens, other.input_tokens),
            output_tokens: left(self.output_tokens, other.output_tokens),
            cache_read_tokens: left(self.cache_read_tokens, other.cache_read_tokens),
            cache_write_tokens: left(self.cache_write_tokens, other.cache_write_tokens),
            usd: self
                .usd
                .map(|usd| (usd - other.usd.unwrap_or_default()).max(0.0)),
        }
    }

    /// Whether any token count is known and not 0.
    #[must_use]
    pub fn has_tokens(&self) -> bool {
        let counts = [
            self.input_tokens,
            self.output_tokens,
            self.cache_read_tokens,
            self.cache_write_tokens,
        ];
        counts.into_iter().flatten().any(|count| count > 0)
    }

    /// The sum of both. A count that neither knows stays unknown.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let both = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        Self {
            input_tokens: both(self.input_tokens, other.input_tokens),
            output_tokens: both(self.output_tokens, other.output_tokens),
            cache_read_tokens: both(self.cache_read_tokens, other.cache_read_tokens),
            cache_write_tokens: both(self.cache_write_tokens, other.cache_write_tokens),
            usd: match (self.usd, other.usd) {
                (Some(one), Some(other)) => Some(one + other),
                (one, other) => one.or(other),
            },
        }
    }
}
