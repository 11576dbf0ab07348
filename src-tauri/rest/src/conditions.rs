//! What the headers of a request ask for.

use crate::{ErrorCode, RestError};

/// The conditions and preferences of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conditions {
    /// The revision that a change must be based on.
    pub if_match: IfMatch,
    /// How long to wait for a run.
    pub wait: Wait,
    /// Markdown is preferred to JSON.
    pub markdown: bool,
    /// The header `Idempotency-Key`: a name that the program gave to a request to repeat it safely.
    pub idempotency_key: Option<String>,
    /// The header `Last-Event-ID`: the last event that a client received.
    pub last_event_id: Option<String>,
}

/// The header `If-Match`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum IfMatch {
    /// There is none: a change is made to whatever is current.
    #[default]
    Any,
    /// One of these revisions. Empty if no tag is one of Baton's, so that nothing matches.
    Revisions(Vec<u64>),
}

/// The header `Prefer`, or `?wait=false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wait {
    /// Until the run has ended.
    #[default]
    UntilEnd,
    /// Not at all.
    No,
    /// At most this many seconds.
    Seconds(u64),
}

impl IfMatch {
    /// Reads the header.
    #[must_use]
    pub fn parse(header: Option<&str>) -> Self {
        let Some(header) = header else {
            return Self::Any;
        };
        if header.trim() == "*" {
            return Self::Any;
        }
        let revision = |tag: &str| {
            tag.trim()
                .strip_prefix('"')?
                .strip_suffix('"')?
                .parse()
                .ok()
        };
        Self::Revisions(header.split(',').filter_map(revision).collect())
    }

    /// Whether the request has a condition.
    pub(crate) fn is_set(&self) -> bool {
        *self != Self::Any
    }

    /// Fails unless `current` is the revision that the request is based on.
    pub(crate) fn require(&self, current: u64) -> Result<(), RestError> {
        match self {
            Self::Revisions(revisions) if !revisions.contains(&current) => {
                let message = format!("the plan has changed: its revision is now {current}");
                Err(RestError::new(ErrorCode::Conflict, message)
                    .with_fix("read the plan again and repeat the change")
                    .of_conditional())
            }
            _ => Ok(()),
        }
    }

    /// The base of a change that an operation checks; `None` to change what is current.
    pub(crate) fn base(&self) -> Option<u64> {
        match self {
            Self::Any => None,
            // No plan has the revision 0.
            Self::Revisions(revisions) => Some(revisions.first().copied().unwrap_or(0)),
        }
    }
}

impl Wait {
    /// Reads the header's preferences; unknown ones are ignored.
    #[must_use]
    pub fn parse(header: Option<&str>) -> Self {
        let preferences = header.unwrap_or_default().split([',', ';']).map(str::trim);
        let mut wait = Self::default();
        for preference in preferences {
            match preference.split_once('=') {
                None if preference.eq_ignore_ascii_case("respond-async") => return Self::No,
                Some((name, seconds)) if name.trim().eq_ignore_ascii_case("wait") => {
                    let seconds = seconds.trim().trim_matches('"');
                    wait = seconds.parse().map_or(wait, Self::Seconds);
                }
                _ => {}
            }
        }
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_match_accepts_tags_lists_and_the_wildcard() {
        for (header, base) in [
            (None, None),
            (Some("*"), None),
            (Some("\"7\""), Some(7)),
            (Some("\"7\", \"9\""), Some(7)),
            (Some("W/\"7\""), Some(0)),
            (Some("7"), Some(0)),
            (Some(""), Some(0)),
        ] {
            assert_eq!(IfMatch::parse(header).base(), base, "{header:?}");
        }
        assert!(IfMatch::parse(Some("\"7\", \"9\"")).require(9).is_ok());
        let error = IfMatch::parse(Some("\"7\"")).require(9).expect_err("moved");
        assert_eq!((error.status, error.body.code), (412, ErrorCode::Conflict));
    }

    #[test]
    fn prefer_says_how_long_to_wait() {
        for (header, wait) in [
            (None, Wait::UntilEnd),
            (Some("respond-async"), Wait::No),
            (Some("respond-async, wait=5"), Wait::No),
            (Some("wait=5"), Wait::Seconds(5)),
            (Some("return=minimal; wait = \"7\""), Wait::Seconds(7)),
            (Some("wait=soon"), Wait::UntilEnd),
            (Some("handling=lenient"), Wait::UntilEnd),
        ] {
            assert_eq!(Wait::parse(header), wait, "{header:?}");
        }
    }
}
