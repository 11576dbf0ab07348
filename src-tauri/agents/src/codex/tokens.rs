//! Token counts as Codex reports them.

use serde::Deserialize;

use crate::lenient_json;
use crate::usage::Usage;

/// Token counts. Cached tokens are part of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Tokens {
    #[serde(alias = "input_tokens", deserialize_with = "lenient_json::field")]
    pub(super) input_tokens: u64,
    #[serde(
        alias = "cached_input_tokens",
        deserialize_with = "lenient_json::field"
    )]
    pub(super) cached_input_tokens: u64,
    #[serde(
        alias = "cache_write_input_tokens",
        deserialize_with = "lenient_json::field"
    )]
    pub(super) cache_write_input_tokens: u64,
    #[serde(alias = "output_tokens", deserialize_with = "lenient_json::field")]
    pub(super) output_tokens: u64,
}

impl Tokens {
    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_sub(other.input_tokens),
            cached_input_tokens: self
                .cached_input_tokens
                .saturating_sub(other.cached_input_tokens),
            cache_write_input_tokens: self
                .cache_write_input_tokens
                .saturating_sub(other.cache_write_input_tokens),
            output_tokens: self.output_tokens.saturating_sub(other.output_tokens),
        }
    }

    /// The same counts in Baton's terms, where cached tokens are not part of the input.
    pub(super) fn usage(self) -> Usage {
        let cached = self
            .cached_input_tokens
            .saturating_add(self.cache_write_input_tokens);
        Usage {
            input_tokens: Some(self.input_tokens.saturating_sub(cached)),
            output_tokens: Some(self.output_tokens),
            cache_read_tokens: Some(self.cached_input_tokens),
            cache_write_tokens: Some(self.cache_write_input_tokens),
            usd: None,
        }
    }
}
