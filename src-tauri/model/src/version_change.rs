//! What a version of a plan changed, in few facts for a list of versions.

use serde::{Deserialize, Serialize};

use crate::short_title::shorten_title;
use crate::{NodeId, Plan, PlanDiff};

/// Number of titles that a change names; the count says how many there are.
const MAX_TITLES: usize = 3;

/// One thing that a version changed against the version before it.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum VersionChange {
    /// A person restored an earlier version.
    Restored {
        version: u32,
    },
    PlanRenamed {
        from: String,
        to: String,
    },
    NodesAdded(NodeTitles),
    NodesRemoved(NodeTitles),
    /// The title is the only thing that changed in the node.
    NodeRenamed {
        from: String,
        to: String,
    },
    NodesChanged(NodeTitles),
    EdgesAdded {
        count: u32,
    },
    EdgesRemoved {
        count: u32,
    },
    GroupsChanged,
    /// The goal, the directory or another setting of the plan.
    SettingsChanged,
}

/// Some nodes, the first of them with their titles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NodeTitles {
    /// At most three titles.
    pub titles: Vec<String>,
    /// Number of all nodes.
    pub count: u32,
}

impl VersionChange {
    /// What leads from `earlier` to `later`. Empty if only the layout differs.
    #[must_use]
    pub fn between(earlier: &Plan, later: &Plan) -> Vec<Self> {
        let diff = PlanDiff::between(earlier, later);
        let (renamed, changed) = split_renamed(earlier, later, &diff.nodes_changed);
        let mut changes = Vec::new();
        if earlier.title != later.title {
            let (from, to) = (shorten_title(&earlier.title), shorten_title(&later.title));
            changes.push(Self::PlanRenamed { from, to });
        }
        changes.extend(titles(later, &diff.nodes_added).map(Self::NodesAdded));
        changes.extend(titles(earlier, &diff.nodes_removed).map(Self::NodesRemoved));
        changes.extend(renamed);
        changes.extend(titles(later, &changed).map(Self::NodesChanged));
        // An edge of a node that was added or removed says nothing new.
        let ends = |nodes: &[NodeId], edges: &[crate::Edge]| {
            let own =
                |edge: &&crate::Edge| !nodes.contains(&edge.parent) && !nodes.contains(&edge.child);
            count(edges.iter().filter(own).count())
        };
        let added = ends(&diff.nodes_added, &diff.edges_added);
        let removed = ends(&diff.nodes_removed, &diff.edges_removed);
        changes.extend((added > 0).then_some(Self::EdgesAdded { count: added }));
        changes.extend((removed > 0).then_some(Self::EdgesRemoved { count: removed }));
        changes.extend(diff.groups_changed.then_some(Self::GroupsChanged));
        changes.extend(settings_changed(earlier, later, &diff).then_some(Self::SettingsChanged));
        changes
    }
}

fn settings_changed(earlier: &Plan, later: &Plan, diff: &PlanDiff) -> bool {
    if earlier.title == later.title {
        return diff.plan_changed;
    }
    let renamed = Plan {
        title: later.title.clone(),
        ..earlier.clone()
    };
    PlanDiff::between(&renamed, later).plan_changed
}

/// Separates nodes with only a new title from those with other changes.
fn split_renamed(
    earlier: &Plan,
    later: &Plan,
    changed: &[NodeId],
) -> (Vec<VersionChange>, Vec<NodeId>) {
    let (before, after) = (earlier.nodes_by_id(), later.nodes_by_id());
    let (mut renamed, mut others) = (Vec::new(), Vec::new());
    for id in changed {
        let pair = before.get(id).zip(after.get(id));
        let rename = pair.filter(|(old, new)| {
            old.title != new.title && {
                let same = crate::Node {
                    title: old.title.clone(),
                    slug: old.slug.clone(),
                    position: old.position,
                    keeps_place: old.keeps_place,
                    ..(**new).clone()
                };
                ***old == same
            }
        });
        match rename {
            Some((old, new)) if renamed.len() < MAX_TITLES => {
                let (from, to) = (shorten_title(&old.title), shorten_title(&new.title));
                renamed.push(VersionChange::NodeRenamed { from, to });
            }
            _ => others.push(*id),
        }
    }
    (renamed, others)
}

fn titles(plan: &Plan, nodes: &[NodeId]) -> Option<NodeTitles> {
    let known = plan.nodes_by_id();
    let titles = nodes
        .iter()
        .take(MAX_TITLES)
        .filter_map(|id| known.get(id))
        .map(|node| shorten_title(&node.title))
        .collect();
    (!nodes.is_empty()).then(|| NodeTitles {
        titles,
        count: count(nodes.len()),
    })
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan_fixture::plan_of;

    fn nodes(titles: &[&str], count: u32) -> NodeTitles {
        let titles = titles.iter().map(|&title| title.to_owned()).collect();
        NodeTitles { titles, count }
    }

    #[test]
    fn rename_is_distinguished_from_other_changes() {
        let earlier = plan_of(&["A", "B"], &[(0, 1)]);
        let mut later = earlier.clone();
        later.nodes[0].title = "Lint".to_owned();
        later.nodes[1].max_retries = 2;
        assert_eq!(
            VersionChange::between(&earlier, &later),
            [
                VersionChange::NodeRenamed {
                    from: "A".to_owned(),
                    to: "Lint".to_owned()
                },
                VersionChange::NodesChanged(nodes(&["B"], 1)),
            ]
        );
    }

    #[test]
    fn edges_of_added_and_removed_nodes_are_left_out() {
        let earlier = plan_of(&["A", "B", "C"], &[(0, 1), (1, 2)]);
        let mut later = plan_of(&["A", "B", "C", "D"], &[(0, 3), (0, 2)]);
        later.nodes.remove(1);
        assert_eq!(
            VersionChange::between(&earlier, &later),
            [
                VersionChange::NodesAdded(nodes(&["D"], 1)),
                VersionChange::NodesRemoved(nodes(&["B"], 1)),
                VersionChange::EdgesAdded { count: 1 },
            ]
        );
    }

    #[test]
    fn title_and_settings_are_different_changes() {
        let earlier = plan_of(&["A"], &[]);
        let mut later = earlier.clone();
        later.title = "Other".to_owned();
        let changes = VersionChange::between(&earlier, &later);
        assert!(
            matches!(&changes[..], [VersionChange::PlanRenamed { to, .. }] if to == "Other"),
            "{changes:?}"
        );
        later.description = "New goal".to_owned();
        assert_eq!(
            VersionChange::between(&earlier, &later).last(),
            Some(&VersionChange::SettingsChanged)
        );
    }

    #[test]
    fn many_long_titles_are_bounded() {
        let titles: Vec<String> = (0..50).map(|_| "ä".repeat(70)).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let changes = VersionChange::between(&plan_of(&[], &[]), &plan_of(&titles, &[]));
        let [VersionChange::NodesAdded(added)] = &changes[..] else {
            panic!("{changes:?}")
        };
        assert_eq!((added.count, added.titles.len()), (50, 3));
        assert_eq!(added.titles[0].chars().count(), 60 + 1);
    }

    #[test]
    fn equal_plans_have_no_change() {
        let plan = plan_of(&["A"], &[]);
        assert_eq!(VersionChange::between(&plan, &plan), []);
    }
}
