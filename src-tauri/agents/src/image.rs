//! Images in messages and tool results.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::image_type::image_type;
use crate::lenient_json;

/// The maximum size of an image that is sent to a window, in bytes.
const BYTE_LIMIT: u64 = 8 * 1024 * 1024;
/// The maximum size of all images of one result that are sent, in bytes.
const TOTAL_LIMIT: u64 = 24 * 1024 * 1024;
/// As browsers decode it: the padding may be missing.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
/// How many images of one result are kept.
const COUNT_LIMIT: usize = 50;

/// An image in a message or a tool result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TimelineImage {
    /// By its content if that is known, such as `image/png`; otherwise as the agent reports it.
    pub media_type: String,
    /// Its size. 0 when the agent does not send its data.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub bytes: u64,
    /// Windows can show it: a PNG, JPEG, GIF or WebP that is not too large.
    pub can_be_shown: bool,
    /// Its file or address, if the agent reports one instead of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub path: Option<String>,
    /// Its data in base64. Only in an entry that was read alone, and only if it can be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub data: Option<String>,
}

impl TimelineImage {
    /// An image whose data is `base64`.
    pub(crate) fn from_base64(media_type: &str, base64: &str) -> Self {
        let base64 = base64.trim();
        let bytes = base64::decoded_len_estimate(base64.len()) as u64;
        // Decoding proves that the text is nothing else: it becomes part of an address.
        let decoded = (bytes <= BYTE_LIMIT)
            .then(|| BASE64.decode(base64).ok())
            .flatten();
        let known = decoded.as_deref().and_then(image_type);
        let can_be_shown = known.is_some();
        Self {
            media_type: known.unwrap_or(media_type).to_owned(),
            bytes: decoded.map_or(bytes, |decoded| decoded.len() as u64),
            can_be_shown,
            path: None,
            data: can_be_shown.then(|| base64.to_owned()),
        }
    }

    /// An image at an address: the data itself, or a place that Baton does not load.
    pub(crate) fn from_address(media_type: &str, address: &str) -> Self {
        let data = || {
            let (head, data) = address.strip_prefix("data:")?.split_once(',')?;
            let media_type = head.strip_suffix(";base64")?;
            Some(Self::from_base64(media_type, data))
        };
        data().unwrap_or_else(|| Self {
            media_type: media_type.to_owned(),
            path: Some(address.chars().take(2_000).collect()),
            ..Self::default()
        })
    }

    /// The image as a line of a text: `Image: image/png, 12345 bytes`.
    #[must_use]
    pub fn to_line(&self) -> String {
        let place = match (&self.path, self.bytes) {
            (Some(path), _) => path.clone(),
            (None, bytes) => format!("{bytes} bytes"),
        };
        format!("Image: {}, {place}", self.media_type)
    }
}

/// The images among the blocks of a message or a result, in the forms of several protocols.
pub(crate) fn images_in(blocks: &Value) -> Vec<TimelineImage> {
    let blocks = blocks.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut images: Vec<_> = blocks
        .iter()
        .filter_map(image_in)
        .take(COUNT_LIMIT)
        .collect();
    let mut total = 0;
    for image in &mut images {
        total += image.bytes;
        if total > TOTAL_LIMIT {
            image.data = None;
            image.can_be_shown = false;
        }
    }
    images
}

/// The same, of blocks that were not decoded.
pub(crate) fn images_in_raw(blocks: &RawValue) -> Vec<TimelineImage> {
    // Most blocks are texts, and decoding long ones just to find that out is expensive.
    if !blocks.get().starts_with('[') || !blocks.get().contains("image") {
        return Vec::new();
    }
    images_in(&lenient_json::value(blocks))
}

fn image_in(block: &Value) -> Option<TimelineImage> {
    let text = |place: &str| block.pointer(place).and_then(Value::as_str);
    match text("/type") {
        // The Agent Client Protocol wraps the blocks of tools.
        Some("content") => image_in(&block["content"]),
        Some("image" | "localImage" | "local_image") => image_block(block),
        Some("input_image") => Some(TimelineImage::from_address("image", text("/image_url")?)),
        // opencode
        Some("file") => {
            let media_type = text("/mime").filter(|kind| kind.starts_with("image/"))?;
            Some(TimelineImage::from_address(media_type, text("/url")?))
        }
        // Gemini
        _ => {
            let media_type =
                text("/inlineData/mimeType").filter(|kind| kind.starts_with("image/"))?;
            Some(TimelineImage::from_base64(
                media_type,
                text("/inlineData/data")?,
            ))
        }
    }
}

