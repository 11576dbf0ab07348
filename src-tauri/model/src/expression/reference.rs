//! References to nodes and to a loop's last result.
//!
//! The expression language parses the hyphen in a slug as a minus, and doesn't know
//! `result:<slug>`. References are therefore replaced by variables before the expression is parsed.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReferenceSpan {
    pub(super) reference: Reference,
    /// Compared with a quoted literal or otherwise used as text, so it must not be converted to a
    /// number.
    pub(super) as_text: bool,
    /// The byte range in the source.
    pub(super) at: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// `result:<slug>`: whether the node is done and its result is truthy.
    Truthy { slug: String },
    /// `nodes.<slug>.state`.
    State { slug: String },
    /// `nodes.<slug>.result`, or a value within it.
    Result { slug: String, path: Vec<Key> },
    /// `nodes.<slug>.outputs.<key>`, or a value within it. All outputs if the path is empty.
    Output { slug: String, path: Vec<Key> },
    /// A loop's `result`, or a value within it.
    Round { path: Vec<Key> },
}

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// `.name` or `['name']`.
    Name(String),
    /// `[3]`; negative values count from the end.
    Index(i64),
}

/// Why a condition's references can't be parsed.
#[derive(Debug)]
pub(super) struct Fault {
    /// The byte offset in the condition.
    pub(super) at: usize,
    pub(super) reason: String,
}

impl Reference {
    pub(super) fn slug(&self) -> Option<&str> {
        match self {
            Self::Truthy { slug }
            | Self::State { slug }
            | Self::Result { slug, .. }
            | Self::Output { slug, .. } => Some(slug),
            Self::Round { .. } => None,
        }
    }

    /// The slug and name of the output that it refers to: its path up to the first index.
    pub(super) fn output(&self) -> Option<(String, String)> {
        match self {
            Self::Output { slug, path } => {
                let names = path.iter().map_while(|key| match key {
                    Key::Name(name) => Some(name.as_str()),
                    Key::Index(_) => None,
                });
                let name = names.collect::<Vec<_>>().join(".");
                (!name.is_empty()).then(|| (slug.clone(), name))
            }
            Self::Result { slug, .. } => Some((slug.clone(), "result".to_owned())),
            Self::Truthy { .. } | Self::State { .. } | Self::Round { .. } => None,
        }
    }
}

/// A path as it is written: `files[-1].name`.
pub(super) fn path_text(path: &[Key]) -> String {
    let mut text = String::new();
    for key in path {
        match key {
            Key::Name(name) if text.is_empty() => text.push_str(name),
            Key::Name(name) => text.extend([".", name]),
            Key::Index(index) => text.extend(["[", &index.to_string(), "]"]),
        }
    }
    text
}

/// The variable that replaces a reference. It is shorter than any reference and can't clash with
/// user-defined names.
pub(super) fn variable(number: usize) -> String {
    format!("_{number}")
}

/// Replaces each reference in `source` by a variable, padded with blanks to the same length. Also
/// returns the references.
pub(super) fn prepare(source: &str) -> Result<(String, Vec<ReferenceSpan>), Fault> {
    let mut prepared = String::with_capacity(source.len());
    let mut places = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        if let Some(parenthesis) = parenthesis(rest, &mut depth) {
            prepared.push_str(parenthesis);
            at += parenthesis.len();
            continue;
        }
        let end = match c {
            '"' | '\'' => after_literal(source, at),
            c if c.is_alphanumeric() || c == '_' => at + word_length(rest),
            c => at + c.len_utf8(),
        };
        if matches!(c, '"' | '\'') && source[at..end].contains("{{") {
            return Err(Fault {
                at,
                reason: "references don't work inside quotes; remove the quotes".to_owned(),
            });
        }
        if c == '_' {
            return Err(Fault {
                at,
                reason: "names can't begin with `_`".to_owned(),
            });
        }
        let is_member = source[..at].trim_end().ends_with('.');
        let read = if is_member {
            None
        } else {
            Reader { source, at: end }.reference(&source[at..end])?
        };
        let Some((reference, end)) = read else {
            prepared.push_str(&source[at..end]);
            at = end;
            continue;
        };
        let as_text = is_text(&source[..at], &source[end..]);
        let variable = variable(places.len());
        prepared.extend([
            variable.as_str(),
            &" ".repeat((end - at).saturating_sub(variable.len())),
        ]);
        places.push(ReferenceSpan {
            reference,
            as_text,
            at: at..end,
        });
        at = end;
    }
    Ok((prepared, places))
}

