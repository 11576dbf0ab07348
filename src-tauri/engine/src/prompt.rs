//! What an agent is told (product A2, A4; the wording is the one of the user's seed S3).

use baton_model::context::{self, HandedOn};
use baton_model::node::{AgentTask, Criterion, Node};
use baton_model::{Artifact, Plan};

/// What an agent is asked after its work, so that its children know of it.
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

/// What an agent is told whose session goes on after it was broken off.
pub(crate) const RESUME_PROMPT: &str = "\
Your work on this step was broken off in the middle. Look at how far it came, by the files and not by memory alone, \
and finish the step. Do not repeat what is done already.";

/// The prompt of an agent node, before its templates are filled in.
///
/// `parents` are the titles and handoffs of the node's parents, soft ones included; `context_file` holds them all,
/// and is referred to when they are too long for a prompt.
pub(crate) fn task_prompt(
    plan: &Plan,
    node: &Node,
    task: &AgentTask,
    cwd: &str,
    context_file: &str,
    parents: &[(String, Option<Artifact>)],
) -> String {
    let executable = || plan.nodes.iter().filter(|node| node.is_executable());
    let position = executable().position(|other| other.id == node.id).map_or(0, |index| index + 1);
    let mut prompt =
        format!("You are executing step {position}/{} of a plan: \"{}\"\n", executable().count(), plan.title);
    section(&mut prompt, "What the whole plan is for", &plan.description);
    if !plan.settings.constraints.is_empty() {
        section(&mut prompt, "Constraints", &list(&plan.settings.constraints));
    }
    if !parents.is_empty() {
        let parents = parents.iter().map(|(title, artifact)| HandedOn { title, artifact: artifact.as_ref() });
        section(&mut prompt, "Context from previous steps", &context::inline(parents, context_file));
    }
    let wanted = if task.prompt.trim().is_empty() { &node.description } else { &task.prompt };
    let wanted = if wanted.trim().is_empty() { &node.title } else { wanted };
    section(&mut prompt, "Your task", wanted);
    section(&mut prompt, "Instructions", &node.instructions);
    if !node.acceptance_criteria.is_empty() {
        section(
            &mut prompt,
            "Acceptance criteria",
            &list(&node.acceptance_criteria.iter().map(Criterion::told).collect::<Vec<_>>()),
        );
    }
    section(&mut prompt, "Working directory", cwd);
    prompt.push_str("\nComplete this step. Be thorough but focused on THIS step only.\n");
    prompt
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
