//! Diagnostics: what works on this machine, and what doesn't.

use serde::{Deserialize, Serialize};

use super::{Check, wire};

wire! {
    /// The results of all checks.
    pub struct DoctorView {
        /// One section per subject, agents first.
        pub sections: Vec<DoctorSection>,
    }
    /// One subject and its check results.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct DoctorSection {
        pub subject: DoctorSubject,
        pub title: String,
        /// Results, most severe first.
        pub checks: Vec<Check>,
    }
}

/// What the checks are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DoctorSubject {
    /// A coding agent, built in or custom.
    Agent {
        /// Its id in plan files.
        id: String,
        /// The default agent, for nodes that don't specify one.
        default: bool,
        /// Whether it is the default, or a team or a plan names it. Otherwise nothing that is
        /// missing of it is a warning.
        used: bool,
    },
    /// A team of agents.
    Team {
        /// Its name in plan files, after `team:`.
        name: String,
    },
    /// The coding agents of this person that have Baton's tools, or could have them.
    Connections,
    /// The installed git and its version.
    Git,
    /// The programs that belong to Baton.
    Programs,
    /// The sandbox that separates sessions from Baton's data and from each other.
    Sandbox,
    /// The data directory and the database.
    Data,
}
