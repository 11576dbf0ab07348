//! The color of a group or note.

use super::fault::Faults;
use super::fields::Fields;
use super::keys::COLORS;
use super::tree::{Located, Value};
use baton_model::Color;

/// Reads `color`. Files written before the key was `color` spell gray `grey`.
pub(super) fn read(fields: &Fields<'_>, faults: &mut Faults) -> Option<Color> {
    match fields.get("color") {
        Some(Located {
            value: Value::Scalar(text, _),
            ..
        }) if text == "grey" => Some(Color::Gray),
        _ => fields.keyword("color", COLORS, faults),
    }
}
