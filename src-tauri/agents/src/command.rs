//! The driver of a command node: output without a protocol, judged by the exit code.

use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::plain_text::strip_terminal_codes;

/// Passes output on and never writes anything.
#[derive(Debug, Default)]
pub struct CommandSession {
    _private: (),
}

impl Driver for CommandSession {
    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        vec![SessionEvent::Output {
            stream,
            text: strip_terminal_codes(line),
        }]
    }

    fn reads_stream(&self, _stream: Stream) -> bool {
        false
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        Verdict::from_process_end(exit)
    }
}
