//! Masks secrets in output before it is stored or shown.
//!
//! Two kinds are recognized: values of the session's environment variables whose names indicate a
//! secret (`ANTHROPIC_API_KEY`, `DB_PASSWORD`), and text that matches the pattern of a well-known
//! key (`ghp_…`, `AKIA…`, a private key block). Anything else is missed, such as encoded values or
//! secrets of fewer than eight bytes. This crate reads neither files nor the environment.

mod environment;
mod key_pattern;
mod masker;
mod removed_secrets;

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind};

pub use key_pattern::has_key_prefix;
pub use masker::Masker;
pub use removed_secrets::RemovedSecrets;

use key_pattern::KEY_PATTERNS;

/// The replacement for a secret. It is valid within JSON strings, so that JSON lines stay valid.
pub const MASK: &str = "[secret]";

/// The values and patterns to search for.
#[derive(Debug, Clone)]
pub struct Secrets {
    search: Option<AhoCorasick>,
    /// The literals to search for: the environment's values, then the prefixes of the key patterns.
    literals: Vec<Vec<u8>>,
    /// How many of the literals are values of the environment.
    values: usize,
}

/// The result of a search.
struct Scan {
    masked: Vec<u8>,
    /// The offset of each mask in `masked`, with the range of bytes that it replaces.
    removed: Vec<(usize, Range<usize>)>,
    /// Everything from this offset on may be the start of a secret that is still incomplete.
    undecided_from: usize,
}

impl Secrets {
    /// Searches for well-known keys and for the secret values among these variables.
    #[must_use]
    pub fn from_environment<'a>(environment: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut literals = environment::secret_values(environment);
        let values = literals.len();
        literals.extend(
            KEY_PATTERNS
                .iter()
                .map(|pattern| pattern.prefix.as_bytes().to_vec()),
        );
        // Building only fails for far more literals than the limit allows; nothing is masked then.
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&literals)
            .ok();
        Self {
            search,
            literals,
            values,
        }
    }

    /// Searches only for well-known keys.
    #[must_use]
    pub fn known_patterns() -> Self {
        Self::from_environment([])
    }

    /// Replaces every secret in `text` by [`MASK`].
    #[must_use]
    pub fn mask<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        match self.next(text, 0) {
            None => Cow::Borrowed(text),
            Some(_) => Cow::Owned(self.scan(None, text, true).masked),
        }
    }

    /// Replaces every secret in `text` by [`MASK`].
    #[must_use]
    pub fn mask_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.mask(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
        }
    }

    /// Returns the first literal at or after `from`: its start, its end and its index.
    fn next(&self, bytes: &[u8], from: usize) -> Option<(usize, usize, usize)> {
        let found = self.search.as_ref()?.find(
            Input::new(bytes)
                .span(from..bytes.len())
                .anchored(Anchored::No),
        )?;
        Some((found.start(), found.end(), found.pattern().as_usize()))
    }

    /// Masks `bytes`; `before` is the byte that precedes them. Unless `at_end`, the last bytes may
    /// stay undecided.
    fn scan(&self, before: Option<u8>, bytes: &[u8], at_end: bool) -> Scan {
        let mut masked = Vec::with_capacity(bytes.len());
        let mut removed = Vec::new();
        let (mut copied, mut from) = (0, 0);
        while let Some((start, end, literal)) = self.next(bytes, from) {
            let end = match literal.checked_sub(self.values) {
                None => Some(end),
                Some(pattern_index) => {
                    let tail = KEY_PATTERNS[pattern_index].body_length(&bytes[end..]);
                    if end + tail == bytes.len() && !at_end {
                        masked.extend_from_slice(&bytes[copied..start]);
                        return Scan {
                            masked,
                            removed,
                            undecided_from: start,
                        };
                    }
                    let stands_behind = if start == 0 {
                        before
                    } else {
                        Some(bytes[start - 1])
                    };
                    let begins_here = KEY_PATTERNS[pattern_index].may_start_after(stands_behind);
                    // A trailing backslash escapes the next character: without it, a JSON line
                    // would become invalid.
                    let tail = bytes[end..end + tail]
                        .iter()
                        .rposition(|&byte| byte != b'\\')
                        .map_or(0, |last| last + 1);
                    (begins_here && KEY_PATTERNS[pattern_index].matches(&bytes[end..end + tail]))
                        .then_some(end + tail)
                }
            };
            match end {
                Some(end) => {
                    masked.extend_from_slice(&bytes[copied..start]);
                    removed.push((masked.len(), start..end));
                    masked.extend_from_slice(MASK.as_bytes());
                    (copied, from) = (end, end);
                }
                None => from = start + 1,
            }
        }
        let undecided_from = if at_end {
            bytes.len()
        } else {
            bytes.len() - self.beginning_at_end(&bytes[copied..])
        };
        masked.extend_from_slice(&bytes[copied..undecided_from]);
        Scan {
            masked,
            removed,
            undecided_from,
        }
    }

    /// Returns how many of the last bytes may be the start of a literal.
    fn beginning_at_end(&self, bytes: &[u8]) -> usize {
        let prefix = |literal: &Vec<u8>| {
            let most = (literal.len() - 1).min(bytes.len());
            (1..=most)
                .rev()
                .find(|&length| bytes.ends_with(&literal[..length]))
                .unwrap_or(0)
        };
        self.literals.iter().map(prefix).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
