//! Follows a run that this process executes until it ends, pauses or stalls.
//!
//! Events come from the run's history; change notifications only trigger another read. The user can
//! answer questions, and cancels the run with Ctrl+C. A second Ctrl+C while processes are ending
//! withdraws the cancellation and detaches. SIGTERM detaches and leaves the sessions running.

mod cancellation;
pub(crate) mod decisions;
pub(crate) mod error_handler;
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

/// How long a second Ctrl+C waits until the cancellation is withdrawn.
const CANCELLATION_TIMEOUT: Duration = Duration::from_secs(3);

/// Follows `run` until this process has nothing left to do for it. Events up to number `known` are
/// not printed.
pub(crate) fn follow(client: &Client<'_>, run: RunId, known: u64) -> Result<Exit, Failure> {
    follow_with_strictness(client, run, known, false)
}

/// Like [`follow`]. If `is_strict`, a run with unverified nodes counts as failed.
pub(crate) fn follow_with_strictness(
    client: &Client<'_>,
    run: RunId,
    known: u64,
    is_strict: bool,
) -> Result<Exit, Failure> {
    let view: RunView = client.ask("load the run", "run_get", &RunRef { run })?;
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
    /// Set after the first Ctrl+C.
    cancellation: Option<Cancellation>,
}

/// A question that the user can answer with one line.
#[derive(Debug, Clone, PartialEq)]
enum OpenQuestion {
    /// A question of the followed run.
    Run(Question),
    /// A question of a sub-plan's run.
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

    /// Prints new events and new questions of sub-plans.
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

    /// Prompts for the oldest open question, once.
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
            Ok(0) | Err(_) => "Canceling.".to_owned(),
            Ok(1) => "Canceling: ending 1 session.".to_owned(),
            Ok(several) => format!("Canceling: ending {several} sessions."),
        };
        self.client.output.warn(&format!(
            "{what} Press Ctrl+C again to detach and keep the remaining sessions running."
        ));
        self.cancellation = Some(
            self.messages
                .cancel(Arc::clone(&self.app), self.printer.events().id()),
        );
    }

    /// Stops following, and prints which sessions keep running and how to resume. If the run has
    /// ended meanwhile, prints its summary instead.
    fn detach(&mut self, exit: Exit) -> Result<Exit, Failure> {
        // Only a second Ctrl+C withdraws a cancellation; SIGTERM does not.
        let is_withdrawn = match exit {
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
            0 => "no sessions are running".to_owned(),
            _ => format!("still running: {}", names.join(", ")),
        };
        let hint = match is_withdrawn {
            true => format!("Resume with: baton resume {run}"),
            false => format!("It is still being canceled; check with: baton runs show {run}"),
        };
        self.client
            .output
            .warn(&format!("Detached; {lives}. {hint}"));
        Ok(exit)
    }

    /// Replaces the cancellation with a pause. Returns whether that succeeded within
    /// [`CANCELLATION_TIMEOUT`].
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
            "load the run",
            "run_get",
            &RunRef {
                run: self.printer.events().id(),
            },
        )
    }

    fn finish(&mut self) -> Result<Exit, Failure> {
        let left = replanning::wait(self.client, &mut self.messages, self.printer.events().id())?;
        let run = self.printer.events().id();
        let handler = match left {
            None => error_handler::start(self.client, run),
            Some(_) => None,
        };
        self.printer.catch_up()?;
        let ended = self.printer.finish()?;
        if let Some(handler) = handler {
            error_handler::wait(self.client, handler)?;
        }
        Ok(left.unwrap_or(ended))
    }
}

/// Returns the titles of the nodes whose session is running.
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
