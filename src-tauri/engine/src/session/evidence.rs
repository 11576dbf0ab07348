//! Collects the results of an attempt that has ended: its handoff, the evidence, and how the two
//! differ. Evidence of failed attempts is collected too.
//!
//! A handoff is only a claim. A named file that did not change makes the node unverified until a
//! person accepts it; a `run` criterion that fails makes the node fail.

use baton_keeper::session_file;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::io;

use baton_agents::{LogFormat, Usage};
use baton_keeper::{Ending, Exit};
use baton_model::artifact::NamedOutputs;
use baton_model::evidence::{
    AttemptEnding, COMMAND_LIMIT, Claim, Collision, CommandEnd, CommandRun, FILE_LIMIT,
    FileChanges, Mismatch, PathProbe, find_mismatches,
};
use baton_model::node::{Node, NodeKind};
use baton_model::{Artifact, Evidence, Outcome};
use serde::{Deserialize, Serialize};

use super::acceptance::{Checks, Interrupted};
use super::{Session, claimed_file};
use crate::changed_files::{AttemptInfo, Changes, ScanDepth, place_of};
use crate::live_session::LiveSession;
use crate::named_outputs::outputs_of;
use crate::outcome::end_of_stream;
use crate::prepare::PreparedSession;
use crate::report::Report;
use crate::session_folder::{FILES_TOUCHED, session_folder};

/// Where earlier versions stored the previous state of the files.
const FILES_BEFORE: &str = "files-before.json";

/// The files that a conversation has touched so far.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Touched {
    /// Whether some of it is not known.
    partly_unknown: bool,
    /// Absolute paths of the touched files.
    paths: BTreeSet<String>,
}

/// The result of an attempt.
pub(super) struct AttemptResult {
    pub(super) outcome: Outcome,
    pub(super) artifact: Option<Artifact>,
    pub(super) evidence: Option<Evidence>,
    /// The usage of its reviewer.
    pub(super) used: Usage,
}

impl AttemptResult {
    /// An attempt that leaves nothing.
    pub(super) fn outcome_only(outcome: Outcome) -> Self {
        Self {
            outcome,
            artifact: None,
            evidence: None,
            used: Usage::default(),
        }
    }
}

impl<'a> Session<'a> {
    /// Collects the result of a successful attempt; `None` when another executor has the session
    /// meanwhile.
    pub(super) fn collect_result(&self, exit: &Exit) -> Option<AttemptResult> {
        let Changes { files, transient } = self.changes();
        let artifact = match self.artifact(exit, &files) {
            Ok(artifact) => artifact,
            Err(failure) => {
                return Some(self.unfinished(
                    Outcome::Failed { failure },
                    files,
                    Some(&exit.ending),
                ));
            }
        };
        let Checks {
            results: checks,
            usage: used,
        } = match self.check_criteria(&artifact, &files) {
            Ok(checks) => checks,
            Err(Interrupted::Stopped) => {
                return Some(self.unfinished(Outcome::Cancelled, files, Some(&exit.ending)));
            }
            Err(Interrupted::Detached) => return None,
        };
        let place = place_of(self.prepared.directory());
        let home = self.services.environment.for_agents().get("HOME");
        let claim = Claim {
            artifact: &artifact,
            place: &place,
            home: home.map(String::as_str),
            is_idle: self.is_idle(),
        };
        let earlier = OnceCell::new();
        let transient: HashSet<String> =
            transient.iter().map(|path| place.absolute(path)).collect();
        // The handoff covers the whole conversation, including what it did in earlier attempts.
        let probe = |path: &str| match earlier.get_or_init(|| self.touched_earlier()) {
            _ if transient.contains(path) => PathProbe::Changed,
            Touched { paths, .. } if paths.contains(path) => PathProbe::Changed,
            Touched {
                partly_unknown: true,
                ..
            } => PathProbe::Unknown,
            Touched { .. } => claimed_file::probe_file(&place, &files, path, exit.started_ms),
        };
        let mut mismatches = find_mismatches(claim, &files, &checks, probe);
        if files.paths_with_shared().next().is_none()
            && self.commands.borrow().calls().was_all_refused()
        {
            mismatches.push(Mismatch::WorkRefused);
        }
        // False claims come first, since unmentioned files may be very many.
        mismatches.sort_by_key(|mismatch| !mismatch.makes_unverified());
        mismatches.truncate(FILE_LIMIT);
        let (commands, commands_left_out) = self.commands(Some(&exit.ending));
        let files = files.within(FILE_LIMIT);
        let refused = self.commands.borrow().calls().refused();
        let mut evidence = Evidence {
            files,
            commands,
            commands_left_out,
            refused,
            checks,
            mismatches,
            ..self.git_evidence()
        };
        // If the plan does not accept such work, this is all that is left of it.
        evidence.ending = evidence
            .unverified_reason()
            .map(|_| self.ending(Some(&exit.ending)));
        let evidence = Some(evidence).filter(|evidence| self.is_worth_keeping(evidence));
        Some(AttemptResult {
            outcome: Outcome::Succeeded,
            artifact: Some(artifact),
            evidence,
            used,
        })
    }

