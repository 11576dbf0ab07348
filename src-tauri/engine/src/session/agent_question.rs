//! Asks an agent which agent executes the attempt.
//!
//! This is a session below the attempt's own, in its own folder and under a keeper like any other:
//! it obeys canceling and a time limit, and is found again after a crash, so that an existing
//! answer is not requested again. The attempt's own session starts only when the choice is stored.
//! Any error here selects the first member that can work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_agents::Usage;
use baton_agents::command::CommandSession;
use baton_keeper::{Exit, Liveness, liveness};
use baton_model::Outcome;
use baton_model::arbiter::{ChoiceReason, SelectionError, SelectionRequest};
use baton_model::node::Node;
use baton_model::outcome::Failure;
use baton_model::run::{Answer, Command};

use super::acceptance::ReviewOutput;
use super::{FollowResult, Session, ended_report};
use crate::crash_point::crash_point;
use crate::job::{Job, Question};
use crate::live_session::LiveSession;
use crate::prepare::{self, PreparedSession};
use crate::report::Report;
use crate::review;
use crate::session_folder::{ARBITER, session_folder};
use crate::session_services::SessionServices;

/// The time limit for the answer in milliseconds.
const LIMIT_MS: u64 = 5 * 60 * 1000;

/// Returns whether the question is being asked at this moment, perhaps by a process that is dead
/// now.
pub(crate) fn is_question_open(data_directory: &Path, job: &Job) -> bool {
    job.asks.is_some()
        && liveness(&folder_of(data_directory, job)).is_ok_and(|liveness| liveness.may_run())
}

fn folder_of(data_directory: &Path, job: &Job) -> PathBuf {
    session_folder(data_directory, job.session).join(ARBITER)
}

/// Asks, or finds an earlier answer; `None` when it was detached before.
pub(super) fn ask(
    services: &SessionServices,
    job: &Job,
    node: &Node,
    question: &Question,
    register: impl FnOnce(&Arc<LiveSession>),
) -> Option<Report> {
    let answer = match prepare::prepare_question(job, question, services) {
        Ok(prepared) => answer_of(
            services,
            job,
            &question_node(node, question),
            prepared,
            register,
        )?,
        Err(failure) => Err(Outcome::Failed { failure }),
    };
    let answer = match &answer {
        Ok(words) => Ok(words.as_str()),
        Err(Outcome::Cancelled) => return Some(ended_report(job, Outcome::Cancelled)),
        Err(Outcome::Failed { failure }) => Err(SelectionError::Failed(failure.clone())),
        Err(_) => Err(SelectionError::Unfinished),
    };
    let (node, attempt) = (job.node, job.attempt);
    Some(match question.asking.resolve(answer) {
        Some(choice) => {
            crash_point("before choice");
            Report::plain(Command::AgentChosen {
                node,
                attempt,
                choice,
            })
        }
        None => ended_report(
            job,
            Outcome::Lost {
                detail: "there were no agents to choose from".to_owned(),
            },
        ),
    })
}

/// The answer, or how the session ended instead.
fn answer_of(
    services: &SessionServices,
    job: &Job,
    node: &Node,
    prepared: PreparedSession,
    register: impl FnOnce(&Arc<LiveSession>),
) -> Option<Result<String, Outcome>> {
    let (prepared, live) = with_live(prepared);
    register(&live);
    let asking = Arc::clone(&live);
    // Nobody is asked for permission on behalf of a question: its session only reads.
    let refuse = move |report: Report| {
        if let Command::SessionAsked { request, .. } = report.command {
            asking.answer(&request, &Answer::deny());
        }
    };
    let session = session(services, job, node, prepared, live, &refuse);
    let followed = session.follow_to_end();
    let answer = match followed {
        Ok(FollowResult::Ended(exit)) => Some(read_answer(&session, &exit)),
        Ok(FollowResult::Lost | FollowResult::Unreachable { .. }) => Some(Err(Outcome::Lost {
            detail: String::new(),
        })),
        Ok(FollowResult::Detached) => None,
        Err(error) => {
            let detail = error.to_string();
            Some(Err(Outcome::Failed {
                failure: Failure::NotStarted { detail },
            }))
        }
    };
    let (stopped, over) = (session.live.stop_requested(), session.live.is_over());
    session.live.end();
    match (over, stopped) {
        (true, _) => None,
        (false, true) => Some(Err(Outcome::Cancelled)),
        (false, false) => answer,
    }
}

fn read_answer(session: &Session<'_>, exit: &Exit) -> Result<String, Outcome> {
    let mut output = ReviewOutput::default();
    output.collect(session, exit);
    match output.outcome {
        Some(Outcome::Succeeded) => Ok(output.answer),
        outcome => Err(outcome.unwrap_or(Outcome::Lost {
            detail: String::new(),
        })),
    }
}

/// The usage of the selection question for `job`; zero if there was none.
pub(super) fn used(services: &SessionServices, job: &Job, node: &Node) -> Usage {
    let asked = job.choice.as_ref().map(|choice| &choice.reason);
    let Some(ChoiceReason::Asked { by, .. } | ChoiceReason::FellBack { by, .. }) = asked else {
        return Usage::default();
    };
    let folder = folder_of(&services.data_directory, job);
    let Ok(Liveness::Ended(exit)) = liveness(&folder) else {
        return Usage::default();
    };
    let asking = SelectionRequest {
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
    let Ok(prepared) = prepare::prepare_question(job, &question, services) else {
        return Usage::default();
    };
    let (prepared, live) = with_live(prepared);
    let node = question_node(node, &question);
    let session = session(services, job, &node, prepared, live, &|_| {});
    let mut output = ReviewOutput::default();
    output.collect(&session, &exit);
    session.live.end();
    output.usage
}

fn session<'a>(
    services: &'a SessionServices,
    job: &'a Job,
    node: &'a Node,
    prepared: PreparedSession,
    live: Arc<LiveSession>,
    report: &'a dyn Fn(Report),
) -> Session<'a> {
    let folder = folder_of(&services.data_directory, job);
    Session {
        is_read_only: true,
        ..Session::new(services, job, node, folder, prepared, live, report)
    }
}

fn with_live(mut prepared: PreparedSession) -> (PreparedSession, Arc<LiveSession>) {
    let driver = std::mem::replace(&mut prepared.driver, Box::new(CommandSession::default()));
    (prepared, LiveSession::new(driver))
}

/// A node for the asked agent, with its own time limit.
fn question_node(node: &Node, question: &Question) -> Node {
    Node {
        timeout_ms: Some(LIMIT_MS),
        kind: review::as_agent(&question.asking.by),
        ..node.clone()
    }
}
