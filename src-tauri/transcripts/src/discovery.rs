//! Finds the files and database sessions that hold histories.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::history_reader::HistoryReader;
use crate::source::{DiscoveredSources, FileStamp, SESSION_SEPARATOR, Source};
use crate::{Agent, HistoryLocations};

/// How many levels of folders below a root are searched.
const MAX_DEPTH: usize = 12;

/// The suffixes of the files that SQLite keeps beside a database.
const SQLITE_SUFFIXES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Finds every source. Links below the roots are not followed, which excludes loops.
pub(crate) fn find(locations: &HistoryLocations) -> DiscoveredSources {
    let mut findings = DiscoveredSources::default();
    for (agent, root) in &locations.roots {
        for database in databases_in(*agent, root) {
            HistoryReader::of(*agent).list_sessions(*agent, &database, &mut findings);
        }
        walk(*agent, root, 0, &mut findings);
    }
    drop_migrated_files(&mut findings);
    let mut seen = HashSet::new();
    findings
        .sources
        .retain(|source| seen.insert(source.path.clone()));
    findings
}

/// The sources at one path that has changed: a file, the files below a folder, or all sessions of a
/// database.
pub(crate) fn find_at(locations: &HistoryLocations, path: &Path) -> DiscoveredSources {
    let mut findings = DiscoveredSources::default();
    let Some((agent, _)) = locations
        .roots
        .iter()
        .find(|(_, root)| path.starts_with(root))
    else {
        return findings;
    };
    if let Some((agent, database)) = owned_database_at(locations, path) {
        if database.is_file() {
            HistoryReader::of(agent).list_sessions(agent, &database, &mut findings);
        }
    } else if path.is_dir() {
        walk(*agent, path, 0, &mut findings);
    } else {
        add_file(*agent, path, &mut findings);
    }
    findings
}

/// The database in a root that `path` is, or beside which SQLite keeps it.
pub(crate) fn database_at(locations: &HistoryLocations, path: &Path) -> Option<PathBuf> {
    owned_database_at(locations, path).map(|(_, database)| database)
}

fn owned_database_at(locations: &HistoryLocations, path: &Path) -> Option<(Agent, PathBuf)> {
    let name = path.to_str()?;
    let database = SQLITE_SUFFIXES
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name);
    let database = PathBuf::from(database);
    let (agent, _) = locations.roots.iter().find(|(agent, root)| {
        path.parent() == Some(root.as_path()) && agent.layout().is_database(&database)
    })?;
    Some((*agent, database))
}

/// Every database in the roots.
pub(crate) fn databases(locations: &HistoryLocations) -> impl Iterator<Item = PathBuf> {
    let roots = locations.roots.iter();
    roots.flat_map(|(agent, root)| databases_in(*agent, root))
}

fn databases_in(agent: Agent, root: &Path) -> Vec<PathBuf> {
    if agent.layout().databases.is_empty() {
        return Vec::new();
    }
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| agent.layout().is_database(path) && path.is_file())
        .collect()
}

/// Drops the files of sessions that a database of the same agent holds as well.
fn drop_migrated_files(findings: &mut DiscoveredSources) {
    let migrated: HashSet<String> = findings
        .sources
        .iter()
        .filter_map(|source| {
            let (_, session) = source.path.to_str()?.rsplit_once(SESSION_SEPARATOR)?;
            Some(session.to_owned())
        })
        .collect();
    findings.sources.retain(|source| {
        let stem = source.path.file_stem();
        source.agent.layout().databases.is_empty()
            || stem.is_none_or(|stem| !migrated.contains(&*stem.to_string_lossy()))
    });
}

fn walk(agent: Agent, folder: &Path, depth: usize, findings: &mut DiscoveredSources) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        // An agent that was never used has no folder, and a folder can disappear while it is
        // read.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return;
        }
        Err(error) => {
            findings.add_unreadable(folder, format!("can't be read: {error}"));
            return;
        }
    };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => {
                walk(agent, &entry.path(), depth + 1, findings)
            }
            Ok(kind) if kind.is_file() => add_file(agent, &entry.path(), findings),
            _ => {}
        }
    }
}

fn add_file(agent: Agent, path: &Path, findings: &mut DiscoveredSources) {
    if !agent.layout().is_history(path) {
        return;
    }
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() && path.to_str().is_some() => {
            findings.sources.push(Source {
                agent,
                path: path.to_path_buf(),
                stamp: FileStamp::from_metadata(&metadata),
            });
        }
        Ok(metadata) if metadata.is_file() => {
            findings.add_unreadable(path, "has a name that is not valid UTF-8".to_owned());
        }
        _ => {}
    }
}
