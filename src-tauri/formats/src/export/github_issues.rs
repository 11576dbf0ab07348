//! Export of a plan as GitHub issues: a JSON object on each line.
//!
//! `title`, `body` and `labels` are what `gh api repos/OWNER/REPO/issues` takes. `number` counts
//! from 1 in the file; `blocked_by` and `sub_issues` refer to it, and become GitHub's dependencies
//! and sub-issues once the issues have numbers of their own. A group is an issue with sub-issues.
//! Soft edges have no counterpart and are left out. The import of GitHub issues reads the file.

use std::collections::{BTreeMap, HashMap, HashSet};

use baton_model::node::Criterion;
use baton_model::visible_text::strip_invisible_keeping_emoji;
use baton_model::{Group, Node, NodeId, NodeKind, Plan};
use serde::Serialize;

use super::link::links;
use super::node_summary::{self, one_line};
use super::view::{View, node_title, visible_nodes};
use crate::pull_request::defused;

/// The longest title that GitHub accepts, in characters.
const TITLE_LIMIT: usize = 256;
const LABEL: &str = "baton";

#[derive(Serialize)]
struct Issue {
    number: usize,
    title: String,
    body: String,
    labels: [&'static str; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked_by: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sub_issues: Vec<usize>,
}

/// An issue before the others have numbers.
enum Subject<'p> {
    Group(&'p Group),
    Node(&'p Node),
}

/// `plan` as GitHub issues, in plan order. A group comes before its first node.
pub(super) fn write(plan: &Plan, view: &View) -> String {
    let subjects = subjects(plan, view);
    let numbers: HashMap<NodeId, usize> = subjects
        .iter()
        .zip(1..)
        .filter_map(|(subject, number)| match subject {
            Subject::Node(node) => Some((node.id, number)),
            Subject::Group(_) => None,
        })
        .collect();
    let mut blocked_by: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for link in links(plan, view).iter().filter(|link| !link.soft) {
        let parents = blocked_by.entry(link.child).or_default();
        let number = numbers[&link.parent];
        if !parents.contains(&number) {
            parents.push(number);
        }
    }
    let mut text = String::new();
    for (subject, number) in subjects.iter().zip(1..) {
        let issue = match subject {
            Subject::Group(group) => group_issue(group, number, &numbers),
            Subject::Node(node) => Issue {
                blocked_by: blocked_by.remove(&node.id).unwrap_or_default(),
                ..node_issue(node, number)
            },
        };
        // A map of strings and numbers can always be written.
        text.push_str(&serde_json::to_string(&issue).unwrap_or_default());
        text.push('\n');
    }
    if text.is_empty() {
        text.push('\n');
    }
    text
}

fn subjects<'p>(plan: &'p Plan, view: &'p View) -> Vec<Subject<'p>> {
    let mut begun = HashSet::new();
    let mut subjects = Vec::new();
    for node in visible_nodes(plan, view).filter(|node| node.is_executable()) {
        let mut groups = plan.groups.iter();
        if let Some(group) = groups.find(|group| group.nodes.contains(&node.id))
            && begun.insert(group.id)
        {
            subjects.push(Subject::Group(group));
        }
        subjects.push(Subject::Node(node));
    }
    subjects
}

fn group_issue(group: &Group, number: usize, numbers: &HashMap<NodeId, usize>) -> Issue {
    let nodes = group.nodes.iter();
    Issue {
        number,
        title: title(&group.title, "Group"),
        body: format!("<!-- baton group: {} -->\n", group.id),
        labels: [LABEL],
        blocked_by: Vec::new(),
        sub_issues: nodes
            .filter_map(|node| numbers.get(node).copied())
            .collect(),
    }
}

fn node_issue(node: &Node, number: usize) -> Issue {
    Issue {
        number,
        title: title(&node_title(node), node.slug.as_str()),
        body: body(node),
        labels: [LABEL],
        blocked_by: Vec::new(),
        sub_issues: Vec::new(),
    }
}

fn title(title: &str, fallback: &str) -> String {
    let line: String = one_line(title).chars().take(TITLE_LIMIT).collect();
    match line.trim() {
        "" => fallback.to_owned(),
        line => line.to_owned(),
    }
}

/// What to do and the criteria, then the node's name and id in a comment. Nothing in it mentions
/// anyone or closes an issue.
fn body(node: &Node) -> String {
    let task = match &node.kind {
        NodeKind::Agent(task) => task.prompt.clone(),
        NodeKind::LlmDecision(task) => task.prompt.clone(),
        _ => node_summary::summarize(node),
    };
    let parts = [&node.description, &task, &node.instructions];
    let texts = parts
        .iter()
        .map(|text| harmless(text))
        .filter(|text| !text.is_empty());
    let criteria = node.acceptance_criteria.iter().map(criterion);
    let criteria: Vec<String> = criteria.map(|text| format!("- [ ] {text}")).collect();
    let mut body: Vec<String> = texts.collect();
    if !criteria.is_empty() {
        body.push(criteria.join("\n"));
    }
    body.push(format!("<!-- baton node: {} {} -->\n", node.slug, node.id));
    body.join("\n\n")
}

fn criterion(criterion: &Criterion) -> String {
    harmless(&one_line(criterion.text()))
}

fn harmless(text: &str) -> String {
    let visible = strip_invisible_keeping_emoji(text.to_owned());
    let lines = visible.trim().lines().map(defused);
    lines.collect::<Vec<_>>().join("\n")
}
