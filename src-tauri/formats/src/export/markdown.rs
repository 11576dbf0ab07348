//! Export of a plan as a Markdown document.

use std::collections::HashMap;
use std::fmt::Write;

use super::link::{Link, links};
use super::node_summary::{self, one_line};
use super::view::{View, node_title, visible_nodes};
use baton_model::node::Criterion;
use baton_model::plan::Risk;
use baton_model::{Node, NodeId, NodeKind, Plan};

/// `plan` as Markdown: its goal, then all nodes in topological order with dependencies, task and
/// criteria.
pub(super) fn write(plan: &Plan, view: &View) -> String {
    let mut text = format!("# {}\n", escaped(&one_line(&plan.title)));
    // Writing to a string never fails.
    if !plan.description.trim().is_empty() {
        let _ = write!(text, "\n{}\n", quote(&plan.description));
    }
    let nodes = nodes_in_order(plan, view);
    if nodes.is_empty() {
        text.push_str("\nThe plan has no nodes yet.\n");
    }
    let links = links(plan, view);
    let numbers: HashMap<NodeId, usize> = nodes
        .iter()
        .zip(1..)
        .map(|(node, number)| (node.id, number))
        .collect();
    for node in &nodes {
        write_node(&mut text, node, &numbers, &links, view);
    }
    write_risks(&mut text, &plan.risks);
    if let Some(context) = plan.context.markdown() {
        let _ = write!(text, "\n## Context\n\n{}\n", quote(&context));
    }
    let notes = visible_nodes(plan, view).filter_map(|node| match &node.kind {
        NodeKind::Note(note) => Some(note.text.trim()),
        _ => None,
    });
    for (at, note) in notes.filter(|note| !note.is_empty()).enumerate() {
        let head = if at == 0 { "\n## Notes\n" } else { "" };
        let _ = write!(text, "{head}\n{}\n", quote(note));
    }
    text
}

fn write_risks(text: &mut String, risks: &[Risk]) {
    for (at, risk) in risks.iter().enumerate() {
        let head = if at == 0 { "\n## Risks\n\n" } else { "" };
        let _ = write!(text, "{head}- {}", escaped(&one_line(&risk.text)));
        let mitigation = risk.mitigation.as_deref().map(one_line);
        let _ = match mitigation {
            Some(mitigation) => writeln!(text, " ({})", escaped(&mitigation)),
            None => writeln!(text),
        };
    }
}

fn write_node(
    text: &mut String,
    node: &Node,
    numbers: &HashMap<NodeId, usize>,
    links: &[Link],
    view: &View,
) {
    let _ = write!(
        text,
        "\n## {}. {}\n\n",
        numbers[&node.id],
        escaped(&node_title(node))
    );
    let mut facts = vec![format!(
        "{} `{}`",
        node.kind.as_str().replace('_', " "),
        node.slug
    )];
    facts.extend(node.disabled.then(|| "disabled".to_owned()));
    facts.extend(
        view.states
            .get(&node.id)
            .map(|state| format!("**{state}**")),
    );
    let _ = writeln!(text, "- {}", facts.join(", "));
    let parents = links.iter().filter(|link| link.child == node.id);
    let after: Vec<_> = parents.map(|link| describe_parent(link, numbers)).collect();
    if !after.is_empty() {
        let _ = writeln!(text, "- After {}", after.join(", "));
    }
    let work = node_summary::summarize(node);
    if !work.is_empty() {
        let work = if node_summary::is_code(node) {
            code(&work)
        } else {
            escaped(&work)
        };
        let _ = writeln!(text, "- {work}");
    }
    let task = match &node.kind {
        NodeKind::Agent(task) => task.prompt.trim(),
        NodeKind::LlmDecision(task) => task.prompt.trim(),
        _ => "",
    };
    for words in [node.description.trim(), task, node.instructions.trim()] {
        if !words.is_empty() {
            let _ = write!(text, "\n{}\n", quote(words));
        }
    }
    if !node.acceptance_criteria.is_empty() {
        text.push('\n');
    }
    for criterion in &node.acceptance_criteria {
        let _ = writeln!(text, "- [ ] {}", describe_criterion(criterion));
    }
}

fn describe_parent(link: &Link, numbers: &HashMap<NodeId, usize>) -> String {
    let number = numbers[&link.parent];
    match (link.branch_label, link.soft) {
        (Some(branch_label), _) => format!("{number} ({branch_label})"),
        (None, _) if link.inferred => format!("{number} (inferred)"),
        (None, true) => format!("{number} (if it has a handoff)"),
        (None, false) => number.to_string(),
    }
}

fn describe_criterion(criterion: &Criterion) -> String {
    match criterion {
        Criterion::Run { run, .. } => code(&one_line(run)),
        Criterion::Sentence(words) | Criterion::Ask { ask: words } => escaped(&one_line(words)),
    }
}

/// Topological order, otherwise in the order of the plan. Nodes on a cycle come last.
fn nodes_in_order<'a>(plan: &'a Plan, view: &'a View) -> Vec<&'a Node> {
    let mut left: Vec<&Node> = visible_nodes(plan, view)
        .filter(|node| node.is_executable())
        .collect();
    let links = links(plan, view);
    let mut open: HashMap<NodeId, usize> = HashMap::new();
    let mut children: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for link in &links {
        *open.entry(link.child).or_default() += 1;
        children.entry(link.parent).or_default().push(link.child);
    }
    let at: HashMap<NodeId, usize> = left
        .iter()
        .zip(0..)
        .map(|(node, at)| (node.id, at))
        .collect();
    let mut free: std::collections::BTreeSet<usize> = left
        .iter()
        .zip(0..)
        .filter(|(node, _)| !open.contains_key(&node.id))
        .map(|(_, at)| at)
        .collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(next) = free.pop_first() {
        order.push(left[next]);
        for child in children.get(&left[next].id).into_iter().flatten() {
            let waits = open.entry(*child).or_default();
            *waits = waits.saturating_sub(1);
            if *waits == 0 {
                free.insert(at[child]);
            }
        }
    }
    let known: std::collections::HashSet<NodeId> = order.iter().map(|node| node.id).collect();
    left.retain(|node| !known.contains(&node.id));
    order.extend(left);
    order
}

/// Escapes text within a line, so that none of it is Markdown syntax.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if matches!(
            char,
            '\\' | '`'
                | '*'
                | '_'
                | '{'
                | '}'
                | '['
                | ']'
                | '<'
                | '>'
                | '#'
                | '|'
                | '~'
                | '!'
                | '&'
        ) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    // At the start of a line this would begin a list item.
    match escaped.chars().next() {
        Some('-' | '+') => format!("\\{escaped}"),
        _ => escaped,
    }
}

/// Inline code, between as many backticks as necessary.
fn code(text: &str) -> String {
    let longest = text
        .split(|char| char != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let mark = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{mark}{space}{text}{space}{mark}")
}

/// A fenced code block with a fence that does not occur in the text.
fn quote(text: &str) -> String {
    let longest = text
        .split(|char| char != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}
