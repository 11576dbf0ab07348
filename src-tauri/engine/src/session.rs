//! Follows one session from its start, or from where a crash left it, to its end.
//!
//! Runs on its own thread. One function covers starting a session, finding a session that kept
//! running while Baton was dead, and reading the end of one that wasn't followed: the keeper's
//! folder shows how far it got, and the driver reads the whole output again.

mod acceptance;
mod agent_question;
mod claimed_file;
mod evidence;
mod git_changes;
mod inherited_checks;
mod review_permit;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use baton_agents::command::CommandSession;
use baton_agents::{LogFormat, SessionEvent, Stream, Usage};
use baton_keeper::session_file::UnexpectedFile;
use baton_keeper::{
    Claim, Connection, ConnectionError, Event, Exit, Input, Liveness, Refusal, Request, connect,
    liveness, session_file, spawn, terminate_marked_processes,
};
use baton_model::evidence::FileChanges;
use baton_model::node::{AfterCrash, Node, NodeKind};
use baton_model::outcome::Failure;
use baton_model::run::{BudgetUsage, Command, UnlistedToolCall};
use baton_model::{Artifact, Evidence, Outcome};
use baton_secrets::Secrets;

use crate::answer_log::AnswerLog;
use crate::changed_files::AttemptFiles;
use crate::checkout::{self, PreparedCheckout};
use crate::checkpoint_name::checkpoint_name;
use crate::command_log::CommandLog;
use crate::crash_point::crash_point;
use crate::decision;
use crate::environment::secrets_of;
use crate::git_checkpoint::{CheckpointError, WorkTree};
use crate::git_programs;
use crate::input_log::InputLog;
use crate::job::Job;
use crate::last_message::LastMessage;
use crate::live_session::{LiveSession, Question};
use crate::masking::masked;
use crate::named_outputs::outputs_of;
use crate::node_summary::store_summary;
use crate::outcome::{
    artifact_of, handoff_of, interrupted_if_killed, outcome_of, printed_answer, tampered,
};
use crate::planning;
use crate::prepare::{self, PreparedSession};
use crate::report::{Report, SessionFacts};
use crate::session_folder::session_folder;
use crate::session_services::SessionServices;
use crate::tail::{Line, Tail};
pub(crate) use agent_question::is_question_open;
use evidence::AttemptResult;
pub(crate) use inherited_checks::{InheritedWork, not_run, verify};

/// How often, and at what interval, to check for a started keeper before the session counts as not
/// begun.
const BEGIN_TRIES: u32 = 100;
const BEGIN_RETRY_DELAY: Duration = Duration::from_millis(20);
/// How often to check a session whose keeper cannot be reached.
const UNREACHABLE_POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How long remaining processes of a lost session may take to end on their own.
const TERMINATION_GRACE: Duration = Duration::from_secs(3);
/// The keeper's exit code when it could not write its first files.
const EXIT_CODE_NOT_STARTED: i32 = 4;

/// Follows `job` to its end; `None` when it was detached before. `register` is called with the
/// means to reach the session before any of it runs.
pub(crate) fn follow(
    services: &SessionServices,
    job: &Job,
    register: impl FnOnce(&Arc<LiveSession>),
    report: &dyn Fn(Report),
) -> Option<Report> {
    let Some(node) = job.definition() else {
        let detail = "the node is not in the running plan version".to_owned();
        return Some(ended_report(
            job,
            Outcome::Failed {
                failure: Failure::BadInput { detail },
            },
        ));
    };
    if let Some(question) = &job.asks {
        return agent_question::ask(services, job, node, question, register);
    }
    let folder = session_folder(&services.data_directory, job.session);
    let mut prepared = match prepare::prepare_session(job, node, services) {
        Ok(prepared) => prepared,
        Err(failure) => return Some(ended_report(job, Outcome::Failed { failure })),
    };
    let live = LiveSession::new(std::mem::replace(
        &mut prepared.driver,
        Box::new(CommandSession::default()),
    ));
    register(&live);
    let session = Session::new(services, job, node, folder, prepared, live, report);
    let end = session.run();
    session.live.end();
    end
}

