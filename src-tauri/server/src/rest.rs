//! Serves the routes of `baton-rest`: headers and bodies in, envelopes out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Extension, Query, RawPathParams, Request, State};
use axum::http::header::{
    ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderName, IF_MATCH, LOCATION,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, get, on};
use baton_api::{AccessLevel, ApiError, App};
use baton_rest::{
    Answer, Conditions, ErrorCode, IfMatch, Method, OPENAPI, OPENAPI_PATH, RestError, Route, Wait,
    Waiting,
};
use futures_util::stream;
use serde_json::Value;
use tokio::sync::watch;

use crate::connections::{Limits, read_body, reject_and_close};
use crate::event_tail::EventTail;
use crate::guard::Caller;
use crate::plan_events;
use crate::waiting::{Place, WaitingRequests};

const PREFER: HeaderName = HeaderName::from_static("prefer");
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const MARKDOWN: HeaderValue = HeaderValue::from_static("text/markdown; charset=utf-8");
const INTERNAL: &str = "Internal error. See Baton's log for details.";
/// How often a client that waits for a run receives a space, so that nobody takes the connection
/// for dead.
const SPACE_INTERVAL: Duration = Duration::from_secs(15);

/// What the routes share.
#[derive(Clone)]
pub(crate) struct RestState {
    pub(crate) app: Arc<App>,
    pub(crate) tail: Arc<EventTail>,
    pub(crate) waiting: WaitingRequests,
    /// Becomes true when the server shuts down.
    pub(crate) ended: watch::Receiver<bool>,
}

/// All routes of the API, and its document.
pub(crate) fn router() -> Router<RestState> {
    let mut by_path: BTreeMap<&str, MethodRouter<RestState>> = BTreeMap::new();
    for route in baton_rest::routes() {
        let filter = match route.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Put => MethodFilter::PUT,
            Method::Patch => MethodFilter::PATCH,
            Method::Delete => MethodFilter::DELETE,
        };
        let handler = move |state, caller, limits, path, query, request| {
            respond(route, state, (caller, limits), path, query, request)
        };
        let known = by_path.remove(route.path.as_str());
        let methods = match known {
            Some(methods) => methods.on(filter, handler),
            None => on(filter, handler),
        };
        by_path.insert(&route.path, methods);
    }
    let document = get(|| async { ([(CONTENT_TYPE, JSON)], OPENAPI) });
    by_path
        .into_iter()
        .fold(Router::new(), |router, (path, methods)| {
            router.route(path, methods)
        })
        .route(OPENAPI_PATH, document)
}

/// The caller of a request, for each operation that its route calls.
struct RequestCaller {
    app: Arc<App>,
    caller: Caller,
}

impl baton_rest::Caller for RequestCaller {
    fn app_for(&self, operation: &str) -> Result<App, ApiError> {
        let actor = self.caller.actor(&self.app, operation)?;
        Ok(self.app.acting_as(actor))
    }
}

async fn respond(
    route: &'static Route,
    State(state): State<RestState>,
    (Extension(caller), Extension(limits)): (Extension<Caller>, Extension<Limits>),
    path: RawPathParams,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
    request: Request,
) -> Response {
    // Whoever may not do this doesn't make the server read a large body.
    if let Err(error) = check_right(&state.app, &caller, route).await {
        return reject_and_close(answer_response(error.into()));
    }
    let (head, body) = request.into_parts();
    let body = match read_body(limits, route.body_limit, &head.headers, body).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let request = match self::request(&path, query, &head.headers, &body) {
        Ok(request) => request,
        Err(error) => return answer_response(error.into()),
    };
    // Before anything is started, because a request that may not wait would have to be repeated.
    let place = match may_wait(route, &request) {
        true => match state.waiting.enter(&caller.bearer) {
            Ok(place) => Some(place),
            Err(error) => return answer_response(RestError::from(error).into()),
        },
        false => None,
    };
    let app = Arc::clone(&state.app);
    let caller = Arc::new(RequestCaller { app, caller });
    // An operation may wait for a disk or another process, and must not block the async threads.
    let work = tokio::task::spawn_blocking(move || baton_rest::respond(route, caller, request));
    match work.await {
        Ok(baton_rest::Response::Now(answer)) => answer_response(answer),
        Ok(baton_rest::Response::Later(waiting)) => {
            waiting_response(waiting, place, state.waiting).await
        }
        Ok(baton_rest::Response::Stream(stream)) => {
            plan_events::respond(*stream, &state.tail, state.ended)
        }
        Err(error) => {
            tracing::error!(%error, route = route.id, "a request panicked");
            answer_response(RestError::new(ErrorCode::Internal, INTERNAL).into())
        }
    }
}

async fn check_right(
    app: &Arc<App>,
    caller: &Caller,
    route: &'static Route,
) -> Result<(), RestError> {
    if route.right == AccessLevel::Read {
        return Ok(());
    }
    let app = app.acting_as(caller.bearer.clone());
    let check = move || baton_api::check_right(&app, &route.id, route.right);
    match tokio::task::spawn_blocking(check).await {
        Ok(checked) => Ok(checked?),
        Err(_) => Err(RestError::new(ErrorCode::Internal, INTERNAL)),
    }
}

