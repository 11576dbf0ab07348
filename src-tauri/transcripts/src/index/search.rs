//! Full-text search over transcripts.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::{Connection, params_from_iter};

use crate::excerpt::{ExcerptPiece, Excerpts};
use crate::index::list::{self, Condition, Filter, Pagination, TranscriptRow};
use crate::{Agent, TranscriptsError};

/// A row id of `words` has the source's id in the upper bits and the record's place in these
/// lower bits.
const PLACE_BITS: u32 = 40;
/// The maximum number of matching records to inspect, latest sources first. Counts beyond it are
/// lower bounds.
const MAX_MATCHED_RECORDS: u32 = 50_000;
/// The maximum number of excerpts per transcript.
const MAX_EXCERPTS: usize = 3;

/// The row id for a record.
pub(crate) fn pack_row_id(source: i64, place: u64) -> i64 {
    source << PLACE_BITS | place.cast_signed() & ((1 << PLACE_BITS) - 1)
}

/// The source's id and the record's place in a row id.
pub(crate) fn unpack_row_id(row: i64) -> (i64, u64) {
    (
        row >> PLACE_BITS,
        (row & ((1 << PLACE_BITS) - 1)).cast_unsigned(),
    )
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hits {
    /// The number of matching transcripts.
    pub total: u32,
    /// The requested range, latest first.
    pub hits: Vec<Hit>,
}

/// A transcript with at least one matching record.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Hit {
    pub row: TranscriptRow,
    /// The number of matching records.
    pub records: u32,
    /// The first matches, at most three.
    pub excerpts: Vec<Excerpt>,
}

/// A match with the text around it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Excerpt {
    /// The byte offset of the record in the transcript; `None` when a subagent wrote it.
    pub at: Option<u64>,
    pub pieces: Vec<ExcerptPiece>,
}

/// The matches in one source.
#[derive(Debug, Default)]
struct SourceMatches {
    records: u32,
    places: Vec<(i64, u64)>,
}

/// Translates a typed query for FTS5: all words must match, `"…"` is a phrase, `wor*` a prefix.
/// Nothing else is an operator. `None` when the query has no words.
pub(crate) fn fts_query(text: &str) -> Option<String> {
    let mut terms = Vec::new();
    for (number, piece) in text.split('"').enumerate() {
        if number % 2 == 1 {
            terms.push((piece, false));
        } else {
            terms.extend(
                piece
                    .split_whitespace()
                    .map(|word| (word.trim_end_matches('*'), word.ends_with('*'))),
            );
        }
    }
    let searchable = terms
        .into_iter()
        .filter(|(words, _)| words.chars().any(char::is_alphanumeric));
    let quoted: Vec<String> = searchable
        .map(|(words, begins)| format!("\"{words}\"{}", if begins { "*" } else { "" }))
        .collect();
    if quoted.is_empty() {
        None
    } else {
        Some(quoted.join(" "))
    }
}

pub(crate) fn search(
    connection: &Connection,
    text: &str,
    filter: &Filter,
    pagination: Pagination,
) -> Result<Hits, TranscriptsError> {
    let Some(query) = fts_query(text) else {
        return Ok(Hits::default());
    };
    let by_source = find_matches(connection, &query)?;
    let mut sources: Vec<_> = by_source.keys().copied().collect();
    sources.sort_unstable();
    let Condition { sql, values } = Condition::from_filter(filter);
    let query = format!(
        "SELECT transcripts.*, json_group_array(sources.id) AS source_ids FROM transcripts
         JOIN sources ON sources.key = transcripts.key
         WHERE sources.id IN (SELECT value FROM json_each(?)) AND {}
         GROUP BY transcripts.id ORDER BY ended_at DESC NULLS LAST, transcripts.id DESC",
        sql.replace("key", "transcripts.key")
            .replace("agent =", "transcripts.agent =")
    );
    let mut all = vec![rusqlite::types::Value::Text(
        serde_json::Value::from(sources).to_string(),
    )];
    all.extend(values);
    let mut statement = connection.prepare_cached(&query)?;
    let mut rows = statement.query(params_from_iter(&all))?;
    let mut hits = Hits::default();
    while let Some(row) = rows.next()? {
        hits.total += 1;
        if hits.total <= pagination.offset || hits.hits.len() >= pagination.limit as usize {
            continue;
        }
        let ids: Vec<i64> =
            serde_json::from_str(&row.get::<_, String>("source_ids")?).unwrap_or_default();
        let found: Vec<_> = ids.iter().filter_map(|id| by_source.get(id)).collect();
        hits.hits.push(Hit {
            row: list::read(row)?,
            records: found.iter().map(|found| found.records).sum(),
            excerpts: excerpts(connection, text, &found)?,
        });
    }
    Ok(hits)
}

/// The first matches in a transcript, with the text around them. A source that can no longer be
/// read has none.
fn excerpts(
    connection: &Connection,
    text: &str,
    found: &[&SourceMatches],
) -> Result<Vec<Excerpt>, TranscriptsError> {
    let mut excerpts = Vec::new();
    for found in found {
        let Some((source, _)) = found.places.first() else {
            continue;
        };
        let mut statement =
            connection.prepare_cached("SELECT agent, path, helper FROM sources WHERE id = ?1")?;
        let (agent, path, helper): (String, String, bool) =
            statement.query_row([source], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let opened = Agent::from_name(&agent)
            .and_then(|agent| Excerpts::open(agent, Path::new(&path), text).ok());
        let Some(opened) = opened else { continue };
        for (_, place) in found.places.iter().take(MAX_EXCERPTS - excerpts.len()) {
            if let Ok(pieces) = opened.at(*place) {
                excerpts.push(Excerpt {
                    at: (!helper).then_some(*place),
                    pieces,
                });
            }
        }
    }
    Ok(excerpts)
}

/// The matching records by source.
fn find_matches(
    connection: &Connection,
    query: &str,
) -> Result<HashMap<i64, SourceMatches>, TranscriptsError> {
    let mut statement = connection.prepare_cached(
        "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid DESC LIMIT ?2",
    )?;
    let mut rows = statement.query((query, MAX_MATCHED_RECORDS))?;
    let mut found: HashMap<i64, SourceMatches> = HashMap::new();
    while let Some(row) = rows.next()? {
        let (source, at) = unpack_row_id(row.get(0)?);
        let of = found.entry(source).or_default();
        of.records += 1;
        of.places.push((source, at));
        if of.places.len() > MAX_EXCERPTS {
            of.places.remove(0);
        }
    }
    for of in found.values_mut() {
        of.places.reverse();
    }
    Ok(found)
}
