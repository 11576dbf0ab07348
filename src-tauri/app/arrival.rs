//! What somebody outside asks the window to show: a link of Baton's own, or a plan file.
//!
//! Only reads words. A link names a place and never an act: nothing is started, changed or stored by following one.

use std::path::{Path, PathBuf};

use serde::Serialize;
use url::Url;
use uuid::Uuid;

/// The scheme of Baton's links.
const SCHEME: &str = "baton";
/// The endings of plan files.
const PLANS: [&str; 3] = ["yaml", "yml", "json"];
/// The longest id of an agent's own session that is passed on.
const LONGEST_ID: usize = 200;
/// How much of a link that is not understood is shown.
const SHOWN: usize = 120;

/// Something that is to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Arrival {
    /// A place in the window.
    Place {
        /// Which.
        place: Place,
    },
    /// A plan file to be looked at, by its absolute path.
    File {
        /// Its path.
        path: PathBuf,
    },
    /// What cannot be shown, with the reason as a sentence.
    Unknown {
        /// As it came, cut to a line.
        what: String,
        /// Why.
        reason: String,
    },
}

/// A place in the window. Ids are of the right form; whether there is such a thing, the page finds out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub(crate) enum Place {
    /// The list of blueprints.
    Blueprints,
    /// The page that begins a blueprint.
    NewBlueprint,
    /// A blueprint, with one of its runs if one is named.
    Blueprint {
        /// The plan.
        plan: String,
        /// The run.
        #[serde(skip_serializing_if = "Option::is_none")]
        run: Option<String>,
    },
    /// The timeline of a node.
    Node {
        /// The plan.
        plan: String,
        /// The node.
        node: String,
    },
    /// The list of sessions.
    Sessions,
    /// A session of a node or of an agent's history.
    Session {
        /// The session.
        session: String,
    },
    /// What waits for the person.
    Inbox,
}

/// Why a word leads nowhere. Sentences for people.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
enum Nowhere {
    #[error(
        "Baton knows links to blueprints, their nodes, sessions and the inbox, such as baton://inbox."
    )]
    UnknownPlace,
    #[error("The id in the link is damaged. Copy the whole link and open it again.")]
    DamagedId,
    #[error("It is no plan file: plan files end in .yaml, .yml or .json.")]
    NoPlanFile,
    #[error("It names a file on another machine. Copy the file here, then open it.")]
    ElsewhereFile,
}

/// What the words after the program's name ask for; a relative path is below `folder`. Options are passed over.
pub(crate) fn arrivals(words: &[String], folder: &Path) -> Vec<Arrival> {
    words
        .iter()
        .filter(|word| !word.is_empty() && !word.starts_with('-'))
        .map(|word| arrival(word, folder))
        .collect()
}

fn arrival(word: &str, folder: &Path) -> Arrival {
    let read = match Url::parse(word) {
        Ok(link) if link.scheme() == SCHEME => place(&link).map(|place| Arrival::Place { place }),
        Ok(link) if link.scheme() == "file" => link
            .to_file_path()
            .map_err(|()| Nowhere::ElsewhereFile)
            .and_then(|path| file(&path)),
        _ => file(&folder.join(word)),
    };
    read.unwrap_or_else(|reason| Arrival::Unknown {
        what: cut(word),
        reason: reason.to_string(),
    })
}

fn file(path: &Path) -> Result<Arrival, Nowhere> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending {
        Some(ending) if PLANS.contains(&ending.as_str()) => Ok(Arrival::File {
            path: path.to_owned(),
        }),
        _ => Err(Nowhere::NoPlanFile),
    }
}

fn place(link: &Url) -> Result<Place, Nowhere> {
    let has_more = link.query().is_some() || link.fragment().is_some() || link.port().is_some();
    if has_more || !link.username().is_empty() || link.password().is_some() {
        return Err(Nowhere::UnknownPlace);
    }
    let host = link.host_str().unwrap_or_default();
    let rest: Vec<&str> = link
        .path()
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    match (host, rest.as_slice()) {
        ("blueprints", []) => Ok(Place::Blueprints),
        ("blueprints", [plan]) => Ok(Place::Blueprint {
            plan: uuid(plan)?,
            run: None,
        }),
        ("blueprints", [plan, "nodes", node]) => Ok(Place::Node {
            plan: uuid(plan)?,
            node: uuid(node)?,
        }),
        ("blueprints", [plan, "runs", run]) => Ok(Place::Blueprint {
            plan: uuid(plan)?,
            run: Some(uuid(run)?),
        }),
        ("sessions", []) => Ok(Place::Sessions),
        ("sessions", [session]) => Ok(Place::Session {
            session: session_id(session)?,
        }),
        ("inbox", []) => Ok(Place::Inbox),
        ("new", []) => Ok(Place::NewBlueprint),
        _ => Err(Nowhere::UnknownPlace),
    }
}

