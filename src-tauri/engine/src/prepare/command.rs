//! How commands are started: those of nodes, and those of acceptance criteria.

use std::collections::BTreeMap;
use std::path::Path;

use baton_model::node::{CommandLine, CommandTask, Node};
use baton_model::outcome::Failure;
use baton_model::shell;
use baton_model::template_text::LoopScope;

use super::Reading;
use super::argv::Argv;
use super::directory::directory;
use super::program::Program;
use super::received::context;
use super::text::{bad_input, fill, not_data, told, without_zero};
use crate::job::Job;
use crate::shell_line;
use crate::template::{self, Outputs};
use crate::workshop::Workshop;

pub(super) fn read_command(
    job: &Job,
    node: &Node,
    task: &CommandTask,
    outputs: &Outputs,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let fill = |text: &String| fill(text, outputs).and_then(without_zero);
    let (argv, values) = match &task.command {
        CommandLine::Shell(line) => filled_line(line, outputs)?,
        CommandLine::Argv(words) => (
            Argv::of_node(node, words.iter().map(fill).collect::<Result<_, _>>()?)?,
            BTreeMap::new(),
        ),
    };
    let told = told(argv.words(), &values);
    let mut env = values;
    for (name, value) in &task.env {
        env.insert(name.clone(), fill(value)?);
    }
    Ok(Reading::new(
        Program::Command { argv, env },
        directory(job, node, workshop, task.cwd.as_deref())?,
        told,
        context(job, node),
    ))
}

/// How the shell is started with `line`, and the variables that it sees.
pub(super) fn filled_line(
    line: &str,
    outputs: &Outputs,
) -> Result<(Argv, BTreeMap<String, String>), Failure> {
    let (line, values) = shell_line::fill(line, outputs).map_err(bad_input)?;
    for value in values.values() {
        without_zero(value.clone())?;
    }
    Ok((Argv::of_line(line), values))
}

/// How the command of an acceptance criterion is run, in the directory of the work.
pub(crate) fn read_check(job: &Job, line: &str, directory: &Path) -> Result<Reading, Failure> {
    let outputs = if template::is_template(line) {
        job.run.outputs(&job.background)
    } else {
        Outputs::default()
    };
    if let Some(value) = shell::unsafe_values(line, &BTreeMap::new(), LoopScope::Body)
        .into_iter()
        .next()
    {
        return Err(not_data(&value));
    }
    let (argv, values) = filled_line(line, &outputs)?;
    let told = told(argv.words(), &values);
    Ok(Reading::new(
        Program::Command { argv, env: values },
        directory.to_path_buf(),
        told,
        String::new(),
    ))
}