struct Session<'a> {
    services: &'a SessionServices,
    job: &'a Job,
    node: &'a Node,
    folder: PathBuf,
    prepared: PreparedSession,
    live: Arc<LiveSession>,
    /// How far the driver has read. One for the whole session: a driver must read every line
    /// exactly once.
    output: RefCell<Output>,
    /// What the program has read.
    inputs: RefCell<InputLog>,
    /// The message that some other process sent to the program.
    tampered: RefCell<Option<String>>,
    /// The usage at the last report.
    spent: Cell<BudgetUsage>,
    /// The commands that the agent has run so far.
    commands: RefCell<CommandLog>,
    last_message: RefCell<LastMessage>,
    answers: RefCell<AnswerLog>,
    /// Records file changes while the session works.
    files: RefCell<Option<AttemptFiles>>,
    /// What controlled git in the repository before the session, for comparison.
    git: RefCell<Option<git_programs::Record>>,
    /// Whether the session only reviews the work of another one.
    is_read_only: bool,
    /// Whether its keeper is in another container or on another machine, as far as was reported.
    is_out_of_sight: Cell<bool>,
    report: &'a dyn Fn(Report),
}

impl<'a> Session<'a> {
    /// A session whose output was not read yet.
    fn new(
        services: &'a SessionServices,
        job: &'a Job,
        node: &'a Node,
        folder: PathBuf,
        prepared: PreparedSession,
        live: Arc<LiveSession>,
        report: &'a dyn Fn(Report),
    ) -> Self {
        let output = RefCell::new(Output::new(&folder, &live));
        let inputs = RefCell::new(InputLog::of(&folder));
        Self {
            services,
            job,
            node,
            folder,
            prepared,
            live,
            output,
            inputs,
            tampered: RefCell::default(),
            spent: Cell::default(),
            commands: RefCell::default(),
            last_message: RefCell::default(),
            answers: RefCell::default(),
            files: RefCell::default(),
            git: RefCell::default(),
            is_read_only: false,
            is_out_of_sight: Cell::default(),
            report,
        }
    }
}

/// Why following a session ended.
enum FollowResult {
    /// The session is over, with this record.
    Ended(Box<Exit>),
    /// The keeper is gone and has left no record.
    Lost,
    /// A stop was requested, but the keeper, which may still run, cannot be reached from here.
    Unreachable {
        /// The machine or container of the keeper.
        host: String,
    },
    /// Another executor has the session now.
    Detached,
}

/// Why a connection to a keeper ended.
enum WatchResult {
    /// The keeper has reported the end.
    Ended(Box<Exit>),
    /// The keeper is gone without a report, or was never there.
    HungUp,
}

