//! Builds a plan from the tasks of a source.

use std::collections::{HashMap, HashSet};

use baton_model::node::{AgentTask, Criterion};
use baton_model::plan::{Source, TITLE_LENGTH_LIMIT};
use baton_model::template_text;
use baton_model::visible_text::{strip_invisible_keeping_emoji, visible_line};
use baton_model::{Color, Edge, Group, GroupId, Node, NodeId, NodeKind, Plan, PlanId, Slug};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::draft::{Draft, Task};
use super::fault::{ImportError, ImportFault, ImportFaultKind};
use super::source_field::{self, IMPORT};
use super::status::{SourceStatus, TaskStatus};
use super::warning::{ImportWarning, ImportWarningKind};
use super::{ImportFormat, Imported, TASK_LIMIT};

mod edges;

/// The plan of `draft`, and what a person should know about it.
pub(super) fn build(
    draft: Draft,
    format: ImportFormat,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<Imported, ImportError> {
    let path = draft
        .tasks
        .first()
        .map_or_else(String::new, |task| task.place.path.clone());
    if draft.tasks.len() > TASK_LIMIT {
        return Err(ImportFault::new(path, None, ImportFaultKind::TooManyTasks).into());
    }
    refuse_duplicate_ids(&draft)?;
    let mut warnings = draft.warnings.clone();
    let mut plan = Plan::new(PlanId(ids()), title(&draft.title, "Imported plan"));
    plan.description = text(&draft.description);
    plan.settings = draft.settings.clone();
    plan.origin.source = Source::Import;
    plan.origin.created_by.clone_from(&draft.created_by);
    plan.origin.informed_by.clone_from(&draft.informed_by);
    let mut slugs = HashSet::new();
    for task in &draft.tasks {
        let slug = unique_slug(&task.id, &mut slugs);
        let node = node(task, &draft, slug, NodeId(ids()), &mut warnings);
        plan.nodes.push(node);
    }
    let found = edges::resolve(&draft, &plan, &path, &mut warnings)?;
    plan.edges = found.edges;
    for (at, criteria) in found.end_criteria {
        plan.nodes[at].acceptance_criteria.extend(criteria);
    }
    plan.groups = groups(&draft, &plan, ids, &mut warnings);
    for (task, node) in draft.tasks.iter().zip(&mut plan.nodes) {
        remember_node(node, task, format);
    }
    remember_plan(&mut plan, &draft, format);
    warn_of_status(&draft, &mut warnings);
    let inferred = plan.inferred_edges().count();
    if inferred > 0 {
        let kind = ImportWarningKind::Inferred { count: inferred };
        warnings.push(ImportWarning::of_plan(kind));
    }
    Ok(Imported {
        name: draft.name,
        plan,
        warnings,
    })
}

fn refuse_duplicate_ids(draft: &Draft) -> Result<(), ImportError> {
    let tasks = draft.tasks.iter().map(|task| (&task.id, &task.place));
    let groups = draft.groups.iter().map(|group| (&group.id, &group.place));
    let mut first = HashMap::new();
    for (id, place) in tasks.chain(groups) {
        if let Some(first) = first.insert(id, place.line) {
            let at = crate::plan_file::SourceLocation {
                line: place.line,
                column: 1,
            };
            let id = id.clone();
            let kind = ImportFaultKind::DuplicateId { id, first };
            return Err(ImportFault::new(&place.path, Some(at), kind).into());
        }
    }
    Ok(())
}

fn node(
    task: &Task,
    draft: &Draft,
    slug: Slug,
    id: NodeId,
    warnings: &mut Vec<ImportWarning>,
) -> Node {
    let title = title(&task.title, slug.as_str());
    let mut has_expression = false;
    let mut plain = |words: &str| without_expressions(words, &mut has_expression);
    let prompt = match task.prompt.trim() {
        "" if task.description.trim().is_empty() => plain(&title),
        _ => plain(&task.prompt),
    };
    let contexts = draft.group_chain(task.group).into_iter().rev();
    let contexts = contexts.map(|group| draft.groups[group].context.as_str());
    let instructions: Vec<String> = contexts
        .chain([task.instructions.as_str()])
        .filter(|words| !words.trim().is_empty())
        .map(&mut plain)
        .collect();
    let kind = NodeKind::Agent(AgentTask {
        prompt,
        ..AgentTask::default()
    });
    let mut node = Node::new(id, slug, title, kind);
    node.description = plain(&task.description);
    node.instructions = instructions.join("\n\n");
    node.acceptance_criteria = task
        .criteria
        .iter()
        .map(|criterion| criterion.with_text(plain(criterion.text())))
        .filter(|criterion| !criterion.is_empty())
        .collect();
    node.priority = task.priority.unwrap_or(node.priority).clamp(1, 10);
    node.trigger_rule = task.trigger_rule;
    node.suggested_agent.clone_from(&task.suggested_agent);
    node.disabled = task.status.is_finished();
    if has_expression {
        let task_label = task.label();
        let kind = ImportWarningKind::Expression { task: task_label };
        warnings.push(ImportWarning::at(&task.place.path, task.place.line, kind));
    }
    node
}

/// A source's text is no template: braces that Baton would replace are escaped.
fn without_expressions(words: &str, found: &mut bool) -> String {
    let words = text(words);
    let escaped = template_text::escape(&words);
    *found |= escaped != words;
    escaped.into_owned()
}

fn text(words: &str) -> String {
    strip_invisible_keeping_emoji(words.replace("\r\n", "\n"))
        .trim()
        .to_owned()
}

fn title(words: &str, fallback: &str) -> String {
    let line: String = visible_line(words)
        .chars()
        .take(TITLE_LENGTH_LIMIT)
        .collect();
    match line.trim() {
        "" => fallback.to_owned(),
        line => line.to_owned(),
    }
}

/// A slug that depends on the id alone, so that a changed title keeps it.
fn unique_slug(id: &str, taken: &mut HashSet<Slug>) -> Slug {
    let is_named = id.starts_with(|c: char| c.is_ascii_alphabetic());
    let slug = match Slug::new(id) {
        Ok(slug) if is_named => slug,
        _ => Slug::from_title(&format!("task {id}")),
    };
    let numbered = (2..).map(|number| Slug::from_title(&format!("{} {number}", slug.as_str())));
    let short = |number: usize| Slug::from_title(&format!("task no {number}"));
    let free = std::iter::once(slug.clone())
        .chain(numbered.take(20))
        .chain((1..).map(short))
        .find(|slug| !taken.contains(slug))
        .unwrap_or(slug);
    taken.insert(free.clone());
    free
}

/// Outer groups with all their tasks. Plans have no groups in groups.
fn groups(
    draft: &Draft,
    plan: &Plan,
    ids: &mut dyn FnMut() -> Uuid,
    warnings: &mut Vec<ImportWarning>,
) -> Vec<Group> {
    let outer = |group: Option<usize>| draft.group_chain(group).last().copied();
    let mut members: Vec<Vec<NodeId>> = vec![Vec::new(); draft.groups.len()];
    for (task, node) in draft.tasks.iter().zip(&plan.nodes) {
        if let Some(group) = outer(task.group) {
            members[group].push(node.id);
        }
    }
    for group in draft.groups.iter().filter(|group| group.parent.is_some()) {
        let title = title(&group.title, &group.id);
        let kind = ImportWarningKind::NestedGroup { title };
        warnings.push(ImportWarning::at(&group.place.path, group.place.line, kind));
    }
    let drawn = draft.groups.iter().zip(members);
    drawn
        .filter(|(_, nodes)| !nodes.is_empty())
        .map(|(group, nodes)| Group {
            id: GroupId(ids()),
            title: title(&group.title, &group.id),
            color: Color::default(),
            nodes,
        })
        .collect()
}

fn warn_of_status(draft: &Draft, warnings: &mut Vec<ImportWarning>) {
    let (mut finished, mut started) = (0, 0);
    for task in &draft.tasks {
        match &task.status {
            SourceStatus::Known { status, .. } if status.is_finished() => finished += 1,
            SourceStatus::Known { status, .. } if *status == TaskStatus::Started => started += 1,
            SourceStatus::Missing | SourceStatus::Known { .. } => {}
            SourceStatus::Unknown(status) => {
                let kind = ImportWarningKind::UnknownStatus {
                    task: task.label(),
                    status: status.clone(),
                };
                warnings.push(ImportWarning::at(&task.place.path, task.place.line, kind));
            }
        }
    }
    let counted = [
        (finished, ImportWarningKind::Finished { count: finished }),
        (started, ImportWarningKind::Started { count: started }),
    ];
    for (_, kind) in counted.into_iter().filter(|(count, _)| *count > 0) {
        warnings.push(ImportWarning::of_plan(kind));
    }
}

fn remember_node(node: &mut Node, task: &Task, format: ImportFormat) {
    let mut import = Map::new();
    import.insert("format".to_owned(), format.as_str().into());
    import.insert("id".to_owned(), task.id.as_str().into());
    if let Some(word) = task.status.word() {
        import.insert("status".to_owned(), word.into());
    }
    import.extend(task.remembered.clone());
    source_field::remember_node(&mut import, node);
    node.metadata
        .insert(IMPORT.to_owned(), Value::Object(import));
}

/// What the source has is remembered, so that a second import can tell what a person has added or
/// removed.
fn remember_plan(plan: &mut Plan, draft: &Draft, format: ImportFormat) {
    let ids: HashMap<NodeId, &str> = plan
        .nodes
        .iter()
        .zip(&draft.tasks)
        .map(|(node, task)| (node.id, task.id.as_str()))
        .collect();
    let edges: Vec<Value> = plan
        .edges
        .iter()
        .map(|Edge { parent, child, .. }| json!([ids[parent], ids[child]]))
        .collect();
    let mut import = Map::new();
    import.insert("format".to_owned(), format.as_str().into());
    if !draft.name.is_empty() {
        import.insert("name".to_owned(), draft.name.as_str().into());
    }
    source_field::remember_plan(&mut import, plan);
    let tasks: Vec<&str> = draft.tasks.iter().map(|task| task.id.as_str()).collect();
    import.insert("tasks".to_owned(), tasks.into());
    let groups: Vec<&str> = plan
        .groups
        .iter()
        .map(|group| group.title.as_str())
        .collect();
    if !groups.is_empty() {
        import.insert("groups".to_owned(), groups.into());
    }
    import.insert("edges".to_owned(), edges.into());
    plan.metadata
        .insert(IMPORT.to_owned(), Value::Object(import));
}

/// Criteria for the nodes at the end of a group, by the index of the node.
type EndCriteria = Vec<(usize, Vec<Criterion>)>;
