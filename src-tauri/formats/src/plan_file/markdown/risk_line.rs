//! The section `## Risks`: a list, each item with what reduces it in parentheses.

use super::super::fault::{FaultKind, Faults};
use super::super::tree::{Entry, Located, SourceLocation, Value};
use super::body::Section;
use super::{entry, text_scalar};

/// `None` if there is nothing in it. A line that begins no item continues the one above.
pub(super) fn read(section: &Section<'_>, faults: &mut Faults) -> Option<Entry> {
    let mut items: Vec<(SourceLocation, String)> = Vec::new();
    for line in section.lines.iter().filter(|line| !line.is_blank()) {
        match (item(line.text), items.last_mut()) {
            (Some(text), _) => items.push((line.at(1), text.to_owned())),
            (None, Some((_, text))) => text.extend([" ", line.text.trim()]),
            (None, None) => {
                let section = "Risks";
                faults.add(line.at(1), FaultKind::StrayText { section });
            }
        }
    }
    let at = items.first()?.0;
    let risk = |(at, text): &(SourceLocation, String)| located(*at, text);
    let value = Value::List(items.iter().map(risk).collect());
    Some(entry("risks", Located { at, value }))
}

fn item(line: &str) -> Option<&str> {
    let text = line.trim();
    let item = text.strip_prefix("- ").or_else(|| text.strip_prefix("* "));
    item.map(str::trim)
}

fn located(at: SourceLocation, text: &str) -> Located {
    let (text, mitigation) = split(text);
    let Some(mitigation) = mitigation else {
        return text_scalar(at, text);
    };
    let text = entry("text", text_scalar(at, text));
    let mitigation = entry("mitigation", text_scalar(at, mitigation));
    let value = Value::Map(vec![text, mitigation]);
    Located { at, value }
}

/// The risk, and what reduces it: the last parentheses at the end.
fn split(text: &str) -> (&str, Option<&str>) {
    let Some(inner) = text.strip_suffix(')') else {
        return (text, None);
    };
    let mut depth = 1;
    let open = inner.char_indices().rev().find(|(_, c)| {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let parts = open.and_then(|(at, _)| Some((inner[..at].strip_suffix(' ')?, &inner[at + 1..])));
    match parts {
        Some((risk, mitigation)) if !risk.trim().is_empty() && !mitigation.trim().is_empty() => {
            (risk.trim_end(), Some(mitigation.trim()))
        }
        _ => (text, None),
    }
}

/// The line for a risk, if it is read as the same.
pub(super) fn line(text: &str, mitigation: Option<&str>) -> Option<String> {
    let line = match mitigation {
        Some(mitigation) => format!("- {text} ({mitigation})"),
        None => format!("- {text}"),
    };
    let is_one_line = !line.contains(['\n', '\r']) && !text.is_empty();
    let is_same = item(&line).map(split) == Some((text, mitigation));
    (is_one_line && is_same).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mitigation_is_in_the_last_parentheses() {
        for (text, expected) in [
            (
                "It might bounce (check first)",
                ("It might bounce", Some("check first")),
            ),
            (
                "It (a) might (ask (twice))",
                ("It (a) might", Some("ask (twice)")),
            ),
            ("It might bounce", ("It might bounce", None)),
            ("(all of it)", ("(all of it)", None)),
            ("f(x)", ("f(x)", None)),
            ("odd )", ("odd )", None)),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
