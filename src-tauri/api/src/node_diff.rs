//! What a node changed, line by line, and sending a person's comments on it to the node's agent.

use std::collections::BTreeSet;
use std::path::PathBuf;

use baton_engine::{
    AttemptWork, CheckoutError, DirectoryWork, FileDiff, FileDiffContent, NodeDiff, directory_diff,
    worktree_diff,
};
use baton_model::evidence::FileSource;
use baton_model::{Attempt, Isolation, Run};
use baton_store::AttemptRow;

use crate::merge_back::file_delta_view;
use crate::wire::*;
use crate::{ApiError, App, Code, conversations, sessions};

/// Shows the changes of a node.
pub(crate) fn get(app: &App, input: NodeDiffQuery) -> Result<NodeDiffView, ApiError> {
    let attempts = app.store.attempts().list(input.run, input.node)?;
    let shown = find_attempt(&attempts, input.attempt)?;
    let (run, _) = app.store.runs().replay(input.run)?;
    let (basis, diff, beside) = if is_isolated(&run, &input)? {
        let diff = in_worktree(app, &run, &input, (&attempts, shown))?;
        let basis = match input.since {
            Some(_) => DiffBasis::Attempt,
            None => DiffBasis::Worktree,
        };
        (basis, diff, Vec::new())
    } else {
        let (diff, beside) = in_directory(app, &input, (&attempts, shown))?;
        (DiffBasis::Directory, diff, beside)
    };
    Ok(view(shown, basis, diff, beside))
}

/// Sends the comments of a review as one message.
pub(crate) fn review(app: &App, input: NodeReview) -> Result<RunSummary, ApiError> {
    if input.review.is_empty() {
        return Err(ApiError::new(Code::BadInput, "the review is empty")
            .with_fix("write at least one comment"));
    }
    if input
        .review
        .comments
        .iter()
        .any(|comment| comment.text.trim().is_empty())
    {
        return Err(ApiError::new(Code::BadInput, "a comment has no text")
            .with_fix("write what should change, or remove the comment"));
    }
    let message = NodeContinue {
        run: input.run,
        node: input.node,
        session: input.session,
        message: input.review.to_markdown(),
    };
    conversations::continue_node(app, message)
}

fn find_attempt(attempts: &[AttemptRow], wanted: Option<Attempt>) -> Result<&AttemptRow, ApiError> {
    let found = attempts
        .iter()
        .rfind(|row| wanted.is_none_or(|wanted| row.attempt == wanted));
    found.ok_or_else(|| match wanted {
        Some(_) => ApiError::new(Code::NotFound, "the node has no such attempt"),
        None => ApiError::new(Code::NotFound, "the node has no attempt yet")
            .with_fix("wait until the node has started"),
    })
}

fn is_isolated(run: &Run, input: &NodeDiffQuery) -> Result<bool, ApiError> {
    let node = run.plan().node(input.node);
    let node = node.ok_or_else(|| ApiError::new(Code::NotFound, "the run has no such node"))?;
    Ok(node.isolation_in(&run.plan().settings) == Isolation::Worktree)
}

fn in_worktree(
    app: &App,
    run: &Run,
    input: &NodeDiffQuery,
    (attempts, shown): (&[AttemptRow], &AttemptRow),
) -> Result<NodeDiff, ApiError> {
    let since = input
        .since
        .map(|since| find_attempt(attempts, Some(since)))
        .transpose()?;
    let work = AttemptWork {
        node: input.node,
        session: shown.session,
        since: since.map(|row| row.session),
        is_latest: attempts.last() == Some(shown),
    };
    let only = input.path.as_deref();
    let diff = worktree_diff(run, app.store.data_dir(), work, only).map_err(refused)?;
    diff.ok_or_else(|| {
        ApiError::new(
            Code::NotFound,
            "the files of this attempt were not stored: it ended before it changed any",
        )
    })
}

