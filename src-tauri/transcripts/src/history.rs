//! What the records of each agent mean. Pure: bytes in, figures and text out.

/// Of each tool's output so many bytes at its beginning are searched.
pub const TOOL_OUTPUT_BYTES: u32 = 4 * 1024;
