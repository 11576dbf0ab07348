//! The branch of a pull request: creating it without a checkout, and pushing it.
//!
//! A push is the one call of git that may use the network, so it gets the protocols that a person
//! uses, and nothing that only the repository's own configuration names: see `git.rs`.

use std::path::Path;

use baton_model::Run;
use serde::{Deserialize, Serialize};

use super::proposed_work::ProposedWork;
use super::{CheckoutError, Repository};
use crate::git::{Git, GitError};
use crate::git_checkpoint::line;

/// The reference whose message says where the pull request is.
const OPENED: &str = "pull-request";
/// Names the run in the message of a commit, so that Baton recognizes its own.
const TRAILER: &str = "Baton-Run";
const COMMIT_LIMIT: &str = "50";
/// No helpers, and not the unprotected protocol of git.
const PROTOCOLS: &str = "https:http:ssh:file";

/// A remote repository to push to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// Its name, such as `origin`.
    pub name: String,
    /// Its address as configured.
    pub address: String,
    /// Where git pushes to: `address`, or what the configuration puts in its place.
    pub push_address: String,
    /// The branch that a pull request is usually for.
    pub base: String,
}

/// A commit that the pull request would contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedCommit {
    /// The beginning of its id.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
}

/// What is at the name of the new branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchState {
    /// There is no such branch.
    New,
    /// It has these changes already.
    Current,
    /// Its last commit is of this run, and the changes are others by now.
    Outdated,
    /// Somebody else committed to it.
    Foreign,
}

/// The pull request that was opened for a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedPullRequest {
    /// The branch that was pushed.
    pub branch: String,
    /// Its address in a browser.
    pub url: String,
}

/// The remotes of the plan's repository, the usual one first.
///
/// # Errors
///
/// When git fails.
pub fn remotes(run: &Run, data_directory: &Path) -> Result<Vec<Remote>, CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    let names = lines(&repository.git().run(&["remote"])?);
    let current = repository.current_branch()?;
    let usual = match &current {
        Some(branch) => repository.setting(&format!("branch.{branch}.remote"))?,
        None => None,
    };
    let rank = |name: &str| match name {
        name if Some(name) == usual.as_deref() => 0,
        "origin" => 1,
        _ => 2,
    };
    let mut remotes = Vec::new();
    for name in names {
        let Some(address) = repository.setting(&format!("remote.{name}.url"))? else {
            continue;
        };
        let push = ["remote", "get-url", "--push", "--all", &name];
        remotes.push(Remote {
            push_address: lines(&repository.git().run(&push)?).join(", "),
            base: repository.base_branch(&name, current.as_deref())?,
            address,
            name,
        });
    }
    remotes.sort_by_key(|remote| rank(&remote.name));
    Ok(remotes)
}

/// The commits of the person that the pull request would contain besides the new one, newest first;
/// `None` if the base branch was never fetched.
///
/// # Errors
///
/// When git fails.
pub fn earlier_commits(
    run: &Run,
    data_directory: &Path,
    work: &ProposedWork,
    (remote, base): (&str, &str),
) -> Result<Option<Vec<ProposedCommit>>, CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    let Some(base) = repository.commit_of(&format!("refs/remotes/{remote}/{base}"))? else {
        return Ok(None);
    };
    let asked = [
        "log",
        "-n",
        COMMIT_LIMIT,
        "--format=%h %s",
        &work.parent,
        "--not",
        &base,
    ];
    let commits = lines(&repository.git().run(&asked)?);
    let commit = |line: String| {
        let (id, subject) = line.split_once(' ').unwrap_or((&line, ""));
        ProposedCommit {
            id: id.to_owned(),
            subject: subject.to_owned(),
        }
    };
    Ok(Some(commits.into_iter().map(commit).collect()))
}

/// What is at the branch `name`.
///
/// # Errors
///
/// When git does not allow the name, or fails.
pub fn branch_state(
    run: &Run,
    data_directory: &Path,
    work: &ProposedWork,
    name: &str,
) -> Result<BranchState, CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    repository.refuse_branch_name(name)?;
    Ok(repository.state_of(name, work, run)?.0)
}

/// Creates the branch `name` with one commit of the work, or adds one to it. The person's checkout
/// does not change. Does nothing if the branch has these changes already.
///
/// # Errors
///
/// When there is nothing to propose, when the branch exists and has other commits, or when git
/// fails.
pub fn create_proposal_branch(
    run: &Run,
    data_directory: &Path,
    work: &ProposedWork,
    (name, title): (&str, &str),
) -> Result<(), CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    repository.refuse_branch_name(name)?;
    if work.files.is_empty() {
        return Err(CheckoutError::NothingToPropose);
    }
    let (state, tip) = repository.state_of(name, work, run)?;
    let parent = match (state, &tip) {
        (BranchState::Current, _) => return Ok(()),
        (BranchState::Foreign, _) => {
            return Err(CheckoutError::BranchTaken {
                name: name.to_owned(),
            });
        }
        (BranchState::Outdated, Some(tip)) => {
            repository.refuse_checked_out(name)?;
            tip
        }
        _ => &work.parent,
    };
    let message = format!("{title}\n\n{TRAILER}: {}", run.id());
    let commit = repository.commit_as_person(&work.tree, parent, &message)?;
    let reference = format!("refs/heads/{name}");
    let before = tip.unwrap_or_default();
    // The old value makes git refuse when somebody else has changed the branch in the meantime.
    repository
        .git()
        .run(&["update-ref", &reference, &commit, &before])?;
    Ok(())
}

