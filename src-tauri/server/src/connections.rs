//! Accepts connections, and limits what slow or hostile clients can use up.
//!
//! A connection counts as unauthenticated until a request on it presents a valid token. The number
//! of unauthenticated connections is limited: a new one evicts the oldest, so that opening many
//! idle connections locks nobody out. Heads and bodies must arrive within a time limit. A body is read
//! only of a caller that has the right, and not if its declared length is too large.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{CONNECTION, CONTENT_LENGTH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use baton_api::Code;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::error_response::ErrorResponse;

/// The largest request body that isn't a whole plan, in bytes.
pub(crate) const ORDINARY_BODY_LIMIT: usize = 4 * 1024 * 1024;
/// The largest request body in bytes. A plan of 10,000 nodes takes about 10 MB.
pub const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// The delay after a failed accept, usually because the process has too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(20);

/// Limits for clients.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The time limit for a request's head, which also limits how long a connection may stay idle.
    pub head: Duration,
    /// The time limit for a request's whole body.
    pub body: Duration,
    /// The number of connections without a valid token.
    pub unauthenticated: usize,
    /// How many requests with the same token wait for a run at once.
    pub waiting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(60),
            unauthenticated: 100,
            waiting: 256,
        }
    }
}

/// The open connections without a valid token, oldest first.
#[derive(Debug, Default)]
struct UnauthenticatedConnections {
    next: AtomicU64,
    known: Mutex<VecDeque<(u64, oneshot::Sender<()>)>>,
}

/// A connection in [`UnauthenticatedConnections`], attached to its requests.
#[derive(Debug, Clone)]
pub(crate) struct UnauthenticatedConnection {
    number: u64,
    all: Arc<UnauthenticatedConnections>,
}

impl UnauthenticatedConnections {
    /// Adds a connection, evicting the oldest above `limit`. The receiver fails when this one is
    /// evicted.
    fn admit(self: &Arc<Self>, limit: usize) -> (UnauthenticatedConnection, oneshot::Receiver<()>) {
        let (evict, evicted) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut known = self.lock();
        known.push_back((number, evict));
        while known.len() > limit.max(1) {
            // Dropping the sender evicts the connection.
            known.pop_front();
        }
        (
            UnauthenticatedConnection {
                number,
                all: Arc::clone(self),
            },
            evicted,
        )
    }

    /// Evicts the oldest connection.
    fn close_oldest(&self) {
        self.lock().pop_front();
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, oneshot::Sender<()>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl UnauthenticatedConnection {
    /// Removes the connection from the list: it is authenticated, or closed.
    fn release(&self) {
        let mut known = self.all.lock();
        let at = known.iter().position(|(number, _)| *number == self.number);
        if let Some((_, evict)) = at.and_then(|at| known.remove(at)) {
            // Sending a value, unlike dropping the sender, keeps the connection.
            let _ = evict.send(());
        }
    }
}

/// Serves every connection of `listener` until `stop` resolves, then finishes the requests in
/// progress.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let unauthenticated = Arc::<UnauthenticatedConnections>::default();
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let (connection, evict) = unauthenticated.admit(limits.unauthenticated);
                let service = TowerToHyperService::new(router.clone());
                let request_connection = connection.clone();
                let service =
                    service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
                        request.extensions_mut().insert(ConnectInfo(peer));
                        request.extensions_mut().insert(request_connection.clone());
                        service.call(request)
                    });
                let served = http.serve_connection(TokioIo::new(stream), service);
                tokio::spawn(serve_until_evicted(
                    graceful.watch(served),
                    connection,
                    evict,
                ));
            }
            Err(error) => {
                tracing::warn!(%error, "couldn't accept a connection");
                unauthenticated.close_oldest();
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Serves a connection until it closes or is evicted.
async fn serve_until_evicted<E>(
    served: impl Future<Output = Result<(), E>>,
    connection: UnauthenticatedConnection,
    evict: oneshot::Receiver<()>,
) {
    let evicted = async {
        // A value means that the connection was authenticated.
        if evict.await.is_ok() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        // The result doesn't matter: clients may disconnect or be too slow.
        _ = served => {}
        () = evicted => {}
    }
    connection.release();
}

/// Marks a request's connection as authenticated. Must be layered inside the token check.
pub(crate) async fn release_authenticated(request: Request, next: Next) -> Response {
    if let Some(connection) = request.extensions().get::<UnauthenticatedConnection>() {
        connection.release();
    }
    next.run(request).await
}

/// Reads the whole body of a request, within the time limit and `most` bytes. Call it after the
/// caller's right was checked. Otherwise, returns the answer that refuses it.
pub(crate) async fn read_body(
    limits: Limits,
    most: usize,
    headers: &HeaderMap,
    body: Body,
) -> Result<Bytes, Response> {
    let content_length = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if content_length.is_some_and(|length| length > most as u64) {
        return Err(reject_and_close(body_too_large(most)));
    }
    match tokio::time::timeout(limits.body, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_large(&error) => Err(reject_and_close(body_too_large(most))),
        Ok(Err(_)) => Err(reject_and_close(ErrorResponse::new(
            StatusCode::BAD_REQUEST,
            Code::BadInput,
            "The request body was cut off. Send it again.",
        ))),
        Err(_) => {
            let message = format!(
                "The request body didn't arrive within {} s. Send it again.",
                limits.body.as_secs()
            );
            Err(reject_and_close(ErrorResponse::new(
                StatusCode::REQUEST_TIMEOUT,
                Code::BadInput,
                message,
            )))
        }
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let causes = std::iter::successors(std::error::Error::source(error), |error| error.source());
    causes
        .into_iter()
        .any(|cause| cause.is::<http_body_util::LengthLimitError>())
}

fn body_too_large(most: usize) -> ErrorResponse {
    let most = most / (1024 * 1024);
    let message =
        format!("The request body is larger than {most} MB. Shorten it, or split it in two.");
    ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, Code::BadInput, message)
}

/// Closes the connection after the response, because the rest of the body stays unread on it.
pub(crate) fn reject_and_close(error: impl IntoResponse) -> Response {
    let mut response = error.into_response();
    response
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn oldest_unauthenticated_connection_is_evicted() {
        let all = Arc::<UnauthenticatedConnections>::default();
        let (known, stays) = all.admit(2);
        known.release();
        assert!(stays.await.is_ok(), "a released connection stays open");
        let (_, first) = all.admit(2);
        let (second, _second) = all.admit(2);
        let (third, mut still) = all.admit(2);
        assert!(first.await.is_err(), "the oldest is evicted");
        assert!(
            still
                .try_recv()
                .is_err_and(|error| error == oneshot::error::TryRecvError::Empty)
        );
        second.release();
        third.release();
        assert!(all.lock().is_empty());
    }
}
