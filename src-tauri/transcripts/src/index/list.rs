//! Queries for the list of transcripts.

use std::path::PathBuf;

use baton_agents::Usage;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};

use crate::{Agent, TranscriptsError};

/// A transcript in the list.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TranscriptRow {
    /// In the form `<agent>:<native id>`.
    pub id: String,
    pub agent: Agent,
    /// The agent's own id.
    pub native_id: String,
    /// The working directory, according to the records.
    pub project: Option<String>,
    /// The agent's own title, or the beginning of the first prompt.
    pub title: Option<String>,
    /// The time of the first record, in milliseconds since 1970.
    pub started_at: Option<i64>,
    /// The time of the last record, in milliseconds since 1970.
    pub ended_at: Option<i64>,
    /// The number of prompts and answers.
    pub messages: u32,
    /// The usage including that of subagents.
    pub usage: Usage,
    /// The cost comes from the price table.
    pub usd_is_estimate: bool,
    /// The model that answered last.
    pub model: Option<String>,
    pub branch: Option<String>,
    pub version: Option<String>,
    /// The size of all its files.
    pub bytes: u64,
    /// The number of subagent files.
    pub helpers: u32,
    /// The main file; for a session in a database, the database and `#` and the session.
    pub path: PathBuf,
    /// What could not be read.
    pub trouble: Option<String>,
}

/// Selects transcripts. All conditions must hold.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Filter {
    pub agent: Option<String>,
    /// The exact working directory.
    pub project: Option<String>,
    /// Text that the title, project, branch or id must contain.
    pub text: Option<String>,
    /// Lists of ids; a transcript must be in each.
    pub among: Vec<Vec<String>>,
    /// Ids of transcripts to leave out.
    pub except: Option<Vec<String>>,
}

/// The order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the wire type says it")]
pub enum Sort {
    #[default]
    Latest,
    Oldest,
    Longest,
    Messages,
    Tokens,
    Cost,
    Size,
    Title,
}

/// A range of a list.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Pagination {
    pub offset: u32,
    pub limit: u32,
}

/// A range of the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The number of transcripts that match the filter.
    pub total: u32,
    /// The transcripts in the requested range.
    pub rows: Vec<TranscriptRow>,
}

/// A working directory with transcripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRow {
    /// `None` for transcripts without one.
    pub project: Option<String>,
    /// The number of transcripts.
    pub transcripts: u32,
    /// The time of its last record, in milliseconds since 1970.
    pub latest: Option<i64>,
}

impl Sort {
    fn order(self) -> &'static str {
        match self {
            Self::Latest => "ended_at DESC NULLS LAST",
            Self::Oldest => "ended_at ASC NULLS LAST",
            Self::Longest => "ended_at - started_at DESC NULLS LAST",
            Self::Messages => "messages DESC",
            Self::Tokens => {
                "input_tokens + output_tokens + ifnull(cache_read_tokens, 0) + ifnull(cache_write_tokens, 0) DESC NULLS LAST"
            }
            Self::Cost => "usd DESC NULLS LAST",
            Self::Size => "bytes DESC",
            Self::Title => "title COLLATE NOCASE ASC NULLS LAST",
        }
    }
}

/// An SQL condition and its parameters.
#[derive(Default)]
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Condition {
    pub(super) fn from_filter(filter: &Filter) -> Self {
        let mut condition = Self {
            sql: "1".to_owned(),
            values: Vec::new(),
        };
        for (column, value) in [("agent", &filter.agent), ("project", &filter.project)] {
            if let Some(value) = value {
                condition.and(&format!("{column} = ?"), Value::Text(value.clone()));
            }
        }
        if let Some(text) = filter.text.as_ref().filter(|text| !text.is_empty()) {
            let fields = "(ifnull(title, '') || char(10) || ifnull(project, '') || char(10) || ifnull(branch, '') || char(10) || key)";
            condition.and(
                &format!("{fields} LIKE ? ESCAPE '\\'"),
                Value::Text(like_pattern(text)),
            );
        }
        for ids in &filter.among {
            condition.and("key IN (SELECT value FROM json_each(?))", json(ids));
        }
        if let Some(ids) = &filter.except {
            condition.and("key NOT IN (SELECT value FROM json_each(?))", json(ids));
        }
        condition
    }

    fn and(&mut self, sql: &str, value: Value) {
        self.sql.push_str(" AND ");
        self.sql.push_str(sql);
        self.values.push(value);
    }
}

fn json(ids: &[String]) -> Value {
    Value::Text(serde_json::Value::from(ids).to_string())
}

/// The `LIKE` pattern for texts that contain `text`.
fn like_pattern(text: &str) -> String {
    let plain = text
        .replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_");
    format!("%{plain}%")
}

pub(crate) fn page(
    connection: &Connection,
    filter: &Filter,
    sort: Sort,
    pagination: Pagination,
) -> Result<Page, TranscriptsError> {
    let Condition { sql, mut values } = Condition::from_filter(filter);
    let total = connection
        .prepare_cached(&format!("SELECT count(*) FROM transcripts WHERE {sql}"))?
        .query_row(params_from_iter(&values), |row| row.get(0))?;
    values.extend([
        Value::Integer(pagination.limit.into()),
        Value::Integer(pagination.offset.into()),
    ]);
    let query = format!(
        "SELECT * FROM transcripts WHERE {sql} ORDER BY {}, id DESC LIMIT ? OFFSET ?",
        sort.order()
    );
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement
        .query_map(params_from_iter(&values), read)?
        .collect::<Result<_, _>>()?;
    Ok(Page { total, rows })
}

pub(crate) fn get(
    connection: &Connection,
    id: &str,
) -> Result<Option<TranscriptRow>, TranscriptsError> {
    let mut statement = connection.prepare_cached("SELECT * FROM transcripts WHERE key = ?1")?;
    Ok(statement.query_row([id], read).optional()?)
}

/// The working directories, latest first.
pub(crate) fn projects(connection: &Connection) -> Result<Vec<ProjectRow>, TranscriptsError> {
    let query = "SELECT project, count(*), max(ended_at) FROM transcripts GROUP BY project
                 ORDER BY max(ended_at) DESC NULLS LAST, project";
    let mut statement = connection.prepare_cached(query)?;
    let rows = statement.query_map([], |row| {
        Ok(ProjectRow {
            project: row.get(0)?,
            transcripts: row.get(1)?,
            latest: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<TranscriptRow> {
    let agent: String = row.get("agent")?;
    let unsigned = |name: &str| {
        row.get::<_, Option<i64>>(name)
            .map(|count| count.map(i64::unsigned_abs))
    };
    Ok(TranscriptRow {
        id: row.get("key")?,
        agent: Agent::from_name(&agent).ok_or(rusqlite::Error::InvalidQuery)?,
        native_id: row.get("native_id")?,
        project: row.get("project")?,
        title: row.get("title")?,
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
        messages: row.get("messages")?,
        usage: Usage {
            input_tokens: unsigned("input_tokens")?,
            output_tokens: unsigned("output_tokens")?,
            cache_read_tokens: unsigned("cache_read_tokens")?,
            cache_write_tokens: unsigned("cache_write_tokens")?,
            usd: row.get("usd")?,
        },
        usd_is_estimate: row.get("usd_is_estimate")?,
        model: row.get("model")?,
        branch: row.get("branch")?,
        version: row.get("version")?,
        bytes: row.get::<_, i64>("bytes")?.unsigned_abs(),
        helpers: row.get("helpers")?,
        path: PathBuf::from(row.get::<_, String>("path")?),
        trouble: row.get("trouble")?,
    })
}