/// Pushes the branch `name`. Never overwrites commits of the remote repository.
///
/// # Errors
///
/// When the remote repository refuses, cannot be reached, or when git fails.
pub fn push_branch(
    run: &Run,
    data_directory: &Path,
    remote: &str,
    name: &str,
) -> Result<(), CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    repository.refuse_branch_name(name)?;
    let refspec = format!("refs/heads/{name}:refs/heads/{name}");
    let asked = [
        "push",
        "--porcelain",
        "--no-verify",
        "--no-signed",
        "--no-follow-tags",
        "--recurse-submodules=no",
        // A repository may name another program.
        "--receive-pack=git-receive-pack",
        "--",
        remote,
        &refspec,
    ];
    match repository.network_git().run(&asked) {
        Ok(_) => Ok(()),
        Err(GitError::Refused { stderr, .. }) => Err(CheckoutError::PushRefused {
            remote: remote.to_owned(),
            detail: stderr,
        }),
        Err(error) => Err(error.into()),
    }
}

/// Stores where the pull request of a run is: with the commits of the run, and deleted with them.
///
/// # Errors
///
/// When git fails.
pub fn remember_pull_request(
    run: &Run,
    data_directory: &Path,
    opened: &OpenedPullRequest,
) -> Result<(), CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    let Some(tip) = repository.commit_of(&format!("refs/heads/{}", opened.branch))? else {
        return Ok(());
    };
    // Two texts without surprises always become JSON.
    let message = serde_json::to_string(opened).unwrap_or_default();
    let commit = repository.commit(&repository.tree_of(&tip)?, &[tip], &message)?;
    repository.set_ref(OPENED, &commit)
}

/// The pull request that was opened for `run`.
///
/// # Errors
///
/// When git fails.
pub fn opened_pull_request(
    run: &Run,
    data_directory: &Path,
) -> Result<Option<OpenedPullRequest>, CheckoutError> {
    let repository = Repository::of_plan(run, data_directory)?;
    let Some(commit) = repository.find_ref(OPENED)? else {
        return Ok(None);
    };
    let message = repository
        .git()
        .run(&["log", "-1", "--format=%B", &commit])?;
    Ok(serde_json::from_slice(&message).ok())
}

fn lines(output: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(output)
        .lines()
        .map(str::to_owned)
        .collect()
}

impl Repository {
    fn network_git(&self) -> Git {
        self.git().with("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    }

    /// The value of a setting; `None` if it is not set.
    fn setting(&self, key: &str) -> Result<Option<String>, CheckoutError> {
        let (is_set, value) = self.git().run_predicate(&["config", "--get", key])?;
        Ok(is_set
            .then(|| line(&value))
            .filter(|value| !value.is_empty()))
    }

    /// The branch that is checked out; `None` with a detached `HEAD`.
    fn current_branch(&self) -> Result<Option<String>, CheckoutError> {
        let asked = ["symbolic-ref", "--quiet", "--short", "HEAD"];
        let (is_branch, name) = self.git().run_predicate(&asked)?;
        Ok(is_branch.then(|| line(&name)))
    }

    /// The default branch of the remote, the branch that the current one follows there, or `main`.
    fn base_branch(&self, remote: &str, current: Option<&str>) -> Result<String, CheckoutError> {
        let head = format!("refs/remotes/{remote}/HEAD");
        let (is_known, name) = self
            .git()
            .run_predicate(&["symbolic-ref", "--quiet", &head])?;
        let name = line(&name);
        if let Some(base) = name.strip_prefix(&format!("refs/remotes/{remote}/"))
            && is_known
        {
            return Ok(base.to_owned());
        }
        for candidate in current.into_iter().chain(["main", "master"]) {
            let reference = format!("refs/remotes/{remote}/{candidate}");
            if self.commit_of(&reference)?.is_some() {
                return Ok(candidate.to_owned());
            }
        }
        Ok(current.unwrap_or("main").to_owned())
    }

    /// Checks that no work tree has the branch checked out.
    fn refuse_checked_out(&self, name: &str) -> Result<(), CheckoutError> {
        let reference = format!("refs/heads/{name}");
        let asked = ["for-each-ref", "--format=%(worktreepath)", &reference];
        let place = line(&self.git().run(&asked)?);
        if place.is_empty() {
            return Ok(());
        }
        Err(CheckoutError::BranchCheckedOut {
            name: name.to_owned(),
            place: place.into(),
        })
    }

    fn state_of(
        &self,
        name: &str,
        work: &ProposedWork,
        run: &Run,
    ) -> Result<(BranchState, Option<String>), CheckoutError> {
        let Some(tip) = self.commit_of(&format!("refs/heads/{name}"))? else {
            return Ok((BranchState::New, None));
        };
        let message = self.git().run(&["log", "-1", "--format=%B", &tip])?;
        let trailer = format!("{TRAILER}: {}", run.id());
        let is_own = lines(&message).contains(&trailer);
        let state = if !is_own {
            BranchState::Foreign
        } else if self.tree_of(&tip)? == work.tree {
            BranchState::Current
        } else {
            BranchState::Outdated
        };
        Ok((state, Some(tip)))
    }

    /// Commits with the person's name, or with Baton's if git knows none.
    fn commit_as_person(
        &self,
        tree: &str,
        parent: &str,
        message: &str,
    ) -> Result<String, CheckoutError> {
        let is_known =
            self.setting("user.name")?.is_some() && self.setting("user.email")?.is_some();
        let git = if is_known {
            self.work_tree().git().clone()
        } else {
            self.git()
        };
        let asked = [
            "commit-tree",
            tree,
            "--no-gpg-sign",
            "-p",
            parent,
            "-F",
            "-",
        ];
        Ok(line(
            &git.run_with_input(&asked, message.as_bytes().to_vec())?,
        ))
    }
}
