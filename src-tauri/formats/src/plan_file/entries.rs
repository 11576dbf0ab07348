//! Renames the entries of a plan or node to canonical keys.
//!
//! Plans also come from elsewhere: OwnPilot calls a node's title `name` and puts the keys of its
//! kind into a mapping `config`. Both are accepted here, so that readers only handle canonical
//! keys. Files are always written with those.

use std::borrow::Cow;

use super::fault::{FaultKind, Faults};
use super::keys::{GROUP_ALIASES, KINDS, NODE_ALIASES, OWN_PILOT_KEYS, PLAN_ALIASES};
use super::own_pilot_step;
use super::tree::{Entry, Value};
use baton_model::spelling_suggestion::closest_match;

/// The key of the mapping with the keys of a node's kind.
const CONFIG: &str = "config";

/// The entries of a plan under canonical keys.
pub(super) fn normalize_plan<'t>(entries: &'t [Entry], faults: &mut Faults) -> Cow<'t, [Entry]> {
    // Only copied if necessary: one of the entries holds all nodes.
    if !is_own_pilot_plan(entries) {
        return Cow::Borrowed(entries);
    }
    let mut own = Vec::with_capacity(entries.len());
    for entry in entries {
        insert_entry(entry.clone(), PLAN_ALIASES, &mut own, faults);
    }
    Cow::Owned(own)
}

/// Returns whether the entries are those of an OwnPilot plan.
pub(super) fn is_own_pilot_plan(entries: &[Entry]) -> bool {
    entries
        .iter()
        .any(|entry| OWN_PILOT_KEYS.contains(&entry.key.as_str()))
}

/// The entries of the node `owner` under canonical keys.
pub(super) fn normalize_node<'t>(
    owner: &str,
    entries: &'t [Entry],
    faults: &mut Faults,
) -> Cow<'t, [Entry]> {
    let stays_behind =
        |entry: &&Entry| ![CONFIG, own_pilot_step::ORDER].contains(&entry.key.as_str());
    let is_own = |entry: &Entry| stays_behind(&entry) && alias(&entry.key, NODE_ALIASES).is_none();
    if entries.iter().all(is_own) {
        return Cow::Borrowed(entries);
    }
    let mut own = Vec::with_capacity(entries.len());
    for entry in entries.iter().filter(stays_behind) {
        insert_entry(entry.clone(), NODE_ALIASES, &mut own, faults);
    }
    if let Some(config) = entries
        .iter()
        .find(|entry| entry.key == CONFIG && !entry.value.is_null())
    {
        put_config(owner, config, &mut own, faults);
    }
    Cow::Owned(own)
}

/// The entries of a group under canonical keys.
pub(super) fn normalize_group<'t>(entries: &'t [Entry], faults: &mut Faults) -> Cow<'t, [Entry]> {
    if entries
        .iter()
        .all(|entry| alias(&entry.key, GROUP_ALIASES).is_none())
    {
        return Cow::Borrowed(entries);
    }
    let mut own = Vec::with_capacity(entries.len());
    for entry in entries {
        insert_entry(entry.clone(), GROUP_ALIASES, &mut own, faults);
    }
    Cow::Owned(own)
}

fn put_config(owner: &str, config: &Entry, own: &mut Vec<Entry>, faults: &mut Faults) {
    let Value::Map(entries) = &config.value.value else {
        super::fields::wrong_type(
            &config.value,
            &format!("\"{CONFIG}\" of {owner}"),
            "a mapping",
            faults,
        );
        return;
    };
    let known = || KINDS.iter().flat_map(|(_, keys)| keys.iter().copied());
    for entry in entries {
        let key = alias(&entry.key, NODE_ALIASES).unwrap_or(&entry.key);
        if known().any(|known| known == key) {
            insert_entry(entry.clone(), NODE_ALIASES, own, faults);
        } else {
            let nearest = closest_match(&entry.key, known()).map(str::to_owned);
            let owner = format!("\"{CONFIG}\" of {owner}");
            faults.add(
                entry.at,
                FaultKind::UnknownKey {
                    key: entry.key.clone(),
                    owner,
                    nearest,
                },
            );
        }
    }
}

/// Adds `entry` under its canonical key, unless another spelling has set it already.
fn insert_entry(
    mut entry: Entry,
    aliases: &[(&str, &'static str)],
    own: &mut Vec<Entry>,
    faults: &mut Faults,
) {
    if let Some(key) = alias(&entry.key, aliases) {
        entry.key = key.to_owned();
    }
    match own.iter_mut().find(|other| other.key == entry.key) {
        Some(_) if entry.value.is_null() => {}
        // A key without a value counts as absent.
        Some(first) if first.value.is_null() => *first = entry,
        Some(first) => faults.add(
            entry.at,
            FaultKind::DuplicateAlias {
                key: entry.key,
                first: first.at,
            },
        ),
        None => own.push(entry),
    }
}

fn alias(key: &str, aliases: &[(&str, &'static str)]) -> Option<&'static str> {
    aliases
        .iter()
        .find(|(other, _)| *other == key)
        .map(|(_, own)| *own)
}
