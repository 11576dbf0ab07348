//! The agents that a run of a plan may start.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baton_agents::Adapter;
use baton_model::arbiter::{Team, TeamRule, team_name};
use baton_model::{Node, Plan};

use crate::Context;

/// The names of the agents of enabled nodes and of the review, sorted.
pub(crate) fn used_agent_names(context: &Context, plan: &Plan) -> BTreeSet<String> {
    let agents = context.engine.agents();
    let names = names_in(plan, &agents.default_name(), &agents.teams());
    names.into_iter().collect()
}

/// The agents of enabled nodes and of the review that have a version, sorted by name.
pub(super) fn used_agents(context: &Context, plan: &Plan) -> Vec<Arc<dyn Adapter>> {
    let agents = context.engine.agents();
    let names = used_agent_names(context, plan);
    let found = names.iter().filter_map(|name| agents.find(Some(name)));
    let by_id: BTreeMap<String, Arc<dyn Adapter>> = found
        .filter(|agent| !agent.probe().version_argv.is_empty())
        .map(|agent| (agent.id().to_owned(), agent))
        .collect();
    by_id.into_values().collect()
}

fn names_in(plan: &Plan, default: &str, teams: &[Team]) -> Vec<String> {
    let mut names = Vec::new();
    let is_used = |node: &&Node| node.is_executable() && !node.disabled;
    for node in plan.nodes.iter().filter(is_used) {
        let Some(named) = node.kind.agent() else {
            continue;
        };
        let base = named.or(plan.settings.agent.as_deref()).unwrap_or(default);
        names.extend(members(base, default, teams));
        if named.is_none_or(|name| team_name(name).is_some()) {
            names.extend(node.suggested_agent.clone());
        }
    }
    let review = plan.settings.review.as_ref();
    let reviewer = review.and_then(|review| review.agent.as_deref());
    names.extend(
        reviewer
            .into_iter()
            .flat_map(|name| members(name, default, teams)),
    );
    names
}

/// The agent with this name, or those of the team.
fn members(name: &str, default: &str, teams: &[Team]) -> Vec<String> {
    let Some(team) = team_name(name) else {
        return vec![name.to_owned()];
    };
    let Some(team) = teams.iter().find(|known| known.name == team) else {
        return Vec::new();
    };
    let asked = (team.rule == TeamRule::Ask)
        .then(|| team.asks.clone().unwrap_or_else(|| default.to_owned()));
    team.members.iter().cloned().chain(asked).collect()
}

#[cfg(test)]
mod tests {
    use baton_model::node::{AgentTask, NodeKind, Review};
    use baton_model::{NodeId, PlanId, Slug};

    use super::*;

    fn node(agent: Option<&str>) -> Node {
        let task = AgentTask {
            agent: agent.map(str::to_owned),
            ..AgentTask::default()
        };
        let slug = Slug::from_title("a");
        Node::new(NodeId(uuid::Uuid::nil()), slug, "A", NodeKind::Agent(task))
    }

    #[test]
    fn nodes_teams_and_review_use_agents() {
        let mut plan = Plan::new(PlanId(uuid::Uuid::nil()), "A");
        let team = |rule, asks: Option<&str>| Team {
            name: "any".to_owned(),
            members: vec!["codex".to_owned(), "pi".to_owned()],
            rule,
            asks: asks.map(str::to_owned),
            ..Team::default()
        };
        let teams = [team(TeamRule::Ask, None)];
        assert_eq!(names_in(&plan, "claude", &teams), Vec::<String>::new());
        let mut disabled = node(Some("gemini"));
        disabled.disabled = true;
        plan.nodes = vec![node(None), disabled];
        assert_eq!(names_in(&plan, "claude", &teams), ["claude"]);
        plan.settings.agent = Some("opencode".to_owned());
        assert_eq!(names_in(&plan, "claude", &teams), ["opencode"]);
        plan.nodes = vec![node(Some("team:any"))];
        plan.nodes[0].suggested_agent = Some("gemini".to_owned());
        plan.settings.review = Some(Review {
            agent: Some("pi".to_owned()),
            model: None,
        });
        assert_eq!(
            names_in(&plan, "claude", &teams),
            ["codex", "pi", "claude", "gemini", "pi"]
        );
    }
}
