//! What the plan says for agent nodes that don't say it themselves: their tools and their model.

use crate::node::{Node, NodeKind};
use crate::plan::Plan;

impl Plan {
    /// The tools that the agent of `node` may use: its own list, or the plan's. Empty means no
    /// limit, and is always so for nodes without an agent of their own.
    #[must_use]
    pub fn tools_of<'p>(&'p self, node: &'p Node) -> &'p [String] {
        if node.tools_required.is_empty() && has_agent(node) {
            &self.settings.tools_required
        } else {
            &node.tools_required
        }
    }

    /// The model that nodes use that name none; `None` leaves it to their agents.
    #[must_use]
    pub fn default_model(&self) -> Option<&str> {
        let model = self.origin.executor_model.as_deref()?.trim();
        (!model.is_empty()).then_some(model)
    }

    /// `node` with the plan's tools and model where it names none.
    #[must_use]
    pub fn with_node_defaults(&self, node: &Node) -> Node {
        let mut whole = node.clone();
        whole.tools_required = self.tools_of(node).to_vec();
        let model = match &mut whole.kind {
            NodeKind::Agent(task) => &mut task.model,
            NodeKind::LlmDecision(task) => &mut task.model,
            _ => return whole,
        };
        if model.is_none() {
            *model = self.default_model().map(str::to_owned);
        }
        whole
    }
}

fn has_agent(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Agent(_) | NodeKind::LlmDecision(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{AgentTask, CommandLine, CommandTask};
    use crate::plan_fixture::plan_of;

    fn plan() -> Plan {
        let mut plan = plan_of(&["A", "B"], &[]);
        plan.nodes[0].kind = NodeKind::Agent(AgentTask::default());
        plan.nodes[1].kind = NodeKind::Command(CommandTask {
            command: CommandLine::Shell("true".to_owned()),
            env: Default::default(),
            cwd: None,
        });
        plan.settings.tools_required = vec!["Read".to_owned()];
        plan.origin.executor_model = Some("haiku".to_owned());
        plan
    }

    fn model_of(plan: &Plan) -> Option<String> {
        match plan.with_node_defaults(&plan.nodes[0]).kind {
            NodeKind::Agent(task) => task.model,
            _ => None,
        }
    }

    #[test]
    fn agent_nodes_get_what_they_do_not_name() {
        let mut plan = plan();
        assert_eq!(plan.tools_of(&plan.nodes[0]), ["Read"]);
        assert_eq!(model_of(&plan).as_deref(), Some("haiku"));
        let command = plan.with_node_defaults(&plan.nodes[1]);
        assert_eq!(command, plan.nodes[1], "a command has neither");
        plan.nodes[0].tools_required = vec!["Write".to_owned()];
        if let NodeKind::Agent(task) = &mut plan.nodes[0].kind {
            task.model = Some("opus".to_owned());
        }
        assert_eq!(plan.tools_of(&plan.nodes[0]), ["Write"]);
        assert_eq!(model_of(&plan).as_deref(), Some("opus"));
    }

    #[test]
    fn blank_executor_model_is_none() {
        let mut plan = plan();
        plan.origin.executor_model = Some(" ".to_owned());
        assert_eq!(model_of(&plan), None);
    }
}
