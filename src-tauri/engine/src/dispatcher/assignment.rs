//! A dispatcher's part in the choice of agents: the selection question with its input, and
//! updates for other runs.

use std::sync::Arc;

use baton_model::arbiter::{
    AgentChoice, OfferedAgent, PlanProgress, Roster as _, build_selection_prompt,
};
use baton_model::run::Event;
use baton_model::{Node, NodeId, NodeState, Outcome};
use baton_store::RecordedEvent;

use super::{Dispatcher, Runtime};
use crate::agents::RunSessions;
use crate::job::Question;

impl<S: Runtime> Dispatcher<S> {
    /// The open question which agent executes the node's attempt.
    pub(super) fn question_of(&self, node: NodeId) -> Option<Arc<Question>> {
        let asking = self.run.selection_request(node)?.clone();
        let definition = self.run.plan().nodes.get(self.run.position(node)?)?;
        let colleagues: Vec<OfferedAgent> = asking
            .offered
            .iter()
            .map(|name| self.colleague(name))
            .collect();
        let prompt = build_selection_prompt(
            self.run.plan(),
            definition,
            &self.situation(node),
            &colleagues,
        );
        Some(Arc::new(Question { asking, prompt }))
    }

    fn colleague(&self, name: &str) -> OfferedAgent {
        let title = self
            .agents
            .find(Some(name))
            .map_or_else(|| name.to_owned(), |agent| agent.title().to_owned());
        let here = self.run.nodes().filter(|(_, run)| {
            let works = matches!(run.state, NodeState::Running);
            works
                && run
                    .choice
                    .as_ref()
                    .is_some_and(|choice| choice.agent == name)
        });
        let here = u32::try_from(here.count()).unwrap_or(u32::MAX);
        let elsewhere = self
            .agents
            .roster(self.run.id())
            .agent_status(name)
            .busy_elsewhere;
        OfferedAgent {
            name: name.to_owned(),
            title,
            sessions: here.saturating_add(elsewhere),
        }
    }

    fn situation(&self, node: NodeId) -> PlanProgress {
        let done = self
            .run
            .nodes()
            .filter(|(_, run)| matches!(run.state, NodeState::Done { .. }))
            .count();
        let left = self
            .run
            .nodes()
            .filter(|(other, run)| other.id != node && !run.state.has_ended());
        let left = left.map(|(other, _)| other.title.clone()).collect();
        let attempts = self
            .runtime
            .store()
            .attempts()
            .list(self.run.id(), node)
            .unwrap_or_default();
        let last = attempts
            .into_iter()
            .rev()
            .find_map(|attempt| Some((attempt.executed_by, attempt.outcome?)));
        let last_error = last.and_then(|(agent, outcome)| match outcome {
            Outcome::Failed { failure } => {
                Some(format!("{}: {failure}", agent.unwrap_or_default()))
            }
            outcome @ (Outcome::Lost { .. } | Outcome::Tampered { .. }) => {
                outcome.interruption().map(str::to_owned)
            }
            Outcome::Succeeded | Outcome::Cancelled => None,
        });
        PlanProgress {
            done,
            left,
            last_error,
        }
    }

    /// The agent name that is stored with a session: the chosen one, or else the one that the node
    /// specifies.
    pub(super) fn agent_for(&self, node: &Node, choice: Option<&AgentChoice>) -> Option<String> {
        if let Some(choice) = choice {
            return Some(choice.agent.clone());
        }
        let named = node
            .kind
            .agent()?
            .or(self.run.plan().settings.agent.as_deref());
        Some(named.map_or_else(|| self.agents.default_name(), str::to_owned))
    }

    /// Shares the running sessions, and usage limits that were reached, with other runs of this
    /// process.
    pub(super) fn record_agent_limits(&self, events: &[RecordedEvent]) {
        let matters = |record: &RecordedEvent| {
            matches!(
                record.event,
                Event::NodeReserved {
                    choice: Some(_),
                    ..
                } | Event::NodeAssigned { .. }
                    | Event::NodeWithdrawn { .. }
                    | Event::NodeEnded { .. }
                    | Event::MergeTried { .. }
            )
        };
        if events.iter().any(matters) {
            let (limits, busy) = (
                self.run.agent_limits().clone(),
                self.run.busy_agents().clone(),
            );
            self.agents
                .update_run(self.run.id(), RunSessions { limits, busy });
        }
    }
}
