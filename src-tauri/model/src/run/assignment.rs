//! Assigns agents to attempts: the arbiter's input, its stored result, and the count of live
//! sessions.

use std::collections::BTreeMap;

use crate::arbiter::{
    AgentChoice, ChoiceReason, Roster, Selection, SelectionError, SelectionInput, SelectionRequest,
    choose_agent, team_name,
};
use crate::outcome::Failure;
use crate::{Attempt, NodeId, Outcome, Timestamp};

use super::effect::Effect;
use super::event::Event;
use super::parent_counts::runs_after_failure;
use super::state::{Ending, RunState};
use super::{Context, Refusal, Run, is_reserved, usage_limit};

/// The arbiter's decision for the next node.
#[derive(Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "created and matched immediately, never stored"
)]
pub(super) enum StartDecision {
    /// Starts, with an agent, with a request to choose one, or without an agent.
    Start {
        choice: Option<AgentChoice>,
        asks: Option<SelectionRequest>,
    },
    /// All possible agents are at a usage limit.
    Parks { until: Timestamp },
    /// All possible agents are at their session limits.
    Waits,
}

impl Run {
    /// Decides how the node's next attempt starts with respect to its agent.
    pub(super) fn start_decision(&self, number: usize, context: &Context<'_>) -> StartDecision {
        let definition = self.definition(number);
        if definition.disabled || definition.kind.agent().is_none() {
            return StartDecision::Start {
                choice: None,
                asks: None,
            };
        }
        let run = &self.nodes[number];
        let goes_on = run
            .choice
            .as_ref()
            .filter(|_| run.resumes_session() && run.session.is_some());
        if let Some(AgentChoice { agent, .. }) = goes_on {
            if self.arbiter_lane(number).is_some() && self.room_for(agent) == 0 {
                return StartDecision::Waits;
            }
            let choice = AgentChoice {
                agent: agent.clone(),
                reason: ChoiceReason::Resumed,
                team: None,
                passed_over: Vec::new(),
            };
            return StartDecision::Start {
                choice: Some(choice),
                asks: None,
            };
        }
        match self.current_selection(number, context) {
            Selection::Chosen(choice) => StartDecision::Start {
                choice: Some(choice),
                asks: None,
            },
            Selection::Ask(asking) => StartDecision::Start {
                choice: None,
                asks: Some(asking),
            },
            // Its session will report that there is no agent.
            Selection::Nobody => StartDecision::Start {
                choice: None,
                asks: None,
            },
            Selection::Park { until } => StartDecision::Parks {
                until: usage_limit::resume_at(until, context.chance),
            },
            Selection::Wait => StartDecision::Waits,
        }
    }

    /// The arbiter's current result. While no member has a free session across all runs, the one
    /// that would be chosen waits in line. As soon as another member has one, that member is
    /// chosen.
    fn current_selection(&self, number: usize, context: &Context<'_>) -> Selection {
        let (node, held) = (self.graph.id(number), self.nodes[number].held_back.as_ref());
        let since = held.map(|held| held.since);
        let has_room = |agent: &str| context.permits.has_room(node, agent, since);
        let verdict = |has_room: &dyn Fn(&str) -> bool| {
            self.select_agent(number, (context.now, context.roster), None, has_room)
        };
        match verdict(&has_room) {
            Selection::Wait if context.permits.limits_agents() => verdict(&|_| true),
            verdict => verdict,
        }
    }

    /// The arbiter's result. `limit` is a usage limit that was just reached and is not recorded
    /// yet.
    fn select_agent(
        &self,
        number: usize,
        (now, roster): (Timestamp, &dyn Roster),
        limit: Option<(&str, Timestamp)>,
        has_room: &dyn Fn(&str) -> bool,
    ) -> Selection {
        let (definition, run) = (self.definition(number), &self.nodes[number]);
        let reached = |agent: &str| {
            limit
                .filter(|(limited, _)| *limited == agent)
                .map(|(_, until)| until)
        };
        let case = SelectionInput {
            named: definition.kind.agent().flatten(),
            suggested: definition.suggested_agent.as_deref(),
            plan_default: self.plan.settings.agent.as_deref(),
            failed: &run.failed_agents,
            last_of_team: &|team| self.rotation.get(team).map(String::as_str),
            room: &|agent| match self.room_for(agent) {
                room if room == 0 || has_room(agent) => room,
                _ => 0,
            },
            busy: &|agent| self.busy_agents.get(agent).copied().unwrap_or_default(),
            limited_until: &|agent| self.limits.get(agent).copied().max(reached(agent)),
            ignores_limits: run.ignores_limits,
            now,
        };
        choose_agent(&case, roster)
    }

