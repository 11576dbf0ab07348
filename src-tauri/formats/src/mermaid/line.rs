//! The words of one line of a flowchart.

use super::fault::FaultKind;

/// A piece of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A node by its id, with its label and shape where they are given.
    Node { id: String, label: Option<Label> },
    /// `&`: the same edges for one more node.
    And,
    /// An arrow, with the id that its look may be told by.
    Arrow {
        id: Option<String>,
        soft: bool,
        backward: bool,
        label: Option<String>,
    },
}

/// What stands in a node's brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) text: String,
    /// It stands in `{…}`.
    pub(super) asks: bool,
}

/// The brackets that Mermaid knows, those first that begin like a shorter one.
const BRACKETS: [(&str, &[&str]); 12] = [
    ("(((", &[")))"]),
    ("([", &["])"]),
    ("[[", &["]]"]),
    ("[(", &[")]"]),
    ("((", &["))"]),
    ("{{", &["}}"]),
    ("[/", &["/]", "\\]"]),
    ("[\\", &["\\]", "/]"]),
    ("[", &["]"]),
    ("(", &[")"]),
    ("{", &["}"]),
    (">", &["]"]),
];

/// The pieces of a statement without its comment.
pub(super) fn pieces(statement: &str) -> Result<Vec<Piece>, FaultKind> {
    let mut rest = statement.trim();
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let expects_node = matches!(pieces.last(), None | Some(Piece::And | Piece::Arrow { .. }));
        let (piece, after) = match rest.strip_prefix('&') {
            Some(after) if !expects_node => (Piece::And, after),
            _ if expects_node => node(rest)?,
            _ => named_arrow(rest)?,
        };
        pieces.push(piece);
        rest = after.trim_start();
    }
    match pieces.last() {
        Some(Piece::And | Piece::Arrow { .. }) => Err(FaultKind::NoEnd),
        _ => Ok(pieces),
    }
}

fn not_understood(rest: &str) -> FaultKind {
    FaultKind::NotUnderstood {
        rest: rest.trim().chars().take(40).collect(),
    }
}

fn is_id_char(char: char) -> bool {
    char.is_alphanumeric()
        || matches!(
            char,
            '_' | '.' | '$' | '\'' | ':' | '/' | '+' | '*' | '?' | '!' | '#'
        )
}

/// How far an id goes. A `-` belongs to it unless an arrow begins there.
fn id_length(text: &str) -> usize {
    let mut end = 0;
    for (at, char) in text.char_indices() {
        let goes_on =
            |after: &str| after.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        let is_hyphen = char == '-' && goes_on(&text[at + 1..]) && end > 0;
        if text[at..].starts_with(":::") || !(is_id_char(char) || is_hyphen) {
            break;
        }
        end = at + char.len_utf8();
    }
    end
}

fn node(text: &str) -> Result<(Piece, &str), FaultKind> {
    let (id, after) = text.split_at(id_length(text));
    if id.is_empty() {
        return Err(not_understood(text));
    }
    let (label, after) = match after.strip_prefix("@{") {
        Some(attributes) => attributes_label(attributes)?,
        None => label(after)?,
    };
    let after = match after.strip_prefix(":::") {
        Some(class) => &class[id_length(class)..],
        None => after,
    };
    Ok((
        Piece::Node {
            id: id.to_owned(),
            label,
        },
        after,
    ))
}

fn label(text: &str) -> Result<(Option<Label>, &str), FaultKind> {
    let Some((open, closes)) = BRACKETS.iter().find(|(open, _)| text.starts_with(open)) else {
        return Ok((None, text));
    };
    let inside = &text[open.len()..];
    let never = || FaultKind::NeverClosed {
        opened: (*open).to_owned(),
    };
    let asks = *open == "{";
    if let Some(quoted) = inside.trim_start().strip_prefix('"') {
        let end = quoted.find('"').ok_or_else(|| FaultKind::NeverClosed {
            opened: "\"".to_owned(),
        })?;
        let after = quoted[end + 1..].trim_start();
        let close = closes
            .iter()
            .find(|close| after.starts_with(**close))
            .ok_or_else(never)?;
        return Ok((
            Some(Label {
                text: plain(&quoted[..end]),
                asks,
            }),
            &after[close.len()..],
        ));
    }
    let ends = closes
        .iter()
        .filter_map(|close| Some((inside.find(close)?, close.len())));
    let (end, length) = ends.min().ok_or_else(never)?;
    Ok((
        Some(Label {
            text: plain(&inside[..end]),
            asks,
        }),
        &inside[end + length..],
    ))
}

