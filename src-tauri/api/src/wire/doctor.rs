//! What works on this machine, and what does not.

use serde::{Deserialize, Serialize};

use super::{Check, wire};

wire! {
    /// All that was looked at.
    pub struct DoctorView {
        /// The subjects, agents first.
        pub sections: Vec<DoctorSection>,
    }
    /// One subject with what was found.
    pub struct DoctorSection {
        /// What was looked at.
        pub subject: DoctorSubject,
        /// Its name for people.
        pub title: String,
        /// What was found, the worst first.
        pub checks: Vec<Check>,
    }
}

/// What the doctor looks at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DoctorSubject {
    /// An agent.
    Agent {
        /// What plans call it.
        id: String,
        /// Nodes that name no agent take this one.
        default: bool,
    },
    /// A team of agents.
    Team {
        /// What plans call it after `team:`.
        name: String,
    },
    /// The git program.
    Git,
    /// The programs that belong to Baton.
    Programs,
    /// What keeps sessions from Baton's data and from each other.
    Sandbox,
    /// Where Baton keeps its data.
    Data,
}
