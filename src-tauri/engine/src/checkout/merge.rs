//! Merges without touching files: `git merge-tree` (git 2.38).

use std::collections::BTreeMap;

use baton_model::run::{ConflictFile, ConflictKind};
use serde::{Deserialize, Serialize};

use super::{CheckoutError, Repository};
use crate::git::GitError;
use crate::git_checkpoint::line;

/// The versions of the conflicting files: by path and stage (1 base, 2 ours, 3 theirs), mode and
/// object.
pub(crate) type Stages = BTreeMap<String, BTreeMap<u8, (String, String)>>;

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Merged {
    /// The files. Conflicting ones contain markers.
    pub(crate) tree: String,
    /// The conflicts, sorted by path; empty for a clean merge.
    pub(crate) files: Vec<ConflictFile>,
    /// The versions of the conflicting files.
    pub(crate) stages: Stages,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Side {
    /// The result of the merge so far.
    Ours,
    /// The work that is being merged.
    Theirs,
}

impl Repository {
    /// Merges two commits into a tree without a commit.
    pub(crate) fn merge(&self, ours: &str, theirs: &str) -> Result<Merged, CheckoutError> {
        // Markers show the names that were given; a commit id means nothing to a person, but the
        // window adds the titles.
        let asked = [
            "merge-tree",
            "--write-tree",
            "-z",
            "--allow-unrelated-histories",
            ours,
            theirs,
        ];
        match self.git().run_predicate(&asked) {
            Ok((clean, output)) => Ok(read(&output, clean)),
            // Before 2.38, `merge-tree` was another command that takes three trees and no options.
            Err(GitError::Refused {
                code: Some(129), ..
            }) => {
                let version = line(&self.git().run(&["version"])?);
                Err(CheckoutError::OldGit {
                    found: version.trim_start_matches("git version ").to_owned(),
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The tree of a merge in which every conflicting file is the version of one side.
    pub(crate) fn take(
        &self,
        tree: &str,
        stages: &Stages,
        side: Side,
    ) -> Result<String, CheckoutError> {
        let folder = tempfile::Builder::new().prefix("baton-git-").tempdir()?;
        let git = self.git().with_index(&folder.path().join("index"));
        git.run(&["read-tree", tree])?;
        let stage = if side == Side::Ours { 2 } else { 3 };
        let orders = stages
            .iter()
            .map(|(path, stages)| match stages.get(&stage) {
                Some((mode, object)) => format!("{mode} {object}\t{path}\0"),
                None => format!("0 {}\t{path}\0", "0".repeat(40)),
            });
        git.run_with_input(
            &["update-index", "-z", "--add", "--replace", "--index-info"],
            orders.collect::<String>().into_bytes(),
        )?;
        Ok(line(&git.run(&["write-tree", "--missing-ok"])?))
    }
}

/// Parses the tree, the stages of conflicting files, and the messages: git-merge-tree(1), "OUTPUT",
/// with `-z`.
fn read(output: &[u8], clean: bool) -> Merged {
    let text = String::from_utf8_lossy(output);
    let mut parts = text.split('\0');
    let mut merged = Merged {
        tree: parts.next().unwrap_or_default().trim().to_owned(),
        ..Merged::default()
    };
    if clean {
        return merged;
    }
    for entry in parts.by_ref().take_while(|entry| !entry.is_empty()) {
        let Some((facts, path)) = entry.split_once('\t') else {
            continue;
        };
        if let [mode, object, stage] = facts.split(' ').collect::<Vec<_>>()[..]
            && let Ok(stage) = stage.parse()
        {
            let stages = merged.stages.entry(path.to_owned()).or_default();
            stages.insert(stage, (mode.to_owned(), object.to_owned()));
        }
    }
    let mut kinds: BTreeMap<&str, ConflictKind> = BTreeMap::new();
    while let Some(count) = parts.next().and_then(|count| count.parse::<usize>().ok()) {
        let paths: Vec<&str> = parts.by_ref().take(count).collect();
        let (kind, _message) = (parts.next().unwrap_or_default(), parts.next());
        if let Some(kind) = kind_of(kind) {
            // Git first reports the kind of conflict, and then that the lines were not merged.
            paths
                .into_iter()
                .for_each(|path| _ = kinds.entry(path).or_insert(kind));
        }
    }
    let kind = |path: &String| {
        kinds
            .get(path.as_str())
            .copied()
            .unwrap_or(ConflictKind::Other)
    };
    merged.files = merged
        .stages
        .keys()
        .map(|path| ConflictFile {
            path: path.clone(),
            kind: kind(path),
        })
        .collect();
    merged
}

/// The kind of a conflict from git's stable identifier; `None` for other messages.
fn kind_of(word: &str) -> Option<ConflictKind> {
    match word {
        "CONFLICT (contents)" | "CONFLICT (content)" => Some(ConflictKind::Lines),
        "CONFLICT (binary)" => Some(ConflictKind::Binary),
        "CONFLICT (modify/delete)" | "CONFLICT (rename/delete)" => Some(ConflictKind::Deleted),
        other => other.starts_with("CONFLICT").then_some(ConflictKind::Other),
    }
}
