//! The usage of a session so far, also in the middle of a turn.
//!
//! The end of a turn reports the sum of the session. Before that, each message of the model
//! reports the usage of its own request, repeated for each of its blocks. A message counts once.

use std::collections::HashMap;

use serde::Deserialize;

use crate::claude::result;
use crate::lenient_json;
use crate::usage::Usage;

/// The total of the last finished turn, and the messages since.
#[derive(Debug, Default)]
pub(super) struct UsageTracker {
    reported: Usage,
    /// The usage of the earlier session that this one resumes. Results report the sum of both.
    before: Option<Usage>,
    since: HashMap<String, Usage>,
}

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    id: String,
    usage: Counts,
}

#[derive(Deserialize)]
struct Counts {
    #[serde(default, deserialize_with = "lenient_json::field")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cache_creation_input_tokens: Option<u64>,
}

impl UsageTracker {
    /// Adds the usage in one line of output, if it has any.
    pub(super) fn add_line(&mut self, line: &[u8]) {
        // Most lines are tool results, some of them long.
        if memchr::memmem::find(line, b"\"usage\"").is_none() {
            return;
        }
        if self.before.is_none()
            && memchr::memmem::find(line, b"\"model_usage_since_last_result\"").is_some()
        {
            self.before = result::prior_usage(line);
        }
        let Ok(Line {
            kind,
            message: Message { id, usage },
        }) = serde_json::from_slice(line)
        else {
            return;
        };
        if kind == "assistant" {
            let usage = Usage {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cache_read_tokens: usage.cache_read_input_tokens,
                cache_write_tokens: usage.cache_creation_input_tokens,
                usd: None,
            };
            self.since.insert(id, usage);
        }
    }

    /// Sets the total at the end of a turn.
    pub(super) fn set_total(&mut self, whole: Usage) {
        self.reported = whole;
        self.since.clear();
    }

    /// The sum so far. The cost covers only finished turns.
    pub(super) fn total(&self) -> Usage {
        let reported = self
            .before
            .map_or(self.reported, |before| self.reported.saturating_sub(before));
        self.since.values().fold(reported, |sum, one| Usage {
            input_tokens: add_known(sum.input_tokens, one.input_tokens),
            output_tokens: add_known(sum.output_tokens, one.output_tokens),
            cache_read_tokens: add_known(sum.cache_read_tokens, one.cache_read_tokens),
            cache_write_tokens: add_known(sum.cache_write_tokens, one.cache_write_tokens),
            usd: sum.usd,
        })
    }
}

fn add_known(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prior_usage_is_not_counted() {
        let result = |total: u64, since: u64| {
            let model = |output: u64| {
                format!(
                    r#"{{"m":{{"outputTokens":{output},"costUSD":{}}}}}"#,
                    output as f64 / 100.0
                )
            };
            format!(
                r#"{{"type":"result","usage":{{}},"is_error":false,"total_cost_usd":{},"modelUsage":{},"model_usage_since_last_result":{}}}"#,
                total as f64 / 100.0,
                model(total),
                model(since),
            )
        };
        for (ends, used) in [
            // A new conversation of two turns.
            (vec![(5, 5), (9, 4)], 9),
            // A conversation that resumes after 100, for two turns.
            (vec![(105, 5), (109, 4)], 9),
        ] {
            let mut usage_tracker = UsageTracker::default();
            for (total, since) in ends {
                usage_tracker.add_line(result(total, since).as_bytes());
                let usd = Some(total as f64 / 100.0);
                usage_tracker.set_total(Usage {
                    output_tokens: Some(total),
                    usd,
                    ..Usage::default()
                });
            }
            let total = usage_tracker.total();
            assert_eq!(total.output_tokens, Some(used));
            assert!(
                (total.usd.unwrap_or_default() - used as f64 / 100.0).abs() < 1e-9,
                "{total:?}"
            );
        }
    }

    #[test]
    fn messages_count_once_and_turn_total_wins() {
        let mut usage_tracker = UsageTracker::default();
        let line = |id: &str, output: u64| {
            format!(
                r#"{{"type":"assistant","message":{{"id":"{id}","usage":{{"input_tokens":10,"output_tokens":{output},"cache_read_input_tokens":5}}}}}}"#
            )
        };
        assert_eq!(
            usage_tracker.total(),
            Usage::default(),
            "unknown usage is not 0"
        );
        for (id, output) in [("a", 1), ("a", 7), ("b", 2)] {
            usage_tracker.add_line(line(id, output).as_bytes());
        }
        usage_tracker.add_line(br#"{"type":"user","message":{"content":"\"usage\""}}"#);
        let total = usage_tracker.total();
        assert_eq!(
            (
                total.input_tokens,
                total.output_tokens,
                total.cache_read_tokens
            ),
            (Some(20), Some(9), Some(10))
        );
        assert_eq!(total.cache_write_tokens, None);
        let whole = Usage {
            output_tokens: Some(50),
            usd: Some(0.5),
            ..Usage::default()
        };
        usage_tracker.set_total(whole);
        assert_eq!(usage_tracker.total(), whole);
    }
}
