//! The tool `glob`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use serde::Deserialize;
use serde_json::Value;

use crate::call_error::CallError;
use crate::stop::Stop;

/// The limit on matching files.
const MAX_FILES: usize = 10_000;
/// The limit on patterns that braces may expand to.
const MAX_EXPANSIONS: usize = 100;

#[derive(Debug, Deserialize)]
pub(crate) struct GlobArguments {
    pattern: String,
    cwd: Option<PathBuf>,
}

/// Returns the matching files, sorted and relative to the start folder. Hidden files only match
/// patterns that start with a dot.
pub(crate) fn find(
    arguments: &GlobArguments,
    directory: &Path,
    stop: &Stop,
) -> Result<Value, CallError> {
    let start = arguments
        .cwd
        .as_ref()
        .map_or_else(|| directory.to_path_buf(), |own| directory.join(own));
    let mut found = BTreeSet::new();
    for variant in expand_braces(&arguments.pattern) {
        let whole = format!(
            "{}/{variant}",
            Pattern::escape(&start.display().to_string())
        );
        let pattern = if Path::new(&variant).is_absolute() {
            variant
        } else {
            whole
        };
        let options = MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: true,
        };
        let paths = glob::glob_with(&pattern, options).map_err(|error| CallError::Pattern {
            pattern: arguments.pattern.clone(),
            reason: error.msg.to_owned(),
        })?;
        // Unreadable folders are skipped.
        for path in paths.filter_map(Result::ok).filter(|path| path.is_file()) {
            if stop.reason().is_some() {
                return Err(CallError::Stopped);
            }
            found.insert(
                path.strip_prefix(&start)
                    .unwrap_or(&path)
                    .display()
                    .to_string(),
            );
            if found.len() > MAX_FILES {
                return Err(CallError::TooMany {
                    pattern: arguments.pattern.clone(),
                    limit: MAX_FILES,
                });
            }
        }
    }
    Ok(found.into_iter().collect::<Vec<_>>().into())
}

/// Expands `{a,b}` into one pattern per alternative.
fn expand_braces(pattern: &str) -> Vec<String> {
    let mut ready = Vec::new();
    let mut waiting = vec![pattern.to_owned()];
    while let Some(pattern) = waiting.pop() {
        match choice(&pattern) {
            Some((before, inside, after)) if ready.len() + waiting.len() < MAX_EXPANSIONS => {
                waiting.extend(
                    inside
                        .into_iter()
                        .map(|part| format!("{before}{part}{after}")),
                );
            }
            _ => ready.push(pattern),
        }
    }
    ready
}

/// Splits a pattern at its first braces with commas: the text before, the alternatives, and the
/// text after.
fn choice(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = pattern.find('{')?;
    let (mut depth, mut from, mut parts) = (0, start + 1, Vec::new());
    for (place, c) in pattern[start..]
        .char_indices()
        .map(|(place, c)| (start + place, c))
    {
        match c {
            '{' => depth += 1,
            ',' if depth == 1 => {
                parts.push(&pattern[from..place]);
                from = place + 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            parts.push(&pattern[from..place]);
            return (parts.len() > 1).then(|| (&pattern[..start], parts, &pattern[place + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_expanded() {
        for (pattern, meant) in [
            ("*.rs", vec!["*.rs"]),
            ("*.{rs,toml}", vec!["*.rs", "*.toml"]),
            ("{a,b{1,2}}/x", vec!["a/x", "b1/x", "b2/x"]),
            ("{a}", vec!["{a}"]),
            ("{a,b", vec!["{a,b"]),
            ("a}b", vec!["a}b"]),
        ] {
            let mut found = expand_braces(pattern);
            found.sort();
            assert_eq!(found, meant, "{pattern}");
        }
    }

    #[test]
    fn brace_expansion_is_limited() {
        assert!(expand_braces(&"{a,b}".repeat(40)).len() <= MAX_EXPANSIONS + 1);
    }
}
