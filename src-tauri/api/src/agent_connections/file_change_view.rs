//! Changes of files as a person sees them.

use baton_secrets::Secrets;
use sha2::{Digest as _, Sha256};
use similar::TextDiff;

use super::file_edits::FileChange;
use crate::wire::{AgentFileChange, FileEffect};

/// How many unchanged lines are shown around a changed one.
const CONTEXT_LINES: usize = 2;

/// A change as a diff. Settings of agents may contain keys, which nobody has to see here.
pub(super) fn view(change: &FileChange) -> AgentFileChange {
    let before = change.before.as_deref().unwrap_or_default();
    let after = change.after.as_deref().unwrap_or_default();
    let diff = TextDiff::from_lines(before, after);
    let diff = diff
        .unified_diff()
        .context_radius(CONTEXT_LINES)
        .to_string();
    AgentFileChange {
        agent: change.agent.to_owned(),
        path: change.path.clone(),
        effect: match (&change.before, &change.after) {
            (None, _) => FileEffect::Created,
            (_, None) => FileEffect::Removed,
            _ => FileEffect::Changed,
        },
        diff: Secrets::known_patterns().mask_text(&diff).into_owned(),
    }
}

/// Identifies the files before and after. A text can't be taken for the next one, because each is
/// preceded by its length.
pub(super) fn fingerprint(changes: &[&FileChange]) -> String {
    let mut hasher = Sha256::new();
    for change in changes {
        let path = change.path.as_os_str().as_encoded_bytes();
        let texts = [&change.before, &change.after].map(|text| text.as_deref().map(str::as_bytes));
        for part in [Some(path)].into_iter().chain(texts) {
            let length = part.map_or(-1, |part| i64::try_from(part.len()).unwrap_or(i64::MAX));
            hasher.update(length.to_le_bytes());
            hasher.update(part.unwrap_or_default());
        }
    }
    format!("{:x}", hasher.finalize())
}
