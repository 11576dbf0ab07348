//! The records of each agent's histories: bytes in, statistics and searchable text out. No I/O.
//!
//! Claude, Codex and pi append one record per line, and their files are read as they are. Gemini
//! and opencode change records that they wrote before. The `normalize` module converts their
//! histories to lines, and those are read here.

pub(crate) mod claude;
pub(crate) mod codex;
pub(crate) mod gemini;
pub(crate) mod json_scanner;
pub(crate) mod line;
pub(crate) mod opencode;
pub(crate) mod pi;
pub mod price;
pub(crate) mod search_text;
pub mod stats;

pub use stats::TranscriptStats;

/// How many bytes at the beginning of each tool's output are searched.
pub const TOOL_OUTPUT_BYTES: u32 = 4 * 1024;
