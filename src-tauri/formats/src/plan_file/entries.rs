//! The entries of a plan or node under Baton's own keys.
//!
//! Plans come from elsewhere too: OwnPilot calls a node's title `name` and puts what its kind needs into a mapping of
//! its own, `config`. Both are taken in here, so that the readers know one spelling; a file is written with that one.

use std::borrow::Cow;

use super::fault::{FaultKind, Faults};
use super::keys::{KINDS, NODE_ALIASES, OWN_PILOT_KEYS, PLAN_ALIASES};
use super::step_shape;
use super::tree::{Entry, Value};
use baton_model::likeness::nearest;

/// The key of the mapping that holds what a node's kind needs.
const CONFIG: &str = "config";

/// The entries of the plan.
pub(super) fn of_plan<'t>(entries: &'t [Entry], faults: &mut Faults) -> Cow<'t, [Entry]> {
    // All nodes hang on one of the entries: they are copied only where another spelling asks for it.
    if !is_own_pilots(entries) {
        return Cow::Borrowed(entries);
    }
    let mut own = Vec::with_capacity(entries.len());
    for entry in entries {
        put(entry.clone(), PLAN_ALIASES, &mut own, faults);
    }
    Cow::Owned(own)
}

/// Whether they are those of an OwnPilot plan.
pub(super) fn is_own_pilots(entries: &[Entry]) -> bool {
    entries
        .iter()
        .any(|entry| OWN_PILOT_KEYS.contains(&entry.key.as_str()))
}

/// The entries of a node called `of`.
pub(super) fn of_node<'t>(of: &str, entries: &'t [Entry], faults: &mut Faults) -> Cow<'t, [Entry]> {
    let stays_behind = |entry: &&Entry| ![CONFIG, step_shape::ORDER].contains(&entry.key.as_str());
    let is_own = |entry: &Entry| stays_behind(&entry) && alias(&entry.key, NODE_ALIASES).is_none();
    if entries.iter().all(is_own) {
        return Cow::Borrowed(entries);
    }
    let mut own = Vec::with_capacity(entries.len());
    for entry in entries.iter().filter(stays_behind) {
        put(entry.clone(), NODE_ALIASES, &mut own, faults);
    }
    if let Some(config) = entries
        .iter()
        .find(|entry| entry.key == CONFIG && !entry.value.is_null())
    {
        put_config(of, config, &mut own, faults);
    }
    Cow::Owned(own)
}

fn put_config(of: &str, config: &Entry, own: &mut Vec<Entry>, faults: &mut Faults) {
    let Value::Map(entries) = &config.value.value else {
        super::fields::wrong_type(
            &config.value,
            &format!("\"{CONFIG}\" of {of}"),
            "a mapping",
            faults,
        );
        return;
    };
    let known = || KINDS.iter().flat_map(|(_, keys)| keys.iter().copied());
    for entry in entries {
        if known().any(|key| key == entry.key) {
            put(entry.clone(), &[], own, faults);
        } else {
            let nearest = nearest(&entry.key, known()).map(str::to_owned);
            let of = format!("\"{CONFIG}\" of {of}");
            faults.add(
                entry.at,
                FaultKind::UnknownKey {
                    key: entry.key.clone(),
                    of,
                    nearest,
                },
            );
        }
    }
}

/// Puts `entry` under its own key, which may stand there in another spelling or place already.
fn put(
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
            FaultKind::SaidTwice {
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
