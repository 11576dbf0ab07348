//! Durations as people read them. `ui/src/components/duration.ts` produces the same text; both are
//! tested against `tests/fixtures/durations.json`.

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Above this, tenths of a second in a clock that updates every second would only be noise.
const TENTHS_UNTIL: u64 = 10 * SECOND;

/// An exact duration, given in milliseconds: `50 ms`, `1.5 s`, `4m 05s`, `2h 10m`, `1d 00h 30m`.
#[must_use]
pub fn format_duration(ms: u64) -> String {
    match ms {
        0 => "0 s".to_owned(),
        1..SECOND => format!("{ms} ms"),
        SECOND..MINUTE => format!("{} s", seconds(ms, 1)),
        _ => in_large_units(ms),
    }
}

/// A measured duration, given in milliseconds and rounded down: `40 ms`, `2.3 s`, `12 s`, `4m 05s`,
/// `2h 10m`, `3d 04h`.
#[must_use]
pub fn format_elapsed(ms: u64) -> String {
    let unit = match ms {
        0..SECOND => return format!("{ms} ms"),
        SECOND..TENTHS_UNTIL => return format!("{}.{} s", ms / SECOND, ms % SECOND / 100),
        TENTHS_UNTIL..HOUR => SECOND,
        HOUR..DAY => MINUTE,
        _ => HOUR,
    };
    format_duration(ms / unit * unit)
}

/// Minutes and more: the largest unit first, down to the last one that is not 0.
fn in_large_units(ms: u64) -> String {
    let units = [
        (ms / DAY, "d"),
        (ms % DAY / HOUR, "h"),
        (ms % HOUR / MINUTE, "m"),
    ];
    let mut parts: Vec<String> = Vec::new();
    for (amount, unit) in units {
        match parts.is_empty() {
            true if amount == 0 => {}
            true => parts.push(format!("{amount}{unit}")),
            false => parts.push(format!("{amount:02}{unit}")),
        }
    }
    let left = ms % MINUTE;
    if left > 0 || ms < HOUR {
        parts.push(format!("{}s", seconds(left, 2)));
        return parts.join(" ");
    }
    while parts.len() > 2 && parts.last().is_some_and(|part| part.starts_with("00")) {
        parts.pop();
    }
    parts.join(" ")
}

/// Seconds with as many decimals as needed.
fn seconds(ms: u64, width: usize) -> String {
    let whole = format!("{:0width$}", ms / SECOND);
    match ms % SECOND {
        0 => whole,
        rest => format!("{whole}.{}", format!("{rest:03}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Table {
        exact: Vec<(u64, String)>,
        elapsed: Vec<(u64, String)>,
    }

    fn table() -> Table {
        serde_json::from_str(include_str!("../../../tests/fixtures/durations.json"))
            .expect("a table of durations")
    }

    #[test]
    fn limits_are_shown_exactly() {
        for (ms, words) in table().exact {
            assert_eq!(format_duration(ms), words);
        }
    }

    #[test]
    fn measured_durations_are_rounded_down() {
        for (ms, words) in table().elapsed {
            assert_eq!(format_elapsed(ms), words);
        }
    }
}
