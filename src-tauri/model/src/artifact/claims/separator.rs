//! What stands between the paths of an item.

/// What stands between two paths of one item.
const BETWEEN: [&str; 7] = [",", ";", "and ", "&", "+", "/", "plus "];
pub(super) const ARROWS: [&str; 4] = ["→", "->", "=>", "➜"];

/// A remark in parentheses, and what follows it.
pub(super) fn parenthesis(after: &str) -> (Option<&str>, &str) {
    let found = after
        .trim_start()
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'));
    // One at the end of the item is about all of its paths.
    match found {
        Some((remark, rest)) if !rest.trim().is_empty() => (Some(remark), rest),
        _ => (None, after),
    }
}

/// What follows the words that separate paths, and whether an arrow is among them. A path may follow without any.
pub(super) fn after_separator(after: &str) -> (&str, bool) {
    let mut rest = after.trim_start();
    let mut is_arrow = false;
    loop {
        let arrow = ARROWS.iter().find_map(|arrow| rest.strip_prefix(arrow));
        is_arrow |= arrow.is_some();
        match arrow.or_else(|| BETWEEN.iter().find_map(|word| rest.strip_prefix(word))) {
            Some(next) => rest = next.trim_start(),
            None => return (rest, is_arrow),
        }
    }
}
