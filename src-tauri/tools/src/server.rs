//! The MCP servers of the settings, and what they offer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A server of tools by the Model Context Protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct McpServer {
    /// What plans call it: `name/tool`.
    pub name: String,
    /// How it is reached.
    pub transport: Transport,
    /// Its tools that an editor does not mark as guarded; `*` means all of them. Nothing else depends on it.
    #[serde(default)]
    pub trusted: Vec<String>,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Transport {
    /// A program that is started for the session and spoken to by its standard input and output.
    Stdio {
        /// The program: a name to be found in `PATH`, or a path.
        command: String,
        #[serde(default)]
        args: Vec<String>,
        /// Variables on top of the session's environment.
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// An address that speaks "streamable HTTP".
    Http {
        url: String,
        /// Headers of every request, for instance `Authorization`.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

/// One row of what `baton-tool list` prints: a tool of a server, or why a server has none to show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(untagged, rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ServerTool {
    Tool {
        server: String,
        /// The tool's name within the server.
        name: String,
        /// What it does, in the server's words. Text from outside.
        description: String,
        /// The JSON schema of its arguments.
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        input_schema: Value,
        /// The server says that it changes nothing.
        read_only: bool,
        /// The server does not deny that it may destroy something.
        destructive: bool,
    },
    /// The server cannot be asked.
    Unreachable { server: String, error: String },
}
