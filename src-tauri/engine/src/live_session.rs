//! A running session as the dispatcher sees it: the means to stop it and to pass on answers.
//!
//! The thread that follows the session owns everything else; this is the part that other threads
//! use concurrently.

use std::collections::VecDeque;
use std::io::Write as _;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use baton_agents::command::CommandSession;
use baton_agents::tool_name::shell_command;
use baton_agents::{
    Decision, Driver, Input, InputMessage, PermissionRequest, Quote, SessionEvent, Stream,
};
use baton_keeper::Request;
use baton_model::run::{Answer, RequestedToolCall};

use crate::input_log::SentInputs;
use crate::tail::Line;

/// How long an agent may take to stop by its own protocol before its processes are terminated.
const INTERRUPT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long an agent that has finished may take to exit before its processes are terminated.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The shared part of a running session.
pub(crate) struct LiveSession {
    inner: Mutex<Inner>,
}

/// Stops a session that has no keeper.
type Stopper = Box<dyn Fn() + Send + Sync>;

struct Inner {
    stopper: Option<Arc<Stopper>>,
    driver: Box<dyn Driver>,
    keeper: Option<UnixStream>,
    /// The messages that were sent to the program.
    sent: SentInputs,
    /// Quotes that the keeper has not confirmed: their keys, and the text to send instead if it
    /// does not know quotes.
    quotes: VecDeque<(String, String)>,
    stop_requested: bool,
    /// The agent has finished and is given time to exit.
    exiting: bool,
    over: bool,
    /// A session that continues after this one, to which a stop applies as well.
    next: Option<Arc<LiveSession>>,
}

/// The questions and events that a driver derived from some output.
#[derive(Default)]
pub(crate) struct DriverOutput {
    /// Questions for a person.
    pub(crate) questions: Vec<Question>,
    /// Answered or withdrawn requests, tool calls, calls that are not on the list, and messages.
    pub(crate) events: Vec<SessionEvent>,
}

/// A session's question as the run stores it. The session's log has the whole call.
pub(crate) struct Question {
    pub(crate) request: String,
    pub(crate) text: String,
    pub(crate) call: RequestedToolCall,
}

impl Question {
    fn of(asked: &PermissionRequest) -> Self {
        let PermissionRequest {
            request,
            tool,
            summary,
            input,
            ..
        } = asked;
        let call = RequestedToolCall {
            tool: tool.clone(),
            command: shell_command(tool, input),
        };
        Self {
            request: request.clone(),
            text: format!("{tool}: {summary}"),
            call,
        }
    }
}

impl LiveSession {
    /// A session that is about to start, read by `driver`.
    pub(crate) fn new(driver: Box<dyn Driver>) -> Arc<Self> {
        Arc::new(Self {
            inner: Mutex::new(Inner {
                driver,
                stopper: None,
                keeper: None,
                sent: SentInputs::default(),
                quotes: VecDeque::new(),
                stop_requested: false,
                exiting: false,
                over: false,
                next: None,
            }),
        })
    }

