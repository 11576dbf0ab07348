//! Why a name or a short id on the command line is not one thing.

/// Why it is not clear what is meant. Displays as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IdLookupError {
    /// Nothing has this name.
    #[error("there is no {kind} '{given}'{}", hint(nearest))]
    Unknown {
        /// What was looked for.
        kind: &'static str,
        /// What was given.
        given: String,
        /// What is nearest to it.
        nearest: Vec<String>,
    },
    /// Several have it.
    #[error("'{given}' could be {}: give more of the id", names.join(", "))]
    Ambiguous {
        /// What was given.
        given: String,
        /// What it could be.
        names: Vec<String>,
    },
}

fn hint(nearest: &[String]) -> String {
    if nearest.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", nearest.join(" or "))
    }
}
