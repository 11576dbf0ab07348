//! The folder of a session: where it is, and which files Baton keeps in it.

use std::path::{Path, PathBuf};

use baton_model::SessionId;

/// The file with what a node receives from its parents, in its session's folder.
pub(crate) const CONTEXT_FILE: &str = "context.md";
/// The file with the prompt or command as the attempt got it.
pub(crate) const PROMPT_COPY: &str = "prompt.md";
/// The file with the prompt, for agents that read it from one.
pub(crate) const PROMPT_FILE_NAME: &str = "prompt.txt";
/// The file that tells `baton-tool` what to do.
pub(crate) const WORK_FILE: &str = "work.json";
/// What the attempt touched, in the session's folder: for the attempts that continue its conversation.
pub(crate) const FILES_TOUCHED: &str = "files-touched.json";
/// The file to which a node writes named outputs.
pub(crate) const OUTPUT_FILE: &str = "output";
/// Every file of a session's folder. Where something else lies, the attempt has failed. The keeper's socket is none.
pub(crate) const SESSION_FILES: [&str; 13] = [
    baton_keeper::LAUNCH,
    baton_keeper::CLAIM,
    baton_keeper::STDOUT,
    baton_keeper::STDERR,
    baton_keeper::CLOCK,
    baton_keeper::INPUT,
    baton_keeper::EXIT,
    CONTEXT_FILE,
    PROMPT_COPY,
    PROMPT_FILE_NAME,
    WORK_FILE,
    OUTPUT_FILE,
    FILES_TOUCHED,
];
/// The folder in which the criteria of the session's node are checked, within the session's own.
pub(crate) const CHECKS: &str = "checks";
/// The folder in which an agent is asked for the agent, within the session's own.
pub(crate) const ARBITER: &str = "arbiter";

/// The folder that holds the files of `session`.
#[must_use]
pub fn session_folder(data_directory: &Path, session: SessionId) -> PathBuf {
    data_directory.join("sessions").join(session.to_string())
}

/// The data directory of a session folder: the way back from [`session_folder`].
pub(crate) fn data_directory_of(folder: &Path) -> &Path {
    folder.ancestors().nth(2).unwrap_or(folder)
}
