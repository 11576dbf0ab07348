//! Writes a plan as a document. What a line of text would change when it is read again stands in a
//! block of YAML instead.

use super::super::document::{Document, Entries, json};
use super::super::{context_writer, plan_writer, yaml_text};
use super::body;
use super::context_section::{self, ArtifactLine};
use super::document_header::DocumentHeader;
use super::front_matter::ALIASES;
use super::risk_line;
use super::step_line::{StepLine, ToolMention};
use super::step_text::StepText;
use baton_model::node::NodeKind;
use baton_model::plan::{ContextArtifact, PlanContext, Risk};
use baton_model::visible_text::escape_invisible_json;
use baton_model::{Edge, Node, Plan, Slug};

/// The document of `plan` with `plans` embedded.
pub(in super::super) fn write(
    plan: &Plan,
    plans: &[(String, Plan)],
    header: &DocumentHeader,
) -> String {
    let mut entries = match plan_writer::from_plan(plan, plans) {
        Document::Map(entries) => entries,
        _ => Vec::new(),
    };
    let nodes = match take(&mut entries, "nodes") {
        Some(Document::Blocks(nodes)) => nodes,
        _ => Vec::new(),
    };
    let mut body = String::new();
    if !plan.description.is_empty() && body::is_goal(&plan.description) {
        take(&mut entries, "description");
        body.extend(["\n", &plan.description, "\n"]);
    }
    put_steps(plan, nodes, &mut body);
    if let Some(text) = context(&plan.context) {
        take(&mut entries, "context");
        body.push_str(&text);
    }
    if let Some(text) = risks(&plan.risks) {
        take(&mut entries, "risks");
        body.push_str(&text);
    }
    let front = yaml_text::write(&Document::Map(front_matter(header, entries)));
    format!("---\n{front}---\n{body}")
}

fn take(entries: &mut Vec<(String, Document)>, key: &str) -> Option<Document> {
    let at = entries.iter().position(|(other, _)| other == key)?;
    Some(entries.remove(at).1)
}

/// The facts about the document, then what describes the plan, then its settings.
fn front_matter(
    header: &DocumentHeader,
    mut entries: Vec<(String, Document)>,
) -> Vec<(String, Document)> {
    let mut front = Entries::default();
    front.some("id", header.id.as_deref());
    front.some("title", take(&mut entries, "title"));
    front.some("status", header.status.map(|status| status.as_str()));
    front.some("version", header.version);
    front.some("created_at", header.created_at.as_deref());
    front.some("updated_at", header.updated_at.as_deref());
    for (alias, key) in ALIASES {
        front.some(alias, take(&mut entries, key));
    }
    front.some("execution_session", header.execution_session.as_deref());
    let started = header.execution_started_at.as_deref();
    front.some("execution_started_at", started);
    let ended = header.execution_ended_at.as_deref();
    front.some("execution_ended_at", ended);
    front.some("result_summary", header.result_summary.as_deref());
    front.0.extend(entries);
    front.0
}

fn put_steps(plan: &Plan, nodes: Vec<Document>, body: &mut String) {
    body.push_str("\n## Steps\n\n");
    let mut previous: Option<&Node> = None;
    for ((node, document), number) in plan.nodes.iter().zip(nodes).zip(1_usize..) {
        let Document::Map(entries) = document else {
            continue;
        };
        let entries = without_order(plan, node, previous, entries);
        put_step(number, node, entries, body);
        if node.is_executable() {
            previous = Some(node);
        }
    }
}

/// The entries without dependencies that the order says, and with an empty list where the order
/// would say some.
fn without_order(
    plan: &Plan,
    node: &Node,
    previous: Option<&Node>,
    mut entries: Vec<(String, Document)>,
) -> Vec<(String, Document)> {
    let Some(previous) = previous.filter(|_| node.is_executable()) else {
        return entries;
    };
    let mut parents = plan.edges.iter().filter(|edge| edge.child == node.id);
    let is_after = |edge: &Edge| edge.parent == previous.id && !edge.soft && !edge.inferred;
    match (parents.next(), parents.next()) {
        (Some(edge), None) if is_after(edge) => {
            take(&mut entries, "dependsOn");
        }
        (None, _) => entries.push(("dependsOn".to_owned(), Document::List(Vec::new()))),
        _ => {}
    }
    entries
}

fn put_step(number: usize, node: &Node, mut entries: Vec<(String, Document)>, body: &mut String) {
    let marker = format!("{number}. ");
    take(&mut entries, "title");
    let line = match line_text(node) {
        Some(line) if line != node.title => {
            take(&mut entries, "prompt");
            take(&mut entries, "toolsRequired");
            line.to_owned()
        }
        Some(line) => line.to_owned(),
        None => {
            entries.insert(0, ("title".to_owned(), node.title.as_str().into()));
            shown_title(&node.title)
        }
    };
    if node.slug == Slug::from_title(&node.title) {
        take(&mut entries, "id");
    }
    body.extend([&marker, line.as_str(), "\n"]);
    let indent = " ".repeat(marker.len());
    if let Some(description) = description(node, &marker) {
        take(&mut entries, "description");
        body.extend(["\n", &description, "\n"]);
    }
    if !entries.is_empty() {
        let block = fenced("yaml", &yaml_text::write(&Document::Map(entries)));
        body.extend(["\n", &indented(&block, &indent), "\n"]);
    }
}

