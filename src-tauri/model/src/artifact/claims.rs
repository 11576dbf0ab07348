//! The files that an answer names as changed.
//!
//! Agents write lists of files in many ways. What cannot be read with certainty is no claim: a sentence that were taken
//! for a path would accuse an honest agent. Whether a claim is true is for [`evidence`](crate::evidence).

mod item;
mod lead;
mod list;
mod mode;
mod path;
mod path_word;
mod prose;
mod remark;
mod separator;

use super::FILES;

/// What an answer says became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAct {
    /// It was made or changed.
    Written,
    /// It was deleted or moved away, or made and removed again: that it is not there speaks for the claim.
    Gone,
}

/// A file that an answer names as changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileClaim {
    /// The path as it is written. May hold `*`, and begin with `~` or `$HOME`.
    pub path: String,
    /// What became of it.
    pub act: FileAct,
    /// Whether the text alone shows that a file is meant. Otherwise it counts only if there is such a file.
    pub is_certain: bool,
}

/// The claims in `text`, in order, each path once: from its list of changed files, or else from its sentences.
pub(super) fn read(text: &str) -> Vec<FileClaim> {
    let found = match list::section(text, FILES) {
        Some(section) => list::claims(section),
        None => prose::claims(text),
    };
    let mut claims: Vec<FileClaim> = Vec::new();
    for claim in found {
        match claims.iter_mut().find(|known| known.path == claim.path) {
            // Made at one place of the list and removed at another.
            Some(known) if claim.act == FileAct::Gone => known.act = FileAct::Gone,
            Some(_) => {}
            None => claims.push(claim),
        }
    }
    claims
}

#[cfg(test)]
mod tests;
