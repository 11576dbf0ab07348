//! Work that was merged into the plan's directory, and undoing it.
//!
//! Each merge leaves references below `refs/baton/runs/<run>/brought/<act>/`: `after` (the planned
//! result, and whose work it is), `here` (the directory as the run knew it), `before` (its files,
//! right before the first write), `done`, and `undone` once it was undone. A merge with `before`
//! and without `done` was interrupted by a crash: repeating it completes it, undoing it reverts
//! what was written.

use std::collections::BTreeMap;

use baton_model::Timestamp;

use super::{CheckoutError, FileDelta, Repository};

/// Work that was merged into the plan's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedMerge {
    /// Identifies the merge: the session of the shared node that received the work, or a new id.
    pub act: String,
    /// When the merge was applied.
    pub at: Timestamp,
    /// The titles of the nodes whose work it is.
    pub titles: Vec<String>,
    /// The files that it changed.
    pub files: Vec<FileDelta>,
    /// A crash may have interrupted it.
    pub unfinished: bool,
    /// A person has undone it.
    pub undone: bool,
}

/// A merge of work into the directory.
#[derive(Debug, Clone, Copy)]
pub(super) struct MergeAct<'a> {
    /// The directory before the merge.
    pub(super) here: &'a str,
    /// The directory after the merge.
    pub(super) merged: &'a str,
    /// The id of the merge.
    pub(super) name: &'a str,
    /// The titles of the nodes whose work it is.
    pub(super) titles: &'a [String],
}

impl Repository {
    /// Writes the merge to the plan's directory, if its files still match `here`.
    pub(super) fn apply_merge(&self, act: &MergeAct<'_>) -> Result<(), CheckoutError> {
        let tree = self.tree_of(act.merged)?;
        if self.tree_of(act.here)? != tree {
            let note = self.commit(&tree, &[act.merged.to_owned()], &message(act.titles))?;
            self.set_ref(&reference_name(act.name, "after"), &note)?;
            self.set_ref(&reference_name(act.name, "here"), act.here)?;
        }
        let undo = format!("{}/{}", self.prefix(), reference_name(act.name, "before"));
        if let Err(error) = self.write_to_directory(act.here, act.merged, &undo) {
            // Git checks all files before it writes one, so nothing was written.
            self.forget(act.name)?;
            return Err(error);
        }
        // This also completes what a crash interrupted earlier.
        for (name, parts) in self
            .acts()?
            .into_iter()
            .filter(|(_, parts)| is_unfinished(parts))
        {
            self.set_ref(
                &reference_name(&name, "done"),
                parts.get("after").map_or(act.merged, String::as_str),
            )?;
        }
        Ok(())
    }

    /// The merges into the directory, latest first.
    pub(super) fn applied_merges(&self) -> Result<Vec<AppliedMerge>, CheckoutError> {
        let mut listed: Vec<AppliedMerge> = Vec::new();
        for (act, parts) in self.acts()? {
            let (Some(before), Some(after)) = (parts.get("before"), parts.get("after")) else {
                continue;
            };
            let output = self.git().run(&[
                "log",
                "-1",
                "--no-show-signature",
                "--format=%ct%n%b",
                after,
            ])?;
            let output = String::from_utf8_lossy(&output);
            let mut lines = output.lines();
            let seconds: i64 = lines
                .next()
                .and_then(|line| line.parse().ok())
                .unwrap_or_default();
            listed.push(AppliedMerge {
                at: Timestamp(seconds * 1000),
                titles: lines
                    .filter(|line| !line.is_empty())
                    .map(str::to_owned)
                    .collect(),
                files: self.differences(before, after)?,
                unfinished: is_unfinished(&parts),
                undone: parts.contains_key("undone"),
                act,
            });
        }
        listed.sort_by(|one, other| (other.at, &other.act).cmp(&(one.at, &one.act)));
        Ok(listed)
    }

    /// Undoes a merge: its files return to their earlier state, and later changes in them are kept
    /// where they do not conflict.
    pub(super) fn undo_merge(
        &self,
        act: &str,
        undo: &str,
    ) -> Result<Vec<FileDelta>, CheckoutError> {
        let unknown = || CheckoutError::NothingBrought {
            act: act.to_owned(),
        };
        let acts = self.acts()?;
        let parts = acts
            .get(act)
            .filter(|parts| !parts.contains_key("undone"))
            .ok_or_else(unknown)?;
        let [before, after, here] =
            ["before", "after", "here"].map(|name| parts.get(name).ok_or_else(unknown));
        let (before, after, here) = (before?, after?, here?);
        let now = self.commit_directory()?;
        // A merge whose common ancestor is the applied work: what git calls a revert.
        let applied = self.commit(&self.tree_of(after)?, &[], "Baton: the merged work")?;
        let mine = self.commit(
            &self.tree_of(&now)?,
            std::slice::from_ref(&applied),
            "Baton: the current directory",
        )?;
        let back = self.commit(
            &self.tree_of(before)?,
            std::slice::from_ref(&applied),
            "Baton: directory before the merge",
        )?;
        let merged = self.merge(&mine, &back)?;
        if !merged.files.is_empty() {
            let files = merged
                .files
                .into_iter()
                .map(|file| file.path)
                .collect::<Vec<_>>()
                .join(", ");
            return Err(CheckoutError::ChangedSince { files });
        }
        // The chain continues from before the merge, or else a later merge would consider the work
        // present.
        let after = self.commit(
            &merged.tree,
            std::slice::from_ref(here),
            "Baton: the plan's directory",
        )?;
        let files = self.differences(&now, &after)?;
        self.write_to_directory(
            &now,
            &after,
            &format!("{}/{}", self.prefix(), reference_name(act, undo)),
        )?;
        self.set_ref(super::repository::DIRECTORY, &after)?;
        self.set_ref(&reference_name(act, "undone"), &after)?;
        Ok(files)
    }

    fn forget(&self, act: &str) -> Result<(), CheckoutError> {
        for name in ["before", "after", "here"] {
            let reference = format!("refs/baton/{}/{}", self.prefix(), reference_name(act, name));
            self.git().run(&["update-ref", "-d", &reference])?;
        }
        Ok(())
    }

    /// The references of each merge, by merge id, then by name.
    fn acts(&self) -> Result<BTreeMap<String, BTreeMap<String, String>>, CheckoutError> {
        let folder = format!("refs/baton/{}/brought/", self.prefix());
        let output =
            self.git()
                .run(&["for-each-ref", "--format=%(objectname) %(refname)", &folder])?;
        let mut acts: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&output).lines() {
            let named = line
                .split_once(' ')
                .and_then(|(commit, name)| Some((commit, name.strip_prefix(&folder)?)));
            if let Some((commit, (act, part))) =
                named.and_then(|(commit, name)| Some((commit, name.split_once('/')?)))
            {
                acts.entry(act.to_owned())
                    .or_default()
                    .insert(part.to_owned(), commit.to_owned());
            }
        }
        Ok(acts)
    }
}

/// Returns whether some, but not all, files may have been written.
fn is_unfinished(parts: &BTreeMap<String, String>) -> bool {
    parts.contains_key("before") && !parts.contains_key("done") && !parts.contains_key("undone")
}

fn reference_name(act: &str, name: &str) -> String {
    format!("brought/{act}/{name}")
}

/// One title per line, so that they can be parsed again.
fn message(titles: &[String]) -> String {
    let lines: Vec<String> = titles
        .iter()
        .map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    format!(
        "Baton: work merged into the plan's directory\n\n{}",
        lines.join("\n")
    )
}
