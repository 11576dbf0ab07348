//! Operations that open a pull request from the work of a run.

mod facts;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use baton_engine::{
    BranchState, CheckoutError, OpenedPullRequest, ProposedWork, Remote, branch_state,
    create_proposal_branch, earlier_commits, opened_pull_request, proposed_work, push_branch,
    remember_pull_request, remotes,
};
use baton_formats::pull_request::{
    DESCRIPTION_LIMIT, TITLE_LIMIT, branch_name, describe, pull_request_title,
};
use baton_model::visible_text::visible_line;
use baton_model::{NodeId, Run};
use baton_planning::forges::{
    ForgeError, ForgeRepository, ForgeTool, PullRequest, ReadyTool, find_tool,
};

use crate::wire::*;
use crate::{ApiError, App, Code, merge_back};

/// Shows what a pull request would contain. Changes nothing.
pub(crate) fn preview(app: &App, input: PullRequestPreview) -> Result<PullRequestView, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let data = app.store.data_dir();
    let (work, nodes) = work(app, &run)?;
    let known = remotes(&run, data).map_err(refusal)?;
    let remote = chosen(&known, input.remote.as_deref())?;
    let facts = facts::of_run(app, &run)?;
    let branch = given(input.branch).unwrap_or_else(|| branch_name(&facts.title, facts.number));
    let base = given(input.base).unwrap_or_else(|| remote.base.clone());
    let commits = earlier_commits(&run, data, &work, (&remote.name, &base)).map_err(refusal)?;
    let (files, files_left_out) = merge_back::limit_files(work.files.clone());
    Ok(PullRequestView {
        tool: tool_view(app, remote),
        remotes: known.iter().map(|remote| remote.name.clone()).collect(),
        push_address: shown_address(&remote.push_address),
        branch_state: state_view(branch_state(&run, data, &work, &branch).map_err(refusal)?),
        title: pull_request_title(&facts.title),
        description: describe(&facts),
        commits: commits.map(|commits| commits.into_iter().map(commit_view).collect()),
        nodes: nodes.into_iter().collect(),
        files,
        files_left_out,
        push_command: push_command(&work.root, &remote.name, &branch),
        opened: opened_pull_request(&run, data)
            .map_err(refusal)?
            .filter(|opened| is_link(remote, &opened.url))
            .map(|OpenedPullRequest { branch, url }| PullRequestLink { branch, url }),
        remote: remote.name.clone(),
        base,
        branch,
    })
}

/// Creates the branch, pushes it and opens the pull request, or only the first without a program.
pub(crate) fn open(app: &App, input: PullRequestOpen) -> Result<PullRequestResult, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let data = app.store.data_dir();
    let request = request(&input)?;
    let (work, _) = work(app, &run)?;
    if work.files.is_empty() {
        return Err(refusal(CheckoutError::NothingToPropose));
    }
    let known = remotes(&run, data).map_err(refusal)?;
    let remote = chosen(&known, Some(&input.remote))?;
    if shown_address(&remote.push_address) != input.push_address {
        let message = format!("the remote {} leads elsewhere now", remote.name);
        return Err(ApiError::new(Code::Conflict, message).with_fix("look at the preview again"));
    }
    let state = branch_state(&run, data, &work, &request.branch).map_err(refusal)?;
    if state == BranchState::Outdated && !input.update {
        let message = format!("the branch {} already exists", request.branch);
        return Err(ApiError::new(Code::Refused, message)
            .with_fix("update it, or choose another name for the branch"));
    }
    let names = (&request.branch[..], &request.title[..]);
    create_proposal_branch(&run, data, &work, names).map_err(refusal)?;
    let mut result = PullRequestResult {
        branch: request.branch.clone(),
        pushed: false,
        url: None,
        existing: false,
        push_command: push_command(&work.root, &remote.name, &request.branch),
    };
    let Some((repository, tool)) = ready_tool(app, remote) else {
        return Ok(result);
    };
    push_branch(&run, data, &remote.name, &request.branch).map_err(|error| {
        let fix = format!("push it yourself to see why: {}", result.push_command);
        refusal(error).with_fix(fix)
    })?;
    result.pushed = true;
    let (url, existing) = open_or_find(&tool, &repository, &request)?;
    let opened = OpenedPullRequest {
        branch: request.branch,
        url: url.clone(),
    };
    // It is open: that it can't be stored is no reason to report a failure.
    if let Err(error) = remember_pull_request(&run, data, &opened) {
        tracing::warn!(run = %input.run, %error, "couldn't store the address of a pull request");
    }
    Ok(PullRequestResult {
        url: Some(url),
        existing,
        ..result
    })
}

fn open_or_find(
    tool: &ReadyTool,
    repository: &ForgeRepository,
    request: &PullRequest,
) -> Result<(String, bool), ApiError> {
    let failed = |error: ForgeError| {
        let message = format!("the branch was pushed, but {error}");
        ApiError::new(Code::Unavailable, message)
            .with_fix("fix that, then open the pull request again")
    };
    match tool.find_open(repository, request).map_err(failed)? {
        Some(url) => Ok((url, true)),
        None => Ok((tool.open(repository, request).map_err(failed)?, false)),
    }
}

