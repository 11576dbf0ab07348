//! Groups of nodes on the canvas, with a title and a color.
//!
//! A group is only drawn. It affects neither when its members run nor what they receive, so
//! changing groups keeps an approval. Groups can't be nested. Whether a group is collapsed is a
//! setting of the window, not part of the plan.

use serde::{Deserialize, Serialize};

use crate::color::Color;
use crate::ids::{GroupId, NodeId};

/// A frame around some nodes of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Group {
    /// The same in all versions of the plan.
    pub id: GroupId,
    /// One line for people.
    pub title: String,
    #[serde(default, alias = "colour")]
    pub color: Color,
    /// The member nodes and notes. A node can be in at most one group.
    #[serde(default)]
    pub nodes: Vec<NodeId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_group_with_the_british_key_keeps_its_color() {
        let stored = r#"{"id":"00000000-0000-0000-0000-000000000001","title":"A","colour":"grey"}"#;
        let group: Group = serde_json::from_str(stored).expect("a stored group");
        assert_eq!(group.color, Color::Gray);
        let stored = stored.replace("grey", "teal");
        let group: Group = serde_json::from_str(&stored).expect("a stored group");
        assert_eq!(group.color, Color::Teal);
        let text = serde_json::to_string(&group).expect("JSON");
        assert!(text.contains(r#""color":"teal""#), "{text}");
    }
}
