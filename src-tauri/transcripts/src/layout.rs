//! Histories as lines.
//!
//! Claude, Codex and pi write lines themselves. What gemini and opencode keep is laid out as lines in a file without
//! a name, so that everything after it (figures, words, timelines) reads all histories the same way.

pub(crate) mod gemini;
pub(crate) mod opencode;

use std::fs::File;
use std::io::{self, Seek as _};
use std::path::Path;

use crate::{Agent, source};

/// Whether an agent's files only grow, line by line.
pub(crate) fn grows(agent: Agent) -> bool {
    match agent {
        Agent::Claude | Agent::Codex | Agent::Pi => true,
        Agent::Gemini | Agent::Opencode => false,
    }
}

/// The lines of a source, from their beginning.
pub(crate) fn open(agent: Agent, path: &Path) -> io::Result<File> {
    if grows(agent) {
        return source::open(path);
    }
    let mut lines = io::BufWriter::new(tempfile::tempfile()?);
    match agent {
        Agent::Gemini => gemini::lay_out(path, &mut lines)?,
        _ => opencode::lay_out(path, &mut lines)?,
    }
    let mut file = lines.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// Writes a JSON value as a line of its own. Between its tokens there may be newlines; within texts there are none.
fn write_line(json: &str, to: &mut impl io::Write) -> io::Result<()> {
    if json.contains(['\n', '\r']) {
        to.write_all(json.replace(['\n', '\r'], " ").as_bytes())?;
    } else {
        to.write_all(json.as_bytes())?;
    }
    to.write_all(b"\n")
}
