//! What a session has used, told by a client that counts over the whole conversation.

use crate::codex::message::Tokens;
use crate::usage::Usage;

/// The thread's total, less what it had used before this session went on with it.
#[derive(Debug, Default)]
pub(super) struct Spending {
    before: Option<Tokens>,
    total: Option<Tokens>,
}

impl Spending {
    /// Takes a total of the thread, and the part of the last request. `in_turn`: whether a turn of this session runs;
    /// what is told before is the past.
    pub(super) fn take(&mut self, total: Tokens, last: Tokens, in_turn: bool) {
        let past = if in_turn { minus(total, last) } else { total };
        self.before.get_or_insert(past);
        self.total = Some(total);
    }

    /// What this session used; unknown until something was told.
    pub(super) fn session(&self) -> Usage {
        match (self.total, self.before) {
            (Some(total), Some(before)) => usage(minus(total, before)),
            _ => Usage::default(),
        }
    }
}

fn minus(one: Tokens, other: Tokens) -> Tokens {
    Tokens {
        input_tokens: one.input_tokens.saturating_sub(other.input_tokens),
        cached_input_tokens: one
            .cached_input_tokens
            .saturating_sub(other.cached_input_tokens),
        cache_write_input_tokens: one
            .cache_write_input_tokens
            .saturating_sub(other.cache_write_input_tokens),
        output_tokens: one.output_tokens.saturating_sub(other.output_tokens),
    }
}

/// Counts in words that all agents share: what came from or went into the cache is not input.
pub(super) fn usage(tokens: Tokens) -> Usage {
    let cached = tokens
        .cached_input_tokens
        .saturating_add(tokens.cache_write_input_tokens);
    Usage {
        input_tokens: Some(tokens.input_tokens.saturating_sub(cached)),
        output_tokens: Some(tokens.output_tokens),
        cache_read_tokens: Some(tokens.cached_input_tokens),
        cache_write_tokens: Some(tokens.cache_write_input_tokens),
        usd: None,
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
    fn what_a_conversation_used_before_is_not_this_sessions() {
        for (told, used) in [
            // A new session, told in its turns.
            (
                vec![(tokens(5), tokens(5), true), (tokens(9), tokens(4), true)],
                9,
            ),
            // One that goes on, told only in its turns.
            (
                vec![
                    (tokens(105), tokens(5), true),
                    (tokens(109), tokens(4), true),
                ],
                9,
            ),
            // One that goes on and is told the past first.
            (
                vec![
                    (tokens(100), tokens(7), false),
                    (tokens(105), tokens(5), true),
                ],
                5,
            ),
        ] {
            let mut spending = Spending::default();
            assert_eq!(
                spending.session(),
                Usage::default(),
                "nothing is known, which is not 0"
            );
            for (total, last, in_turn) in told {
                spending.take(total, last, in_turn);
            }
            let usage = spending.session();
            assert_eq!(
                (usage.output_tokens, usage.input_tokens),
                (Some(used), Some(used * 9))
            );
        }
    }
}
