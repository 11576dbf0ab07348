//! One route: where it is, what it accepts and answers, and what it does.

use std::sync::Arc;

use baton_api::AccessLevel;
use baton_api::wire::{Nothing, PlanView};
use baton_model::{PlanId, RunId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::Reply;
use crate::request::{Call, DEFAULT_USER};
use crate::schema::Described;
use crate::{Caller, ErrorCode, IfMatch, Method, Request, Response, RestError, query};

type Handler = Box<dyn Fn(Arc<dyn Caller>, Request) -> Result<Response, RestError> + Send + Sync>;

/// What a route does with a request that was read.
pub(crate) type RouteFunction<Q, B, A> = fn(&Call<Q, B>) -> Result<Reply<A>, RestError>;

/// Answers a repeated request whose first one started a run.
pub(crate) type Attach =
    fn(&Route, Arc<dyn Caller>, &Request, RunId) -> Result<Response, RestError>;

/// A route of the API.
pub struct Route {
    /// The HTTP method.
    pub method: Method,
    /// The path, with its variable parts in braces: `/api/plans/{plan}`.
    pub path: String,
    /// The identifier in the document and in generated clients.
    pub id: String,
    /// What it does, in one line, without an article or a period.
    pub summary: &'static str,
    /// The right that it needs of the caller, unless a field of the body needs more.
    pub right: AccessLevel,
    /// The status of a success.
    pub success: u16,
    /// Error codes beyond those that every route has.
    pub errors: Vec<ErrorCode>,
    /// A body that it accepts.
    pub example: Option<&'static str>,
    /// Whether it takes a JSON body.
    pub takes_body: bool,
    /// The largest body in bytes.
    pub body_limit: usize,
    /// What else requests and answers may have.
    pub traits: Traits,
    #[cfg(feature = "bindings")]
    pub(crate) schemas: Schemas,
    handler: Handler,
    pub(crate) attach: Option<Attach>,
}

/// Headers that a route understands or sends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traits {
    /// Answers carry the plan's revision as `ETag`.
    pub etag: bool,
    /// `If-Match` is a condition of the change.
    pub conditional: bool,
    /// `Prefer` and `?wait=false` say whether to wait for the run.
    pub waits: bool,
    /// `Accept: text/markdown` answers a document.
    pub markdown: bool,
    /// The answer is a stream of events.
    pub streams: bool,
}

/// Describes the types of a route.
#[cfg(feature = "bindings")]
pub(crate) struct Schemas {
    pub(crate) query: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    pub(crate) body: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    pub(crate) data: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

/// A body that a route accepts.
pub(crate) trait RequestBody: DeserializeOwned + Described {
    /// Whether the route takes a body.
    const TAKEN: bool = true;
}

impl RequestBody for Nothing {
    const TAKEN: bool = false;
}

impl Route {
    /// A route that reads.
    pub(crate) fn new<Q, B, A>(
        method: Method,
        path: impl Into<String>,
        id: impl Into<String>,
        summary: &'static str,
        handler: RouteFunction<Q, B, A>,
    ) -> Self
    where
        Q: DeserializeOwned + Described + 'static,
        B: RequestBody + 'static,
        A: Serialize + Described + 'static,
    {
        let path = path.into();
        let has_users = has_users(&path);
        Self {
            method,
            path,
            id: id.into(),
            summary,
            right: AccessLevel::Read,
            success: 200,
            errors: Vec::new(),
            example: None,
            takes_body: B::TAKEN,
            body_limit: ORDINARY_BODY,
            traits: Traits::default(),
            attach: None,
            #[cfg(feature = "bindings")]
            schemas: Schemas {
                query: |generator| generator.subschema_for::<Q>(),
                body: |generator| generator.subschema_for::<B>(),
                data: |generator| generator.subschema_for::<A>(),
            },
            handler: Box::new(move |caller, mut request| {
                let user = if has_users {
                    take_user(&mut request)
                } else {
                    None
                };
                let mut call = Call {
                    caller,
                    query: query::parse(&request.query)?,
                    body: parse_body(request.body)?,
                    path: request.path,
                    conditions: request.conditions,
                    user,
                };
                require_user(&call)?;
                choose_revision(&mut call)?;
                match handler(&call) {
                    Ok(reply) => Ok(reply.into_response()),
                    Err(error) if call.conditions.if_match.is_set() => Err(error.of_conditional()),
                    Err(error) => Err(error),
                }
            }),
        }
    }

