//! What is typed to find a run: words of its plan's title, its number, or the start of its id.

use rusqlite::Connection;
use rusqlite::types::Value;
use uuid::Uuid;

use super::condition::Conditions;
use crate::StoreError;
use crate::column::query_rows;

/// Ids are searched from this length on, as in the shell.
const MIN_ID_PREFIX: usize = 4;

/// Adds a condition for each word of `search`.
pub(super) fn add(
    conditions: &mut Conditions,
    connection: &Connection,
    search: &str,
) -> Result<(), StoreError> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Ok(());
    }
    // There are far fewer plans than runs, and SQLite's lower case is ASCII only.
    let plans = query_rows(connection, "SELECT id, title FROM plans", [], |row| {
        Ok((
            row.get::<_, Uuid>(0)?,
            row.get::<_, String>(1)?.to_lowercase(),
        ))
    })?;
    for word in words {
        let titled: Vec<_> = plans
            .iter()
            .filter(|(_, title)| title.contains(&word))
            .collect();
        let mut ways = vec!["plan IN (SELECT unhex(value) FROM json_each(?))"];
        let ids: Vec<String> = titled
            .iter()
            .map(|(id, _)| id.simple().to_string())
            .collect();
        let mut parameters = vec![Value::from(serde_json::json!(ids).to_string())];
        if let Some(number) = number(&word) {
            ways.push("number = ?");
            parameters.push(Value::from(number));
        }
        if let Some(prefix) = id_prefix(&word) {
            ways.push("lower(hex(id)) LIKE ?");
            parameters.push(Value::from(format!("{prefix}%")));
        }
        conditions.add(&format!(" AND ({})", ways.join(" OR ")), parameters);
    }
    Ok(())
}

/// `41` or `#41`.
fn number(word: &str) -> Option<u32> {
    word.strip_prefix('#').unwrap_or(word).parse().ok()
}

/// The hexadecimal digits of an id's beginning.
fn id_prefix(word: &str) -> Option<String> {
    let digits = word.replace('-', "");
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hex && digits.len() >= MIN_ID_PREFIX).then_some(digits)
}
