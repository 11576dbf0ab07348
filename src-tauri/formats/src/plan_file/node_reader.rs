//! Reads the nodes of a plan file one by one. References between them are resolved in
//! [`super::references`].

use uuid::Uuid;

use super::fault::{FaultKind, Faults};
use super::fields::{Fields, text, whole_number, wrong_type};
use super::keys::{self, ON_FAILURES};
use super::node_draft::{Dependency, NodeDraft, Reference, ReferenceRole, reference};
use super::own_pilot_step::{self, Step};
use super::tree::{Entry, Located, ScalarKind, SourceLocation, Value, quoted};
use super::{Warning, WarningKind, core_schema, entries, key_locations, kind_reader, stand_in};
use baton_model::node::{Budget, Criterion, Node, NodeKind, OnFailure, Position};
use baton_model::plan::TITLE_LENGTH_LIMIT;
use baton_model::problem::{NodeField, RETRIES_LIMIT};
use baton_model::{NodeId, Slug};

/// Reads the `number`th node, counted from 1.
pub(super) fn read(
    located: &Located,
    number: usize,
    id: Uuid,
    faults: &mut Faults,
    warnings: &mut Vec<Warning>,
) -> Option<NodeDraft> {
    let Value::Map(written) = &located.value else {
        wrong_type(located, &format!("node {number}"), "a mapping", faults);
        return None;
    };
    let label = label(written, number);
    let step = Step::read(&label, written, faults);
    let entries = entries::normalize_node(&label, written, faults);
    let fields = Fields {
        owner: &label,
        entries: &entries,
    };
    let is_unnamed = step.as_ref().is_some_and(Step::is_unnamed);
    let (slug, at) = if is_unnamed {
        (None, located.at)
    } else {
        slug(&fields, located.at, faults)
    };
    let dependencies = dependencies(&fields, faults);
    let mut references = Vec::new();
    let kind = kind_reader::read(&fields, &mut references, faults);
    let kind_is_known = kind.is_some();
    // Continue even without an id or a kind, so that all faults are reported at once.
    let stand_in_slug = || Slug::from_title(&format!("unnamed node {number}"));
    let node = Node::new(
        NodeId(id),
        slug.clone().unwrap_or_else(stand_in_slug),
        "",
        kind.unwrap_or_else(stand_in::kind),
    );
    let mut node = with_policies(with_common_fields(node, &fields, faults), &fields, faults);
    if step.is_some() && node.is_executable() && fields.get("maxRetries").is_none() {
        node.max_retries = own_pilot_step::MAX_RETRIES;
    }
    node.on_failure = on_failure(&fields, &mut references, faults);
    references.extend(reference(&fields, ReferenceRole::OnSuccess, faults));
    if lacks_task(&node) {
        warnings.push(Warning {
            at,
            kind: WarningKind::NoTask {
                owner: label.clone(),
            },
        });
    }
    let places = places(&fields);
    let keys = key_locations::key_locations(&entries);
    Some(NodeDraft {
        at,
        slug,
        node,
        kind_is_known,
        dependencies,
        references,
        step,
        places,
        keys,
        label,
    })
}

fn label(entries: &[Entry], number: usize) -> String {
    match entries
        .iter()
        .find(|entry| entry.key == "id")
        .map(|entry| &entry.value.value)
    {
        Some(Value::Scalar(id, _)) if !id.is_empty() => format!("node {}", quoted(id)),
        _ => format!("node {number}"),
    }
}

fn slug(
    fields: &Fields<'_>,
    node_at: SourceLocation,
    faults: &mut Faults,
) -> (Option<Slug>, SourceLocation) {
    let Some(located) = fields.get("id") else {
        let fix = "give it a unique one made of letters, digits, '-' and '_'";
        faults.add(
            node_at,
            FaultKind::MissingKey {
                key: "id",
                owner: fields.owner.to_owned(),
                fix,
            },
        );
        return (None, node_at);
    };
    let slug =
        text(located, &fields.describe_key("id"), faults).and_then(|text| match Slug::new(&text) {
            Ok(slug) => Some(slug),
            Err(invalid) => {
                faults.add(located.at, FaultKind::InvalidSlug(invalid));
                None
            }
        });
    (slug, located.at)
}

fn dependencies(fields: &Fields<'_>, faults: &mut Faults) -> Vec<Dependency> {
    let items = fields.list("dependsOn", faults);
    items
        .iter()
        .filter_map(|item| dependency(item, fields, faults))
        .collect()
}

