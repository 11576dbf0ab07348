//! The REST API under `/api/plans`, `/api/runs` and the like, for programs that know neither Baton's
//! operations nor its window.
//!
//! [`routes()`] is the only list of what exists: the HTTP server makes its router from it, and the
//! OpenAPI document is generated from it, so neither can name something that the other lacks. Each
//! handler translates a request into operations of `baton-api` and their results into the shapes of
//! this API. Nothing here decides who may do what: every operation is called for the caller.

mod answer;
mod conditions;
mod error;
mod event_stream;
mod idempotency;
mod iso_json;
#[cfg(feature = "bindings")]
pub mod openapi;
mod query;
mod request;
mod resources;
mod route;
mod routes;
mod schema;
mod waiting;

pub use answer::{Answer, Body, Response, Waiting};
pub use conditions::{Conditions, IfMatch, Wait};
pub use error::{ErrorCode, RestError};
pub use event_stream::{EventPage, EventStream, StreamedEvent, read_events, stale_data};
pub use idempotency::respond;
pub use request::{Caller, Method, Request};
pub use route::Route;
pub use routes::routes;

/// The OpenAPI document of the API, as checked in.
pub const OPENAPI: &str = include_str!("../openapi.json");
/// Where the document is served.
pub const OPENAPI_PATH: &str = "/api/openapi.json";

/// Whether requests for `path` are answered by this API, also if there is no such route: its errors
/// then have the shape of this API.
#[must_use]
pub fn is_rest_path(path: &str) -> bool {
    const ROOTS: [&str; 7] = [
        "/api/plans",
        "/api/runs",
        "/api/proposals",
        "/api/artifacts",
        "/api/sessions",
        "/api/transcripts",
        OPENAPI_PATH,
    ];
    // An address of the window's own.
    let is_download = path.starts_with("/api/sessions/") && path.contains("/output/");
    let is_below = |root: &str| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !is_download && ROOTS.into_iter().any(is_below)
}
