//! The sandbox of a session: what it must not access, and which of Baton's data is its own.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use baton_keeper::{Sandbox, session_file};
use baton_tools::{BuiltInTool, Task, ToolCall, ToolName};

use super::PreparedSession;
use super::program::Program;
use crate::session_folder::{CONTEXT_FILE, OUTPUT_FILE, PROMPT_FILE_NAME, SUMMARY_FILE, WORK_FILE};
use crate::work_tree::hook_folders;

/// The folder of the sockets through which sessions reach Baton, in the data directory.
const REQUESTS: &str = "requests";
/// The folder of worktrees, in the data directory.
const WORKTREES: &str = "worktrees";

impl PreparedSession {
    /// The sandbox of the session in `folder`; `None` for one that runs only Baton's own code on
    /// Baton's own data.
    pub(super) fn sandbox(
        &self,
        folder: &Path,
        data_directory: &Path,
    ) -> io::Result<Option<Sandbox>> {
        if matches!(&self.program, Program::Tool { work, .. } if is_baton_alone(&work.task)) {
            return Ok(None);
        }
        let requests = data_directory.join(REQUESTS);
        // If it cannot be created, the session reports that when it needs it.
        let _ = fs::DirBuilder::new().mode(0o700).create(&requests);
        let own = [CONTEXT_FILE, PROMPT_FILE_NAME, WORK_FILE].map(|name| folder.join(name));
        // A sandbox contains only files that exist.
        let summary = folder.join(SUMMARY_FILE);
        session_file::append(&summary)?;
        let worktree = self.worktree(data_directory);
        Ok(Some(Sandbox {
            hidden: data_directory.to_owned(),
            output: Some(folder.join(OUTPUT_FILE)),
            writable: [summary].into_iter().chain(worktree).collect(),
            readable: own.into_iter().chain([requests]).collect(),
            read_only: hook_folders(&self.directory),
        }))
    }

    /// The worktree in which the session works, with its setup marker file.
    fn worktree(&self, data_directory: &Path) -> Vec<PathBuf> {
        let above = data_directory.join(WORKTREES);
        let Ok(below) = self.directory.strip_prefix(&above) else {
            return Vec::new();
        };
        let mut parts = below.components();
        let (Some(run), Some(node)) = (parts.next(), parts.next()) else {
            return Vec::new();
        };
        let worktree = above.join(run).join(node);
        let prepared = self.place.as_ref().map(|place| place.prepared());
        [worktree].into_iter().chain(prepared).collect()
    }
}

/// Returns whether the work only queries Baton itself, or acts on its plans as the approved plan
/// says: no third-party program runs.
fn is_baton_alone(task: &Task) -> bool {
    let acts_on_plans = |call: &ToolCall| matches!(ToolName::parse(&call.tool_name, &[]), ToolName::BuiltIn(tool) if BuiltInTool::acts_on_plans(tool));
    match task {
        Task::Call { call } | Task::Loop { call, .. } => acts_on_plans(call),
        Task::Parallel { calls, .. } => calls.iter().all(acts_on_plans),
        Task::Condition { .. } => true,
    }
}
