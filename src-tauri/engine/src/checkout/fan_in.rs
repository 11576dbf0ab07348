//! Merging the work of several nodes without touching a file.
//!
//! The merge commit has every source as a parent. So what was merged before, even with a person's
//! help, is known after a crash and is not asked again; and when a parent has been rerun since, the
//! merge is repeated.

use baton_model::run::{Conflict, ConflictFile, MergeDecision, Resolution};
use baton_model::{NodeId, Plan, SessionId};

use super::merge::{Merged, Side};
use super::node_worktree::NodeWorktree;
use super::record::{OpenConflict, Owner, WorktreeRecord};
use super::{CheckoutError, PredictedConflict, Repository, work_commits};
use crate::work_source::WorkSource;

/// How many characters of a commit id are part of a conflict's id.
const NUMBER_LENGTH: usize = 12;

/// A commit, and whose work it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) title: String,
    pub(super) commit: String,
}

/// The receiver of the merge, the worktree for its conflicts, and earlier decisions about these.
#[derive(Debug, Clone, Copy)]
pub(super) struct MergeContext<'a> {
    pub(super) owner: &'a Owner,
    pub(super) repository: &'a Repository,
    pub(super) place: &'a NodeWorktree,
    pub(super) decided: Option<&'a MergeDecision>,
}

/// The result of a merge.
#[derive(Debug)]
pub(super) enum MergeOutcome {
    /// A commit with all of the work.
    Commit(String),
    /// There are conflicts, and a person has to decide.
    Conflict(Box<Conflict>),
    /// There are conflicts, and an agent resolves them in the worktree.
    AgentResolving,
}

/// The commits that the node starts from, in plan order, without those contained in others.
///
/// `here` is the current state of the plan's directory.
pub(super) fn sources(
    known: (&Plan, &[WorkSource]),
    repository: &Repository,
    place: &NodeWorktree,
    here: &str,
) -> Result<Vec<Work>, CheckoutError> {
    works(known, repository, place, (here, work_commits::work_of))
}

/// The same without writing anything, for previews.
pub(super) fn sources_read_only(
    known: (&Plan, &[WorkSource]),
    repository: &Repository,
    place: &NodeWorktree,
    here: &str,
) -> Result<Vec<Work>, CheckoutError> {
    works(
        known,
        repository,
        place,
        (here, work_commits::find_work_commit),
    )
}

/// Finds the work of a session.
type Finder = fn(&Repository, &NodeWorktree, SessionId) -> Result<Option<String>, CheckoutError>;

fn works(
    (plan, sources): (&Plan, &[WorkSource]),
    repository: &Repository,
    place: &NodeWorktree,
    (here, work_of): (&str, Finder),
) -> Result<Vec<Work>, CheckoutError> {
    let mut works: Vec<Work> = Vec::new();
    for source in sources {
        let (title, commit) = match source {
            WorkSource::Directory => ("the plan's directory".to_owned(), here.to_owned()),
            WorkSource::Session { node, session } => {
                let Some(definition) = plan.node(*node) else {
                    continue;
                };
                let theirs = place.of_node(definition);
                let Some(commit) = work_of(repository, &theirs, *session)? else {
                    continue;
                };
                (definition.title.clone(), commit)
            }
        };
        works.push(Work { title, commit });
    }
    if works.is_empty() {
        works.push(Work {
            title: "the plan's directory".to_owned(),
            commit: repository.start()?,
        });
    }
    drop_contained_work(repository, works)
}

pub(super) fn drop_contained_work(
    repository: &Repository,
    works: Vec<Work>,
) -> Result<Vec<Work>, CheckoutError> {
    let mut whole: Vec<Work> = Vec::new();
    for work in works {
        let mut is_part = false;
        for other in &whole {
            is_part |= repository.contains(&other.commit, &work.commit)?;
        }
        if is_part {
            continue;
        }
        let mut kept = Vec::new();
        for other in whole {
            if !repository.contains(&work.commit, &other.commit)? {
                kept.push(other);
            }
        }
        kept.push(work);
        whole = kept;
    }
    Ok(whole)
}

