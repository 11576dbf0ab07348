//! Checks of the agents among which the arbiter chooses.

use baton_model::arbiter::{TeamRule, closest_agent_name, team_name};
use baton_model::{Node, Plan};

use crate::Context;
use crate::check::{Check, CheckVerdict};

/// Checks all agents that may be assigned to `node`. `check_agent` returns `None` for agents that
/// were checked before.
pub(super) fn checks(
    context: &Context,
    plan: &Plan,
    node: &Node,
    named: Option<&str>,
    check_agent: &mut dyn FnMut(&str) -> Option<Check>,
) -> Vec<Check> {
    let agents = context.engine.agents();
    let default = agents.default_name();
    let base = named.or(plan.settings.agent.as_deref()).unwrap_or(&default);
    let suggested = node
        .suggested_agent
        .as_deref()
        .filter(|name| !name.trim().is_empty());
    let mut checks = Vec::new();
    if let (Some(suggested), true) = (
        suggested,
        named.is_none_or(|name| team_name(name).is_some()),
    ) {
        checks.extend(check_agent(suggested).map(downgrade_failure));
    }
    let Some(name) = team_name(base) else {
        checks.extend(check_agent(base));
        return checks;
    };
    let teams = agents.teams();
    let Some(team) = teams.iter().find(|team| team.name == name) else {
        checks.push(unknown_team(
            node,
            name,
            closest_agent_name(name, teams.iter().map(|team| team.name.as_str())),
        ));
        return checks;
    };
    let able = |member: &&String| agents.can_start(member);
    if !team.members.iter().any(|member| able(&member)) {
        let check = Check::new(
            CheckVerdict::Failed,
            format!("no agent of the team '{name}' is installed"),
        );
        checks.push(
            check
                .with_fix("install one of its agents, or edit the team in the settings")
                .at(node.id),
        );
    }
    checks.extend(
        team.members
            .iter()
            .filter_map(|member| check_agent(member))
            .map(downgrade_failure),
    );
    if team.rule == TeamRule::Ask {
        checks.extend(check_agent(team.asks.as_deref().unwrap_or(&default)).map(downgrade_failure));
    }
    checks
}

/// Other members of the team can do the work instead.
fn downgrade_failure(check: Check) -> Check {
    match check.verdict {
        CheckVerdict::Failed => Check {
            verdict: CheckVerdict::Warning,
            ..check
        },
        _ => check,
    }
}

fn unknown_team(node: &Node, name: &str, nearest: Option<&str>) -> Check {
    let check = Check::new(
        CheckVerdict::Failed,
        format!(
            "'{}' uses the team '{name}', which is not defined",
            node.title
        ),
    );
    let fix = nearest.map_or_else(
        || "choose another agent or team for the node, or add the team in Settings".to_owned(),
        |nearest| {
            format!("did you mean '{nearest}'? Choose it for the node, or add the team in Settings")
        },
    );
    check.with_fix(fix).at(node.id)
}
