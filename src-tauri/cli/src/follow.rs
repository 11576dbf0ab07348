//! Telling what happens in a run that this process executes, until it comes to rest.
//!
//! History is the source: each piece of news only says that there is more of it. A person can answer
//! questions here, and cancels the run with Ctrl+C. A second Ctrl+C while processes are still ending takes the
//! cancellation back and leaves them; SIGTERM leaves the run to its sessions.

mod cancellation;
pub(crate) mod decisions;
mod event_formatter;
mod line_kind;
mod message_queue;
mod replanning;
mod run_printer;
mod run_result;
mod sub_plan_questions;
#[cfg(test)]
pub(crate) mod test_support;

use std::sync::Arc;
use std::time::Duration;

use baton_api::wire::*;
use baton_api::{ApiError, App};
use baton_model::run::{Answer, WaitingFor};
use baton_model::{NodeState, RunId};

use crate::client::{Client, ask};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inbox_output::describe as describe_ask;
use crate::output::is_yes;
use crate::style::{self, Tone};
use cancellation::Cancellation;
use event_formatter::Question;
use message_queue::{Message, MessageQueue, Signal};
pub(crate) use run_printer::RunPrinter;
use sub_plan_questions::SubPlanQuestions;

/// How long a second Ctrl+C waits for the cancellation to be taken back.
const CANCELLATION_TIMEOUT: Duration = Duration::from_secs(3);

/// Follows `run` to its rest. Events up to `known` are history that is not told again.
pub(crate) fn follow(client: &Client<'_>, run: RunId, known: u64) -> Result<Exit, Failure> {
    follow_with_strictness(client, run, known, false)
}

/// The same; with `is_strict`, a run with a node that is not verified ends as a failed one.
pub(crate) fn follow_with_strictness(
    client: &Client<'_>,
    run: RunId,
    known: u64,
    is_strict: bool,
) -> Result<Exit, Failure> {
    let view: RunView = client.ask("look at the run", "run_get", &RunRef { run })?;
    let sub_plan_questions = SubPlanQuestions::new(run, &view.plan);
    let messages = MessageQueue::open(
        Arc::clone(client.app()?),
        run,
        sub_plan_questions.has_sub_plans(),
    )?;
    let mut follower = Follower::new(
        client,
        &view,
        (messages, sub_plan_questions),
        known,
        is_strict,
    )?;
    follower.catch_up()?;
    loop {
        match follower.messages.next() {
            Message::Changed => follower.catch_up()?,
            Message::Idle => {
                follower.catch_up()?;
                return follower.finish();
            }
            Message::Signal(Signal::Terminate) => return follower.detach(Exit::Terminated),
            Message::Signal(Signal::Interrupt) if follower.cancellation.is_some() => {
                return follower.detach(Exit::Cancelled);
            }
            Message::Signal(Signal::Interrupt) => follower.cancel(),
            Message::CancelFailed(error) => follower
                .client
                .output
                .warn(&format!("couldn't cancel. {}", error.full_message())),
            Message::Line(answer) => follower.answer(&answer),
        }
    }
}

struct Follower<'a> {
    client: &'a Client<'a>,
    app: Arc<App>,
    messages: MessageQueue,
    printer: RunPrinter<'a>,
    sub_plan_questions: SubPlanQuestions,
    asked: Option<OpenQuestion>,
    /// What the first Ctrl+C asked for.
    cancellation: Option<Cancellation>,
}

/// A question that a person can answer with a line.
#[derive(Debug, Clone, PartialEq)]
enum OpenQuestion {
    /// Of this run.
    Run(Question),
    /// Of a run below it.
    SubPlan(Box<InboxItem>),
}

impl<'a> Follower<'a> {
    fn new(
        client: &'a Client<'a>,
        view: &RunView,
        (messages, sub_plan_questions): (MessageQueue, SubPlanQuestions),
        known: u64,
        is_strict: bool,
    ) -> Result<Self, Failure> {
        let printer = RunPrinter::new(client, view, known)?.strict(is_strict);
        let app = Arc::clone(client.app()?);
        Ok(Self {
            client,
            app,
            messages,
            printer,
            sub_plan_questions,
            asked: None,
            cancellation: None,
        })
    }

    /// Tells what has been added to the history.
    fn catch_up(&mut self) -> Result<(), Failure> {
        self.printer.catch_up()?;
        for item in self.sub_plan_questions.load_new(self.client)? {
            let path = self.sub_plan_questions.path(&item);
            self.printer.print_sub_plan_question(
                &item,
                &path,
                &sub_plan_questions::describe(&item),
            )?;
        }
        self.ask_next();
        Ok(())
    }

