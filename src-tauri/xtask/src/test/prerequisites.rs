//! Prerequisites of the test parts. Each is prepared at most once, even if that fails.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::cargo;
use crate::npm;
use crate::process;
use crate::pypi_packages;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::tools::{self, Agent};

/// A prerequisite that several parts may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prerequisite {
    /// rustfmt and clippy.
    RustComponents,
    /// The npm packages of the interface.
    Packages,
    /// The built interface, which compiling the window requires.
    Interface,
    /// All programs and tests of the workspace, built in one go.
    Workspace,
    /// The agent for the end-to-end tests.
    Claude,
    /// All agents for the Rust tests.
    Agents,
    /// The MCP client from PyPI.
    McpClient,
    /// Generators of clients of the REST API.
    RestClients,
    /// Controls a browser.
    BrowserDriver,
    /// Controls the window.
    WindowDriver,
}

/// The error of a prerequisite that isn't available.
#[derive(Clone, Debug)]
pub(crate) struct Unavailable {
    /// The explanation.
    why: String,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// The results of the prerequisites so far.
pub(crate) struct Prerequisites<'a> {
    pub(crate) repo: &'a RepoPaths,
    pub(crate) stages: &'a Stages,
    /// The argument with which cargo also lints and documents what it compiles.
    compiler: Option<String>,
    done: Vec<(Prerequisite, Result<(), Unavailable>)>,
}

impl<'a> Prerequisites<'a> {
    pub(crate) fn new(repo: &'a RepoPaths, stages: &'a Stages, compiler: Option<String>) -> Self {
        Self {
            repo,
            stages,
            compiler,
            done: Vec::new(),
        }
    }

    /// Whether compiling also lints and documents.
    pub(crate) fn one_pass(&self) -> bool {
        self.compiler.is_some()
    }

    /// Returns `cargo` with arguments and the shared selection of packages and features.
    pub(crate) fn workspace(&self, arguments: &[&str]) -> Command {
        let mut command = cargo::workspace(self.repo, arguments);
        command.args(&self.compiler);
        command
    }

    /// Prepares a prerequisite, or returns the earlier result.
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

    /// Returns the program of an agent.
    pub(crate) fn agent(&self, agent: Agent) -> Result<PathBuf> {
        tools::agent(self.repo, self.stages, agent)
    }

    /// Returns the WebDriver program for the window.
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
                process::run(&mut self.workspace(&["build", "--all-targets"]))
            }
            Prerequisite::Claude => tools::agent(repo, stages, tools::CLAUDE).map(drop),
            Prerequisite::Agents => tools::AGENTS
                .iter()
                .try_for_each(|&agent| tools::agent(repo, stages, agent).map(drop)),
            Prerequisite::McpClient => pypi_packages::MCP_CLIENT.install(repo, stages).map(drop),
            Prerequisite::RestClients => {
                pypi_packages::REST_CLIENT.install(repo, stages)?;
                tools::rest_client_types(repo, stages).map(drop)
            }
            Prerequisite::BrowserDriver => npm::install(repo, stages, &repo.test_dir("browser")),
            Prerequisite::WindowDriver => {
                npm::install(repo, stages, &repo.test_dir("desktop"))?;
                tools::tauri_driver(repo, stages).map(drop)
            }
        }
    }
}