/// The changes of all attempts up to `shown`, and the titles of nodes beside it.
fn in_directory(
    app: &App,
    input: &NodeDiffQuery,
    (attempts, shown): (&[AttemptRow], &AttemptRow),
) -> Result<(NodeDiff, Vec<String>), ApiError> {
    if input.since.is_some() {
        let message = "attempts can be compared only if the node has its own worktree";
        return Err(ApiError::new(Code::BadInput, message)
            .with_fix("set the node's isolation to worktree, or omit the earlier attempt"));
    }
    let mut known: Option<DirectoryWork> = None;
    let (mut beside, mut reason) = (BTreeSet::new(), None);
    for row in attempts.iter().filter(|row| row.attempt <= shown.attempt) {
        let evidence = app
            .store
            .evidence()
            .get(input.run, input.node, row.attempt)?;
        let Some(files) = evidence.map(|row| row.content.files) else {
            continue;
        };
        beside.extend(files.beside);
        match (&files.source, files.base) {
            (FileSource::Git, Some(base)) => {
                let session = row.session;
                let directory = sessions::get(app, SessionRef { session })?.cwd;
                let work = known.get_or_insert_with(|| DirectoryWork {
                    directory: PathBuf::from(directory),
                    base,
                    own: BTreeSet::new(),
                    shared: BTreeSet::new(),
                });
                let own = [files.created, files.changed, files.deleted];
                work.own.extend(own.into_iter().flatten());
                work.shared.extend(files.shared);
            }
            (source, _) => reason = Some(unknown_reason(source)),
        }
    }
    let beside = beside.into_iter().collect();
    let Some(work) = known else {
        return match reason {
            Some(reason) => Err(ApiError::new(Code::Refused, reason)
                .with_fix("run `git init` in the directory, or give the node its own worktree")),
            None if shown.outcome.is_none() => Err(still_running()),
            // An attempt that changed nothing may leave no evidence.
            None => Ok((NodeDiff::default(), beside)),
        };
    };
    let only = input.path.as_deref();
    let diff = directory_diff(input.run, app.store.data_dir(), &work, only).map_err(refused)?;
    Ok((diff, beside))
}

fn unknown_reason(source: &FileSource) -> String {
    match source {
        FileSource::Unknown { reason } => format!("the changes are unknown: {reason}"),
        FileSource::Directory => {
            "the node's directory is not a git repository, so only the names of changed files are known"
                .to_owned()
        }
        FileSource::Git => "this run was executed by an earlier version of Baton".to_owned(),
    }
}

fn still_running() -> ApiError {
    let message = "the changes of a node in the plan's directory are known when it has ended";
    ApiError::new(Code::NotFound, message).with_fix("wait until the node ends")
}

fn view(shown: &AttemptRow, basis: DiffBasis, diff: NodeDiff, beside: Vec<String>) -> NodeDiffView {
    NodeDiffView {
        attempt: shown.attempt,
        session: shown.session,
        basis,
        base: diff.base,
        head: diff.head,
        committed: diff.committed,
        root: diff.root.display().to_string(),
        files: diff.files.into_iter().map(file_view).collect(),
        files_left_out: u32::try_from(diff.left_out).unwrap_or(u32::MAX),
        beside,
    }
}

fn file_view(file: FileDiff) -> FileDiffView {
    let [old_mode, new_mode] = file.modes;
    FileDiffView {
        delta: file_delta_view(file.delta),
        old_mode,
        new_mode,
        shared: file.shared,
        content: match file.content {
            FileDiffContent::Hunks(hunks) => FileDiffContentView::Hunks { hunks },
            FileDiffContent::Binary => FileDiffContentView::Binary,
            FileDiffContent::TooLarge(bytes) => FileDiffContentView::TooLarge { bytes },
            FileDiffContent::NotLoaded => FileDiffContentView::NotLoaded,
            FileDiffContent::Missing => FileDiffContentView::Missing,
        },
    }
}

fn refused(error: CheckoutError) -> ApiError {
    ApiError::new(Code::Refused, error.to_string())
}