/// A block `image`: Claude nests its source; MCP, ACP and pi have the data in the block; Codex has
/// an address or a path.
fn image_block(block: &Value) -> Option<TimelineImage> {
    let text = |place: &str| block.pointer(place).and_then(Value::as_str);
    let media_type = text("/source/media_type")
        .or(text("/mimeType"))
        .unwrap_or("image");
    if let Some(data) = text("/source/data").or(text("/data")) {
        return Some(TimelineImage::from_base64(media_type, data));
    }
    let address = ["/source/url", "/url", "/uri", "/path"]
        .into_iter()
        .find_map(text)?;
    Some(TimelineImage::from_address(media_type, address))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    #[test]
    fn images_of_every_protocol_are_found() {
        for (block, media_type, path) in [
            (
                json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}),
                "image/png",
                None,
            ),
            (
                json!({"type": "image", "mimeType": "image/jpeg", "data": PNG}),
                "image/png",
                None,
            ),
            (
                json!({"type": "content", "content": {"type": "image", "mimeType": "image/png", "data": PNG}}),
                "image/png",
                None,
            ),
            (
                json!({"type": "input_image", "image_url": format!("data:image/png;base64,{PNG}")}),
                "image/png",
                None,
            ),
            (
                json!({"type": "file", "mime": "image/png", "url": format!("data:image/png;base64,{PNG}")}),
                "image/png",
                None,
            ),
            (
                json!({"inlineData": {"mimeType": "image/png", "data": PNG}}),
                "image/png",
                None,
            ),
            (
                json!({"type": "localImage", "path": "/tmp/a.png"}),
                "image",
                Some("/tmp/a.png"),
            ),
            (
                json!({"type": "image", "source": {"type": "url", "url": "https://example.org/a"}}),
                "image",
                Some("https://example.org/a"),
            ),
        ] {
            let found = images_in(&json!([{"type": "text", "text": "x"}, block.clone()]));
            let [image] = &found[..] else {
                panic!("one image in {block}: {found:?}")
            };
            assert_eq!(
                (image.media_type.as_str(), image.path.as_deref()),
                (media_type, path)
            );
            assert_eq!(
                (image.can_be_shown, image.data.is_some()),
                (path.is_none(), path.is_none())
            );
        }
    }

    #[test]
    fn only_known_and_small_images_have_data() {
        let huge = format!("{PNG}{}", "A".repeat(12 << 20)).replace('=', "");
        for (media_type, data, reported) in [
            (
                "image/svg+xml",
                "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
                "image/svg+xml",
            ),
            ("image/png", "bm90IGFuIGltYWdl", "image/png"),
            ("image/png", "", "image/png"),
            ("image/png", "iVBORw0KGgo\" onload=x", "image/png"),
            ("image/png", huge.as_str(), "image/png"),
        ] {
            let image = TimelineImage::from_base64(media_type, data);
            assert_eq!(image.media_type, reported);
            assert_eq!((image.can_be_shown, image.data), (false, None));
        }
        let gif = TimelineImage::from_base64("image", "R0lGODlhAQABAAAAACw=");
        assert_eq!((gif.media_type.as_str(), gif.bytes), ("image/gif", 14));
        let webp = TimelineImage::from_base64("image", "UklGRiQAAABXRUJQVlA4");
        assert_eq!(webp.media_type, "image/webp");
    }

    #[test]
    fn other_blocks_are_no_images() {
        for block in [
            json!({"type": "file", "mime": "text/plain", "url": "data:text/plain;base64,eA=="}),
            json!({"type": "image"}),
            json!("image"),
            json!({"inlineData": {"mimeType": "audio/wav", "data": "eA=="}}),
        ] {
            assert_eq!(images_in(&json!([block])), []);
        }
    }
}
