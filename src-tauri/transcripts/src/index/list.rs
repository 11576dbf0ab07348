//! What the list of transcripts shows.

use std::path::PathBuf;

use baton_agents::Usage;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};

use crate::{Agent, TranscriptsError};

/// A transcript in one line.
#[derive(Debug, Clone, PartialEq)]
pub struct TranscriptRow {
    /// `<agent>:<native id>`.
    pub id: String,
    /// Whose.
    pub agent: Agent,
    /// The agent's own id.
    pub native_id: String,
    /// The working directory, as the records say.
    pub project: Option<String>,
    /// The agent's own title, else the beginning of the first prompt.
    pub title: Option<String>,
    /// The first record's time, in milliseconds since 1970.
    pub started_at: Option<i64>,
    /// The last record's time, in milliseconds since 1970.
    pub ended_at: Option<i64>,
    /// Prompts and answers.
    pub messages: u32,
    /// What it used, helper agents included.
    pub usage: Usage,
    /// The price is computed here.
    pub usd_is_estimate: bool,
    /// The model that answered last.
    pub model: Option<String>,
    /// The branch of the working directory.
    pub branch: Option<String>,
    /// The agent's version.
    pub version: Option<String>,
    /// How long its files are.
    pub bytes: u64,
    /// Files of helper agents.
    pub helpers: u32,
    /// The file it is in; for a database, the database.
    pub path: PathBuf,
    /// What could not be read.
    pub trouble: Option<String>,
}

/// Which transcripts.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Of this agent.
    pub agent: Option<String>,
    /// Of this working directory.
    pub project: Option<String>,
    /// Title, project, branch or id holds this.
    pub text: Option<String>,
    /// Only these, by id.
    pub among: Vec<Vec<String>>,
    /// None of these, by id.
    pub except: Option<Vec<String>>,
}

/// In which order.
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

/// Which part of a list.
#[derive(Debug, Clone, Copy)]
pub struct Pagination {
    /// So many are passed over.
    pub offset: u32,
    /// At most so many.
    pub limit: u32,
}

/// A part of the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// How many the filter lets through.
    pub total: u32,
    /// The wanted part.
    pub rows: Vec<TranscriptRow>,
}

/// A working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRow {
    /// The directory.
    pub project: Option<String>,
    /// How many transcripts.
    pub transcripts: u32,
    /// The last record's time.
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

/// A condition of SQL with what it is about.
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

/// The pattern of `LIKE` for texts that hold `text`.
fn like_pattern(text: &str) -> String {
    let plain = text
        .replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_");
    format!("%{plain}%")
}

/// A part of the list.
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

/// One transcript.
pub(crate) fn get(
    connection: &Connection,
    id: &str,
) -> Result<Option<TranscriptRow>, TranscriptsError> {
    let mut statement = connection.prepare_cached("SELECT * FROM transcripts WHERE key = ?1")?;
    Ok(statement.query_row([id], read).optional()?)
}

/// The working directories, the latest first.
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
