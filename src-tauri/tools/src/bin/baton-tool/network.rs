//! What requests need: a runtime and a client, made when the first call asks for them.

use std::io;
use std::sync::OnceLock;

use reqwest::Client;
use reqwest::redirect::Policy;
use tokio::runtime::Runtime;

use crate::call_error::CallError;

/// The means to send requests.
#[derive(Debug, Default)]
pub(crate) struct HttpClient {
    http: OnceLock<io::Result<HttpRuntime>>,
}

/// A runtime and a client.
#[derive(Debug)]
pub(crate) struct HttpRuntime {
    pub(crate) runtime: Runtime,
    pub(crate) client: Client,
}

impl HttpClient {
    /// The means, which most works never need.
    pub(crate) fn http(&self) -> Result<&HttpRuntime, CallError> {
        self.http
            .get_or_init(prepare)
            .as_ref()
            .map_err(|error| CallError::Network(io::Error::new(error.kind(), error.to_string())))
    }

    /// The means, if anybody has asked for them.
    pub(crate) fn used(&self) -> Option<&HttpRuntime> {
        self.http.get()?.as_ref().ok()
    }
}

fn prepare() -> io::Result<HttpRuntime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    // Fails only when another one is in place, which does as well.
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

/// How often an answer may lead elsewhere on the same server.
const REDIRECTS: usize = 10;

/// Follows an answer to another address of the same origin only: the plan names whom a call reaches, and headers that
/// are meant for one server, such as a token, are not for another. Otherwise the answer itself is the result.
fn within_origin() -> Policy {
    Policy::custom(|attempt| {
        let first = attempt.previous().first().map(reqwest::Url::origin);
        match first == Some(attempt.url().origin()) {
            true if attempt.previous().len() > REDIRECTS => {
                attempt.error("it leads elsewhere again and again")
            }
            true => attempt.follow(),
            false => attempt.stop(),
        }
    })
}
