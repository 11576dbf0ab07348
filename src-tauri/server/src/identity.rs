//! Tells a page which server answers: a page outlives its server, and the next one on the same port
//! may have other data or a newer interface.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::{change_feed, static_files};

/// One start of a server.
const INSTANCE: HeaderName = HeaderName::from_static("baton-instance");
/// The data directory.
const DATA: HeaderName = HeaderName::from_static("baton-data");
/// The build of the interface.
const INTERFACE: HeaderName = HeaderName::from_static("baton-interface");

/// The headers of every response to a caller with a token.
#[derive(Clone)]
pub(crate) struct ServerIdentity {
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ServerIdentity {
    /// The identity of a server that starts now on the data with the id `data`.
    pub(crate) fn new(data: &str) -> Self {
        let instance = change_feed::initial_number().to_string();
        let interface = format!("{:016x}", static_files::interface_hash());
        let given = [
            (INSTANCE, instance.as_str()),
            (DATA, data),
            (INTERFACE, &interface),
        ];
        let headers = given
            .into_iter()
            .filter_map(|(name, value)| Some((name, HeaderValue::from_str(value).ok()?)))
            .collect();
        Self { headers }
    }

    pub(crate) fn add_to(&self, response: &mut HeaderMap) {
        response.extend(self.headers.iter().cloned());
    }
}
