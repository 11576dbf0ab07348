//! `POST /mcp`: the tools for agents, on behalf of the token's owner.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::Response;
use baton_api::App;
use baton_mcp::{AppOperations, McpServer, Options, http_service};

use crate::guard::Caller;

/// Answers one message. Whoever owns the token, the caller is the program of an agent, so that it
/// never counts as a person.
pub(crate) async fn serve(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Response {
    let operations = AppOperations::new(&app.acting_as(caller.bearer));
    let server = McpServer::new(Arc::new(operations), Options::default());
    http_service(server).handle(request).await.map(Body::new)
}
