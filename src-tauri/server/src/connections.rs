//! Connections, and how much of the server slow or hostile clients can take.
//!
//! A connection is a stranger's until a request on it shows a token. Strangers have room for a limited number: for a new
//! one the oldest has to go, so that whoever opens many without a word shuts nobody out. Heads and bodies have to come
//! within a time, and a body that says that it is too large is not read.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CONNECTION, CONTENT_LENGTH};
use axum::http::{HeaderValue, StatusCode};
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

use crate::answer::Refusal;
use crate::server::BODY_LIMIT;

/// How long to wait when no connection can be taken, mostly because the process has too many files open.
const BREATH: Duration = Duration::from_millis(20);

/// What clients may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For the head of a request, also while a connection waits for its next one.
    pub head: Duration,
    /// For the whole body of a request.
    pub body: Duration,
    /// Connections on which no token was shown.
    pub strangers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(60),
            strangers: 100,
        }
    }
}

/// The connections on which no token was shown, the oldest first.
#[derive(Debug, Default)]
struct Strangers {
    next: AtomicU64,
    known: Mutex<VecDeque<(u64, oneshot::Sender<()>)>>,
}

/// One of them, for the requests that come on it.
#[derive(Debug, Clone)]
pub(crate) struct Stranger {
    number: u64,
    all: Arc<Strangers>,
}

impl Strangers {
    /// Makes room for another one; what it gets is over when it has to go.
    fn admit(self: &Arc<Self>, limit: usize) -> (Stranger, oneshot::Receiver<()>) {
        let (leave, left) = oneshot::channel();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut known = self.lock();
        known.push_back((number, leave));
        while known.len() > limit.max(1) {
            // Dropping the sender ends its connection.
            known.pop_front();
        }
        (
            Stranger {
                number,
                all: Arc::clone(self),
            },
            left,
        )
    }

    /// Ends the connection of the oldest one.
    fn dismiss_oldest(&self) {
        self.lock().pop_front();
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, oneshot::Sender<()>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stranger {
    /// It is none any more: a token was shown, or it has gone.
    fn forget(&self) {
        let mut known = self.all.lock();
        let at = known.iter().position(|(number, _)| *number == self.number);
        if let Some((_, leave)) = at.and_then(|at| known.remove(at)) {
            // To say something is not to drop it: the connection stays.
            let _ = leave.send(());
        }
    }
}

/// Answers on every connection of `listener` until `stop` comes to its end, then finishes what is under way.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let strangers = Arc::<Strangers>::default();
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
                let (stranger, leave) = strangers.admit(limits.strangers);
                let service = TowerToHyperService::new(router.clone());
                let of_requests = stranger.clone();
                let service =
                    service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
                        request.extensions_mut().insert(ConnectInfo(peer));
                        request.extensions_mut().insert(of_requests.clone());
                        service.call(request)
                    });
                let connection = http.serve_connection(TokioIo::new(stream), service);
                tokio::spawn(until_sent_away(graceful.watch(connection), stranger, leave));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                strangers.dismiss_oldest();
                tokio::time::sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Serves a connection to its end, or until it has to make room.
async fn until_sent_away<E>(
    connection: impl Future<Output = Result<(), E>>,
    stranger: Stranger,
    leave: oneshot::Receiver<()>,
) {
    let sent_away = async {
        // A message says that the connection may stay.
        if leave.await.is_ok() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        // However it ended: a client that breaks off, or that was too slow, is no news.
        _ = connection => {}
        () = sent_away => {}
    }
    stranger.forget();
}

/// Lets the connection of a request stay that has shown a token. Comes behind the check of the token.
pub(crate) async fn known(request: Request, next: Next) -> Response {
    if let Some(stranger) = request.extensions().get::<Stranger>() {
        stranger.forget();
    }
    next.run(request).await
}

/// Reads the body of a request, in time and within [`BODY_LIMIT`], before anything looks at it.
pub(crate) async fn body(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let said = request
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if said.is_some_and(|length| length > BODY_LIMIT as u64) {
        return refused(too_large());
    }
    let (head, body) = request.into_parts();
    match tokio::time::timeout(limits.body, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(bytes)) => next.run(Request::from_parts(head, Body::from(bytes))).await,
        Ok(Err(error)) if is_too_large(&error) => refused(too_large()),
        Ok(Err(_)) => refused(Refusal::new(
            StatusCode::BAD_REQUEST,
            Code::BadInput,
            "The input broke off. Send it again.",
        )),
        Err(_) => {
            let message = format!(
                "The input did not come within {} s. Send it again.",
                limits.body.as_secs()
            );
            refused(Refusal::new(
                StatusCode::REQUEST_TIMEOUT,
                Code::BadInput,
                message,
            ))
        }
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let causes = std::iter::successors(std::error::Error::source(error), |error| error.source());
    causes
        .into_iter()
        .any(|cause| cause.is::<http_body_util::LengthLimitError>())
}

fn too_large() -> Refusal {
    let most = BODY_LIMIT / (1024 * 1024);
    let message = format!("The input is larger than {most} MB. Shorten it, or split it in two.");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, Code::BadInput, message)
}

/// What is left of the body is not read, so that nothing can follow it on the same connection.
fn refused(refusal: Refusal) -> Response {
    let mut response = refusal.into_response();
    response
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_stranger_makes_room_and_who_is_known_stays() {
        let all = Arc::<Strangers>::default();
        let (known, stays) = all.admit(2);
        known.forget();
        assert!(stays.await.is_ok(), "it is told that it may stay");
        let (_, first) = all.admit(2);
        let (second, _second) = all.admit(2);
        let (third, mut still) = all.admit(2);
        assert!(first.await.is_err(), "the oldest has to go");
        assert!(
            still
                .try_recv()
                .is_err_and(|error| error == oneshot::error::TryRecvError::Empty)
        );
        second.forget();
        third.forget();
        assert!(all.lock().is_empty());
    }
}
