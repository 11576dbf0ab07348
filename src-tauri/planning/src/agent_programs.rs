//! Agent programs that are installed on this machine, and signs of their logins.

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_agents::{LoginEvidence, Probe};
use baton_engine::find_program;

use crate::Context;

/// The names of the agents whose program is installed.
#[must_use]
pub fn installed_agents(context: &Context) -> Vec<String> {
    let environment = context.engine.environment();
    let is_here = |program: &str| find_program(program, &environment).is_some();
    let agents = context.engine.agents().all().into_iter();
    agents
        .filter(|agent| is_here(&agent.probe().program))
        .map(|agent| agent.id().to_owned())
        .collect()
}

/// Whether there is evidence of a login; `None` for agents without known evidence.
#[must_use]
pub fn logged_in(probe: &Probe, environment: &BTreeMap<String, String>) -> Option<bool> {
    (!probe.login.is_empty()).then(|| probe.login.iter().any(|sign| is_present(sign, environment)))
}

fn is_present(sign: &LoginEvidence, environment: &BTreeMap<String, String>) -> bool {
    let home = || environment.get("HOME").map(PathBuf::from);
    match sign {
        LoginEvidence::Env(name) => environment
            .get(*name)
            .is_some_and(|value| !value.is_empty()),
        LoginEvidence::File(path) => home().is_some_and(|home| home.join(path).is_file()),
        LoginEvidence::FileContains(path, text) => {
            let content = home().and_then(|home| std::fs::read_to_string(home.join(path)).ok());
            content.is_some_and(|content| content.contains(text))
        }
    }
}
