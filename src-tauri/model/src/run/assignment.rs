//! Which agent does an attempt: what the run tells the arbiter, what it stores of the answer, and whose sessions live.

use std::collections::BTreeMap;

use crate::arbiter::{Asking, Case, Choice, NoAnswer, Reason, Roster, Verdict, choose, team_name};
use crate::outcome::Failure;
use crate::{Attempt, NodeId, Outcome, Timestamp};

use super::effect::Effect;
use super::event::Event;
use super::state::{Ending, RunState};
use super::tally::runs_after_failure;
use super::{Context, Refusal, Run, is_reserved, usage_limit};

/// What the arbiter means for a node that is next.
#[derive(Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "made and taken apart at once, never kept"
)]
pub(super) enum Turn {
    /// It begins, with an agent, with the question who it shall be, or without any.
    Begins {
        choice: Option<Choice>,
        asks: Option<Asking>,
    },
    /// Whoever may do it is at a usage limit.
    Parks { until: Timestamp },
    /// Whoever may do it has all the sessions that the plan allows.
    Waits,
}

impl Run {
    /// The next attempt of the node, as far as its agent goes.
    pub(super) fn turn(&self, number: usize, context: &Context<'_>) -> Turn {
        let definition = self.definition(number);
        if definition.disabled || definition.kind.agent().is_none() {
            return Turn::Begins {
                choice: None,
                asks: None,
            };
        }
        let run = &self.nodes[number];
        let goes_on = run
            .choice
            .as_ref()
            .filter(|_| run.goes_on() && run.session.is_some());
        if let Some(Choice { agent, .. }) = goes_on {
            if self.lane_of_arbiter(number).is_some() && self.room_for(agent) == 0 {
                return Turn::Waits;
            }
            let choice = Choice {
                agent: agent.clone(),
                reason: Reason::Resumed,
                team: None,
                passed_over: Vec::new(),
            };
            return Turn::Begins {
                choice: Some(choice),
                asks: None,
            };
        }
        match self.present_verdict(number, context) {
            Verdict::Chosen(choice) => Turn::Begins {
                choice: Some(choice),
                asks: None,
            },
            Verdict::Ask(asking) => Turn::Begins {
                choice: None,
                asks: Some(asking),
            },
            // Its session will say that nobody is there.
            Verdict::Nobody => Turn::Begins {
                choice: None,
                asks: None,
            },
            Verdict::Park { until } => Turn::Parks {
                until: usage_limit::goes_on_at(until, context.chance),
            },
            Verdict::Wait => Turn::Waits,
        }
    }

    /// What the arbiter says now. While no member has room in all runs together, the one that would be chosen with room
    /// waits in line for it; as soon as another has room, that one is chosen.
    fn present_verdict(&self, number: usize, context: &Context<'_>) -> Verdict {
        let (node, held) = (self.graph.id(number), self.nodes[number].held_back.as_ref());
        let since = held.map(|held| held.since);
        let has_room = |agent: &str| context.permits.has_room(node, agent, since);
        let verdict = |has_room: &dyn Fn(&str) -> bool| {
            self.verdict_on(number, (context.now, context.roster), None, has_room)
        };
        match verdict(&has_room) {
            Verdict::Wait if context.permits.limits_agents() => verdict(&|_| true),
            verdict => verdict,
        }
    }

