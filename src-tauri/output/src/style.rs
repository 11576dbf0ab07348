//! How a part of a row looks, as the program that printed it asked for.

use serde::{Deserialize, Serialize};

/// A color of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TerminalColor {
    /// A color of the 256-color palette. The first 16 depend on the theme.
    Palette {
        /// Its index in the palette.
        index: u8,
    },
    /// A color of its own.
    Rgb {
        /// Red, green and blue.
        rgb: [u8; 3],
    },
}

/// How characters look. The default is plain text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct TerminalStyle {
    /// The color of the text; the theme's if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub foreground: Option<TerminalColor>,
    /// The color behind the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub background: Option<TerminalColor>,
    #[expect(missing_docs, reason = "the names say it")]
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub bold: bool,
    #[expect(missing_docs, reason = "the names say it")]
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub dim: bool,
    #[expect(missing_docs, reason = "the names say it")]
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub italic: bool,
    #[expect(missing_docs, reason = "the names say it")]
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub underline: bool,
    #[expect(missing_docs, reason = "the names say it")]
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub strikethrough: bool,
    /// Foreground and background are swapped.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub inverse: bool,
    /// The target of a hyperlink (OSC 8), as printed. Untrusted: open it only after a press, and
    /// only if it is http or https.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub link: Option<String>,
}

/// The style of a part of a row. Parts without one are plain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StyledRange {
    /// The first styled unit of the row's text, in UTF-16 units as in JavaScript.
    pub start: u32,
    /// The end of the range, in UTF-16 units.
    pub end: u32,
    /// How it looks.
    pub style: TerminalStyle,
}

impl StyledRange {
    /// The range, `units` further into a text.
    pub(crate) fn moved_by(self, units: u32) -> Self {
        Self {
            start: self.start + units,
            end: self.end + units,
            ..self
        }
    }
}

/// For serde.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
}
