//! A session that lives, as the dispatcher holds it: the means to stop it and to pass answers on.
//!
//! The thread that follows the session owns its story; this is the part that others may touch meanwhile.

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

/// How long an agent may take to stop by its own protocol before its processes are ended.
const INTERRUPT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long an agent that has nothing to do any more may take to go, before its processes are ended.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The shared part of a living session.
pub(crate) struct LiveSession {
    inner: Mutex<Inner>,
}

/// What ends a session that has no keeper.
type Stopper = Box<dyn Fn() + Send + Sync>;

struct Inner {
    stopper: Option<Arc<Stopper>>,
    driver: Box<dyn Driver>,
    keeper: Option<UnixStream>,
    /// What was sent to the program.
    sent: SentInputs,
    /// The quotes on their way: their keys, and what is said instead where they are not understood.
    quotes: VecDeque<(String, String)>,
    stop_requested: bool,
    /// The agent has finished and is given time to go.
    exiting: bool,
    over: bool,
    /// A session that belongs to this one and goes on when this one has ended: stopping means it.
    next: Option<Arc<LiveSession>>,
}

/// What a driver made of some output.
#[derive(Default)]
pub(crate) struct DriverOutput {
    /// The questions that wait for a person.
    pub(crate) questions: Vec<Question>,
    /// The requests that were answered or went away, what tools did, the calls outside the list, and messages.
    pub(crate) events: Vec<SessionEvent>,
}

/// A question of a session, as the run hears of it. The whole call stays in the session's log.
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

    /// A node that is a run of its own and is ended by `stop`, which is called once, on a thread of its own.
    pub(crate) fn for_nested_run(stop: Stopper) -> Arc<Self> {
        let live = Self::new(Box::new(CommandSession::default()));
        live.lock().stopper = Some(Arc::new(stop));
        live
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects the session with its keeper. A stop that was asked for before now reaches it.
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

    /// Asks the agent to stop by its protocol, and ends its processes when that takes too long. Returns at once.
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
            // Cancelling a run may wait for its dispatcher, and whoever calls this may be one.
            if thread::Builder::new()
                .name("stop".to_owned())
                .spawn(move || stop())
                .is_err()
            {
                tracing::error!("the system has no more threads; the run of a node goes on");
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

    /// Ends the session's processes; nobody has asked for that, so it is no cancelled one.
    pub(crate) fn cancel_processes(&self) {
        self.send(&Request::Cancel);
    }

    /// What is asked of this session concerns `next` from here on.
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

    /// Whether somebody asked for the end of this session.
    pub(crate) fn stop_requested(&self) -> bool {
        self.lock().stop_requested
    }

    /// Passes a person's answer on; whether the session was still asking.
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

    /// Whether the driver wants to read this stream at all.
    pub(crate) fn reads(&self, stream: Stream) -> bool {
        self.lock().driver.reads_stream(stream)
    }

    /// Gives lines to the driver, and writes what it wants written.
    pub(crate) fn read_lines(self: &Arc<Self>, stream: Stream, lines: &[Line<'_>]) -> DriverOutput {
        let (heard, inputs) = {
            let mut inner = self.lock();
            let mut events = Vec::new();
            for line in lines {
                if stream == Stream::Stdout {
                    inner.driver.set_line_offset(line.begins);
                }
                let news = inner.driver.handle_line(stream, line.bytes);
                events.extend(news.into_iter().filter(is_observed));
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
        heard
    }

    /// Sees to it that an agent which has finished goes, also one that does not mind the end of its input.
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
                "the system has no more threads; an agent that does not go by itself stays"
            );
        }
    }

    /// Whether a line of the keeper's record is of a message that came from here.
    pub(crate) fn has_sent(&self, input: &baton_keeper::Input) -> bool {
        self.lock().sent.has(input)
    }

    /// Asks the driver something.
    pub(crate) fn query_driver<T>(&self, question: impl FnOnce(&dyn Driver) -> T) -> T {
        question(self.lock().driver.as_ref())
    }

    /// The session has ended: nothing reaches it any more.
    pub(crate) fn end(&self) {
        let mut inner = self.lock();
        inner.over = true;
        inner.keeper = None;
    }

    /// Somebody else has the session now: nothing from here reaches it any more, and whoever follows it is woken.
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

    /// Whether nothing reaches the session any more.
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

    /// The keeper has taken the message with this key.
    pub(crate) fn input_accepted(&self, key: &str) {
        self.lock().quotes.retain(|(sent, _)| sent != key);
    }

    /// The keeper does not know the kind of a message. One that was started by an older Baton does not know quotes:
    /// the agent is told so, instead of waiting for an answer that never comes.
    pub(crate) fn quote_rejected(&self) {
        let quote = self.lock().quotes.pop_front();
        match quote {
            Some((key, text)) => self.send(&Request::Input { key, text }),
            None => tracing::warn!("the keeper did not understand a request"),
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
            // A keeper that does not listen any more has left its record, which the follower will read.
            if let Err(error) = keeper.write_all(&request.to_line()) {
                tracing::debug!(%error, "the keeper does not listen");
            }
        }
    }
}

/// Whether somebody beside the driver wants to know of the event.
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

/// Closes the connection for all who hold it. The keeper does not mind, and one that is gone minds even less.
fn shut_down_connection(keeper: &UnixStream) {
    keeper.shutdown(Shutdown::Both).unwrap_or_default();
}

/// What the agent is told, so that it knows who speaks and does not take the tool for broken.
fn denial_message(reason: &str) -> String {
    let no = "The person who supervises this plan said no";
    match reason.trim() {
        "" => format!("{no}."),
        reason => format!("{no}: {reason}"),
    }
}
