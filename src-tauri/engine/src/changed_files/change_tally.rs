//! Records the changes of one attempt, separate from changes while others worked as well.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::file_state::{FileState, Touch};
use super::tree::Change;

/// The changes of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// What changed while no other attempt worked.
    own: BTreeMap<String, Step>,
    /// What changed while other attempts worked as well.
    shared: BTreeMap<String, Step>,
    /// The titles of those other attempts.
    pub(crate) met: BTreeSet<String>,
    /// The commit that was checked out at the beginning.
    pub(crate) head: Option<String>,
    /// Why the changes are not known.
    pub(crate) unknown: Option<String>,
    cuts: u64,
}

/// The file's state before its first change, and after its last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Step {
    before: Option<FileState>,
    after: Option<FileState>,
    cut: u64,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Created,
    Changed,
    Deleted,
}

/// A file that differs from the beginning of the attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Net {
    pub(crate) kind: Kind,
    /// Its state at the beginning.
    pub(crate) before: Option<FileState>,
    /// Its type and execute bit, if it exists and was read.
    pub(crate) mode: Option<u32>,
    /// Whether other attempts worked in the directory when it changed.
    pub(crate) is_shared: bool,
}

impl Tally {
    /// The changes of an attempt that are unknown for this reason.
    pub(crate) fn unknown(reason: String) -> Self {
        Self {
            unknown: Some(reason),
            ..Self::default()
        }
    }

    /// Adds the changes since the last call; `alone` says whether no other attempt worked
    /// meanwhile.
    pub(crate) fn add(&mut self, changes: &[Change], alone: bool) {
        self.cuts += 1;
        let cut = self.cuts;
        let steps = if alone {
            &mut self.own
        } else {
            &mut self.shared
        };
        for Change {
            path,
            before,
            after,
        } in changes
        {
            let step = Step {
                before: *before,
                after: *after,
                cut,
            };
            let entry = steps.entry(path.clone()).or_insert(step);
            (entry.after, entry.cut) = (*after, cut);
        }
    }

    /// The files that differ from the beginning of the attempt.
    pub(crate) fn net(&self) -> BTreeMap<String, Net> {
        let mut net = BTreeMap::new();
        for (path, step) in &self.shared {
            net.extend(step.net(true).map(|net| (path.clone(), net)));
        }
        for (path, step) in &self.own {
            let Some(own) = step.net(false) else { continue };
            // Another attempt may have removed later what this one wrote.
            let is_undone = self.shared.get(path).is_some_and(|later| {
                later.cut > step.cut && later.after.is_some() != step.after.is_some()
            });
            if !is_undone {
                net.insert(path.clone(), own);
            }
        }
        net
    }

    /// The files that were created and removed again.
    pub(crate) fn transient(&self) -> impl Iterator<Item = &str> {
        let is_passing = |step: &Step| step.before.is_none() && step.after.is_none();
        let steps = self.own.iter().chain(&self.shared);
        steps
            .filter(move |(_, step)| is_passing(step))
            .map(|(path, _)| path.as_str())
    }
}

impl Step {
    fn net(&self, is_shared: bool) -> Option<Net> {
        let mode = self
            .after
            .as_ref()
            .and_then(FileState::facts)
            .map(|facts| facts.mode);
        self.kind().map(|kind| Net {
            kind,
            before: self.before,
            mode,
            is_shared,
        })
    }

    fn kind(&self) -> Option<Kind> {
        match (&self.before, &self.after) {
            (None, None) => None,
            (None, Some(_)) => Some(Kind::Created),
            (Some(_), None) => Some(Kind::Deleted),
            (before, after) => FileState::differs(before.as_ref(), after.as_ref(), Touch::Written)
                .then_some(Kind::Changed),
        }
    }
}
