//! Parses what the window is asked to open from outside: a `baton://` link or a plan file.
//!
//! A link names a location, never an action: following one starts, changes or stores nothing.

use std::path::{Path, PathBuf};

use serde::Serialize;
use url::Url;
use uuid::Uuid;

/// The scheme of Baton's links.
const SCHEME: &str = "baton";
/// File extensions of plan files.
const PLAN_FILE_EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];
/// The longest accepted id of an agent's own session.
const MAX_SESSION_ID_LENGTH: usize = 200;
/// How many characters of an unknown link are shown.
const MAX_SHOWN_LENGTH: usize = 120;

/// A location, a plan file, or a link or path that can't be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum OpenRequest {
    /// A page in the window.
    Place { place: Route },
    /// A plan file to preview, by its absolute path.
    File { path: PathBuf },
    /// A link or path that can't be opened.
    Unknown {
        /// The argument, truncated to one line.
        what: String,
        /// The reason, as a sentence.
        reason: String,
    },
}

/// A page in the window. Ids are well formed; the page checks whether they exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub(crate) enum Route {
    Blueprints,
    /// The page where a blueprint is created.
    NewBlueprint,
    /// A blueprint, optionally with one of its runs.
    Blueprint {
        plan: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        run: Option<String>,
    },
    /// The timeline of a node.
    Node {
        plan: String,
        node: String,
    },
    Sessions,
    /// A node's session or one from an agent's history.
    Session {
        session: String,
    },
    Inbox,
}

/// Why an argument can't be opened. Messages are sentences for people.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
enum LinkError {
    #[error(
        "Unknown link. Baton opens links to blueprints, nodes, runs, sessions and the Inbox, such as baton://inbox."
    )]
    UnknownTarget,
    #[error("The id in the link is invalid. Copy the whole link and open it again.")]
    InvalidId,
    #[error("Not a plan file. Plan files end in .yaml, .yml or .json.")]
    NotAPlanFile,
    #[error("The file is on another machine. Copy it here, then open it.")]
    RemoteFile,
}

/// Parses the arguments after the program's name. Relative paths are resolved against `folder`;
/// options are ignored.
pub(crate) fn parse_arguments(arguments: &[String], folder: &Path) -> Vec<OpenRequest> {
    arguments
        .iter()
        .filter(|argument| !argument.is_empty() && !argument.starts_with('-'))
        .map(|argument| parse_argument(argument, folder))
        .collect()
}

fn parse_argument(argument: &str, folder: &Path) -> OpenRequest {
    let read = match Url::parse(argument) {
        Ok(link) if link.scheme() == SCHEME => {
            parse_link(&link).map(|place| OpenRequest::Place { place })
        }
        Ok(link) if link.scheme() == "file" => link
            .to_file_path()
            .map_err(|()| LinkError::RemoteFile)
            .and_then(|path| parse_file_path(&path)),
        _ => parse_file_path(&folder.join(argument)),
    };
    read.unwrap_or_else(|reason| OpenRequest::Unknown {
        what: truncate_to_line(argument),
        reason: reason.to_string(),
    })
}

fn parse_file_path(path: &Path) -> Result<OpenRequest, LinkError> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending {
        Some(ending) if PLAN_FILE_EXTENSIONS.contains(&ending.as_str()) => Ok(OpenRequest::File {
            path: path.to_owned(),
        }),
        _ => Err(LinkError::NotAPlanFile),
    }
}

fn parse_link(link: &Url) -> Result<Route, LinkError> {
    let has_more = link.query().is_some() || link.fragment().is_some() || link.port().is_some();
    if has_more || !link.username().is_empty() || link.password().is_some() {
        return Err(LinkError::UnknownTarget);
    }
    let host = link.host_str().unwrap_or_default();
    let rest: Vec<&str> = link
        .path()
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    match (host, rest.as_slice()) {
        ("blueprints", []) => Ok(Route::Blueprints),
        ("blueprints", [plan]) => Ok(Route::Blueprint {
            plan: parse_uuid(plan)?,
            run: None,
        }),
        ("blueprints", [plan, "nodes", node]) => Ok(Route::Node {
            plan: parse_uuid(plan)?,
            node: parse_uuid(node)?,
        }),
        ("blueprints", [plan, "runs", run]) => Ok(Route::Blueprint {
            plan: parse_uuid(plan)?,
            run: Some(parse_uuid(run)?),
        }),
        ("sessions", []) => Ok(Route::Sessions),
        ("sessions", [session]) => Ok(Route::Session {
            session: parse_session_id(session)?,
        }),
        ("inbox", []) => Ok(Route::Inbox),
        ("new", []) => Ok(Route::NewBlueprint),
        _ => Err(LinkError::UnknownTarget),
    }
}

fn parse_uuid(argument: &str) -> Result<String, LinkError> {
    Uuid::try_parse(argument)
        .map(|id| id.to_string())
        .map_err(|_| LinkError::InvalidId)
}

/// Agents choose their own session ids. All known ones use only letters, digits and these marks.
fn parse_session_id(argument: &str) -> Result<String, LinkError> {
    let is_mark = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let is_id = argument.len() <= MAX_SESSION_ID_LENGTH
        && argument.chars().all(is_mark)
        && argument.contains(char::is_alphanumeric);
    if is_id {
        Ok(argument.to_owned())
    } else {
        Err(LinkError::InvalidId)
    }
}

