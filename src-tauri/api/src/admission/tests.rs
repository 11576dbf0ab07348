//! Admission of every operation for every actor.

use std::fmt::Write as _;

use baton_model::node::{NodeKind, ToolCall};
use baton_model::{NodeId, Plan, Slug};
use baton_store::{ActorChannel, SessionRow, TokenRow};
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::operations::OPERATIONS;
use crate::sessions::tests::{begin_plan, plan};
use crate::{Role, call};

fn open() -> (tempfile::TempDir, std::sync::Arc<App>) {
    let folder = tempfile::tempdir().expect("temp dir");
    let keeper = std::env::current_exe().expect("current exe");
    let app = App::open_with_keeper(folder.path().to_path_buf(), Role::Cli, keeper).expect("opens");
    (folder, app)
}

/// The session of the first node in a run of `plan`.
fn session(app: &App, plan: Plan) -> SessionRow {
    let run = begin_plan(app, plan);
    app.store
        .sessions()
        .list(Some(run), 1)
        .expect("stored")
        .rows
        .remove(0)
}

/// A plan whose node calls a tool that acts on plans.
fn plan_tool() -> Plan {
    let mut plan = plan(0);
    let kind = NodeKind::ToolCall(ToolCall {
        tool_name: "list_plans".to_owned(),
        tool_args: Default::default(),
    });
    plan.nodes.push(baton_model::Node::new(
        NodeId(Uuid::now_v7()),
        Slug::from_title("call"),
        "Call".to_owned(),
        kind,
    ));
    plan
}

fn token(app: &App, surface: AccessLevel) -> Actor {
    let row = TokenRow {
        name: surface.as_str().to_owned(),
        surface,
        created_at: app.now(),
        used_at: None,
    };
    app.store
        .access_tokens()
        .add(&row, surface.as_str().as_bytes())
        .expect("unused name");
    Actor::Program(row.name)
}

fn decision(app: &App, actor: &Actor, operation: &Operation, input: &Value) -> &'static str {
    match admit(&app.acting_as(actor.clone()), operation, input).expect("store is readable") {
        Admission::Admitted => "does",
        Admission::Held => "asks",
        Admission::Forbidden(_) => "-",
    }
}

#[test]
fn every_operation_lists_what_each_actor_may_do() {
    let (_folder, app) = open();
    let own = session(&app, plan(1));
    let foreign = session(&app, plan(1));
    let tool = session(&app, plan_tool());
    let about = |session: &SessionRow| {
        let plan = app.store.runs().get(session.run).expect("run exists").plan;
        json!({ "plan": plan, "run": session.run, "session": session.id })
    };
    let columns: Vec<(&str, Actor, Value)> = vec![
        ("person", Actor::Person(ActorChannel::Window), about(&own)),
        ("read", token(&app, AccessLevel::Read), about(&own)),
        ("write", token(&app, AccessLevel::Write), about(&own)),
        ("decide", token(&app, AccessLevel::Decide), about(&own)),
        (
            "revoked",
            Actor::Program("nobody's".to_owned()),
            about(&own),
        ),
        ("outside", Actor::Agent("claude".to_owned()), about(&own)),
        ("own", Actor::Session(own.id), about(&own)),
        ("other's", Actor::Session(own.id), about(&foreign)),
        ("tool", Actor::Session(tool.id), about(&foreign)),
    ];
    let mut table = format!("{:26}{:8}", "operation", "right");
    columns
        .iter()
        .for_each(|(name, ..)| write!(table, "{name:9}").expect("write to a string"));
    for operation in OPERATIONS {
        write!(
            table,
            "\n{:26}{:8}",
            operation.name,
            operation.right.as_str()
        )
        .expect("write to a string");
        for (_, actor, input) in &columns {
            write!(table, "{:9}", decision(&app, actor, operation, input))
                .expect("write to a string");
        }
    }
    let table: Vec<&str> = table.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(table.join("\n"));
}

#[test]
fn only_a_person_decides() {
    let (_folder, app) = open();
    let own = session(&app, plan(1));
    let about = json!({ "plan": app.store.runs().get(own.run).expect("run exists").plan, "run": own.run, "session": own.id });
    for operation in OPERATIONS
        .iter()
        .filter(|operation| operation.right == AccessLevel::Decide)
    {
        let refused = OPERATIONS_OF_PEOPLE.contains(&operation.name);
        for actor in [Actor::Session(own.id), Actor::Agent("codex".to_owned())] {
            assert_eq!(
                decision(&app, &actor, operation, &about),
                if refused { "-" } else { "asks" },
                "{} by {actor}",
                operation.name
            );
        }
    }
}

/// Calls `name` as a session and returns the id of the held call.
fn held_call_id(
    app: &App,
    session: &SessionRow,
    name: &str,
    input: Value,
) -> baton_store::HeldCallId {
    let error =
        call(&app.acting_as(Actor::Session(session.id)), name, input).expect_err("needs a person");
    assert_eq!(error.code, Code::WaitsForPerson, "{error}");
    error.request.expect("pending")
}

