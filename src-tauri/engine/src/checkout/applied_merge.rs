//! What was brought into the plan's directory, and taking it back.
//!
//! Each act leaves references below `refs/baton/runs/<run>/brought/<act>/`: `after` (what was to come, and whose work it is), `here`
//! (the directory as the run knew it), `before` (its files, right before one was written), `done`, and `undone` when it was taken back. An
//! act with `before` and without `done` was cut off by a crash: doing it again completes it, taking it back undoes what was written.

use std::collections::BTreeMap;

use baton_model::Timestamp;

use super::{CheckoutError, FileDelta, Repository};

/// Work that was brought into the plan's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedMerge {
    /// The act: the session of the shared node that received the work, or an id of its own.
    pub act: String,
    /// When.
    pub at: Timestamp,
    /// Whose work it is.
    pub titles: Vec<String>,
    /// What it changed.
    pub files: Vec<FileDelta>,
    /// A crash may have cut it off.
    pub unfinished: bool,
    /// It was taken back.
    pub undone: bool,
}

/// One act of bringing work into the directory.
#[derive(Debug, Clone, Copy)]
pub(super) struct MergeAct<'a> {
    /// The directory as it is.
    pub(super) here: &'a str,
    /// The directory as it will be.
    pub(super) merged: &'a str,
    /// What the act is called.
    pub(super) name: &'a str,
    /// Whose work it is.
    pub(super) titles: &'a [String],
}

impl Repository {
    /// Makes the files of the plan's directory those of the act, if they are still what it took them for.
    pub(super) fn apply_merge(&self, act: &MergeAct<'_>) -> Result<(), CheckoutError> {
        let tree = self.tree_of(act.merged)?;
        if self.tree_of(act.here)? != tree {
            let note = self.commit(&tree, &[act.merged.to_owned()], &message(act.titles))?;
            self.set_ref(&part(act.name, "after"), &note)?;
            self.set_ref(&part(act.name, "here"), act.here)?;
        }
        let undo = format!("{}/{}", self.prefix(), part(act.name, "before"));
        if let Err(error) = self.write_to_directory(act.here, act.merged, &undo) {
            // Git looks at all files before it writes one, so nothing has begun.
            self.forget(act.name)?;
            return Err(error);
        }
        // Also what a crash cut off earlier is complete now.
        for (name, parts) in self
            .acts()?
            .into_iter()
            .filter(|(_, parts)| is_unfinished(parts))
        {
            self.set_ref(
                &part(&name, "done"),
                parts.get("after").map_or(act.merged, String::as_str),
            )?;
        }
        Ok(())
    }

    /// What was brought into the directory, the latest first.
    pub(super) fn applied_merges(&self) -> Result<Vec<AppliedMerge>, CheckoutError> {
        let mut listed: Vec<AppliedMerge> = Vec::new();
        for (act, parts) in self.acts()? {
            let (Some(before), Some(after)) = (parts.get("before"), parts.get("after")) else {
                continue;
            };
            let told = self.git().run(&[
                "log",
                "-1",
                "--no-show-signature",
                "--format=%ct%n%b",
                after,
            ])?;
            let told = String::from_utf8_lossy(&told);
            let mut lines = told.lines();
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

    /// Takes an act back: the files become what they were before it, and keep what was changed in them since where that fits.
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
        // A merge whose common ancestor is what came: what git calls a revert.
        let came = self.commit(&self.tree_of(after)?, &[], "Baton: what came")?;
        let mine = self.commit(
            &self.tree_of(&now)?,
            std::slice::from_ref(&came),
            "Baton: the directory as it is",
        )?;
        let back = self.commit(
            &self.tree_of(before)?,
            std::slice::from_ref(&came),
            "Baton: the directory before",
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
        // The chain goes on from before the act: else a merge would take the work for what is there already.
        let after = self.commit(
            &merged.tree,
            std::slice::from_ref(here),
            "Baton: the plan's directory",
        )?;
        let files = self.differences(&now, &after)?;
        self.write_to_directory(
            &now,
            &after,
            &format!("{}/{}", self.prefix(), part(act, undo)),
        )?;
        self.set_ref(super::repository::DIRECTORY, &after)?;
        self.set_ref(&part(act, "undone"), &after)?;
        Ok(files)
    }

    fn forget(&self, act: &str) -> Result<(), CheckoutError> {
        for name in ["before", "after", "here"] {
            let reference = format!("refs/baton/{}/{}", self.prefix(), part(act, name));
            self.git().run(&["update-ref", "-d", &reference])?;
        }
        Ok(())
    }

    /// The references of each act, by its name and theirs.
    fn acts(&self) -> Result<BTreeMap<String, BTreeMap<String, String>>, CheckoutError> {
        let folder = format!("refs/baton/{}/brought/", self.prefix());
        let told =
            self.git()
                .run(&["for-each-ref", "--format=%(objectname) %(refname)", &folder])?;
        let mut acts: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&told).lines() {
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

/// Whether files may have been written, and not all of them.
fn is_unfinished(parts: &BTreeMap<String, String>) -> bool {
    parts.contains_key("before") && !parts.contains_key("done") && !parts.contains_key("undone")
}

fn part(act: &str, name: &str) -> String {
    format!("brought/{act}/{name}")
}

/// Titles one a line, so that they can be read again.
fn message(titles: &[String]) -> String {
    let lines: Vec<String> = titles
        .iter()
        .map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    format!(
        "Baton: work that came into the plan's directory\n\n{}",
        lines.join("\n")
    )
}
