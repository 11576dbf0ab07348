//! Checks criteria of finished nodes again after their executor was displaced.
//!
//! A command runs again only if that is meaningful and disturbs no other work: files have changed
//! since, the directory exists, no session works in it, and the command was quick the last time. It
//! is a separate session below the one that did the work, named after the takeover, so that a
//! running check is found again after a crash.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use baton_agents::command::CommandSession;
use baton_keeper::{Ending, Exit, Launch, liveness};
use baton_model::node::{Criterion, Node};
use baton_model::run::{CheckEnd, InheritedCheck, NotRun, RecheckResult, VERIFY_CHECK_LIMIT_MS};
use baton_model::{Epoch, SessionId};

use super::Session;
use super::acceptance::{CommandCheck, CommandEnding, Interrupted};
use crate::changed_files::has_changed_since;
use crate::crash_point::crash_point;
use crate::job::Job;
use crate::live_session::LiveSession;
use crate::prepare;
use crate::session_folder::{CHECKS, session_folder};
use crate::session_services::SessionServices;

/// The time limit of one check: one that was quick and now hangs must not use up the time of the
/// others.
const VERIFY_TIME_LIMIT: Duration = Duration::from_millis(2 * VERIFY_CHECK_LIMIT_MS);

/// A node whose criteria are checked again.
pub(crate) struct InheritedWork {
    /// The attempt that did the work.
    pub(crate) job: Job,
    /// The epoch of the takeover.
    pub(crate) epoch: Epoch,
}

/// How a criterion was checked when the node finished.
struct Earlier {
    end: CheckEnd,
    ended_ms: u64,
    directory: PathBuf,
}

/// Checks the criteria of one node until `deadline`; `None` when it was detached before all results
/// were known. `register` is called with the means to stop a check, before it runs.
pub(crate) fn verify(
    services: &SessionServices,
    work: &InheritedWork,
    deadline: Instant,
    register: &dyn Fn(&Arc<LiveSession>),
) -> Option<Vec<InheritedCheck>> {
    let Some(node) = work.job.definition() else {
        return Some(Vec::new());
    };
    let criteria = node
        .acceptance_criteria
        .iter()
        .filter(|criterion| !criterion.is_empty());
    let mut checks = Vec::new();
    for (number, criterion) in criteria.enumerate() {
        if let Criterion::Run {
            run: line,
            verify_on_takeover: true,
        } = criterion
        {
            let verifier = Verifier {
                services,
                work,
                node,
                number,
                line,
                deadline,
                register,
            };
            let (then, now) = verifier.check()?;
            checks.push(InheritedCheck {
                criterion: line.clone(),
                then,
                now,
            });
        }
    }
    Some(checks)
}

/// The results for a node that is not checked anymore.
pub(crate) fn not_run(work: &InheritedWork, why: &NotRun) -> Vec<InheritedCheck> {
    let criteria = work
        .job
        .definition()
        .map(|node| node.acceptance_criteria.as_slice())
        .unwrap_or_default();
    let lines = criteria.iter().filter_map(|criterion| match criterion {
        Criterion::Run {
            run,
            verify_on_takeover: true,
        } => Some(run.clone()),
        _ => None,
    });
    let check = |criterion| InheritedCheck {
        criterion,
        then: None,
        now: RecheckResult::NotRun { why: why.clone() },
    };
    lines.map(check).collect()
}

struct Verifier<'a> {
    services: &'a SessionServices,
    work: &'a InheritedWork,
    node: &'a Node,
    number: usize,
    line: &'a str,
    deadline: Instant,
    register: &'a dyn Fn(&Arc<LiveSession>),
}

