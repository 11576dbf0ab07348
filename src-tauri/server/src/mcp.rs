//! `POST /mcp`: the tools for agents, on behalf of the token's owner.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::Response;
use baton_api::wire::RunWaited;
use baton_api::{Actor, ApiError, App, Changes, Code, RunId};
use baton_mcp::{
    AppOperations, McpServer, Operations, Options, RunEventWait, WaitFuture, http_service,
};
use serde_json::{Value, json};

use crate::connections::{BODY_LIMIT, Limits, read_body};
use crate::guard::Caller;
use crate::waiting::WaitingRequests;

/// Answers one message. Whoever owns the token, the caller is the program of an agent, so that it
/// never counts as a person.
pub(crate) async fn serve(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Extension(waiting): Extension<WaitingRequests>,
    Extension(limits): Extension<Limits>,
    request: Request,
) -> Response {
    let (head, body) = request.into_parts();
    let body = match read_body(limits, BODY_LIMIT, &head.headers, body).await {
        Ok(body) => Body::from(body),
        Err(response) => return response,
    };
    let request = Request::from_parts(head, body);
    let operations = HttpOperations {
        own: Arc::new(AppOperations::new(&app.acting_as(caller.bearer.clone()))),
        waiting,
        bearer: caller.bearer,
    };
    let server = McpServer::new(Arc::new(operations), Options::default());
    http_service(server).handle(request).await.map(Body::new)
}

/// The operations of the tools. A tool that waits holds no thread of the server.
struct HttpOperations {
    own: Arc<AppOperations>,
    waiting: WaitingRequests,
    bearer: Actor,
}

impl Operations for HttpOperations {
    fn call(&self, name: &str, input: Value) -> Result<Value, ApiError> {
        self.own.call(name, input)
    }

    fn request_person(&self, name: &str, input: Value) -> Result<ApiError, ApiError> {
        self.own.request_person(name, input)
    }

    fn author(&self) -> Option<String> {
        self.own.author()
    }

    fn wait_for_run_event(
        &self,
        run: RunId,
        after: u64,
        timeout: Duration,
    ) -> Result<(), ApiError> {
        self.own.wait_for_run_event(run, after, timeout)
    }

    fn wait_without_thread(&self, wait: RunEventWait) -> Option<WaitFuture> {
        let (waiting, own) = (self.waiting.clone(), Arc::clone(&self.own));
        let place = self.waiting.enter(&self.bearer);
        Some(Box::pin(async move {
            let _place = place?;
            let mut after = wait.after;
            let look = move |is_last| match last_event(&*own, wait.run) {
                Err(error) => Some(Err(error)),
                Ok((seq, has_ended)) => {
                    let is_known = *after.get_or_insert(seq) == seq;
                    (is_last || has_ended || !is_known).then_some(Ok(()))
                }
            };
            let waited = waiting.wait(wait.run, Some(wait.timeout), look).await;
            waited.unwrap_or_else(|| Err(ApiError::new(Code::Internal, "the wait broke off")))
        }))
    }

    fn changes(&self) -> Option<Changes> {
        self.own.changes()
    }
}

/// The number of a run's last event, and whether the run has ended.
fn last_event(operations: &dyn Operations, run: RunId) -> Result<(u64, bool), ApiError> {
    let found = operations.call("run_wait", json!({ "run": run, "timeoutMs": 0 }))?;
    let found: RunWaited = serde_json::from_value(found)
        .map_err(|error| ApiError::new(Code::Internal, error.to_string()))?;
    Ok((found.seq, found.ended))
}
