//! A JSON scanner that decodes and stores nothing, and skips unneeded values by their bytes.
//!
//! It accepts only the compact JSON that agents write. At anything unexpected it stops with
//! `None`, and the record must be read by a parser. It does not validate what it skips.

use memchr::memchr2;

/// A position in JSON text.
#[derive(Debug)]
pub(crate) struct JsonScanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> JsonScanner<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// The first byte of the next value.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self, expected: u8) -> Option<()> {
        (self.peek()? == expected).then(|| self.at += 1)
    }

    /// Scans an object. `field` gets each key, undecoded, and must scan its value.
    pub(crate) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, &'a [u8]) -> Option<()>,
    ) -> Option<()> {
        self.step(b'{')?;
        if self.step(b'}').is_some() {
            return Some(());
        }
        loop {
            let key = self.raw_text()?;
            self.step(b':')?;
            field(self, key)?;
            if self.step(b',').is_none() {
                return self.step(b'}');
            }
        }
    }

    /// Scans an array. `item` must scan each value.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.step(b'[')?;
        if self.step(b']').is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.step(b',').is_none() {
                return self.step(b']');
            }
        }
    }

    /// Scans a string without escapes.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let text = self.raw_text()?;
        if memchr::memchr(b'\\', text).is_some() {
            return None;
        }
        std::str::from_utf8(text).ok()
    }

    /// Scans a string without escapes, or `null`.
    pub(crate) fn text_or_null(&mut self) -> Option<Option<&'a str>> {
        if self.is_null() {
            Some(None)
        } else {
            self.text().map(Some)
        }
    }

    /// Skips `null` if it is next.
    pub(crate) fn is_null(&mut self) -> bool {
        self.literal(b"null").is_some()
    }

    pub(crate) fn boolean(&mut self) -> Option<bool> {
        self.literal(b"true")
            .map(|()| true)
            .or_else(|| self.literal(b"false").map(|()| false))
    }

    /// Scans a non-negative integer.
    pub(crate) fn count(&mut self) -> Option<u64> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| !byte.is_ascii_digit())?;
        // Any other form is not a JSON integer, or does not fit.
        let is_plain = matches!(rest[length], b',' | b'}' | b']') && (1..19).contains(&length);
        if !is_plain || (rest[0] == b'0' && length > 1) {
            return None;
        }
        self.at += length;
        Some(
            rest[..length]
                .iter()
                .fold(0, |count, digit| count * 10 + u64::from(digit - b'0')),
        )
    }

    pub(crate) fn skip(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.raw_text().map(drop),
            b'{' | b'[' => self.skip_nested(),
            _ => self.skip_plain(),
        }
    }

    fn literal(&mut self, word: &[u8]) -> Option<()> {
        self.bytes[self.at..]
            .starts_with(word)
            .then(|| self.at += word.len())
    }

    /// The bytes between two quotes.
    fn raw_text(&mut self) -> Option<&'a [u8]> {
        self.step(b'"')?;
        let start = self.at;
        loop {
            let found = self.at + memchr2(b'"', b'\\', self.bytes.get(self.at..)?)?;
            if self.bytes[found] == b'"' {
                self.at = found + 1;
                return Some(&self.bytes[start..found]);
            }
            self.at = found + 2;
        }
    }

    fn skip_nested(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.raw_text()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn skip_plain(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .position(|byte| matches!(byte, b',' | b'}' | b']'))?;
        let is_value = rest[..length]
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
        (length > 0 && is_value).then(|| self.at += length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[ -~\n\\\\\"ü]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"{\\\\]{0,4}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn scanner_visits_every_value(
            map in prop::collection::btree_map("[a-z\"\\\\]{0,5}", json(), 0..6),
        ) {
            let text = Value::Object(map.clone().into_iter().collect()).to_string();
            let mut scan = JsonScanner::new(text.as_bytes());
            let mut found = Vec::new();
            let walked = scan.object(|scan, key| {
                let from = scan.at;
                scan.skip()?;
                found.push((key, &scan.bytes[from..scan.at]));
                Some(())
            });
            prop_assert_eq!(walked, Some(()));
            prop_assert!(scan.is_at_end());
            let expected: Vec<_> =
                map.iter().map(|(key, value)| (Value::from(key.as_str()).to_string(), value.to_string())).collect();
            prop_assert_eq!(found.len(), expected.len());
            for ((key, value), (expected_key, expected)) in found.iter().zip(&expected) {
                prop_assert_eq!(*key, &expected_key.as_bytes()[1..expected_key.len() - 1]);
                prop_assert_eq!(*value, expected.as_bytes());
            }
        }

        #[test]
        fn scanner_accepts_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            for start in [&b"{\"a\":"[..], b"{\"a\":\"", b"[", b"{"] {
                let text = [start, &bytes].concat();
                let mut scan = JsonScanner::new(&text);
                if scan.skip().is_some() {
                    prop_assert!(scan.at <= text.len());
                }
            }
        }

        #[test]
        fn scanned_count_matches_parser(count in any::<u64>()) {
            let text = format!("[{count}]");
            let mut read = None;
            let walked = JsonScanner::new(text.as_bytes()).array(|scan| { read = Some(scan.count()?); Some(()) });
            prop_assert_eq!(walked.and(read), Some(count).filter(|count| *count < 1_000_000_000_000_000_000));
        }
    }

    #[test]
    fn scanner_stops_at_unexpected_input() {
        for text in [
            "{\"a\": 1}",
            "{\"a\":1",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":\"x\\",
            "[1,2",
            "{\"a\":[}",
        ] {
            let mut scan = JsonScanner::new(text.as_bytes());
            let walked = if text.starts_with('[') {
                scan.array(JsonScanner::skip)
            } else {
                scan.object(|scan, _| scan.skip())
            };
            assert!(walked.is_none(), "{text}");
        }
        for number in ["-1,", "1.0,", "1e3,", "01,", "1"] {
            assert_eq!(
                JsonScanner::new(number.as_bytes()).count(),
                None,
                "{number}"
            );
        }
    }
}
