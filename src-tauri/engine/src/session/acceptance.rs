//! Checks a node's acceptance criteria: commands by running them, sentences by asking a reviewer if
//! the plan has one. Without a reviewer, sentences are recorded as not checked.
//!
//! Each check is a separate session below the folder of the one that did the work, under a keeper
//! like any other: it obeys canceling and time limits, leaves no process behind, and is found again
//! after a crash. A check that had ended before the crash is not repeated; one whose keeper was
//! lost is, so a command of a plan may run twice.

use std::path::PathBuf;

use baton_agents::Usage;
use baton_keeper::{Cause, Ending, Exit};
use baton_model::duration::format_duration;
use baton_model::evidence::{Checker, CriterionCheck, FileChanges, Verdict};
use baton_model::node::{Criterion, Node, Review};
use baton_model::run::{Answer, Command};
use baton_model::{Artifact, Outcome};

use super::review_permit::ReviewPermit;
use super::{FollowResult, Session};
use crate::approval::files_of_criterion;
use crate::checkout;
use crate::live_session::LiveSession;
use crate::outcome::{end_of_output, outcome_of};
use crate::prepare::{self, PreparedSession};
use crate::report::Report;
use crate::review;
use crate::session_folder::CHECKS;

/// The time limit of a check in milliseconds, if the node has none.
const LIMIT_MS: u64 = 10 * 60 * 1000;
/// How often a check is started whose keeper was lost.
const TRIES: u32 = 3;

/// The results of all checks.
#[derive(Default)]
pub(super) struct Checks {
    /// In the order of the criteria.
    pub(super) results: Vec<CriterionCheck>,
    /// The usage of the reviewer.
    pub(super) usage: Usage,
}

/// How a check command ended, and the end of its output.
pub(super) struct CommandCheck {
    pub(super) ending: CommandEnding,
    pub(super) output: String,
}

/// How a check command ended.
pub(super) enum CommandEnding {
    Exited {
        code: i32,
        took_ms: u64,
    },
    /// By a signal that Baton did not send.
    Signaled {
        signal: i32,
        took_ms: u64,
    },
    TimedOut,
    /// The result is not known.
    Unknown,
}

/// Why the checks were not completed.
pub(super) enum Interrupted {
    /// A stop was requested.
    Stopped,
    /// Another executor has the session now.
    Detached,
}

