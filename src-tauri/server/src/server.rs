//! Binds the server, runs it and shuts it down.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use axum::http::StatusCode;
use axum::routing::{any, get, post};
use axum::{Extension, Router, middleware};
use baton_api::{ApiError, App, Code};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::change_feed;
use crate::connections::{self, Limits};
use crate::error_response::ErrorResponse;
use crate::event_tail::EventTail;
use crate::events::EventStreamState;
use crate::guard::{self, Guard};
use crate::identity::ServerIdentity;
use crate::rest::RestState;
use crate::waiting::WaitingRequests;
use crate::{events, mcp, operations, raw_output, requests, rest, static_files};

/// How long requests in progress may delay shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The address and port to listen on.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// 127.0.0.1 or ::1.
    pub address: IpAddr,
    /// 0 picks a free port.
    pub port: u16,
    /// Whether pages with the former token lose access.
    pub new_token: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            new_token: false,
        }
    }
}

/// Why the server can't start. Messages complete "couldn't …".
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address would be reachable from the network.
    #[error("serve at {0}: only loopback addresses are allowed. Use 127.0.0.1 or ::1")]
    NotLoopback(IpAddr),
    /// The address can't be bound.
    #[error("listen on {address}: {source}")]
    Bind {
        /// The requested address.
        address: SocketAddr,
        /// The system's error, usually because the port is in use.
        #[source]
        source: io::Error,
    },
    /// The browser's token, or the id of the data, can't be read or created.
    #[error("prepare access for the browser: {0}")]
    Access(#[from] ApiError),
}

/// A server that is bound to its address, but not serving yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    identity: ServerIdentity,
}

impl Server {
    /// Binds a loopback address.
    pub async fn bind(app: Arc<App>, options: Options) -> Result<Self, ServerError> {
        let own = [
            IpAddr::from(Ipv4Addr::LOCALHOST),
            Ipv6Addr::LOCALHOST.into(),
        ];
        if !own.contains(&options.address) {
            return Err(ServerError::NotLoopback(options.address));
        }
        let wanted = SocketAddr::new(options.address, options.port);
        let failed = |source| ServerError::Bind {
            address: wanted,
            source,
        };
        let listener = TcpListener::bind(wanted).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let token = if options.new_token {
            app.new_browser_token()?
        } else {
            app.browser_token()?
        };
        let identity = ServerIdentity::new(&app.data_id()?);
        Ok(Self {
            app,
            listener,
            address,
            token,
            identity,
        })
    }

    /// Returns the bound address, with the actual port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the browser's token: the same on each start, unless it was revoked or replaced.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns the URL to open in a browser. The token is in the fragment, which browsers never
    /// send to a server.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/#token={}", self.address, self.token)
    }

    /// Serves until `stop` resolves, then finishes the requests in progress, for at most five
    /// seconds.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) {
        self.serve_with_limits(Limits::default(), stop).await;
    }

    /// Like [`Server::serve`], with other limits.
    pub async fn serve_with_limits(
        self,
        limits: Limits,
        stop: impl Future<Output = ()> + Send + 'static,
    ) {
        let (ending, mut ended) = watch::channel(false);
        let (writer, feed) = change_feed::open(change_feed::initial_number());
        let changes = self.app.changes();
        // The thread ends with the application's changes, or with the process.
        thread::spawn(move || {
            while let Some(frame) = changes.frame() {
                frame.into_iter().for_each(|change| writer.push(change));
            }
        });
        let guard = Arc::new(Guard::new(
            self.address,
            Arc::clone(&self.app),
            self.identity,
        ));
        let router = router(
            self.app,
            EventStreamState {
                feed,
                ended: ended.clone(),
            },
            guard,
            limits,
        );
        let shutdown = async move {
            stop.await;
            // Ends the open event streams, which would otherwise delay shutdown.
            ending.send_replace(true);
        };
        let shutdown_timeout = async move {
            if ended.wait_for(|ended| *ended).await.is_ok() {
                tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
            }
        };
        tokio::select! {
            () = connections::serve(self.listener, router, limits, shutdown) => {}
            () = shutdown_timeout => {}
        }
    }
}

fn router(
    app: Arc<App>,
    event_state: EventStreamState,
    guard: Arc<Guard>,
    limits: Limits,
) -> Router {
    let operations = Router::new()
        .route("/api/operations/{name}", post(operations::call))
        .route("/api/requests/{id}", get(requests::show))
        .route("/mcp", post(mcp::serve))
        .route(
            "/api/sessions/{id}/output/{stream}",
            get(raw_output::download),
        )
        .with_state(Arc::clone(&app));
    let EventStreamState { feed, ended } = event_state.clone();
    let waiting = WaitingRequests::new(feed.clone(), ended.clone(), limits.waiting);
    let rest = rest::router().with_state(RestState {
        tail: EventTail::follow(&app, feed, ended.clone()),
        waiting: waiting.clone(),
        ended,
        app,
    });
    let events = Router::new()
        .route("/api/events", get(events::stream))
        .with_state(event_state);
    let missing = Router::new()
        .route("/api/{*rest}", any(not_found))
        .route("/api/", any(not_found));
    operations
        .layer(Extension(waiting))
        .merge(rest)
        .merge(events)
        .merge(missing)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(Extension(limits))
        .layer(middleware::from_fn(connections::release_authenticated))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&guard),
            guard::require_token,
        ))
        .merge(Router::new().fallback(get(static_files::file).fallback(method_not_allowed)))
        .layer(middleware::from_fn_with_state(guard, guard::check_address))
        .layer(middleware::from_fn(rest::envelope_errors))
        .layer(middleware::from_fn(static_files::harden))
}

async fn method_not_allowed() -> ErrorResponse {
    let message = "Method not allowed. Use POST for operations and GET for everything else.";
    ErrorResponse::new(StatusCode::METHOD_NOT_ALLOWED, Code::BadInput, message)
}

async fn not_found() -> ErrorResponse {
    ErrorResponse::new(StatusCode::NOT_FOUND, Code::NotFound, "unknown API path")
}
