//! Classification of errors from a model's service, the same for all agents.

use serde_json::Value;

use crate::plain_text::one_line;

/// The cause of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServiceErrorKind {
    /// The account's limit: requests per time (429), tokens, or money.
    Limit,
    /// The service was unreachable or overloaded (408, 5xx, 529).
    Unavailable,
    /// Nobody is logged in, or the key is invalid.
    Login,
    Other,
}

const LIMIT_PHRASES: &[&str] = &[
    "usage limit",
    "rate limit",
    "ratelimit",
    "rate_limit",
    "quota",
    "resource_exhausted",
    "too many requests",
];

const LOGIN_PHRASES: &[&str] = &[
    "no api key",
    "invalid api key",
    "invalid x-api-key",
    "authentication required",
    "unauthorized",
    "not logged in",
];

const UNAVAILABLE_PHRASES: &[&str] = &[
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

/// Classifies an error by its HTTP status, if it has one, and its text.
pub(crate) fn classify(status: Option<u64>, message: &str) -> ServiceErrorKind {
    let low = message.to_lowercase();
    let says = |signs: &[&str]| signs.iter().any(|sign| low.contains(sign));
    match status {
        Some(401 | 403) => ServiceErrorKind::Login,
        Some(429) => ServiceErrorKind::Limit,
        Some(408 | 500..=599) => ServiceErrorKind::Unavailable,
        Some(_) if low.contains("usage limit") => ServiceErrorKind::Limit,
        Some(_) => ServiceErrorKind::Other,
        None if says(LIMIT_PHRASES) => ServiceErrorKind::Limit,
        None if says(LOGIN_PHRASES) => ServiceErrorKind::Login,
        None if says(UNAVAILABLE_PHRASES) => ServiceErrorKind::Unavailable,
        None => ServiceErrorKind::Other,
    }
}

/// The service's own message on one line, without the JSON around it and without request ids and
/// URLs.
pub(crate) fn concise_message(message: &str) -> String {
    let inner = message.split_once('{').and_then(|(before, _)| {
        let body: Value =
            serde_json::from_str(message.get(before.len()..=message.rfind('}')?)?).ok()?;
        let pointers = ["/error/message", "/message", "/detail", "/error"];
        let message = pointers
            .iter()
            .find_map(|place| body.pointer(place)?.as_str())?;
        Some(format!("{before}{message}"))
    });
    let message = inner.as_deref().unwrap_or(message);
    let end = [", url: ", ", request id: ", ", cf-ray: "]
        .iter()
        .filter_map(|sign| message.find(sign))
        .min();
    one_line(&message[..end.unwrap_or(message.len())], 300)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_takes_precedence_over_message() {
        use ServiceErrorKind::{Limit, Login, Other, Unavailable};
        for (status, message, expected) in [
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
            assert_eq!(classify(status, message), expected, "{status:?} {message}");
        }
    }

    #[test]
    fn concise_message_drops_json_and_request_details() {
        for (message, expected) in [
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
            assert_eq!(concise_message(message), expected);
        }
    }
}