fn truncate_to_line(argument: &str) -> String {
    let line: String = argument
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_SHOWN_LENGTH)
        .collect();
    if line.len() < argument.len() {
        line + "…"
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "01938f6e-0000-7000-8000-00000000000a";
    const NODE: &str = "01938f6e-0000-7000-8000-00000000000b";

    fn read(argument: &str) -> OpenRequest {
        parse_arguments(&[argument.to_owned()], Path::new("/home/ada/my work")).remove(0)
    }

    fn at(place: Route) -> OpenRequest {
        OpenRequest::Place { place }
    }

    fn reason(argument: &str) -> Option<String> {
        match read(argument) {
            OpenRequest::Unknown { reason, .. } => Some(reason),
            _ => None,
        }
    }

    #[test]
    fn links_are_parsed_to_routes() {
        let (plan, node) = (PLAN.to_owned(), NODE.to_owned());
        let table = [
            ("baton://inbox".to_owned(), Route::Inbox),
            ("BATON://inbox/".to_owned(), Route::Inbox),
            ("baton://blueprints".to_owned(), Route::Blueprints),
            ("baton://new".to_owned(), Route::NewBlueprint),
            ("baton://sessions/".to_owned(), Route::Sessions),
            (
                format!("baton://blueprints/{PLAN}"),
                Route::Blueprint {
                    plan: plan.clone(),
                    run: None,
                },
            ),
            (
                format!("baton://blueprints/{}", PLAN.to_uppercase()),
                Route::Blueprint {
                    plan: plan.clone(),
                    run: None,
                },
            ),
            (
                format!("baton://blueprints/{PLAN}/runs/{NODE}"),
                Route::Blueprint {
                    plan: plan.clone(),
                    run: Some(node.clone()),
                },
            ),
            (
                format!("baton://blueprints/{PLAN}/nodes/{NODE}"),
                Route::Node {
                    plan,
                    node: node.clone(),
                },
            ),
            (
                format!("baton://sessions/{NODE}"),
                Route::Session { session: node },
            ),
            (
                "baton://sessions/ses_7f:1.2".to_owned(),
                Route::Session {
                    session: "ses_7f:1.2".to_owned(),
                },
            ),
        ];
        for (link, place) in table {
            assert_eq!(read(&link), at(place), "{link}");
        }
    }

    #[test]
    fn unknown_targets_are_rejected() {
        let unknown = Some(LinkError::UnknownTarget.to_string());
        let damaged = Some(LinkError::InvalidId.to_string());
        let table = [
            ("baton://settings".to_owned(), &unknown),
            ("baton://".to_owned(), &unknown),
            ("baton:inbox".to_owned(), &unknown),
            (format!("baton://blueprints/{PLAN}/run"), &unknown),
            (format!("baton://runs/start/{PLAN}"), &unknown),
            (format!("baton://blueprints/{PLAN}?run=all"), &unknown),
            ("baton://inbox#approve".to_owned(), &unknown),
            ("baton://me@inbox".to_owned(), &unknown),
            ("baton://inbox:80".to_owned(), &unknown),
            ("baton://blueprints/new".to_owned(), &damaged),
            ("baton://blueprints/../../etc".to_owned(), &damaged),
            ("baton://sessions/%2e%2e%2fetc".to_owned(), &damaged),
            (format!("baton://sessions/{}", "a".repeat(201)), &damaged),
            ("baton://sessions/-..-".to_owned(), &damaged),
        ];
        for (link, why) in table {
            assert_eq!(&reason(&link), why, "{link}");
        }
    }

    #[test]
    fn files_are_accepted_as_path_or_url() {
        let file = |path: &str| OpenRequest::File {
            path: PathBuf::from(path),
        };
        assert_eq!(
            read("night.baton.yaml"),
            file("/home/ada/my work/night.baton.yaml")
        );
        assert_eq!(read("/plans/a.JSON"), file("/plans/a.JSON"));
        assert_eq!(
            read("file:///plans/my%20plan.yml"),
            file("/plans/my plan.yml")
        );
        assert_eq!(
            read("c:plan.yaml"),
            file("/home/ada/my work/c:plan.yaml"),
            "a colon alone doesn't make a link"
        );
        assert_eq!(
            reason("/etc/passwd"),
            Some(LinkError::NotAPlanFile.to_string())
        );
        assert_eq!(
            reason("file:///etc/passwd"),
            Some(LinkError::NotAPlanFile.to_string())
        );
        assert_eq!(
            reason("file://other/plan.yaml"),
            Some(LinkError::RemoteFile.to_string())
        );
    }

    #[test]
    fn options_and_empty_arguments_are_ignored() {
        let arguments = ["--hidden", "", "-v"].map(str::to_owned);
        assert!(parse_arguments(&arguments, Path::new("/")).is_empty());
    }

    #[test]
    fn unknown_argument_is_shown_as_one_short_line() {
        let OpenRequest::Unknown { what, .. } = read(&format!("baton://a\n{}", "b".repeat(500)))
        else {
            panic!("expected an unknown argument")
        };
        assert!(
            what.chars().count() <= MAX_SHOWN_LENGTH + 1 && !what.contains('\n'),
            "{what}"
        );
    }
}
