//! Tokens of one line of a flowchart.

use super::fault::FaultKind;

/// A token of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A node with its label and shape, if given.
    Node { id: String, label: Option<Label> },
    /// `&`: the same edges for another node.
    And,
    /// An arrow, with the id to which style statements refer.
    Arrow {
        id: Option<String>,
        soft: bool,
        backward: bool,
        label: Option<String>,
    },
}

/// The content of a node's brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) text: String,
    /// Whether it is in `{…}`.
    pub(super) is_decision: bool,
}

/// The brackets of Mermaid, longer ones before their prefixes.
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

/// The tokens of a statement without its comment.
pub(super) fn tokenize(statement: &str) -> Result<Vec<Token>, FaultKind> {
    let mut rest = statement.trim();
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let expects_node = matches!(pieces.last(), None | Some(Token::And | Token::Arrow { .. }));
        let (piece, after) = match rest.strip_prefix('&') {
            Some(after) if !expects_node => (Token::And, after),
            _ if expects_node => node(rest)?,
            _ => named_arrow(rest)?,
        };
        pieces.push(piece);
        rest = after.trim_start();
    }
    match pieces.last() {
        Some(Token::And | Token::Arrow { .. }) => Err(FaultKind::NoEnd),
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

/// The length of an id. A `-` belongs to it unless an arrow begins there.
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

fn node(text: &str) -> Result<(Token, &str), FaultKind> {
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
        Token::Node {
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
    let is_decision = *open == "{";
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
                is_decision,
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
            is_decision,
        }),
        &inside[end + length..],
    ))
}

/// `@{ shape: diamond, label: "Title" }`, the node syntax of newer versions.
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
    let is_decision = value("shape")
        .is_some_and(|shape| ["diamond", "diam", "decision", "question"].contains(&shape));
    Ok((
        value("label").map(|text| Label {
            text: plain(text),
            is_decision,
        }),
        after,
    ))
}

/// `name@-->`: an arrow with an id for style statements.
fn named_arrow(text: &str) -> Result<(Token, &str), FaultKind> {
    let (name, after) = text.split_at(id_length(text));
    match (
        arrow(after.strip_prefix('@').unwrap_or(text))?,
        after.starts_with('@'),
    ) {
        (
            (
                Token::Arrow {
                    soft,
                    backward,
                    label,
                    ..
                },
                rest,
            ),
            true,
        ) => Ok((
            Token::Arrow {
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

fn arrow(text: &str) -> Result<(Token, &str), FaultKind> {
    let backward = text.starts_with('<');
    // A tail is an arrowhead at the other end; `o` and `x` are tails if a line follows immediately.
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
            Token::Arrow {
                id: None,
                soft,
                backward,
                label,
            },
            after,
        ));
    }
    // `-- label -->`: the line continues after its label.
    let ends = ["--", "==", ".-"].iter().filter_map(|end| after.find(end));
    let end = ends.min().ok_or_else(|| not_understood(text))?;
    let (label, rest) = after.split_at(end);
    let rest = rest.trim_start_matches(['-', '=', '.']);
    let arrow = Token::Arrow {
        id: None,
        soft,
        backward: false,
        label: Some(plain(label.trim().trim_matches('"'))),
    };
    Ok((arrow, head(rest).unwrap_or(rest)))
}

/// The text after an arrowhead, if there is one. Like Mermaid, this takes these letters for heads
/// before a name.
fn head(text: &str) -> Option<&str> {
    text.strip_prefix(['>', 'x', 'o'])
}

/// A label as plain text: without line breaks of Mermaid or HTML, and with entities resolved.
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

/// The character that `text` begins with and the length of its source: `#quot;`, `&lt;`, `#35;`, or
/// `#` itself.
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
