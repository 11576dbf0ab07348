//! Baton's hook in TOML settings. Comments and order stay.

use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

use super::EntryError;
use super::hook_file::{HOOKS, is_guard};
use super::toml_entry::parse;

/// `text` with a hook before tool calls.
pub(super) fn with_hook(text: &str, event: &str, command: &str) -> Result<String, EntryError> {
    let mut document = parse(text)?;
    let hooks = document.entry(HOOKS).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let hooks = hooks.as_table_like_mut();
    let hooks = hooks.ok_or_else(|| wrong(text, HOOKS, "a table"))?;
    let is_inline = hooks.get(event).is_some_and(Item::is_array);
    let entries = hooks
        .entry(event)
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    match entries {
        Item::ArrayOfTables(tables) => tables.push(entry(command)),
        Item::Value(Value::Array(array)) if is_inline => array.push(inline_entry(command)),
        _ => return Err(wrong(text, event, "a list of tables")),
    }
    Ok(document.to_string())
}

fn entry(command: &str) -> Table {
    let mut hook = Table::new();
    hook.insert("type", value("command"));
    hook.insert("command", value(command));
    let mut hooks = ArrayOfTables::new();
    hooks.push(hook);
    let mut entry = Table::new();
    entry.insert(HOOKS, Item::ArrayOfTables(hooks));
    entry
}

fn inline_entry(command: &str) -> InlineTable {
    let hook = InlineTable::from_iter([("type", "command"), ("command", command)]);
    InlineTable::from_iter([(HOOKS, Value::Array([hook].into_iter().collect()))])
}

/// `text` without Baton's hook, and without tables that are empty then.
pub(super) fn without_hook(text: &str, event: &str) -> Result<String, EntryError> {
    let mut document = parse(text)?;
    let Some(hooks) = document.get_mut(HOOKS) else {
        return Ok(text.to_owned());
    };
    let hooks = hooks.as_table_like_mut();
    let hooks = hooks.ok_or_else(|| wrong(text, HOOKS, "a table"))?;
    let Some(entries) = hooks.get_mut(event) else {
        return Ok(text.to_owned());
    };
    if commands(entries).is_empty() {
        return Ok(text.to_owned());
    }
    let is_empty = match entries {
        Item::ArrayOfTables(tables) => {
            tables.retain(|entry| command_of(entry).is_none());
            tables.is_empty()
        }
        Item::Value(Value::Array(array)) => {
            let is_guard = |value: &Value| {
                value
                    .as_inline_table()
                    .is_some_and(|entry| command_of(entry).is_some())
            };
            array.retain(|value| !is_guard(value));
            array.is_empty()
        }
        _ => false,
    };
    if is_empty {
        remove(&mut document, event);
    }
    Ok(document.to_string())
}

fn remove(document: &mut DocumentMut, event: &str) {
    let hooks = document.get_mut(HOOKS).and_then(Item::as_table_like_mut);
    let is_empty = hooks.is_some_and(|hooks| {
        hooks.remove(event);
        hooks.is_empty()
    });
    if is_empty {
        document.remove(HOOKS);
    }
}

/// The command of Baton's hook.
pub(super) fn guard_command(text: &str, event: &str) -> Option<String> {
    let document = parse(text).ok()?;
    let entries = document.get(HOOKS)?.as_table_like()?.get(event)?;
    commands(entries).into_iter().next()
}

/// The commands of Baton's hooks.
fn commands(entries: &Item) -> Vec<String> {
    tables(entries).into_iter().filter_map(command_of).collect()
}

/// The command of Baton's hook in an entry.
fn command_of(entry: &dyn TableLike) -> Option<String> {
    let mut commands = tables(entry.get(HOOKS)?)
        .into_iter()
        .filter_map(|hook| Some(hook.get("command")?.as_str()?.to_owned()));
    commands.find(|command| is_guard(command))
}

/// The tables of a list, in either notation.
fn tables(list: &Item) -> Vec<&dyn TableLike> {
    match list {
        Item::ArrayOfTables(tables) => tables.iter().map(|table| table as &dyn TableLike).collect(),
        Item::Value(Value::Array(array)) => {
            let tables = array.iter().filter_map(Value::as_inline_table);
            tables.map(|table| table as &dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

fn wrong(text: &str, name: &str, expected: &str) -> EntryError {
    let offset = text.find(name).unwrap_or_default();
    EntryError::at(text, offset, format!("{name} is not {expected}"))
}
