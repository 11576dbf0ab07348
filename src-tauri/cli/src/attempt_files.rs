//! The attempt of the session that this process runs in, by its variables.
//!
//! What they say is no proof: Baton itself decides by the process which session a call is from.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use baton_mcp::{Attempt, AttemptFiles};
use baton_model::{NodeId, RunId};

/// The files behind `BATON_OUTPUT` and `BATON_SUMMARY`.
struct SessionFiles {
    output: PathBuf,
    summary: PathBuf,
}

impl AttemptFiles for SessionFiles {
    fn append_output(&self, line: &str) -> io::Result<()> {
        append(&self.output, line)
    }

    fn append_summary(&self, line: &str) -> io::Result<()> {
        append(&self.summary, line)
    }
}

fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(line.as_bytes())
}

/// The attempt; `None` outside a session.
pub(crate) fn own_attempt() -> Option<Attempt> {
    let text = |name: &str| std::env::var(name).ok();
    let path = |name: &str| std::env::var_os(name).map(|path: OsString| PathBuf::from(path));
    let files = SessionFiles {
        output: path("BATON_OUTPUT")?,
        summary: path("BATON_SUMMARY")?,
    };
    let run = text("BATON_RUN_ID")?.parse().ok().map(RunId)?;
    let node = text("BATON_NODE_ID")?.parse().ok().map(NodeId)?;
    Some(Attempt::new(run, node, Box::new(files)))
}