    pub(crate) fn write(self) -> Self {
        Self {
            right: AccessLevel::Write,
            ..self
        }
    }

    pub(crate) fn decide(self) -> Self {
        Self {
            right: AccessLevel::Decide,
            ..self
        }
    }

    pub(crate) fn success(self, success: u16) -> Self {
        Self { success, ..self }
    }

    pub(crate) fn errors(self, errors: &[ErrorCode]) -> Self {
        Self {
            errors: errors.to_vec(),
            ..self
        }
    }

    pub(crate) fn example(self, body: &'static str) -> Self {
        Self {
            example: Some(body),
            ..self
        }
    }

    /// Answers carry an `ETag`.
    pub(crate) fn etag(mut self) -> Self {
        self.traits.etag = true;
        self
    }

    /// `If-Match` is a condition, and answers carry an `ETag`.
    pub(crate) fn conditional(mut self) -> Self {
        self.traits.conditional = true;
        self
    }

    pub(crate) fn waits(mut self) -> Self {
        self.traits.waits = true;
        self
    }

    pub(crate) fn markdown(mut self) -> Self {
        self.traits.markdown = true;
        self
    }

    /// The body may be a whole plan.
    pub(crate) fn large_body(mut self) -> Self {
        self.body_limit = PLAN_BODY;
        self
    }

    pub(crate) fn streams(mut self) -> Self {
        self.traits.streams = true;
        self
    }

    pub(crate) fn handle(
        &self,
        caller: Arc<dyn Caller>,
        request: Request,
    ) -> Result<Response, RestError> {
        (self.handler)(caller, request)
    }

    /// It starts a run, which its executor stores. `attach` answers for a run that it started
    /// before.
    pub(crate) fn starts_run(mut self, attach: Attach) -> Self {
        self.attach = Some(attach);
        self
    }
}

/// The largest body of a route, in bytes.
const ORDINARY_BODY: usize = 4 * 1024 * 1024;
/// The largest body with a whole plan. A plan of 10,000 nodes takes about 10 MB.
const PLAN_BODY: usize = 64 * 1024 * 1024;

/// The parameter that says whose plans are meant. Every route about plans has it.
pub(crate) const USER: &str = "userId";

impl Route {
    /// Whether the route is about plans, which have users.
    #[cfg(feature = "bindings")]
    pub(crate) fn has_users(&self) -> bool {
        has_users(&self.path)
    }
}

/// Whether a route is about plans, which have users.
fn has_users(path: &str) -> bool {
    path.starts_with("/api/plans")
}

/// Takes the user out of the query.
fn take_user(request: &mut Request) -> Option<String> {
    let place = request.query.iter().position(|(name, _)| name == USER)?;
    Some(request.query.remove(place).1)
}

/// Fails if the plan of the path isn't one of the user's. This keeps plans apart; it protects none.
fn require_user<Q, B>(call: &Call<Q, B>) -> Result<(), RestError> {
    let Some(user) = call
        .user
        .as_deref()
        .filter(|_| !call.name("plan").is_empty())
    else {
        return Ok(());
    };
    let view = plan_view(call)?;
    let owner = view.plan.origin.user.as_deref().unwrap_or(DEFAULT_USER);
    if owner == user {
        return Ok(());
    }
    let message = format!("'{user}' has no plan '{}'", view.plan.id);
    Err(RestError::new(ErrorCode::NotFound, message))
}

/// Of several revisions in `If-Match`, leaves the one that is current, because operations compare
/// with one.
fn choose_revision<Q, B>(call: &mut Call<Q, B>) -> Result<(), RestError> {
    if matches!(&call.conditions.if_match, IfMatch::Revisions(all) if all.len() > 1) {
        let current = plan_view(call)?.revision;
        if let IfMatch::Revisions(all) = &mut call.conditions.if_match {
            all.retain(|revision| *revision == current);
        }
    }
    Ok(())
}

/// The plan of the path.
fn plan_view<Q, B>(call: &Call<Q, B>) -> Result<PlanView, RestError> {
    let plan: PlanId = call.id("plan")?;
    call.operations()
        .call("plan_get", &serde_json::json!({ "plan": plan }))
}

/// Reads the body. A missing one is an empty object.
fn parse_body<B: DeserializeOwned>(body: Option<Value>) -> Result<B, RestError> {
    let body = body.unwrap_or_else(|| Value::Object(Map::new()));
    serde_json::from_value(body).map_err(|error| RestError::bad_input("the body", &error))
}