fn request(input: &PullRequestOpen) -> Result<PullRequest, ApiError> {
    let title = visible_line(&input.title);
    let bad = |message: &str, fix: &str| Err(ApiError::new(Code::BadInput, message).with_fix(fix));
    if title.is_empty() {
        return bad("a pull request needs a title", "enter a title");
    }
    if input.base.trim().is_empty() {
        return bad(
            "a pull request needs a base branch",
            "name the branch that it is for",
        );
    }
    if title.chars().count() > TITLE_LIMIT + 1 {
        return bad("the title is too long", "shorten it to 200 characters");
    }
    if input.description.len() > DESCRIPTION_LIMIT {
        return bad("the description is too long", "shorten it to 60,000 bytes");
    }
    Ok(PullRequest {
        branch: input.branch.trim().to_owned(),
        base: input.base.trim().to_owned(),
        title,
        description: input.description.clone(),
        draft: input.draft,
    })
}

/// The work, and the nodes that it is of.
fn work(app: &App, run: &Run) -> Result<(ProposedWork, BTreeSet<NodeId>), ApiError> {
    if run.live_attempts().next().is_some() {
        let message = "nodes of this run are still working";
        return Err(ApiError::new(Code::Refused, message).with_fix("wait until they end"));
    }
    let shared = facts::shared_files(app, run)?;
    let files: Vec<String> = shared.iter().map(|(_, file)| file.clone()).collect();
    let work = proposed_work(run, app.store.data_dir(), &files).map_err(refusal)?;
    let nodes = shared.into_iter().map(|(node, _)| node);
    let nodes = nodes.chain(work.nodes.iter().copied()).collect();
    Ok((work, nodes))
}

fn chosen<'a>(known: &'a [Remote], name: Option<&str>) -> Result<&'a Remote, ApiError> {
    let found = match name {
        Some(name) => known.iter().find(|remote| remote.name == name),
        None => known.first(),
    };
    let message = match name {
        Some(name) => format!("the repository has no remote '{name}'"),
        None => "the repository has no remote to push to".to_owned(),
    };
    found.ok_or_else(|| {
        ApiError::new(Code::Refused, message).with_fix("add one with `git remote add`")
    })
}

fn given(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
}

fn ready_tool(app: &App, remote: &Remote) -> Option<(ForgeRepository, ReadyTool)> {
    let repository = ForgeRepository::from_address(&remote.address)?;
    match find_tool(&repository, &app.engine.environment()) {
        ForgeTool::Ready(tool) => Some((repository, tool)),
        _ => None,
    }
}

fn tool_view(app: &App, remote: &Remote) -> PullRequestTool {
    let Some(repository) = ForgeRepository::from_address(&remote.address) else {
        return PullRequestTool::Unknown;
    };
    let host = repository.host.clone();
    match find_tool(&repository, &app.engine.environment()) {
        ForgeTool::Ready(tool) => PullRequestTool::Ready {
            program: tool.forge.program().to_owned(),
        },
        ForgeTool::SignedOut(forge) => PullRequestTool::SignedOut {
            program: forge.program().to_owned(),
            host,
        },
        ForgeTool::Missing(forge) => PullRequestTool::Missing {
            program: forge.program().to_owned(),
            host,
        },
        ForgeTool::Unknown => PullRequestTool::Unknown,
    }
}

/// An address may contain a password.
fn shown_address(address: &str) -> String {
    let hide = |address: &str| match address.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
            match authority.rsplit_once('@') {
                Some((_, host)) => format!("{scheme}://{host}/{path}"),
                None => address.to_owned(),
            }
        }
        None => address.to_owned(),
    };
    visible_line(&address.split(", ").map(hide).collect::<Vec<_>>().join(", "))
}

/// The stored address was written by Baton, but a session can write to the repository as well.
fn is_link(remote: &Remote, url: &str) -> bool {
    ForgeRepository::from_address(&remote.address).is_some_and(|repository| repository.is_link(url))
}

/// For a person's terminal. Names are limited by git, the path is quoted.
fn push_command(root: &Path, remote: &str, branch: &str) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    format!(
        "git -C {} push --set-upstream {} {}",
        quoted(&root.display().to_string()),
        quoted(remote),
        quoted(branch)
    )
}

fn state_view(state: BranchState) -> PullRequestBranch {
    match state {
        BranchState::New => PullRequestBranch::New,
        BranchState::Current => PullRequestBranch::Current,
        BranchState::Outdated => PullRequestBranch::Outdated,
        BranchState::Foreign => PullRequestBranch::Foreign,
    }
}

fn commit_view(commit: baton_engine::ProposedCommit) -> PullRequestCommit {
    PullRequestCommit {
        id: commit.id,
        subject: visible_line(&commit.subject),
    }
}

fn refusal(error: CheckoutError) -> ApiError {
    ApiError::new(Code::Refused, error.to_string())
}
