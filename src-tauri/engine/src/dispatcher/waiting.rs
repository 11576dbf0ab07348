//! The blocking loop that feeds a dispatcher from an inbox and the clock.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use baton_model::run::Command;

use super::{Dispatcher, DispatcherExit, Input, Runtime};

/// The maximum number of inputs for one transaction.
const BATCH: usize = 256;
/// How long the report that a session has started may wait for others: the end of a short session
/// comes with it, in one commit.
///
/// Safety does not depend on this report. The reservation is stored already, and the keeper's
/// folder shows the rest.
const REPORT_BATCH_DELAY: Duration = Duration::from_millis(15);

impl<S: Runtime> Dispatcher<S> {
    /// Works until nothing is left to do. `leave` is called before the dispatcher ends: it returns
    /// input that has arrived meanwhile, or makes sure that no more arrives.
    pub(crate) fn work(
        mut self,
        inbox: &Receiver<Input>,
        leave: impl Fn(&Receiver<Input>) -> Option<Input>,
    ) -> DispatcherExit {
        let mut late = None;
        loop {
            let Some(first) = late.take().or_else(|| self.next(inbox)) else {
                return DispatcherExit::Shutdown;
            };
            if let Err(leaving) = self.turn(gather(first, inbox)) {
                return leaving;
            }
            if self.is_at_rest() {
                late = leave(inbox);
                if late.is_none() {
                    return DispatcherExit::AtRest;
                }
            }
        }
    }

    /// The next input, or a timer that fired first; `None` when all senders are gone.
    fn next(&mut self, inbox: &Receiver<Input>) -> Option<Input> {
        let Some(at) = self.alarm() else {
            return inbox.recv().ok();
        };
        match inbox.recv_timeout(Duration::from_millis(at.ms_since(self.runtime.now()))) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.pop_timer(),
        }
    }
}

/// `first`, and everything that has arrived meanwhile; waits a moment for more when nothing so far
/// is urgent.
fn gather(first: Input, inbox: &Receiver<Input>) -> Vec<Input> {
    let mut hurry = !can_be_batched(&first);
    let deadline = Instant::now() + REPORT_BATCH_DELAY;
    let mut inputs = vec![first];
    while inputs.len() < BATCH {
        let next = match hurry {
            true => inbox.try_recv().ok(),
            false => inbox
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
                .ok(),
        };
        let Some(input) = next else { break };
        hurry |= !can_be_batched(&input);
        inputs.push(input);
    }
    inputs
}

fn can_be_batched(input: &Input) -> bool {
    matches!(input, Input::Report { report, .. } if matches!(report.command, Command::SessionStarted { .. }))
}
