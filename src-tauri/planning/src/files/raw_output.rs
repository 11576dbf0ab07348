//! The raw output of a session, as a file to copy or open.

use std::fs::File;
use std::path::PathBuf;

use baton_agents::Stream;
use baton_keeper::{STDERR, STDOUT, session_file};
use baton_model::SessionId;

use crate::{Context, PlanningError, RefusalReason};

/// The open file with the output of a session.
#[derive(Debug)]
pub struct RawOutput {
    /// The file, at its start.
    pub file: File,
    /// Its size so far in bytes.
    pub bytes: u64,
    /// The title of the session.
    pub title: String,
}

/// Opens the output of a session for reading.
pub fn open_raw_output(
    context: &Context,
    session: SessionId,
    stream: Stream,
) -> Result<RawOutput, PlanningError> {
    let title = context.store.sessions().get(session)?.title;
    let path = raw_output_path(context, session, stream)?;
    let opened = session_file::open(&path).and_then(|file| {
        let bytes = file.metadata()?.len();
        Ok(RawOutput { file, bytes, title })
    });
    opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            let message = "the session has no output yet";
            PlanningError::new(RefusalReason::NotFound, message)
        }
        _ => {
            let message = format!("the output of the session can't be read: {error}");
            PlanningError::new(RefusalReason::Unavailable, message)
        }
    })
}

/// The path of the file that holds a session's output.
pub fn raw_output_path(
    context: &Context,
    session: SessionId,
    stream: Stream,
) -> Result<PathBuf, PlanningError> {
    let row = context.store.sessions().get(session)?;
    let name = match stream {
        Stream::Stdout => STDOUT,
        Stream::Stderr => STDERR,
    };
    Ok(context.store.data_dir().join(&row.folder).join(name))
}