    /// A node that executes another run and is stopped by `stop`, which is called once, on its own
    /// thread.
    pub(crate) fn for_nested_run(stop: Stopper) -> Arc<Self> {
        let live = Self::new(Box::new(CommandSession::default()));
        live.lock().stopper = Some(Arc::new(stop));
        live
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects the session with its keeper. An earlier request to stop is sent now.
    pub(crate) fn connect(self: &Arc<Self>, keeper: UnixStream) {
        let stop_requested = {
            let mut inner = self.lock();
            if inner.over {
                return shut_down_connection(&keeper);
            }
            inner.keeper = Some(keeper);
            inner.stop_requested
        };
        if stop_requested {
            self.send(&Request::Cancel);
        }
    }

    /// Asks the agent to stop by its protocol, and terminates its processes if that takes too long.
    /// Returns immediately.
    pub(crate) fn stop(self: &Arc<Self>) {
        let polite = {
            let mut inner = self.lock();
            if std::mem::replace(&mut inner.stop_requested, true) {
                return;
            }
            if let Some(next) = inner.next.clone() {
                drop(inner);
                return next.stop();
            }
            inner.driver.interrupt()
        };
        if let Some(stop) = self.lock().stopper.clone() {
            // Canceling a run may wait for its dispatcher, and the caller may be a dispatcher.
            if thread::Builder::new()
                .name("stop".to_owned())
                .spawn(move || stop())
                .is_err()
            {
                tracing::error!("couldn't start a thread; a nested run continues");
            }
            return;
        }
        let Some(input) = polite else {
            return self.send(&Request::Cancel);
        };
        self.write(input);
        let session = Arc::clone(self);
        let patience = thread::Builder::new()
            .name("stop".to_owned())
            .spawn(move || {
                thread::sleep(INTERRUPT_TIMEOUT);
                session.send(&Request::Cancel);
            });
        if patience.is_err() {
            self.send(&Request::Cancel);
        }
    }

    /// Terminates the session's processes. Nobody asked for it, so the session does not count as
    /// canceled.
    pub(crate) fn cancel_processes(&self) {
        self.send(&Request::Cancel);
    }

    /// From now on, requests to this session go to `next`.
    pub(crate) fn hand_over(&self, next: &Arc<Self>) {
        let (stop_requested, over) = {
            let mut inner = self.lock();
            inner.next = Some(Arc::clone(next));
            (inner.stop_requested, inner.over)
        };
        if over {
            next.detach();
        } else if stop_requested {
            next.stop();
        }
    }

    /// Whether a stop was requested.
    pub(crate) fn stop_requested(&self) -> bool {
        self.lock().stop_requested
    }

    /// Passes on a person's answer; returns whether the question was still open.
    pub(crate) fn answer(&self, request: &str, answer: &Answer) -> bool {
        let decision = match answer {
            Answer::AllowOnce | Answer::AllowNode { .. } | Answer::AllowPlan { .. } => {
                Decision::Allow
            }
            Answer::Deny { reason } => Decision::Deny {
                reason: denial_message(reason),
            },
        };
        let input = self.lock().driver.answer(request, &decision);
        input.map(|input| self.write(input)).is_some()
    }

    /// Returns whether the driver reads this stream at all.
    pub(crate) fn reads(&self, stream: Stream) -> bool {
        self.lock().driver.reads_stream(stream)
    }

    /// Gives lines to the driver, and sends its replies.
    pub(crate) fn read_lines(self: &Arc<Self>, stream: Stream, lines: &[Line<'_>]) -> DriverOutput {
        let (output, inputs) = {
            let mut inner = self.lock();
            let mut events = Vec::new();
            for line in lines {
                if stream == Stream::Stdout {
                    inner.driver.set_line_offset(line.begins);
                }
                let line_events = inner.driver.handle_line(stream, line.bytes);
                events.extend(line_events.into_iter().filter(is_observed));
            }
            let questions = inner
                .driver
                .pending_permissions()
                .iter()
                .map(Question::of)
                .collect();
            (
                DriverOutput { questions, events },
                inner.driver.take_inputs(),
            )
        };
        for input in inputs {
            self.write(input);
        }
        self.exit_when_finished();
        output
    }

    /// Makes sure that an agent which has finished exits, even if it ignores the end of its input.
    fn exit_when_finished(self: &Arc<Self>) {
        {
            let mut inner = self.lock();
            if !inner.driver.is_finished() || std::mem::replace(&mut inner.exiting, true) {
                return;
            }
        }
        let session = Arc::clone(self);
        let patience = thread::Builder::new()
            .name("farewell".to_owned())
            .spawn(move || {
                thread::sleep(EXIT_TIMEOUT);
                session.send(&Request::Cancel);
            });
        if patience.is_err() {
            tracing::error!(
                "couldn't start a thread; an agent that doesn't exit on its own keeps running"
            );
        }
    }

    /// Returns whether a line of the keeper's record belongs to a message from this executor.
    pub(crate) fn has_sent(&self, input: &baton_keeper::Input) -> bool {
        self.lock().sent.has(input)
    }

    /// Calls `question` with the driver.
    pub(crate) fn query_driver<T>(&self, question: impl FnOnce(&dyn Driver) -> T) -> T {
        question(self.lock().driver.as_ref())
    }

    /// The session has ended: no more messages are sent to it.
    pub(crate) fn end(&self) {
        let mut inner = self.lock();
        inner.over = true;
        inner.keeper = None;
    }

    /// Another executor has the session: no more messages are sent to it, and its follower is
    /// woken.
    pub(crate) fn detach(&self) {
        let mut inner = self.lock();
        inner.over = true;
        inner
            .keeper
            .take()
            .as_ref()
            .map(shut_down_connection)
            .unwrap_or_default();
        let next = inner.next.clone();
        drop(inner);
        next.map(|next| next.detach()).unwrap_or_default();
    }

    /// Whether no more messages are sent to the session.
    pub(crate) fn is_over(&self) -> bool {
        self.lock().over
    }

    fn write(&self, input: Input) {
        self.send(&match input.message {
            InputMessage::Text(text) => Request::Input {
                key: input.key,
                text,
            },
            InputMessage::Quote(Quote {
                before,
                line,
                pointer,
                after,
                otherwise,
            }) => {
                self.lock()
                    .quotes
                    .push_back((input.key.clone(), otherwise.clone()));
                let quote = baton_keeper::Quote {
                    before,
                    line,
                    pointer,
                    after,
                    otherwise,
                };
                Request::Quote {
                    key: input.key,
                    quote,
                }
            }
            InputMessage::Close => Request::CloseInput { key: input.key },
        });
    }

    /// The keeper has accepted the message with this key.
    pub(crate) fn input_accepted(&self, key: &str) {
        self.lock().quotes.retain(|(sent, _)| sent != key);
    }

    /// The keeper does not know a kind of message. One started by an older Baton does not know
    /// quotes: the agent gets the text for this case instead of waiting for an answer that never
    /// comes.
    pub(crate) fn quote_rejected(&self) {
        let quote = self.lock().quotes.pop_front();
        match quote {
            Some((key, text)) => self.send(&Request::Input { key, text }),
            None => tracing::warn!("the keeper doesn't support a request"),
        }
    }

    fn send(&self, request: &Request) {
        let mut inner = self.lock();
        if inner.over {
            return;
        }
        let Inner { keeper, sent, .. } = &mut *inner;
        if let Some(keeper) = keeper {
            sent.record(request);
            // A keeper that no longer listens has left its record, which the follower will read.
            if let Err(error) = keeper.write_all(&request.to_line()) {
                tracing::debug!(%error, "the keeper no longer listens");
            }
        }
    }
}

/// Returns whether anything besides the driver needs the event.
fn is_observed(event: &SessionEvent) -> bool {
    matches!(
        event,
        SessionEvent::PermissionWithdrawn { .. }
            | SessionEvent::OutsideScope { .. }
            | SessionEvent::PermissionAnswered { .. }
            | SessionEvent::Text { .. }
            | SessionEvent::ToolStarted { .. }
            | SessionEvent::ToolEnded { .. }
    )
}

/// Closes the connection for all users of it. The keeper handles that, and may be gone already.
fn shut_down_connection(keeper: &UnixStream) {
    keeper.shutdown(Shutdown::Both).unwrap_or_default();
}

/// The message for the agent. It says who denied the call, so that the agent does not take the tool
/// for broken.
fn denial_message(reason: &str) -> String {
    let no = "The person who supervises this plan denied this call";
    match reason.trim() {
        "" => format!("{no}."),
        reason => format!("{no}: {reason}"),
    }
}