fn draft(app: &App) -> PlanId {
    let mut draft = plan(1);
    draft.cwd = Some("/".to_owned());
    app.store
        .plans()
        .create(&draft, &Actor::PERSON, app.now())
        .expect("new plan");
    draft.id
}

fn approve(app: &App, plan: PlanId) -> Value {
    let revision = app.store.plans().record(plan).expect("stored").revision;
    json!({ "plan": plan, "revision": revision, "anyway": true })
}

#[test]
fn held_call_runs_when_allowed() {
    let (_folder, app) = open();
    let session = session(&app, plan(1));
    let draft = draft(&app);
    let request = held_call_id(&app, &session, "plan_approve", approve(&app, draft));
    assert_eq!(
        held_call_id(&app, &session, "plan_approve", approve(&app, draft)),
        request,
        "equal calls share one request"
    );
    let review = |app: &App| app.store.plans().record(draft).expect("stored").review;
    assert_ne!(
        review(&app),
        baton_model::ReviewState::Approved,
        "not approved yet"
    );

    let asking = app.acting_as(Actor::Session(session.id));
    let input = json!({ "request": request });
    let again = call(&asking, "request_allow", input.clone()).expect_err("own request");
    assert_eq!(again.code, Code::WaitsForPerson);
    let person = app.acting_as(Actor::Person(ActorChannel::Window));
    call(&person, "request_allow", input.clone()).expect("people are allowed");
    assert_eq!(review(&app), baton_model::ReviewState::Approved);
    let row = app.store.held_calls().get(request).expect("saved");
    assert_eq!(row.decided_by, Some(Actor::Person(ActorChannel::Window)));
    let twice = call(&person, "request_allow", input).expect_err("already decided");
    assert_eq!(twice.code, Code::Conflict);
}

#[test]
fn request_becomes_outdated_when_the_plan_changes() {
    let (_folder, app) = open();
    let session = session(&app, plan(1));
    let draft = draft(&app);
    let request = held_call_id(&app, &session, "plan_approve", approve(&app, draft));
    let (record, mut plan) = app.store.plans().current(draft).expect("stored");
    plan.title = "Something else".to_owned();
    app.store
        .plans()
        .save(&plan, record.revision, &Actor::PERSON, app.now())
        .expect("the next version");
    let error = call(&app, "request_allow", json!({ "request": request })).expect_err("outdated");
    assert_eq!(error.code, Code::Conflict);
    assert_ne!(
        app.store.plans().record(draft).expect("stored").review,
        baton_model::ReviewState::Approved
    );
    assert!(
        call(&app, "requests_list", Value::Null)
            .expect("list")
            .as_array()
            .expect("list")
            .is_empty()
    );
}

#[test]
fn held_calls_per_session_are_limited() {
    let (_folder, app) = open();
    let session = session(&app, plan(1));
    for _ in 0..baton_store::MAX_HELD_CALLS_PER_ACTOR {
        let id = PlanId(Uuid::now_v7());
        held_call_id(
            &app,
            &session,
            "node_approve",
            json!({ "run": id, "node": id, "allow": true }),
        );
    }
    let calling = app.acting_as(Actor::Session(session.id));
    let error = call(&calling, "settings_save", json!({})).expect_err("over the limit");
    assert_eq!((error.code, error.request), (Code::Busy, None));
    let waiting = call(&app, "requests_list", Value::Null).expect("list");
    assert_eq!(
        waiting.as_array().map(Vec::len),
        Some(baton_store::MAX_HELD_CALLS_PER_ACTOR as usize)
    );
}

#[test]
fn refused_or_foreign_request_reveals_nothing() {
    let (_folder, app) = open();
    let (one, other) = (session(&app, plan(1)), session(&app, plan(1)));
    let draft = draft(&app);
    let request = held_call_id(&app, &one, "plan_delete", json!({ "plan": draft }));
    let of = |session: &SessionRow| app.acting_as(Actor::Session(session.id));
    let input = json!({ "request": request });
    assert!(call(&of(&one), "request_get", input.clone()).is_ok());
    let error =
        call(&of(&other), "request_get", input.clone()).expect_err("request of another session");
    assert_eq!(error.code, Code::Forbidden);
    call(&app, "request_refuse", input.clone()).expect("people are allowed");
    let view = call(&of(&one), "request_get", input).expect("own request");
    assert_eq!(view.pointer("/outcome/outcome"), Some(&json!("refused")));
    assert!(app.store.plans().record(draft).is_ok());
}

#[test]
fn session_lists_only_its_own_plan_and_run() {
    let (_folder, app) = open();
    let (own, _foreign) = (session(&app, plan(1)), session(&app, plan(1)));
    let calling = app.acting_as(Actor::Session(own.id));
    let count = |name: &str, input: Value| {
        let rows = call(&calling, name, input).expect("list");
        rows.as_array().map(Vec::len)
    };
    assert_eq!(count("plans_list", Value::Null), Some(1));
    assert_eq!(
        count("runs_list", json!({ "plan": null, "limit": 10 })),
        Some(1)
    );
}
