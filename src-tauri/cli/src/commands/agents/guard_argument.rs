//! The value of `--guard`.

use baton_api::wire::GuardChoice;
use clap::ValueEnum;

/// The guard of a connected agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GuardArgument {
    /// Calls of guarded tools run, and `baton agents calls` lists them
    Log,
    /// Calls of guarded tools are refused, and the agent is asked to propose a plan
    Block,
    /// No guard
    Off,
}

impl From<GuardArgument> for GuardChoice {
    fn from(argument: GuardArgument) -> Self {
        match argument {
            GuardArgument::Log => Self::Log,
            GuardArgument::Block => Self::Block,
            GuardArgument::Off => Self::Off,
        }
    }
}
