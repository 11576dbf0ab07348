//! Asks an agent which agent does the attempt.
//!
//! It is a session below the attempt's own, in a folder of its own and under a keeper like any other: it obeys cancel and
//! a time limit, and is found again after a crash, so that an answer that was given is not asked for again. The attempt's
//! own session begins only when the choice is stored. Whatever goes wrong here leads to the first member that can work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_agents::Usage;
use baton_agents::command::CommandSession;
use baton_keeper::{Exit, Liveness, liveness};
use baton_model::Outcome;
use baton_model::arbiter::{Asking, NoAnswer, Reason};
use baton_model::node::Node;
use baton_model::outcome::Failure;
use baton_model::run::{Answer, Command};

use super::acceptance::Heard;
use super::{Followed, Session, ended};
use crate::crash_point::crash_point;
use crate::job::{Job, Question};
use crate::live::Live;
use crate::prepare::{self, Reading};
use crate::report::Report;
use crate::review;
use crate::session_folder::{ARBITER, session_folder};
use crate::workshop::Workshop;

/// How long the answer may take, in milliseconds.
const LIMIT_MS: u64 = 5 * 60 * 1000;

/// Whether somebody is being asked at this moment, perhaps on behalf of a process that is dead now.
pub(crate) fn is_being_asked(data_directory: &Path, job: &Job) -> bool {
    job.asks.is_some()
        && liveness(&folder_of(data_directory, job)).is_ok_and(|liveness| liveness.may_run())
}

fn folder_of(data_directory: &Path, job: &Job) -> PathBuf {
    session_folder(data_directory, job.session).join(ARBITER)
}

/// Asks, or finds the answer of an earlier time; `None` when it was let go of before.
pub(super) fn ask(
    workshop: &Workshop,
    job: &Job,
    node: &Node,
    question: &Question,
    register: impl FnOnce(&Arc<Live>),
) -> Option<Report> {
    let answer = match prepare::read_question(job, question, workshop) {
        Ok(reading) => answer_of(workshop, job, &as_asked(node, question), reading, register)?,
        Err(failure) => Err(Outcome::Failed { failure }),
    };
    let answer = match &answer {
        Ok(words) => Ok(words.as_str()),
        Err(Outcome::Cancelled) => return Some(ended(job, Outcome::Cancelled)),
        Err(Outcome::Failed { failure }) => Err(NoAnswer::Failed(failure.clone())),
        Err(_) => Err(NoAnswer::Unfinished),
    };
    let (node, attempt) = (job.node, job.attempt);
    Some(match question.asking.settle(answer) {
        Some(choice) => {
            crash_point("before choice");
            Report::plain(Command::AgentChosen {
                node,
                attempt,
                choice,
            })
        }
        None => ended(
            job,
            Outcome::Lost {
                detail: "nobody was there to choose from".to_owned(),
            },
        ),
    })
}

/// What was answered, or how the session ended instead.
fn answer_of(
    workshop: &Workshop,
    job: &Job,
    node: &Node,
    reading: Reading,
    register: impl FnOnce(&Arc<Live>),
) -> Option<Result<String, Outcome>> {
    let (reading, live) = with_live(reading);
    register(&live);
    let asking = Arc::clone(&live);
    // Nobody is asked for leave on behalf of a question: whoever answers it looks, and changes nothing.
    let refuse = move |report: Report| {
        if let Command::SessionAsked { request, .. } = report.command {
            asking.answer(&request, &Answer::deny());
        }
    };
    let session = session(workshop, job, node, reading, live, &refuse);
    let followed = session.watch_to_the_end();
    let answer = match followed {
        Ok(Followed::Ended(exit)) => Some(heard_by(&session, &exit)),
        Ok(Followed::Lost | Followed::OutOfReach { .. }) => Some(Err(Outcome::Lost {
            detail: String::new(),
        })),
        Ok(Followed::LetGo) => None,
        Err(error) => {
            let detail = error.to_string();
            Some(Err(Outcome::Failed {
                failure: Failure::NotStarted { detail },
            }))
        }
    };
    let (stopped, over) = (session.live.stop_asked(), session.live.is_over());
    session.live.end();
    match (over, stopped) {
        (true, _) => None,
        (false, true) => Some(Err(Outcome::Cancelled)),
        (false, false) => answer,
    }
}

fn heard_by(session: &Session<'_>, exit: &Exit) -> Result<String, Outcome> {
    let mut heard = Heard::default();
    heard.listen(session, exit);
    match heard.outcome {
        Some(Outcome::Succeeded) => Ok(heard.answer),
        outcome => Err(outcome.unwrap_or(Outcome::Lost {
            detail: String::new(),
        })),
    }
}

/// What the question used that found the agent of `job`; nothing when nobody was asked.
pub(super) fn used(workshop: &Workshop, job: &Job, node: &Node) -> Usage {
    let asked = job.choice.as_ref().map(|choice| &choice.reason);
    let Some(Reason::Asked { by, .. } | Reason::FellBack { by, .. }) = asked else {
        return Usage::default();
    };
    let folder = folder_of(&workshop.data_directory, job);
    let Ok(Liveness::Ended(exit)) = liveness(&folder) else {
        return Usage::default();
    };
    let asking = Asking {
        team: String::new(),
        by: by.clone(),
        model: None,
        offered: Vec::new(),
        passed_over: Vec::new(),
    };
    let question = Question {
        asking,
        prompt: String::new(),
    };
    let Ok(reading) = prepare::read_question(job, &question, workshop) else {
        return Usage::default();
    };
    let (reading, live) = with_live(reading);
    let node = as_asked(node, &question);
    let session = session(workshop, job, &node, reading, live, &|_| {});
    let mut heard = Heard::default();
    heard.listen(&session, &exit);
    session.live.end();
    heard.usage
}

fn session<'a>(
    workshop: &'a Workshop,
    job: &'a Job,
    node: &'a Node,
    reading: Reading,
    live: Arc<Live>,
    report: &'a dyn Fn(Report),
) -> Session<'a> {
    let folder = folder_of(&workshop.data_directory, job);
    Session {
        is_guest: true,
        ..Session::new(workshop, job, node, folder, reading, live, report)
    }
}

fn with_live(mut reading: Reading) -> (Reading, Arc<Live>) {
    let driver = std::mem::replace(&mut reading.driver, Box::new(CommandSession::default()));
    (reading, Live::new(driver))
}

/// A node of the asked agent's, with a limit of its own.
fn as_asked(node: &Node, question: &Question) -> Node {
    Node {
        timeout_ms: Some(LIMIT_MS),
        kind: review::as_agent(&question.asking.by),
        ..node.clone()
    }
}
