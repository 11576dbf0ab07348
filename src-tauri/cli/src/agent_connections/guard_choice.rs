//! What a person chooses for guarded calls of agents that work without a plan.

use baton_formats::agent_config::GuardMode;
use clap::ValueEnum;

/// The guard of a connected agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GuardChoice {
    /// Calls of guarded tools run, and `baton agents calls` lists them
    Log,
    /// Calls of guarded tools are refused, and the agent is asked to propose a plan
    Block,
    /// No guard
    Off,
}

impl GuardChoice {
    /// `None` for no guard.
    pub(crate) fn mode(self) -> Option<GuardMode> {
        match self {
            Self::Log => Some(GuardMode::Log),
            Self::Block => Some(GuardMode::Block),
            Self::Off => None,
        }
    }
}
