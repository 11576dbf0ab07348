//! The rules by which an agent is chosen.

use super::{
    AgentChoice, ChoiceReason, ExclusionReason, PassedOverAgent, Roster, SelectionRequest, Team,
    TeamRule, team_name,
};
use crate::Timestamp;

/// A node that needs an agent, and what its run knows.
pub struct SelectionInput<'a> {
    /// The agent or team that the node names.
    pub named: Option<&'a str>,
    /// The agent that a planner suggested.
    pub suggested: Option<&'a str>,
    /// The plan's default agent or team.
    pub plan_default: Option<&'a str>,
    /// The agents whose attempts at the node have failed since it last succeeded, the most recent
    /// last.
    pub failed: &'a [String],
    /// The member of a team that was chosen last in this run.
    pub last_of_team: &'a dyn Fn(&str) -> Option<&'a str>,
    /// How many more sessions of an agent the plan's and the global limits allow right now.
    pub room: &'a dyn Fn(&str) -> u32,
    /// How many sessions of an agent are live or reserved in this run.
    pub busy: &'a dyn Fn(&str) -> u32,
    /// When an agent's usage limit resets, as observed by this run.
    pub limited_until: &'a dyn Fn(&str) -> Option<Timestamp>,
    /// A person retried the node, so known usage limits are ignored.
    pub ignores_limits: bool,
    /// The time of the choice.
    pub now: Timestamp,
}

/// How a node's next attempt gets its agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// The attempt can start with this agent.
    Chosen(AgentChoice),
    /// An agent has to be asked first.
    Ask(SelectionRequest),
    /// All available agents are at their session limits.
    Wait,
    /// All agents that could work are at their usage limits.
    Park {
        /// When the first of these limits resets.
        until: Timestamp,
    },
    /// The team is not defined, and no other agent was named.
    Nobody,
}

/// The agents to choose from.
struct Candidates {
    agents: Vec<String>,
    suggested: Option<String>,
    team: Option<Team>,
    /// The named team is not defined.
    team_is_unknown: bool,
    /// The reason recorded for the last of `agents` when there is no team.
    fallback: ChoiceReason,
}

/// The candidates, ranked by availability.
struct RankedCandidates {
    /// Available agents that have not failed the node, or, if all have failed, those that may
    /// retry.
    able: Vec<String>,
    /// The ones in `able` with a free session.
    free: Vec<String>,
    passed_over: Vec<PassedOverAgent>,
}

/// Chooses the agent for a node.
///
/// An agent that the node names is used even if it is not available: its error reports what to do.
/// Otherwise the suggested agent comes first, then the team according to its rule, or the default.
/// Agents that are undefined, not installed or at a usage limit are passed over, as are agents that
/// failed the node while another one is available.
#[must_use]
pub fn choose_agent(case: &SelectionInput<'_>, roster: &dyn Roster) -> Selection {
    if let Some(agent) = case.named.filter(|name| team_name(name).is_none()) {
        return chosen(agent, ChoiceReason::Named, None, Vec::new());
    }
    let field = Candidates::of(case, roster);
    if let ([only], None, None) = (field.agents.as_slice(), &field.team, &field.suggested) {
        return chosen(only, field.fallback.clone(), None, Vec::new());
    }
    let RankedCandidates {
        able,
        free,
        passed_over,
    } = rank_candidates(case, &field, roster);
    match (able.is_empty(), free.is_empty()) {
        (false, false) => field.pick(case, free, passed_over, roster),
        (false, true) => Selection::Wait,
        (true, _) => no_able_candidate(&field, passed_over),
    }
}

impl Candidates {
    fn of(case: &SelectionInput<'_>, roster: &dyn Roster) -> Self {
        let default = roster.default_agent();
        let (base, fallback) = match (case.named, case.plan_default) {
            (Some(named), _) => (Some(named), ChoiceReason::Named),
            (None, Some(name)) => (Some(name), ChoiceReason::PlanDefault),
            (None, None) => (default.as_deref(), ChoiceReason::Default),
        };
        let team = base.and_then(team_name).map(|name| roster.team(name));
        let members = match (&team, base) {
            (Some(team), _) => team
                .as_ref()
                .map(|team| team.members.clone())
                .unwrap_or_default(),
            (None, base) => base.map(str::to_owned).into_iter().collect(),
        };
        let suggested = case
            .suggested
            .map(str::trim)
            .filter(|agent| !agent.is_empty())
            .map(str::to_owned);
        let first = suggested.clone().filter(|agent| !members.contains(agent));
        let agents = first.into_iter().chain(members).collect();
        let team_is_unknown = matches!(team, Some(None));
        Self {
            agents,
            suggested,
            team: team.flatten(),
            team_is_unknown,
            fallback,
        }
    }

