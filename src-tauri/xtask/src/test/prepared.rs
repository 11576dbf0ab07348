//! What parts of the tests need before they start, got once and remembered, also when it could not be had.

use std::fmt;
use std::path::PathBuf;

use anyhow::Result;

use crate::cargo;
use crate::npm;
use crate::place::Place;
use crate::process;
use crate::stage::Stages;
use crate::tools::{self, Agent};

/// Something that several parts may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// rustfmt and clippy.
    RustComponents,
    /// The npm packages of the interface.
    Packages,
    /// The interface, built: without it the window does not compile.
    Interface,
    /// Every program and test of the workspace, built in one go.
    Workspace,
    /// The real agent that journeys go with.
    Claude,
    /// All real agents.
    Agents,
    /// What drives a browser.
    BrowserDriver,
    /// What drives the window.
    WindowDriver,
}

/// Something could not be had.
#[derive(Clone, Debug)]
pub(crate) struct Unavailable {
    /// The sentence for the person.
    why: String,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// What is ready so far.
pub(crate) struct Prepared<'a> {
    pub(crate) place: &'a Place,
    pub(crate) stages: &'a Stages,
    done: Vec<(Need, Result<(), Unavailable>)>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(place: &'a Place, stages: &'a Stages) -> Self {
        Self {
            place,
            stages,
            done: Vec::new(),
        }
    }

    /// Gets `need`, unless that was tried already.
    pub(crate) fn ensure(&mut self, need: Need) -> Result<(), Unavailable> {
        if let Some((_, result)) = self.done.iter().find(|(done, _)| *done == need) {
            return result.clone();
        }
        let result = self.get(need).map_err(|error| Unavailable {
            why: format!("{error:#}"),
        });
        self.done.push((need, result.clone()));
        result
    }

    /// An agent's program, for the parts that need it.
    pub(crate) fn agent(&self, agent: Agent) -> Result<PathBuf> {
        tools::agent(self.place, self.stages, agent)
    }

    /// The window driver's program, for the part that needs it.
    pub(crate) fn tauri_driver(&self) -> Result<PathBuf> {
        tools::tauri_driver(self.place, self.stages)
    }

    fn get(&self, need: Need) -> Result<()> {
        let (place, stages) = (self.place, self.stages);
        match need {
            Need::RustComponents => tools::rust_components(place, stages),
            Need::Packages => npm::install(place, stages, &place.interface()),
            Need::Interface => npm::build_interface(place, stages),
            Need::Workspace => {
                stages.begin("building the workspace and its tests");
                process::run(&mut cargo::workspace(place, &["build", "--all-targets"]))
            }
            Need::Claude => tools::agent(place, stages, tools::CLAUDE).map(drop),
            Need::Agents => tools::AGENTS
                .iter()
                .try_for_each(|&agent| tools::agent(place, stages, agent).map(drop)),
            Need::BrowserDriver => npm::install(place, stages, &place.journeys("browser")),
            Need::WindowDriver => {
                npm::install(place, stages, &place.journeys("desktop"))?;
                tools::tauri_driver(place, stages).map(drop)
            }
        }
    }
}
