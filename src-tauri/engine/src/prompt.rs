//! The prompts for agents: the task, the handoffs of the parents, and the rules for the agent's own
//! handoff.

use std::collections::BTreeSet;

use baton_model::context::{EARLIER_ATTEMPTS, NodeContext};
use baton_model::node::{AgentTask, Criterion, Node};
use baton_model::run::{Conflict, ConflictKind};
use baton_model::{Plan, Slug};

/// Asks an agent for its handoff after its work.
pub(crate) const HANDOFF_PROMPT: &str = "\
Summarize what was accomplished in this step, for the agents that continue from here.
Start your response with exactly \"**What was done:**\" and include ONLY completed work. Use no tools.
Format:

**What was done:**
<2-3 sentences summarizing completed work>

**Files changed:**
<list of file paths created or modified>

**Decisions:**
<key decisions made, if any>

Keep it under 200 words. Be specific and factual. Do NOT include plans, next steps, or things still to do.";

/// The end of a node's prompt.
const CLOSING: &str = "\
Complete this step. Be thorough but focused on THIS step only.
If a part of it fails, stop there. Do not undo earlier work unless you are told to. Report what succeeded, what failed \
and what was left.";

/// The prompt for an agent whose interrupted session is resumed.
pub(crate) const RESUME_PROMPT: &str = "\
Your work on this step was interrupted. Check how far it got by looking at the \
files, not only from memory, and finish the step. Do not repeat what is already done.";

/// Asks an agent for a summary after it has resolved a conflict.
pub(crate) const MERGE_QUESTION: &str =
    "Say in one or two sentences how you resolved the conflict.";

/// The prompt for an agent that resolves a conflict between the work of several nodes.
pub(crate) fn merge_prompt(conflict: &Conflict, plan: &Plan, node: &Node) -> String {
    let place = format!(
        "the work of several steps of the plan \"{}\" was merged, before the step \"{}\"",
        plan.title, node.title
    );
    format!(
        "{} Do not begin with the step itself.",
        conflict_prompt(conflict, &place)
    )
}

/// The prompt for an agent that resolves a conflict while the work of the plan `title` is merged
/// back into the plan's directory.
#[must_use]
pub fn merge_back_prompt(conflict: &Conflict, title: &str) -> String {
    let place = format!("the work of the plan \"{title}\" was merged with the plan's directory");
    conflict_prompt(conflict, &place)
}

fn conflict_prompt(conflict: &Conflict, place: &str) -> String {
    let Conflict {
        ours,
        theirs,
        files,
        ..
    } = conflict;
    let listed = files
        .iter()
        .map(|file| format!("- {} ({})", file.path, conflict_kind_label(file.kind)));
    let listed = listed.collect::<Vec<_>>().join("\n");
    format!(
        "You are in a git worktree in which {place}. There are conflicts.\n\nIn each conflict, the part above the \
         middle marker is the first side: {ours}. The part below is the second side: {theirs}.\n\nFiles in conflict:\n{listed}\n\nResolve every conflict so that the \
         intention of both sides is kept. Leave no conflict markers. For a binary file, or a file that one side deleted, decide \
         which side to use, and get it with `git show :2:PATH` (first side) or `git show :3:PATH` (second side). Change \
         nothing else, and do not commit."
    )
}

fn conflict_kind_label(kind: ConflictKind) -> &'static str {
    match kind {
        ConflictKind::Lines => "both changed the same lines",
        ConflictKind::Binary => "both changed this binary file",
        ConflictKind::Deleted => "one side changed it, the other deleted it",
        ConflictKind::Other => "moved or replaced",
    }
}

/// The prompt of an agent node, before its templates are filled in.
///
/// `context_file` holds everything in `received`, and is referenced when that is too long for a
/// prompt.
pub(crate) fn task_prompt(
    plan: &Plan,
    node: &Node,
    task: &AgentTask,
    cwd: &str,
    context_file: &str,
    received: &NodeContext<'_>,
) -> String {
    let executable = || plan.nodes.iter().filter(|node| node.is_executable());
    let position = executable()
        .position(|other| other.id == node.id)
        .map_or(0, |index| index + 1);
    let mut prompt = format!(
        "You are executing step {position}/{} of a plan: \"{}\"\n",
        executable().count(),
        plan.title
    );
    section(&mut prompt, "Purpose of the whole plan", &plan.description);
    if !plan.settings.constraints.is_empty() {
        section(
            &mut prompt,
            "Constraints",
            &list(&plan.settings.constraints),
        );
    }
    section(
        &mut prompt,
        "Context from previous steps",
        &received.inline(context_file),
    );
    section(&mut prompt, EARLIER_ATTEMPTS, &received.earlier_attempts());
    let wanted = if task.prompt.trim().is_empty() {
        &node.description
    } else {
        &task.prompt
    };
    let wanted = if wanted.trim().is_empty() {
        &node.title
    } else {
        wanted
    };
    section(&mut prompt, "Your task", wanted);
    section(&mut prompt, "Instructions", &node.instructions);
    if !node.acceptance_criteria.is_empty() {
        section(
            &mut prompt,
            "Acceptance criteria",
            &list(
                &node
                    .acceptance_criteria
                    .iter()
                    .map(Criterion::prompt_text)
                    .collect::<Vec<_>>(),
            ),
        );
    }
    section(&mut prompt, "Named outputs", &outputs_wanted(plan, node));
    section(&mut prompt, "Tools", &tools_allowed(node));
    section(&mut prompt, "Working directory", cwd);
    prompt.extend(["\n", CLOSING, "\n"]);
    prompt
}

