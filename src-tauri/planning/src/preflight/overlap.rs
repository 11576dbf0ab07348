//! Nodes that may write to the same directory at the same time, and worktrees without git.

use std::collections::BTreeSet;
use std::path::Path;

use baton_model::count::format_quantity;
use baton_model::node::{Criterion, NodeKind};
use baton_model::{Graph, Isolation, Node, Plan};

use crate::check::{Check, CheckVerdict};

/// The maximum number of named pairs: a plan of a thousand parallel nodes must not report half a
/// million.
const MAX_NAMED_PAIRS: usize = 3;
/// The maximum number of nodes that are compared with each other.
const MAX_CHECKED_NODES: usize = 400;

/// Warns of agents that may work in the same directory at the same time, and fails for worktrees
/// without git.
pub(super) fn check(plan: &Plan, checks: &mut Vec<Check>) {
    let in_git = plan
        .cwd
        .as_deref()
        .map(Path::new)
        .is_some_and(|path| baton_engine::work_tree_above(path).is_some());
    if plan.has_worktrees() && !in_git && plan.cwd.is_some() {
        let check = Check::new(
            CheckVerdict::Failed,
            "nodes use worktrees, but the directory is not a git repository",
        );
        checks.push(check.with_fix("run `git init` there, or turn worktrees off"));
    }
    let Ok(graph) = plan.graph() else { return };
    if plan.settings.effective_concurrency() < 2 {
        return;
    }
    let pairs = pairs(plan, &graph);
    let Some((first, ..)) = pairs.first() else {
        return;
    };
    let named: Vec<String> = pairs
        .iter()
        .take(MAX_NAMED_PAIRS)
        .map(describe_pair)
        .collect();
    let more = pairs.len().saturating_sub(MAX_NAMED_PAIRS);
    let more = match more {
        0 => String::new(),
        more => format!("; and {}", format_quantity(more, "more pair", "more pairs")),
    };
    let sentence = format!(
        "nodes may change files in one directory at the same time: {}{more}",
        named.join("; ")
    );
    let fix = match in_git {
        true => "isolate them in worktrees, or make one depend on the other",
        false => "make one depend on the other",
    };
    checks.push(
        Check::new(CheckVerdict::Warning, sentence)
            .with_fix(fix)
            .at(first.id),
    );
}

type Pair<'p> = (&'p Node, &'p Node, BTreeSet<String>);

fn describe_pair((first, second, files): &Pair<'_>) -> String {
    let pair = format!("'{}' and '{}'", first.title, second.title);
    if files.is_empty() {
        pair
    } else {
        format!(
            "{pair} (both mention {})",
            files.iter().cloned().collect::<Vec<_>>().join(", ")
        )
    }
}

/// The pairs of agents in a shared directory that do not depend on each other, pairs that mention
/// the same files first.
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
        .take(MAX_CHECKED_NODES)
        .filter_map(|node| Some((node, graph.number(node.id)?, mentioned_files(node))))
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

/// The words in the texts of a node that look like file paths: they end in a dot and an extension.
fn mentioned_files(node: &Node) -> BTreeSet<String> {
    let NodeKind::Agent(task) = &node.kind else {
        return BTreeSet::new();
    };
    let criteria = node.acceptance_criteria.iter().map(Criterion::text);
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
        .filter(|word| looks_like_file_path(word))
        .map(str::to_owned)
        .collect()
}

fn looks_like_file_path(word: &str) -> bool {
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
                inferred: false,
            })
            .collect();
        plan
    }

    fn warnings_of(plan: &Plan) -> Vec<String> {
        let mut checks = Vec::new();
        check(plan, &mut checks);
        checks.into_iter().map(|check| check.sentence).collect()
    }

    #[test]
    fn overlapping_agents_are_reported_with_shared_files() {
        let parallel = plan(
            &[
                "Change src/a.rs and e.g. b.",
                "Look at `src/a.rs`.",
                "Write docs",
            ],
            &[(0, 2)],
        );
        assert_eq!(
            warnings_of(&parallel),
            [
                "nodes may change files in one directory at the same time: 'N0' and 'N1' (both mention src/a.rs); 'N1' and 'N2'"
            ]
        );
    }

    #[test]
    fn no_warning_without_parallel_overlap() {
        let prompts = ["a.rs", "a.rs"];
        assert!(warnings_of(&plan(&prompts, &[(0, 1)])).is_empty());
        let mut one_at_a_time = plan(&prompts, &[]);
        one_at_a_time.settings.concurrency = Some(1);
        assert!(warnings_of(&one_at_a_time).is_empty());
        let mut apart = plan(&prompts, &[]);
        apart.settings.isolation = Isolation::Worktree;
        assert!(warnings_of(&apart).is_empty());
        apart.nodes[0].isolation = Some(Isolation::Shared);
        assert!(
            warnings_of(&apart).is_empty(),
            "only one of them is in the directory"
        );
    }

    #[test]
    fn many_parallel_agents_give_one_warning() {
        let many = plan(&["do it"; 1000], &[]);
        let said = warnings_of(&many);
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
            warnings_of(&apart),
            ["nodes use worktrees, but the directory is not a git repository"]
        );
    }
}
