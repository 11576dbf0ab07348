//! Who may ask: checks that every request passes before anything looks at it.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use baton_api::Code;

use crate::answer::Refusal;
use crate::token::Token;

/// What a request is measured against.
#[derive(Debug)]
pub(crate) struct Guard {
    token: Token,
    hosts: Vec<String>,
}

impl Guard {
    /// A guard for a server at `address`.
    pub(crate) fn new(address: SocketAddr, token: Token) -> Self {
        let port = address.port();
        let mut hosts: Vec<_> = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")).into();
        if port == 80 {
            // Browsers leave the default port out.
            hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        Self { token, hosts }
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let known =
            only(headers, &HOST).is_some_and(|host| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)));
        let message = "This server answers only at its own address, 127.0.0.1 or localhost.";
        known.then_some(()).ok_or_else(|| Refusal::new(StatusCode::MISDIRECTED_REQUEST, Code::Refused, message))
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if !headers.contains_key(ORIGIN) {
            return Ok(());
        }
        let host = only(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        let own = host.is_some_and(|host| self.hosts.iter().any(|own| own == host));
        let message = "Pages of other origins may not use this server.";
        own.then_some(()).ok_or_else(|| Refusal::new(StatusCode::FORBIDDEN, Code::Refused, message))
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let given = only(headers, &AUTHORIZATION).and_then(|value| value.split_once(' '));
        let right = given.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer") && self.token.is(token.trim().as_bytes())
        });
        let message = "The token is missing or of an earlier start. Open the address that `baton serve` printed.";
        right.then_some(()).ok_or_else(|| Refusal::new(StatusCode::UNAUTHORIZED, Code::Refused, message))
    }
}

/// The header's value, if there is exactly one: with two, nobody knows which of them the next reader takes.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok()).flatten()
}

/// Lets a request pass that was meant for this server.
pub(crate) async fn address(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.check_host(request.headers()).and_then(|()| guard.check_origin(request.headers())) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Lets a request pass that shows the token.
pub(crate) async fn token(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.check_token(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}
