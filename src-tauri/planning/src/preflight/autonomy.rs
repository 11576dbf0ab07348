//! What an approval permits agents: tools they may use without asking, and agents that autonomy
//! levels cannot restrict.

use baton_agents::ToolScope;
use baton_model::node::{AgentTask, NodeKind};
use baton_model::plan::Autonomy;
use baton_model::{Node, Plan, ReviewState};

use super::enabled_nodes::enabled_nodes;
use crate::check::{Check, CheckVerdict};
use crate::{Context, PlanningError};

/// The maximum number of nodes that a sentence names.
const MAX_NAMED_NODES: usize = 5;

/// Warns of agents that the level of autonomy cannot restrict. `plan` has the settings of a run.
pub(super) fn check(context: &Context, plan: &Plan, checks: &mut Vec<Check>) {
    checks
        .extend(enabled_nodes(plan).filter_map(|node| unenforceable_autonomy(context, plan, node)));
}

/// Warns of nodes that may use any tool, unless the plan is approved.
pub(super) fn warn_unrestricted_tools(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    let level = context
        .engine
        .run_defaults()
        .apply_to(plan)
        .settings
        .effective_autonomy();
    let titles: Vec<&str> = enabled_nodes(plan)
        .filter(|node| has_unrestricted_tools(plan, node))
        .map(|node| node.title.as_str())
        .collect();
    if titles.is_empty() || !matches!(level, Autonomy::AskNew | Autonomy::Free) {
        return Ok(());
    }
    let verdict = match context.store.plans().record(plan.id)?.review {
        ReviewState::Approved => CheckVerdict::Passed,
        _ => CheckVerdict::Warning,
    };
    let sentence = format!(
        "{} may use any tool, including the shell",
        join_titles(&titles)
    );
    checks.push(
        Check::new(verdict, sentence)
            .with_fix("to restrict this, list the tools that each node needs"),
    );
    Ok(())
}

/// Whether neither the node nor its plan lists the tools of its agent.
fn has_unrestricted_tools(plan: &Plan, node: &Node) -> bool {
    matches!(node.kind, NodeKind::Agent(_) | NodeKind::LlmDecision(_))
        && plan.tools_of(node).is_empty()
}

/// `'A'`, `'A' and 'B'`, `'A', 'B' and 7 more nodes`.
fn join_titles(titles: &[&str]) -> String {
    let shown = titles.len().min(if titles.len() > MAX_NAMED_NODES {
        MAX_NAMED_NODES - 1
    } else {
        MAX_NAMED_NODES
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

/// The warning for a node whose agent cannot be restricted to the level.
fn unenforceable_autonomy(context: &Context, plan: &Plan, node: &Node) -> Option<Check> {
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
        tools: plan.tools_of(node).to_vec(),
        guarded: settings
            .guarded_tools
            .iter()
            .cloned()
            .chain(context.engine.agents().guarded_tools())
            .collect(),
        autonomy,
        has_session_tools: false,
        granted: Vec::new(),
    };
    let (control, level, title) = (agent.tool_control(), u8::from(autonomy), agent.title());
    if control.asks_permission || autonomy == Autonomy::Free || !scope.wants_announcements() {
        return None;
    }
    let (sentence, fix) = if control.enforces_list {
        (
            format!(
                "'{}' runs {title}, which can't ask for permission: tools that need it at level {level} are blocked",
                node.title
            ),
            "list the tools it needs, or choose another agent",
        )
    } else {
        (
            format!(
                "'{}' runs {title}, whose tool calls Baton can't block: level {level} has no effect",
                node.title
            ),
            "approve it only if you would let it run without asking, or choose another agent",
        )
    };
    Some(
        Check::new(CheckVerdict::Warning, sentence)
            .with_fix(fix)
            .at(node.id),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_title_lists_are_shortened() {
        for (titles, said) in [
            (&["A"][..], "'A'"),
            (&["A", "B"], "'A' and 'B'"),
            (&["A", "B", "C", "D", "E"], "'A', 'B', 'C', 'D' and 'E'"),
            (
                &["A", "B", "C", "D", "E", "F"],
                "'A', 'B', 'C', 'D' and 2 more nodes",
            ),
        ] {
            assert_eq!(join_titles(titles), said);
        }
    }
}