    /// What the arbiter says; `limit` is one that has just been reached and is not noted yet.
    fn verdict_on(
        &self,
        number: usize,
        (now, roster): (Timestamp, &dyn Roster),
        limit: Option<(&str, Timestamp)>,
        has_room: &dyn Fn(&str) -> bool,
    ) -> Verdict {
        let (definition, run) = (self.definition(number), &self.nodes[number]);
        let reached = |agent: &str| {
            limit
                .filter(|(limited, _)| *limited == agent)
                .map(|(_, until)| until)
        };
        let case = Case {
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
        choose(&case, roster)
    }

    /// By what nodes are alike whose agent only the arbiter knows; `None` for those with one agent, or with none.
    pub(super) fn lane_of_arbiter(&self, number: usize) -> Option<String> {
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

    /// The one agent that can be told of the node without the arbiter.
    pub(super) fn plain_agent(&self, number: usize) -> Option<&str> {
        let named = self.definition(number).kind.agent()?;
        let agent = named
            .or(self.plan.settings.agent.as_deref())
            .or(self.default_agent.as_deref())?;
        team_name(agent).is_none().then_some(agent)
    }

    /// The node's agent, if the plan limits its sessions and no choice is to be made.
    pub(super) fn limited_agent(&self, number: usize) -> Option<&str> {
        let limits = &self.plan.settings.agent_concurrency;
        if limits.is_empty() || self.lane_of_arbiter(number).is_some() {
            return None;
        }
        self.plain_agent(number)
            .filter(|agent| limits.contains_key(*agent))
    }

    /// How many more sessions of an agent may live.
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

    /// Counts the session of a node as living, or not any more. As long as it is not known whose it will be, it counts
    /// for everybody whose it may be, so that a plan's limits hold whatever the answer is.
    pub(super) fn count_agents(&mut self, number: usize, is: bool) {
        let node = &self.nodes[number];
        let agents: Vec<String> = match (&node.choice, &node.asking) {
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

    /// Takes the answer of whoever was asked. One that comes twice, or after the end, means nothing.
    pub(super) fn decide_assigned(
        &self,
        node: NodeId,
        attempt: Attempt,
        choice: &Choice,
    ) -> Result<Vec<Event>, Refusal> {
        let (_, current) = self.current(node, attempt)?;
        let Some(asking) = current
            .asking
            .as_ref()
            .filter(|_| is_reserved(&current.state))
        else {
            return Ok(Vec::new());
        };
        let choice = match asking.offered.contains(&choice.agent) {
            true => Some(choice.clone()),
            false => asking.settle(Err(NoAnswer::NotOffered {
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

    /// Whether an attempt that ended at a usage limit leaves its node to another agent, or to the first limit that is lifted.
    pub(super) fn decide_passing_on(
        &self,
        number: usize,
        outcome: &Outcome,
        retry_at: Option<Timestamp>,
        context: &Context<'_>,
    ) -> Option<Event> {
        let until = limit_of(outcome, retry_at)?;
        // What a person said is said to one agent: another knows nothing of the conversation.
        if self.nodes[number].continuation.is_some() {
            return None;
        }
        let own = &self.nodes[number].choice.as_ref()?.agent;
        self.lane_of_arbiter(number)?;
        let known = (context.now, context.roster);
        let passes_on = match self.verdict_on(number, known, Some((own, until)), &|_| true) {
            Verdict::Chosen(choice) => choice.agent != *own && choice.reason != Reason::NobodyCan,
            Verdict::Ask(_) | Verdict::Wait => true,
            Verdict::Park { until: first } => first < until,
            Verdict::Nobody => false,
        };
        passes_on.then(|| Event::NodePassedOn {
            node: self.graph.id(number),
        })
    }

    /// The agent of a node's attempt was found by asking.
    pub(super) fn assign(
        &mut self,
        number: usize,
        attempt: Attempt,
        choice: &Choice,
    ) -> Option<Effect> {
        self.count_agents(number, false);
        self.nodes[number].asking = None;
        self.nodes[number].choice = Some(choice.clone());
        self.count_agents(number, true);
        self.note_turn(choice);
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
        let may_start = may_start && !self.is_overtaken(number) && !self.leaving.contains(&number);
        Some(match may_start {
            true => self.start_order(node, attempt, session),
            false if self.stops_node(number) => Effect::StopSession { node, attempt },
            false => Effect::WithdrawSession { node, attempt },
        })
    }

    /// Keeps who begins the node's next attempt, before it is counted.
    pub(super) fn note_choice(
        &mut self,
        number: usize,
        choice: Option<&Choice>,
        asks: Option<&Asking>,
    ) {
        let node = &mut self.nodes[number];
        node.choice_before = std::mem::replace(&mut node.choice, choice.cloned());
        node.asking = asks.cloned();
        node.ignores_limits = false;
        if let Some(choice) = choice {
            self.note_turn(choice);
        }
    }

    fn note_turn(&mut self, choice: &Choice) {
        if let Some(team) = &choice.team {
            self.rotation.insert(team.clone(), choice.agent.clone());
        }
    }

    /// What the end of an attempt says about its agent.
    pub(super) fn note_agents_end(
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
        if let Some(until) = limit_of(outcome, retry_at) {
            self.limits.insert(agent, until);
            return;
        }
        match outcome {
            Outcome::Succeeded => {
                self.limits.remove(&agent);
                self.nodes[number].failed_agents.clear();
            }
            Outcome::Failed { failure } if is_the_agents(failure) => {
                let failed = &mut self.nodes[number].failed_agents;
                failed.retain(|other| *other != agent);
                failed.push(agent);
            }
            _ => {}
        }
    }

    /// Who is to be asked which agent does the node's attempt, while that is not known.
    #[must_use]
    pub fn asking_of(&self, node: NodeId) -> Option<&Asking> {
        self.node(node)?.asking.as_ref()
    }

    /// Until when agents are at their usage limits, as far as nodes of this run found out.
    #[must_use]
    pub fn limits(&self) -> &BTreeMap<String, Timestamp> {
        &self.limits
    }

    /// How many sessions of each agent live in this run, or are about to.
    #[must_use]
    pub fn busy_agents(&self) -> &BTreeMap<String, u32> {
        &self.busy_agents
    }
}

/// Until when an agent is at its usage limit that ended an attempt so: as it told, or as long as the node would wait.
fn limit_of(outcome: &Outcome, retry_at: Option<Timestamp>) -> Option<Timestamp> {
    match outcome {
        Outcome::Failed {
            failure: Failure::UsageLimit { reset_at, .. },
        } => (*reset_at).max(retry_at),
        _ => None,
    }
}

/// Whether another agent might do better.
fn is_the_agents(failure: &Failure) -> bool {
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
