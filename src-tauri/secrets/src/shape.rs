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
}

const fn shape(begins: &'static str, follows: fn(u8) -> bool, least: usize) -> Shape {
    Shape { begins, follows, least, check: |_| true }
}

/// The kinds of keys.
pub(crate) const SHAPES: &[Shape] = &[
    // Anthropic, OpenAI, OpenRouter, Stripe and others.
    Shape { begins: "sk-", follows: is_word, least: 20, check: is_mixed },
    Shape { begins: "sk_live_", follows: is_word, least: 16, check: |_| true },
    Shape { begins: "rk_live_", follows: is_word, least: 16, check: |_| true },
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
    Shape { begins: "hf_", follows: is_alphanumeric, least: 30, check: is_mixed },
    shape("xai-", is_alphanumeric, 60),
    shape("gsk_", is_alphanumeric, 40),
    // A signed token: three parts with points between them.
    Shape { begins: "eyJ", follows: is_word_or_point, least: 40, check: has_two_points },
    // The body of a private key, as it is or with its line ends escaped.
    shape("PRIVATE KEY-----", is_key_body, 40),
];

impl Shape {
    /// How many of the first bytes may belong to a key that has just begun.
    pub(crate) fn tail(&self, bytes: &[u8]) -> usize {
        bytes.iter().take_while(|&&byte| (self.follows)(byte)).count()
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

fn has_two_points(tail: &[u8]) -> bool {
    tail.iter().filter(|&&byte| byte == b'.').count() == 2
}
