//! The sources in the index.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::history::TranscriptStats;
use crate::history::stats::Tokens;
use crate::index::search::pack_row_id;
use crate::source::{FileStamp, Source};
use crate::{Agent, TranscriptsError};

/// The stored state of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexedSource {
    pub(crate) id: i64,
    pub(crate) stamp: FileStamp,
    pub(crate) mark: i64,
    pub(crate) read_to: u64,
}

/// The result of scanning a source.
#[derive(Debug, Clone)]
pub(crate) struct ScannedSource {
    pub(crate) source: Source,
    /// The source's id in the index.
    pub(crate) id: i64,
    /// The index contained it before.
    pub(crate) known: bool,
    /// It was read from its beginning, so its old search text must be replaced.
    pub(crate) rescanned: bool,
    pub(crate) key: String,
    pub(crate) helper: bool,
    pub(crate) stats: TranscriptStats,
    pub(crate) read_to: u64,
    pub(crate) mark: i64,
}

/// A source whose text is not completely indexed.
#[derive(Debug, Clone)]
pub(crate) struct TextBacklog {
    pub(crate) id: i64,
    /// The transcript it belongs to.
    pub(crate) key: String,
    pub(crate) agent: Agent,
    pub(crate) path: PathBuf,
    pub(crate) from: u64,
    pub(crate) to: u64,
}

/// All sources in the index.
pub(crate) fn all(
    connection: &Connection,
) -> Result<HashMap<PathBuf, IndexedSource>, TranscriptsError> {
    let mut statement =
        connection.prepare("SELECT path, id, size, modified, inode, mark, read_to FROM sources")?;
    let mut rows = statement.query([])?;
    let mut known = HashMap::new();
    while let Some(row) = rows.next()? {
        known.insert(PathBuf::from(row.get::<_, String>(0)?), read_row(row)?);
    }
    Ok(known)
}

pub(crate) fn get(
    connection: &Connection,
    path: &Path,
) -> Result<Option<IndexedSource>, TranscriptsError> {
    let query =
        "SELECT path, id, size, modified, inode, mark, read_to FROM sources WHERE path = ?1";
    let mut statement = connection.prepare_cached(query)?;
    Ok(statement.query_row([path.to_str()], read_row).optional()?)
}

