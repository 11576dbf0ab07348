//! Telling what happens in a run that this process executes, until it comes to rest.
//!
//! History is the source: each piece of news only says that there is more of it. A person can answer
//! questions here, and ends the run with Ctrl+C; a second Ctrl+C, or SIGTERM, leaves it to its sessions.

pub(crate) mod decisions;
mod ending;
#[cfg(test)]
pub(crate) mod fixture;
mod inbox;
mod story;
mod teller;

use std::sync::Arc;

use baton_api::ApiError;
use baton_api::wire::*;
use baton_model::RunId;
use baton_model::run::Answer;

use crate::client::{Client, ask};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::is_yes;
use crate::style::{self, Tone};
use inbox::{Inbox, Message, Signal};
use story::Question;
pub(crate) use teller::Teller;

/// Follows `run` to its rest. Events up to `known` are history that is not told again.
pub(crate) fn follow(client: &Client<'_>, run: RunId, known: u64) -> Result<Exit, Failure> {
    let inbox = Inbox::open(Arc::clone(&client.app), run)?;
    let view: RunView = client.ask("look at the run", "run_get", &RunRef { run })?;
    let mut follower = Follower::new(client, &view, inbox, known)?;
    follower.catch_up()?;
    loop {
        match follower.inbox.next() {
            Message::Changed => follower.catch_up()?,
            Message::Idle => {
                follower.catch_up()?;
                return follower.end();
            }
            Message::Signal(Signal::Terminate) => return Ok(follower.leave(Exit::Terminated)),
            Message::Signal(Signal::Interrupt) if follower.cancelling => return Ok(follower.leave(Exit::Cancelled)),
            Message::Signal(Signal::Interrupt) => follower.cancel(),
            Message::NotCancelled(error) => follower.client.output.complain(&format!("failed to cancel: {error}")),
            Message::Said(answer) => follower.answer(&answer),
        }
    }
}

struct Follower<'a> {
    client: &'a Client<'a>,
    inbox: Inbox,
    teller: Teller<'a>,
    asked: Option<Question>,
    cancelling: bool,
}

impl<'a> Follower<'a> {
    fn new(client: &'a Client<'a>, view: &RunView, inbox: Inbox, known: u64) -> Result<Self, Failure> {
        Ok(Self { client, inbox, teller: Teller::new(client, view, known)?, asked: None, cancelling: false })
    }

    /// Tells what has been added to the history.
    fn catch_up(&mut self) -> Result<(), Failure> {
        self.teller.catch_up()?;
        self.ask_next();
        Ok(())
    }

    /// Asks the person the oldest open question, once.
    fn ask_next(&mut self) {
        let open = self.teller.story().question().cloned();
        if open == self.asked {
            return;
        }
        self.asked = open;
        let Some(question) = &self.asked else { return };
        if !self.client.output.can_ask() {
            return;
        }
        self.inbox.listen_to_person();
        let text = style::one_line(&question.text);
        let mark = self.client.output.paint_note("?", Tone::Attention);
        self.client.output.complain(&format!("{mark} {}: {text} [y/N]", question.title));
    }

    fn answer(&mut self, said: &str) {
        let Some(question) = self.asked.clone() else { return };
        let answer = NodeAnswer {
            run: self.teller.story().id(),
            node: question.node,
            request: question.request,
            answer: if is_yes(said) { Answer::AllowOnce } else { Answer::deny() },
        };
        let answered: Result<RunSummary, ApiError> = ask(&self.client.app, "node_answer", &answer);
        if let Err(error) = answered {
            self.client.output.complain(&format!("failed to answer: {error}"));
        }
    }

    fn cancel(&mut self) {
        self.cancelling = true;
        let hint = "cancelling: processes are being ended. Press Ctrl+C again to leave them alone and go";
        self.client.output.complain(hint);
        self.inbox.cancel(Arc::clone(&self.client.app), self.teller.story().id());
    }

    fn leave(&self, exit: Exit) -> Exit {
        let run = self.teller.story().id();
        self.client.output.complain(&format!("left the run; its sessions live on. Go on with: baton resume {run}"));
        exit
    }

    fn end(&mut self) -> Result<Exit, Failure> {
        self.teller.end()
    }
}