    /// Collects what is known of an attempt that did not succeed, for the nodes that handle the
    /// failure.
    pub(super) fn result_without_artifact(
        &self,
        outcome: Outcome,
        ending: Option<&Ending>,
    ) -> AttemptResult {
        match ending {
            Some(Ending::NotStarted { .. }) => AttemptResult::outcome_only(outcome),
            ending => self.unfinished(outcome, self.changes().files, ending),
        }
    }

    fn unfinished(
        &self,
        outcome: Outcome,
        files: FileChanges,
        ending: Option<&Ending>,
    ) -> AttemptResult {
        let (commands, commands_left_out) = self.commands(ending);
        let files = files.within(FILE_LIMIT);
        let mut ending = self.ending(ending);
        if matches!(outcome, Outcome::Failed { .. }) {
            ending.collision = Collision::find(&ending.output, &files.beside, &files.shared);
        }
        let ending = Some(ending);
        let evidence = Evidence {
            files,
            commands,
            commands_left_out,
            ending,
            ..self.git_evidence()
        };
        AttemptResult {
            evidence: Some(evidence),
            ..AttemptResult::outcome_only(outcome)
        }
    }

    /// Returns how its process ended, and what it printed, said and handed off by then.
    fn ending(&self, ending: Option<&Ending>) -> AttemptEnding {
        let (exit_code, signal) = match ending {
            Some(Ending::Exited { code }) => (Some(*code), None),
            Some(Ending::Signaled { signal }) => (None, Some(*signal)),
            Some(Ending::Survived | Ending::NotStarted { .. }) | None => (None, None),
        };
        let (output, outputs) = (self.last_output(), outputs_of(&self.folder));
        let NamedOutputs {
            values: outputs,
            left_out: outputs_left_out,
        } = outputs;
        AttemptEnding {
            exit_code,
            signal,
            output,
            outputs,
            outputs_left_out,
            collision: None,
        }
    }

