//! What an approval lets agents do: which tools they may use unasked, and which agents cannot be held to that.

use baton_agents::ToolScope;
use baton_model::node::{AgentTask, NodeKind};
use baton_model::plan::Autonomy;
use baton_model::{Node, Plan, ReviewState};

use super::at_work;
use crate::check::{Check, CheckVerdict};
use crate::{Context, PlanningError};

/// The most nodes that a sentence names.
const NAMED: usize = 5;

/// Tells of agents that the level of autonomy does not hold.
pub(super) fn check(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    let plan = context.engine.run_defaults().fill(plan);
    checks.extend(at_work(&plan).filter_map(|node| unheld(context, &plan, node)));
}

/// Tells which nodes may use any tool: of a plan that is not approved, a person should know.
pub(super) fn any_tool(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    let level = context
        .engine
        .run_defaults()
        .fill(plan)
        .settings
        .effective_autonomy();
    let titles: Vec<&str> = at_work(plan)
        .filter(|node| is_unlisted(node))
        .map(|node| node.title.as_str())
        .collect();
    if titles.is_empty() || !matches!(level, Autonomy::AskNew | Autonomy::Free) {
        return Ok(());
    }
    let verdict = match context.store.plans().record(plan.id)?.review {
        ReviewState::Approved => CheckVerdict::Passed,
        _ => CheckVerdict::Warning,
    };
    let sentence = format!("{} may use any tool, the shell included", named(&titles));
    checks.push(
        Check::new(verdict, sentence).mended_by("to limit that, list the tools that a node needs"),
    );
    Ok(())
}

/// Whether the node's agent works without a list of tools.
fn is_unlisted(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Agent(_) | NodeKind::LlmDecision(_))
        && node.tools_required.is_empty()
}

/// `'A'`, `'A' and 'B'`, `'A', 'B' and 7 more nodes`.
fn named(titles: &[&str]) -> String {
    let shown = titles.len().min(if titles.len() > NAMED {
        NAMED - 1
    } else {
        NAMED
    });
    let mut quoted: Vec<String> = titles[..shown]
        .iter()
        .map(|title| format!("'{title}'"))
        .collect();
    if titles.len() > shown {
        quoted.push(format!("{} more nodes", titles.len() - shown));
    }
    match quoted.pop() {
        Some(last) if !quoted.is_empty() => format!("{} and {last}", quoted.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// What a person should know of a node whose agent cannot be held to the level.
fn unheld(context: &Context, plan: &Plan, node: &Node) -> Option<Check> {
    let default = AgentTask::default();
    let task = match &node.kind {
        NodeKind::Agent(task) => task,
        NodeKind::LlmDecision(_) => &default,
        _ => return None,
    };
    let agent = context.engine.agents().find(node.kind.agent()?)?;
    let settings = &plan.settings;
    let autonomy = settings.effective_autonomy();
    let scope = ToolScope {
        mode: task.tool_scope.unwrap_or(settings.tool_scope),
        tools: node.tools_required.clone(),
        guarded: settings
            .guarded_tools
            .iter()
            .cloned()
            .chain(context.engine.agents().guarded_tools())
            .collect(),
        autonomy,
        granted: Vec::new(),
    };
    let (reach, level, title) = (agent.reach(), u8::from(autonomy), agent.title());
    if reach.asks || autonomy == Autonomy::Free || !scope.wants_announcements() {
        return None;
    }
    let (sentence, mend) = if reach.lists {
        (
            format!(
                "'{}' runs {title}, which asks nobody: tools that level {level} asks about are left out",
                node.title
            ),
            "list the tools that it needs, or choose another agent",
        )
    } else {
        (
            format!(
                "'{}' runs {title}, whose tool calls Baton cannot stop: level {level} does not hold it",
                node.title
            ),
            "approve it only if you would let it run unasked, or choose another agent",
        )
    };
    Some(
        Check::new(CheckVerdict::Warning, sentence)
            .mended_by(mend)
            .at(node.id),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_named_up_to_a_few() {
        for (titles, said) in [
            (&["A"][..], "'A'"),
            (&["A", "B"], "'A' and 'B'"),
            (&["A", "B", "C", "D", "E"], "'A', 'B', 'C', 'D' and 'E'"),
            (
                &["A", "B", "C", "D", "E", "F"],
                "'A', 'B', 'C', 'D' and 2 more nodes",
            ),
        ] {
            assert_eq!(named(titles), said);
        }
    }
}
