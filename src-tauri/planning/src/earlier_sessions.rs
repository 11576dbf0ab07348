//! Whether an agent can continue an earlier session, and whether the session still exists.

use std::sync::Arc;

use baton_agents::Adapter;
use baton_transcripts::{Agent, SessionFile};

use crate::Context;

/// Returns why an agent cannot continue sessions, or with `fork`, cannot copy them.
#[must_use]
pub fn unsupported_reason(adapter: &Arc<dyn Adapter>, fork: bool) -> Option<String> {
    let title = adapter.title();
    match (adapter.can_resume(), adapter.can_fork()) {
        (false, _) => Some(format!(
            "{title} can't continue an earlier session: start a new one"
        )),
        (true, false) if fork => Some(format!(
            "{title} can't copy a session: continue it, or start a new one"
        )),
        _ => None,
    }
}

/// Returns why the agent will not find the session, if its session files can be checked.
#[must_use]
pub fn missing_session_reason(context: &Context, agent: &str, native: &str) -> Option<String> {
    let known = Agent::from_name(agent)?;
    let SessionFile::Missing(places) =
        SessionFile::locate(context.library.locations(), known, native)
    else {
        return None;
    };
    let places: Vec<String> = places
        .iter()
        .map(|place| place.display().to_string())
        .collect();
    let places = places.join(" and ");
    Some(format!(
        "the session file is missing: {agent} keeps its sessions in {places}, but {native} is not there"
    ))
}
