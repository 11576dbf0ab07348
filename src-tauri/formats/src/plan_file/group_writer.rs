//! A group as the values that its file holds.

use std::collections::HashMap;

use super::document::{Document, Entries};
use super::keys::{COLORS, keyword_for};
use baton_model::{Color, Group, NodeId, Slug};

/// Writes `group`. Members that are not nodes of the plan are dropped.
pub(super) fn write(group: &Group, slugs: &HashMap<NodeId, &Slug>) -> Document {
    let mut entries = Entries::default();
    entries.put("title", group.title.as_str());
    entries.put_unless(
        "color",
        keyword_for(COLORS, &group.color),
        keyword_for(COLORS, &Color::default()),
    );
    let members: Vec<_> = group
        .nodes
        .iter()
        .filter_map(|node| Some(slugs.get(node)?.as_str().into()))
        .collect();
    if !members.is_empty() {
        entries.put("nodes", Document::List(members));
    }
    Document::Map(entries.0)
}