fn uuid(word: &str) -> Result<String, Nowhere> {
    Uuid::try_parse(word)
        .map(|id| id.to_string())
        .map_err(|_| Nowhere::DamagedId)
}

/// Agents name their sessions as they like; all known ones keep to letters, digits and a few marks.
fn session_id(word: &str) -> Result<String, Nowhere> {
    let is_mark = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let is_id = word.len() <= LONGEST_ID
        && word.chars().all(is_mark)
        && word.contains(char::is_alphanumeric);
    if is_id {
        Ok(word.to_owned())
    } else {
        Err(Nowhere::DamagedId)
    }
}

fn cut(word: &str) -> String {
    let line: String = word
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect();
    if line.len() < word.len() {
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

    fn read(word: &str) -> Arrival {
        arrivals(&[word.to_owned()], Path::new("/home/ada/my work")).remove(0)
    }

    fn at(place: Place) -> Arrival {
        Arrival::Place { place }
    }

    fn reason(word: &str) -> Option<String> {
        match read(word) {
            Arrival::Unknown { reason, .. } => Some(reason),
            _ => None,
        }
    }

    #[test]
    fn links_name_places() {
        let (plan, node) = (PLAN.to_owned(), NODE.to_owned());
        let table = [
            ("baton://inbox".to_owned(), Place::Inbox),
            ("BATON://inbox/".to_owned(), Place::Inbox),
            ("baton://blueprints".to_owned(), Place::Blueprints),
            ("baton://new".to_owned(), Place::NewBlueprint),
            ("baton://sessions/".to_owned(), Place::Sessions),
            (
                format!("baton://blueprints/{PLAN}"),
                Place::Blueprint {
                    plan: plan.clone(),
                    run: None,
                },
            ),
            (
                format!("baton://blueprints/{}", PLAN.to_uppercase()),
                Place::Blueprint {
                    plan: plan.clone(),
                    run: None,
                },
            ),
            (
                format!("baton://blueprints/{PLAN}/runs/{NODE}"),
                Place::Blueprint {
                    plan: plan.clone(),
                    run: Some(node.clone()),
                },
            ),
            (
                format!("baton://blueprints/{PLAN}/nodes/{NODE}"),
                Place::Node {
                    plan,
                    node: node.clone(),
                },
            ),
            (
                format!("baton://sessions/{NODE}"),
                Place::Session { session: node },
            ),
            (
                "baton://sessions/ses_7f:1.2".to_owned(),
                Place::Session {
                    session: "ses_7f:1.2".to_owned(),
                },
            ),
        ];
        for (link, place) in table {
            assert_eq!(read(&link), at(place), "{link}");
        }
    }

    #[test]
    fn what_is_no_place_is_never_followed() {
        let unknown = Some(Nowhere::UnknownPlace.to_string());
        let damaged = Some(Nowhere::DamagedId.to_string());
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
    fn files_are_found_by_path_and_by_address() {
        let file = |path: &str| Arrival::File {
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
            "a colon alone makes no link"
        );
        assert_eq!(reason("/etc/passwd"), Some(Nowhere::NoPlanFile.to_string()));
        assert_eq!(
            reason("file:///etc/passwd"),
            Some(Nowhere::NoPlanFile.to_string())
        );
        assert_eq!(
            reason("file://other/plan.yaml"),
            Some(Nowhere::ElsewhereFile.to_string())
        );
    }

    #[test]
    fn options_and_empty_words_ask_for_nothing() {
        let words = ["--hidden", "", "-v"].map(str::to_owned);
        assert!(arrivals(&words, Path::new("/")).is_empty());
    }

    #[test]
    fn what_is_shown_of_a_strange_word_is_one_short_line() {
        let Arrival::Unknown { what, .. } = read(&format!("baton://a\n{}", "b".repeat(500))) else {
            panic!("that is no place")
        };
        assert!(
            what.chars().count() <= SHOWN + 1 && !what.contains('\n'),
            "{what}"
        );
    }
}
