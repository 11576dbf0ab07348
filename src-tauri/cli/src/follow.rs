//! Telling what happens in a run that this process executes, until it comes to rest.
//!
//! History is the source: each piece of news only says that there is more of it. A person can answer
//! questions here, and cancels the run with Ctrl+C. A second Ctrl+C while processes are still ending takes the
//! cancellation back and leaves them; SIGTERM leaves the run to its sessions.

mod below;
mod cancellation;
pub(crate) mod decisions;
mod ending;
#[cfg(test)]
pub(crate) mod fixture;
mod inbox;
mod replanning;
mod story;
mod teller;

use std::sync::Arc;
use std::time::Duration;

use baton_api::wire::*;
use baton_api::{ApiError, App};
use baton_model::run::{Answer, WaitingFor};
use baton_model::{NodeState, RunId};

use crate::client::{Client, ask};
use crate::commands::inbox::words as inbox_words;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::is_yes;
use crate::style::{self, Tone};
use below::Below;
use cancellation::Cancellation;
use inbox::{Inbox, Message, Signal};
use story::Question;
pub(crate) use teller::Teller;

/// How long a second Ctrl+C waits for the cancellation to be taken back.
const PATIENCE: Duration = Duration::from_secs(3);

/// Follows `run` to its rest. Events up to `known` are history that is not told again.
pub(crate) fn follow(client: &Client<'_>, run: RunId, known: u64) -> Result<Exit, Failure> {
    follow_strictly(client, run, known, false)
}

/// The same; with `is_strict`, a run with a node that is not verified ends as a failed one.
pub(crate) fn follow_strictly(
    client: &Client<'_>,
    run: RunId,
    known: u64,
    is_strict: bool,
) -> Result<Exit, Failure> {
    let view: RunView = client.ask("look at the run", "run_get", &RunRef { run })?;
    let below = Below::new(run, &view.plan);
    let inbox = Inbox::open(Arc::clone(client.app()?), run, below.has_sub_plans())?;
    let mut follower = Follower::new(client, &view, (inbox, below), known, is_strict)?;
    follower.catch_up()?;
    loop {
        match follower.inbox.next() {
            Message::Changed => follower.catch_up()?,
            Message::Idle => {
                follower.catch_up()?;
                return follower.end();
            }
            Message::Signal(Signal::Terminate) => return follower.leave(Exit::Terminated),
            Message::Signal(Signal::Interrupt) if follower.cancellation.is_some() => {
                return follower.leave(Exit::Cancelled);
            }
            Message::Signal(Signal::Interrupt) => follower.cancel(),
            Message::NotCancelled(error) => follower
                .client
                .output
                .complain(&format!("couldn't cancel. {}", error.in_full())),
            Message::Said(answer) => follower.answer(&answer),
        }
    }
}

struct Follower<'a> {
    client: &'a Client<'a>,
    app: Arc<App>,
    inbox: Inbox,
    teller: Teller<'a>,
    below: Below,
    asked: Option<Open>,
    /// What the first Ctrl+C asked for.
    cancellation: Option<Cancellation>,
}

/// A question that a person can answer with a line.
#[derive(Debug, Clone, PartialEq)]
enum Open {
    /// Of this run.
    Own(Question),
    /// Of a run below it.
    Below(Box<InboxItem>),
}

impl<'a> Follower<'a> {
    fn new(
        client: &'a Client<'a>,
        view: &RunView,
        (inbox, below): (Inbox, Below),
        known: u64,
        is_strict: bool,
    ) -> Result<Self, Failure> {
        let teller = Teller::new(client, view, known)?.strict(is_strict);
        let app = Arc::clone(client.app()?);
        Ok(Self {
            client,
            app,
            inbox,
            teller,
            below,
            asked: None,
            cancellation: None,
        })
    }

    /// Tells what has been added to the history.
    fn catch_up(&mut self) -> Result<(), Failure> {
        self.teller.catch_up()?;
        for item in self.below.look(self.client)? {
            let path = self.below.path(&item);
            self.teller
                .tell_of_below(&item, &path, &below::told(&item))?;
        }
        self.ask_next();
        Ok(())
    }