    /// An agent's last message, or else the end of standard output, followed by the end of standard
    /// error. Protocol lines are not readable.
    fn last_output(&self) -> String {
        let speaks_a_protocol = match self.prepared.agent() {
            Some(agent) => agent.log_format() != LogFormat::PLAIN,
            None => self.node.kind.runs_only_tools(),
        };
        let message = match speaks_a_protocol {
            true => self.last_message.borrow().text().to_owned(),
            false => end_of_stream(&self.folder, baton_keeper::STDOUT),
        };
        let stderr = end_of_stream(&self.folder, baton_keeper::STDERR);
        let parts = [message, stderr];
        parts
            .iter()
            .filter(|part| !part.trim().is_empty())
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Short commands that touch nothing leave no evidence: there may be thousands of them.
    fn is_worth_keeping(&self, evidence: &Evidence) -> bool {
        let says_something = evidence.files.paths_with_shared().next().is_some()
            || !evidence.checks.is_empty()
            || !evidence.git_changes.is_empty();
        self.node.kind.agent().is_some() || says_something
    }

    /// The commands that the agent ran, or the node's own command.
    fn commands(&self, ending: Option<&Ending>) -> (Vec<CommandRun>, u32) {
        if let (NodeKind::Command(_), Some(Ending::Exited { code })) = (&self.node.kind, ending) {
            let command = self
                .prepared
                .display_text()
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .take(500)
                .collect();
            return (
                vec![CommandRun {
                    command,
                    end: CommandEnd::Exited { code: *code },
                }],
                0,
            );
        }
        let (commands, left_out) = self.commands.borrow().summary();
        debug_assert!(commands.len() <= COMMAND_LIMIT, "the log is bounded");
        (commands, left_out)
    }

    fn attempt_info(&self) -> AttemptInfo<'_> {
        AttemptInfo {
            run: self.job.run.run,
            session: self.job.session,
            title: &self.node.title,
            directory: self.prepared.directory(),
            scan_depth: self.scan_depth(),
        }
    }

    /// Starts watching the files.
    pub(super) fn begin_files(&self) {
        self.files
            .replace(Some(self.services.files.begin(self.attempt_info())));
    }

    /// Watches the files of a session that another process started.
    pub(super) fn adopt_files(&self) {
        if !self.is_read_only {
            self.files
                .replace(Some(self.services.files.adopt(self.attempt_info())));
        }
    }

    /// The work is over, even if its result was not requested.
    pub(super) fn finish_files(&self) {
        self.changes();
        if let Some(files) = self.files.take() {
            files.finish();
        }
    }

    /// What changed while the session worked. Empty on a second call.
    fn changes(&self) -> Changes {
        let changes = match &*self.files.borrow() {
            Some(files) => files.changes(),
            None => None,
        };
        let Some(changes) = changes else {
            return Changes::default();
        };
        if self.scan_depth() == ScanDepth::Agent
            && let Err(error) = self.keep_touched(&changes)
        {
            tracing::warn!(session = %self.job.session, %error, "couldn't store the touched files");
        }
        changes
    }

    /// Only for agents, since their conversation may be continued.
    fn keep_touched(&self, changes: &Changes) -> io::Result<()> {
        let place = place_of(self.prepared.directory());
        let mut touched = self.touched_earlier();
        let Changes { files, transient } = changes;
        touched.partly_unknown |= !files.is_known();
        let paths = files
            .paths_with_shared()
            .chain(transient.iter().map(String::as_str));
        touched.paths.extend(paths.map(|path| place.absolute(path)));
        session_file::write(
            &self.folder.join(FILES_TOUCHED),
            serde_json::to_vec(&touched)?,
        )
    }

    /// The files touched by the attempts whose conversation this one continues.
    fn touched_earlier(&self) -> Touched {
        let Some(follows) = self.job.follows else {
            return Touched::default();
        };
        let earlier = session_folder(&self.services.data_directory, follows);
        let kept = session_file::read(&earlier.join(FILES_TOUCHED)).ok();
        let kept = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        kept.unwrap_or_else(|| Touched {
            partly_unknown: earlier.join(FILES_BEFORE).exists(),
            ..Touched::default()
        })
    }

    fn scan_depth(&self) -> ScanDepth {
        if self.node.kind.agent().is_some() {
            ScanDepth::Agent
        } else {
            ScanDepth::Command
        }
    }

    /// A session that reviews the work of this one, in its own folder.
    pub(super) fn below<'b>(
        &'b self,
        folder: std::path::PathBuf,
        node: &'b Node,
        prepared: PreparedSession,
        live: std::sync::Arc<LiveSession>,
        report: &'b dyn Fn(Report),
    ) -> Session<'b> {
        Session {
            is_read_only: true,
            ..Session::new(
                self.services,
                self.job,
                node,
                folder,
                prepared,
                live,
                report,
            )
        }
    }
}
