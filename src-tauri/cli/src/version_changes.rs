//! What a version of a plan changed, as text.

use baton_model::count::format_quantity;
use baton_model::{NodeTitles, VersionChange};

/// Describes the changes of one version: `added Lint, renamed Build to Compile`.
pub(crate) fn describe(changes: &[VersionChange]) -> String {
    changes.iter().map(sentence).collect::<Vec<_>>().join(", ")
}

fn sentence(change: &VersionChange) -> String {
    let count = |count: u32, one, many| format_quantity(count as usize, one, many);
    match change {
        VersionChange::Restored { version } => format!("restored version {version}"),
        VersionChange::PlanRenamed { from, to } => format!("renamed the plan from {from} to {to}"),
        VersionChange::NodesAdded(nodes) => format!("added {}", titles(nodes)),
        VersionChange::NodesRemoved(nodes) => format!("removed {}", titles(nodes)),
        VersionChange::NodeRenamed { from, to } => format!("renamed {from} to {to}"),
        VersionChange::NodesChanged(nodes) => format!("changed {}", titles(nodes)),
        VersionChange::EdgesAdded { count: edges } => {
            format!("added {}", count(*edges, "edge", "edges"))
        }
        VersionChange::EdgesRemoved { count: edges } => {
            format!("removed {}", count(*edges, "edge", "edges"))
        }
        VersionChange::GroupsChanged => "changed groups".to_owned(),
        VersionChange::SettingsChanged => "changed plan settings".to_owned(),
    }
}

/// One title, or the number of nodes.
fn titles(nodes: &NodeTitles) -> String {
    match nodes.titles.as_slice() {
        [one] if nodes.count == 1 => one.clone(),
        _ => format_quantity(nodes.count as usize, "node", "nodes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_listed_in_one_line() {
        let nodes = |titles: &[&str], count| NodeTitles {
            titles: titles.iter().map(|title| (*title).to_owned()).collect(),
            count,
        };
        let changes = [
            VersionChange::Restored { version: 3 },
            VersionChange::NodesAdded(nodes(&["Lint"], 1)),
            VersionChange::NodesChanged(nodes(&["A", "B", "C"], 5)),
            VersionChange::NodeRenamed {
                from: "Build".to_owned(),
                to: "Compile".to_owned(),
            },
            VersionChange::EdgesRemoved { count: 1 },
        ];
        assert_eq!(
            describe(&changes),
            "restored version 3, added Lint, changed 5 nodes, renamed Build to Compile, removed 1 edge"
        );
        assert_eq!(describe(&[]), "");
    }
}