    /// Chooses one of `free`, which is in order of preference.
    fn pick(
        &self,
        case: &SelectionInput<'_>,
        free: Vec<String>,
        passed_over: Vec<PassedOverAgent>,
        roster: &dyn Roster,
    ) -> Selection {
        let suggested = self.suggested.as_ref().filter(|agent| free.contains(agent));
        if let Some(agent) = suggested {
            return chosen(agent, ChoiceReason::Suggested, None, passed_over);
        }
        let Some(team) = &self.team else {
            return free.first().map_or(Selection::Nobody, |agent| {
                chosen(agent, self.fallback.clone(), None, passed_over)
            });
        };
        let busy = |agent: &String| (case.busy)(agent) + roster.agent_status(agent).busy_elsewhere;
        let (agent, reason) = match team.rule {
            TeamRule::First => (free.first(), ChoiceReason::First),
            TeamRule::Rotate => (
                self.next_in_turn(&free, (case.last_of_team)(&team.name)),
                ChoiceReason::Rotated,
            ),
            TeamRule::LeastBusy => {
                let least = free.iter().min_by_key(|agent| busy(agent));
                (
                    least,
                    ChoiceReason::LeastBusy {
                        sessions: least.map(busy).unwrap_or_default(),
                    },
                )
            }
            TeamRule::Ask if free.len() == 1 => (free.first(), ChoiceReason::OnlyOne),
            TeamRule::Ask => {
                let by = team.asks.clone().or_else(|| roster.default_agent());
                let (name, model) = (team.name.clone(), team.model.clone());
                return match by {
                    Some(by) => Selection::Ask(SelectionRequest {
                        team: name,
                        by,
                        model,
                        offered: free,
                        passed_over,
                    }),
                    None => free.first().map_or(Selection::Nobody, |agent| {
                        chosen(agent, ChoiceReason::First, Some(name), passed_over)
                    }),
                };
            }
        };
        agent.map_or(Selection::Nobody, |agent| {
            chosen(agent, reason, Some(team.name.clone()), passed_over)
        })
    }

    /// The first agent of `free` that follows `last` in the team's order, wrapping around.
    fn next_in_turn<'f>(&self, free: &'f [String], last: Option<&str>) -> Option<&'f String> {
        let after = last
            .and_then(|last| self.agents.iter().position(|agent| agent == last))
            .map_or(0, |at| at + 1);
        let round = self.agents[after..].iter().chain(&self.agents[..after]);
        round
            .into_iter()
            .find_map(|agent| free.iter().find(|other| *other == agent))
    }
}

fn rank_candidates(
    case: &SelectionInput<'_>,
    field: &Candidates,
    roster: &dyn Roster,
) -> RankedCandidates {
    let mut able = Vec::new();
    let mut passed_over = Vec::new();
    for agent in &field.agents {
        match exclusion_reason(case, agent, roster) {
            Some(why) => passed_over.push(PassedOverAgent {
                agent: agent.clone(),
                why,
            }),
            None => able.push(agent.clone()),
        }
    }
    let spared = failed_recently(case, &able);
    let mut note = |agent: &String, why: ExclusionReason| {
        passed_over.push(PassedOverAgent {
            agent: agent.clone(),
            why,
        })
    };
    able.retain(|agent| !spared.contains(agent));
    spared
        .iter()
        .for_each(|agent| note(agent, ExclusionReason::Failed));
    let free: Vec<String> = able
        .iter()
        .filter(|agent| (case.room)(agent) > 0)
        .cloned()
        .collect();
    able.iter()
        .filter(|agent| !free.contains(agent))
        .for_each(|agent| note(agent, ExclusionReason::Full));
    passed_over.sort_by_key(|passed| field.agents.iter().position(|agent| *agent == passed.agent));
    RankedCandidates {
        able,
        free,
        passed_over,
    }
}

/// Agents of `able` that should not try now: the ones that failed the node, or, if all have failed,
/// the one that failed it last.
fn failed_recently(case: &SelectionInput<'_>, able: &[String]) -> Vec<String> {
    let failed: Vec<String> = case
        .failed
        .iter()
        .filter(|agent| able.contains(agent))
        .cloned()
        .collect();
    if failed.len() < able.len() {
        return failed;
    }
    failed
        .last()
        .filter(|_| able.len() > 1)
        .cloned()
        .into_iter()
        .collect()
}

fn exclusion_reason(
    case: &SelectionInput<'_>,
    agent: &str,
    roster: &dyn Roster,
) -> Option<ExclusionReason> {
    let standing = roster.agent_status(agent);
    let until = standing
        .limited_until
        .max((case.limited_until)(agent))
        .filter(|&until| until > case.now);
    let until = until.filter(|_| !case.ignores_limits);
    match until {
        _ if standing.unknown || team_name(agent).is_some() => Some(ExclusionReason::Unknown),
        _ if standing.missing => Some(ExclusionReason::Missing),
        Some(until) => Some(ExclusionReason::AtLimit { until }),
        None => None,
    }
}

/// Parks the node until the first limit resets. Without limits, tries the last resort so that its
/// own error reports the problem.
fn no_able_candidate(field: &Candidates, passed_over: Vec<PassedOverAgent>) -> Selection {
    let lifted = passed_over.iter().filter_map(|passed| match passed.why {
        ExclusionReason::AtLimit { until } => Some(until),
        _ => None,
    });
    if let Some(until) = lifted.min() {
        return Selection::Park { until };
    }
    let Some(team) = &field.team else {
        let Some(agent) = field.agents.last().filter(|_| !field.team_is_unknown) else {
            return Selection::Nobody;
        };
        let others = passed_over
            .into_iter()
            .filter(|passed| passed.agent != *agent)
            .collect();
        return chosen(agent, field.fallback.clone(), None, others);
    };
    let Some(first) = team.members.first() else {
        return Selection::Nobody;
    };
    let others = passed_over
        .into_iter()
        .filter(|passed| passed.agent != *first)
        .collect();
    chosen(
        first,
        ChoiceReason::NobodyCan,
        Some(team.name.clone()),
        others,
    )
}

fn chosen(
    agent: &str,
    reason: ChoiceReason,
    team: Option<String>,
    passed_over: Vec<PassedOverAgent>,
) -> Selection {
    Selection::Chosen(AgentChoice {
        agent: agent.to_owned(),
        reason,
        team,
        passed_over,
    })
}
