//! Whether the agents among whom the arbiter chooses can work.

use baton_model::arbiter::{Rule, meant, team_name};
use baton_model::{Node, Plan};

use crate::Context;
use crate::check::{Check, CheckVerdict};

/// The checks of all who may do `node`. `look` looks at an agent, once for a plan.
pub(super) fn checks(
    context: &Context,
    plan: &Plan,
    node: &Node,
    named: Option<&str>,
    look: &mut dyn FnMut(&str) -> Option<Check>,
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
        checks.extend(look(suggested).map(as_one_of_several));
    }
    let Some(name) = team_name(base) else {
        checks.extend(look(base));
        return checks;
    };
    let teams = agents.teams();
    let Some(team) = teams.iter().find(|team| team.name == name) else {
        checks.push(unknown(
            node,
            name,
            meant(name, teams.iter().map(|team| team.name.as_str())),
        ));
        return checks;
    };
    let able = |member: &&String| agents.can_start(member);
    if !team.members.iter().any(|member| able(&member)) {
        let check = Check::new(
            CheckVerdict::Failed,
            format!("nobody of the team '{name}' is installed"),
        );
        checks.push(
            check
                .mended_by("install one of its agents, or change the team in the settings")
                .at(node.id),
        );
    }
    checks.extend(
        team.members
            .iter()
            .filter_map(|member| look(member))
            .map(as_one_of_several),
    );
    if team.rule == Rule::Ask {
        checks.extend(look(team.asks.as_deref().unwrap_or(&default)).map(as_one_of_several));
    }
    checks
}

/// Others can take over from one that is not there.
fn as_one_of_several(check: Check) -> Check {
    match check.verdict {
        CheckVerdict::Failed => Check {
            verdict: CheckVerdict::Warning,
            ..check
        },
        _ => check,
    }
}

fn unknown(node: &Node, name: &str, nearest: Option<&str>) -> Check {
    let check = Check::new(
        CheckVerdict::Failed,
        format!(
            "'{}' wants the team '{name}', which there is not",
            node.title
        ),
    );
    let mend = nearest.map_or_else(
        || "choose another agent or team in the node, or define the team in the settings".to_owned(),
        |nearest| format!("did you mean '{nearest}'? Choose it in the node, or define the team in the settings"),
    );
    check.mended_by(mend).at(node.id)
}
