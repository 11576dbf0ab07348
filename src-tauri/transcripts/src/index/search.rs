//! Words that were said, found.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::{Connection, params_from_iter};

use crate::excerpt::{ExcerptPiece, Excerpts};
use crate::index::list::{self, Condition, Filter, Pagination, TranscriptRow};
use crate::{Agent, TranscriptsError};

/// A place in a source, as the number of a row of `words`: the source's id above, the record's place below.
const PLACE_BITS: u32 = 40;
/// How many records with the words are looked at, the latest sources first. More are counted as "more".
const MAX_MATCHED_RECORDS: u32 = 50_000;
/// The most places that are told of one transcript.
const MAX_EXCERPTS: usize = 3;

/// The number of the row of `words` for a record.
pub(crate) fn pack_row_id(source: i64, place: u64) -> i64 {
    source << PLACE_BITS | place.cast_signed() & ((1 << PLACE_BITS) - 1)
}

/// The source and the place that a row of `words` stands for.
pub(crate) fn unpack_row_id(row: i64) -> (i64, u64) {
    (
        row >> PLACE_BITS,
        (row & ((1 << PLACE_BITS) - 1)).cast_unsigned(),
    )
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hits {
    /// How many transcripts.
    pub total: u32,
    /// The wanted part, the latest first.
    pub hits: Vec<Hit>,
}

/// A transcript that holds the words.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Which.
    pub row: TranscriptRow,
    /// How many records hold them.
    pub records: u32,
    /// The first places.
    pub excerpts: Vec<Excerpt>,
}

/// A place that holds the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The record's place in the transcript; `None` when a helper agent said it.
    pub at: Option<u64>,
    /// The text around the words.
    pub pieces: Vec<ExcerptPiece>,
}

/// Where words were found in one transcript.
#[derive(Debug, Default)]
struct SourceMatches {
    records: u32,
    places: Vec<(i64, u64)>,
}

/// What a person types, as FTS5 reads it: words that all have to be there, `"…"` a phrase, `wor*` a beginning.
/// Nothing of it is an operator. `None` when there is no word in it.
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
    let said = terms
        .into_iter()
        .filter(|(words, _)| words.chars().any(char::is_alphanumeric));
    let quoted: Vec<String> = said
        .map(|(words, begins)| format!("\"{words}\"{}", if begins { "*" } else { "" }))
        .collect();
    if quoted.is_empty() {
        None
    } else {
        Some(quoted.join(" "))
    }
}

/// Finds transcripts in which the words were said.
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

/// The first places in a transcript, with the text around them. A source that cannot be read any more has none.
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

/// The records with the words, by source.
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
