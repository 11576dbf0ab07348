//! The statistics of one file, counted record by record.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use baton_agents::Usage;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::history::price;

/// The number of answers remembered to recognize duplicates. A client writes one answer as
/// several records close to each other.
const MAX_RECENT_ANSWERS: usize = 128;
/// The maximum length of a title, in characters.
const MAX_TITLE_CHARS: usize = 200;

/// The statistics of one file. They are stored with it, so that only the new part of a file is
/// read when it grows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TranscriptStats {
    /// The agent's own id.
    pub native_id: Option<String>,
    /// The working directory, according to the records.
    pub project: Option<String>,
    /// The agent's own title.
    pub own_title: Option<String>,
    /// The beginning of the first prompt.
    pub prompt: Option<String>,
    /// The time of the first record, in milliseconds since 1970.
    pub started_at: Option<i64>,
    /// The time of the last record, in milliseconds since 1970.
    pub ended_at: Option<i64>,
    /// The number of prompts and answers.
    pub messages: u32,
    pub tokens: Option<Tokens>,
    /// The cost that the agent reports.
    pub told_usd: Option<f64>,
    /// The cost by [`price`]; meaningless when `unpriced`.
    pub table_usd: f64,
    /// Some tokens are of a model without a known price.
    pub unpriced: bool,
    /// The model that answered last.
    pub model: Option<String>,
    pub branch: Option<String>,
    pub version: Option<String>,
    /// The records are those of a subagent.
    pub helper: bool,
    /// The number of lines without a record.
    pub unreadable: u32,
    /// The number of lines too long to be read.
    pub too_long: u32,
    /// The last line is incomplete: it is being written, or was abandoned.
    pub unfinished: bool,
    /// Why the file could not be read, or not to its end.
    pub failure: Option<String>,
    /// The last answers: the hash of their id, and their usage.
    recent: VecDeque<(u64, Tokens)>,
}

/// Token counts. `input` does not include cached tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
}

impl Tokens {
    /// The increase from `before` to `self`; a decrease counts as 0.
    #[must_use]
    pub fn saturating_sub(self, before: Self) -> Self {
        Self {
            input: self.input.saturating_sub(before.input),
            output: self.output.saturating_sub(before.output),
            cache_read: self.cache_read.saturating_sub(before.cache_read),
            cache_write: self.cache_write.saturating_sub(before.cache_write),
        }
    }

    /// The sum of both; counts that overflow stay at the maximum.
    #[must_use]
    pub fn saturating_add(self, more: Self) -> Self {
        Self {
            input: self.input.saturating_add(more.input),
            output: self.output.saturating_add(more.output),
            cache_read: self.cache_read.saturating_add(more.cache_read),
            cache_write: self.cache_write.saturating_add(more.cache_write),
        }
    }
}

impl TranscriptStats {
    /// Records the RFC 3339 time of a record.
    pub(crate) fn record_time(&mut self, time: &str) {
        if let Some(time) = parse_common_timestamp(time.as_bytes())
            .or_else(|| Some(time.parse::<Timestamp>().ok()?.as_millisecond()))
        {
            self.record_time_ms(time);
        }
    }

    /// Records the time of a record, in milliseconds since 1970.
    pub(crate) fn record_time_ms(&mut self, time: i64) {
        self.started_at = Some(self.started_at.map_or(time, |first| first.min(time)));
        self.ended_at = Some(self.ended_at.map_or(time, |last| last.max(time)));
    }

    /// Records a prompt. The first one typed by a person becomes the title.
    pub(crate) fn record_prompt(&mut self, text: &str) {
        self.messages += 1;
        if self.prompt.is_none() {
            self.prompt = title(text);
        }
    }

    /// Sets the agent's own title.
    pub(crate) fn set_title(&mut self, text: &str) {
        if let Some(text) = title(text) {
            self.own_title = Some(text);
        }
    }

    /// Records a part of the answer `id`, with the usage of the answer so far. Every part reports
    /// it, and the last one is right.
    pub(crate) fn record_answer(
        &mut self,
        id: Option<&str>,
        model: Option<&str>,
        tokens: Option<Tokens>,
    ) {
        let known = id
            .map(hash)
            .and_then(|id| self.recent.iter().rposition(|(other, _)| *other == id));
        if known.is_none() {
            self.messages += 1;
        }
        if let Some(model) = model {
            replace_if_changed(&mut self.model, model);
        }
        let Some(tokens) = tokens else { return };
        let more = match known {
            Some(place) => {
                let before = std::mem::replace(&mut self.recent[place].1, tokens);
                tokens.saturating_sub(before)
            }
            None => tokens,
        };
        if let (None, Some(id)) = (known, id) {
            self.recent.push_back((hash(id), tokens));
            if self.recent.len() > MAX_RECENT_ANSWERS {
                self.recent.pop_front();
            }
        }
        self.add_usage(more, model);
    }

    /// Adds the usage of an answer by `model`, and its cost by the price table.
    pub(crate) fn add_usage(&mut self, more: Tokens, model: Option<&str>) {
        self.tokens = Some(self.tokens.unwrap_or_default().saturating_add(more));
        match model.and_then(price::for_model) {
            Some(price) => self.table_usd += price.usd(more),
            None if more == Tokens::default() => {}
            None => self.unpriced = true,
        }
    }

