//! Two files next to the database that people may read and copy: their notes on plans, nodes,
//! sessions, and runs, and the layout of their window.
//!
//! Both are versioned JSON and are replaced atomically. A file from a newer Baton or a damaged one
//! is reported and never overwritten.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::wire::*;
use crate::{ApiError, App, Code};

const VERSION: u32 = 1;
const APP_STATE: &str = "app-state.json";
const ENRICHMENTS: &str = "enrichments.json";

/// A file's content with the version of its format.
#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    content: T,
}

/// Reads only the version, to recognize files from a newer Baton.
#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

/// Returns the window's last layout.
pub(crate) fn app_state(app: &App, _: Nothing) -> Result<AppState, ApiError> {
    read(&app.store.data_dir().join(APP_STATE))
}

/// Saves the window's layout.
pub(crate) fn save_app_state(app: &App, input: AppState) -> Result<AppState, ApiError> {
    let kept = change(app, APP_STATE, |state: &mut AppState| {
        state.clone_from(&input)
    })?;
    app.store.announce(baton_store::Change::AppStateKept)?;
    Ok(kept)
}

/// Returns all notes on plans, nodes, sessions, and runs.
pub(crate) fn enrichments(app: &App, _: Nothing) -> Result<Enrichments, ApiError> {
    read(&app.store.data_dir().join(ENRICHMENTS))
}

/// Saves notes on a plan, a node, a session, or a run. Empty notes delete the entry.
pub(crate) fn save_enrichment(app: &App, input: EnrichmentSave) -> Result<Enrichments, ApiError> {
    let notes = change(app, ENRICHMENTS, |all: &mut Enrichments| {
        let of = match input.subject {
            EnrichmentSubject::Plan => &mut all.plans,
            EnrichmentSubject::Node => &mut all.nodes,
            EnrichmentSubject::Session => &mut all.sessions,
            EnrichmentSubject::Run => &mut all.runs,
        };
        if input.enrichment == Enrichment::default() {
            of.remove(&input.id);
        } else {
            of.insert(input.id, input.enrichment);
        }
    })?;
    app.publish(Change::Settings);
    Ok(notes)
}

/// Reads, changes, and writes a file under the interprocess lock.
fn change<T>(app: &App, name: &str, change: impl FnOnce(&mut T)) -> Result<T, ApiError>
where
    T: Serialize + DeserializeOwned + Default,
{
    let path = app.store.data_dir().join(name);
    let turn =
        File::create(path.with_extension("lock")).map_err(|error| unwritable(&path, &error))?;
    turn.lock().map_err(|error| unwritable(&path, &error))?;
    let mut content = read(&path)?;
    change(&mut content);
    write(&path, &content).map_err(|error| unwritable(&path, &error))?;
    Ok(content)
}

fn read<T: DeserializeOwned + Default>(path: &Path) -> Result<T, ApiError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
        Err(error) => return Err(unreadable(path, &error.to_string())),
        Ok(text) => text,
    };
    let version: VersionOnly =
        serde_json::from_str(&text).map_err(|error| unreadable(path, &error.to_string()))?;
    if version.version > VERSION {
        let reason = format!(
            "a newer version of Baton wrote it (format {}, this version supports up to {VERSION})",
            version.version
        );
        return Err(unreadable(path, &reason));
    }
    let read: Versioned<T> =
        serde_json::from_str(&text).map_err(|error| unreadable(path, &error.to_string()))?;
    Ok(read.content)
}

fn write<T: Serialize>(path: &Path, content: &T) -> io::Result<()> {
    let text = serde_json::to_vec_pretty(&Versioned {
        version: VERSION,
        content,
    })?;
    let fresh: PathBuf = path.with_extension("new");
    let mut file = File::create(&fresh)?;
    file.write_all(&text)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(fresh, path)
}

fn unreadable(path: &Path, reason: &str) -> ApiError {
    let message = format!("{} can't be read: {reason}", path.display());
    ApiError::new(Code::Unavailable, message)
        .with_fix("move the file away to start with an empty one")
}

fn unwritable(path: &Path, error: &io::Error) -> ApiError {
    ApiError::new(
        Code::Unavailable,
        format!("{} can't be written: {error}", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_round_trips_with_its_version() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join(ENRICHMENTS);
        let mut notes = Enrichments::default();
        let note = Enrichment {
            starred: true,
            tags: vec!["sprint".to_owned()],
            notes: "mine".to_owned(),
        };
        notes.plans.insert("a".to_owned(), note);
        write(&path, &notes).expect("write file");
        assert_eq!(read::<Enrichments>(&path).expect("readable"), notes);
        let text = fs::read_to_string(&path).expect("readable");
        assert!(text.starts_with("{\n  \"version\": 1,"), "{text}");
    }

    #[test]
    fn newer_or_damaged_document_is_left_alone() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join(APP_STATE);
        for (text, reason) in [
            (
                "{\"version\": 2, \"screens\": []}",
                "a newer version of Baton wrote it",
            ),
            ("{", "EOF"),
        ] {
            fs::write(&path, text).expect("write file");
            let error = read::<AppState>(&path).expect_err("unreadable");
            assert!(error.message.contains(reason), "{}", error.message);
            assert_eq!(fs::read_to_string(&path).expect("still exists"), text);
        }
    }
}
