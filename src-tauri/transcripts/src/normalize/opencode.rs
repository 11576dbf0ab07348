//! opencode's sessions: rows of `opencode.db`, or files below `storage/` from versions before
//! 2026.
//!
//! The database is opened read-only, because it belongs to opencode. If it is locked or has other
//! columns, the error is reported and affects nothing else.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::Agent;
use crate::normalize::write_line;
use crate::source::{self, DiscoveredSources, FileStamp, SESSION_SEPARATOR, Source};

/// How long to wait for opencode to finish writing.
const BUSY_TIMEOUT: Duration = Duration::from_millis(500);
/// Adds the sessions of one database.
pub(crate) fn find(agent: Agent, database: &Path, findings: &mut DiscoveredSources) {
    if let Err(error) = sessions(agent, database, findings) {
        findings.add_unreadable(database, format!("can't be read: {error}"));
    }
}

fn sessions(
    agent: Agent,
    database: &Path,
    findings: &mut DiscoveredSources,
) -> rusqlite::Result<()> {
    let connection = connect(database)?;
    let mut statement = connection.prepare("SELECT id, time_updated, time_created FROM session")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: String = row.get(0)?;
        let stamp = FileStamp {
            size: 0,
            modified: row.get(1)?,
            inode: row.get(2)?,
        };
        let path = PathBuf::from(format!("{}{SESSION_SEPARATOR}{id}", database.display()));
        findings.sources.push(Source { agent, path, stamp });
    }
    Ok(())
}

fn connect(database: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(database, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Writes the session and its parts as lines.
pub(crate) fn write_lines(path: &Path, to: &mut dyn Write) -> io::Result<()> {
    let name = path.to_string_lossy();
    match name
        .rsplit_once(SESSION_SEPARATOR)
        .filter(|(database, _)| Path::new(database).is_file())
    {
        Some((database, session)) => from_database(Path::new(database), session, to),
        None => from_files(path, to),
    }
}

fn from_database(database: &Path, session: &str, to: &mut dyn Write) -> io::Result<()> {
    let connection = connect(database).map_err(io::Error::other)?;
    let query = "SELECT title, directory, version, time_created, time_updated, parent_id FROM session WHERE id = ?1";
    let header = connection.query_row(query, [session], |row| {
        let time = json!({"created": row.get::<_, i64>(3)?, "updated": row.get::<_, i64>(4)?});
        let text = |column: usize| row.get::<_, Option<String>>(column);
        Ok(json!({
            "id": session, "title": text(0)?, "directory": text(1)?, "version": text(2)?, "time": time, "parentID": text(5)?,
        }))
    });
    let header = header.map_err(io::Error::other)?;
    write_line(&json!({ "session": header }).to_string(), to)?;
    let query = "SELECT message.id, message.data, part.data FROM message LEFT JOIN part ON part.message_id = message.id
                 WHERE message.session_id = ?1 ORDER BY message.time_created, message.id, part.id";
    let mut statement = connection.prepare(query).map_err(io::Error::other)?;
    let mut rows = statement.query([session]).map_err(io::Error::other)?;
    while let Some(row) = rows.next().map_err(io::Error::other)? {
        let text = |column: usize| {
            row.get::<_, Option<String>>(column)
                .map_err(io::Error::other)
        };
        let id = text(0)?.unwrap_or_default();
        part_line(&id, &text(1)?.unwrap_or_default(), text(2)?.as_deref(), to)?;
    }
    Ok(())
}

/// Writes the line of one part. Invalid JSON is written unchanged; the reader of the lines counts
/// it as unreadable.
fn part_line(id: &str, message: &str, part: Option<&str>, to: &mut dyn Write) -> io::Result<()> {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(message) else {
        return write_line(message, to);
    };
    fields.insert("id".to_owned(), Value::String(id.to_owned()));
    // The diffs of the whole turn are repeated with every part and never shown.
    fields.remove("summary");
    let part = match part.map(serde_json::from_str::<&RawValue>) {
        Some(Ok(raw)) => raw.get(),
        Some(Err(_)) => return write_line(part.unwrap_or_default(), to),
        None => "null",
    };
    write_line(
        &format!("{{\"message\":{},\"part\":{part}}}", Value::Object(fields)),
        to,
    )
}

fn from_files(path: &Path, to: &mut dyn Write) -> io::Result<()> {
    let header = io::read_to_string(source::open(path)?)?;
    let session = path.file_stem().unwrap_or_default();
    write_line(&format!("{{\"session\":{header}}}"), to)?;
    // <storage>/session/<project>/<session>.json
    let Some(storage) = path.ancestors().nth(3) else {
        return Ok(());
    };
    for message in files(&storage.join("message").join(session))? {
        let id = message
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let data = fs::read_to_string(&message)?;
        let parts = files(&storage.join("part").join(&id))?;
        for part in &parts {
            part_line(&id, &data, Some(&fs::read_to_string(part)?), to)?;
        }
        if parts.is_empty() {
            part_line(&id, &data, None, to)?;
        }
    }
    Ok(())
}

/// The files in a folder, by name. Names are in order of creation.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    Ok(files)
}
