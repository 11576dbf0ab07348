//! Programs of agents on this machine.

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_agents::{LoginSign, Probe};
use baton_engine::find_program;

use crate::Context;

/// The names of the agents whose program is on this machine.
#[must_use]
pub fn installed(context: &Context) -> Vec<String> {
    let environment = context.engine.environment();
    let is_here = |program: &str| find_program(program, &environment).is_some();
    let agents = context.engine.agents().all().into_iter();
    agents
        .filter(|agent| is_here(&agent.probe().program))
        .map(|agent| agent.id().to_owned())
        .collect()
}

/// Whether there is a sign of a login; `None` for an agent whose logins leave none that is known.
#[must_use]
pub fn logged_in(probe: &Probe, environment: &BTreeMap<String, String>) -> Option<bool> {
    (!probe.login.is_empty()).then(|| probe.login.iter().any(|sign| shows(sign, environment)))
}

fn shows(sign: &LoginSign, environment: &BTreeMap<String, String>) -> bool {
    let home = || environment.get("HOME").map(PathBuf::from);
    match sign {
        LoginSign::Env(name) => environment
            .get(*name)
            .is_some_and(|value| !value.is_empty()),
        LoginSign::File(path) => home().is_some_and(|home| home.join(path).is_file()),
        LoginSign::FileContains(path, text) => {
            let content = home().and_then(|home| std::fs::read_to_string(home.join(path)).ok());
            content.is_some_and(|content| content.contains(text))
        }
    }
}
