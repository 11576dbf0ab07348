//! Where an expression speaks of nodes and of a loop's last result.
//!
//! The expression language takes the hyphen of a slug for a minus, and knows nothing of `result:<slug>`. So these parts
//! are taken out before it reads the text, and stand there as variables.

use std::ops::Range;

/// One reference in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) reference: Reference,
    /// It is compared with a quoted text, or handled as text otherwise, and must not be taken for a number.
    pub(super) as_text: bool,
    /// Where it stands, in bytes.
    pub(super) at: Range<usize>,
}

/// What is referred to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// `result:<slug>`: whether the node is done and what it found out is not a no.
    Holds { slug: String },
    /// `nodes.<slug>.state`.
    State { slug: String },
    /// `nodes.<slug>.result`, and what stands within it.
    Result { slug: String, path: Vec<Key> },
    /// `nodes.<slug>.outputs.<key>`, and what stands within it; all outputs when nothing follows.
    Output { slug: String, path: Vec<Key> },
    /// `result` in a loop, and what stands within it.
    Round { path: Vec<Key> },
}

/// One way down into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// `.name` or `['name']`.
    Name(String),
    /// `[3]`; negative counts from the end.
    Index(i64),
}

/// Something that is no reference although it begins like one.
#[derive(Debug)]
pub(super) struct Fault {
    /// The byte.
    pub(super) at: usize,
    pub(super) reason: String,
}

impl Reference {
    pub(super) fn slug(&self) -> Option<&str> {
        match self {
            Self::Holds { slug }
            | Self::State { slug }
            | Self::Result { slug, .. }
            | Self::Output { slug, .. } => Some(slug),
            Self::Round { .. } => None,
        }
    }
}

/// A way down into a value, as it is written: `files[-1].name`.
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

/// The variable that stands for the reference of this number: shorter than any reference, and like no word of a person.
pub(super) fn variable(number: usize) -> String {
    format!("_{number}")
}

/// `source` with a variable in place of each reference, filled up with blanks to the same length; and the references.
pub(super) fn prepare(source: &str) -> Result<(String, Vec<Place>), Fault> {
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
                reason: "nothing is filled in between quotes; leave the quotes out".to_owned(),
            });
        }
        if c == '_' {
            return Err(Fault {
                at,
                reason: "names do not begin with `_`".to_owned(),
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
        places.push(Place {
            reference,
            as_text,
            at: at..end,
        });
        at = end;
    }
    Ok((prepared, places))
}

/// Reads on behind the first word of a reference.
struct Reader<'a> {
    source: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The reference that begins with `word`, and where it ends; `None` when `word` begins none.
    fn reference(mut self, word: &str) -> Result<Option<(Reference, usize)>, Fault> {
        let reference = match word {
            "result" => match self.rest().trim_start().strip_prefix(':') {
                Some(slug) => {
                    self.at = self.source.len() - slug.trim_start().len();
                    Reference::Holds {
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
                            reason: "after `nodes` comes a node, as in nodes.build.state"
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
                    "of a node there are `nodes.{slug}.outputs.<key>`, `nodes.{slug}.state` and `nodes.{slug}.result`"
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
            // A call: the name belongs to the method.
            if self.rest().starts_with('(') {
                self.at = start;
                return path;
            }
            path.push(key);
        }
    }

    /// `.name`, `['name']`, or `[3]`; leaves everything else where it is.
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
            reason: format!("after `{after}` comes the id of a node"),
        })
    }
}

/// The parenthesis that the braces of a template count as, as long as they are.
fn parenthesis(text: &str, depth: &mut u32) -> Option<&'static str> {
    if text.starts_with("{{") {
        *depth += 1;
        return Some("( ");
    }
    // Braces of a mapping within a mapping close side by side, too.
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

/// The byte behind the literal that begins at `start`; the end of the text when it is not closed.
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

/// Whether what stands between `before` and `after` is meant as text.
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