    /// Groups nodes whose agent only the arbiter knows; `None` for nodes with one agent or none.
    pub(super) fn arbiter_lane(&self, number: usize) -> Option<String> {
        let definition = self.definition(number);
        let named = definition.kind.agent()?;
        let suggested = definition
            .suggested_agent
            .as_deref()
            .filter(|agent| !agent.trim().is_empty());
        let base = named.or(self.plan.settings.agent.as_deref());
        match (base.and_then(team_name), suggested) {
            (None, _) if named.is_some() => None,
            (None, None) => None,
            (team, suggested) => Some(format!(
                "{}\n{}",
                team.unwrap_or_default(),
                suggested.unwrap_or_default()
            )),
        }
    }

    /// The node's agent, if it is known without the arbiter.
    pub(super) fn plain_agent(&self, number: usize) -> Option<&str> {
        let named = self.definition(number).kind.agent()?;
        let agent = named
            .or(self.plan.settings.agent.as_deref())
            .or(self.default_agent.as_deref())?;
        team_name(agent).is_none().then_some(agent)
    }

    /// The node's agent, if the plan limits its sessions and there is no choice to make.
    pub(super) fn limited_agent(&self, number: usize) -> Option<&str> {
        let limits = &self.plan.settings.agent_concurrency;
        if limits.is_empty() || self.arbiter_lane(number).is_some() {
            return None;
        }
        self.plain_agent(number)
            .filter(|agent| limits.contains_key(*agent))
    }

    /// Returns how many more sessions of an agent may be live.
    pub(super) fn room_for(&self, agent: &str) -> u32 {
        let limit = self
            .plan
            .settings
            .agent_concurrency
            .get(agent)
            .copied()
            .unwrap_or(u32::MAX);
        limit
            .max(1)
            .saturating_sub(self.busy_agents.get(agent).copied().unwrap_or_default())
    }

    /// Adds or removes a node's session in the count of live sessions. While its agent is
    /// undecided, it counts for every candidate, so that the plan's limits hold for any answer.
    pub(super) fn update_busy_agents(&mut self, number: usize, is: bool) {
        let node = &self.nodes[number];
        let agents: Vec<String> = match (&node.choice, &node.selection_request) {
            (_, Some(asking)) => asking.offered.clone(),
            (Some(choice), None) => vec![choice.agent.clone()],
            (None, None) => self
                .limited_agent(number)
                .map(str::to_owned)
                .into_iter()
                .collect(),
        };
        for agent in agents {
            let busy = self.busy_agents.entry(agent.clone()).or_default();
            *busy = if is {
                *busy + 1
            } else {
                busy.saturating_sub(1)
            };
            if *busy == 0 {
                self.busy_agents.remove(&agent);
            }
        }
    }

    /// Handles the answer to a selection request. A repeated or late answer has no effect.
    pub(super) fn decide_agent_chosen(
        &self,
        node: NodeId,
        attempt: Attempt,
        choice: &AgentChoice,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current_attempt(node, attempt)?;
        let Some(asking) = current
            .selection_request
            .as_ref()
            .filter(|_| is_reserved(&current.state))
        else {
            return Ok(Vec::new());
        };
        let choice = match asking.offered.contains(&choice.agent) {
            true => Some(choice.clone()),
            false => asking.resolve(Err(SelectionError::NotOffered {
                agent: choice.agent.clone(),
            })),
        };
        Ok(choice
            .into_iter()
            .map(|choice| Event::NodeAssigned {
                node,
                attempt,
                choice,
            })
            .collect())
    }

    /// Whether a node that reached a usage limit is released to another agent, or to the first
    /// limit that resets.
    pub(super) fn decide_pass_to_other_agent(
        &self,
        number: usize,
        outcome: &Outcome,
        retry_at: Option<Timestamp>,
        context: &Context<'_>,
    ) -> Option<Event> {
        let until = usage_limit_end(outcome, retry_at)?;
        // A person's message was addressed to one agent. Others don't know the conversation.
        if self.nodes[number].continuation.is_some() {
            return None;
        }
        let own = &self.nodes[number].choice.as_ref()?.agent;
        self.arbiter_lane(number)?;
        let known = (context.now, context.roster);
        let passes_on = match self.select_agent(number, known, Some((own, until)), &|_| true) {
            Selection::Chosen(choice) => {
                choice.agent != *own && choice.reason != ChoiceReason::NobodyCan
            }
            Selection::Ask(_) | Selection::Wait => true,
            Selection::Park { until: first } => first < until,
            Selection::Nobody => false,
        };
        passes_on.then(|| Event::NodePassedOn {
            node: self.graph.id(number),
        })
    }

