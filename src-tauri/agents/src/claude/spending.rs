//! What a session has used so far, also in the middle of a turn.
//!
//! The end of a turn tells the sum of the session. Until then each message of the model tells what its own
//! request used, once for each of its blocks; a message counts once.

use std::collections::HashMap;

use serde::Deserialize;

use crate::claude::result;
use crate::odd;
use crate::usage::Usage;

/// What was used: as told at the end of the last turn, and by the messages since.
#[derive(Debug, Default)]
pub(super) struct Spending {
    told: Usage,
    /// What an earlier session had used that this one goes on with: its ends of turns tell the sum of both.
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
    #[serde(default, deserialize_with = "odd::field")]
    input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    output_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cache_read_input_tokens: Option<u64>,
    #[serde(default, deserialize_with = "odd::field")]
    cache_creation_input_tokens: Option<u64>,
}

impl Spending {
    /// Reads what one line of output tells of it, if it does.
    pub(super) fn line(&mut self, line: &[u8]) {
        // Most lines are results of tools, some of them long.
        if memchr::memmem::find(line, b"\"usage\"").is_none() {
            return;
        }
        if self.before.is_none()
            && memchr::memmem::find(line, b"\"model_usage_since_last_result\"").is_some()
        {
            self.before = result::used_before(line);
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

    /// The end of a turn tells the whole.
    pub(super) fn settle(&mut self, whole: Usage) {
        self.told = whole;
        self.since.clear();
    }

    /// The sum so far. The price is the one of the turns that have ended.
    pub(super) fn total(&self) -> Usage {
        let told = self
            .before
            .map_or(self.told, |before| self.told.less(before));
        self.since.values().fold(told, |sum, one| Usage {
            input_tokens: both(sum.input_tokens, one.input_tokens),
            output_tokens: both(sum.output_tokens, one.output_tokens),
            cache_read_tokens: both(sum.cache_read_tokens, one.cache_read_tokens),
            cache_write_tokens: both(sum.cache_write_tokens, one.cache_write_tokens),
            usd: sum.usd,
        })
    }
}

fn both(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_conversation_used_before_is_not_this_sessions() {
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
            // One that goes on after 100, for two turns.
            (vec![(105, 5), (109, 4)], 9),
        ] {
            let mut spending = Spending::default();
            for (total, since) in ends {
                spending.line(result(total, since).as_bytes());
                let usd = Some(total as f64 / 100.0);
                spending.settle(Usage {
                    output_tokens: Some(total),
                    usd,
                    ..Usage::default()
                });
            }
            let total = spending.total();
            assert_eq!(total.output_tokens, Some(used));
            assert!(
                (total.usd.unwrap_or_default() - used as f64 / 100.0).abs() < 1e-9,
                "{total:?}"
            );
        }
    }

    #[test]
    fn a_message_counts_once_and_the_end_of_a_turn_tells_all() {
        let mut spending = Spending::default();
        let line = |id: &str, output: u64| {
            format!(
                r#"{{"type":"assistant","message":{{"id":"{id}","usage":{{"input_tokens":10,"output_tokens":{output},"cache_read_input_tokens":5}}}}}}"#
            )
        };
        assert_eq!(
            spending.total(),
            Usage::default(),
            "nothing is known, which is not 0"
        );
        for (id, output) in [("a", 1), ("a", 7), ("b", 2)] {
            spending.line(line(id, output).as_bytes());
        }
        spending.line(br#"{"type":"user","message":{"content":"\"usage\""}}"#);
        let total = spending.total();
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
        spending.settle(whole);
        assert_eq!(spending.total(), whole);
    }
}
