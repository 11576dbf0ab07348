//! The folder of a session: where it is, and which files Baton keeps in it.

use std::path::{Path, PathBuf};

use baton_model::SessionId;

/// The node's input from its parents.
pub(crate) const CONTEXT_FILE: &str = "context.md";
/// The prompt or command as the attempt received it.
pub(crate) const PROMPT_COPY: &str = "prompt.md";
/// The prompt, for agents that read it from a file.
pub(crate) const PROMPT_FILE_NAME: &str = "prompt.txt";
/// The instructions for `baton-tool`.
pub(crate) const WORK_FILE: &str = "work.json";
/// The files that the attempt touched, for attempts that continue its conversation.
pub(crate) const FILES_TOUCHED: &str = "files-touched.json";
/// The file to which a node writes named outputs.
pub(crate) const OUTPUT_FILE: &str = "output";
/// The file to which a node writes a summary for people. It is gone when the session has ended.
pub(crate) const SUMMARY_FILE: &str = "summary.md";
/// The summary without secrets; written when the session has ended.
pub(crate) const SUMMARY_RECORD: &str = "summary.json";
/// Every file of a session's folder. If anything else has one of these names' places, the attempt
/// fails. The keeper's socket is not a file.
pub(crate) const SESSION_FILES: [&str; 15] = [
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
    SUMMARY_FILE,
    SUMMARY_RECORD,
    FILES_TOUCHED,
];
/// The subfolder in which the acceptance criteria of the session's node are checked.
pub(crate) const CHECKS: &str = "checks";
/// The subfolder of the session that selects the agent.
pub(crate) const ARBITER: &str = "arbiter";

/// The folder with the files of `session`.
#[must_use]
pub fn session_folder(data_directory: &Path, session: SessionId) -> PathBuf {
    data_directory.join("sessions").join(session.to_string())
}

/// The data directory of a session folder: the inverse of [`session_folder`].
pub(crate) fn data_directory_of(folder: &Path) -> &Path {
    folder.ancestors().nth(2).unwrap_or(folder)
}
