//! Nodes that may write into one directory at the same time, and worktrees that cannot be made.

use std::collections::BTreeSet;
use std::path::Path;

use baton_model::node::{Criterion, NodeKind};
use baton_model::{Graph, Isolation, Node, Plan};

use super::Check;
use crate::check::CheckVerdict;

/// How many pairs are named; a plan of a thousand parallel nodes is one warning, not half a million.
const PAIRS: usize = 3;
/// Plans with more agents than that are not looked at pair by pair.
const LOOKED_AT: usize = 400;

/// Warns of agents that may work in the plan's directory at the same time, and refuses worktrees where there is no git.
pub(super) fn check(plan: &Plan, checks: &mut Vec<Check>) {
    let in_git = plan
        .cwd
        .as_deref()
        .map(Path::new)
        .is_some_and(|path| baton_engine::work_tree_above(path).is_some());
    if plan.has_worktrees() && !in_git && plan.cwd.is_some() {
        let check = Check::new(
            CheckVerdict::Failed,
            "nodes are to work in worktrees, and the directory is not under git",
        );
        checks.push(
            check.mended_by("run `git init` there, or let them work in the plan's directory"),
        );
    }
    let Ok(graph) = plan.graph() else { return };
    if plan.settings.effective_concurrency() < 2 {
        return;
    }
    let pairs = pairs(plan, &graph);
    let Some((first, ..)) = pairs.first() else {
        return;
    };
    let named: Vec<String> = pairs.iter().take(PAIRS).map(words).collect();
    let more = pairs.len().saturating_sub(PAIRS);
    let more = if more > 0 {
        format!("; and {more} more pairs")
    } else {
        String::new()
    };
    let sentence = format!(
        "nodes may change files in one directory at the same time: {}{more}",
        named.join("; ")
    );
    let mend = match in_git {
        true => "give each its own worktree, or let one wait for the other",
        false => "let one wait for the other",
    };
    checks.push(
        Check::new(CheckVerdict::Warning, sentence)
            .mended_by(mend)
            .at(first.id),
    );
}

type Pair<'p> = (&'p Node, &'p Node, BTreeSet<String>);

fn words((first, second, files): &Pair<'_>) -> String {
    let pair = format!("'{}' and '{}'", first.title, second.title);
    if files.is_empty() {
        pair
    } else {
        format!(
            "{pair} (both name {})",
            files.iter().cloned().collect::<Vec<_>>().join(", ")
        )
    }
}

/// The pairs of shared agents of which neither waits for the other, those that name the same files first.
fn pairs<'p>(plan: &'p Plan, graph: &Graph) -> Vec<Pair<'p>> {
    let writes = |node: &&Node| {
        matches!(node.kind, NodeKind::Agent(_))
            && !node.disabled
            && node.isolation_in(&plan.settings) == Isolation::Shared
    };
    let agents: Vec<(&Node, usize, BTreeSet<String>)> = plan
        .nodes
        .iter()
        .filter(writes)
        .take(LOOKED_AT)
        .filter_map(|node| Some((node, graph.number(node.id)?, files_named_by(node))))
        .collect();
    let mut pairs = Vec::new();
    for (at, (first, number, files)) in agents.iter().enumerate() {
        let related: BTreeSet<usize> = graph
            .ancestors(*number)
            .into_iter()
            .chain(graph.dependents(*number))
            .collect();
        for (second, other, others) in &agents[at + 1..] {
            if !related.contains(other) {
                pairs.push((
                    *first,
                    *second,
                    files.intersection(others).cloned().collect::<BTreeSet<_>>(),
                ));
            }
        }
    }
    pairs.sort_by_key(|(_, _, files)| files.is_empty());
    pairs
}

