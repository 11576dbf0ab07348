//! A fingerprint of a node's work, to compare two versions of a plan.

use crate::node::Node;
use crate::{NodeId, Plan};

impl Plan {
    /// Returns what `node` does and where: equal bytes mean the same work. `None` if the node does
    /// not exist.
    ///
    /// Title, position, priority and notes don't matter, nor do other nodes. The description does,
    /// because agents read it, and so do the plan's directory and context, and the plan's agent,
    /// model, tools, isolation and sandbox settings where the node has none.
    #[must_use]
    pub fn work_fingerprint(&self, node: NodeId) -> Option<Vec<u8>> {
        let node = self.node(node)?;
        let bare = Node {
            title: String::new(),
            position: None,
            keeps_place: false,
            priority: Node::default_priority(),
            metadata: serde_json::Map::new(),
            isolation: Some(node.isolation_in(&self.settings)),
            sandbox: Some(node.sandbox_in(&self.settings)),
            ..self.with_node_defaults(node)
        };
        let default_agent = self
            .settings
            .agent
            .as_ref()
            .filter(|_| node.kind.agent() == Some(None));
        let setup = &self.settings.worktree_setup;
        let mut print = serde_json::to_vec(&(bare, &self.cwd, default_agent, setup)).ok()?;
        if !self.context.is_default() {
            print.extend(serde_json::to_vec(&self.context).ok()?);
        }
        Some(print)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{AgentTask, Criterion, NodeKind, Position};
    use crate::plan_fixture::{node_id, plan_of};
    use crate::{Isolation, SandboxMode};

    fn plan() -> Plan {
        let mut plan = plan_of(&["A", "B"], &[(0, 1)]);
        plan.nodes[0].kind = NodeKind::Agent(AgentTask {
            prompt: "Go.".to_owned(),
            ..AgentTask::default()
        });
        plan
    }

    type Change = fn(&mut Plan);

    #[test]
    fn changes_to_the_work_change_the_fingerprint() {
        let changes: [(&str, Change); 12] = [
            ("prompt", |plan| {
                plan.nodes[0].kind = NodeKind::Agent(AgentTask {
                    prompt: "Stop.".to_owned(),
                    ..AgentTask::default()
                });
            }),
            ("description", |plan| {
                plan.nodes[0].description = "More.".to_owned()
            }),
            ("instructions", |plan| {
                plan.nodes[0].instructions = "More.".to_owned()
            }),
            ("tools", |plan| {
                plan.nodes[0].tools_required = vec!["Bash".to_owned()]
            }),
            ("criteria", |plan| {
                plan.nodes[0]
                    .acceptance_criteria
                    .push(Criterion::Sentence("It works.".to_owned()))
            }),
            ("isolation", |plan| {
                plan.nodes[0].isolation = Some(Isolation::Worktree)
            }),
            ("isolation of the plan", |plan| {
                plan.settings.isolation = Isolation::Worktree
            }),
            ("sandbox of the plan", |plan| {
                plan.settings.sandbox = SandboxMode::Off
            }),
            ("directory", |plan| plan.cwd = Some("/elsewhere".to_owned())),
            ("agent of the plan", |plan| {
                plan.settings.agent = Some("codex".to_owned())
            }),
            ("retries", |plan| plan.nodes[0].max_retries = 3),
            ("removal", |plan| {
                plan.nodes.remove(0);
            }),
        ];
        for (what, change) in changes {
            let mut later = plan();
            change(&mut later);
            assert_ne!(
                later.work_fingerprint(node_id(0)),
                plan().work_fingerprint(node_id(0)),
                "{what}"
            );
        }
    }

    #[test]
    fn layout_and_other_nodes_keep_the_fingerprint() {
        let mut later = plan();
        later.title = "Another".to_owned();
        later.nodes[0].title = "Another".to_owned();
        later.nodes[0].position = Some(Position { x: 1.0, y: 2.0 });
        later.nodes[0].keeps_place = true;
        later.nodes[0].priority = 9;
        later.nodes[1].instructions = "More.".to_owned();
        later.edges.clear();
        later.settings.concurrency = Some(3);
        assert_eq!(
            later.work_fingerprint(node_id(0)),
            plan().work_fingerprint(node_id(0))
        );
        later.nodes[0].kind = NodeKind::Agent(AgentTask {
            prompt: "Go.".to_owned(),
            agent: Some("claude".to_owned()),
            ..AgentTask::default()
        });
        let named = later.work_fingerprint(node_id(0));
        later.settings.agent = Some("codex".to_owned());
        assert_eq!(
            later.work_fingerprint(node_id(0)),
            named,
            "the node names its agent"
        );
    }
}