/// Merges `works` one after the other until there is a conflict.
pub(super) fn merge_all(
    context: MergeContext<'_>,
    works: &[Work],
) -> Result<MergeOutcome, CheckoutError> {
    let MergeContext {
        owner, repository, ..
    } = context;
    let [first, rest @ ..] = works else {
        return Ok(MergeOutcome::Commit(repository.start()?));
    };
    if rest.is_empty() {
        return Ok(MergeOutcome::Commit(first.commit.clone()));
    }
    let mut so_far = match find_earlier_merge(context, works)? {
        EarlierMerge::Settled(so_far) => so_far,
        EarlierMerge::Open(open) => return Ok(open),
        EarlierMerge::Nothing => begin(owner.node, repository, works)?,
    };
    for work in works {
        if repository.contains(&so_far.commit, &work.commit)? {
            continue;
        }
        let merged = repository.merge(&so_far.commit, &work.commit)?;
        if !merged.files.is_empty() {
            return open(context, (&so_far, work, merged));
        }
        so_far.add(repository, work, &merged.tree)?;
        repository.set_ref(&reference(owner.node), &so_far.commit)?;
    }
    Ok(MergeOutcome::Commit(so_far.commit))
}

/// Predicts the merge of `works` without storing anything: a commit in which conflicting files have
/// markers, and the list of these files. Earlier resolutions are used.
pub(super) fn predict_merge(
    repository: &Repository,
    node: Option<NodeId>,
    works: &[Work],
) -> Result<(String, Vec<PredictedConflict>), CheckoutError> {
    let mut so_far = begin(node, repository, works)?;
    let mut clashes: Vec<PredictedConflict> = Vec::new();
    for work in works {
        if repository.contains(&so_far.commit, &work.commit)? {
            continue;
        }
        let mut merged = repository.merge(&so_far.commit, &work.commit)?;
        let known = |file: &ConflictFile| {
            clashes
                .iter()
                .any(|clash| clash.files.iter().any(|old| old.path == file.path))
        };
        merged.files.retain(|file| !known(file));
        if !merged.files.is_empty() {
            let (ours, theirs) = (so_far.titles.join(", "), work.title.clone());
            clashes.push(PredictedConflict {
                ours,
                theirs,
                files: merged.files,
            });
        }
        so_far.add(repository, work, &merged.tree)?;
    }
    Ok((so_far.commit, clashes))
}

/// The result of the merge so far.
struct PartialMerge {
    commit: String,
    merges: Vec<String>,
    titles: Vec<String>,
}

impl PartialMerge {
    fn add(
        &mut self,
        repository: &Repository,
        work: &Work,
        tree: &str,
    ) -> Result<(), CheckoutError> {
        self.merges.push(work.commit.clone());
        self.titles.push(work.title.clone());
        self.commit = repository.commit(
            tree,
            &self.merges,
            "Baton: the merged work of several nodes",
        )?;
        Ok(())
    }

    /// Stable: the same for the same work.
    fn id_with(&self, work: &Work) -> String {
        let numbers = self.merges.iter().chain([&work.commit]);
        numbers
            .map(|commit| &commit[..commit.len().min(NUMBER_LENGTH)])
            .collect::<Vec<_>>()
            .join("+")
    }
}

/// The earlier merge, if it contains only what is to be merged now; otherwise the first work.
fn begin(
    node: Option<NodeId>,
    repository: &Repository,
    works: &[Work],
) -> Result<PartialMerge, CheckoutError> {
    // A later commit on top of that merge contains more.
    if let Some(commit) = repository.find_ref(&reference(node))?
        && !repository.contains(&works[0].commit, &commit)?
    {
        let merges = repository.parents_of(&commit)?;
        let titles = titles_of(repository, &merges, works)?;
        if let Some(titles) = titles.filter(|_| merges.len() > 1) {
            return Ok(PartialMerge {
                commit,
                merges,
                titles,
            });
        }
    }
    let first = &works[0];
    Ok(PartialMerge {
        commit: first.commit.clone(),
        merges: vec![first.commit.clone()],
        titles: vec![first.title.clone()],
    })
}

