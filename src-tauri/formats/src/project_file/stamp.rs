//! Which plan and version a file is, and whether it was edited since Baton wrote it.

use std::fmt::Write as _;

use baton_model::PlanId;
use sha2::{Digest, Sha256};

use super::ProjectFileFormat;

const HASH: &str = "# sha256: ";
/// Baton writes the stamp into the first lines.
const LINES: usize = 12;

/// What the first lines of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The plan.
    pub plan: PlanId,
    /// The version that was written.
    pub version: u32,
    /// Whether the text is as Baton wrote it. Line ends may differ, as git may change them.
    pub is_untouched: bool,
}

/// The stamp of `text`; `None` if it has no plan or no version.
#[must_use]
pub fn read_stamp(text: &str) -> Option<Stamp> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n");
    let value = |key: &str| {
        let lines = text.lines().take(LINES);
        let mut values = lines.filter_map(|line| {
            let line = line.strip_prefix("# ").unwrap_or(line);
            line.strip_prefix(key)
        });
        values
            .next()
            .map(|value| value.trim().trim_matches(['"', '\'']))
    };
    Some(Stamp {
        plan: value("id:")?.strip_prefix("PLAN-")?.parse().ok()?,
        version: value("version:")?.parse().ok()?,
        is_untouched: is_untouched(&text),
    })
}

fn is_untouched(text: &str) -> bool {
    let mut lines = text.split_inclusive('\n').take(LINES);
    let Some(line) = lines.find(|line| line.starts_with(HASH)) else {
        return false;
    };
    let rest = text.replacen(line, "", 1);
    line[HASH.len()..].trim() == hash(&rest)
}

/// `text` with a line about its hash.
pub(super) fn with_hash(text: &str, format: ProjectFileFormat) -> String {
    let line = format!("{HASH}{}\n", hash(text));
    match format {
        // Below the line that begins the front matter.
        ProjectFileFormat::Markdown => text.replacen("---\n", &format!("---\n{line}"), 1),
        ProjectFileFormat::Yaml => line + text,
    }
}

/// The SHA-256 hash of a file's text. Line ends don't count.
#[must_use]
pub fn text_hash(text: &str) -> String {
    hash(&text.replace("\r\n", "\n"))
}

fn hash(text: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a string can't fail.
        let _infallible = write!(hex, "{byte:02x}");
    }
    hex
}
