//! The MCP servers in the settings and their tools.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An MCP (Model Context Protocol) server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpServer {
    /// The name in plans: `name/tool`.
    pub name: String,
    /// How Baton connects to the server.
    pub transport: Transport,
    /// Tools that editors don't mark as guarded; `*` means all. Has no other effect.
    #[serde(default)]
    pub trusted: Vec<String>,
}

/// How to connect to a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Transport {
    /// A program that is started for the session and uses standard input and output.
    Stdio {
        /// The program: a name in `PATH`, or a path.
        command: String,
        #[serde(default)]
        args: Vec<String>,
        /// Additional environment variables.
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// A URL that supports "streamable HTTP".
    Http {
        url: String,
        /// Headers of every request, such as `Authorization`.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

/// A row of `baton-tool list`: a tool of a server, or a server that can't be reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged, rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ServerTool {
    Tool {
        server: String,
        /// The name within the server.
        name: String,
        /// The server's description of the tool. Untrusted text.
        description: String,
        /// The JSON schema of the arguments.
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        input_schema: Value,
        /// The server states that the tool changes nothing.
        read_only: bool,
        /// The server doesn't rule out that the tool destroys something.
        destructive: bool,
    },
    /// The server can't be reached.
    Unreachable { server: String, error: String },
}
