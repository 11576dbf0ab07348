//! The files that an answer names as changed.
//!
//! Agents write lists of files in many ways. Text that can't be parsed with certainty is not a
//! claim: mistaking a sentence for a path would wrongly accuse an honest agent.
//! [`evidence`](crate::evidence) decides whether a claim is true.

mod item;
mod item_lead;
mod list;
mod mode;
mod path;
mod path_word;
mod prose;
mod remark;
mod separator;

use super::FILES;

/// What an answer claims about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAct {
    /// It was created or changed.
    Written,
    /// It was deleted, moved away, or created and removed again. Its absence confirms the claim.
    Gone,
}

/// A file that an answer names as changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileClaim {
    /// The path as written. May contain `*`, and begin with `~` or `$HOME`.
    pub path: String,
    #[expect(missing_docs, reason = "the type says it")]
    pub act: FileAct,
    /// Whether the text alone shows that this is a file. Otherwise it only counts if the file
    /// exists.
    pub is_certain: bool,
}

/// The claims in `text`, in order, each path once: from its list of changed files if there is one,
/// else from its sentences.
pub(super) fn find_claims(text: &str) -> Vec<FileClaim> {
    let found = match list::section(text, FILES) {
        Some(section) => list::claims(section),
        None => prose::claims(text),
    };
    let mut claims: Vec<FileClaim> = Vec::new();
    for claim in found {
        match claims.iter_mut().find(|known| known.path == claim.path) {
            // Created in one place of the list and removed in another.
            Some(known) if claim.act == FileAct::Gone => known.act = FileAct::Gone,
            Some(_) => {}
            None => claims.push(claim),
        }
    }
    claims
}

#[cfg(test)]
mod tests;
