//! The rules by which an agent is chosen.

use super::{Asking, Choice, PassedOver, Reason, Roster, Rule, Team, WhyNot, team_name};
use crate::Timestamp;

/// A node that needs an agent, and what its run knows.
pub struct Case<'a> {
    /// The agent or team that the node names.
    pub named: Option<&'a str>,
    /// The agent that a planner had in mind.
    pub suggested: Option<&'a str>,
    /// The agent or team that the plan names for nodes that name nobody.
    pub plan_default: Option<&'a str>,
    /// The agents that failed attempts of the node since it was last done, the latest last.
    pub failed: &'a [String],
    /// Who of a team was chosen last in this run.
    pub last_of_team: &'a dyn Fn(&str) -> Option<&'a str>,
    /// How many more sessions of an agent the limits of the plan and of all runs allow at the moment.
    pub room: &'a dyn Fn(&str) -> u32,
    /// How many sessions of an agent live in this run, or are about to.
    pub busy: &'a dyn Fn(&str) -> u32,
    /// Until when this run knows an agent to be at its usage limit.
    pub limited_until: &'a dyn Fn(&str) -> Option<Timestamp>,
    /// A person wants it tried whatever limits are known.
    pub ignores_limits: bool,
    /// The time of the choice.
    pub now: Timestamp,
}

/// What the arbiter says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// This one.
    Chosen(Choice),
    /// Somebody is to be asked.
    Ask(Asking),
    /// Whoever can work has all the sessions that the limits allow.
    Wait,
    /// All who could work are at their usage limits.
    Park {
        /// When the first of these is lifted.
        until: Timestamp,
    },
    /// There is no such team, and nobody else was named.
    Nobody,
}

/// Those among whom a choice is made.
struct Field {
    agents: Vec<String>,
    suggested: Option<String>,
    team: Option<Team>,
    /// A team is named that is not there.
    team_is_unknown: bool,
    /// Why the last of `agents` is among them, where there is no team.
    fallback: Reason,
}

/// The agents of a field by what they can do.
struct Sorted {
    /// Who can work and has not failed, or, when all have, who may try again.
    able: Vec<String>,
    /// Those of them for whom there is room.
    free: Vec<String>,
    passed_over: Vec<PassedOver>,
}

/// Chooses the agent for a node.
///
/// An agent that the node names is taken as it is, also when it cannot work: its error says what is to be done. Else the
/// suggested one goes first, then the team by its rule, or the default. Whoever is not known, not installed or at a usage
/// limit is passed over, and whoever failed the node while another can take it.
#[must_use]
pub fn choose(case: &Case<'_>, roster: &dyn Roster) -> Verdict {
    if let Some(agent) = case.named.filter(|name| team_name(name).is_none()) {
        return chosen(agent, Reason::Named, None, Vec::new());
    }
    let field = Field::of(case, roster);
    if let ([only], None, None) = (field.agents.as_slice(), &field.team, &field.suggested) {
        return chosen(only, field.fallback.clone(), None, Vec::new());
    }
    let Sorted {
        able,
        free,
        passed_over,
    } = sort(case, &field, roster);
    match (able.is_empty(), free.is_empty()) {
        (false, false) => field.pick(case, free, passed_over, roster),
        (false, true) => Verdict::Wait,
        (true, _) => nobody_is_able(&field, passed_over),
    }
}