    /// Asks the person the oldest open question, once.
    fn ask_next(&mut self) {
        let own = self.teller.story().question().cloned().map(Open::Own);
        let open = own.or_else(|| {
            self.below
                .question()
                .cloned()
                .map(|item| Open::Below(Box::new(item)))
        });
        if open == self.asked {
            return;
        }
        self.asked = open;
        let Some(question) = &self.asked else { return };
        if !self.client.output.can_ask() {
            return;
        }
        self.inbox.listen_to_person();
        let words = match question {
            Open::Own(question) => format!(
                "{}: {} [y/N]",
                question.title,
                style::one_line(&question.text)
            ),
            Open::Below(item) => {
                let (path, text) = (
                    self.below.path(item),
                    style::one_line(&inbox_words(&item.ask)),
                );
                format!(
                    "{path}: {text} {}",
                    below::hint(&item.ask).unwrap_or_default()
                )
            }
        };
        let mark = self.client.output.paint_note("?", Tone::Attention);
        self.client.output.complain(&format!("{mark} {words}"));
    }

    fn answer(&mut self, said: &str) {
        let Some(question) = self.asked.clone() else {
            return;
        };
        let answered = match question {
            Open::Own(Question { node, request, .. }) => {
                let answer = if is_yes(said) {
                    Answer::AllowOnce
                } else {
                    Answer::deny()
                };
                let answer = NodeAnswer {
                    run: self.teller.story().id(),
                    node,
                    request,
                    answer,
                };
                self.client
                    .try_ask::<_, RunSummary>("node_answer", &answer)
                    .map(|_| ())
            }
            Open::Below(item) => below::answer(self.client, &item, said),
        };
        if let Err(error) = answered {
            self.client
                .output
                .complain(&format!("couldn't answer. {}", error.in_full()));
        }
    }

    fn cancel(&mut self) {
        let what = match self.look().map(|view| live_nodes(&view).len()) {
            Ok(0) | Err(_) => "Cancelling.".to_owned(),
            Ok(1) => "Cancelling: 1 session is being ended.".to_owned(),
            Ok(several) => format!("Cancelling: {several} sessions are being ended."),
        };
        self.client.output.complain(&format!(
            "{what} Press Ctrl+C again to leave what still lives, and the run, as they are."
        ));
        self.cancellation = Some(
            self.inbox
                .cancel(Arc::clone(&self.app), self.teller.story().id()),
        );
    }

    /// Leaves the run as it is, says what of it lives, and how to resume it. One that has ended meanwhile is told to its
    /// end.
    fn leave(&mut self, exit: Exit) -> Result<Exit, Failure> {
        // Only a person takes a cancellation back: whoever ends this process does not know of it.
        let taken_back = match exit {
            Exit::Cancelled => self.take_back_the_cancellation(),
            _ => self.cancellation.is_none(),
        };
        self.catch_up()?;
        let view = self.look()?;
        if view.summary.state.has_ended() {
            return self.end();
        }
        let run = view.summary.id;
        let names = live_nodes(&view);
        let lives = match names.len() {
            0 => "no session of it lives".to_owned(),
            _ => format!("still live: {}", names.join(", ")),
        };
        let hint = match taken_back {
            true => format!("Resume with: baton resume {run}"),
            false => format!("It is still being cancelled; look with: baton runs show {run}"),
        };
        self.client
            .output
            .complain(&format!("Left the run; {lives}. {hint}"));
        Ok(exit)
    }

    /// Whether the run is paused instead of cancelled. Does not wait long: whoever presses Ctrl+C twice wants to leave.
    fn take_back_the_cancellation(&mut self) -> bool {
        let Some(cancellation) = self.cancellation.take() else {
            return true;
        };
        let (app, run) = (Arc::clone(&self.app), self.teller.story().id());
        let pause = move || {
            let pause = RunPause {
                run,
                stop_running: false,
            };
            let paused: Result<RunSummary, ApiError> = ask(&app, "run_pause", &pause);
            paused.is_ok()
        };
        cancellation.take_back(pause, PATIENCE)
    }

    fn look(&self) -> Result<RunView, Failure> {
        self.client.ask(
            "look at the run",
            "run_get",
            &RunRef {
                run: self.teller.story().id(),
            },
        )
    }

    fn end(&mut self) -> Result<Exit, Failure> {
        let left = replanning::wait(self.client, &mut self.inbox, self.teller.story().id())?;
        let ended = self.teller.end()?;
        Ok(left.unwrap_or(ended))
    }
}

/// The titles of the nodes whose session lives.
fn live_nodes(view: &RunView) -> Vec<String> {
    let lives = |state: &NodeState| {
        matches!(
            state,
            NodeState::Running
                | NodeState::Waiting {
                    what: WaitingFor::Person { .. }
                }
        )
    };
    let live = view
        .nodes
        .iter()
        .filter(|node| lives(&node.state))
        .filter_map(|node| view.plan.node(node.node));
    live.map(|node| format!("'{}'", style::one_line(&node.title)))
        .collect()
}
