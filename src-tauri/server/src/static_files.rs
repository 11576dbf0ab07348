//! Serves the interface's files, and adds security headers to every response.
//!
//! The files hold no personal data and need no token. The page gets its token from the URL's
//! fragment: see `Server::url`.

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use baton_api::Code;

use crate::error_response::ErrorResponse;

/// Path below `ui/dist` and content, sorted by path; empty when the interface was not built.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/interface.rs"));

/// The file that `cargo xtask` adds to the built interface.
const NOTICES: &str = "THIRD-PARTY-NOTICES.txt";

/// Like the policy in `tauri.conf.json`, without the sources for Tauri's IPC.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><title>Baton</title>\
    <h1>The interface isn't built</h1>\
    <p>This build of Baton doesn't include the interface. <code>cargo xtask run --browser</code> builds both.</p></html>";

/// Serves a file of the interface. Every other path gets `index.html`, which routes it.
pub(crate) async fn file(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(content) = find(path) {
        return (headers(path), content).into_response();
    }
    // A path with an extension is a missing file; everything else is a page's route.
    if path
        .rsplit('/')
        .next()
        .is_some_and(|name| name.contains('.'))
    {
        return ErrorResponse::new(StatusCode::NOT_FOUND, Code::NotFound, "File not found.")
            .into_response();
    }
    match find("index.html") {
        Some(content) => (headers("index.html"), content).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, Html(NOT_BUILT)).into_response(),
    }
}

/// Returns the third-party notices, or `None` if the program was built without the interface.
#[must_use]
pub fn third_party_notices() -> Option<&'static str> {
    std::str::from_utf8(find(NOTICES)?).ok()
}

/// A number that differs between builds of the interface. The page's files have a hash of their
/// content in their names, and `index.html` names them.
pub(crate) fn interface_hash() -> u64 {
    // FNV-1a: this only has to notice a difference, and be the same on each start.
    let index = find("index.html").unwrap_or_default();
    index.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn find(path: &str) -> Option<&'static [u8]> {
    FILES
        .binary_search_by_key(&path, |(name, _)| name)
        .ok()
        .map(|at| FILES[at].1)
}

fn headers(path: &str) -> HeaderMap {
    // Vite adds a content hash to the names below `assets/`.
    let cache = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(media_type(path))),
        (CACHE_CONTROL, HeaderValue::from_static(cache)),
    ])
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Adds security headers, and disables caching where nothing else is set.
pub(crate) async fn harden(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let always: [(HeaderName, &'static str); 5] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in always {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
        .headers_mut()
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_for_binary_search() {
        assert!(FILES.is_sorted_by_key(|(name, _)| name));
    }

    #[test]
    fn every_built_file_has_a_media_type() {
        for (name, _) in FILES {
            assert_ne!(
                media_type(name),
                "application/octet-stream",
                "{name} has no media type"
            );
        }
    }
}
