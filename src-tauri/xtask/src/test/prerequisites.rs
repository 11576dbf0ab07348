//! What parts of the tests need before they start, got once and remembered, also when it could not be had.

use std::fmt;
use std::path::PathBuf;

use anyhow::Result;

use crate::cargo;
use crate::npm;
use crate::process;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::tools::{self, Agent};

/// Something that several parts may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prerequisite {
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
pub(crate) struct Prerequisites<'a> {
    pub(crate) repo: &'a RepoPaths,
    pub(crate) stages: &'a Stages,
    done: Vec<(Prerequisite, Result<(), Unavailable>)>,
}

impl<'a> Prerequisites<'a> {
    pub(crate) fn new(repo: &'a RepoPaths, stages: &'a Stages) -> Self {
        Self {
            repo,
            stages,
            done: Vec::new(),
        }
    }

    /// Gets `prerequisite`, unless that was tried already.
    pub(crate) fn ensure(&mut self, prerequisite: Prerequisite) -> Result<(), Unavailable> {
        if let Some((_, result)) = self.done.iter().find(|(done, _)| *done == prerequisite) {
            return result.clone();
        }
        let result = self.get(prerequisite).map_err(|error| Unavailable {
            why: format!("{error:#}"),
        });
        self.done.push((prerequisite, result.clone()));
        result
    }

    /// An agent's program, for the parts that need it.
    pub(crate) fn agent(&self, agent: Agent) -> Result<PathBuf> {
        tools::agent(self.repo, self.stages, agent)
    }

    /// The window driver's program, for the part that needs it.
    pub(crate) fn tauri_driver(&self) -> Result<PathBuf> {
        tools::tauri_driver(self.repo, self.stages)
    }

    fn get(&self, prerequisite: Prerequisite) -> Result<()> {
        let (repo, stages) = (self.repo, self.stages);
        match prerequisite {
            Prerequisite::RustComponents => tools::rust_components(repo, stages),
            Prerequisite::Packages => npm::install(repo, stages, &repo.ui_dir()),
            Prerequisite::Interface => npm::build_interface(repo, stages),
            Prerequisite::Workspace => {
                stages.begin("building the workspace and its tests");
                process::run(&mut cargo::workspace(repo, &["build", "--all-targets"]))
            }
            Prerequisite::Claude => tools::agent(repo, stages, tools::CLAUDE).map(drop),
            Prerequisite::Agents => tools::AGENTS
                .iter()
                .try_for_each(|&agent| tools::agent(repo, stages, agent).map(drop)),
            Prerequisite::BrowserDriver => npm::install(repo, stages, &repo.test_dir("browser")),
            Prerequisite::WindowDriver => {
                npm::install(repo, stages, &repo.test_dir("desktop"))?;
                tools::tauri_driver(repo, stages).map(drop)
            }
        }
    }
}
