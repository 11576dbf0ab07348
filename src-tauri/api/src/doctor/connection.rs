//! Checks which coding agents on this machine have Baton's tools.

use baton_formats::agent_config::GuardMode;

use crate::App;
use crate::agent_connections::connections;
use crate::wire::*;

/// One check for each agent that was used before, for the person whom this process belongs to.
pub(super) fn checks(app: &App) -> Vec<Check> {
    let used = connections(app).into_iter().filter(|agent| agent.used);
    used.map(check).collect()
}

fn check(connection: AgentConnection) -> Check {
    let agent = &connection.agent;
    match &connection.connection {
        AgentConnectionState::Connected => {
            let guard = guard(connection.guard);
            Check::new(CheckVerdict::Passed, format!("{agent}: connected{guard}"))
        }
        AgentConnectionState::NotConnected => {
            Check::new(CheckVerdict::Passed, format!("{agent}: not connected"))
                .with_fix(format!("run `baton agents connect {agent}`"))
        }
        AgentConnectionState::Outdated => {
            let sentence = format!(
                "{agent}: connected to another Baton or data directory, or with an older skill"
            );
            Check::new(CheckVerdict::Warning, sentence)
                .with_fix(format!("run `baton agents connect {agent}`"))
        }
        AgentConnectionState::Unreadable { reason } => {
            Check::new(CheckVerdict::Warning, format!("{agent}: {reason}"))
                .with_fix("repair the file")
        }
    }
}

/// What the guard of a connected agent does.
fn guard(mode: Option<GuardMode>) -> &'static str {
    match mode {
        Some(GuardMode::Log) => "; calls of guarded tools outside plans are recorded",
        Some(GuardMode::Block) => "; calls of guarded tools outside plans are refused",
        None => "",
    }
}
