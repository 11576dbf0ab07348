//! Checks that every request must pass before it is handled, and identifies the caller.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use baton_api::{AccessLevel, Actor, ApiError, App, Code, OPERATIONS};

use crate::error_response::ErrorResponse;
use crate::identity::ServerIdentity;
use crate::peer_socket;

/// The checks' configuration.
pub(crate) struct Guard {
    app: Arc<App>,
    own: SocketAddr,
    hosts: Vec<String>,
    identity: ServerIdentity,
}

/// The caller of a request that passed the checks.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// The token's owner.
    pub(crate) bearer: Actor,
    peer: Option<SocketAddr>,
    own: SocketAddr,
}

impl Caller {
    /// Returns who calls `operation`. For an operation that only a person may decide on, a process
    /// below a keeper or an outside agent acts as that agent, whichever token it presents.
    pub(crate) fn actor(&self, app: &App, operation: &str) -> Result<Actor, ApiError> {
        let decides = OPERATIONS
            .iter()
            .any(|known| known.name == operation && known.right == AccessLevel::Decide);
        let socket = self
            .peer
            .filter(|_| decides)
            .and_then(|peer| peer_socket::socket_inode(peer, self.own));
        let agent = socket.map_or(Ok(None), |socket| app.agent_of_socket(socket))?;
        Ok(agent.unwrap_or_else(|| self.bearer.clone()))
    }
}

impl Guard {
    /// Creates a guard for a server at `address`.
    pub(crate) fn new(address: SocketAddr, app: Arc<App>, identity: ServerIdentity) -> Self {
        let port = address.port();
        let mut hosts: Vec<_> = ["127.0.0.1", "localhost", "[::1]"]
            .map(|name| format!("{name}:{port}"))
            .into();
        if port == 80 {
            // Browsers omit the default port.
            hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        Self {
            app,
            own: address,
            hosts,
            identity,
        }
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), ErrorResponse> {
        let known = single_value(headers, &HOST)
            .is_some_and(|host| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)));
        let message = "Unknown host. Use 127.0.0.1 or localhost in the address.";
        known.then_some(()).ok_or_else(|| {
            ErrorResponse::new(StatusCode::MISDIRECTED_REQUEST, Code::Refused, message)
        })
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), ErrorResponse> {
        if !headers.contains_key(ORIGIN) {
            return Ok(());
        }
        let host = single_value(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        let own = host.is_some_and(|host| self.hosts.iter().any(|own| own == host));
        let message = "Requests from other origins are not allowed.";
        own.then_some(())
            .ok_or_else(|| ErrorResponse::new(StatusCode::FORBIDDEN, Code::Refused, message))
    }

    /// Returns the owner of the request's token.
    async fn bearer(self: Arc<Self>, headers: &HeaderMap) -> Result<Actor, ErrorResponse> {
        let message =
            "The token is missing or revoked. Open the address that `baton serve` printed.";
        let unknown = || ErrorResponse::new(StatusCode::UNAUTHORIZED, Code::Refused, message);
        let given = single_value(headers, &AUTHORIZATION).and_then(|value| value.split_once(' '));
        let token = given
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim());
        let token = token.ok_or_else(unknown)?.to_owned();
        let lookup = tokio::task::spawn_blocking(move || self.app.find_token_bearer(&token)).await;
        let internal_error = |_| {
            ErrorResponse::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                Code::Internal,
                "Internal error. See Baton's log for details.",
            )
        };
        let bearer = lookup.map_err(internal_error)??;
        bearer.map(|bearer| bearer.actor).ok_or_else(unknown)
    }
}

/// Returns the header's value if there is exactly one. Repeated headers are ambiguous: other
/// programs may read a different one.
fn single_value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values
        .next()
        .is_none()
        .then(|| value.to_str().ok())
        .flatten()
}

/// Rejects requests with a wrong `Host` or `Origin` header.
pub(crate) async fn check_address(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    match guard
        .check_host(request.headers())
        .and_then(|()| guard.check_origin(request.headers()))
    {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Rejects requests without a valid token, and attaches the [`Caller`] to the others. Their
/// responses say which server this is.
pub(crate) async fn require_token(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let own = guard.own;
    match Arc::clone(&guard).bearer(request.headers()).await {
        Ok(bearer) => {
            let peer = request
                .extensions()
                .get::<ConnectInfo<SocketAddr>>()
                .map(|info| info.0);
            request
                .extensions_mut()
                .insert(Caller { bearer, peer, own });
            let mut response = next.run(request).await;
            guard.identity.add_to(response.headers_mut());
            response
        }
        Err(error) => error.into_response(),
    }
}
