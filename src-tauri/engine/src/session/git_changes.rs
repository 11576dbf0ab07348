//! Compares what git runs in the repository of an attempt: before it begins, and after all of its
//! work has ended.

use std::io;

use baton_model::evidence::GIT_CHANGE_LIMIT;
use baton_model::run::Event;
use baton_model::{Attempt, Evidence};
use baton_store::{Store, StoreError};

use super::Session;
use crate::git_programs::{Record, RecordedChange, with_earlier};
use crate::session_folder::session_folder;

impl Session<'_> {
    /// Records what git runs now.
    pub(super) fn begin_git(&self) -> io::Result<()> {
        self.git.replace(Some(Record::begin(
            &self.folder,
            self.prepared.directory(),
        )?));
        Ok(())
    }

    /// Uses the state that another process recorded when it started the session.
    pub(super) fn adopt_git(&self) {
        if !self.is_read_only {
            self.git.replace(Some(Record::adopt(&self.folder)));
        }
    }

    /// The part of the evidence that lists changes of git settings and hooks.
    pub(super) fn git_evidence(&self) -> Evidence {
        let changes = self.git_changes();
        let secrets = self.secrets();
        let mask = |text: &str| secrets.mask_text(text).into_owned();
        let shown = changes
            .iter()
            .take(GIT_CHANGE_LIMIT)
            .map(|change| change.masked(mask))
            .collect();
        let left_out =
            u32::try_from(changes.len().saturating_sub(GIT_CHANGE_LIMIT)).unwrap_or(u32::MAX);
        Evidence {
            git_changes: shown,
            git_changes_left_out: left_out,
            ..Evidence::default()
        }
    }

    /// The same if nothing else is known of the attempt.
    pub(super) fn git_evidence_alone(&self) -> Option<Evidence> {
        Some(self.git_evidence()).filter(|evidence| !evidence.git_changes.is_empty())
    }

    /// The current changes, including those of earlier attempts of the node that remain.
    pub(super) fn git_changes(&self) -> Vec<RecordedChange> {
        let Some(record) = &*self.git.borrow() else {
            return Vec::new();
        };
        record.compare(self.prepared.directory(), |changes| {
            with_earlier(changes, self.earlier_changes())
        })
    }

    /// The changes by earlier attempts of the node that no person has accepted since, latest first.
    fn earlier_changes(&self) -> Vec<RecordedChange> {
        if self.job.attempt <= Attempt(1) {
            return Vec::new();
        }
        let Some(executor) = self.services.executor() else {
            return Vec::new();
        };
        self.changes_in(executor.store()).unwrap_or_else(|error| {
            tracing::warn!(session = %self.job.session, %error, "couldn't read the changes of earlier attempts");
            Vec::new()
        })
    }

    fn changes_in(&self, store: &Store) -> Result<Vec<RecordedChange>, StoreError> {
        let (run, node) = (self.job.run.run, self.job.node);
        let accepted = accepted_until(store, run, node)?;
        let attempts = store.attempts().list(run, node)?;
        let earlier = attempts
            .into_iter()
            .rev()
            .filter(|row| accepted < row.attempt && row.attempt < self.job.attempt);
        let folder = |session| session_folder(&self.services.data_directory, session);
        Ok(earlier
            .flat_map(|row| Record::changes(&folder(row.session)))
            .collect())
    }
}

/// The last attempt that a person accepted as it was.
fn accepted_until(
    store: &Store,
    run: baton_model::RunId,
    node: baton_model::NodeId,
) -> Result<Attempt, StoreError> {
    let (mut latest, mut accepted) = (Attempt(0), Attempt(0));
    for stored in store.run_events().list_for_node(run, node)? {
        match stored.event {
            Event::NodeReserved { attempt, .. } => latest = attempt,
            Event::NodeAccepted { .. } => accepted = latest,
            _ => {}
        }
    }
    Ok(accepted)
}
