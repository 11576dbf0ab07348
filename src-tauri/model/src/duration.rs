//! Durations as people read them.

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A duration in milliseconds, exactly: `50 ms`, `1.5 s`, `4m 05s`, `2h 10m`, `1d 00h 30m`.
#[must_use]
pub fn format_duration(ms: u64) -> String {
    match ms {
        0 => "0 s".to_owned(),
        1..SECOND => format!("{ms} ms"),
        SECOND..MINUTE => format!("{} s", seconds(ms, 1)),
        _ => in_large_units(ms),
    }
}

/// A duration that was measured, rounded down to what matters: `40 ms`, `12.3 s`, `4m 05s`, `2h 10m`, `3d 04h`.
#[must_use]
pub fn format_elapsed(ms: u64) -> String {
    let unit = match ms {
        0..SECOND => return format!("{ms} ms"),
        SECOND..MINUTE => return format!("{}.{} s", ms / SECOND, ms % SECOND / 100),
        MINUTE..HOUR => SECOND,
        HOUR..DAY => MINUTE,
        _ => HOUR,
    };
    format_duration(ms / unit * unit)
}

/// Minutes and more: the largest unit first, down to the last that is not 0.
fn in_large_units(ms: u64) -> String {
    let units = [(ms / DAY, "d"), (ms % DAY / HOUR, "h"), (ms % HOUR / MINUTE, "m")];
    let mut parts: Vec<String> = Vec::new();
    for (amount, unit) in units {
        match parts.is_empty() {
            true if amount == 0 => {}
            true => parts.push(format!("{amount}{unit}")),
            false => parts.push(format!("{amount:02}{unit}")),
        }
    }
    let left = ms % MINUTE;
    if left > 0 {
        parts.push(format!("{}s", seconds(left, 2)));
    } else if parts.len() == 1 && ms < HOUR {
        parts.push("00s".to_owned());
    }
    while parts.len() > 2 && parts.last().is_some_and(|part| part.starts_with("00")) {
        parts.pop();
    }
    parts.join(" ")
}

/// Seconds with as many decimals as they need.
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

    #[test]
    fn a_limit_is_shown_as_it_was_given() {
        let table = [
            (0, "0 s"),
            (50, "50 ms"),
            (999, "999 ms"),
            (1_000, "1 s"),
            (1_500, "1.5 s"),
            (1_050, "1.05 s"),
            (59_999, "59.999 s"),
            (60_000, "1m 00s"),
            (245_000, "4m 05s"),
            (60_250, "1m 00.25s"),
            (3_600_000, "1h 00m"),
            (7_800_000, "2h 10m"),
            (3_605_000, "1h 00m 05s"),
            (86_400_000, "1d 00h"),
            (88_200_000, "1d 00h 30m"),
        ];
        for (ms, words) in table {
            assert_eq!(format_duration(ms), words);
        }
    }

    #[test]
    fn what_was_measured_is_rounded() {
        let table = [
            (0, "0 ms"),
            (340, "340 ms"),
            (1_250, "1.2 s"),
            (2_000, "2.0 s"),
            (59_999, "59.9 s"),
            (60_000, "1m 00s"),
            (185_999, "3m 05s"),
            (7_859_000, "2h 10m"),
            (273_600_000, "3d 04h"),
        ];
        for (ms, words) in table {
            assert_eq!(format_elapsed(ms), words);
        }
    }
}
