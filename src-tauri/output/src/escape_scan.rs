//! Finds, without rendering, what makes a row depend on the bytes around its line.

use std::borrow::Cow;

use memchr::{memchr, memmem};

const ESCAPE: u8 = 0x1b;

/// The end of the last complete cursor movement to an earlier row in `bytes`.
pub(crate) fn last_cursor_up(bytes: &[u8]) -> Option<usize> {
    let mut last = None;
    let mut at = 0;
    while let Some(found) = memchr(ESCAPE, &bytes[at..]) {
        at += found + 1;
        if let Some(length) = cursor_up_length(&bytes[at..]) {
            at += length;
            last = Some(at);
        }
    }
    last
}

/// The length of `[`, a number, and the final byte of a movement to an earlier row.
fn cursor_up_length(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"[")?;
    let digits = rest
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
        .count();
    matches!(rest.get(digits), Some(b'A' | b'F')).then_some(digits + 2)
}

/// From where on in `bytes` codes can change the style that holds at their end.
pub(crate) fn style_begin(bytes: &[u8]) -> usize {
    let resets: [&[u8]; 2] = [b"\x1b[0m", b"\x1b[m"];
    let reset = resets
        .iter()
        .filter_map(|reset| Some(memmem::rfind(bytes, reset)? + reset.len()))
        .max();
    let from = reset.unwrap_or(0);
    memchr(ESCAPE, &bytes[from..]).map_or(bytes.len(), |at| from + at)
}

/// The bytes of `bytes` that a screen shows, if they show up in the order in which they were
/// printed. `None` if some move the cursor: then only rendering tells.
pub(crate) fn visible_bytes(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !bytes.iter().any(|&byte| is_special(byte)) {
        return Some(bytes.into());
    }
    let mut visible = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| is_special(byte)) {
        visible.extend_from_slice(&rest[..at]);
        let skipped = match rest[at] {
            ESCAPE => sequence_length(&rest[at..])?,
            // As line ends of other systems.
            b'\r' if rest.get(at + 1) == Some(&b'\n') => 1,
            b'\r' | b'\x08' => return None,
            _ => 1,
        };
        rest = &rest[at + skipped..];
    }
    visible.extend_from_slice(rest);
    Some(visible.into())
}

/// A control character that a screen does not show as it is.
fn is_special(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\n' | b'\t')
}

/// The length of an escape sequence. `None` if it moves the cursor, or can't be judged.
fn sequence_length(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1) {
        Some(b'[') => {
            let at = bytes[2..]
                .iter()
                .position(|byte| !(b' '..=b'?').contains(byte))?;
            matches!(bytes[2 + at], b'm' | b'K' | b'h' | b'l').then_some(at + 3)
        }
        Some(b']') => {
            let line = memchr(b'\n', bytes).unwrap_or(bytes.len());
            let bell = memchr(0x07, &bytes[..line]).map(|at| at + 1);
            let escape = memchr(ESCAPE, &bytes[1..line]).map(|at| at + 1);
            match (bell, escape) {
                (Some(bell), escape) if escape.is_none_or(|escape| bell <= escape) => Some(bell),
                // The sequence that ends the string is skipped with it.
                (_, Some(escape)) if bytes.get(escape + 1) == Some(&b'\\') => Some(escape + 2),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_bytes_are_without_codes() {
        for (bytes, visible) in [
            (&b"plain\ttext\n"[..], Some(&b"plain\ttext\n"[..])),
            (b"\x1b[1;31mred\x1b[0m\r\n", Some(b"red\n")),
            (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x07.", Some(b"link.")),
            (b"10%\r20%", None),
            (b"up\x1b[2A", None),
            (b"\x1b]0;never ends", None),
            (b"\x1b(B", None),
            (b"\0a", Some(b"a")),
        ] {
            assert_eq!(visible_bytes(bytes).as_deref(), visible, "{bytes:?}");
        }
    }

    #[test]
    fn finds_cursor_movements() {
        for (bytes, found) in [
            (&b"plain"[..], None),
            (b"\x1b[31mred\x1b[0m", None),
            (b"\x1b[A", Some(3)),
            (b"x\x1b[12F\x1b[2K", Some(6)),
            (b"\x1b[1A\x1b[1Ax", Some(8)),
            (b"\x1b[12", None),
            (b"\x1b\x1b[A", Some(4)),
        ] {
            assert_eq!(last_cursor_up(bytes), found, "{bytes:?}");
        }
    }

    #[test]
    fn style_begins_after_the_last_reset() {
        for (bytes, begin) in [
            (&b"plain"[..], 5),
            (b"\x1b[31mred\x1b[0m plain", 18),
            (b"\x1b[31mred", 0),
            (b"\x1b[m\x1b[0mab\x1b[1mc", 9),
        ] {
            assert_eq!(style_begin(bytes), begin, "{bytes:?}");
        }
    }
}