impl Field {
    fn of(case: &Case<'_>, roster: &dyn Roster) -> Self {
        let default = roster.default_agent();
        let (base, fallback) = match (case.named, case.plan_default) {
            (Some(named), _) => (Some(named), Reason::Named),
            (None, Some(name)) => (Some(name), Reason::PlanDefault),
            (None, None) => (default.as_deref(), Reason::Default),
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

    /// Chooses among `free`, who are in the order of preference.
    fn pick(
        &self,
        case: &Case<'_>,
        free: Vec<String>,
        passed_over: Vec<PassedOver>,
        roster: &dyn Roster,
    ) -> Verdict {
        let suggested = self.suggested.as_ref().filter(|agent| free.contains(agent));
        if let Some(agent) = suggested {
            return chosen(agent, Reason::Suggested, None, passed_over);
        }
        let Some(team) = &self.team else {
            return free.first().map_or(Verdict::Nobody, |agent| {
                chosen(agent, self.fallback.clone(), None, passed_over)
            });
        };
        let busy = |agent: &String| (case.busy)(agent) + roster.standing(agent).busy_elsewhere;
        let (agent, reason) = match team.rule {
            Rule::First => (free.first(), Reason::First),
            Rule::Rotate => (
                self.next_in_turn(&free, (case.last_of_team)(&team.name)),
                Reason::Rotated,
            ),
            Rule::LeastBusy => {
                let least = free.iter().min_by_key(|agent| busy(agent));
                (
                    least,
                    Reason::LeastBusy {
                        sessions: least.map(busy).unwrap_or_default(),
                    },
                )
            }
            Rule::Ask if free.len() == 1 => (free.first(), Reason::OnlyOne),
            Rule::Ask => {
                let by = team.asks.clone().or_else(|| roster.default_agent());
                let (name, model) = (team.name.clone(), team.model.clone());
                return match by {
                    Some(by) => Verdict::Ask(Asking {
                        team: name,
                        by,
                        model,
                        offered: free,
                        passed_over,
                    }),
                    None => free.first().map_or(Verdict::Nobody, |agent| {
                        chosen(agent, Reason::First, Some(name), passed_over)
                    }),
                };
            }
        };
        agent.map_or(Verdict::Nobody, |agent| {
            chosen(agent, reason, Some(team.name.clone()), passed_over)
        })
    }

    /// The first of `free` that comes after `last` in the round of all.
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

fn sort(case: &Case<'_>, field: &Field, roster: &dyn Roster) -> Sorted {
    let mut able = Vec::new();
    let mut passed_over = Vec::new();
    for agent in &field.agents {
        match cannot(case, agent, roster) {
            Some(why) => passed_over.push(PassedOver {
                agent: agent.clone(),
                why,
            }),
            None => able.push(agent.clone()),
        }
    }
    let spared = spared(case, &able);
    let mut note = |agent: &String, why: WhyNot| {
        passed_over.push(PassedOver {
            agent: agent.clone(),
            why,
        })
    };
    able.retain(|agent| !spared.contains(agent));
    spared.iter().for_each(|agent| note(agent, WhyNot::Failed));
    let free: Vec<String> = able
        .iter()
        .filter(|agent| (case.room)(agent) > 0)
        .cloned()
        .collect();
    able.iter()
        .filter(|agent| !free.contains(agent))
        .for_each(|agent| note(agent, WhyNot::Full));
    passed_over.sort_by_key(|passed| field.agents.iter().position(|agent| *agent == passed.agent));
    Sorted {
        able,
        free,
        passed_over,
    }
}

/// The able ones that are not to try now: who failed the node, or, when all have, who failed it last.
fn spared(case: &Case<'_>, able: &[String]) -> Vec<String> {
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

fn cannot(case: &Case<'_>, agent: &str, roster: &dyn Roster) -> Option<WhyNot> {
    let standing = roster.standing(agent);
    let until = standing
        .limited_until
        .max((case.limited_until)(agent))
        .filter(|&until| until > case.now);
    let until = until.filter(|_| !case.ignores_limits);
    match until {
        _ if standing.unknown || team_name(agent).is_some() => Some(WhyNot::Unknown),
        _ if standing.missing => Some(WhyNot::Missing),
        Some(until) => Some(WhyNot::AtLimit { until }),
        None => None,
    }
}

/// Waits for the limit that is lifted first; without limits, lets the last resort tell what is wrong.
fn nobody_is_able(field: &Field, passed_over: Vec<PassedOver>) -> Verdict {
    let lifted = passed_over.iter().filter_map(|passed| match passed.why {
        WhyNot::AtLimit { until } => Some(until),
        _ => None,
    });
    if let Some(until) = lifted.min() {
        return Verdict::Park { until };
    }
    let Some(team) = &field.team else {
        let Some(agent) = field.agents.last().filter(|_| !field.team_is_unknown) else {
            return Verdict::Nobody;
        };
        let others = passed_over
            .into_iter()
            .filter(|passed| passed.agent != *agent)
            .collect();
        return chosen(agent, field.fallback.clone(), None, others);
    };
    let Some(first) = team.members.first() else {
        return Verdict::Nobody;
    };
    let others = passed_over
        .into_iter()
        .filter(|passed| passed.agent != *first)
        .collect();
    chosen(first, Reason::NobodyCan, Some(team.name.clone()), others)
}

fn chosen(
    agent: &str,
    reason: Reason,
    team: Option<String>,
    passed_over: Vec<PassedOver>,
) -> Verdict {
    Verdict::Chosen(Choice {
        agent: agent.to_owned(),
        reason,
        team,
        passed_over,
    })
}
