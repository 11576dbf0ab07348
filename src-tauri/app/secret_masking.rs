//! Keeps secrets out of the log.
//!
//! Baton never logs prompts, inputs or environments. This is the second line of defense: a
//! library's message or an error may still contain a key from a URL or a command line.

use std::io::{self, Write};
use std::sync::LazyLock;

use baton_secrets::{MASK, Secrets, has_key_prefix};

/// Keys that are recognized by their shape, the same as in sessions' output.
static WELL_KNOWN_KEYS: LazyLock<Secrets> = LazyLock::new(|| Secrets::from_environment([]));
/// Names whose value is a secret if `=` or `:` follows.
const SECRET_NAMES: [&str; 6] = ["token", "password", "passwd", "secret", "api_key", "apikey"];
/// Anything shorter isn't a key.
const MIN_SECRET_LENGTH: usize = 12;

/// A writer that masks secrets. Each write must be a whole line, as `tracing` writes them.
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

fn mask_secrets(text: &str) -> String {
    let masked = mask_words(text);
    WELL_KNOWN_KEYS.mask_text(&masked).into_owned()
}

/// Masks words that start like a key, complete or not, and words that follow a secret name, such as
/// `token=…`.
fn mask_words(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut after_name = false;
    for piece in text.split_inclusive(|c: char| !is_word_char(c)) {
        let word = piece.trim_end_matches(|c| !is_word_char(c));
        let rest = &piece[word.len()..];
        let is_key = word.len() >= MIN_SECRET_LENGTH && has_key_prefix(word);
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
            ("key sk-ant-REDACTED end", "key [secret] end"),
            (
                "key ghp_0123456789abcdefghijklmnopqrstuvwxyz end",
                "key [secret] end",
            ),
            (
                "Authorization: Bearer abc.def",
                "Authorization: Bearer [secret]",
            ),
            (
                "http://x/#token=0123456789abcdef&a=b",
                "http://x/#token=[secret]&a=b",
            ),
            ("MY_API_KEY=\"hush\" next", "MY_API_KEY=\"[secret]\" next"),
            ("password: hunter2", "password: [secret]"),
            (
                "token=ghp_0123456789abcdefghijklmnopqrstuvwxyz",
                "token=[secret]",
            ),
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
