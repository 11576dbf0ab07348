//! What the troubles of a model's service mean. The same for all agents, however they tell of them.

use serde_json::Value;

use crate::plain_text::one_line;

/// Whose fault an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The account's limit: of requests in a time (429), of tokens, of money.
    Limit,
    /// The service could not be reached, or was overloaded (408, 5xx, 529).
    Unavailable,
    /// Nobody is logged in, or the key is wrong.
    Login,
    /// Anything else.
    Other,
}

const LIMIT: &[&str] = &[
    "usage limit",
    "rate limit",
    "ratelimit",
    "rate_limit",
    "quota",
    "resource_exhausted",
    "too many requests",
];

const LOGIN: &[&str] = &[
    "no api key",
    "invalid api key",
    "invalid x-api-key",
    "authentication required",
    "unauthorized",
    "not logged in",
];

const UNREACHABLE: &[&str] = &[
    "at capacity",
    "bad gateway",
    "connection closed",
    "connection error",
    "connection failed",
    "connection lost",
    "connection refused",
    "connection reset",
    "eai_again",
    "econnrefused",
    "econnreset",
    "ended without",
    "enotfound",
    "error sending request",
    "etimedout",
    "fetch failed",
    "gateway timeout",
    "high demand",
    "internal server error",
    "overloaded",
    "service unavailable",
    "socket hang up",
    "stream disconnected",
    "terminated",
    "timed out",
    "timeout waiting",
    "unable to connect",
];

/// What an error means that came with this HTTP status, or with none, in these words.
pub(crate) fn fault(status: Option<u64>, words: &str) -> Fault {
    let low = words.to_lowercase();
    let says = |signs: &[&str]| signs.iter().any(|sign| low.contains(sign));
    match status {
        Some(401 | 403) => Fault::Login,
        Some(429) => Fault::Limit,
        Some(408 | 500..=599) => Fault::Unavailable,
        Some(_) if low.contains("usage limit") => Fault::Limit,
        Some(_) => Fault::Other,
        None if says(LIMIT) => Fault::Limit,
        None if says(LOGIN) => Fault::Login,
        None if says(UNREACHABLE) => Fault::Unavailable,
        None => Fault::Other,
    }
}

/// What a person needs of an error on one line: the service's own message without the JSON around it, and without
/// addresses and numbers of the request.
pub(crate) fn meaningful(words: &str) -> String {
    let inner = words.split_once('{').and_then(|(before, _)| {
        let body: Value =
            serde_json::from_str(words.get(before.len()..=words.rfind('}')?)?).ok()?;
        let told = ["/error/message", "/message", "/detail", "/error"];
        let message = told
            .iter()
            .find_map(|place| body.pointer(place)?.as_str())?;
        Some(format!("{before}{message}"))
    });
    let words = inner.as_deref().unwrap_or(words);
    let end = [", url: ", ", request id: ", ", cf-ray: "]
        .iter()
        .filter_map(|sign| words.find(sign))
        .min();
    one_line(&words[..end.unwrap_or(words.len())], 300)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_counts_before_words() {
        use Fault::{Limit, Login, Other, Unavailable};
        for (status, words, expected) in [
            (Some(429), "slow down", Limit),
            (Some(529), "Overloaded", Unavailable),
            (Some(503), "rate limit", Unavailable),
            (Some(408), "", Unavailable),
            (Some(401), "no", Login),
            (Some(400), "the connection timed out before", Other),
            (Some(403), "", Login),
            (None, "You've hit your usage limit.", Limit),
            (None, "RESOURCE_EXHAUSTED", Limit),
            (None, "connect ECONNREFUSED 127.0.0.1:1", Unavailable),
            (None, "Invalid API key", Login),
            (None, "Model not found", Other),
            (None, "", Other),
        ] {
            assert_eq!(fault(status, words), expected, "{status:?} {words}");
        }
    }

    #[test]
    fn what_a_person_needs_is_left() {
        for (words, expected) in [
            ("plain", "plain"),
            (
                r#"429 {"error":{"type":"x","message":"slow\ndown"}}"#,
                "429 slow down",
            ),
            (r#"401: {"message":"invalid key"}"#, "401: invalid key"),
            (
                "unexpected status 529: Overloaded, url: http://127.0.0.1/v1, request id: 7",
                "unexpected status 529: Overloaded",
            ),
            ("400: {not json}", "400: {not json}"),
        ] {
            assert_eq!(meaningful(words), expected);
        }
    }
}
