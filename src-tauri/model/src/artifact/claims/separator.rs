//! Separators between the paths of an item.

const BETWEEN: [&str; 7] = [",", ";", "and ", "&", "+", "/", "plus "];
pub(super) const ARROWS: [&str; 4] = ["→", "->", "=>", "➜"];

/// Splits off a remark in parentheses.
pub(super) fn parenthesis(after: &str) -> (Option<&str>, &str) {
    let found = after
        .trim_start()
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'));
    // A remark at the end of the item applies to all of its paths.
    match found {
        Some((remark, rest)) if !rest.trim().is_empty() => (Some(remark), rest),
        _ => (None, after),
    }
}

/// Skips separators. Returns the rest, and whether there was an arrow. The next path may follow
/// without a separator.
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
