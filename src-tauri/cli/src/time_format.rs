//! Formats local times.

use baton_model::Timestamp;

/// Formats the local time of day: `14:03:59`.
pub(crate) fn clock(at: Timestamp) -> String {
    local(at, "%H:%M:%S")
}

/// Formats the local date and time: `2026-11-21 14:03`.
pub(crate) fn date(at: Timestamp) -> String {
    local(at, "%Y-%m-%d %H:%M")
}

fn local(at: Timestamp, format: &str) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map(|at| {
            at.to_zoned(jiff::tz::TimeZone::system())
                .strftime(format)
                .to_string()
        })
        .unwrap_or_default()
}
