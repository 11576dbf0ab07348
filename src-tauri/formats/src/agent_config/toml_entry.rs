//! Baton's entry in a TOML configuration. Comments and order stay.

use toml_edit::{Array, DocumentMut, Item, Table, TomlError, value};

use super::{EntryError, SERVER, ServerCommand};

/// The table of servers.
const SERVERS: &str = "mcp_servers";

/// `text` with the entry.
pub(super) fn with_entry(text: &str, command: &ServerCommand) -> Result<String, EntryError> {
    let mut document = parse(text)?;
    let servers = document.entry(SERVERS).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let Some(servers) = servers.as_table_like_mut() else {
        return Err(not_a_table(text));
    };
    let arguments: Array = command.arguments.iter().collect();
    let mut entry = Table::new();
    entry.insert("command", value(&command.program));
    entry.insert("args", value(arguments));
    let written = servers.get(SERVER).map(|item| item.to_string());
    if written.is_none_or(|written| !is_equal(&written, &entry)) {
        servers.insert(SERVER, Item::Table(entry));
    }
    Ok(document.to_string())
}

/// `text` without the entry.
pub(super) fn without_entry(text: &str) -> Result<String, EntryError> {
    let mut document = parse(text)?;
    let Some(servers) = document.get_mut(SERVERS) else {
        return Ok(text.to_owned());
    };
    let Some(servers) = servers.as_table_like_mut() else {
        return Err(not_a_table(text));
    };
    match servers.remove(SERVER) {
        Some(_) => Ok(document.to_string()),
        None => Ok(text.to_owned()),
    }
}

fn is_equal(written: &str, entry: &Table) -> bool {
    written.trim() == entry.to_string().trim()
}

pub(super) fn parse(text: &str) -> Result<DocumentMut, EntryError> {
    text.parse().map_err(|error: TomlError| {
        let offset = error.span().map_or(0, |span| span.start);
        EntryError::at(text, offset, one_line(error.message()))
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn not_a_table(text: &str) -> EntryError {
    let offset = text.find(SERVERS).unwrap_or_default();
    EntryError::at(text, offset, format!("{SERVERS} is not a table"))
}