/// The words of a node that look like paths of files: with a dot and letters behind it, or a slash in the middle.
fn files_named_by(node: &Node) -> BTreeSet<String> {
    let NodeKind::Agent(task) = &node.kind else {
        return BTreeSet::new();
    };
    let criteria = node.acceptance_criteria.iter().map(Criterion::words);
    let texts = [&task.prompt, &node.description, &node.instructions]
        .into_iter()
        .map(String::as_str)
        .chain(criteria);
    texts
        .flat_map(|text| {
            text.split(|letter: char| letter.is_whitespace() || "\"'`()[]{}<>,;:".contains(letter))
        })
        .map(|word| {
            word.trim_end_matches(['.', '!', '?'])
                .trim_start_matches("./")
        })
        .filter(|word| looks_like_a_file(word))
        .map(str::to_owned)
        .collect()
}

fn looks_like_a_file(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    let ending = name
        .rsplit_once('.')
        .map(|(stem, ending)| (!stem.is_empty(), ending));
    !word.contains("//")
        && ending.is_some_and(|(stem, ending)| {
            stem && (1..=8).contains(&ending.len())
                && ending.chars().all(|letter| letter.is_ascii_alphanumeric())
                && ending.chars().any(|letter| letter.is_ascii_alphabetic())
        })
}

#[cfg(test)]
mod tests {
    use baton_model::node::AgentTask;
    use baton_model::{Edge, NodeId, PlanId, Slug};
    use uuid::Uuid;

    use super::*;

    fn plan(prompts: &[&str], edges: &[(usize, usize)]) -> Plan {
        let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "A plan");
        for (number, prompt) in prompts.iter().enumerate() {
            let task = AgentTask {
                prompt: (*prompt).to_owned(),
                ..AgentTask::default()
            };
            let slug = Slug::new(&format!("n{number}")).expect("plain");
            let id = NodeId(Uuid::from_u128(number as u128 + 2));
            plan.nodes.push(Node::new(
                id,
                slug,
                format!("N{number}"),
                NodeKind::Agent(task),
            ));
        }
        let id = |number: usize| plan.nodes[number].id;
        plan.edges = edges
            .iter()
            .map(|&(parent, child)| Edge {
                parent: id(parent),
                child: id(child),
                soft: false,
            })
            .collect();
        plan
    }

    fn said(plan: &Plan) -> Vec<String> {
        let mut checks = Vec::new();
        check(plan, &mut checks);
        checks.into_iter().map(|check| check.sentence).collect()
    }

    #[test]
    fn parallel_agents_in_one_directory_are_named_with_the_files_that_both_name() {
        let parallel = plan(
            &[
                "Change src/a.rs and e.g. b.",
                "Look at `src/a.rs`.",
                "Write docs",
            ],
            &[(0, 2)],
        );
        assert_eq!(
            said(&parallel),
            [
                "nodes may change files in one directory at the same time: 'N0' and 'N1' (both name src/a.rs); 'N1' and 'N2'"
            ]
        );
    }

    #[test]
    fn a_chain_a_single_place_and_worktrees_need_no_warning() {
        let prompts = ["a.rs", "a.rs"];
        assert!(said(&plan(&prompts, &[(0, 1)])).is_empty());
        let mut one_at_a_time = plan(&prompts, &[]);
        one_at_a_time.settings.concurrency = Some(1);
        assert!(said(&one_at_a_time).is_empty());
        let mut apart = plan(&prompts, &[]);
        apart.settings.isolation = Isolation::Worktree;
        assert!(said(&apart).is_empty());
        apart.nodes[0].isolation = Some(Isolation::Shared);
        assert!(
            said(&apart).is_empty(),
            "only one of them is in the directory"
        );
    }

    #[test]
    fn a_thousand_parallel_agents_are_one_sentence() {
        let many = plan(&["do it"; 1000], &[]);
        let said = said(&many);
        assert_eq!(said.len(), 1);
        assert!(said[0].ends_with("more pairs"), "{}", said[0]);
    }

    #[test]
    fn worktrees_need_git() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut apart = plan(&["a"], &[]);
        apart.cwd = Some(folder.path().display().to_string());
        apart.settings.isolation = Isolation::Worktree;
        assert_eq!(
            said(&apart),
            ["nodes are to work in worktrees, and the directory is not under git"]
        );
    }
}
