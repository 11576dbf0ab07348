//! Baton's hook in JSON settings, which may have comments.

use jsonc_parser::cst::{CstArray, CstNode, CstObject, CstRootNode};
use jsonc_parser::json;

use super::EntryError;
use super::hook_file::{HOOKS, is_guard};
use super::json_entry::parse_options;

/// `text` with a hook before tool calls.
pub(super) fn with_hook(text: &str, event: &str, command: &str) -> Result<String, EntryError> {
    let text = match text.trim().is_empty() {
        true => "{}\n",
        false => text,
    };
    let root = parse(text)?;
    let hooks = object(text, &root)?.object_value_or_create(HOOKS);
    let hooks = hooks.ok_or_else(|| wrong(text, HOOKS, "an object"))?;
    let entries = hooks.array_value_or_create(event);
    let entries = entries.ok_or_else(|| wrong(text, event, "a list"))?;
    entries.append(json!({
        "hooks": [{"type": "command", "command": command}]
    }));
    Ok(root.to_string())
}

/// `text` without Baton's hook, and without lists that are empty then.
pub(super) fn without_hook(text: &str, event: &str) -> Result<String, EntryError> {
    let root = parse(text)?;
    let object = object(text, &root)?;
    let Some(hooks) = object.get(HOOKS) else {
        return Ok(text.to_owned());
    };
    let hooks = hooks.object_value();
    let hooks = hooks.ok_or_else(|| wrong(text, HOOKS, "an object"))?;
    let Some(entries) = hooks.array_value(event) else {
        return Ok(text.to_owned());
    };
    let guards = entries.elements().into_iter();
    let guards: Vec<_> = guards.filter(|entry| command_of(entry).is_some()).collect();
    if guards.is_empty() {
        return Ok(text.to_owned());
    }
    guards.into_iter().for_each(CstNode::remove);
    remove_empty(&object, &hooks, &entries, event);
    Ok(root.to_string())
}

fn remove_empty(object: &CstObject, hooks: &CstObject, entries: &CstArray, event: &str) {
    if entries.elements().is_empty()
        && let Some(property) = hooks.get(event)
    {
        property.remove();
    }
    if hooks.properties().is_empty()
        && let Some(property) = object.get(HOOKS)
    {
        property.remove();
    }
}

/// The command of Baton's hook.
pub(super) fn guard_command(text: &str, event: &str) -> Option<String> {
    let hooks = parse(text).ok()?.object_value()?.object_value(HOOKS)?;
    let entries = hooks.array_value(event)?.elements();
    entries.iter().find_map(command_of)
}

/// The command of Baton's hook in an entry.
fn command_of(entry: &CstNode) -> Option<String> {
    let hooks = entry.as_object()?.array_value(HOOKS)?.elements();
    let mut commands = hooks.iter().filter_map(|hook| {
        let value = hook.as_object()?.get("command")?.value()?;
        value.as_string_lit()?.decoded_value().ok()
    });
    commands.find(|command| is_guard(command))
}

fn parse(text: &str) -> Result<CstRootNode, EntryError> {
    CstRootNode::parse(text, &parse_options())
        .map_err(|error| EntryError::at(text, error.range().start, error.kind().to_string()))
}

fn object(text: &str, root: &CstRootNode) -> Result<CstObject, EntryError> {
    let wrong = || EntryError::at(text, 0, "it is not a JSON object");
    root.object_value().ok_or_else(wrong)
}

fn wrong(text: &str, name: &str, expected: &str) -> EntryError {
    let offset = text.find(&format!("\"{name}\"")).unwrap_or_default();
    EntryError::at(text, offset, format!("\"{name}\" is not {expected}"))
}
