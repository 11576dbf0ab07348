//! Input that arrives twice is written once.

use std::collections::VecDeque;

use uuid::Uuid;

/// How many writers are remembered. A page that is loaded again is a new writer.
const MAX_WRITERS: usize = 64;

/// Marks one input of one writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputMark {
    /// The page.
    pub writer: Uuid,
    /// Grows with each of the writer's inputs.
    pub sequence: u64,
}

/// The last input of each writer, the latest writer at the end.
#[derive(Debug, Default)]
pub(crate) struct InputOrder {
    last: VecDeque<InputMark>,
}

impl InputOrder {
    /// Whether the input is new. It counts as seen from now on.
    ///
    /// Browsers repeat a request on a connection that broke before the answer, and a request that
    /// was overtaken by a later one comes too late: a person would not expect it any more.
    pub(crate) fn accept(&mut self, mark: InputMark) -> bool {
        let known = self
            .last
            .iter()
            .position(|last| last.writer == mark.writer)
            .and_then(|at| self.last.remove(at));
        let is_new = known.is_none_or(|last| mark.sequence > last.sequence);
        if self.last.len() == MAX_WRITERS {
            self.last.pop_front();
        }
        self.last
            .push_back(known.filter(|_| !is_new).unwrap_or(mark));
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(writer: u128, sequence: u64) -> InputMark {
        InputMark {
            writer: Uuid::from_u128(writer),
            sequence,
        }
    }

    #[test]
    fn each_input_of_a_writer_is_accepted_once_and_in_order() {
        let mut order = InputOrder::default();
        for (writer, sequence, expected) in [
            (1, 0, true),
            (1, 0, false),
            (1, 1, true),
            (2, 0, true),
            (1, 3, true),
            (1, 2, false),
            (1, 3, false),
            (2, 1, true),
            (1, 4, true),
        ] {
            assert_eq!(
                order.accept(mark(writer, sequence)),
                expected,
                "{writer}: {sequence}"
            );
        }
    }

    #[test]
    fn writers_that_are_silent_for_longest_are_forgotten() {
        let mut order = InputOrder::default();
        assert!(order.accept(mark(0, 9)));
        for writer in 1..MAX_WRITERS as u128 {
            assert!(order.accept(mark(writer, 0)));
            assert!(!order.accept(mark(0, 9)), "it is in use");
        }
        assert!(order.accept(mark(1000, 0)));
        assert!(!order.accept(mark(0, 9)));
        assert!(order.accept(mark(1, 0)), "it was forgotten");
        assert_eq!(order.last.len(), MAX_WRITERS);
    }
}
