//! Patterns of well-known keys: a prefix, the characters that follow, and a minimum length.
//!
//! They follow the formats that the services document. Where ordinary text may start the same way
//! (`sk-` is also used in CSS class names), an additional check applies.

/// The pattern of one kind of key.
pub(crate) struct KeyPattern {
    pub(crate) prefix: &'static str,
    is_body: fn(u8) -> bool,
    min_length: usize,
    check: fn(&[u8]) -> bool,
    /// Whether a key may start after this byte.
    may_follow: fn(u8) -> bool,
}

const fn pattern(prefix: &'static str, is_body: fn(u8) -> bool, min_length: usize) -> KeyPattern {
    checked_pattern(prefix, is_body, min_length, |_| true)
}

const fn checked_pattern(
    prefix: &'static str,
    is_body: fn(u8) -> bool,
    min_length: usize,
    check: fn(&[u8]) -> bool,
) -> KeyPattern {
    KeyPattern {
        prefix,
        is_body,
        min_length,
        check,
        may_follow: |byte| !byte.is_ascii_alphanumeric(),
    }
}

/// All known patterns.
pub(crate) const KEY_PATTERNS: &[KeyPattern] = &[
    // Anthropic, OpenAI, OpenRouter, Stripe and others.
    checked_pattern("sk-", is_word, 20, has_digits_and_both_cases),
    pattern("sk_live_", is_word, 16),
    pattern("rk_live_", is_word, 16),
    pattern("ghp_", is_alphanumeric, 36),
    pattern("gho_", is_alphanumeric, 36),
    pattern("ghu_", is_alphanumeric, 36),
    pattern("ghs_", is_alphanumeric, 36),
    pattern("ghr_", is_alphanumeric, 36),
    pattern("github_pat_", is_word, 40),
    pattern("glpat-", is_word, 20),
    pattern("xoxb-", is_word, 20),
    pattern("xoxp-", is_word, 20),
    pattern("xoxa-", is_word, 20),
    pattern("xoxs-", is_word, 20),
    pattern("AKIA", is_upper_or_digit, 16),
    pattern("ASIA", is_upper_or_digit, 16),
    pattern("AIza", is_word, 35),
    pattern("npm_", is_alphanumeric, 36),
    pattern("pypi-AgE", is_word, 40),
    checked_pattern("hf_", is_alphanumeric, 30, has_digits_and_both_cases),
    pattern("xai-", is_alphanumeric, 60),
    pattern("gsk_", is_alphanumeric, 40),
    // A JSON Web Token: three parts separated by dots.
    checked_pattern("eyJ", is_word_or_dot, 40, has_two_dots),
    // Webhook URLs: anyone who has the URL may post to it.
    pattern("hooks.slack.com/services/", is_path, 30),
    pattern("hooks.slack.com/workflows/", is_path, 30),
    pattern("hooks.slack.com/triggers/", is_path, 30),
    // A Telegram bot token: its number, a colon, and 35 characters that start with `AA`.
    KeyPattern {
        prefix: ":AA",
        is_body: is_word,
        min_length: 33,
        check: is_telegram_token,
        may_follow: |byte| byte.is_ascii_digit(),
    },
    // The body of a private key, with real or escaped line breaks.
    pattern("PRIVATE KEY-----", is_key_body, 40),
];

/// Returns whether `word` starts like a well-known key, even if the rest has too few or other
/// characters for one. For places where masking too much does no harm.
#[must_use]
pub fn has_key_prefix(word: &str) -> bool {
    KEY_PATTERNS
        .iter()
        .any(|pattern| word.starts_with(pattern.prefix))
}

impl KeyPattern {
    /// Returns how many of `bytes`, which follow the prefix, may belong to a key.
    pub(crate) fn body_length(&self, bytes: &[u8]) -> usize {
        bytes
            .iter()
            .take_while(|&&byte| (self.is_body)(byte))
            .count()
    }

    /// Returns whether a key may start after `byte`; `None` is the start of the text.
    pub(crate) fn may_start_after(&self, byte: Option<u8>) -> bool {
        byte.is_none_or(self.may_follow)
    }

    /// Returns whether `tail`, which follows the prefix, makes it a key.
    pub(crate) fn matches(&self, tail: &[u8]) -> bool {
        tail.len() >= self.min_length && (self.check)(tail)
    }
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_upper_or_digit(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_word_or_dot(byte: u8) -> bool {
    is_word(byte) || byte == b'.'
}

fn is_key_body(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\' | b'\n' | b'\r')
}

fn has_digits_and_both_cases(tail: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| tail.iter().any(kind);
    has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

fn is_path(byte: u8) -> bool {
    is_word(byte) || byte == b'/'
}

fn is_telegram_token(tail: &[u8]) -> bool {
    tail.len() == 33 && has_digits_and_both_cases(tail)
}

fn has_two_dots(tail: &[u8]) -> bool {
    tail.iter().filter(|&&byte| byte == b'.').count() == 2
}