/// The titles of the nodes whose work these commits are; `None` when one of them is no longer in
/// `works`.
fn titles_of(
    repository: &Repository,
    merges: &[String],
    works: &[Work],
) -> Result<Option<Vec<String>>, CheckoutError> {
    let mut titles = Vec::new();
    for merge in merges {
        for work in works {
            if repository.contains(&work.commit, merge)? {
                titles.push(work.title.clone());
                break;
            }
        }
    }
    Ok(Some(titles).filter(|titles| titles.len() == merges.len()))
}

/// The state of a conflict in the worktree.
enum EarlierMerge {
    /// There is none, or its cause is gone.
    Nothing,
    /// It is resolved, and the merge continues from this result.
    Settled(PartialMerge),
    /// It still has to be resolved.
    Open(MergeOutcome),
}

/// Finds the conflict in the worktree. It is not merged again when more work came in meanwhile:
/// someone may have spent an hour on it.
fn find_earlier_merge(
    context: MergeContext<'_>,
    works: &[Work],
) -> Result<EarlierMerge, CheckoutError> {
    let MergeContext {
        owner,
        repository,
        place,
        decided,
    } = context;
    let Some(record) = place.record() else {
        return Ok(EarlierMerge::Nothing);
    };
    let Some(open) = record.open.clone().filter(|_| record.ready) else {
        return Ok(EarlierMerge::Nothing);
    };
    let Some(titles) = titles_of(repository, &open.merges, works)? else {
        return Ok(EarlierMerge::Nothing);
    };
    let decided = decided.filter(|decided| decided.conflict == open.conflict.id);
    let tree = match decided.map(|decided| decided.resolution) {
        None => {
            return Ok(EarlierMerge::Open(MergeOutcome::Conflict(Box::new(
                open.conflict,
            ))));
        }
        Some(Resolution::Agent) => return Ok(EarlierMerge::Open(MergeOutcome::AgentResolving)),
        Some(Resolution::Ours) => repository.take(&open.tree, &open.stages, Side::Ours)?,
        Some(Resolution::Theirs) => repository.take(&open.tree, &open.stages, Side::Theirs)?,
        Some(Resolution::ByHand) => {
            match work_commits::unresolved_files_in(place, &open.conflict) {
                None => work_commits::files(place)?.tree()?,
                still => {
                    let conflict = Conflict {
                        still,
                        ..open.conflict.clone()
                    };
                    // Later readers of the worktree need it as well.
                    let open = OpenConflict {
                        conflict: conflict.clone(),
                        ..open
                    };
                    place.write(&WorktreeRecord {
                        open: Some(open),
                        ..record
                    })?;
                    return Ok(EarlierMerge::Open(MergeOutcome::Conflict(Box::new(
                        conflict,
                    ))));
                }
            }
        }
    };
    let commit = repository.commit(&tree, &open.merges, "Baton: a resolved conflict")?;
    repository.set_ref(&reference(owner.node), &commit)?;
    place.write(&WorktreeRecord {
        open: None,
        ..record
    })?;
    Ok(EarlierMerge::Settled(PartialMerge {
        commit,
        merges: open.merges,
        titles,
    }))
}

/// Writes the conflicting files to the worktree, where they can be resolved.
fn open(
    context: MergeContext<'_>,
    (so_far, work, merged): (&PartialMerge, &Work, Merged),
) -> Result<MergeOutcome, CheckoutError> {
    let MergeContext {
        owner,
        repository,
        place,
        ..
    } = context;
    let conflict = Conflict {
        id: so_far.id_with(work),
        ours: so_far.titles.join(", "),
        theirs: work.title.clone(),
        files: merged.files,
        place: place.path().display().to_string(),
        still: None,
    };
    let merges = so_far
        .merges
        .iter()
        .chain([&work.commit])
        .cloned()
        .collect();
    let open = OpenConflict {
        conflict: conflict.clone(),
        stages: merged.stages,
        tree: merged.tree,
        merges,
    };
    place.open(owner, repository, (&so_far.commit, &open))?;
    Ok(MergeOutcome::Conflict(Box::new(conflict)))
}

/// The reference of the merge before `node`, or of the merge back.
fn reference(node: Option<NodeId>) -> String {
    node.map_or_else(|| "merged/home".to_owned(), |node| format!("merged/{node}"))
}