impl Session<'_> {
    /// Checks the acceptance criteria of the node.
    pub(super) fn check_criteria(
        &self,
        artifact: &Artifact,
        files: &FileChanges,
    ) -> Result<Checks, Interrupted> {
        let review = self.job.run.plan.settings.review.as_ref();
        let mut numbered = Vec::new();
        let mut asked = Vec::new();
        let criteria = self
            .node
            .acceptance_criteria
            .iter()
            .filter(|criterion| !criterion.is_empty());
        for (number, criterion) in criteria.enumerate() {
            match criterion {
                Criterion::Run { run, .. } => {
                    numbered.push((number, self.check_command(number, run)?))
                }
                Criterion::Sentence(words) | Criterion::Ask { ask: words } => {
                    asked.push((number, words.clone()))
                }
            }
        }
        let mut usage = Usage::default();
        let (numbers, sentences): (Vec<_>, Vec<_>) = asked.into_iter().unzip();
        match review {
            _ if sentences.is_empty() => {}
            None => numbered.extend(
                numbers
                    .into_iter()
                    .zip(sentences.into_iter().map(not_checked)),
            ),
            Some(review) => {
                let (checks, used) = self.review(review, &sentences, artifact, files)?;
                numbered.extend(numbers.into_iter().zip(checks));
                usage = used;
            }
        }
        numbered.sort_by_key(|(number, _)| *number);
        Ok(Checks {
            results: numbered.into_iter().map(|(_, check)| check).collect(),
            usage,
        })
    }

    fn check_command(&self, number: usize, line: &str) -> Result<CriterionCheck, Interrupted> {
        // The node's time limit applies to each check as well.
        let limit = self.node.timeout_ms.unwrap_or(LIMIT_MS);
        let changed = self.changed_since_approval(line);
        let ran = self.run_command(&number.to_string(), line, limit)?;
        let result = |code, verdict, detail| {
            let by = Checker::Command { code };
            CriterionCheck {
                criterion: line.to_owned(),
                by,
                verdict,
                detail,
                changed_since_approval: changed.clone(),
            }
        };
        let CommandCheck { ending, output } = ran;
        Ok(match ending {
            CommandEnding::Exited { code, .. } => {
                let verdict = if code == 0 {
                    Verdict::Met
                } else {
                    Verdict::NotMet
                };
                result(Some(code), verdict, output)
            }
            CommandEnding::Signaled { signal, .. } => result(
                None,
                Verdict::NotMet,
                format!("{output}\nit was terminated by signal {signal}"),
            ),
            CommandEnding::TimedOut => {
                let detail = format!(
                    "{output}\nit ran longer than its limit of {}",
                    format_duration(limit)
                );
                result(None, Verdict::NotMet, detail)
            }
            CommandEnding::Unknown => result(None, Verdict::Unknown, output),
        })
    }

    /// The files that the criterion runs and that differ from the approved ones. A node may change
    /// them, but it is reported: the node may have made its own check easier.
    fn changed_since_approval(&self, line: &str) -> Vec<String> {
        let approval = self.services.executor().and_then(|executor| {
            let run = executor.store().runs().get(self.job.run.run).ok()?;
            executor
                .store()
                .approvals()
                .newest(run.plan, run.version)
                .ok()?
        });
        let plan = self.job.run.plan.cwd.as_deref().map(PathBuf::from);
        let (Some(approval), Some(plan)) = (approval, plan) else {
            return Vec::new();
        };
        let (data, run) = (&self.services.data_directory, self.job.run.run);
        let apart = checkout::is_isolated(self.job, self.node)
            .then(|| checkout::directory_of(data, run, self.node, &plan, None))
            .flatten();
        let present = files_of_criterion(&apart.unwrap_or(plan), self.node, line);
        present
            .into_iter()
            .filter(|file| !approval.files.contains(file))
            .map(|file| file.path)
            .collect()
    }

    /// Runs the command of a criterion in a session called `name`, or finds the result of one that
    /// ran before a crash.
    pub(super) fn run_command(
        &self,
        name: &str,
        line: &str,
        limit_ms: u64,
    ) -> Result<CommandCheck, Interrupted> {
        let node = Node {
            timeout_ms: Some(limit_ms),
            ..self.node.clone()
        };
        let unknown = |output: String| {
            Ok(CommandCheck {
                ending: CommandEnding::Unknown,
                output,
            })
        };
        let read = || prepare::prepare_check(self.job, line, self.prepared.directory());
        let (followed, folder) = match self.run_check(name, &node, read) {
            Ok(ended) => ended?,
            Err(detail) => return unknown(detail),
        };
        let Some(exit) = followed else {
            return unknown("its keeper was killed".to_owned());
        };
        let output = end_of_output(&folder);
        let took_ms = exit.ended_ms.saturating_sub(exit.started_ms);
        let ending = match (&exit.ending, &exit.cause) {
            (_, Some(Cause::TimedOut)) => CommandEnding::TimedOut,
            (Ending::Exited { code }, None) => CommandEnding::Exited {
                code: *code,
                took_ms,
            },
            (Ending::Signaled { signal }, None) => CommandEnding::Signaled {
                signal: *signal,
                took_ms,
            },
            (Ending::NotStarted { detail, .. }, _) => {
                return unknown(format!("it couldn't be started: {detail}\n{output}"));
            }
            _ => return unknown(format!("it was stopped before it ended\n{output}")),
        };
        Ok(CommandCheck { ending, output })
    }

    fn review(
        &self,
        review: &Review,
        sentences: &[String],
        artifact: &Artifact,
        files: &FileChanges,
    ) -> Result<(Vec<CriterionCheck>, Usage), Interrupted> {
        let own = self
            .job
            .agent(self.node.kind.agent().flatten())
            .map(str::to_owned);
        let agent = review
            .agent
            .clone()
            .or(own)
            .unwrap_or_else(|| self.services.agents.default_name());
        let unknown = |detail: String| review::unknown(sentences, &agent, &detail);
        let (kind, model) = (review::as_agent(&agent), review.model.clone());
        let node = Node {
            timeout_ms: self.node.timeout_ms,
            kind,
            ..self.node.clone()
        };
        let prompt = review::prompt(&self.job.run.plan, self.node, sentences, artifact, files);
        let read = || {
            let question = review::QUESTION;
            prepare::prepare_review(
                self.job,
                &agent,
                model.clone(),
                &prompt,
                question,
                self.prepared.directory(),
                self.services,
            )
        };
        let mut review_output = ReviewOutput::default();
        let permit = self.permit_for_review(&agent)?;
        let ran = self.run_session("review", &node, read, &mut review_output);
        if !matches!(ran, Ok(Err(Interrupted::Detached))) {
            permit.into_iter().for_each(ReviewPermit::release);
        }
        let (followed, _) = match ran {
            Ok(ended) => ended?,
            Err(detail) => return Ok((unknown(detail), Usage::default())),
        };
        let checks = match (followed, review_output.outcome) {
            (None, _) => unknown("the reviewer's keeper was killed".to_owned()),
            (_, Some(Outcome::Succeeded)) => {
                review::verdicts(sentences, &agent, &review_output.answer)
            }
            (_, Some(Outcome::Failed { failure })) => unknown(format!("the reviewer {failure}")),
            _ => unknown("the reviewer did not finish".to_owned()),
        };
        Ok((checks, review_output.usage))
    }

    fn run_check(
        &self,
        name: &str,
        node: &Node,
        read: impl FnMut() -> Result<PreparedSession, baton_model::outcome::Failure>,
    ) -> Result<Result<(Option<Exit>, PathBuf), Interrupted>, String> {
        self.run_session(name, node, read, &mut ReviewOutput::default())
    }

    /// Runs a session below this one to its end, or finds an earlier one; if its record is missing,
    /// it is started again a few times. The outer error says, for people, why it could not be
    /// started.
    fn run_session(
        &self,
        name: &str,
        node: &Node,
        mut read: impl FnMut() -> Result<PreparedSession, baton_model::outcome::Failure>,
        review_output: &mut ReviewOutput,
    ) -> Result<Result<(Option<Exit>, PathBuf), Interrupted>, String> {
        let mut folder = self.folder.join(CHECKS).join(name);
        for number in 2..2 + TRIES {
            let mut prepared = read().map_err(|failure| failure.to_string())?;
            let idle = Box::new(baton_agents::command::CommandSession::default());
            let live = LiveSession::new(std::mem::replace(&mut prepared.driver, idle));
            self.live.hand_over(&live);
            let asking = std::sync::Arc::clone(&live);
            // Nobody is asked for permission on behalf of a check: it only reads.
            let refuse = move |report: Report| {
                if let Command::SessionAsked { request, .. } = report.command {
                    asking.answer(&request, &Answer::deny());
                }
            };
            let session = self.below(folder.clone(), node, prepared, live, &refuse);
            let followed = session.follow_to_end();
            let ended = match followed {
                Err(error) => Err(error.to_string()),
                Ok(FollowResult::Detached) => Ok(Err(Interrupted::Detached)),
                // It was stopped; otherwise it would not have been given up.
                Ok(FollowResult::Lost | FollowResult::Unreachable { .. }) => Ok(Ok(None)),
                Ok(FollowResult::Ended(exit)) => {
                    review_output.collect(&session, &exit);
                    Ok(Ok(Some(*exit)))
                }
            };
            session.live.end();
            if self.live.is_over() {
                return Ok(Err(Interrupted::Detached));
            }
            if self.live.stop_requested() {
                return Ok(Err(Interrupted::Stopped));
            }
            match ended? {
                Ok(None) => folder = self.folder.join(CHECKS).join(format!("{name}-{number}")),
                Ok(ended) => return Ok(Ok((ended, folder))),
                Err(interrupted) => return Ok(Err(interrupted)),
            }
        }
        Ok(Ok((None, folder)))
    }
}

/// A sentence in a plan without a review.
fn not_checked(criterion: String) -> CriterionCheck {
    CriterionCheck {
        criterion,
        by: Checker::Nobody,
        verdict: Verdict::NotChecked,
        detail: String::new(),
        changed_since_approval: Vec::new(),
    }
}

/// The answer of a session below this one.
#[derive(Default)]
pub(super) struct ReviewOutput {
    pub(super) answer: String,
    pub(super) outcome: Option<Outcome>,
    pub(super) usage: Usage,
}

impl ReviewOutput {
    pub(super) fn collect(&mut self, session: &Session<'_>, exit: &Exit) {
        if let Err(error) = session
            .output
            .borrow_mut()
            .read_to_end(&session.live, |events| session.observe_events(&events))
        {
            tracing::warn!(folder = %session.folder.display(), %error, "couldn't read the output of a check");
        }
        let limit = session.time_limit_ms().unwrap_or_default();
        let stopped = session.live.stop_requested();
        session.live.query_driver(|driver| {
            self.outcome = Some(outcome_of(exit, driver, stopped, limit, &session.folder));
            self.usage = driver.usage();
        });
        self.answer = session.answer().unwrap_or_default();
    }
}
