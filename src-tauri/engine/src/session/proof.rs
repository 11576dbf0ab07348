//! What is known of an attempt when it has ended: its handoff, the evidence beside it, and how the two differ.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use baton_agents::{LogFormat, Usage};
use baton_keeper::{Ending, Exit};
use baton_model::evidence::{
    AttemptEnding, COMMAND_LIMIT, Claim, CommandEnd, CommandRun, FILE_LIMIT, FileChanges, FileSource, Mismatch, Place,
    Probe, judge,
};
use baton_model::node::{Node, NodeKind};
use baton_model::{Artifact, Evidence, Outcome};

use super::acceptance::{Checks, Interrupted};
use super::{Session, Workshop, claimed_file};
use crate::changed_files::{Before, Care, place_of};
use crate::job::{Job, session_folder};
use crate::live::Live;
use crate::neighbours::Presence;
use crate::outcome::{end_of_stream, outputs_of};
use crate::prepare::Reading;
use crate::report::Report;

/// How the files were before, in the session's folder.
const FILES_BEFORE: &str = "files-before.json";
/// How they were before the first attempt of a session that goes on, in the session's folder.
const FILES_BEGUN: &str = "files-begun.json";

/// What came of an attempt.
pub(super) struct Proven {
    pub(super) outcome: Outcome,
    pub(super) artifact: Option<Artifact>,
    pub(super) evidence: Option<Evidence>,
    /// What its reviewer used.
    pub(super) used: Usage,
}

impl Proven {
    /// An attempt that leaves nothing.
    pub(super) fn nothing(outcome: Outcome) -> Self {
        Self { outcome, artifact: None, evidence: None, used: Usage::default() }
    }
}

/// Says that the session of `job` works in `directory`.
pub(super) fn presence(workshop: &Workshop, job: &Job, node: &Node, directory: &Path) -> Presence {
    let root = place_of(directory).root;
    workshop.neighbours.enter(job.session, &node.title, Path::new(&root))
}

impl<'a> Session<'a> {
    /// Gathers what is known of an attempt that went well; `None` when somebody else has the session meanwhile.
    pub(super) fn prove(&self, exit: &Exit) -> Option<Proven> {
        let files = self.changes();
        let artifact = match self.artifact(exit, &files) {
            Ok(artifact) => artifact,
            Err(failure) => {
                return Some(self.unfinished(Outcome::Failed { failure }, files, Some(&exit.ending)));
            }
        };
        let Checks { results: checks, usage: used } = match self.check_criteria(&artifact, &files) {
            Ok(checks) => checks,
            Err(Interrupted::Stopped) => {
                return Some(self.unfinished(Outcome::Cancelled, files, Some(&exit.ending)));
            }
            Err(Interrupted::LetGo) => return None,
        };
        let place = place_of(self.reading.directory());
        let home = self.workshop.environment.whole().get("HOME");
        let claim =
            Claim { artifact: &artifact, place: &place, home: home.map(String::as_str), is_idle: self.is_idle() };
        let earlier = OnceCell::new();
        // The handoff tells of the whole conversation: what it did in earlier attempts is no lie.
        let look = |path: &str| match earlier.get_or_init(|| self.changed_since_begun(&place)).contains(path) {
            true => Probe::Changed,
            false => claimed_file::look(&place, &files, path, exit.started_ms),
        };
        let mut mismatches = judge(claim, &files, &checks, look);
        if files.paths().next().is_none() && self.commands.borrow().calls().was_all_refused() {
            mismatches.push(Mismatch::WorkRefused);
        }
        // The lies are first, and the files that nobody mentioned may be very many.
        mismatches.sort_by_key(|mismatch| !mismatch.is_doubt());
        mismatches.truncate(FILE_LIMIT);
        let (commands, commands_left_out) = self.commands(Some(&exit.ending));
        let files = files.within(FILE_LIMIT);
        let refused = self.commands.borrow().calls().refused();
        let mut evidence = Evidence { files, commands, commands_left_out, refused, checks, mismatches, ending: None };
        // Where the plan does not go on with such work, this is all that is left of it.
        evidence.ending = evidence.doubt().map(|_| self.ending(Some(&exit.ending)));
        let evidence = Some(evidence).filter(|evidence| self.is_worth_keeping(evidence));
        Some(Proven { outcome: Outcome::Succeeded, artifact: Some(artifact), evidence, used })
    }

    /// Gathers what is known of an attempt that did not succeed, for whoever goes on after it.
    pub(super) fn account_for(&self, outcome: Outcome, ending: Option<&Ending>) -> Proven {
        match ending {
            Some(Ending::NotStarted { .. }) => Proven::nothing(outcome),
            ending => self.unfinished(outcome, self.changes(), ending),
        }
    }

    fn unfinished(&self, outcome: Outcome, files: FileChanges, ending: Option<&Ending>) -> Proven {
        let (commands, commands_left_out) = self.commands(ending);
        let files = files.within(FILE_LIMIT);
        let ending = Some(self.ending(ending));
        let evidence = Evidence { files, commands, commands_left_out, ending, ..Evidence::default() };
        Proven { evidence: Some(evidence), ..Proven::nothing(outcome) }
    }

