//! The fields that identify the kind of a line of `claude`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::lenient_json;

/// The identifying fields of a line. `type` may be anywhere in it.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'a, str>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) subtype: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) parent_tool_use_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) timestamp: Option<String>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_use_result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_result_meta: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(rename = "isReplay", default, deserialize_with = "lenient_json::field")]
    pub(super) is_replay: bool,
}

/// Decodes a line as `T`; `None` when it has another shape.
pub(super) fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Option<T> {
    serde_json::from_slice(line).ok()
}
