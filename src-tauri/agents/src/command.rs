//! The session of a command node: output without a protocol, judged by its exit.

use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::plain_text::plain;

/// A driver that passes output on and has nothing to say.
#[derive(Debug, Default)]
pub struct CommandSession {
    _private: (),
}

impl Driver for CommandSession {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        vec![SessionEvent::Output {
            stream,
            text: plain(line),
        }]
    }

    fn reads(&self, _stream: Stream) -> bool {
        false
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        Verdict::of_process(exit)
    }
}