fn dependency(
    item: &Located,
    owner_fields: &Fields<'_>,
    faults: &mut Faults,
) -> Option<Dependency> {
    let name = owner_fields.describe_key("dependsOn");
    let Value::Map(entries) = &item.value else {
        let on = text(item, &format!("an item of {name}"), faults)?;
        return Some(Dependency {
            at: item.at,
            on,
            soft: false,
            inferred: false,
        });
    };
    let fields = Fields {
        owner: &name,
        entries,
    };
    fields.refuse_unknown(&["node", "soft", "inferred"], faults);
    let soft = fields.flag("soft", faults).unwrap_or(false);
    let inferred = fields.flag("inferred", faults).unwrap_or(false);
    if fields.get("node").is_none() {
        let fix = "write {node: ID, soft: true} or only the ID";
        faults.add(
            item.at,
            FaultKind::MissingKey {
                key: "node",
                owner: name.clone(),
                fix,
            },
        );
    }
    let at = fields.get("node").map_or(item.at, |node| node.at);
    Some(Dependency {
        at,
        on: fields.text("node", faults)?,
        soft,
        inferred,
    })
}

/// A keyword is a policy even if a node has that id; any other value is a node.
fn on_failure(
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> OnFailure {
    match reference(fields, ReferenceRole::OnFailure, faults) {
        Some(jump) if !ON_FAILURES.contains(&jump.to.as_str()) => references.push(jump),
        Some(word) if word.to == "skip" => return OnFailure::Skip,
        _ => {}
    }
    OnFailure::Abort
}

fn with_common_fields(node: Node, fields: &Fields<'_>, faults: &mut Faults) -> Node {
    Node {
        title: title(fields, faults).unwrap_or_else(|| node.slug.to_string()),
        description: fields.text("description", faults).unwrap_or_default(),
        instructions: fields.text("instructions", faults).unwrap_or_default(),
        acceptance_criteria: criteria(fields, faults),
        tools_required: fields.texts("toolsRequired", faults),
        suggested_agent: fields.text("suggestedAgent", faults),
        position: position(fields, faults),
        keeps_place: fields.flag("keepsPlace", faults).unwrap_or_default(),
        metadata: fields.json("metadata", faults),
        ..node
    }
}

fn with_policies(node: Node, fields: &Fields<'_>, faults: &mut Faults) -> Node {
    Node {
        trigger_rule: fields.keyword("triggerRule", keys::TRIGGER_RULES, faults),
        max_retries: fields
            .whole_number("maxRetries", 0..=RETRIES_LIMIT.into(), faults)
            .unwrap_or(0),
        retry_exit_codes: exit_codes(fields, faults),
        after_crash: fields
            .keyword("afterCrash", keys::AFTER_CRASHES, faults)
            .unwrap_or_default(),
        timeout_ms: fields.whole_number("timeoutMs", 0..=u64::MAX, faults),
        silent_after_ms: fields.whole_number("silentAfterMs", 0..=u64::MAX, faults),
        budget: budget(fields, faults),
        isolation: fields.keyword("isolation", keys::ISOLATIONS, faults),
        sandbox: fields.keyword("sandbox", keys::SANDBOX_MODES, faults),
        locks: fields.texts("locks", faults),
        priority: fields
            .whole_number("priority", 1..=10, faults)
            .unwrap_or(node.priority),
        disabled: fields.flag("disabled", faults).unwrap_or(false),
        ..node
    }
}

/// Sentences, commands and questions to a reviewer: `text`, `{run: …}`, `{run: …, verifyOnTakeover:
/// false}`, `{ask: …}`.
fn criteria(fields: &Fields<'_>, faults: &mut Faults) -> Vec<Criterion> {
    let name = format!("an item of {}", fields.describe_key("acceptanceCriteria"));
    let items = fields.list("acceptanceCriteria", faults);
    let criterion = |item: &Located| {
        let Value::Map(entries) = &item.value else {
            return text(item, &name, faults).map(Criterion::Sentence);
        };
        let inner = Fields {
            owner: &name,
            entries,
        };
        inner.refuse_unknown(&["run", "verifyOnTakeover", "ask"], faults);
        let verified = inner.flag("verifyOnTakeover", faults);
        match (inner.text("run", faults), inner.text("ask", faults)) {
            (Some(run), None) => Some(Criterion::Run {
                run,
                verify_on_takeover: verified.unwrap_or(true),
            }),
            (None, Some(_)) if verified.is_some() => {
                wrong_type(
                    item,
                    &name,
                    "\"ask\" alone, as \"verifyOnTakeover\" belongs to \"run\"",
                    faults,
                );
                None
            }
            (None, Some(ask)) => Some(Criterion::Ask { ask }),
            _ => {
                wrong_type(
                    item,
                    &name,
                    "text, or a mapping with either \"run\" or \"ask\"",
                    faults,
                );
                None
            }
        }
    };
    items.iter().filter_map(criterion).collect()
}

/// Negative exit codes exist on Windows.
fn exit_codes(fields: &Fields<'_>, faults: &mut Faults) -> Vec<i32> {
    let items = fields.list("retryExitCodes", faults);
    let code = |item: &Located| match &item.value {
        Value::Scalar(text, ScalarKind::Integer) => {
            core_schema::integer(text).and_then(|code| i32::try_from(code).ok())
        }
        _ => None,
    };
    let mut codes = Vec::with_capacity(items.len());
    for item in items {
        match code(item) {
            Some(code) => codes.push(code),
            None => wrong_type(
                item,
                &format!("an item of {}", fields.describe_key("retryExitCodes")),
                "an exit code",
                faults,
            ),
        }
    }
    codes
}

/// Reads the budget of a node or of the plan.
pub(super) fn budget(fields: &Fields<'_>, faults: &mut Faults) -> Budget {
    let Some(entries) = fields.map("budget", faults) else {
        return Budget::default();
    };
    let name = fields.describe_key("budget");
    let inner = Fields {
        owner: &name,
        entries,
    };
    inner.refuse_unknown(&["tokens", "costUsd"], faults);
    let tokens = inner
        .get("tokens")
        .and_then(|tokens| whole_number(tokens, "tokens", &name, 1..=u64::MAX, faults));
    let cost_usd = inner.number("costUsd", faults);
    if let Some(located) = inner
        .get("costUsd")
        .filter(|_| cost_usd.is_some_and(|cost| cost <= 0.0))
    {
        wrong_type(
            located,
            &inner.describe_key("costUsd"),
            "more than 0",
            faults,
        );
    }
    Budget {
        tokens,
        cost_usd: cost_usd.filter(|&cost| cost > 0.0),
    }
}

/// Reads the title of a plan or a node, if it has one.
pub(super) fn title(fields: &Fields<'_>, faults: &mut Faults) -> Option<String> {
    let title = fields.text("title", faults)?;
    let length = if title.trim().is_empty() {
        0
    } else {
        title.chars().count()
    };
    if !(1..=TITLE_LENGTH_LIMIT).contains(&length) {
        let at = fields
            .get("title")
            .map_or(SourceLocation::START, |located| located.at);
        faults.add(
            at,
            FaultKind::TitleLength {
                owner: fields.owner.to_owned(),
                length,
            },
        );
    }
    Some(title)
}

fn position(fields: &Fields<'_>, faults: &mut Faults) -> Option<Position> {
    let entries = fields.map("position", faults)?;
    let name = fields.describe_key("position");
    let inner = Fields {
        owner: &name,
        entries,
    };
    inner.refuse_unknown(&["x", "y"], faults);
    for key in ["x", "y"] {
        if inner.get(key).is_none() {
            let at = fields
                .get("position")
                .map_or(SourceLocation::START, |located| located.at);
            let fix = "write {x: 0, y: 0}, or leave the position out";
            faults.add(
                at,
                FaultKind::MissingKey {
                    key,
                    owner: name.clone(),
                    fix,
                },
            );
        }
    }
    Some(Position {
        x: inner.number("x", faults)?,
        y: inner.number("y", faults)?,
    })
}

/// The fields of a loop body may be in a mapping of their own.
fn places(fields: &Fields<'_>) -> Vec<(NodeField, SourceLocation)> {
    let place = |field: NodeField| {
        let of_body = || match field {
            NodeField::ToolName | NodeField::SubPlanId => fields.get("body"),
            _ => None,
        };
        Some((field, fields.get(field.key()).or_else(of_body)?.at))
    };
    NodeField::ALL.iter().copied().filter_map(place).collect()
}

fn lacks_task(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Agent(task) => {
            task.prompt.is_empty() && node.description.is_empty() && node.instructions.is_empty()
        }
        _ => false,
    }
}
