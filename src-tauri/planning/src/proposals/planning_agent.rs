//! The agent that plans, and the default agent of new nodes.

use baton_model::Plan;
use baton_model::arbiter::team_name;

use crate::agent_programs::installed_agents;
use crate::{Context, PlanningError, RefusalReason};

/// The default agent of `plan`, or of a new plan, if it is installed. A team counts as installed.
pub(super) fn default_agent(context: &Context, plan: Option<&Plan>) -> Option<String> {
    let default = plan.and_then(|plan| plan.settings.agent.clone());
    let default = default.unwrap_or_else(|| context.engine.agents().default_name());
    (team_name(&default).is_some() || installed_agents(context).contains(&default))
        .then_some(default)
}

/// The agent that plans: the named one, the default one, or else any installed one.
pub(super) fn planning_agent(
    context: &Context,
    named: Option<&str>,
) -> Result<String, PlanningError> {
    let installed = installed_agents(context);
    if installed.is_empty() {
        let message = "no coding agent is installed on this machine";
        return Err(PlanningError::new(RefusalReason::NoAgent, message)
            .with_fix("install one, or start from a template or a plan file"));
    }
    let is_here = |name: &str| installed.iter().any(|other| other == name);
    match named {
        Some(name) if is_here(name) => Ok(name.to_owned()),
        Some(name) => {
            let message = format!("the agent '{name}' is not installed");
            Err(PlanningError::new(RefusalReason::Refused, message)
                .with_fix(format!("choose one of {}", installed.join(", "))))
        }
        None => {
            let default = context.engine.agents().default_name();
            Ok(if is_here(&default) {
                default
            } else {
                installed[0].clone()
            })
        }
    }
}
