//! The async runtime and HTTP client, created on first use.

use std::io;
use std::sync::OnceLock;

use reqwest::Client;
use reqwest::redirect::Policy;
use tokio::runtime::Runtime;

use crate::call_error::CallError;

/// A lazily created [`HttpRuntime`].
#[derive(Debug, Default)]
pub(crate) struct HttpClient {
    http: OnceLock<io::Result<HttpRuntime>>,
}

#[derive(Debug)]
pub(crate) struct HttpRuntime {
    pub(crate) runtime: Runtime,
    pub(crate) client: Client,
}

impl HttpClient {
    /// Creates the runtime on first use: most jobs never need it.
    pub(crate) fn http(&self) -> Result<&HttpRuntime, CallError> {
        self.http
            .get_or_init(prepare)
            .as_ref()
            .map_err(|error| CallError::Network(io::Error::new(error.kind(), error.to_string())))
    }

    /// Returns the runtime if it was created.
    pub(crate) fn used(&self) -> Option<&HttpRuntime> {
        self.http.get()?.as_ref().ok()
    }
}

fn prepare() -> io::Result<HttpRuntime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    // Fails only if another provider is installed, which works just as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let name = concat!("baton/", env!("CARGO_PKG_VERSION"));
    let client = Client::builder()
        .user_agent(name)
        .redirect(within_origin())
        .referer(false)
        .build();
    let client = client.map_err(io::Error::other)?;
    Ok(HttpRuntime { runtime, client })
}

/// The limit on redirects within a server.
const REDIRECTS: usize = 10;

/// Follows redirects only within the same origin: the plan names the servers that a call may reach,
/// and headers such as tokens must not reach another one. For other redirects, the redirect itself
/// is the response.
fn within_origin() -> Policy {
    Policy::custom(|attempt| {
        let first = attempt.previous().first().map(reqwest::Url::origin);
        match first == Some(attempt.url().origin()) {
            true if attempt.previous().len() > REDIRECTS => attempt.error("too many redirects"),
            true => attempt.follow(),
            false => attempt.stop(),
        }
    })
}