/// The sources at a path that no longer exists: the file itself, everything in the folder, the
/// sessions of the database.
pub(crate) fn at_or_below(
    connection: &Connection,
    path: &Path,
) -> Result<Vec<i64>, TranscriptsError> {
    // In ASCII, `0` follows `/`, and `$` follows `#`.
    let query = "SELECT id FROM sources WHERE path = ?1 OR (path > ?1 || '/' AND path < ?1 || '0')
                     OR (path > ?1 || '#' AND path < ?1 || '$')";
    let mut statement = connection.prepare_cached(query)?;
    let ids = statement.query_map([path.to_str()], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<IndexedSource> {
    Ok(IndexedSource {
        id: row.get(1)?,
        stamp: FileStamp {
            size: row.get(2)?,
            modified: row.get(3)?,
            inode: row.get(4)?,
        },
        mark: row.get(5)?,
        read_to: row.get::<_, i64>(6)?.cast_unsigned(),
    })
}

/// The first unused source id.
pub(crate) fn next_id(connection: &Connection) -> Result<i64, TranscriptsError> {
    let mut statement = connection.prepare_cached("SELECT ifnull(max(id), 0) + 1 FROM sources")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// The stored statistics of a source.
pub(crate) fn load_stats(
    connection: &Connection,
    id: i64,
) -> Result<Option<TranscriptStats>, TranscriptsError> {
    let mut statement = connection.prepare_cached("SELECT figures FROM sources WHERE id = ?1")?;
    let text: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Stores the result of scanning a source.
pub(crate) fn upsert(
    connection: &Connection,
    listed: &ScannedSource,
) -> Result<(), TranscriptsError> {
    let ScannedSource { source, stats, .. } = listed;
    let text = serde_json::to_string(stats)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let mut moved = None;
    if listed.known {
        moved = current_key(connection, listed.id)?.filter(|key| *key != listed.key);
        if listed.rescanned {
            delete_text(connection, listed.id)?;
        }
    }
    connection
        .prepare_cached(
            "INSERT INTO sources (id, path, agent, key, helper, size, modified, inode, mark, read_to, text_to, figures)
             VALUES (?12, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10)
             ON CONFLICT (id) DO UPDATE SET key = ?3, helper = ?4, size = ?5, modified = ?6, inode = ?7, mark = ?8,
                 read_to = ?9, text_to = CASE WHEN ?11 THEN 0 ELSE text_to END, figures = ?10",
        )?
        .execute(params![
            source.path.to_str(),
            source.agent.name(),
            listed.key,
            listed.helper,
            source.stamp.size,
            source.stamp.modified,
            source.stamp.inode,
            listed.mark,
            listed.read_to.cast_signed(),
            text,
            listed.rescanned,
            listed.id,
        ])?;
    if let Some(key) = moved {
        update_transcript(connection, &key)?;
    }
    update_transcript(connection, &listed.key)
}

fn current_key(connection: &Connection, id: i64) -> Result<Option<String>, TranscriptsError> {
    let mut statement = connection.prepare_cached("SELECT key FROM sources WHERE id = ?1")?;
    Ok(statement.query_row([id], |row| row.get(0)).optional()?)
}

/// Removes a source that is gone. Returns the transcript it belonged to.
pub(crate) fn remove(connection: &Connection, id: i64) -> Result<Option<String>, TranscriptsError> {
    let key = current_key(connection, id)?;
    delete_text(connection, id)?;
    connection
        .prepare_cached("DELETE FROM sources WHERE id = ?1")?
        .execute([id])?;
    if let Some(key) = &key {
        update_transcript(connection, key)?;
    }
    Ok(key)
}

fn delete_text(connection: &Connection, id: i64) -> Result<(), TranscriptsError> {
    let mut delete =
        connection.prepare_cached("DELETE FROM words WHERE rowid >= ?1 AND rowid < ?2")?;
    delete.execute([pack_row_id(id, 0), pack_row_id(id + 1, 0)])?;
    Ok(())
}

/// The share of one source in its transcript.
struct Contribution {
    agent: String,
    path: String,
    helper: bool,
    size: i64,
    stats: TranscriptStats,
}

/// Updates the row of a transcript from its sources. Without sources, the row is deleted.
fn update_transcript(connection: &Connection, key: &str) -> Result<(), TranscriptsError> {
    let query =
        "SELECT agent, path, helper, max(size, read_to), figures FROM sources WHERE key = ?1";
    let mut statement = connection.prepare_cached(query)?;
    let sources = statement.query_map([key], |row| {
        let stats = serde_json::from_str(&row.get::<_, String>(4)?).unwrap_or_default();
        Ok(Contribution {
            agent: row.get(0)?,
            path: row.get(1)?,
            helper: row.get(2)?,
            size: row.get(3)?,
            stats,
        })
    })?;
    let mut sources: Vec<Contribution> = sources.collect::<Result<_, _>>()?;
    // The longest file is the conversation. Another one with the same id is a copy of a part of
    // it.
    sources.sort_by_key(|source| (source.helper, -source.size));
    let Some((main, others)) = sources.split_first() else {
        connection
            .prepare_cached("DELETE FROM transcripts WHERE key = ?1")?
            .execute([key])?;
        return Ok(());
    };
    let helpers: Vec<&Contribution> = others.iter().filter(|other| other.helper).collect();
    let copy = others.iter().find(|other| !other.helper);
    let trouble = [
        main.stats.trouble(),
        copy.map(|copy| format!("another file has the same id: {}", copy.path)),
    ];
    let trouble: Vec<String> = trouble.into_iter().flatten().collect();
    let (usage, usd_is_estimate) = usage(main, &helpers);
    let count = |count: Option<u64>| count.map(u64::cast_signed);
    connection
        .prepare_cached(
            "INSERT INTO transcripts (key, agent, native_id, project, title, started_at, ended_at, messages, input_tokens,
                 output_tokens, cache_read_tokens, cache_write_tokens, usd, usd_is_estimate, model, branch, version, bytes,
                 helpers, path, trouble)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
             ON CONFLICT (key) DO UPDATE SET project = ?4, title = ?5, started_at = ?6, ended_at = ?7, messages = ?8,
                 input_tokens = ?9, output_tokens = ?10, cache_read_tokens = ?11, cache_write_tokens = ?12, usd = ?13,
                 usd_is_estimate = ?14, model = ?15, branch = ?16, version = ?17, bytes = ?18, helpers = ?19, path = ?20,
                 trouble = ?21",
        )?
        .execute(params![
            key,
            main.agent,
            key.split_once(':').map_or(key, |(_, id)| id),
            main.stats.project,
            main.stats.title(),
            main.stats.started_at,
            helpers.iter().map(|helper| helper.stats.ended_at).fold(main.stats.ended_at, Ord::max),
            main.stats.messages,
            count(usage.input_tokens),
            count(usage.output_tokens),
            count(usage.cache_read_tokens),
            count(usage.cache_write_tokens),
            usage.usd,
            usd_is_estimate,
            main.stats.model,
            main.stats.branch,
            main.stats.version,
            main.size + helpers.iter().map(|helper| helper.size).sum::<i64>(),
            i64::try_from(helpers.len()).unwrap_or(i64::MAX),
            main.path,
            if trouble.is_empty() { None } else { Some(trouble.join("; ")) },
        ])?;
    Ok(())
}

/// The usage of the main file and the subagents. A cost reported by the agent covers the whole
/// conversation already.
fn usage(main: &Contribution, helpers: &[&Contribution]) -> (baton_agents::Usage, bool) {
    let mut all = main.stats.clone();
    for helper in helpers {
        let tokens = [all.tokens, helper.stats.tokens].into_iter().flatten();
        all.tokens = tokens.reduce(Tokens::saturating_add);
        all.table_usd += helper.stats.table_usd;
        all.unpriced |= helper.stats.unpriced;
    }
    all.usage()
}

/// The sources with text to index, by id. FTS5 buffers rows that arrive in order, and flushes at
/// a row that does not.
pub(crate) fn text_backlog(connection: &Connection) -> Result<Vec<TextBacklog>, TranscriptsError> {
    let query = "SELECT id, agent, path, text_to, read_to, key FROM sources WHERE text_to < read_to ORDER BY id";
    let mut statement = connection.prepare_cached(query)?;
    let rows = statement.query_map([], |row| {
        let agent: String = row.get(1)?;
        Ok(TextBacklog {
            id: row.get(0)?,
            key: row.get(5)?,
            agent: Agent::from_name(&agent).ok_or(rusqlite::Error::InvalidQuery)?,
            path: PathBuf::from(row.get::<_, String>(2)?),
            from: row.get::<_, i64>(3)?.cast_unsigned(),
            to: row.get::<_, i64>(4)?.cast_unsigned(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds the text of records with their byte offsets.
pub(crate) fn insert_text(
    connection: &Connection,
    id: i64,
    records: &[(u64, String)],
) -> Result<(), TranscriptsError> {
    let mut insert =
        connection.prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?;
    for (place, text) in records {
        insert.execute(params![pack_row_id(id, *place), text])?;
    }
    Ok(())
}

/// Records that the text of a source is indexed up to `to`.
pub(crate) fn mark_text_indexed(
    connection: &Connection,
    id: i64,
    to: u64,
) -> Result<(), TranscriptsError> {
    connection
        .prepare_cached("UPDATE sources SET text_to = ?2 WHERE id = ?1")?
        .execute(params![id, to.cast_signed()])?;
    Ok(())
}
