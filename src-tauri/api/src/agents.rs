//! Operations on the agents of this machine.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use baton_agents::custom::CustomAgent as StoredAgent;
use baton_agents::{Adapter, ToolControl};
use baton_engine::find_program as find;
use baton_planning::agent_programs::logged_in;

use crate::wire::*;
use crate::{ApiError, App, Code};
use baton_planning::settings::StoredSettings;

/// Time limit for an agent to print its version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(10);

/// Lists the agents, custom ones first. Takes a moment, because each agent is asked for its
/// version.
pub(crate) fn list(app: &App, _: Nothing) -> Result<Vec<AgentView>, ApiError> {
    let custom = StoredSettings::read(&app.store)?.custom_agents;
    let environment = app.engine.environment();
    let default = app.engine.agents().default_name();
    let agents = app.engine.agents().all();
    // Asks all agents in parallel, since each may be slow.
    let views = thread::scope(|scope| {
        let start_probe = |agent: &std::sync::Arc<dyn Adapter>| {
            let agent = std::sync::Arc::clone(agent);
            let (environment, custom, default) = (&environment, &custom, &default);
            scope.spawn(move || view(app, agent.as_ref(), environment, (custom, default)))
        };
        let threads: Vec<_> = agents.iter().map(start_probe).collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    });
    Ok(views)
}

fn view(
    app: &App,
    agent: &dyn Adapter,
    environment: &BTreeMap<String, String>,
    (custom, default): (&[StoredAgent], &str),
) -> AgentView {
    let probe = agent.probe();
    let path = find(&probe.program, environment);
    let version = path.as_deref().and_then(|path| {
        app.agent_versions
            .current(path, &probe, environment, VERSION_TIMEOUT)
    });
    let logged_in = path.as_ref().and_then(|_| logged_in(&probe, environment));
    let own = custom.iter().find(|own| own.name == agent.id());
    AgentView {
        id: agent.id().to_owned(),
        title: agent.title().to_owned(),
        mark: agent.mark().to_string(),
        keeps_history: agent.history().is_some(),
        custom: own.is_some(),
        default: agent.id() == default,
        mend: match (&path, logged_in) {
            (None, _) => Some(probe.missing.clone()),
            (Some(_), Some(false)) => Some(probe.not_logged_in.clone()),
            _ => None,
        },
        path: path.map(|path| path.display().to_string()),
        version,
        // Missing credentials don't prove that the agent is logged out.
        logged_in: logged_in.filter(|&logged_in| logged_in),
        command: own.map(|own| own.argv.clone()).unwrap_or_default(),
        protocol: own.map(|own| own.protocol).unwrap_or_default(),
        reach: tool_control_of(agent),
    }
}

fn tool_control_of(agent: &dyn Adapter) -> AgentToolControl {
    let ToolControl {
        asks_permission,
        enforces_list,
        description,
    } = agent.tool_control();
    AgentToolControl {
        asks: asks_permission,
        lists: enforces_list,
        sentence: description.to_owned(),
    }
}

/// Adds or changes a custom agent.
pub(crate) fn save(app: &App, input: CustomAgent) -> Result<Vec<AgentView>, ApiError> {
    let bad = |message: &str| Err(ApiError::new(Code::BadInput, message));
    if baton_model::Slug::new(&input.id).is_err() {
        return bad(
            "an agent's name may only contain letters, digits, '-' and '_', and must start with a letter or digit",
        );
    }
    if input
        .command
        .first()
        .is_none_or(|program| program.trim().is_empty())
    {
        return bad("enter the program to run");
    }
    let mut stored = StoredSettings::read(&app.store)?;
    stored.custom_agents.retain(|agent| agent.name != input.id);
    stored.custom_agents.push(StoredAgent {
        name: input.id,
        argv: input.command,
        protocol: input.protocol,
    });
    stored.custom_agents.sort_by(|a, b| a.name.cmp(&b.name));
    app.store_settings(&stored)?;
    list(app, Nothing {})
}

/// Deletes a custom agent. Nodes that use it fail until it is defined again.
pub(crate) fn delete(app: &App, input: AgentRef) -> Result<Vec<AgentView>, ApiError> {
    let mut stored = StoredSettings::read(&app.store)?;
    let before = stored.custom_agents.len();
    stored.custom_agents.retain(|agent| agent.name != input.id);
    if stored.custom_agents.len() == before {
        return Err(ApiError::new(
            Code::NotFound,
            format!("there is no custom agent '{}'", input.id),
        ));
    }
    if stored.default_agent == input.id {
        stored.default_agent = StoredSettings::default().default_agent;
    }
    app.store_settings(&stored)?;
    list(app, Nothing {})
}
