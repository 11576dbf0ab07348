//! Parses YAML text to located values.
//!
//! saphyr's events are assembled without recursion, so that deep nesting cannot exhaust the stack.
//! Aliases are copied up to a limit, because ten lines of nested aliases could otherwise fill the
//! memory.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, StrInput, Tag};

use super::Format;
use super::core_schema;
use super::duplicate_keys::without_duplicates;
use super::fault::{FaultKind, Faults};
use super::tree::{DEPTH_LIMIT, Entry, Located, ScalarKind, SourceLocation, Value};

/// The maximum total weight of copies for aliases and anchors, in bytes.
const ALIAS_COPY_LIMIT: usize = 16 * 1024 * 1024;

/// The weight of a value in addition to its text.
const VALUE_WEIGHT: usize = 64;

/// The only document in `text`, or `None` and at least one fault.
pub(crate) fn read(text: &str, faults: &mut Faults) -> Option<Located> {
    let mut parser = Parser::new_from_str(text);
    let mut builder = TreeBuilder {
        open: Vec::new(),
        anchors: HashMap::new(),
        copied: 0,
        root: None,
        documents: 0,
        faults,
    };
    while let Some(event) = next(&mut parser) {
        let taken = match event {
            Ok((event, at)) => builder.handle_event(event, at),
            Err((at, kind)) => Err(FatalFault { at, kind }),
        };
        if let Err(stop) = taken {
            builder.faults.add(stop.at, stop.kind);
            return None;
        }
    }
    let root = builder.root.filter(|root| !root.is_null());
    if root.is_none() {
        faults.add(SourceLocation::START, FaultKind::Empty);
    }
    root
}

type Next<'t> = Result<(Event<'t>, SourceLocation), (SourceLocation, FaultKind)>;

fn next<'t>(parser: &mut Parser<'t, StrInput<'t>>) -> Option<Next<'t>> {
    Some(match parser.next_event()? {
        Ok((event, span)) => Ok((event, marker_location(span.start))),
        Err(error) => {
            let reason = error.info().to_owned();
            Err((
                marker_location(*error.marker()),
                FaultKind::Syntax {
                    format: Format::Yaml,
                    reason,
                },
            ))
        }
    })
}

fn marker_location(marker: Marker) -> SourceLocation {
    SourceLocation {
        line: marker.line(),
        column: marker.col() + 1,
    }
}

/// A fault after which nothing more can be read.
struct FatalFault {
    at: SourceLocation,
    kind: FaultKind,
}

/// The document as far as its events have been processed.
struct TreeBuilder<'f> {
    open: Vec<Collection>,
    anchors: HashMap<usize, (Located, usize)>,
    copied: usize,
    root: Option<Located>,
    documents: usize,
    faults: &'f mut Faults,
}

/// A list or mapping that is not closed yet.
struct Collection {
    at: SourceLocation,
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Located>),
    Map {
        entries: Vec<Entry>,
        key: Option<(String, SourceLocation)>,
    },
}