/// Reads the rest of a reference after its first word.
struct Reader<'a> {
    source: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The reference that begins with `word`, and its end; `None` if `word` doesn't begin one.
    fn reference(mut self, word: &str) -> Result<Option<(Reference, usize)>, Fault> {
        let reference = match word {
            "result" => match self.rest().trim_start().strip_prefix(':') {
                Some(slug) => {
                    self.at = self.source.len() - slug.trim_start().len();
                    Reference::Truthy {
                        slug: self.named("result:", true)?,
                    }
                }
                None => Reference::Round {
                    path: self.path(false),
                },
            },
            "nodes" => {
                let start = self.at;
                let slug = match self.key(true) {
                    Some(Key::Name(slug)) => slug,
                    _ => {
                        return Err(Fault {
                            at: start,
                            reason: "expected a node after `nodes`, as in nodes.build.state"
                                .to_owned(),
                        });
                    }
                };
                self.of_node(slug)?
            }
            _ => return Ok(None),
        };
        Ok(Some((reference, self.at)))
    }

    fn of_node(&mut self, slug: String) -> Result<Reference, Fault> {
        let start = self.at;
        let part = self.key(false);
        match part {
            Some(Key::Name(part)) if part == "state" => Ok(Reference::State { slug }),
            Some(Key::Name(part)) if part == "result" => Ok(Reference::Result {
                slug,
                path: self.path(false),
            }),
            Some(Key::Name(part)) if part == "outputs" => Ok(Reference::Output {
                slug,
                path: self.path(true),
            }),
            _ => {
                let reason = format!(
                    "a node has `nodes.{slug}.outputs.<key>`, `nodes.{slug}.state` and `nodes.{slug}.result`"
                );
                Err(Fault { at: start, reason })
            }
        }
    }

    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn path(&mut self, hyphens: bool) -> Vec<Key> {
        let mut path = Vec::new();
        loop {
            let start = self.at;
            let Some(key) = self.key(hyphens) else {
                return path;
            };
            // A call: the name is the method's.
            if self.rest().starts_with('(') {
                self.at = start;
                return path;
            }
            path.push(key);
        }
    }

    /// Reads `.name`, `['name']` or `[3]`. Leaves anything else.
    fn key(&mut self, hyphens: bool) -> Option<Key> {
        if self.rest().starts_with('.') {
            self.at += 1;
            let name = self.name(hyphens);
            self.at -= usize::from(name.is_none());
            return name.map(Key::Name);
        }
        let (inside, behind) = self.rest().strip_prefix('[')?.split_once(']')?;
        let inside = inside.trim();
        let quoted = ['\'', '"']
            .into_iter()
            .find_map(|quote| inside.strip_prefix(quote)?.strip_suffix(quote));
        let key = match quoted {
            Some(name) if !name.contains(['\'', '"', '\\']) => Key::Name(name.to_owned()),
            _ => Key::Index(inside.parse().ok()?),
        };
        self.at = self.source.len() - behind.len();
        Some(key)
    }

    fn name(&mut self, hyphens: bool) -> Option<String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || (hyphens && c == '-');
        let length = self.rest().find(|c| !fits(c)).unwrap_or(self.rest().len());
        let name = self.rest()[..length].trim_end_matches('-').to_owned();
        self.at += name.len();
        (!name.is_empty()).then_some(name)
    }

    fn named(&mut self, after: &str, hyphens: bool) -> Result<String, Fault> {
        let at = self.at;
        self.name(hyphens).ok_or_else(|| Fault {
            at,
            reason: format!("expected the ID of a node after `{after}`"),
        })
    }
}

/// The parenthesis that replaces a template brace, padded to the same length.
fn parenthesis(text: &str, depth: &mut u32) -> Option<&'static str> {
    if text.starts_with("{{") {
        *depth += 1;
        return Some("( ");
    }
    // The braces of nested mappings also close side by side.
    let closes = *depth > 0 && text.starts_with("}}");
    closes.then(|| {
        *depth -= 1;
        " )"
    })
}

pub(super) fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len())
}

/// The byte after the literal that begins at `start`; the end of the text if it is not closed.
pub(super) fn after_literal(source: &str, start: usize) -> usize {
    let mut chars = source[start..].char_indices();
    let quote = chars.next().map(|(_, quote)| quote);
    while let Some((place, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if Some(c) == quote {
            return start + place + 1;
        }
    }
    source.len()
}

/// Whether the value between `before` and `after` is used as text.
fn is_text(before: &str, after: &str) -> bool {
    let (before, after) = (
        before.trim_end().trim_end_matches('{'),
        after.trim_start().trim_start_matches('}'),
    );
    let quoted = |text: &str| {
        text.trim_start()
            .trim_start_matches(['[', '('])
            .trim_start()
            .starts_with(['"', '\''])
    };
    let after = after.trim_start();
    let equals = ["==", "!="]
        .into_iter()
        .any(|sign| after.strip_prefix(sign).is_some_and(quoted));
    let among = ["in", "not in"]
        .into_iter()
        .any(|word| after.strip_prefix(word).is_some_and(quoted));
    let filtered = after.starts_with(['|', '~']);
    let before = before.trim_end();
    let ends = |sign: &str| {
        before
            .strip_suffix(sign)
            .is_some_and(|left| left.trim_end().ends_with(['"', '\'']))
    };
    equals
        || among
        || filtered
        || before.ends_with('~')
        || ["==", "!=", " in", "not in"].into_iter().any(ends)
}
