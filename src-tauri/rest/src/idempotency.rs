//! `Idempotency-Key`: a request that a program repeats within 24 hours has its effect once, and each
//! repetition gets the same answer.
//!
//! The key is stored in the transaction of the effect. A run is created by its executor, so there
//! the key is stored before, with the plan's last run: a repetition after a crash sees by it whether
//! the run was started.

use std::sync::Arc;

use baton_api::wire::PlanView;
use baton_api::{IdempotencyState, IdempotentRequest, RunId};
use baton_model::PlanId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::request::Operations;
use crate::route::Attach;
use crate::{
    Answer, Body, Caller, ErrorCode, IfMatch, Method, Request, Response, RestError, Route,
};

/// The longest key, in bytes.
const MAX_LENGTH: usize = 255;

/// What is stored with a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Stored {
    /// The request is about to start a run. `last` is the plan's last run before.
    Starting { last: Option<RunId> },
    /// It started this run, whose result is its answer.
    Run { run: RunId },
    /// It was answered.
    Answer {
        status: u16,
        json: Option<Value>,
        markdown: Option<String>,
        revision: Option<u64>,
        location: Option<String>,
    },
}

impl Stored {
    fn of(response: &Response) -> Option<Self> {
        match response {
            Response::Now(answer) => Some(Self::of_answer(answer)),
            Response::Later(waiting) => Some(Self::Run { run: waiting.run }),
            Response::Stream(_) => None,
        }
    }

    fn of_answer(answer: &Answer) -> Self {
        let (json, markdown) = match &answer.body {
            Body::Json(value) => (Some(value.clone()), None),
            Body::Markdown(text) => (None, Some(text.clone())),
        };
        Self::Answer {
            status: answer.status,
            json,
            markdown,
            revision: answer.revision,
            location: answer.location.clone(),
        }
    }
}

/// Answers a request. May block while an operation waits for a disk or an executor.
pub fn respond(route: &Route, caller: Arc<dyn Caller>, request: Request) -> Response {
    let key = request.conditions.idempotency_key.clone();
    let response = match key.filter(|_| route.method == Method::Post) {
        Some(key) => respond_once(route, &key, caller, request),
        None => route.handle(caller, request),
    };
    response.unwrap_or_else(|error| Response::Now(Answer::from(error)))
}

/// Answers a request with a key.
fn respond_once(
    route: &Route,
    key: &str,
    caller: Arc<dyn Caller>,
    request: Request,
) -> Result<Response, RestError> {
    if key.is_empty() || key.len() > MAX_LENGTH || !key.bytes().all(|byte| byte.is_ascii_graphic())
    {
        let message =
            format!("'Idempotency-Key' has from 1 to {MAX_LENGTH} visible ASCII characters");
        return Err(RestError::new(ErrorCode::InvalidRequest, message));
    }
    let app = caller.app_for("about")?;
    let keyed = app.idempotent_request(key, &parts(route, &request));
    let last = match known(&keyed)? {
        None => None,
        Some(Stored::Starting { last }) => Some(last),
        Some(Stored::Run { run }) => {
            let attach = route.attach.ok_or_else(no_run)?;
            return attach(route, caller, &request, run);
        }
        Some(Stored::Answer {
            status,
            json,
            markdown,
            revision,
            location,
        }) => {
            return Ok(Response::Now(Answer {
                status,
                body: markdown.map_or_else(|| Body::Json(json.unwrap_or_default()), Body::Markdown),
                revision,
                location,
            }));
        }
    };
    if let Some(attach) = route.attach {
        return start(route, attach, &keyed, last, caller, request);
    }
    let response = keyed.run(|| route.handle(caller, request));
    let response = response.unwrap_or_else(|error| Response::Now(error.into()));
    // Another request may have used the key in the meantime; its answer stays.
    let is_busy = matches!(&response, Response::Now(answer) if answer.status == 503);
    if let Some(stored) = Stored::of(&response).filter(|_| !is_busy) {
        let had_effect = matches!(known(&keyed), Err(error) if error.is(ErrorCode::KeyInUse));
        let is_success = matches!(&response, Response::Now(answer) if answer.status < 300)
            || matches!(&response, Response::Later(_));
        if had_effect || is_success {
            record(&keyed, &stored)?;
        }
    }
    Ok(response)
}

