//! Whether an agent can go on with an earlier session, and whether it will find it.

use std::sync::Arc;

use baton_agents::Adapter;
use baton_transcripts::{Agent, Whereabouts};

use crate::Context;

/// Why an agent cannot go on with sessions, or copy them.
#[must_use]
pub fn inability(adapter: &Arc<dyn Adapter>, fork: bool) -> Option<String> {
    let title = adapter.title();
    match (adapter.can_resume(), adapter.can_fork()) {
        (false, _) => Some(format!(
            "{title} cannot go on with an earlier session: begin a new one"
        )),
        (true, false) if fork => Some(format!(
            "{title} cannot copy a session: continue it, or begin a new one"
        )),
        _ => None,
    }
}

/// Why the agent will not find the session, where its files tell.
#[must_use]
pub fn gone(context: &Context, agent: &str, native: &str) -> Option<String> {
    let known = Agent::named(agent)?;
    let Whereabouts::Gone(places) = Whereabouts::of(context.library.homes(), known, native) else {
        return None;
    };
    let places: Vec<String> = places
        .iter()
        .map(|place| place.display().to_string())
        .collect();
    let places = places.join(" and ");
    Some(format!(
        "the file of the session is gone: {agent} keeps its sessions in {places}, and {native} is not there"
    ))
}