impl Verifier<'_> {
    fn check(&self) -> Option<(Option<CheckEnd>, RecheckResult)> {
        let folder = session_folder(&self.services.data_directory, self.work.job.session);
        let earlier = earlier(&folder.join(CHECKS), self.number, self.work.epoch);
        let then = earlier.as_ref().map(|earlier| earlier.end);
        // A check that was running when an executor died is continued in any case.
        let has_begun = folder
            .join(CHECKS)
            .join(self.name())
            .join(baton_keeper::CLAIM)
            .exists();
        let now = match earlier {
            Some(earlier) if has_begun => self.run(folder, &earlier)?,
            Some(earlier) => match self.reason_not_run(&earlier) {
                Some(why) => RecheckResult::NotRun { why },
                None => self.run(folder, &earlier)?,
            },
            None => RecheckResult::NotRun {
                why: NotRun::NeverHeld,
            },
        };
        Some((then, now))
    }

    fn name(&self) -> String {
        format!("takeover-{}-{}", self.work.epoch.0, self.number)
    }

    fn reason_not_run(&self, earlier: &Earlier) -> Option<NotRun> {
        if earlier.end.code != Some(0) {
            return Some(NotRun::NeverHeld);
        }
        if !earlier.directory.is_dir() {
            return Some(NotRun::DirectoryGone);
        }
        if earlier.end.took_ms > VERIFY_CHECK_LIMIT_MS {
            return Some(NotRun::TooSlow {
                took_ms: earlier.end.took_ms,
            });
        }
        if Instant::now() >= self.deadline {
            return Some(NotRun::OutOfTime);
        }
        if !has_changed_since(
            &earlier.directory,
            &self.services.data_directory,
            earlier.ended_ms,
        ) {
            return Some(NotRun::Unchanged);
        }
        self.is_directory_in_use(&earlier.directory)
            .then_some(NotRun::SessionRuns)
    }

    /// Returns whether a session of any run on this data directory works in, above or below the
    /// directory.
    fn is_directory_in_use(&self, directory: &Path) -> bool {
        let Some(executor) = self.services.executor() else {
            return true;
        };
        let sessions = match executor.store().attempts().open_sessions() {
            Ok(sessions) => sessions,
            Err(error) => {
                tracing::warn!(%error, "couldn't read the running sessions");
                return true;
            }
        };
        let directory = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_path_buf());
        sessions
            .into_iter()
            .any(|session| self.session_uses_directory(session, &directory))
    }

    fn session_uses_directory(&self, session: SessionId, directory: &Path) -> bool {
        let folder = session_folder(&self.services.data_directory, session);
        if !liveness(&folder).is_ok_and(|liveness| liveness.may_run()) {
            return false;
        }
        let Ok(launch) = Launch::read(&folder) else {
            return true;
        };
        let place = fs::canonicalize(&launch.cwd).unwrap_or(launch.cwd);
        place.starts_with(directory) || directory.starts_with(&place)
    }

    fn run(&self, folder: PathBuf, earlier: &Earlier) -> Option<RecheckResult> {
        let job = &self.work.job;
        let mut prepared = match prepare::prepare_check(job, self.line, &earlier.directory) {
            Ok(prepared) => prepared,
            Err(failure) => {
                return Some(RecheckResult::NotRun {
                    why: NotRun::Unknown {
                        detail: failure.to_string(),
                    },
                });
            }
        };
        let idle = Box::new(CommandSession::default());
        let live = LiveSession::new(std::mem::replace(&mut prepared.driver, idle));
        (self.register)(&live);
        let session = Session {
            is_read_only: true,
            ..Session::new(
                self.services,
                job,
                self.node,
                folder,
                prepared,
                live,
                &|_| {},
            )
        };
        let left = self
            .deadline
            .saturating_duration_since(Instant::now())
            .min(VERIFY_TIME_LIMIT);
        let limit_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1);
        crash_point("before inherited check");
        let ran = session.run_command(&self.name(), self.line, limit_ms);
        crash_point("after inherited check");
        session.live.end();
        match ran {
            Ok(ran) => Some(judged(ran)),
            Err(Interrupted::Stopped) => Some(RecheckResult::NotRun {
                why: NotRun::Stopped,
            }),
            Err(Interrupted::Detached) => None,
        }
    }
}

fn judged(CommandCheck { ending, output }: CommandCheck) -> RecheckResult {
    match ending {
        CommandEnding::Exited { code: 0, took_ms } => RecheckResult::Held {
            end: CheckEnd {
                code: Some(0),
                took_ms,
            },
        },
        CommandEnding::Exited { code, took_ms } => RecheckResult::Broken {
            end: CheckEnd {
                code: Some(code),
                took_ms,
            },
            detail: output,
        },
        CommandEnding::Signaled { took_ms, .. } => RecheckResult::Broken {
            end: CheckEnd {
                code: None,
                took_ms,
            },
            detail: output,
        },
        CommandEnding::TimedOut => RecheckResult::NotRun {
            why: NotRun::OutOfTime,
        },
        CommandEnding::Unknown => RecheckResult::NotRun {
            why: NotRun::Unknown { detail: output },
        },
    }
}

/// The last check of criterion `number` before the takeover of `epoch`: when the node finished, or
/// after an earlier takeover.
fn earlier(checks: &Path, number: usize, epoch: Epoch) -> Option<Earlier> {
    let folders = fs::read_dir(checks).ok()?.filter_map(Result::ok);
    let of_it =
        folders.filter(|folder| is_of(&folder.file_name().to_string_lossy(), number, epoch));
    of_it
        .filter_map(|folder| read_earlier(&folder.path()))
        .max_by_key(|earlier| earlier.ended_ms)
}

/// Returns whether a session's folder is a check of the criterion from before the takeover: `3`,
/// `3-2` when its keeper was lost once, `takeover-1-3` after the first takeover.
fn is_of(name: &str, number: usize, epoch: Epoch) -> bool {
    let own = match name
        .strip_prefix("takeover-")
        .map(|rest| rest.split_once('-'))
    {
        Some(Some((of, rest))) if of != epoch.0.to_string() => rest,
        Some(_) => return false,
        None => name,
    };
    own.split('-').next() == Some(&number.to_string())
}

/// An earlier check, if it ended without being stopped.
fn read_earlier(folder: &Path) -> Option<Earlier> {
    let exit = Exit::read(folder).ok()??;
    let code = match (&exit.ending, &exit.cause) {
        (Ending::Exited { code }, None) => Some(*code),
        (Ending::Signaled { .. }, None) => None,
        _ => return None,
    };
    let directory = Launch::read(folder).ok()?.cwd;
    let end = CheckEnd {
        code,
        took_ms: exit.ended_ms.saturating_sub(exit.started_ms),
    };
    Some(Earlier {
        end,
        ended_ms: exit.ended_ms,
        directory,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_folders_identify_their_criterion() {
        let epoch = Epoch(2);
        for (name, expected) in [
            ("3", true),
            ("3-2", true),
            ("takeover-1-3", true),
            ("takeover-1-3-2", true),
            ("takeover-2-3", false),
            ("takeover-2-3-2", false),
            ("13", false),
            ("2-3", false),
            ("takeover-3-1", false),
            ("review", false),
            ("takeover-", false),
        ] {
            assert_eq!(is_of(name, 3, epoch), expected, "{name}");
        }
    }
}
