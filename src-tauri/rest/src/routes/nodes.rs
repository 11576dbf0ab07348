//! `/api/plans/{plan}/steps` and `/nodes`: the same nodes in two vocabularies.

use baton_api::wire::{NodeSaved, Nothing, PlanSaved, RunSummary};
use baton_model::NodeId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::plan_reading::{PlanReading, handoff, tool_calls};
use super::plans::current;
use crate::answer::Reply;
use crate::request::{Call, Operations};
use crate::resources::{
    Handoff, NodeChanges, NodeCreate, NodeFacts, Vocabulary, WantedNodeStatus, references_by_name,
};
use crate::route::RequestBody;
use crate::schema::{answers, inputs};
use crate::{ErrorCode, Method, RestError, Route};

inputs! {
    /// How to remove a node.
    pub(crate) struct RemoveQuery {
        /// Whether its children then depend on its parents.
        pub(crate) heal: Option<bool>,
    }
}

/// The new order: each node once.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
pub(crate) struct ReorderBody(Vec<NodePlace>);
impl RequestBody for ReorderBody {}

/// A place in the list.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NodePlace {
    /// The node's id or name.
    id: String,
    /// From 1, without gaps.
    seq: u32,
}

answers! {
    /// The node is gone.
    pub(crate) struct NodeDeleted {
        pub(crate) deleted: bool,
        /// The plan's new version.
        pub(crate) version: u32,
    }
}

/// The nodes of a plan in their order.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub(crate) struct Items<T>(Vec<T>);

const CHANGE_ERRORS: [ErrorCode; 5] = [
    ErrorCode::NotFound,
    ErrorCode::Conflict,
    ErrorCode::Refused,
    ErrorCode::Invalid,
    ErrorCode::DerivedField,
];

