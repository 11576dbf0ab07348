//! GitHub and GitLab, reached with the programs that people sign in with: `gh` and `glab`.
//!
//! Baton holds no token and makes no request itself. The programs get argument lists, never a
//! shell, and run in an empty folder with the full name of the repository, so that they read no
//! configuration that a session may have written.

mod address;
mod program;
mod request;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_engine::find_program;

pub use address::ForgeRepository;
pub use program::ForgeError;
pub use request::PullRequest;

use program::Program;
use request::Call;

/// Tokens in the environment: the host that they are for, the variables that name another one, and
/// the variables of the tokens.
const TOKENS: [(Option<&str>, &[&str], &[&str]); 3] = [
    (Some("github.com"), &[], &["GH_TOKEN", "GITHUB_TOKEN"]),
    (
        None,
        &["GH_HOST"],
        &["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"],
    ),
    (
        Some("gitlab.com"),
        &["GITLAB_HOST", "GITLAB_URI", "GL_HOST"],
        &["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN", "OAUTH_TOKEN"],
    ),
];

/// A program that opens pull requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forge {
    /// `gh`.
    GitHub,
    /// `glab`, which calls them merge requests.
    GitLab,
}

/// Whether a forge's program can be used for a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgeTool {
    /// It is installed, and a person is signed in.
    Ready(ReadyTool),
    /// It is installed, and nobody is signed in to the host.
    SignedOut(Forge),
    /// The host is known to need it, and it is not installed.
    Missing(Forge),
    /// No installed program knows the host.
    Unknown,
}

/// A program with which a person is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyTool {
    /// Which program it is.
    pub forge: Forge,
    program: PathBuf,
    environment: BTreeMap<String, String>,
}

impl Forge {
    /// The program's name.
    #[must_use]
    pub fn program(self) -> &'static str {
        match self {
            Self::GitHub => "gh",
            Self::GitLab => "glab",
        }
    }

    /// The forges that a host may be, by its name. A company's host may be either.
    fn candidates(host: &str) -> &'static [Self] {
        let is_part = |name: &str| host.split('.').any(|part| part == name);
        if is_part("github") {
            &[Self::GitHub]
        } else if is_part("gitlab") {
            &[Self::GitLab]
        } else {
            &[Self::GitHub, Self::GitLab]
        }
    }
}

/// Finds the program for the host of `repository` on the `PATH` of `environment`. Asks each
/// candidate whether it has a token for the host, which uses no network.
#[must_use]
pub fn find_tool(
    repository: &ForgeRepository,
    environment: &BTreeMap<String, String>,
) -> ForgeTool {
    let candidates = Forge::candidates(&repository.host);
    let mut signed_out = None;
    for &forge in candidates {
        // A relative entry of `PATH` could be a folder that a session writes to.
        let found = find_program(forge.program(), environment);
        let Some(program) = found.filter(|path| path.is_absolute()) else {
            continue;
        };
        let tool = ReadyTool {
            forge,
            program,
            environment: without_foreign_tokens(&repository.host, environment),
        };
        if tool.is_signed_in(&repository.host) {
            return ForgeTool::Ready(tool);
        }
        signed_out = signed_out.or(Some(forge));
    }
    match (signed_out, candidates) {
        // For any other host the program may be the wrong one.
        (Some(forge), [_]) => ForgeTool::SignedOut(forge),
        (None, [forge]) => ForgeTool::Missing(*forge),
        _ => ForgeTool::Unknown,
    }
}

impl ReadyTool {
    /// Looks for a token without using the network: `auth status` of both programs asks the host.
    fn is_signed_in(&self, host: &str) -> bool {
        let arguments: &[&str] = match self.forge {
            Forge::GitHub => &["auth", "token", "--hostname", host],
            // Succeeds without a token as well.
            Forge::GitLab => &["config", "get", "token", "--host", host],
        };
        let printed = self.program().run(arguments, "");
        printed.is_ok_and(|token| !token.trim().is_empty())
    }

    fn run(&self, call: &Call) -> Result<String, ForgeError> {
        let arguments: Vec<&str> = call.arguments.iter().map(String::as_str).collect();
        self.program().run(&arguments, &call.input)
    }

    fn program(&self) -> Program<'_> {
        Program {
            path: &self.program,
            environment: &self.environment,
        }
    }
}

/// The environment without tokens for another host than `host`: the programs would send them to
/// any host.
fn without_foreign_tokens(
    host: &str,
    environment: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut environment = environment.clone();
    for (own_host, settings, tokens) in TOKENS {
        let is_chosen = settings.iter().any(|setting| {
            let chosen = environment.get(*setting).map(String::as_str);
            let chosen = chosen.map(|chosen| chosen.rsplit("//").next().unwrap_or(chosen));
            chosen.is_some_and(|chosen| chosen.trim_end_matches('/').eq_ignore_ascii_case(host))
        });
        if own_host != Some(host) && !is_chosen {
            environment.retain(|name, _| !tokens.contains(&&name[..]));
        }
    }
    environment
}
