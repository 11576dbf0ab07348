//! The program that a session runs.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use baton_agents::command::CommandSession;
use baton_agents::driver::Driver;
use baton_agents::task::PROMPT_FILE;
use baton_agents::tool::ToolSession;
use baton_agents::{Adapter, LaunchPlan, Task};
use baton_keeper::session_file;
use baton_tools::ToolJob;

use super::argv::Argv;
use crate::session_folder::{PROMPT_FILE_NAME, WORK_FILE};

/// What a session runs, with everything it needs besides its folder.
pub(super) enum Program {
    Agent {
        agent: Arc<dyn Adapter>,
        task: Task,
    },
    /// A command of the plan, with its own variables.
    Command {
        argv: Argv,
        env: BTreeMap<String, String>,
    },
    /// `baton-tool`, which reads its instructions from the work file.
    Tool {
        program: String,
        work: ToolJob,
    },
}

impl Program {
    /// The driver for a new session.
    pub(super) fn driver(&self) -> Box<dyn Driver> {
        match self {
            Self::Agent { agent, task } => agent.driver(task),
            Self::Command { .. } => Box::new(CommandSession::default()),
            Self::Tool { .. } => Box::new(ToolSession::default()),
        }
    }

    /// The launch plan for `folder`. Writes the prompt of an agent that reads it from a file.
    pub(super) fn launch_plan(&self, folder: &Path) -> io::Result<LaunchPlan> {
        match self {
            Self::Agent { agent, task } => launch_agent(agent.as_ref(), task, folder),
            Self::Command { argv, env } => Ok(plain(argv.as_slice().to_vec(), env.clone())),
            Self::Tool { program, .. } => {
                let work = folder.join(WORK_FILE).display().to_string();
                Ok(plain(
                    vec![program.clone(), "run".to_owned(), work],
                    BTreeMap::new(),
                ))
            }
        }
    }
}

fn launch_agent(agent: &dyn Adapter, task: &Task, folder: &Path) -> io::Result<LaunchPlan> {
    let mut plan = agent.launch(task);
    if let Some(prompt) = &plan.prompt_file {
        let path = folder.join(PROMPT_FILE_NAME);
        session_file::write(&path, prompt)?;
        let path = path.display().to_string();
        plan.argv
            .iter_mut()
            .for_each(|word| *word = word.replace(PROMPT_FILE, &path));
    }
    Ok(plan)
}

fn plain(argv: Vec<String>, env: BTreeMap<String, String>) -> LaunchPlan {
    LaunchPlan {
        argv,
        env: env.into_iter().collect(),
        env_remove: Vec::new(),
        stdin: baton_agents::Stdin::Null,
        first_inputs: Vec::new(),
        prompt_file: None,
    }
}
