//! Keeps secrets out of the log.
//!
//! Baton never logs prompts, inputs or environments. This is the second lock: a library's message or an
//! error's text may still hold a key that somebody put into a URL or a command line.

use std::io::{self, Write};

/// How known keys begin: Anthropic and OpenAI, GitHub, GitLab, Slack, AWS, Google, npm.
const SECRET_PREFIXES: [&str; 12] = [
    "sk-",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "npm_",
    "eyJ",
];
/// Names whose value is a secret, before `=` or `:`.
const SECRET_NAMES: [&str; 6] = ["token", "password", "passwd", "secret", "api_key", "apikey"];
/// Shorter words are no keys.
const MIN_SECRET_LENGTH: usize = 12;
const MASK: &str = "•••";

/// A writer that masks what it passes on. Gets whole lines, as the log writes them.
pub(crate) struct MaskingWriter<W>(pub(crate) W);

impl<W: Write> Write for MaskingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .write_all(mask_secrets(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// `text` with everything masked that looks like a secret.
fn mask_secrets(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut after_name = false;
    for piece in text.split_inclusive(|c: char| !is_word_char(c)) {
        let word = piece.trim_end_matches(|c| !is_word_char(c));
        let rest = &piece[word.len()..];
        let is_key = word.len() >= MIN_SECRET_LENGTH
            && SECRET_PREFIXES
                .iter()
                .any(|prefix| word.starts_with(prefix));
        if is_key || (after_name && !word.is_empty()) {
            masked.push_str(MASK);
        } else {
            masked.push_str(word);
        }
        masked.push_str(rest);
        after_name = is_secret_name(word, rest) || (after_name && word.is_empty());
    }
    masked
}

fn is_secret_name(word: &str, rest: &str) -> bool {
    let word = word.to_ascii_lowercase();
    (rest.starts_with(['=', ':']) && SECRET_NAMES.iter().any(|name| word.ends_with(name)))
        || word == "bearer"
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked() {
        let table = [
            ("key sk-ant-REDACTED end", "key ••• end"),
            ("Authorization: Bearer abc.def", "Authorization: Bearer •••"),
            (
                "http://x/#token=0123456789abcdef&a=b",
                "http://x/#token=•••&a=b",
            ),
            ("MY_API_KEY=\"hush\" next", "MY_API_KEY=\"•••\" next"),
            ("password: hunter2", "password: •••"),
        ];
        for (text, masked) in table {
            assert_eq!(mask_secrets(text), masked);
        }
    }

    #[test]
    fn ordinary_text_is_not_masked() {
        for text in [
            "run 019a2b3c-0000 failed: exit code 3\n",
            "sk-1 is short",
            "tokens: were counted",
            "",
            "ünïcode…\n",
        ] {
            assert_eq!(mask_secrets(text), text);
        }
    }
}