    /// Asks the person the oldest open question, once.
    fn ask_next(&mut self) {
        let own = self
            .printer
            .events()
            .question()
            .cloned()
            .map(OpenQuestion::Run);
        let open = own.or_else(|| {
            self.sub_plan_questions
                .question()
                .cloned()
                .map(|item| OpenQuestion::SubPlan(Box::new(item)))
        });
        if open == self.asked {
            return;
        }
        self.asked = open;
        let Some(question) = &self.asked else { return };
        if !self.client.output.can_ask() {
            return;
        }
        self.messages.read_answers();
        let prompt = match question {
            OpenQuestion::Run(question) => format!(
                "{}: {} [y/N]",
                question.title,
                style::one_line(&question.text)
            ),
            OpenQuestion::SubPlan(item) => {
                let (path, text) = (
                    self.sub_plan_questions.path(item),
                    style::one_line(&describe_ask(&item.ask)),
                );
                format!(
                    "{path}: {text} {}",
                    sub_plan_questions::answer_hint(&item.ask).unwrap_or_default()
                )
            }
        };
        let symbol = self.client.output.paint_note("?", Tone::Attention);
        self.client.output.warn(&format!("{symbol} {prompt}"));
    }

    fn answer(&mut self, line: &str) {
        let Some(question) = self.asked.clone() else {
            return;
        };
        let answered = match question {
            OpenQuestion::Run(Question { node, request, .. }) => {
                let answer = if is_yes(line) {
                    Answer::AllowOnce
                } else {
                    Answer::deny()
                };
                let answer = NodeAnswer {
                    run: self.printer.events().id(),
                    node,
                    request,
                    answer,
                };
                self.client
                    .try_ask::<_, RunSummary>("node_answer", &answer)
                    .map(|_| ())
            }
            OpenQuestion::SubPlan(item) => sub_plan_questions::answer(self.client, &item, line),
        };
        if let Err(error) = answered {
            self.client
                .output
                .warn(&format!("couldn't answer. {}", error.full_message()));
        }
    }

    fn cancel(&mut self) {
        let what = match self.load_run().map(|view| live_nodes(&view).len()) {
            Ok(0) | Err(_) => "Cancelling.".to_owned(),
            Ok(1) => "Cancelling: 1 session is being ended.".to_owned(),
            Ok(several) => format!("Cancelling: {several} sessions are being ended."),
        };
        self.client.output.warn(&format!(
            "{what} Press Ctrl+C again to leave what still lives, and the run, as they are."
        ));
        self.cancellation = Some(
            self.messages
                .cancel(Arc::clone(&self.app), self.printer.events().id()),
        );
    }

    /// Leaves the run as it is, says what of it lives, and how to resume it. One that has ended meanwhile is told to its
    /// end.
    fn detach(&mut self, exit: Exit) -> Result<Exit, Failure> {
        // Only a person takes a cancellation back: whoever ends this process does not know of it.
        let taken_back = match exit {
            Exit::Cancelled => self.pause_instead_of_cancelling(),
            _ => self.cancellation.is_none(),
        };
        self.catch_up()?;
        let view = self.load_run()?;
        if view.summary.state.has_ended() {
            return self.finish();
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
            .warn(&format!("Left the run; {lives}. {hint}"));
        Ok(exit)
    }

    /// Whether the run is paused instead of cancelled. Does not wait long: whoever presses Ctrl+C twice wants to leave.
    fn pause_instead_of_cancelling(&mut self) -> bool {
        let Some(cancellation) = self.cancellation.take() else {
            return true;
        };
        let (app, run) = (Arc::clone(&self.app), self.printer.events().id());
        let pause = move || {
            let pause = RunPause {
                run,
                stop_running: false,
            };
            let paused: Result<RunSummary, ApiError> = ask(&app, "run_pause", &pause);
            paused.is_ok()
        };
        cancellation.replace_with_pause(pause, CANCELLATION_TIMEOUT)
    }

    fn load_run(&self) -> Result<RunView, Failure> {
        self.client.ask(
            "look at the run",
            "run_get",
            &RunRef {
                run: self.printer.events().id(),
            },
        )
    }

    fn finish(&mut self) -> Result<Exit, Failure> {
        let left = replanning::wait(self.client, &mut self.messages, self.printer.events().id())?;
        let ended = self.printer.finish()?;
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
