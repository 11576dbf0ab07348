//! Usage of a session, from a client that counts over the whole conversation.

use crate::codex::tokens::Tokens;
use crate::usage::Usage;

/// The total of the thread, minus what it had used before this session resumed it.
#[derive(Debug, Default)]
pub(super) struct UsageTracker {
    before: Option<Tokens>,
    total: Option<Tokens>,
}

impl UsageTracker {
    /// Sets the total of the thread; `last` is the share of the last request. `in_turn` says
    /// whether a turn of this session runs. Reports outside a turn are about the past.
    pub(super) fn update(&mut self, total: Tokens, last: Tokens, in_turn: bool) {
        let past = if in_turn { total.minus(last) } else { total };
        self.before.get_or_insert(past);
        self.total = Some(total);
    }

    /// The usage of this session; unknown before the first report.
    pub(super) fn session(&self) -> Usage {
        match (self.total, self.before) {
            (Some(total), Some(before)) => total.minus(before).usage(),
            _ => Usage::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(output_tokens: u64) -> Tokens {
        Tokens {
            input_tokens: output_tokens * 10,
            cached_input_tokens: output_tokens,
            output_tokens,
            ..Tokens::default()
        }
    }

    #[test]
    fn prior_usage_is_not_counted() {
        for (updates, used) in [
            // A new session with reports in its turns.
            (
                vec![(tokens(5), tokens(5), true), (tokens(9), tokens(4), true)],
                9,
            ),
            // A resumed session with reports only in its turns.
            (
                vec![
                    (tokens(105), tokens(5), true),
                    (tokens(109), tokens(4), true),
                ],
                9,
            ),
            // A resumed session whose past is reported first.
            (
                vec![
                    (tokens(100), tokens(7), false),
                    (tokens(105), tokens(5), true),
                ],
                5,
            ),
        ] {
            let mut usage_tracker = UsageTracker::default();
            assert_eq!(
                usage_tracker.session(),
                Usage::default(),
                "unknown usage is not 0"
            );
            for (total, last, in_turn) in updates {
                usage_tracker.update(total, last, in_turn);
            }
            let usage = usage_tracker.session();
            assert_eq!(
                (usage.output_tokens, usage.input_tokens),
                (Some(used), Some(used * 9))
            );
        }
    }
}