impl Session<'_> {
    fn run(&self) -> Option<Report> {
        let is_fresh =
            matches!(liveness(&self.folder), Ok(Liveness::NotStarted)) && !self.live.is_over();
        if let Some(report) = is_fresh.then(|| self.prepare_checkout()).flatten() {
            return Some(report);
        }
        if !is_fresh {
            self.adopt_files();
            self.adopt_git();
        }
        let followed = self.follow_to_end();
        let is_over = matches!(followed, Ok(FollowResult::Ended(_) | FollowResult::Lost));
        let report = self
            .report_end(followed)
            .map(|report| masked(&self.secrets(), report));
        if is_over {
            self.store_summary();
        }
        // If the session is detached, perhaps during its checks, the next process asks the checker
        // again.
        if report.is_some() {
            self.finish_files();
        }
        report
    }

    /// A summary that cannot be stored is lost; the node's work still counts. Anything but a
    /// regular file in its place fails the node: see `outcome_of`.
    fn store_summary(&self) {
        if let Err(error) = store_summary(&self.folder, &self.secrets()) {
            tracing::warn!(session = %self.job.session, %error, "couldn't store the summary");
        }
    }

    /// The secrets to mask in its results: those of the environment, and those of its node.
    fn secrets(&self) -> Cow<'_, Secrets> {
        let shared = &self.services.environment;
        match &self.node.kind {
            NodeKind::Command(task) if !task.env.is_empty() => {
                Cow::Owned(secrets_of(shared.for_commands().iter().chain(&task.env)))
            }
            _ => Cow::Borrowed(shared.secrets()),
        }
    }

    fn report_end(&self, followed: io::Result<FollowResult>) -> Option<Report> {
        match followed {
            Ok(FollowResult::Ended(exit)) => {
                crash_point("before report");
                self.conclude(&exit)
            }
            Ok(FollowResult::Lost) => Some(self.report_lost_keeper()),
            Ok(FollowResult::Unreachable { host }) => Some(self.report_unreachable(&host)),
            Ok(FollowResult::Detached) => None,
            Err(error) => {
                let detail = format!("{}: {error}", self.folder.display());
                // Its files no longer show how far it is; whatever still runs ends with its
                // attempt.
                terminate_marked_processes(&self.job.session.to_string(), TERMINATION_GRACE);
                let failure = match (UnexpectedFile::find_in(&error), error.kind()) {
                    (Some(found), _) => tampered(found),
                    (None, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
                        Failure::DiskFull { detail }
                    }
                    (None, _) => Failure::NotStarted { detail },
                };
                Some(Report {
                    evidence: self.git_evidence_alone(),
                    ..ended_report(self.job, Outcome::Failed { failure })
                })
            }
        }
    }

    fn follow_to_end(&self) -> io::Result<FollowResult> {
        let mut spawned = false;
        let mut tries = 0;
        while tries < BEGIN_TRIES {
            if self.live.is_over() {
                return Ok(FollowResult::Detached);
            }
            match liveness(&self.folder).map_err(io::Error::other)? {
                Liveness::Ended(exit) => return Ok(FollowResult::Ended(Box::new(exit))),
                Liveness::Lost => return Ok(FollowResult::Lost),
                Liveness::NotStarted if !spawned => {
                    spawned = true;
                    if let WatchResult::Ended(exit) = self.start()? {
                        return Ok(FollowResult::Ended(exit));
                    }
                }
                Liveness::NotStarted => {
                    tries += 1;
                    std::thread::sleep(BEGIN_RETRY_DELAY);
                }
                // A running session is never given up, no matter how long its keeper is silent.
                Liveness::Running(_) => {
                    if let WatchResult::Ended(exit) = self.attach()? {
                        return Ok(FollowResult::Ended(exit));
                    }
                    std::thread::sleep(BEGIN_RETRY_DELAY);
                }
                Liveness::OutOfSight(claim) if self.live.stop_requested() => {
                    return Ok(FollowResult::Unreachable { host: claim.host });
                }
                // It counts as running until it writes its record, or a person gives it up.
                Liveness::OutOfSight(claim) => self.poll_unreachable(&claim)?,
            }
        }
        Err(self.start_failure())
    }

    /// Prepares the session's directory; returns the report that ends the attempt if that fails.
    fn prepare_checkout(&self) -> Option<Report> {
        let (node, attempt) = (self.job.node, self.job.attempt);
        match checkout::prepare_checkout(self.job, self.node, &self.services.data_directory) {
            Ok(PreparedCheckout::Ready) => None,
            Ok(PreparedCheckout::NothingToMerge) => Some(Report::plain(Command::SessionMerged {
                node,
                attempt,
                outcome: Outcome::Succeeded,
            })),
            Ok(PreparedCheckout::Conflict(conflict)) => {
                Some(Report::plain(Command::SessionConflicted {
                    node,
                    attempt,
                    conflict: *conflict,
                }))
            }
            Err(error) => {
                let failure = Failure::NotStarted {
                    detail: with_causes(error).to_string(),
                };
                Some(ended_report(self.job, Outcome::Failed { failure }))
            }
        }
    }

    /// Commits the work of an isolated node. Its children start from it, so if the commit fails,
    /// the node has not succeeded.
    fn keep_files(&self, outcome: Outcome) -> Outcome {
        if !checkout::is_isolated(self.job, self.node) || self.job.is_merge_only() {
            return outcome;
        }
        let done = outcome == Outcome::Succeeded;
        match checkout::commit_work(self.job, self.node, &self.services.data_directory, done) {
            Err(error) if done => {
                let detail = format!("its work couldn't be saved: {}", with_causes(error));
                Outcome::Failed {
                    failure: Failure::NotStarted { detail },
                }
            }
            Err(error) => {
                tracing::warn!(session = %self.job.session, %error, "couldn't commit the work");
                outcome
            }
            Ok(()) => outcome,
        }
    }

    /// The end of an agent that was to resolve a conflict. A session that a person stopped is
    /// handled as usual.
    fn conclude_merge(&self, outcome: Outcome, exit: &Exit) -> Report {
        let (node, attempt) = (self.job.node, self.job.attempt);
        let outcome = match outcome {
            Outcome::Succeeded => {
                match checkout::unresolved_files(self.job, self.node, &self.services.data_directory)
                {
                    Some(detail) => Outcome::Failed {
                        failure: Failure::AgentError { detail },
                    },
                    None => Outcome::Succeeded,
                }
            }
            Outcome::Failed { failure } => Outcome::Failed { failure },
            outcome => {
                return Report {
                    facts: Some(self.facts(Usage::default(), exit.worked_ms())),
                    ..ended_report(self.job, outcome)
                };
            }
        };
        Report {
            facts: Some(self.facts(Usage::default(), exit.worked_ms())),
            ..Report::plain(Command::SessionMerged {
                node,
                attempt,
                outcome,
            })
        }
    }

    /// Attaches to a session that runs already.
    fn attach(&self) -> io::Result<WatchResult> {
        // A keeper that does not listen is starting, or ending: the next check shows which.
        let stream = match connect(&self.folder) {
            Err(error) if UnexpectedFile::is_in(&error) => return Err(error),
            Err(_) => return Ok(WatchResult::HungUp),
            Ok(stream) => stream,
        };
        self.report_command(Command::SessionStarted {
            node: self.job.node,
            attempt: self.job.attempt,
            checkpoint: None,
        });
        let mut connection = Connection::new(stream.try_clone()?);
        // A keeper that ends at this moment is found ended at the next check.
        let _ = connection.send(&Request::Follow);
        self.live.connect(stream);
        self.watch(connection)
    }

    /// Reads the output so far of a session whose keeper cannot be reached, since its files are the
    /// only source.
    fn poll_unreachable(&self, claim: &Claim) -> io::Result<()> {
        if !self.is_out_of_sight.replace(true) {
            let host = claim.host.as_str();
            tracing::warn!(session = %self.job.session, host, "a session can't be reached; it may be running or lost");
            let (node, attempt) = (self.job.node, self.job.attempt);
            self.report_command(Command::SessionStarted {
                node,
                attempt,
                checkpoint: None,
            });
        }
        self.process_output()?;
        std::thread::sleep(UNREACHABLE_POLL_INTERVAL);
        Ok(())
    }

    /// A keeper that cannot start has no means to say why; the operating system's error does.
    fn start_failure(&self) -> io::Error {
        let path = self.folder.join("room");
        let tried =
            session_file::write(&path, [0; 2 * 4096]).and_then(|()| std::fs::remove_file(path));
        tried.err().unwrap_or_else(|| {
            io::Error::other("its keeper ended before it started the session; retry the node")
        })
    }

    fn start(&self) -> io::Result<WatchResult> {
        crash_point("before folder");
        let environment = match self.node.kind {
            NodeKind::Command(_) => self.services.environment.for_commands(),
            _ => self.services.environment.for_agents(),
        };
        let data_directory = &self.services.data_directory;
        self.prepared.write(
            self.job,
            self.node,
            &self.folder,
            data_directory,
            environment,
        )?;
        let checkpoint = self.record_initial_state()?;
        if self.live.is_over() {
            return Ok(WatchResult::HungUp);
        }
        self.inputs.borrow_mut().begin();
        crash_point("before spawn");
        let (mut keeper, stream) =
            spawn(&self.services.keeper, &self.folder).map_err(with_causes)?;
        crash_point("after spawn");
        self.report_command(Command::SessionStarted {
            node: self.job.node,
            attempt: self.job.attempt,
            checkpoint,
        });
        self.live.connect(stream.try_clone()?);
        let watched = self.watch(Connection::new(stream));
        if watched.is_err() {
            // Its output cannot be read, so it can't be followed.
            terminate_marked_processes(&self.job.session.to_string(), TERMINATION_GRACE);
        }
        // The keeper's record, not its exit code, says what happened, unless it could not even
        // start.
        let exit = keeper.wait();
        if exit.is_ok_and(|exit| exit.code() == Some(EXIT_CODE_NOT_STARTED)) {
            return Err(io::Error::new(
                io::ErrorKind::StorageFull,
                "no disk space is left for the session's files",
            ));
        }
        watched
    }

    /// Saves the state that the work will be compared with. A session that only reviews changes
    /// nothing.
    fn record_initial_state(&self) -> io::Result<Option<String>> {
        if self.is_read_only {
            return Ok(None);
        }
        self.begin_files();
        self.begin_git()?;
        self.checkpoint().map_err(with_causes)
    }

    fn watch(&self, mut connection: Connection) -> io::Result<WatchResult> {
        // Output from before this connection does not count as growth.
        self.process_output()?;
        let patience = Duration::from_millis(self.node.effective_silence_ms().max(1));
        // Without the timeout only the warning is lost.
        let _ = connection.set_read_timeout(Some(patience));
        let mut silent = false;
        loop {
            let received = connection.receive();
            let timed_out = matches!(&received, Err(ConnectionError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock);
            if timed_out != silent {
                silent = timed_out;
                self.report_command(Command::SessionSilent {
                    node: self.job.node,
                    attempt: self.job.attempt,
                    silent,
                });
                // An agent whose service does not answer would wait until its time limit; it is
                // retried later.
                if silent
                    && self
                        .live
                        .query_driver(|driver| driver.service_wait_reason().is_some())
                {
                    self.live.cancel_processes();
                }
            }
            match received {
                Err(_) if timed_out => {}
                Ok(Some(Event::Exited { exit })) => return Ok(WatchResult::Ended(Box::new(exit))),
                Ok(Some(Event::Hello { .. })) => {
                    // By now the keeper has read everything that a previous executor had sent.
                    self.inputs.borrow_mut().join()?;
                    self.process_output()?;
                }
                Ok(Some(Event::Grew { .. })) => self.process_output()?,
                Ok(Some(Event::Accepted { key })) => self.live.input_accepted(&key),
                Ok(Some(Event::Refused {
                    key: None,
                    reason: Refusal::Malformed,
                })) => self.live.quote_rejected(),
                Ok(Some(event @ (Event::Refused { .. } | Event::Trouble { .. }))) => {
                    tracing::warn!(session = %self.job.session, ?event, "message from the keeper");
                }
                Ok(None) => return Ok(WatchResult::HungUp),
                Err(error) => {
                    tracing::warn!(session = %self.job.session, %error, "couldn't parse a message of the keeper");
                    return Ok(WatchResult::HungUp);
                }
            }
        }
    }

    fn read_output(&self) -> io::Result<()> {
        self.output
            .borrow_mut()
            .read(&self.live, |questions, events| {
                let (node, attempt) = (self.job.node, self.job.attempt);
                for event in &events {
                    match event {
                        SessionEvent::PermissionWithdrawn { request } => {
                            self.report_command(Command::SessionUnasked {
                                node,
                                attempt,
                                request: request.clone(),
                            });
                        }
                        SessionEvent::OutsideScope {
                            call,
                            what,
                            note,
                            refused,
                        } => {
                            let (call, what, note) = (call.clone(), what.clone(), note.clone());
                            let call = UnlistedToolCall {
                                attempt,
                                call,
                                what,
                                note,
                                refused: *refused,
                            };
                            self.report_command(Command::SessionOutside { node, call });
                        }
                        _ => {}
                    }
                }
                for Question {
                    request,
                    text,
                    call,
                } in questions
                {
                    self.report_command(Command::SessionAsked {
                        node,
                        attempt,
                        question: text,
                        request,
                        call: Some(call),
                    });
                }
                self.observe_events(&events);
            })
    }

    fn process_output(&self) -> io::Result<()> {
        self.read_output()?;
        self.detect_tampering()?;
        self.report_usage();
        self.services
            .events
            .session_changed(self.job.session, self.job.run.run);
        Ok(())
    }

    /// Ends the session when its program has read an answer that this executor did not send.
    fn detect_tampering(&self) -> io::Result<()> {
        if self.tampered.borrow().is_some() {
            return Ok(());
        }
        let is_sent = |input: &Input| self.live.has_sent(input);
        if self.inputs.borrow_mut().unknown(is_sent)?.is_empty() {
            return Ok(());
        }
        // An executor that was displaced may still answer the program's output, as this one is
        // about to do.
        self.read_output()?;
        let forged = self
            .inputs
            .borrow_mut()
            .unknown(is_sent)?
            .first()
            .map(|input| input.key().to_owned());
        if let Some(input) = forged {
            tracing::warn!(session = %self.job.session, %input, "its program read a message that Baton did not send");
            *self.tampered.borrow_mut() = Some(input);
            self.live.cancel_processes();
        }
        Ok(())
    }

    fn observe_events(&self, events: &[SessionEvent]) {
        self.commands.borrow_mut().observe(events);
        self.last_message.borrow_mut().observe(events);
        self.answers.borrow_mut().observe(events);
    }

    /// The agent's answer to the last prompt that it answered: its handoff, or else what it said at
    /// the end of its work. Never the lines of its protocol.
    fn answer(&self) -> Option<String> {
        let asked = self
            .live
            .query_driver(|driver| driver.handoff().map(str::to_owned));
        asked
            .or_else(|| self.answers.borrow().last().map(str::to_owned))
            .or_else(|| self.printed())
    }

    /// The output of a program that speaks no protocol.
    fn printed(&self) -> Option<String> {
        let is_plain = self
            .prepared
            .agent()
            .is_none_or(|agent| agent.log_format() == LogFormat::PLAIN);
        is_plain.then(|| printed_answer(&self.folder)).flatten()
    }

    /// Whether the agent neither called a tool nor said anything.
    fn is_idle(&self) -> bool {
        let has_handoff = self.live.query_driver(|driver| driver.handoff().is_some());
        self.node.kind.agent().is_some()
            && self.printed().is_none()
            && self.answers.borrow().is_idle(has_handoff)
    }

    /// Reported only if some budget limits it.
    fn report_usage(&self) {
        if self.node.budget.is_unlimited() && self.job.run.plan.settings.budget.is_unlimited() {
            return;
        }
        let spent = self.live.query_driver(|driver| spent(&driver.usage()));
        if self.spent.replace(spent) != spent {
            self.report_command(Command::SessionUsed {
                node: self.job.node,
                attempt: self.job.attempt,
                spent,
            });
        }
    }

    /// Takes a checkpoint of the files before an agent, or anything that is to be restarted from
    /// them after a crash, touches them, if they are in a git work tree.
    ///
    /// A snapshot that fails does not keep the session from starting; a failed restore does.
    fn checkpoint(&self) -> Result<Option<String>, CheckpointError> {
        if self.node.kind.agent().is_none() && self.node.after_crash != AfterCrash::Restart {
            return Ok(None);
        }
        let directory = self.prepared.directory();
        let name = checkpoint_name(self.job.run.run, self.job.session);
        let tree = match WorkTree::of(directory, &self.services.data_directory) {
            Ok(Some(tree)) => tree,
            Ok(None) => return Ok(None),
            Err(error) => {
                tracing::warn!(session = %self.job.session, %error, "couldn't take a checkpoint of the files");
                return Ok(None);
            }
        };
        if let Some(before) = &self.job.restores {
            let tree = self
                .job
                .run
                .plan
                .cwd
                .iter()
                .fold(tree.clone(), |tree, cwd| tree.below(Path::new(cwd)));
            tree.restore(before, &format!("{name}/undone"))?;
        }
        crash_point("before snapshot");
        let kept = tree.snapshot(&format!("{name}/before"));
        crash_point("after snapshot");
        match kept {
            Ok(()) => Ok(Some(format!("{name}/before"))),
            Err(error) => {
                tracing::warn!(session = %self.job.session, %error, "couldn't take a checkpoint of the files");
                Ok(None)
            }
        }
    }

    /// The time limit of the session in milliseconds; `None` means unlimited.
    fn time_limit_ms(&self) -> Option<u64> {
        self.job.run.plan.timeout_ms_of(self.node)
    }

    fn conclude(&self, exit: &Exit) -> Option<Report> {
        // The last output came with the end, and the output of a session that ended unobserved was
        // never read at all.
        let note = |events: Vec<SessionEvent>| self.observe_events(&events);
        if let Err(error) = self.output.borrow_mut().read_to_end(&self.live, note) {
            tracing::warn!(session = %self.job.session, %error, "couldn't read the output");
        }
        if let Err(error) = self.detect_tampering() {
            tracing::warn!(session = %self.job.session, %error, "couldn't read the record of its input");
        }
        if let Some(input) = self.tampered.take() {
            return Some(self.report_unfinished(Outcome::Tampered { input }, exit.worked_ms()));
        }
        let limit = self.time_limit_ms().unwrap_or_default();
        let stop_requested = self.live.stop_requested();
        let outcome = self
            .live
            .query_driver(|driver| outcome_of(exit, driver, stop_requested, limit, &self.folder));
        let outcome = if self.node.kind.agent().is_some() {
            interrupted_if_killed(outcome)
        } else {
            outcome
        };
        self.report_usage();
        if self.job.is_merge_only() {
            // Its node reports these when its own work has ended.
            self.git_changes();
            return Some(self.conclude_merge(outcome, exit));
        }
        let proven = match self.keep_files(outcome) {
            Outcome::Succeeded => self.collect_result(exit)?,
            outcome => self.result_without_artifact(outcome, Some(&exit.ending)),
        };
        let AttemptResult {
            outcome,
            artifact,
            evidence,
            used,
        } = proven;
        let used = used.plus(agent_question::used(self.services, self.job, self.node));
        let taken = artifact.as_ref().and_then(|artifact| self.taken(artifact));
        let facts = self.facts(used, exit.worked_ms());
        self.services
            .events
            .session_changed(self.job.session, self.job.run.run);
        let (node, attempt) = (self.job.node, self.job.attempt);
        let doubt = evidence.as_ref().and_then(Evidence::unverified_reason);
        let command = Command::SessionEnded {
            node,
            attempt,
            outcome,
            artifact: None,
            taken,
            doubt,
        };
        Some(Report {
            artifact,
            evidence,
            facts: Some(facts),
            command,
        })
    }

    fn facts(&self, used: Usage, worked_ms: Option<u64>) -> SessionFacts {
        self.live.query_driver(|driver| SessionFacts {
            native_id: driver.native_session().map(str::to_owned),
            usage: driver.usage().plus(used),
            worked_ms,
        })
    }

    /// The node's handoff, or why its work does not count after all.
    fn artifact(&self, exit: &Exit, files: &FileChanges) -> Result<Artifact, Failure> {
        if let NodeKind::LlmDecision(task) = &self.node.kind {
            let answer = self.answer().unwrap_or_default();
            return decision::artifact_of(task, &answer, outputs_of(&self.folder));
        }
        if let (NodeKind::Planning(_), Some(agent)) = (&self.node.kind, self.prepared.agent()) {
            return self.live.query_driver(|driver| {
                planning::artifact_of(driver, agent.log_format(), &self.folder)
            });
        }
        let changed = files.paths().map(str::to_owned).collect();
        if matches!(self.node.kind, NodeKind::Agent(_)) {
            return Ok(handoff_of(self.answer().as_deref(), changed, &self.folder));
        }
        // The output of `baton-tool` is meant for programs; its result is a named output.
        let is_tool = self.node.kind.runs_only_tools();
        let tail = is_tool.then(|| {
            outputs_of(&self.folder)
                .values
                .remove("result")
                .unwrap_or_default()
        });
        Ok(artifact_of(
            exit,
            self.prepared.display_text(),
            changed,
            tail,
            &self.folder,
        ))
    }

    /// Returns which branch a condition took.
    fn taken(&self, artifact: &Artifact) -> Option<bool> {
        match &self.node.kind {
            NodeKind::Condition(_) => artifact.outputs.get("taken").map(|taken| taken == "true"),
            _ => None,
        }
    }

    fn report_lost_keeper(&self) -> Report {
        let left = terminate_marked_processes(&self.job.session.to_string(), TERMINATION_GRACE);
        self.report_lost(match left {
            0 => "its keeper was killed, or the machine went down; how far it got is unknown".to_owned(),
            1 => "its keeper was killed; 1 remaining process was terminated; how far it got is unknown".to_owned(),
            left => format!(
                "its keeper was killed; {left} remaining processes were terminated; how far they got is unknown"
            ),
        })
    }

    /// Fails the session even if the plan would restart a lost one automatically, because it may
    /// still be running.
    fn report_unreachable(&self, host: &str) -> Report {
        let detail = format!(
            "it may still be running on '{host}', in another container or on another machine, and couldn't be stopped from \
             here; before you retry it, check there that it has ended"
        );
        match self.node.after_crash {
            AfterCrash::Ask => self.report_lost(detail),
            _ => ended_report(
                self.job,
                Outcome::Failed {
                    failure: Failure::NotStarted { detail },
                },
            ),
        }
    }

    fn report_lost(&self, detail: String) -> Report {
        // The native id is all that the next attempt has to find the session again.
        let note = |events: Vec<SessionEvent>| self.observe_events(&events);
        if let Err(error) = self.output.borrow_mut().read_to_end(&self.live, note) {
            tracing::warn!(session = %self.job.session, %error, "couldn't read the output of a lost session");
        }
        self.report_unfinished(Outcome::Lost { detail }, None)
    }

    fn report_unfinished(&self, outcome: Outcome, worked_ms: Option<u64>) -> Report {
        let AttemptResult {
            outcome, evidence, ..
        } = self.result_without_artifact(outcome, None);
        Report {
            facts: Some(self.facts(Usage::default(), worked_ms)),
            evidence,
            ..ended_report(self.job, outcome)
        }
    }

    fn report_command(&self, command: Command) {
        (self.report)(Report::plain(command));
    }
}

