//! The server over HTTP, one request at a time: no sessions, so that a restart loses nothing.

use std::sync::Arc;

use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::server::McpServer;

/// Handles requests to the address of the tools.
pub type HttpService = StreamableHttpService<McpServer, NeverSessionManager>;

/// A service that answers each request by itself, with JSON.
///
/// It doesn't identify the caller: `server` acts on behalf of one, so create a service per request.
#[must_use]
pub fn http_service(server: McpServer) -> HttpService {
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    let sessions = Arc::new(NeverSessionManager::default());
    StreamableHttpService::new(move || Ok(server.clone()), sessions, config)
}