/// What the line of `node` says, if it is read as the same: its title, or its prompt when that is
/// its title with its only tool. `None` if its title can't be in a line.
fn line_text(node: &Node) -> Option<&str> {
    let title = node.title.as_str();
    if let NodeKind::Agent(task) = &node.kind
        && let [tool] = node.tools_required.as_slice()
        && is_line(&task.prompt)
        && ToolMention::read(&task.prompt) == Some(ToolMention { title, tool })
    {
        return Some(&task.prompt);
    }
    let is_own = is_line(title) && ToolMention::read(title).is_none();
    is_own.then_some(title)
}

fn is_line(text: &str) -> bool {
    let line = format!("1. {text}");
    let is_one_line = !text.contains(['\n', '\r']);
    is_one_line && StepLine::read(&line).map(|line| line.text) == Some(text)
}

/// A title for people, where the title itself is in the block.
fn shown_title(title: &str) -> String {
    let words: Vec<&str> = title
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    match words.is_empty() {
        true => "Step".to_owned(),
        false => words.join(" "),
    }
}

/// The description of `node` below its line, if it is read as the same.
fn description(node: &Node, marker: &str) -> Option<String> {
    let text = node.description.as_str();
    let written = indented(text, &" ".repeat(marker.len()));
    let document = format!("## Steps\n\n{marker}Step\n\n{written}\n");
    let lines: Vec<&str> = document.split('\n').collect();
    let mut faults = super::Faults::default();
    let sections = body::sections(&lines, 0, &mut faults);
    let [_, steps] = sections.as_slice() else {
        return None;
    };
    let (line, below) = steps.lines.split_at_checked(2)?;
    let begins_another = below
        .iter()
        .any(|line| line.role == body::LineRole::Outside && StepLine::read(line.text).is_some());
    let step = StepText::read(line[1], StepLine::read(line[1].text)?, below);
    let is_same = step.block.is_none() && step.description() == text;
    (!text.is_empty() && faults.is_empty() && !begins_another && !text.contains('\r') && is_same)
        .then_some(written)
}

fn indented(text: &str, indent: &str) -> String {
    let line = |line: &str| match line.is_empty() {
        true => String::new(),
        false => format!("{indent}{line}"),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// `code`, which ends in a line break, in a code block that nothing in it ends.
fn fenced(language: &str, code: &str) -> String {
    let runs = code.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}{language}\n{code}{fence}")
}

/// The section of the context; `None` if there is nothing in it, or if it can't be one.
fn context(context: &PlanContext) -> Option<String> {
    if context.is_default()
        || (!context.notes.is_empty() && !context_section::is_notes(&context.notes))
    {
        return None;
    }
    let artifacts: Option<Vec<String>> = context.artifacts.iter().map(artifact_line).collect();
    let artifacts = artifacts?;
    let mut text = "\n## Context\n".to_owned();
    if !context.tool_outputs.is_empty() {
        let outputs = escape_invisible_json(&json(&context_writer::tool_outputs(context)));
        text.extend(["\n### Tool Outputs\n\n", &fenced("json", &outputs), "\n"]);
    }
    if !context.notes.is_empty() {
        text.extend(["\n### Notes\n\n", &context.notes, "\n"]);
    }
    if !artifacts.is_empty() {
        text.extend(["\n### Artifacts\n\n", &artifacts.join("\n"), "\n"]);
    }
    Some(text)
}

fn artifact_line(artifact: &ContextArtifact) -> Option<String> {
    let (name, path) = (artifact.name.as_str(), artifact.path.as_deref());
    let line = match path {
        Some(path) => format!("- {name} → {path}"),
        None => format!("- {name}"),
    };
    let is_plain = !line.contains(['\n', '\r']) && !name.is_empty();
    let is_same = ArtifactLine::read(&line) == Some(ArtifactLine { name, path });
    (is_plain && is_same).then_some(line)
}

/// The section of the risks; `None` if there are none, or if one can't be a line.
fn risks(risks: &[Risk]) -> Option<String> {
    let lines: Option<Vec<String>> = risks
        .iter()
        .map(|risk| risk_line::line(&risk.text, risk.mitigation.as_deref()))
        .collect();
    let lines = lines.filter(|lines| !lines.is_empty())?;
    Some(format!("\n## Risks\n\n{}\n", lines.join("\n")))
}