fn request(
    path: &RawPathParams,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<baton_rest::Request, RestError> {
    let Query(query) = query.map_err(|error| RestError::bad_input("the query", &error))?;
    let path = path.iter();
    Ok(baton_rest::Request {
        path: path
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        query,
        body: json_body(headers, body)?,
        conditions: Conditions {
            if_match: IfMatch::parse(text(headers, &IF_MATCH)),
            wait: Wait::parse(text(headers, &PREFER)),
            markdown: prefers_markdown(text(headers, &ACCEPT).unwrap_or_default()),
            idempotency_key: headers
                .get(IDEMPOTENCY_KEY)
                .map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned()),
            last_event_id: headers
                .get(LAST_EVENT_ID)
                .map(|id| String::from_utf8_lossy(id.as_bytes()).into_owned()),
        },
    })
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn json_body(headers: &HeaderMap, body: &[u8]) -> Result<Option<Value>, RestError> {
    if body.is_empty() {
        return Ok(None);
    }
    let kind = text(headers, &CONTENT_TYPE).map(|kind| {
        let kind = kind.split(';').next().unwrap_or_default();
        kind.trim().to_ascii_lowercase()
    });
    if kind.is_some_and(|kind| kind != "application/json" && !kind.ends_with("+json")) {
        let message = "the body must be JSON";
        return Err(RestError::new(ErrorCode::UnsupportedMediaType, message)
            .with_fix("send JSON with \"Content-Type: application/json\""));
    }
    let parsed = serde_json::from_slice(body);
    parsed.map_err(|error| RestError::bad_input("the body", &error))
}

/// Whether Markdown comes before JSON in `Accept`. Weights are not compared: a client that names
/// Markdown first wants it.
fn prefers_markdown(accept: &str) -> bool {
    let mut kinds = accept
        .split(',')
        .filter_map(|kind| kind.split(';').next())
        .map(str::trim);
    let known = kinds.find(|kind| matches!(*kind, "text/markdown" | "application/json"));
    known == Some("text/markdown")
}

fn answer_response(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = match answer.body {
        baton_rest::Body::Json(_) => JSON,
        baton_rest::Body::Markdown(_) => MARKDOWN,
    };
    let body = answer.body.into_text();
    let mut response = (status, [(CONTENT_TYPE, kind)], body).into_response();
    let etag = answer.revision.map(|revision| format!("\"{revision}\""));
    for (name, value) in [(ETAG, etag), (LOCATION, answer.location)] {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Whether a request may have to wait for a run.
fn may_wait(route: &Route, request: &baton_rest::Request) -> bool {
    let declines = |(name, value): &(String, String)| name == "wait" && value == "false";
    route.traits.waits && request.conditions.wait != Wait::No && !request.query.iter().any(declines)
}

/// Waits for the answer. Without a limit, the head comes at once, and then a space from time to
/// time. If the client leaves, the wait ends with its response.
async fn waiting_response(
    mut waiting: Waiting,
    place: Option<Place>,
    requests: WaitingRequests,
) -> Response {
    let (run, limit) = (waiting.run, waiting.limit);
    let answer = Box::pin(async move {
        let answer = requests
            .wait(run, limit, move |is_last| waiting.look(is_last))
            .await;
        drop(place);
        answer
    });
    if limit.is_some() {
        return answer.await.map_or_else(
            || answer_response(RestError::new(ErrorCode::Internal, INTERNAL).into()),
            answer_response,
        );
    }
    let chunks = stream::unfold(Some(answer), |answer| async {
        let mut answer = answer?;
        tokio::select! {
            answer = &mut answer => Some((last_chunk(answer), None)),
            () = tokio::time::sleep(SPACE_INTERVAL) => Some((Ok(Bytes::from_static(b" ")), Some(answer))),
        }
    });
    ([(CONTENT_TYPE, JSON)], Body::from_stream(chunks)).into_response()
}

/// The answer itself. A wait that broke off ends the connection, because its status was sent.
fn last_chunk(answer: Option<Answer>) -> std::io::Result<Bytes> {
    answer
        .map(|answer| answer.body.into_text().into())
        .ok_or_else(|| std::io::Error::other("the wait broke off"))
}

/// Puts errors that the server makes before a route is reached into the API's envelope.
pub(crate) async fn envelope_errors(request: Request, next: Next) -> Response {
    let is_ours = baton_rest::is_rest_path(request.uri().path());
    let method = request.method().clone();
    let response = next.run(request).await;
    let error = response.extensions().get::<ApiError>().cloned();
    let Some(error) = error.filter(|_| is_ours) else {
        return response;
    };
    let status = response.status();
    let error = RestError::of_server(status.as_u16(), method.as_str(), error);
    let (mut head, _) = response.into_parts();
    head.headers.remove(CONTENT_LENGTH);
    let (fresh, body) = answer_response(error.into()).into_parts();
    head.headers.extend(fresh.headers);
    Response::from_parts(head, body)
}
