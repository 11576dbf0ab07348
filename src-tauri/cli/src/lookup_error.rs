//! Errors of looking up an ID or a title from the command line.

/// An ID or title that matches nothing, or several things.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IdLookupError {
    /// Nothing has this ID or title.
    #[error("no {kind} matches '{given}'{}", hint(nearest))]
    Unknown {
        /// `plan`, `run`, `session`, `proposal` or `node`.
        kind: &'static str,
        given: String,
        /// Similar names, quoted, the most similar first.
        nearest: Vec<String>,
    },
    /// Several things have this title or start of an ID.
    #[error("'{given}' is ambiguous: it matches {}. Use more of the ID", names.join(", "))]
    Ambiguous {
        given: String,
        /// Full IDs and titles of up to five matches.
        names: Vec<String>,
    },
}

fn hint(nearest: &[String]) -> String {
    if nearest.is_empty() {
        String::new()
    } else {
        format!(". Did you mean {}?", nearest.join(" or "))
    }
}