/// `@{ shape: diamond, label: "Title" }`, as newer versions write nodes.
fn attributes_label(text: &str) -> Result<(Option<Label>, &str), FaultKind> {
    let mut quoted = false;
    let end = text.find(|char| {
        quoted ^= char == '"';
        char == '}' && !quoted
    });
    let end = end.ok_or_else(|| FaultKind::NeverClosed {
        opened: "@{".to_owned(),
    })?;
    let (attributes, after) = (&text[..end], &text[end + 1..]);
    let value = |key: &str| {
        let (_, value) = attributes.split_once(key)?;
        let value = value.trim_start().strip_prefix(':')?.trim_start();
        match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').map(|(value, _)| value),
            None => value.split(',').next().map(str::trim),
        }
    };
    let asks = value("shape")
        .is_some_and(|shape| ["diamond", "diam", "decision", "question"].contains(&shape));
    Ok((
        value("label").map(|text| Label {
            text: plain(text),
            asks,
        }),
        after,
    ))
}

/// `name@-->`: an arrow that other lines speak of, to say how it looks.
fn named_arrow(text: &str) -> Result<(Piece, &str), FaultKind> {
    let (name, after) = text.split_at(id_length(text));
    match (
        arrow(after.strip_prefix('@').unwrap_or(text))?,
        after.starts_with('@'),
    ) {
        (
            (
                Piece::Arrow {
                    soft,
                    backward,
                    label,
                    ..
                },
                rest,
            ),
            true,
        ) => Ok((
            Piece::Arrow {
                id: Some(name.to_owned()),
                soft,
                backward,
                label,
            },
            rest,
        )),
        (arrow, _) => Ok(arrow),
    }
}

fn arrow(text: &str) -> Result<(Piece, &str), FaultKind> {
    let backward = text.starts_with('<');
    // A tail is a head at the other end; `o` and `x` are tails where a line follows at once.
    let line = text
        .strip_prefix(['<', 'o', 'x'])
        .filter(|line| line.starts_with(['-', '=', '.']))
        .unwrap_or(text);
    let stroke = line.len() - line.trim_start_matches(['-', '=', '.', '~']).len();
    let (drawn, after) = line.split_at(stroke);
    if drawn.len() < 2 || drawn.starts_with('.') {
        return Err(not_understood(text));
    }
    let (soft, headed) = (drawn.contains(['.', '~']), head(after));
    if let Some(after) = headed.or_else(|| (drawn.len() >= 3 || backward).then_some(after)) {
        let (label, after) = match after.trim_start().strip_prefix('|') {
            Some(label) => {
                let (label, after) = label.split_once('|').ok_or(FaultKind::NeverClosed {
                    opened: "|".to_owned(),
                })?;
                (Some(plain(label.trim().trim_matches('"'))), after)
            }
            None => (None, after),
        };
        let backward = backward && headed.is_none();
        return Ok((
            Piece::Arrow {
                id: None,
                soft,
                backward,
                label,
            },
            after,
        ));
    }
    // `-- words -->`: the line goes on behind its label.
    let ends = ["--", "==", ".-"].iter().filter_map(|end| after.find(end));
    let end = ends.min().ok_or_else(|| not_understood(text))?;
    let (label, rest) = after.split_at(end);
    let rest = rest.trim_start_matches(['-', '=', '.']);
    let arrow = Piece::Arrow {
        id: None,
        soft,
        backward: false,
        label: Some(plain(label.trim().trim_matches('"'))),
    };
    Ok((arrow, head(rest).unwrap_or(rest)))
}

/// What follows on the head of an arrow, if there is one. Mermaid as well takes these letters for heads before a name.
fn head(text: &str) -> Option<&str> {
    text.strip_prefix(['>', 'x', 'o'])
}

/// A label as people read it: Mermaid's own line breaks, HTML's, and the signs that it writes by number or name.
pub(super) fn plain(text: &str) -> String {
    let mut plain = text
        .trim()
        .trim_matches('`')
        .replace("<br/>", " ")
        .replace("<br>", " ")
        .replace("<br />", " ");
    plain = plain.replace("\\n", " ");
    let mut result = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    while let Some(at) = rest.find(['#', '&']) {
        result.push_str(&rest[..at]);
        let (sign, after) = sign(&rest[at..]);
        result.push(sign);
        rest = &rest[at + after..];
    }
    result.push_str(rest);
    result.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sign that `text` begins with, and how long it is as it is written: `#quot;`, `&lt;`, `#35;`, or `#` itself.
fn sign(text: &str) -> (char, usize) {
    let itself = (text.chars().next().unwrap_or('#'), 1);
    let Some((name, _)) = text[1..]
        .split_once(';')
        .filter(|(name, _)| name.len() <= 8)
    else {
        return itself;
    };
    let number = name.strip_prefix('#').unwrap_or(name);
    let known = match name {
        "quot" => Some('"'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => number.parse().ok().and_then(char::from_u32),
    };
    known.map_or(itself, |known| (known, name.len() + 2))
}
