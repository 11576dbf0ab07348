//! Times of day and spans of time, as people read them.

use baton_model::Timestamp;

/// The local time of day: `14:03:59`.
pub(crate) fn clock(at: Timestamp) -> String {
    local(at, "%H:%M:%S")
}

/// The local date and time: `2026-11-21 14:03`.
pub(crate) fn date(at: Timestamp) -> String {
    local(at, "%Y-%m-%d %H:%M")
}

fn local(at: Timestamp, format: &str) -> String {
    jiff::Timestamp::from_millisecond(at.0)
        .map(|at| at.to_zoned(jiff::tz::TimeZone::system()).strftime(format).to_string())
        .unwrap_or_default()
}

/// A span: `1.2 s`, `3 min 5 s`, `2 h 10 min`.
pub(crate) fn span(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{}.{} s", seconds, ms % 1000 / 100),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_the_unit_that_fits() {
        let spans: Vec<_> = [0, 1_250, 59_999, 60_000, 185_000, 7_800_000].into_iter().map(span).collect();
        assert_eq!(spans, ["0.0 s", "1.2 s", "59.9 s", "1 min 0 s", "3 min 5 s", "2 h 10 min"]);
    }
}