/// Starts a run, unless the same request did so before it was interrupted.
fn start(
    route: &Route,
    attach: Attach,
    keyed: &IdempotentRequest,
    earlier: Option<Option<RunId>>,
    caller: Arc<dyn Caller>,
    request: Request,
) -> Result<Response, RestError> {
    let now = last_run(&caller, &request)?;
    let before = earlier.unwrap_or(now);
    if earlier.is_none() {
        keyed.begin(&text(&Stored::Starting { last: now })?)?;
    }
    let response = match now.filter(|_| now != before) {
        Some(run) => attach(route, Arc::clone(&caller), &request, run)?,
        None => match route.handle(Arc::clone(&caller), request.clone()) {
            Err(error) if error.is(ErrorCode::AlreadyRunning) => {
                let run = last_run(&caller, &request)?;
                match run.filter(|_| run != before) {
                    Some(run) => attach(route, caller, &request, run)?,
                    None => return Err(error),
                }
            }
            response => response?,
        },
    };
    if let Some(stored) = Stored::of(&response) {
        record(keyed, &stored)?;
    }
    Ok(response)
}

fn no_run() -> RestError {
    let message = "a run is stored with a key whose route starts none";
    RestError::new(ErrorCode::Internal, message)
}

fn last_run(caller: &Arc<dyn Caller>, request: &Request) -> Result<Option<RunId>, RestError> {
    let named = request.path.iter().find(|(name, _)| name == "plan");
    let Some(plan) = named.and_then(|(_, plan)| plan.parse::<PlanId>().ok()) else {
        return Ok(None);
    };
    let operations = Operations(Arc::clone(caller));
    let view: PlanView = operations.call("plan_get", &json!({ "plan": plan }))?;
    Ok(view.last_run.map(|run| run.id))
}

/// What is stored with the key; `None` if it is new.
fn known(keyed: &IdempotentRequest) -> Result<Option<Stored>, RestError> {
    match keyed.state()? {
        IdempotencyState::New => Ok(None),
        IdempotencyState::Answered(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| RestError::new(ErrorCode::Unavailable, error.to_string())),
        IdempotencyState::Unanswered => Err(RestError::new(
            ErrorCode::KeyInUse,
            "the request with this Idempotency-Key had its effect, but its answer isn't stored",
        )
        .with_fix("read what it changed; if it is still in progress, send it again in a moment")),
        IdempotencyState::OtherRequest => Err(RestError::new(
            ErrorCode::KeyReused,
            "this Idempotency-Key belongs to another request",
        )
        .with_fix("use a new key for each request")),
    }
}

fn record(keyed: &IdempotentRequest, stored: &Stored) -> Result<(), RestError> {
    Ok(keyed.answer(&text(stored)?)?)
}

fn text(stored: &Stored) -> Result<String, RestError> {
    serde_json::to_string(stored)
        .map_err(|error| RestError::new(ErrorCode::Internal, error.to_string()))
}

/// Everything that decides the effect of a request.
fn parts(route: &Route, request: &Request) -> Vec<String> {
    let pairs = |pairs: &[(String, String)]| {
        let texts = pairs.iter().map(|(name, value)| format!("{name}={value}"));
        texts.collect::<Vec<_>>().join("&")
    };
    let condition = match &request.conditions.if_match {
        IfMatch::Any => String::new(),
        IfMatch::Revisions(revisions) => format!("{revisions:?}"),
    };
    vec![
        route.id.clone(),
        pairs(&request.path),
        pairs(&request.query),
        request
            .body
            .as_ref()
            .map(Value::to_string)
            .unwrap_or_default(),
        condition,
    ]
}