/// The output of a session, as its driver reads it.
struct Output {
    streams: Vec<(Stream, Tail)>,
}

impl Output {
    fn new(folder: &Path, live: &Arc<LiveSession>) -> Self {
        let streams = [
            (Stream::Stdout, baton_keeper::STDOUT),
            (Stream::Stderr, baton_keeper::STDERR),
        ];
        let wanted = streams
            .into_iter()
            .filter(|(stream, _)| live.reads(*stream));
        Self {
            streams: wanted
                .map(|(stream, name)| (stream, Tail::new(folder.join(name))))
                .collect(),
        }
    }

    fn read(
        &mut self,
        live: &Arc<LiveSession>,
        mut observe: impl FnMut(Vec<Question>, Vec<SessionEvent>),
    ) -> io::Result<()> {
        for (stream, tail) in &mut self.streams {
            let mut asked = HashSet::new();
            tail.lines(|lines| {
                let mut driver_output = live.read_lines(*stream, lines);
                driver_output
                    .questions
                    .retain(|question| asked.insert(question.request.clone()));
                observe(driver_output.questions, driver_output.events);
            })?;
        }
        Ok(())
    }

    fn read_to_end(
        &mut self,
        live: &Arc<LiveSession>,
        mut observe: impl FnMut(Vec<SessionEvent>),
    ) -> io::Result<()> {
        self.read(live, |_, events| observe(events))?;
        for (stream, tail) in &mut self.streams {
            if let Some((begins, bytes)) = tail.finish() {
                observe(
                    live.read_lines(
                        *stream,
                        &[Line {
                            begins,
                            bytes: &bytes,
                        }],
                    )
                    .events,
                );
            }
        }
        Ok(())
    }
}

/// The usage of a session in the units of budgets. Values that the agent does not report count as
/// zero.
fn spent(usage: &Usage) -> BudgetUsage {
    let tokens = [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
    ];
    #[expect(
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "a price is small and not negative"
    )]
    let cost_micros = (usage.usd.unwrap_or_default().max(0.0) * 1e6).round() as u64;
    BudgetUsage {
        tokens: tokens.into_iter().flatten().fold(0, u64::saturating_add),
        cost_micros,
    }
}

/// The report that ends the attempt of `job` with `outcome`.
pub(crate) fn ended_report(job: &Job, outcome: Outcome) -> Report {
    Report::plain(Command::SessionEnded {
        node: job.node,
        attempt: job.attempt,
        outcome,
        artifact: None,
        taken: None,
        doubt: None,
    })
}

/// An error with its causes, on one line.
fn with_causes(error: impl std::error::Error) -> io::Error {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.extend([": ", &error.to_string()]);
        cause = error.source();
    }
    io::Error::other(text)
}
