//! Finds out when a usage limit ends, from an agent's message.
//!
//! Most limits come with a timestamp. This is for agents and versions that only print text:
//! "resets 3pm (UTC)", "resets Oct 9 at 5:30am (Europe/Berlin)", "try again in 2 days 3 hours",
//! "try again at 3:05 PM". Without a time zone, the machine's own is meant. Text that does not
//! match gives `None`, never a guess.

use baton_model::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan as _, Zoned};

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// When the limit in the message `message` ends, if the message was printed at `now`. `None` when
/// it does not say.
#[must_use]
pub fn parse_reset_time(message: &str, now: Timestamp) -> Option<Timestamp> {
    let said_at = jiff::Timestamp::from_millisecond(now.0).ok()?;
    let lower = message.to_lowercase();
    let after = |sign: &str| lower.find(sign).map(|at| &lower[at + sign.len()..]);
    if let Some(rest) = [
        "try again in ",
        "resets in ",
        "retry in ",
        "retry after ",
        "retrydelay\": \"",
        "retrydelay\":\"",
    ]
    .into_iter()
    .find_map(after)
    {
        return to_timestamp(
            &said_at
                .to_zoned(TimeZone::UTC)
                .checked_add(parse_duration(rest)?)
                .ok()?,
        );
    }
    // The retry header of the service: seconds, without a unit.
    if let Some(rest) = [
        "retry-after: ",
        "retry-after:",
        "retry-after\":\"",
        "retry_after\":",
    ]
    .into_iter()
    .find_map(after)
    {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        return to_timestamp(
            &said_at
                .to_zoned(TimeZone::UTC)
                .checked_add(digits.parse::<i32>().ok()?.seconds())
                .ok()?,
        );
    }
    let sign = [
        "try again at ",
        "resets at ",
        "resets on ",
        "resets ",
        "try again on ",
    ];
    let start = sign
        .into_iter()
        .find_map(|sign| lower.find(sign).map(|at| at + sign.len()))?;
    let zone = parse_time_zone(message.get(start..).unwrap_or_default())?;
    next_occurrence(&lower[start..], &said_at.to_zoned(zone))
}

fn to_timestamp(moment: &Zoned) -> Option<Timestamp> {
    Some(Timestamp(moment.timestamp().as_millisecond()))
}

/// Parses `2 days, 3 hours and 5 minutes` at the beginning of `text`; also `45s`, `1h30m` and
/// `39.8s`, which is rounded up to 40.
fn parse_duration(text: &str) -> Option<Span> {
    let mut span = Span::new();
    let mut rest = text;
    let mut any = false;
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        rest = rest.strip_prefix("and ").unwrap_or(rest).trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(number) = rest[..digits].parse::<i32>() else {
            break;
        };
        let after = &rest[digits..];
        let unit = after.strip_prefix('.').map_or(after, |more| {
            more.trim_start_matches(|c: char| c.is_ascii_digit())
        });
        // An agent that retries a moment too early is refused again.
        let number = number.saturating_add(i32::from(unit.len() + 1 < after.len()));
        let unit = unit.trim_start();
        let unit_length = unit.len()
            - unit
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        span = match &unit.as_bytes()[..unit_length] {
            [b'd', ..] => span.days(number),
            [b'h', ..] => span.hours(number),
            [b'm', ..] => span.minutes(number),
            [b's', ..] => span.seconds(number),
            _ => break,
        };
        any = true;
        rest = unit[unit_length..]
            .strip_prefix('.')
            .unwrap_or(&unit[unit_length..]);
    }
    any.then_some(span)
}

/// The time zone in brackets. Without brackets the machine's own; `None` when it is unknown.
fn parse_time_zone(text: &str) -> Option<TimeZone> {
    let Some((_, rest)) = text.split_once('(') else {
        return Some(TimeZone::system());
    };
    let (name, _) = rest.split_once(')')?;
    if name.eq_ignore_ascii_case("utc") {
        Some(TimeZone::UTC)
    } else {
        TimeZone::get(name).ok()
    }
}

/// The next moment after `said` that matches `oct 9, 5:30am`, `oct 9, 2030, 5am`, `oct 9 at 5pm`,
/// `3pm` or `15:05`.
fn next_occurrence(text: &str, said_at: &Zoned) -> Option<Timestamp> {
    let words: Vec<&str> = text
        .split([' ', ',', '(', '·'])
        .filter(|word| !word.is_empty() && *word != "at")
        .take(4)
        .collect();
    let (day, rest) = match words.as_slice() {
        [month, day, rest @ ..] if month_number(month).is_some() => {
            let day = day
                .trim_end_matches(|c: char| c.is_ascii_alphabetic())
                .parse()
                .ok()?;
            let (year, rest) = match rest {
                [year, rest @ ..] if year.len() == 4 && year.parse::<i16>().is_ok() => {
                    (year.parse().ok(), rest)
                }
                rest => (None, rest),
            };
            (Some((month_number(month)?, day, year)), rest)
        }
        rest => (None, rest),
    };
    let time = match rest {
        [clock, half, ..] if matches!(*half, "am" | "pm") => {
            parse_clock_time(&format!("{clock}{half}"))?
        }
        [clock, ..] => parse_clock_time(clock)?,
        [] if day.is_some() => Time::midnight(),
        [] => return None,
    };
    let zone = said_at.time_zone().clone();
    let at = |date: Date| date.to_datetime(time).to_zoned(zone.clone()).ok();
    let found = match day {
        Some((month, day, year)) => year
            .map_or_else(
                || vec![said_at.year(), said_at.year() + 1],
                |year| vec![year],
            )
            .into_iter()
            .filter_map(|year| at(Date::new(year, month, day).ok()?))
            .find(|found| found > said_at)?,
        None => [said_at.date(), said_at.date().checked_add(1.day()).ok()?]
            .into_iter()
            .filter_map(at)
            .find(|found| found > said_at)?,
    };
    to_timestamp(&found)
}

