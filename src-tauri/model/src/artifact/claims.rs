//! The paths that a handoff names as changed, read out of its list.
//!
//! Agents write such lists in many ways: with and without backticks, verbs, remarks and numbers. What does not look
//! like a path is passed over: a sentence that were taken for a path would make an honest agent a liar. Whether
//! a claim is true is for [`evidence`](crate::evidence).

/// Words before a path that say what was done to it.
const VERBS: [&str; 16] = [
    "new", "file", "files", "created", "create", "added", "add", "modified", "modify", "updated", "update", "changed",
    "edited", "deleted", "removed", "renamed",
];
/// What stands between two paths of one item.
const BETWEEN: [&str; 6] = [",", "and", "&", "→", "->", "to"];

/// The paths in `section`, in order, each once.
pub(super) fn paths(section: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in section.lines() {
        let line = line.trim();
        let item = without_bullet(line);
        for path in of_item(item.unwrap_or(line), item.is_some()) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// The text of a list item: `- …`, `* …`, `+ …`, `3. …`, `3) …`; also of a table's row.
fn without_bullet(line: &str) -> Option<&str> {
    if line.starts_with("**") {
        return None;
    }
    if let Some(item) = line.strip_prefix(['-', '*', '+', '•', '|']) {
        return Some(item.trim());
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(['.', ')']).filter(|rest| digits > 0 && rest.starts_with(' '))?;
    Some(rest.trim())
}

/// The paths with which an item begins. A line that is no item has to consist of them.
fn of_item(item: &str, is_item: bool) -> Vec<String> {
    let mut rest = skip_verbs(item);
    let mut found = Vec::new();
    while let Some((path, after)) = first_path(rest, is_item) {
        found.push(path);
        rest = after.trim_start();
        match BETWEEN.iter().find_map(|word| rest.strip_prefix(word)) {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    let is_remark = !is_item && rest.starts_with(char::is_alphanumeric);
    if is_remark { Vec::new() } else { found }
}

fn skip_verbs(mut item: &str) -> &str {
    loop {
        let word = item.split([' ', ':']).next().unwrap_or_default();
        let plain = word.trim_matches(['*', '_', '[', ']', '(', ')']).to_ascii_lowercase();
        if word.len() == item.len() || !VERBS.contains(&plain.as_str()) {
            return item;
        }
        item = item[word.len()..].trim_start_matches([':', '*', ' ']);
    }
}

/// A path at the beginning of `text`, and what follows it.
fn first_path(text: &str, is_item: bool) -> Option<(String, &str)> {
    let bare = text.trim_start_matches(['*', '_', '[']);
    if let Some(quoted) = bare.strip_prefix('`') {
        let (path, after) = quoted.split_once('`')?;
        let after = after.trim_start_matches(['*', '_', ']']);
        return Some((plain(path)?, without_target(after)));
    }
    let end = bare.find([' ', ',', '\t', ']', '*']).unwrap_or(bare.len());
    let (word, after) = bare.split_at(end);
    let path = plain(word)?;
    let alone = after.trim().is_empty() || after.trim_start().starts_with(['(', '-', '–', '—', ',', ':', ']', '*']);
    let alone = alone || word.ends_with(':');
    let looks_like_one = path.contains('/') || path.trim_start_matches('.').contains('.') || path.starts_with('.');
    let counts = looks_like_one || (is_item && alone && path.chars().next().is_some_and(char::is_alphabetic));
    counts.then(|| (path, without_target(after.trim_start_matches([']', '*']))))
}

/// What follows the target of a Markdown link.
fn without_target(after: &str) -> &str {
    let target = after.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    // "(new)" is a remark, "(src/a.rs)" is where a link leads.
    target.filter(|(target, _)| target.contains(['/', '.'])).map_or(after, |(_, after)| after)
}

/// A path without line numbers and the punctuation of its sentence; `None` for words that say that there is none.
fn plain(word: &str) -> Option<String> {
    let word = word.trim().trim_end_matches([':', ';', '*', '_', ')']);
    let word = word.strip_suffix('.').unwrap_or(word);
    let (path, line) = word.rsplit_once(':').unwrap_or((word, ""));
    let path = if !line.is_empty() && line.chars().all(|c| c.is_ascii_digit() || c == '-') { path } else { word };
    let nothing = ["none", "no", "n/a", "nothing", "nil", "-", ""].contains(&path.to_ascii_lowercase().as_str());
    let a_path = !nothing && !path.contains("://") && !path.contains(['\n', '<', '>']) && path.len() <= 1024;
    a_path.then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_agents_write_them() {
        for (section, expected) in [
            ("- `src/a.rs` (new)\n- src/b.rs: fixed", &["src/a.rs", "src/b.rs"][..]),
            ("- **src/a.rs** – parser\n* `b c.txt`", &["src/a.rs", "b c.txt"]),
            ("1. src/a.rs\n2) `Makefile` - builds", &["src/a.rs", "Makefile"]),
            ("- Created `src/a.rs` and `src/b.rs`\n- Modified: lib.rs", &["src/a.rs", "src/b.rs", "lib.rs"]),
            ("- [src/a.rs](src/a.rs): new\n- Makefile", &["src/a.rs", "Makefile"]),
            ("- src/a.rs:12-40 (edited)\n- `x/y.rs:7`", &["src/a.rs", "x/y.rs"]),
            ("- `old.rs` → `new.rs`", &["old.rs", "new.rs"]),
            ("src/a.rs\nsrc/b.rs, src/c.rs", &["src/a.rs", "src/b.rs", "src/c.rs"]),
            ("- `src/a.rs`: now calls `foo::bar()`", &["src/a.rs"]),
            ("- **New file:** `docs/x.md`", &["docs/x.md"]),
            ("- .gitignore\n- src/", &[".gitignore", "src/"]),
            ("| File | Change |\n|---|:--|\n| `src/a.rs` | new |\n| src/b.rs | fixed |", &["src/a.rs", "src/b.rs"]),
            ("- None", &[]),
            ("None.", &[]),
            ("- No files were changed.", &[]),
            ("- N/A", &[]),
            ("No files were changed in this step, see notes.md for why.", &[]),
            ("- nothing (analysis only)", &[]),
            ("- See https://example.com/a.html", &[]),
            ("- Analysis only; nothing was written", &[]),
        ] {
            assert_eq!(paths(section), expected, "{section:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_stumble(text in "(?s).{0,200}") {
            for path in paths(&text) {
                proptest::prop_assert!(!path.is_empty() && !path.contains('\n'));
            }
        }

        #[test]
        fn a_path_in_backticks_comes_back(path in "[a-z]{1,8}(/[a-z._-]{1,8}[a-z]){0,3}") {
            let nothing = ["no", "none", "nothing", "nil"].contains(&path.as_str());
            proptest::prop_assume!(!nothing);
            proptest::prop_assert_eq!(paths(&format!("- `{path}` (changed)")), [path]);
        }
    }
}
