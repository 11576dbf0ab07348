//! Prepares the commands of nodes and of acceptance criteria.

use std::collections::BTreeMap;
use std::path::Path;

use baton_model::node::{CommandLine, CommandTask, Node};
use baton_model::outcome::Failure;
use baton_model::shell;
use baton_model::template_text::LoopScope;

use super::PreparedSession;
use super::argv::Argv;
use super::directory::directory;
use super::handoff_context::context;
use super::program::Program;
use super::text::{bad_input, command_display, fill, reject_nul_bytes, unsafe_value_failure};
use crate::job::Job;
use crate::session_services::SessionServices;
use crate::shell_line;
use crate::template::{self, Outputs};

pub(super) fn prepare_command(
    job: &Job,
    node: &Node,
    task: &CommandTask,
    outputs: &Outputs,
    services: &SessionServices,
) -> Result<PreparedSession, Failure> {
    let fill = |text: &String| fill(text, outputs).and_then(reject_nul_bytes);
    let (argv, values) = match &task.command {
        CommandLine::Shell(line) => filled_line(line, outputs)?,
        CommandLine::Argv(words) => (
            Argv::of_node(node, words.iter().map(fill).collect::<Result<_, _>>()?)?,
            BTreeMap::new(),
        ),
    };
    let display_text = command_display(argv.as_slice(), &values);
    let mut env = values;
    for (name, value) in &task.env {
        env.insert(name.clone(), fill(value)?);
    }
    Ok(PreparedSession::new(
        Program::Command { argv, env },
        directory(job, node, services, task.cwd.as_deref())?,
        display_text,
        context(job, node),
    ))
}

/// The command that runs `line` in the shell, and the variables for it.
pub(super) fn filled_line(
    line: &str,
    outputs: &Outputs,
) -> Result<(Argv, BTreeMap<String, String>), Failure> {
    let (line, values) = shell_line::fill(line, outputs).map_err(bad_input)?;
    for value in values.values() {
        reject_nul_bytes(value.clone())?;
    }
    Ok((Argv::of_line(line), values))
}

/// The session for the command of an acceptance criterion, in the working directory.
pub(crate) fn prepare_check(
    job: &Job,
    line: &str,
    directory: &Path,
) -> Result<PreparedSession, Failure> {
    let outputs = if template::is_template(line) {
        job.run.outputs(&job.background)
    } else {
        Outputs::default()
    };
    if let Some(value) = shell::unsafe_values(line, &BTreeMap::new(), LoopScope::Body)
        .into_iter()
        .next()
    {
        return Err(unsafe_value_failure(&value));
    }
    let (argv, values) = filled_line(line, &outputs)?;
    let display_text = command_display(argv.as_slice(), &values);
    Ok(PreparedSession::new(
        Program::Command { argv, env: values },
        directory.to_path_buf(),
        display_text,
        String::new(),
    ))
}
