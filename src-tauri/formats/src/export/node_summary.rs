//! A one-line summary of what a node does.

use baton_model::count::format_quantity;
use baton_model::node::{CommandLine, LoopBody, ToolCall};
use baton_model::{Node, NodeKind};

/// The agent, program or tool of the node.
pub(super) fn summarize(node: &Node) -> String {
    let agent = |agent: &Option<String>| {
        agent
            .as_deref()
            .map_or_else(|| "Default agent".to_owned(), one_line)
    };
    match &node.kind {
        NodeKind::Agent(task) => agent(&task.agent),
        NodeKind::Command(task) => command(&task.command),
        NodeKind::ToolCall(call) => tool(call),
        NodeKind::LlmDecision(task) => format!(
            "{}: {}",
            agent(&task.agent),
            one_line(&task.choices.join(" / "))
        ),
        NodeKind::UserInput(question) => one_line(&question.question),
        NodeKind::Condition(task) => one_line(&task.condition),
        NodeKind::Parallel(task) => format_quantity(task.steps.len(), "call", "calls"),
        NodeKind::Loop(task) => {
            let body = match &task.body {
                LoopBody::Tool(call) => tool(call),
                LoopBody::Plan(plan) => one_line(&plan.sub_plan_id),
            };
            format!("Up to {} × {body}", task.max_iterations)
        }
        NodeKind::SubPlan(plan) => one_line(&plan.sub_plan_id),
        NodeKind::Note(note) => one_line(&note.text),
        NodeKind::Planning(task) => one_line(&task.agent),
    }
}

/// Returns whether the summary is a command, to be shown in a monospaced font.
pub(super) fn is_code(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Command(_) | NodeKind::ToolCall(_) | NodeKind::Condition(_)
    )
}

fn command(command: &CommandLine) -> String {
    match command {
        CommandLine::Shell(line) => one_line(line),
        CommandLine::Argv(words) => one_line(&words.join(" ")),
    }
}

fn tool(call: &ToolCall) -> String {
    let argument = call
        .tool_args
        .values()
        .find_map(|value| value.as_str())
        .unwrap_or_default();
    one_line(&format!("{} {argument}", call.tool_name))
}

/// `text` on one line, without control characters and without characters that change the direction
/// of text.
pub(super) fn one_line(text: &str) -> String {
    let turns = |char: char| matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}');
    let kept = text
        .chars()
        .map(|char| if char.is_whitespace() { ' ' } else { char });
    let kept: String = kept
        .filter(|&char| !char.is_control() && !turns(char))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use baton_model::node::ParallelTask;

    use super::*;
    use crate::plan_fixture::plan_of;

    #[test]
    fn calls_agree_with_their_number() {
        let call = ToolCall {
            tool_name: "read".to_owned(),
            tool_args: Default::default(),
        };
        for (number, text) in [(1, "1 call"), (2, "2 calls")] {
            let mut plan = plan_of(&["Read"], &[]);
            plan.nodes[0].kind = NodeKind::Parallel(ParallelTask {
                steps: vec![call.clone(); number],
                wait_all: true,
                max_concurrent: 1,
            });
            assert_eq!(summarize(&plan.nodes[0]), text);
        }
    }
}
