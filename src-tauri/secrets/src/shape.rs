//! What well-known keys look like: how they begin, which characters follow, how many at least.
//!
//! Taken from what the services publish of their keys' formats. A shape that ordinary text might have, too (`sk-` is also
//! a prefix of style classes), asks for more than its beginning.

/// One kind of key.
pub(crate) struct Shape {
    pub(crate) begins: &'static str,
    follows: fn(u8) -> bool,
    least: usize,
    check: fn(&[u8]) -> bool,
    /// Whether it may begin behind this byte.
    behind: fn(u8) -> bool,
}

const fn shape(begins: &'static str, follows: fn(u8) -> bool, least: usize) -> Shape {
    checked(begins, follows, least, |_| true)
}

const fn checked(
    begins: &'static str,
    follows: fn(u8) -> bool,
    least: usize,
    check: fn(&[u8]) -> bool,
) -> Shape {
    Shape {
        begins,
        follows,
        least,
        check,
        behind: |byte| !byte.is_ascii_alphanumeric(),
    }
}

/// The kinds of keys.
pub(crate) const SHAPES: &[Shape] = &[
    // Anthropic, OpenAI, OpenRouter, Stripe and others.
    checked("sk-", is_word, 20, is_mixed),
    shape("sk_live_", is_word, 16),
    shape("rk_live_", is_word, 16),
    shape("ghp_", is_alphanumeric, 36),
    shape("gho_", is_alphanumeric, 36),
    shape("ghu_", is_alphanumeric, 36),
    shape("ghs_", is_alphanumeric, 36),
    shape("ghr_", is_alphanumeric, 36),
    shape("github_pat_", is_word, 40),
    shape("glpat-", is_word, 20),
    shape("xoxb-", is_word, 20),
    shape("xoxp-", is_word, 20),
    shape("xoxa-", is_word, 20),
    shape("xoxs-", is_word, 20),
    shape("AKIA", is_upper_or_digit, 16),
    shape("ASIA", is_upper_or_digit, 16),
    shape("AIza", is_word, 35),
    shape("npm_", is_alphanumeric, 36),
    shape("pypi-AgE", is_word, 40),
    checked("hf_", is_alphanumeric, 30, is_mixed),
    shape("xai-", is_alphanumeric, 60),
    shape("gsk_", is_alphanumeric, 40),
    // A signed token: three parts with points between them.
    checked("eyJ", is_word_or_point, 40, has_two_points),
    // Who knows the address of a webhook may post there.
    shape("hooks.slack.com/services/", is_path, 30),
    shape("hooks.slack.com/workflows/", is_path, 30),
    shape("hooks.slack.com/triggers/", is_path, 30),
    // Of a Telegram bot: its number, a colon, and 35 characters that begin so.
    Shape {
        begins: ":AA",
        follows: is_word,
        least: 33,
        check: is_of_a_bot,
        behind: |byte| byte.is_ascii_digit(),
    },
    // The body of a private key, as it is or with its line ends escaped.
    shape("PRIVATE KEY-----", is_key_body, 40),
];

impl Shape {
    /// How many of the first bytes may belong to a key that has just begun.
    pub(crate) fn tail(&self, bytes: &[u8]) -> usize {
        bytes
            .iter()
            .take_while(|&&byte| (self.follows)(byte))
            .count()
    }

    /// Whether a key may begin behind `byte`, or at the beginning of everything.
    pub(crate) fn begins_behind(&self, byte: Option<u8>) -> bool {
        byte.is_none_or(self.behind)
    }

    /// Whether what follows the beginning makes it a key.
    pub(crate) fn fits(&self, tail: &[u8]) -> bool {
        tail.len() >= self.least && (self.check)(tail)
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

fn is_word_or_point(byte: u8) -> bool {
    is_word(byte) || byte == b'.'
}

fn is_key_body(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\' | b'\n' | b'\r')
}

fn is_mixed(tail: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| tail.iter().any(kind);
    has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

fn is_path(byte: u8) -> bool {
    is_word(byte) || byte == b'/'
}

fn is_of_a_bot(tail: &[u8]) -> bool {
    tail.len() == 33 && is_mixed(tail)
}

fn has_two_points(tail: &[u8]) -> bool {
    tail.iter().filter(|&&byte| byte == b'.').count() == 2
}
