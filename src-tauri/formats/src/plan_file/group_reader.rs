//! The groups of a plan file, whose members are given by id. Whether each node is in only one group
//! is checked later, for the whole plan.

use std::collections::HashMap;

use uuid::Uuid;

use super::color_reader;
use super::dependencies::{BySlug, nearest_id};
use super::entries;
use super::fault::{FaultKind, Faults};
use super::fields::{Fields, text, wrong_type};
use super::keys::GROUP_KEYS;
use super::node_draft::NodeDraft;
use super::node_reader;
use super::tree::{Located, SourceLocation, Value, quoted};
use baton_model::{Group, GroupId, NodeId};

/// The location of each member of each group. If a member is listed twice in a group, the second
/// location.
pub(super) type MemberLocations = HashMap<(GroupId, NodeId), SourceLocation>;

/// Reads the groups in `items` with members from `drafts`. Unreadable members are dropped.
pub(super) fn read(
    items: &[Located],
    drafts: &[NodeDraft],
    by_slug: &BySlug<'_>,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
) -> (Vec<Group>, MemberLocations) {
    let mut places = MemberLocations::new();
    let mut groups = Vec::with_capacity(items.len());
    for (item, number) in items.iter().zip(1..) {
        let Value::Map(entries) = &item.value else {
            wrong_type(item, &format!("group {number}"), "a mapping", faults);
            continue;
        };
        let owner = label(item, number);
        let entries = &*entries::normalize_group(entries, faults);
        let fields = Fields {
            owner: &owner,
            entries,
        };
        fields.refuse_unknown(GROUP_KEYS, faults);
        let mut group = Group {
            id: GroupId(ids()),
            title: node_reader::title(&fields, faults).unwrap_or_else(|| format!("Group {number}")),
            color: color_reader::read(&fields, faults).unwrap_or_default(),
            nodes: Vec::new(),
        };
        for member in fields.list("nodes", faults) {
            let Some(node) = node(member, &fields, drafts, by_slug, faults) else {
                continue;
            };
            places.insert((group.id, node), member.at);
            group.nodes.push(node);
        }
        groups.push(group);
    }
    (groups, places)
}

fn label(item: &Located, number: usize) -> String {
    let title = match &item.value {
        Value::Map(entries) => entries
            .iter()
            .find(|entry| entry.key == "title")
            .map(|entry| &entry.value.value),
        _ => None,
    };
    match title {
        Some(Value::Scalar(title, _)) if !title.is_empty() => format!("group {}", quoted(title)),
        _ => format!("group {number}"),
    }
}

fn node(
    member: &Located,
    group: &Fields<'_>,
    drafts: &[NodeDraft],
    by_slug: &BySlug<'_>,
    faults: &mut Faults,
) -> Option<NodeId> {
    let slug = text(
        member,
        &format!("an item of {}", group.describe_key("nodes")),
        faults,
    )?;
    let Some(&position) = by_slug.get(slug.as_str()) else {
        let (owner, nearest) = (group.owner.to_owned(), nearest_id(&slug, by_slug, faults));
        faults.add(
            member.at,
            FaultKind::UnknownMember {
                owner,
                node: slug,
                nearest,
            },
        );
        return None;
    };
    Some(drafts[position].node.id)
}