    /// The token counts and cost; unknown ones are `None`. The flag says that the cost comes from
    /// the price table.
    #[must_use]
    pub fn usage(&self) -> (Usage, bool) {
        let tokens = self.tokens;
        let by_table = tokens.filter(|_| !self.unpriced).map(|_| self.table_usd);
        // Agents that do not know the price of a model write 0 (opencode, pi).
        let reported = self
            .told_usd
            .filter(|usd| *usd > 0.0 || tokens.is_none_or(|used| used == Tokens::default()));
        let usage = Usage {
            input_tokens: tokens.map(|tokens| tokens.input),
            output_tokens: tokens.map(|tokens| tokens.output),
            cache_read_tokens: tokens.map(|tokens| tokens.cache_read),
            cache_write_tokens: tokens.map(|tokens| tokens.cache_write),
            usd: reported.or(by_table),
        };
        (usage, reported.is_none() && by_table.is_some())
    }

    /// A sentence about what could not be read.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        let count = |count: u32, one: &str, many: &str| match count {
            0 => None,
            1 => Some(one.to_owned()),
            count => Some(format!("{count} {many}")),
        };
        let parts = [
            self.failure
                .as_ref()
                .map(|failure| format!("the file can't be read: {failure}")),
            count(
                self.unreadable,
                "1 line couldn't be parsed",
                "lines couldn't be parsed",
            ),
            count(self.too_long, "1 line is too long", "lines are too long"),
            self.unfinished
                .then(|| "the last line is incomplete".to_owned()),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            None
        } else {
            Some(parts.join("; "))
        }
    }

    /// The agent's own title, or the beginning of the first prompt.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.own_title.as_deref().or(self.prompt.as_deref())
    }
}

/// Stores `value`, without a copy when it is unchanged.
pub(crate) fn replace_if_changed(slot: &mut Option<String>, value: &str) {
    if slot.as_deref() != Some(value) {
        *slot = Some(value.to_owned());
    }
}

/// Parses a time in the agents' usual form, `2026-01-02T03:04:05.678Z`, to milliseconds since
/// 1970; `None` for any other text. Every record has a time, and a general parser would take
/// longer than everything else.
fn parse_common_timestamp(text: &[u8]) -> Option<i64> {
    const SHAPE: &[u8; 24] = b"dddd-dd-ddTdd:dd:dd.dddZ";
    let fits = |(byte, shape): (&u8, &u8)| {
        if *shape == b'd' {
            byte.is_ascii_digit()
        } else {
            byte == shape
        }
    };
    if text.len() != SHAPE.len() || !text.iter().zip(SHAPE).all(fits) {
        return None;
    }
    let number = |range: Range<usize>| {
        text[range]
            .iter()
            .fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    };
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let (hour, minute, second) = (number(11..13), number(14..16), number(17..19));
    // Days that only some months have, and leap seconds, are left to the parser.
    if !(1..=12).contains(&month)
        || !(1..=28).contains(&day)
        || hour > 23
        || minute > 59
        || second > 59
    {
        return None;
    }
    // Years that begin in March have their leap day at the end (Howard Hinnant,
    // "chrono-compatible low-level date algorithms").
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 719_469;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + number(20..23))
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// The text as one line for the list; `None` when it is empty.
fn title(text: &str) -> Option<String> {
    let mut title = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let separator = usize::from(!title.is_empty());
        if separator == 1 {
            title.push(' ');
        }
        title.extend(
            word.chars()
                .take(MAX_TITLE_CHARS.saturating_sub(length + separator)),
        );
        length = title.chars().count();
        if length >= MAX_TITLE_CHARS {
            break;
        }
    }
    if title.is_empty() { None } else { Some(title) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn common_timestamp_matches_parser(ms in 0_i64..4_102_444_800_000) {
            let text = format!("{:.3}", Timestamp::from_millisecond(ms).expect("a time"));
            if let Some(read) = parse_common_timestamp(text.as_bytes()) {
                prop_assert_eq!(read, ms, "{}", text);
            }
        }
    }

    #[test]
    fn zero_price_for_tokens_is_unknown() {
        let used = Tokens {
            input: 10,
            ..Tokens::default()
        };
        let mut stats = TranscriptStats {
            told_usd: Some(0.0),
            ..TranscriptStats::default()
        };
        assert_eq!(stats.usage().0.usd, Some(0.0), "nothing was used");
        stats.add_usage(used, Some("a custom model"));
        assert_eq!(stats.usage().0.usd, None);
        stats.told_usd = Some(0.5);
        assert_eq!(
            stats.usage(),
            (
                Usage {
                    usd: Some(0.5),
                    ..stats.usage().0
                },
                false
            )
        );
    }

    #[test]
    fn only_common_timestamps_skip_the_parser() {
        for (text, expected) in [
            ("1970-01-01T00:00:00.000Z", Some(0)),
            ("2000-02-28T23:59:59.999Z", Some(951_782_399_999)),
            ("2000-03-01T00:00:00.000Z", Some(951_868_800_000)),
            ("2026-11-21T03:34:48.124Z", Some(1_795_232_088_124)),
            ("2024-02-29T00:00:00.000Z", None),
            ("2026-13-01T00:00:00.000Z", None),
            ("2026-01-01T24:00:00.000Z", None),
            ("2026-01-01T00:00:00Z", None),
            ("2026-01-01T00:00:00.000+01", None),
        ] {
            assert_eq!(parse_common_timestamp(text.as_bytes()), expected, "{text}");
        }
        let mut stats = TranscriptStats::default();
        stats.record_time("2024-02-29T00:00:00.000Z");
        assert_eq!(
            stats.ended_at,
            Some(1_709_164_800_000),
            "the parser reads what is not usual"
        );
    }
}
