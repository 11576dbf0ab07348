//! Opening a pull request, and finding one that is open.
//!
//! `glab mr create` needs a repository with a matching remote around it, and adds a remote if there
//! is none. So merge requests are opened with `glab api`, which needs only the name of the host, and
//! reads the description from its standard input, as `gh` does.

use serde_json::{Value, json};

use super::program::ForgeError;
use super::{Forge, ForgeRepository, ReadyTool};

/// A pull request to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// The branch with the work, which was pushed.
    pub branch: String,
    /// The branch that it is for.
    pub base: String,
    /// One line.
    pub title: String,
    /// Markdown.
    pub description: String,
    /// Whether it is not ready for review.
    pub draft: bool,
}

/// A call of a forge's program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) arguments: Vec<String>,
    pub(super) input: String,
}

impl Call {
    fn of<const N: usize>(arguments: [&str; N]) -> Self {
        Self {
            arguments: arguments.map(str::to_owned).to_vec(),
            input: String::new(),
        }
    }
}

impl PullRequest {
    /// The call that opens it.
    pub(super) fn opening_call(&self, forge: Forge, repository: &ForgeRepository) -> Call {
        match forge {
            Forge::GitHub => self.github_opening(&repository.full_name()),
            Forge::GitLab => self.gitlab_opening(repository),
        }
    }

    fn github_opening(&self, repository: &str) -> Call {
        let mut call = Call::of([
            "pr",
            "create",
            "--repo",
            repository,
            "--head",
            &self.branch,
            "--base",
            &self.base,
            "--title",
            &self.title,
            "--body-file",
            "-",
        ]);
        if self.draft {
            call.arguments.push("--draft".to_owned());
        }
        call.input.clone_from(&self.description);
        call
    }

    fn gitlab_opening(&self, repository: &ForgeRepository) -> Call {
        let mut call = Call::of([
            "api",
            &merge_requests(repository),
            "--hostname",
            &repository.host,
            "--method",
            "POST",
            "--header",
            "Content-Type: application/json",
            "--input",
            "-",
        ]);
        // GitLab knows a draft by the beginning of its title.
        let draft = if self.draft { "Draft: " } else { "" };
        call.input = json!({
            "source_branch": self.branch,
            "target_branch": self.base,
            "title": format!("{draft}{}", self.title),
            "description": self.description,
        })
        .to_string();
        call
    }

    /// The call that lists the open pull requests for the same branches.
    pub(super) fn listing_call(&self, forge: Forge, repository: &ForgeRepository) -> Call {
        match forge {
            Forge::GitHub => Call::of([
                "pr",
                "list",
                "--repo",
                &repository.full_name(),
                "--head",
                &self.branch,
                "--base",
                &self.base,
                "--state",
                "open",
                "--json",
                "url,isCrossRepository",
            ]),
            Forge::GitLab => {
                let path = format!(
                    "{}?state=opened&source_branch={}&target_branch={}",
                    merge_requests(repository),
                    url_encoded(&self.branch),
                    url_encoded(&self.base)
                );
                Call::of(["api", &path, "--hostname", &repository.host])
            }
        }
    }
}

impl ReadyTool {
    /// Opens the pull request and returns its address.
    ///
    /// # Errors
    ///
    /// When the program fails, or prints no address of the repository's host.
    pub fn open(
        &self,
        repository: &ForgeRepository,
        request: &PullRequest,
    ) -> Result<String, ForgeError> {
        let call = request.opening_call(self.forge, repository);
        let output = self.run(&call)?;
        let address = match self.forge {
            // The last line; warnings may come before it.
            Forge::GitHub => output.split_whitespace().next_back().map(str::to_owned),
            Forge::GitLab => web_address(&serde_json::from_str(&output).unwrap_or_default()),
        };
        address
            .filter(|address| repository.is_link(address))
            .ok_or_else(|| ForgeError::NoAddress {
                verb: format!("{} {}", self.forge.program(), call.arguments[0]),
            })
    }

    /// The address of the open pull request for the same branches, if there is one.
    ///
    /// # Errors
    ///
    /// When the program fails.
    pub fn find_open(
        &self,
        repository: &ForgeRepository,
        request: &PullRequest,
    ) -> Result<Option<String>, ForgeError> {
        let output = self.run(&request.listing_call(self.forge, repository))?;
        let listed: Value = serde_json::from_str(&output).unwrap_or_default();
        let listed = listed.as_array().into_iter().flatten();
        Ok(listed
            .filter(|found| !is_from_fork(found))
            .find_map(web_address)
            .filter(|address| repository.is_link(address)))
    }
}

/// Somebody else's branch may have the same name.
fn is_from_fork(found: &Value) -> bool {
    found["isCrossRepository"] == true || found["source_project_id"] != found["target_project_id"]
}

/// `gh` and GitLab have different names for it.
fn web_address(found: &Value) -> Option<String> {
    let address = found.get("url").or_else(|| found.get("web_url"))?;
    address.as_str().map(str::to_owned)
}

fn merge_requests(repository: &ForgeRepository) -> String {
    format!("projects/{}/merge_requests", url_encoded(&repository.path))
}

/// Everything but letters, digits, and the signs that no URL gives a meaning.
fn url_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', hex(byte >> 4), hex(byte & 15)]);
        }
    }
    encoded
}

fn hex(digit: u8) -> char {
    char::from(b"0123456789ABCDEF"[usize::from(digit)])
}