/// The tools that the agent may use; empty when the node has no list.
fn tools_allowed(node: &Node) -> String {
    match node.tools_required.as_slice() {
        [] => String::new(),
        tools => format!("Use only these tools: {}", tools.join(", ")),
    }
}

/// Describes how the agent passes on the values that other nodes use; empty when none does.
fn outputs_wanted(plan: &Plan, node: &Node) -> String {
    let names: Vec<String> = named_outputs(plan, &node.slug)
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "Later steps need these values from you: {}. Append one line `name=value` for each to the file that the \
         environment variable BATON_OUTPUT names, for instance by: echo \"name=value\" >> \"$BATON_OUTPUT\"",
        names.join(", ")
    )
}

/// The outputs of `slug` that templates and conditions of other nodes refer to as
/// `nodes.<slug>.outputs.<key>`.
fn named_outputs(plan: &Plan, slug: &Slug) -> BTreeSet<String> {
    let wanted = format!("nodes.{slug}.outputs.");
    let mut names = BTreeSet::new();
    for other in plan.nodes.iter().filter(|other| other.slug != *slug) {
        let texts = [&other.description, &other.instructions]
            .into_iter()
            .cloned();
        let kind = serde_json::to_string(&other.kind).unwrap_or_default();
        let criteria = other
            .acceptance_criteria
            .iter()
            .map(|criterion| criterion.text().to_owned());
        for text in texts.chain([kind]).chain(criteria) {
            names.extend(
                text.split(&wanted)
                    .skip(1)
                    .map(name_at_the_start)
                    .filter(|name| !name.is_empty()),
            );
        }
    }
    names
}

fn name_at_the_start(text: &str) -> String {
    let name: String = text
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "_-.".contains(*c))
        .collect();
    name.trim_end_matches(['.', '-']).to_owned()
}

fn section(prompt: &mut String, heading: &str, body: &str) {
    let body = body.trim();
    if !body.is_empty() {
        prompt.extend(["\n## ", heading, "\n", body, "\n"]);
    }
}

fn list(items: &[String]) -> String {
    items.iter().map(|item| format!("- {item}\n")).collect()
}

#[cfg(test)]
mod tests {
    use baton_model::node::{CommandLine, CommandTask, ConditionTask, NodeKind};
    use baton_model::{NodeId, PlanId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn prompt_lists_outputs_used_by_other_nodes() {
        let node = |number: u128, slug: &str, kind| {
            Node::new(
                NodeId(Uuid::from_u128(number)),
                Slug::new(slug).expect("valid slug"),
                slug,
                kind,
            )
        };
        let task = AgentTask {
            prompt: "Count.".to_owned(),
            ..AgentTask::default()
        };
        let line = "echo {{nodes.count-all.outputs.total}} {{nodes.other.outputs.x}}".to_owned();
        let command = CommandTask {
            command: CommandLine::Shell(line),
            env: Default::default(),
            cwd: None,
        };
        let condition = "nodes.count-all.outputs.ok == 'yes'".to_owned();
        let fork = ConditionTask {
            condition,
            true_step: None,
            false_step: None,
        };
        let mut plan = Plan::new(PlanId(Uuid::nil()), "Plan".to_owned());
        plan.nodes = vec![
            node(1, "count-all", NodeKind::Agent(task.clone())),
            node(2, "other", NodeKind::Command(command)),
            node(3, "fork", NodeKind::Condition(fork)),
        ];
        let prompt_of = |index: usize| {
            task_prompt(
                &plan,
                &plan.nodes[index],
                &task,
                "/w",
                "context.md",
                &NodeContext::default(),
            )
        };
        assert!(
            prompt_of(0).contains("these values from you: `ok`, `total`. Append"),
            "{}",
            prompt_of(0)
        );
        assert!(
            !prompt_of(2).contains("Named outputs"),
            "no node uses its outputs"
        );
    }

    #[test]
    fn prompt_lists_tools_and_failure_instructions() {
        let task = AgentTask {
            prompt: "Write.".to_owned(),
            ..AgentTask::default()
        };
        let slug = Slug::new("write").expect("valid slug");
        let mut node = Node::new(
            NodeId(Uuid::nil()),
            slug,
            "Write",
            NodeKind::Agent(task.clone()),
        );
        let plan = Plan::new(PlanId(Uuid::nil()), "Plan".to_owned());
        let prompt_of = |node: &Node| {
            task_prompt(
                &plan,
                node,
                &task,
                "/w",
                "context.md",
                &NodeContext::default(),
            )
        };
        assert!(
            !prompt_of(&node).contains("Use only these tools"),
            "no list, no limit"
        );
        node.tools_required = vec!["Read".to_owned(), "Write".to_owned()];
        let prompt = prompt_of(&node);
        assert!(
            prompt.contains("\n## Tools\nUse only these tools: Read, Write\n"),
            "{prompt}"
        );
        let end = "If a part of it fails, stop there. Do not undo earlier work unless you are told to. Report what \
                   succeeded, what failed and what was left.\n";
        assert!(prompt.ends_with(end), "{prompt}");
    }
}