    /// Records the agent that a selection request resulted in.
    pub(super) fn assign(
        &mut self,
        number: usize,
        attempt: Attempt,
        choice: &AgentChoice,
    ) -> Option<Effect> {
        self.update_busy_agents(number, false);
        self.nodes[number].selection_request = None;
        self.nodes[number].choice = Some(choice.clone());
        self.update_busy_agents(number, true);
        self.record_rotation(choice);
        self.touched.insert(number);
        let (node, session) = (self.graph.id(number), self.nodes[number].session?);
        let may_start = match &self.state {
            RunState::Running { ending: None } => true,
            RunState::Running {
                ending: Some(Ending::Aborting { .. } | Ending::TimeUp { .. }),
            } => runs_after_failure(self.rule(number)),
            _ => false,
        };
        if self.nodes[number].stopping.is_some() {
            return Some(Effect::StopSession { node, attempt });
        }
        let may_start =
            may_start && !self.is_overtaken(number) && !self.withdrawing.contains(&number);
        Some(match may_start {
            true => self.start_effect(node, attempt, session),
            false if self.stops_node(number) => Effect::StopSession { node, attempt },
            false => Effect::WithdrawSession { node, attempt },
        })
    }

    /// Records the agent of the node's next attempt before it is counted.
    pub(super) fn record_choice(
        &mut self,
        number: usize,
        choice: Option<&AgentChoice>,
        asks: Option<&SelectionRequest>,
    ) {
        let node = &mut self.nodes[number];
        node.choice_before = std::mem::replace(&mut node.choice, choice.cloned());
        node.selection_request = asks.cloned();
        node.ignores_limits = false;
        if let Some(choice) = choice {
            self.record_rotation(choice);
        }
    }

    fn record_rotation(&mut self, choice: &AgentChoice) {
        if let Some(team) = &choice.team {
            self.rotation.insert(team.clone(), choice.agent.clone());
        }
    }

    /// Updates what is known about the agent from the end of an attempt.
    pub(super) fn record_agent_outcome(
        &mut self,
        number: usize,
        outcome: &Outcome,
        retry_at: Option<Timestamp>,
    ) {
        let chosen = self.nodes[number]
            .choice
            .as_ref()
            .map(|choice| choice.agent.clone());
        let Some(agent) = chosen.or_else(|| self.plain_agent(number).map(str::to_owned)) else {
            return;
        };
        if let Some(until) = usage_limit_end(outcome, retry_at) {
            self.limits.insert(agent, until);
            return;
        }
        match outcome {
            Outcome::Succeeded => {
                self.limits.remove(&agent);
                self.nodes[number].failed_agents.clear();
            }
            Outcome::Failed { failure } if is_agent_fault(failure) => {
                let failed = &mut self.nodes[number].failed_agents;
                failed.retain(|other| *other != agent);
                failed.push(agent);
            }
            _ => {}
        }
    }

    /// The pending request to choose an agent for the node's attempt.
    #[must_use]
    pub fn selection_request(&self, node: NodeId) -> Option<&SelectionRequest> {
        self.node(node)?.selection_request.as_ref()
    }

    /// When the usage limits of agents reset, as observed by this run.
    #[must_use]
    pub fn agent_limits(&self) -> &BTreeMap<String, Timestamp> {
        &self.limits
    }

    /// The number of live and reserved sessions of each agent in this run.
    #[must_use]
    pub fn busy_agents(&self) -> &BTreeMap<String, u32> {
        &self.busy_agents
    }
}

/// Returns when the usage limit that ended an attempt resets: as the agent reported, or as long as
/// the node would wait.
fn usage_limit_end(outcome: &Outcome, retry_at: Option<Timestamp>) -> Option<Timestamp> {
    match outcome {
        Outcome::Failed {
            failure: Failure::UsageLimit { reset_at, .. },
        } => (*reset_at).max(retry_at),
        _ => None,
    }
}

/// Whether another agent might succeed.
fn is_agent_fault(failure: &Failure) -> bool {
    !matches!(
        failure,
        Failure::BadInput { .. }
            | Failure::DiskFull { .. }
            | Failure::BudgetSpent { .. }
            | Failure::NoAnswer { .. }
            | Failure::SubPlan { .. }
            | Failure::UsageLimit { .. }
            | Failure::ByHand
    )
}