    /// How its process ended, and what it printed, said and handed over by then.
    fn ending(&self, ending: Option<&Ending>) -> AttemptEnding {
        let (exit_code, signal) = match ending {
            Some(Ending::Exited { code }) => (Some(*code), None),
            Some(Ending::Signalled { signal }) => (None, Some(*signal)),
            Some(Ending::Survived | Ending::NotStarted { .. }) | None => (None, None),
        };
        AttemptEnding { exit_code, signal, output: self.last_output(), outputs: outputs_of(&self.folder) }
    }

    /// What an agent said last, or else the end of standard output, and the end of standard error below it. Protocols
    /// of agents and tools are nothing to read.
    fn last_output(&self) -> String {
        let speaks_a_protocol = match &self.reading.agent {
            Some(agent) => agent.log_format() != LogFormat::Plain,
            None => self.node.kind.is_done_by_tools(),
        };
        let said = match speaks_a_protocol {
            true => self.last_words.borrow().text().to_owned(),
            false => end_of_stream(&self.folder, baton_keeper::STDOUT),
        };
        let complained = end_of_stream(&self.folder, baton_keeper::STDERR);
        let parts = [said, complained];
        parts.iter().filter(|part| !part.trim().is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Short commands that touch nothing leave nothing: there may be thousands of them.
    fn is_worth_keeping(&self, evidence: &Evidence) -> bool {
        let says_something = evidence.files.paths().next().is_some() || !evidence.checks.is_empty();
        self.node.kind.agent().is_some() || says_something
    }

    /// What the agent ran, or what the node is.
    fn commands(&self, ending: Option<&Ending>) -> (Vec<CommandRun>, u32) {
        if let (NodeKind::Command(_), Some(Ending::Exited { code })) = (&self.node.kind, ending) {
            let command = self.reading.told().lines().next().unwrap_or_default().chars().take(500).collect();
            return (vec![CommandRun { command, end: CommandEnd::Exited { code: *code } }], 0);
        }
        let (commands, left_out) = self.commands.borrow().told();
        debug_assert!(commands.len() <= COMMAND_LIMIT, "the log is bounded");
        (commands, left_out)
    }

    /// Keeps how the files are before the work begins. Of a command outside of git only in memory: with many short
    /// ones each file counts, and after a crash it is not known.
    pub(super) fn remember_files(&self) -> io::Result<()> {
        let before = self.workshop.snapshots.look(self.reading.directory(), self.care());
        if self.care() == Care::Agent || matches!(before, Before::Git { .. }) {
            fs::write(self.folder.join(FILES_BEFORE), serde_json::to_vec(&before)?)?;
        }
        self.before.replace(Some(before));
        self.remember_the_beginning()
    }

    /// Of a session that goes on, also how the files were when it began: in the attempt whose session this one follows.
    fn remember_the_beginning(&self) -> io::Result<()> {
        let Some(follows) = self.job.follows else { return Ok(()) };
        let earlier = session_folder(&self.workshop.data_directory, follows);
        let kept = [FILES_BEGUN, FILES_BEFORE].into_iter().find_map(|name| fs::read(earlier.join(name)).ok());
        kept.map_or(Ok(()), |before| fs::write(self.folder.join(FILES_BEGUN), before))
    }

    /// What changed since the conversation began, whoever did it: absolute paths.
    fn changed_since_begun(&self, place: &Place) -> HashSet<String> {
        let kept = fs::read(self.folder.join(FILES_BEGUN)).ok();
        let Some(before) = kept.and_then(|bytes| serde_json::from_slice::<Before>(&bytes).ok()) else {
            return HashSet::new();
        };
        let changes = self.workshop.snapshots.since(self.reading.directory(), &before, self.care());
        changes.paths().map(|path| place.absolute(path)).collect()
    }

    fn changes(&self) -> FileChanges {
        let kept = || {
            let bytes = fs::read(self.folder.join(FILES_BEFORE)).ok()?;
            serde_json::from_slice::<Before>(&bytes).ok()
        };
        let beside = self.presence.as_ref().map(Presence::met).unwrap_or_default();
        match self.before.borrow_mut().take().or_else(kept) {
            Some(before) => {
                let changes = self.workshop.snapshots.since(self.reading.directory(), &before, self.care());
                FileChanges { beside, ..changes }
            }
            None => {
                let reason = "how the files were before is not known: Baton was not there when it began".to_owned();
                FileChanges { source: FileSource::Unknown { reason }, beside, ..FileChanges::default() }
            }
        }
    }

    fn care(&self) -> Care {
        if self.node.kind.agent().is_some() { Care::Agent } else { Care::Command }
    }

    /// A session that looks at the work of this one, in a folder of its own.
    pub(super) fn below<'b>(
        &'b self,
        folder: std::path::PathBuf,
        node: &'b Node,
        reading: Reading,
        live: std::sync::Arc<Live>,
        report: &'b dyn Fn(Report),
    ) -> Session<'b> {
        let output = std::cell::RefCell::new(super::Output::new(&folder, &live));
        Session {
            workshop: self.workshop,
            job: self.job,
            node,
            folder,
            reading,
            live,
            output,
            spent: std::cell::Cell::default(),
            commands: std::cell::RefCell::default(),
            last_words: std::cell::RefCell::default(),
            answers: std::cell::RefCell::default(),
            before: std::cell::RefCell::default(),
            presence: None,
            report,
        }
    }
}
