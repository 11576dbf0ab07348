//! Identifiers. Each kind has its own type, so that they can't be confused.
//!
//! Nothing here generates identifiers: that needs a clock and randomness, which belong to the
//! caller.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(#[cfg_attr(feature = "bindings", ts(type = "string"))] pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )*};
}

uuid_id! {
    /// Identifies a plan across all its versions.
    PlanId;
    /// Identifies a node across all versions of its plan.
    NodeId;
    /// Identifies a group on the canvas across all versions of its plan.
    GroupId;
    /// Identifies one execution of one plan version.
    RunId;
    /// Identifies the conversation or process output of one attempt. Also used as the agent's own
    /// session ID if the agent allows it.
    SessionId;
    /// Identifies a handoff document.
    ArtifactId;
    /// Identifies a Baton process that runs nodes.
    ExecutorId;
    /// Identifies a change to a plan that awaits a decision.
    ProposalId;
    /// Identifies a person's terminal for as long as it exists.
    TerminalId;
}

/// The number of an attempt at one node in one run, from 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(transparent)]
pub struct Attempt(pub u32);

impl Attempt {
    /// The number of the following attempt.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The ownership of a run, incremented on every change of owner. Writes with an older epoch are
/// rejected.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(transparent)]
pub struct Epoch(pub u32);

/// A node's name within its plan, used by plan files and templates.
///
/// 1 to 80 characters from `a-z A-Z 0-9 _ -`, beginning with a letter or digit. It is used in file
/// names and in `{{nodes.<slug>.outputs.<key>}}`, so nothing else is allowed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "bindings", ts(as = "String"))]
pub struct Slug(String);

/// The maximum length of a slug, in characters.
pub const SLUG_LENGTH_LIMIT: usize = 80;

/// Text that is not a valid slug.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a valid node ID: use 1 to 80 letters, digits, '-' and '_', beginning with a letter or digit"
)]
pub struct InvalidSlug {
    /// The given text, truncated to 120 characters.
    pub text: String,
}

impl Slug {
    /// Validates `text` without changing it.
    pub fn new(text: &str) -> Result<Self, InvalidSlug> {
        let first_fits = text
            .chars()
            .next()
            .is_some_and(|c| c.is_ascii_alphanumeric());
        let all_fit = text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if first_fits && all_fit && text.len() <= SLUG_LENGTH_LIMIT {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidSlug {
                text: text.chars().take(120).collect(),
            })
        }
    }

    /// Derives a slug from a title: lower case, other characters become `-`, and `node` if nothing
    /// is left.
    ///
    /// Different titles may give the same slug; the caller makes it unique.
    #[must_use]
    pub fn from_title(title: &str) -> Self {
        let mut slug = String::new();
        for c in title.chars().flat_map(char::to_lowercase) {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
            if slug.len() >= SLUG_LENGTH_LIMIT - 8 {
                break;
            }
        }
        let slug = slug.trim_end_matches('-');
        Self(if slug.is_empty() {
            "node".to_owned()
        } else {
            slug.to_owned()
        })
    }

    /// The slug as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<String> for Slug {
    type Error = InvalidSlug;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::new(&text)
    }
}

impl From<Slug> for String {
    fn from(slug: Slug) -> Self {
        slug.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_safe_in_file_names() {
        for good in ["a", "collect-2", "X_1"] {
            assert!(Slug::new(good).is_ok(), "{good} is plain");
        }
        for bad in ["", "-a", "a/b", "../x", "a b", "é", "a\n", &"x".repeat(81)] {
            assert!(Slug::new(bad).is_err(), "{bad:?} must be refused");
        }
    }

    #[test]
    fn any_title_gives_a_slug() {
        for (title, slug) in [
            ("Collect commits", "collect-commits"),
            ("  ../../etc  ", "etc"),
            ("日本語", "node"),
            ("ÀB c!", "b-c"),
        ] {
            assert_eq!(Slug::from_title(title).as_str(), slug);
        }
        assert!(Slug::new(Slug::from_title(&"long ".repeat(200)).as_str()).is_ok());
    }
}
