//! The top level of a plan file: its format, its plan, and the plans that it embeds.

use uuid::Uuid;

use super::fault::{FaultKind, Faults};
use super::fields::{Fields, wrong_type};
use super::keys::PLAN_KEYS;
use super::plan_reader::{PLAN_LABEL, ReadPlan};
use super::tree::{Entry, Located, ScalarKind, SourceLocation, Value};
use super::{EmbeddedPlan, Scope, Warning, core_schema, embedded, entries, plan_reader};

/// Reads the plan at `root` with its embedded plans. The result is valid only if there are no
/// faults.
pub(super) fn read(
    root: &Located,
    default_title: &str,
    scope: Scope,
    ids: &mut dyn FnMut() -> Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> Option<(ReadPlan, Vec<EmbeddedPlan>)> {
    let nodes_alone;
    let entries = match &root.value {
        Value::Map(entries) => entries,
        Value::List(_) if scope == Scope::Part => {
            nodes_alone = vec![Entry {
                key: "nodes".to_owned(),
                at: root.at,
                value: root.clone(),
            }];
            &nodes_alone
        }
        _ => {
            wrong_type(
                root,
                "a plan file",
                "a mapping that begins with \"baton: 1\"",
                faults,
            );
            return None;
        }
    };
    let is_own_pilots = entries::is_own_pilot_plan(entries);
    let entries = entries::normalize_plan(entries, faults);
    let fields = Fields {
        owner: PLAN_LABEL,
        entries: &entries,
    };
    let needs_format = scope != Scope::Part && !is_own_pilots;
    let has_format = needs_format || fields.get("baton").is_some();
    if has_format && is_newer(&fields, root.at, faults) {
        return None;
    }
    fields.refuse_unknown(PLAN_KEYS, faults);
    let own = plan_reader::content(&fields, default_title, ids, faults, warnings);
    let embedded = embedded::read(&fields, &own.0, ids, faults, warnings);
    Some((own, embedded))
}

/// Returns whether the file has a later format, in which other keys may have a different meaning.
fn is_newer(fields: &Fields<'_>, start: SourceLocation, faults: &mut Faults) -> bool {
    let Some(located) = fields.get("baton") else {
        let fix = "begin the file with \"baton: 1\"";
        faults.add(
            start,
            FaultKind::MissingKey {
                key: "baton",
                owner: PLAN_LABEL.to_owned(),
                fix,
            },
        );
        return false;
    };
    let number = match &located.value {
        Value::Scalar(text, ScalarKind::Integer) => {
            core_schema::integer(text).and_then(|n| u64::try_from(n).ok())
        }
        _ => None,
    };
    match number {
        Some(1) => false,
        Some(found @ 2..) => {
            faults.add(located.at, FaultKind::NewerFormat { found });
            true
        }
        Some(0) | None => {
            wrong_type(located, &fields.describe_key("baton"), "1", faults);
            false
        }
    }
}