impl TreeBuilder<'_> {
    fn handle_event(&mut self, event: Event<'_>, at: SourceLocation) -> Result<(), FatalFault> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(FatalFault {
                        at,
                        kind: FaultKind::SeveralDocuments,
                    });
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let kind = self.scalar_kind(&text, style, tag.as_deref(), at);
                return self.complete(
                    Located {
                        at,
                        value: Value::Scalar(text.into_owned(), kind),
                    },
                    anchor,
                );
            }
            Event::SequenceStart(anchor, tag) => {
                self.check_tag(tag.as_deref(), at);
                return self.open(Collection {
                    at,
                    anchor,
                    content: Content::List(Vec::new()),
                });
            }
            Event::MappingStart(anchor, tag) => {
                self.check_tag(tag.as_deref(), at);
                return self.open(Collection {
                    at,
                    anchor,
                    content: Content::Map {
                        entries: Vec::new(),
                        key: None,
                    },
                });
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(),
            Event::Alias(anchor) => {
                let copy = self.copy(anchor, at)?;
                return self.complete(copy, 0);
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn scalar_kind(
        &mut self,
        text: &str,
        style: ScalarStyle,
        tag: Option<&Tag>,
        at: SourceLocation,
    ) -> ScalarKind {
        self.check_tag(tag, at);
        let is_text = tag.is_some_and(|tag| tag.suffix == "str" || tag.suffix.is_empty());
        if is_text || style != ScalarStyle::Plain {
            ScalarKind::Text
        } else {
            core_schema::resolve(text)
        }
    }

    /// The tags of the core schema are accepted, but only `!!str` and `!` have an effect: the
    /// others state the type that the value has anyway, and the reader checks that.
    fn check_tag(&mut self, tag: Option<&Tag>, at: SourceLocation) {
        const KNOWN: [&str; 7] = ["str", "null", "bool", "int", "float", "seq", "map"];
        let Some(tag) = tag else { return };
        let is_plain = tag.handle.is_empty() && tag.suffix == "!"
            || tag.handle == "!" && tag.suffix.is_empty();
        let is_core = tag.is_yaml_core_schema() && KNOWN.contains(&tag.suffix.as_str());
        if !is_plain && !is_core {
            self.faults.add(
                at,
                FaultKind::UnknownTag {
                    tag: tag.to_string(),
                },
            );
        }
    }

    fn open(&mut self, collection: Collection) -> Result<(), FatalFault> {
        if self.open.len() >= DEPTH_LIMIT {
            return Err(FatalFault {
                at: collection.at,
                kind: FaultKind::TooDeep,
            });
        }
        self.open.push(collection);
        Ok(())
    }

    fn close(&mut self) -> Result<(), FatalFault> {
        let Some(Collection {
            at,
            anchor,
            content,
        }) = self.open.pop()
        else {
            return Ok(());
        };
        let value = match content {
            Content::List(items) => Value::List(items),
            Content::Map { entries, .. } => Value::Map(without_duplicates(entries, self.faults)),
        };
        self.complete(Located { at, value }, anchor)
    }

    /// Adds a finished value to its parent.
    fn complete(&mut self, located: Located, anchor: usize) -> Result<(), FatalFault> {
        if anchor > 0 {
            let weight = weight(&located);
            self.copied = checked_copies(self.copied, weight, located.at)?;
            self.anchors.insert(anchor, (located.clone(), weight));
        }
        match self
            .open
            .last_mut()
            .map(|collection| &mut collection.content)
        {
            None => self.root = Some(located),
            Some(Content::List(items)) => items.push(located),
            Some(Content::Map { entries, key }) => match key.take() {
                Some((key, at)) => entries.push(Entry {
                    key,
                    at,
                    value: located,
                }),
                None => {
                    let Value::Scalar(text, _) = located.value else {
                        return Err(FatalFault {
                            at: located.at,
                            kind: FaultKind::KeyNotText,
                        });
                    };
                    *key = Some((text, located.at));
                }
            },
        }
        Ok(())
    }

    fn copy(&mut self, anchor: usize, at: SourceLocation) -> Result<Located, FatalFault> {
        let Some((value, weight)) = self.anchors.get(&anchor) else {
            return Err(FatalFault {
                at,
                kind: FaultKind::AliasOfItself,
            });
        };
        if self.open.len() + depth(value) > DEPTH_LIMIT {
            return Err(FatalFault {
                at,
                kind: FaultKind::TooDeep,
            });
        }
        self.copied = checked_copies(self.copied, *weight, at)?;
        Ok(value.clone())
    }
}

/// `copied` increased by `weight`, unless that exceeds the limit.
fn checked_copies(copied: usize, weight: usize, at: SourceLocation) -> Result<usize, FatalFault> {
    let copied = copied.saturating_add(weight);
    if copied > ALIAS_COPY_LIMIT {
        Err(FatalFault {
            at,
            kind: FaultKind::TooMuchRepetition,
        })
    } else {
        Ok(copied)
    }
}

fn weight(located: &Located) -> usize {
    VALUE_WEIGHT
        + match &located.value {
            Value::Scalar(text, _) => text.len(),
            Value::List(items) => items.iter().map(weight).sum(),
            Value::Map(entries) => entries
                .iter()
                .map(|entry| entry.key.len() + weight(&entry.value))
                .sum(),
        }
}

fn depth(located: &Located) -> usize {
    match &located.value {
        Value::Scalar(..) => 0,
        Value::List(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Map(entries) => {
            1 + entries
                .iter()
                .map(|entry| depth(&entry.value))
                .max()
                .unwrap_or(0)
        }
    }
}
