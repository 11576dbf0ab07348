//! Takes secrets out of output before anybody stores or shows it.
//!
//! Two kinds are known: the values of variables of the session's own environment whose names say that they are secret
//! (`ANTHROPIC_API_KEY`, `DB_PASSWORD`), and texts that have the shape of a well-known key (`ghp_…`, `AKIA…`, a private
//! key's block). What is neither is not found: an encoded value, or a secret of less than eight bytes. Nothing here reads files or the environment.

mod environment;
mod key_pattern;
mod masker;
mod removed_secrets;

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind};

pub use masker::Masker;
pub use removed_secrets::RemovedSecrets;

use key_pattern::KEY_PATTERNS;

/// What stands where a secret stood. Valid within JSON strings, so that lines of a protocol stay lines of it.
pub const MASK: &str = "[secret]";

/// The secrets to look for.
#[derive(Debug, Clone)]
pub struct Secrets {
    search: Option<AhoCorasick>,
    /// The literals that are searched for: those of the environment, then the beginnings of the shapes.
    literals: Vec<Vec<u8>>,
    values: usize,
}

/// What a search came to.
struct Scan {
    masked: Vec<u8>,
    /// Where masks begin in `masked`, and which of the bytes they stand for.
    removed: Vec<(usize, Range<usize>)>,
    /// From here on it is not clear yet whether a secret stands there.
    undecided_from: usize,
}

impl Secrets {
    /// The well-known shapes, and the values of the secret ones among these variables.
    #[must_use]
    pub fn from_environment<'a>(environment: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut literals = environment::secret_values(environment);
        let values = literals.len();
        literals.extend(
            KEY_PATTERNS
                .iter()
                .map(|pattern| pattern.prefix.as_bytes().to_vec()),
        );
        // Without a search nothing is masked; a few short literals always make one.
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

    /// The well-known shapes alone.
    #[must_use]
    pub fn known_patterns() -> Self {
        Self::from_environment([])
    }

    /// `text` with [`MASK`] in place of every secret.
    #[must_use]
    pub fn mask<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        match self.next(text, 0) {
            None => Cow::Borrowed(text),
            Some(_) => Cow::Owned(self.scan(None, text, true).masked),
        }
    }

    /// `text` with [`MASK`] in place of every secret.
    #[must_use]
    pub fn mask_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.mask(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
        }
    }

    /// The first literal at or after `from`: where it begins and ends, and which it is.
    fn next(&self, bytes: &[u8], from: usize) -> Option<(usize, usize, usize)> {
        let found = self.search.as_ref()?.find(
            Input::new(bytes)
                .span(from..bytes.len())
                .anchored(Anchored::No),
        )?;
        Some((found.start(), found.end(), found.pattern().as_usize()))
    }

    /// Masks `bytes`, which stood behind the byte `before`. Unless they are all there is (`at_end`), the last ones may
    /// be left open.
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
                    // A backslash at the end belongs to what follows: without it a line of JSON would not be one.
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

    /// How many of the last bytes may be the beginning of a literal.
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
