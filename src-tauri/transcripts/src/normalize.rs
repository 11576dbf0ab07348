//! Converts histories that are not files of lines.
//!
//! Claude, Codex and pi write lines themselves. Gemini's chats and opencode's sessions are written
//! as lines to an unnamed temporary file, so that statistics, search and timelines read every
//! history in the same way.

pub(crate) mod gemini;
pub(crate) mod opencode;

use std::io;

/// Writes a JSON value as one line. Newlines can only be between tokens, because texts contain
/// none.
fn write_line(json: &str, to: &mut dyn io::Write) -> io::Result<()> {
    if json.contains(['\n', '\r']) {
        to.write_all(json.replace(['\n', '\r'], " ").as_bytes())?;
    } else {
        to.write_all(json.as_bytes())?;
    }
    to.write_all(b"\n")
}
