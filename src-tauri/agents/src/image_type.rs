//! Images that a browser can show, recognized by their first bytes. SVG is none of them: it can run
//! scripts.

/// More bytes than any of the signatures has.
pub const SIGNATURE_BYTES: usize = 16;

/// The media type of an image that begins with `bytes`.
#[must_use]
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        _ if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_recognized_by_their_first_bytes() {
        for (bytes, media_type) in [
            (&b"\x89PNG\r\n\x1a\n1234"[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a", Some("image/gif")),
            (b"GIF87a", Some("image/gif")),
            (b"RIFF1234WEBPVP8 ", Some("image/webp")),
            (b"RIFF1234WAVE", None),
            (b"GIF is a format", None),
            (b"<svg>", None),
            (b"", None),
        ] {
            assert_eq!(image_type(bytes), media_type, "{bytes:?}");
        }
    }
}
