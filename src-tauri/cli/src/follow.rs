//! Telling what happens in a run that this process executes, until it comes to rest.
//!
//! History is the source: each piece of news only says that there is more of it. A person can answer
//! questions here, and ends the run with Ctrl+C; a second Ctrl+C, or SIGTERM, leaves it to its sessions.

mod ending;
#[cfg(test)]
pub(crate) mod fixture;
mod inbox;
mod story;

use std::sync::Arc;

use baton_api::ApiError;
use baton_api::wire::*;
use baton_model::{RunId, SessionId};

use crate::client::{Client, ask};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::is_yes;
use crate::style::{self, Tone};
use inbox::{Inbox, Message, Signal};
use story::{Line, Question, Story};

/// How many events are fetched at once.
const PAGE: u32 = 1000;
/// The widest column of titles.
const TITLES: usize = 32;

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
    story: Story,
    title_width: usize,
    seq: u64,
    known: u64,
    asked: Option<Question>,
    cancelling: bool,
    deaf: bool,
}

impl<'a> Follower<'a> {
    fn new(client: &'a Client<'a>, view: &RunView, inbox: Inbox, known: u64) -> Result<Self, Failure> {
        let story = Story::new(view).map_err(|cycle| failed_to_follow(&cycle))?;
        let title_width = story.title_width().min(TITLES);
        Ok(Self { client, inbox, story, title_width, seq: 0, known, asked: None, cancelling: false, deaf: false })
    }

    /// Tells what has been added to the history.
    fn catch_up(&mut self) -> Result<(), Failure> {
        loop {
            let wanted = RunHistory { run: self.story.id(), after: self.seq, limit: PAGE };
            let rows: Vec<HistoryRow> = self.client.ask("follow the run", "run_history", &wanted)?;
            for row in &rows {
                self.tell(row)?;
            }
            if rows.len() < PAGE as usize {
                break;
            }
        }
        self.ask_next();
        Ok(())
    }

    fn tell(&mut self, row: &HistoryRow) -> Result<(), Failure> {
        self.seq = row.seq;
        let lines = self.story.hear(row.at, &row.event).map_err(|illegal| failed_to_follow(&illegal))?;
        if row.seq <= self.known {
            return Ok(());
        }
        let told =
            if self.client.output.json { self.client.output.json(&self.story.data(row)) } else { self.show(&lines) };
        self.unless_deaf(told)
    }

    /// A reader of standard output that goes away does not end the run.
    fn unless_deaf(&mut self, told: Result<(), Failure>) -> Result<(), Failure> {
        match told {
            Err(failure) if failure.nobody_listens() => {
                self.deaf = true;
                Ok(())
            }
            other => other,
        }
    }

    fn show(&self, lines: &[Line]) -> Result<(), Failure> {
        if self.client.output.quiet || self.deaf {
            return Ok(());
        }
        lines.iter().try_for_each(|line| self.client.output.line(&self.drawn(line)))
    }

    fn drawn(&self, line: &Line) -> String {
        let output = self.client.output;
        let (symbol, tone) = line.mark.drawn();
        let title = style::pad(&style::cut(&line.title, self.title_width), self.title_width);
        let progress = line.progress.map(|(at, of)| output.paint(&format!("  [{at}/{of}]"), Tone::Faint));
        let last_words = line.failed.and_then(|session| self.last_words(session));
        let reason = last_words.map(|words| format!(" — {words}")).unwrap_or_default();
        format!(
            "{}  {} {title}  {}{}{}",
            output.paint(&crate::duration::clock(line.at), Tone::Faint),
            output.paint(symbol, tone),
            style::one_line(&line.text),
            reason,
            progress.unwrap_or_default(),
        )
    }

    /// The last line of a session's standard error, or of its output when it complained of nothing.
    fn last_words(&self, session: SessionId) -> Option<String> {
        let range = TimelineRange { session, from: -20, limit: 20, since: None };
        let page: TimelinePage = ask(&self.client.app, "session_timeline", &range).ok()?;
        ending::last_line(&page.entries).map(|line| style::cut(&style::one_line(&line), 200))
    }

    /// Asks the person the oldest open question, once.
    fn ask_next(&mut self) {
        let open = self.story.question().cloned();
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
        let answer =
            NodeAnswer { run: self.story.id(), node: question.node, request: question.request, allow: is_yes(said) };
        let answered: Result<RunSummary, ApiError> = ask(&self.client.app, "node_answer", &answer);
        if let Err(error) = answered {
            self.client.output.complain(&format!("failed to answer: {error}"));
        }
    }

    fn cancel(&mut self) {
        self.cancelling = true;
        let hint = "cancelling: processes are being ended. Press Ctrl+C again to leave them alone and go";
        self.client.output.complain(hint);
        self.inbox.cancel(Arc::clone(&self.client.app), self.story.id());
    }

    fn leave(&self, exit: Exit) -> Exit {
        let run = self.story.id();
        self.client.output.complain(&format!("left the run; its sessions live on. Go on with: baton resume {run}"));
        exit
    }

    fn end(&mut self) -> Result<Exit, Failure> {
        let view: RunView = self.client.ask("look at the run", "run_get", &RunRef { run: self.story.id() })?;
        let told = ending::tell(self.client, &view, &self.story);
        self.unless_deaf(told.map(|_| ()))?;
        Ok(ending::exit(&view.summary.state))
    }
}

fn failed_to_follow(error: &dyn std::fmt::Display) -> Failure {
    let error = ApiError::new(baton_api::Code::Internal, error.to_string());
    Failure::Operation { doing: "follow the run".to_owned(), error }
}