fn month_number(word: &str) -> Option<i8> {
    let place = MONTHS.iter().position(|month| word.starts_with(month))?;
    i8::try_from(place + 1).ok()
}

/// Parses `3pm`, `5:30am` and `15:05`.
fn parse_clock_time(word: &str) -> Option<Time> {
    let word = word.trim_end_matches('.');
    let (digits, later) = match (word.strip_suffix("pm"), word.strip_suffix("am")) {
        (Some(digits), _) => (digits, Some(12)),
        (_, Some(digits)) => (digits, Some(0)),
        _ if word.contains(':') => (word, None),
        _ => return None,
    };
    let (hour, minute) = digits.split_once(':').unwrap_or((digits, "0"));
    let hour: i8 = hour.parse().ok()?;
    let hour = match later {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(later) => hour % 12 + later,
        None => hour,
    };
    Time::new(hour, minute.parse().ok()?, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(message: &str) -> String {
        let now: jiff::Timestamp = "2026-11-21T14:00:00Z".parse().expect("valid timestamp");
        let found = parse_reset_time(message, Timestamp(now.as_millisecond()));
        found.map_or("unknown".to_owned(), |at| {
            jiff::Timestamp::from_millisecond(at.0)
                .expect("valid timestamp")
                .to_string()
        })
    }

    #[test]
    fn parses_reset_times_of_all_agents() {
        for (message, expected) in [
            (
                "You've hit your 5-hour limit · resets 3pm (UTC)",
                "2026-11-21T15:00:00Z",
            ),
            (
                "You've hit your limit · resets 1:30am (UTC)",
                "2026-11-22T01:30:00Z",
            ),
            (
                "You've hit your session limit · resets 12am (UTC)",
                "2026-11-22T00:00:00Z",
            ),
            (
                "Weekly limit reached ∙ resets Nov 24, 5pm (UTC)",
                "2026-11-24T17:00:00Z",
            ),
            (
                "You've hit your weekly limit · resets Jan 2 at 9am (UTC)",
                "2027-01-02T09:00:00Z",
            ),
            (
                "You've hit your session limit · resets Jan 1, 2030, 12am (UTC)",
                "2030-01-01T00:00:00Z",
            ),
            (
                "You've hit your session limit · resets Jan 1, 2020, 12am (UTC)",
                "unknown",
            ),
            (
                "You've hit your usage limit. Try again in 2 days 3 hours 5 minutes.",
                "2026-11-23T17:05:00Z",
            ),
            (
                "Rate limit reached. Please try again in 45s.",
                "2026-11-21T14:00:45Z",
            ),
            (
                "quota exceeded; your quota resets in 1h30m",
                "2026-11-21T15:30:00Z",
            ),
            (
                "Quota exceeded for metric: x, limit: 15\nPlease retry in 39.837256154s.",
                "2026-11-21T14:00:40Z",
            ),
            ("Please retry in 5.", "unknown"),
            (
                "429 Too Many Requests, retry-after: 30",
                "2026-11-21T14:00:30Z",
            ),
            (
                "Rate limited; retry after 2 minutes",
                "2026-11-21T14:02:00Z",
            ),
            (
                r#"{"@type": "RetryInfo", "retryDelay": "39s"}"#,
                "2026-11-21T14:00:39Z",
            ),
            ("retry-after: soon", "unknown"),
            ("usage limit: resets at 15:05 (UTC)", "2026-11-21T15:05:00Z"),
            ("try again at 3:05 PM (UTC)", "2026-11-21T15:05:00Z"),
            ("resets 25pm (UTC)", "unknown"),
            ("resets 3pm (Nowhere/Atall)", "unknown"),
            ("Please try again later.", "unknown"),
            ("It resets the counter.", "unknown"),
            ("", "unknown"),
        ] {
            assert_eq!(parsed(message), expected, "{message}");
        }
    }

    #[test]
    fn named_time_zone_is_used() {
        // Without a time zone database on the machine, nothing is parsed and nothing is guessed.
        let expected = if TimeZone::get("America/New_York").is_ok() {
            "2026-11-21T20:00:00Z"
        } else {
            "unknown"
        };
        assert_eq!(
            parsed("You've hit your limit · resets 3pm (America/New_York)"),
            expected
        );
    }

    proptest! {
        #[test]
        fn reset_time_is_in_the_future(message in "(resets |try again in |resets at )?[a-z0-9:,() ]{0,30}", now in 0_i64..4_000_000_000_000) {
            if let Some(at) = parse_reset_time(&message, Timestamp(now)) {
                prop_assert!(at >= Timestamp(now));
            }
        }
    }
}