pub(super) fn routes<V: Vocabulary>() -> Vec<Route> {
    let all = format!("/api/plans/{{plan}}/{}", V::PATH);
    let one = format!("{all}/{{node}}");
    let id = |verb: &str, rest: &str| format!("{verb}{}{rest}", V::NAME);
    vec![
        Route::new(Method::Get, &*all, id("list", "s"), "lists the nodes of a plan", list::<V>)
            .errors(&[ErrorCode::NotFound])
            .etag(),
        Route::new(Method::Post, &*all, id("add", ""), "adds a node to a plan", add::<V>)
            .write()
            .success(201)
            .errors(&[ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::AddStepError])
            .etag()
            .conditional()
            .example(r#"{"orderNum": 2, "type": "command", "name": "Run the tests", "config": {"command": "make test"}, "maxRetries": 1}"#),
        Route::new(Method::Post, format!("{all}/reorder"), id("reorder", "s"), "changes the order of a plan's nodes", reorder::<V>)
            .write()
            .errors(&[ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::Invalid])
            .etag()
            .conditional()
            .example(r#"[{"id": "test", "seq": 1}, {"id": "build", "seq": 2}]"#),
        Route::new(Method::Get, &*one, id("get", ""), "shows a node with its handoff", get::<V>)
            .errors(&[ErrorCode::NotFound])
            .etag()
            .markdown(),
        Route::new(Method::Put, &*one, id("replace", ""), "changes a node", change::<V>)
            .write()
            .errors(&CHANGE_ERRORS)
            .etag()
            .conditional()
            .example(r#"{"name": "Run all tests", "timeoutMs": 120000}"#),
        Route::new(
            Method::Patch,
            &*one,
            id("update", ""),
            "changes a node, or skips, retries or marks it in the latest run",
            change::<V>,
        )
        .write()
        .errors(&CHANGE_ERRORS)
        .etag()
        .conditional()
        .example(r#"{"status": "skipped"}"#),
        Route::new(Method::Delete, &*one, id("delete", ""), "removes a node from a plan", remove)
            .write()
            .errors(&[ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::Invalid])
            .etag()
            .conditional(),
    ]
}

fn list<V: Vocabulary>(call: &Call<Nothing, Nothing>) -> Result<Reply<Items<V::Item>>, RestError> {
    let reading = current(call)?;
    let items = items::<V>(call, &reading)?;
    Ok(Reply::of(items).at(reading.view.revision))
}

fn items<V: Vocabulary>(
    call: &Call<Nothing, impl Sized>,
    reading: &PlanReading,
) -> Result<Items<V::Item>, RestError> {
    let facts = reading.nodes(&call.operations())?;
    Ok(Items(facts.into_iter().map(V::item).collect()))
}

/// One node as it is now, with its handoff.
fn item<V: Vocabulary, Q, B>(
    call: &Call<Q, B>,
    reading: &PlanReading,
    node: NodeId,
) -> Result<V::Item, RestError> {
    let operations = call.operations();
    let facts = reading.nodes(&operations)?;
    let found = facts.into_iter().find(|facts| facts.id() == node);
    let facts: NodeFacts<'_> =
        found.ok_or_else(|| RestError::new(ErrorCode::NotFound, "the node was just removed"))?;
    let handoff = whole_handoff::<V>(&operations, &facts)?;
    Ok(V::item(facts.with_handoff(handoff)))
}

fn whole_handoff<V: Vocabulary>(
    operations: &Operations,
    facts: &NodeFacts<'_>,
) -> Result<Option<Handoff>, RestError> {
    let Some(content) = handoff(operations, facts)? else {
        return Ok(None);
    };
    let session = facts.session().filter(|_| V::HAS_TOOL_CALLS);
    let calls = session.map(|session| tool_calls(operations, session));
    Ok(Some(Handoff {
        content,
        tool_calls: calls.transpose()?.unwrap_or_default(),
    }))
}

fn get<V: Vocabulary>(call: &Call<Nothing, Nothing>) -> Result<Reply<V::Item>, RestError> {
    let reading = current(call)?;
    let node = reading.node_id(call.name("node"))?;
    let revision = reading.view.revision;
    if call.conditions.markdown {
        let operations = call.operations();
        let facts = reading.nodes(&operations)?;
        let found = facts.iter().find(|facts| facts.id() == node);
        let left = found.map(|facts| handoff(&operations, facts)).transpose()?;
        let left = left
            .flatten()
            .ok_or_else(|| RestError::new(ErrorCode::NotFound, "the node has no handoff yet"))?;
        return Ok(Reply::markdown(left.text).at(revision));
    }
    Ok(Reply::of(item::<V, _, _>(call, &reading, node)?).at(revision))
}

fn add<V: Vocabulary>(call: &Call<Nothing, NodeCreate>) -> Result<Reply<V::Item>, RestError> {
    let before = current(call)?;
    let mut keys = call.body.keys.clone();
    references_by_name(&before.view.plan, &mut keys);
    for field in ["status", "result", "error", "retryCount"] {
        if keys.contains_key(field) {
            return Err(RestError::derived(field, "add the node without it"));
        }
    }
    let has_title = ["name", "title"].iter().any(|key| keys.contains_key(*key));
    if !has_title {
        let mut error = RestError::new(ErrorCode::InvalidRequest, "'name' is missing");
        error.body.faults = vec!["missing field `name`".to_owned()];
        return Err(error);
    }
    if V::MAX_RETRIES > 0 {
        keys.entry("maxRetries").or_insert(V::MAX_RETRIES.into());
    }
    let input = json!({
        "plan": before.view.plan.id, "node": keys, "position": call.body.seq,
        "orderNum": call.body.order_num, "baseRevision": call.conditions.if_match.base(),
    });
    let added: Result<NodeSaved, RestError> = call.operations().call("node_add", &input);
    let added = added.map_err(|error| match error.is(ErrorCode::Invalid) {
        true => RestError {
            body: crate::error::ErrorBody {
                code: ErrorCode::AddStepError,
                ..error.body
            },
            ..error
        },
        false => error,
    })?;
    let reading = current(call)?;
    let node = item::<V, _, _>(call, &reading, added.node.id)?;
    let location = format!(
        "/api/plans/{}/{}/{}",
        reading.view.plan.id,
        V::PATH,
        added.node.id
    );
    Ok(Reply::of(node).created(location).at(reading.view.revision))
}

fn change<V: Vocabulary>(call: &Call<Nothing, NodeChanges>) -> Result<Reply<V::Item>, RestError> {
    let reading = current(call)?;
    let node = reading.node_id(call.name("node"))?;
    let NodeChanges {
        status,
        result,
        keys,
    } = &call.body;
    refuse_derived(keys)?;
    match status {
        None if result.is_some() => {
            return Err(RestError::derived(
                "result",
                "send it with \"status\": \"completed\"",
            ));
        }
        None => save(call, &reading, node, keys.clone())?,
        Some(status) if keys.is_empty() => {
            call.conditions.if_match.require(reading.view.revision)?;
            act(call, &reading, node, *status, result.as_deref())?;
        }
        Some(_) => {
            let message = "a change of 'status' must be the only one";
            return Err(RestError::new(ErrorCode::Invalid, message)
                .with_fix("send the other changes in a request of their own"));
        }
    }
    let reading = current(call)?;
    let changed = item::<V, _, _>(call, &reading, node)?;
    Ok(Reply::of(changed).at(reading.view.revision))
}

fn refuse_derived(keys: &Map<String, Value>) -> Result<(), RestError> {
    for (field, instead) in [
        ("retryCount", "retry the node"),
        ("error", "send \"status\": \"failed\""),
        ("startedAt", "run the node"),
        ("completedAt", "run the node"),
        ("durationMs", "run the node"),
        ("sessionId", "run the node"),
        ("planId", "leave it out"),
        ("orderNum", "reorder the nodes"),
        ("seq", "reorder the nodes"),
    ] {
        if keys.contains_key(field) {
            return Err(RestError::derived(field, instead));
        }
    }
    Ok(())
}

fn save(
    call: &Call<Nothing, NodeChanges>,
    reading: &PlanReading,
    node: NodeId,
    mut keys: Map<String, Value>,
) -> Result<(), RestError> {
    references_by_name(&reading.view.plan, &mut keys);
    let input = json!({
        "plan": reading.view.plan.id, "node": node.to_string(), "changes": keys,
        "baseRevision": call.conditions.if_match.base(),
    });
    let _: NodeSaved = call.operations().call("node_save", &input)?;
    Ok(())
}

/// Does to the node of the latest run what a changed `status` asks for.
fn act(
    call: &Call<Nothing, NodeChanges>,
    reading: &PlanReading,
    node: NodeId,
    status: WantedNodeStatus,
    result: Option<&str>,
) -> Result<(), RestError> {
    let run = reading.latest_run()?;
    let is_done = matches!(status, WantedNodeStatus::Completed | WantedNodeStatus::Done);
    if result.is_some() && !is_done {
        return Err(RestError::derived(
            "result",
            "send it with \"status\": \"completed\"",
        ));
    }
    let (operation, input) = match status {
        WantedNodeStatus::Skipped => ("node_skip", json!({ "run": run, "node": node })),
        WantedNodeStatus::Pending => ("node_retry", json!({ "run": run, "node": node })),
        WantedNodeStatus::Failed => ("node_mark_failed", json!({ "run": run, "node": node })),
        WantedNodeStatus::Completed | WantedNodeStatus::Done => (
            "node_mark_done",
            json!({ "run": run, "node": node, "handoff": result.unwrap_or_default() }),
        ),
    };
    let _: RunSummary = call.operations().call(operation, &input)?;
    Ok(())
}

fn remove(call: &Call<RemoveQuery, Nothing>) -> Result<Reply<NodeDeleted>, RestError> {
    let plan: baton_model::PlanId = call.id("plan")?;
    let input = json!({
        "plan": plan, "node": call.name("node"), "heal": call.query.heal.unwrap_or(false),
        "baseRevision": call.conditions.if_match.base(),
    });
    let saved: PlanSaved = call.operations().call("node_remove", &input)?;
    Ok(Reply::of(NodeDeleted {
        deleted: true,
        version: saved.version,
    })
    .at(saved.revision))
}

fn reorder<V: Vocabulary>(
    call: &Call<Nothing, ReorderBody>,
) -> Result<Reply<Items<V::Item>>, RestError> {
    let before = current(call)?;
    let mut places = call.body.0.clone();
    places.sort_by_key(|place| place.seq);
    let gap = (1..).zip(&places).find(|(seq, place)| *seq != place.seq);
    if let Some((seq, _)) = gap {
        let message = format!("the order has no single node with seq {seq}");
        return Err(RestError::new(ErrorCode::Invalid, message)
            .with_fix("number the nodes from 1 without gaps"));
    }
    let ids = places.iter().map(|place| before.node_id(&place.id));
    let ids: Vec<NodeId> = ids.collect::<Result<_, _>>().map_err(as_invalid)?;
    let input = json!({
        "plan": before.view.plan.id, "nodes": ids,
        "baseRevision": call.conditions.if_match.base(),
    });
    let saved: Result<PlanSaved, RestError> = call.operations().call("nodes_reorder", &input);
    saved.map_err(as_invalid)?;
    let reading = current(call)?;
    let items = items::<V>(call, &reading)?;
    Ok(Reply::of(items).at(reading.view.revision))
}

/// In an order, an unknown or missing node is a fault of the content.
fn as_invalid(error: RestError) -> RestError {
    match error.body.code {
        ErrorCode::NotFound | ErrorCode::InvalidRequest => RestError {
            status: ErrorCode::Invalid.status(),
            body: crate::error::ErrorBody {
                code: ErrorCode::Invalid,
                ..error.body
            },
            ..error
        },
        _ => error,
    }
}
