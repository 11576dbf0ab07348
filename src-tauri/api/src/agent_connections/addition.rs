//! What connecting adds to the files of an agent.

use std::path::Path;

use baton_agents::tool_name::shell_quote;
use baton_formats::agent_config::{AgentSetup, GUARD_SUBCOMMAND, GuardMode, ServerCommand};
use baton_formats::agent_guide::skill;

use super::agent_file_error::AgentFileError;
use super::file_edits::{FileChange, FileEdits};
use crate::wire::GuardChoice;
use crate::{App, default_data_directory};

/// What connecting adds to every agent.
#[derive(Debug)]
pub(crate) struct Addition {
    server: ServerCommand,
    /// `None` leaves the guard as it is.
    guard: Option<GuardChoice>,
}

impl Addition {
    pub(crate) fn new(app: &App, guard: Option<GuardChoice>) -> Self {
        let server = server_command(app.engine.tools().baton(), app.store.data_dir());
        Self { server, guard }
    }

    /// How the files of an agent change.
    pub(crate) fn changes(&self, setup: &AgentSetup) -> Result<Vec<FileChange>, AgentFileError> {
        let mut edits = FileEdits::new(setup.id);
        if let Some(path) = &setup.config {
            edits.edit(path, |text| setup.with_baton(text, &self.server))?;
        }
        if let (Some(hooks), Some(guard)) = (&setup.hooks, self.guard) {
            edits.edit(&hooks.path, |text| match guard.mode() {
                Some(mode) => hooks.with_guard(text, &guard_command(setup, &self.server, mode)),
                None => hooks.without_guard(text),
            })?;
        }
        *edits.file(&setup.skill)? = Some(skill());
        Ok(edits.into_changes())
    }
}

/// How agents start the tools: `baton` by its whole path, because they have another `PATH`.
fn server_command(baton: &Path, data: &Path) -> ServerCommand {
    let mut arguments = vec!["mcp".to_owned()];
    let default = default_data_directory().ok();
    if default.as_deref() != Some(data) {
        arguments.extend(["--data-dir".to_owned(), data.display().to_string()]);
    }
    ServerCommand {
        program: baton.display().to_string(),
        arguments,
    }
}

/// The shell command of the hook: this program, with the same data as the tools.
fn guard_command(setup: &AgentSetup, server: &ServerCommand, mode: GuardMode) -> String {
    let data = server.arguments.iter().skip(1);
    let global = std::iter::once(&server.program).chain(data);
    let global: Vec<_> = global.map(|word| shell_quote(word)).collect();
    format!(
        "{} agents {GUARD_SUBCOMMAND} --agent {} --mode {}",
        global.join(" "),
        setup.id,
        mode.name()
    )
}
