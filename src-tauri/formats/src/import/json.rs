//! Access to the values of JSON and YAML sources, with their places for messages.
//!
//! Keys that Baton doesn't know are ignored: other programs add some with every version.

use super::SourceFile;
use super::draft::Place;
use super::fault::{ImportError, ImportFault, ImportFaultKind};
use crate::plan_file::fault::Faults;
use crate::plan_file::tree::{Entry, Located, ScalarKind, SourceLocation, Value};
use crate::plan_file::{json_tree, yaml_tree};

/// The value of a JSON file.
pub(super) fn parse(file: &SourceFile) -> Result<Located, ImportError> {
    let mut faults = Faults::default();
    let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
    let root = json_tree::read(text, &mut faults);
    finish(&file.path, root, faults, 0)
}

/// The value of a YAML text in the file `path` that begins after `lines_before` lines.
pub(super) fn parse_yaml(
    path: &str,
    text: &str,
    lines_before: usize,
) -> Result<Located, ImportError> {
    let mut faults = Faults::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = yaml_tree::read(text, &mut faults);
    finish(path, root, faults, lines_before)
}

fn finish(
    path: &str,
    root: Option<Located>,
    faults: Faults,
    lines_before: usize,
) -> Result<Located, ImportError> {
    let faults = faults.into_sorted();
    match root {
        Some(root) if faults.is_empty() => Ok(root),
        _ => {
            let shifted = |at: SourceLocation| SourceLocation {
                line: at.line + lines_before,
                ..at
            };
            let faults = faults.into_iter();
            let faults = faults
                .map(|fault| ImportFault::new(path, Some(shifted(fault.at)), fault.kind.into()));
            Err(ImportError {
                faults: faults.collect(),
            })
        }
    }
}

/// A value of a source, and what messages call it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'t> {
    path: &'t str,
    pub(super) value: &'t Located,
}

/// The faults of a source.
#[derive(Debug, Default)]
pub(super) struct SourceFaults(Vec<ImportFault>);

impl SourceFaults {
    pub(super) fn into_result<T>(self, value: T) -> Result<T, ImportError> {
        match self.0.is_empty() {
            true => Ok(value),
            false => Err(ImportError { faults: self.0 }),
        }
    }

    pub(super) fn extend(&mut self, error: ImportError) {
        self.0.extend(error.faults);
    }
}

impl<'t> Item<'t> {
    pub(super) fn new(path: &'t str, value: &'t Located) -> Self {
        Self { path, value }
    }

    fn with(self, value: &'t Located) -> Self {
        Self { value, ..self }
    }

    pub(super) fn place(self) -> Place {
        Place::new(self.path, self.value.at.line)
    }

    pub(super) fn entries(self) -> &'t [Entry] {
        match &self.value.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(super) fn is_map(self) -> bool {
        matches!(self.value.value, Value::Map(_))
    }

    /// The items of a list; `None` if it is something else.
    pub(super) fn items(self) -> Option<impl Iterator<Item = Self>> {
        match &self.value.value {
            Value::List(items) => Some(items.iter().map(move |item| self.with(item))),
            _ => None,
        }
    }

    /// The value of a key, unless it is missing or null.
    pub(super) fn get(self, key: &str) -> Option<Self> {
        let entry = self.entries().iter().find(|entry| entry.key == key)?;
        (!entry.value.is_null()).then(|| self.with(&entry.value))
    }

    pub(super) fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// A text, number or flag as text.
    pub(super) fn scalar(self) -> Option<&'t str> {
        match &self.value.value {
            Value::Scalar(_, ScalarKind::Null) => None,
            Value::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// The text of a key; empty if it is missing. A list or mapping is a fault.
    pub(super) fn text(self, key: &str, faults: &mut SourceFaults) -> String {
        match self.get(key) {
            None => String::new(),
            Some(item) => item.required_scalar(key, faults).unwrap_or_default(),
        }
    }

    fn required_scalar(self, key: &str, faults: &mut SourceFaults) -> Option<String> {
        let text = self.scalar();
        if text.is_none() {
            self.wrong_type(&format!("\"{key}\""), "text", faults);
        }
        text.map(str::to_owned)
    }

    /// The text of a key that must be there.
    pub(super) fn required(
        self,
        owner: &str,
        key: &'static str,
        faults: &mut SourceFaults,
    ) -> Option<String> {
        match self.get(key) {
            Some(item) => item.required_scalar(key, faults),
            None => {
                let owner = owner.to_owned();
                self.fault(ImportFaultKind::MissingKey { owner, key }, faults);
                None
            }
        }
    }

    /// The items of a list under a key; none if it is missing. Anything else is a fault.
    pub(super) fn list(self, key: &str, faults: &mut SourceFaults) -> Vec<Self> {
        match self.get(key).map(|item| (item, item.items())) {
            None => Vec::new(),
            Some((_, Some(items))) => items.collect(),
            Some((item, None)) => {
                item.wrong_type(&format!("\"{key}\""), "a list", faults);
                Vec::new()
            }
        }
    }

    /// The texts of a list under a key.
    pub(super) fn texts(self, key: &str, faults: &mut SourceFaults) -> Vec<String> {
        let items = self.list(key, faults).into_iter();
        items
            .filter_map(|item| item.required_scalar(key, faults))
            .collect()
    }

    pub(super) fn wrong_type(self, what: &str, expected: &'static str, faults: &mut SourceFaults) {
        let kind = ImportFaultKind::WrongType {
            what: what.to_owned(),
            expected,
            found: self.value.description(),
        };
        self.fault(kind, faults);
    }

    pub(super) fn fault(self, kind: ImportFaultKind, faults: &mut SourceFaults) {
        faults
            .0
            .push(ImportFault::new(self.path, Some(self.value.at), kind));
    }
}

/// The priority of a node for the words that task lists use.
pub(super) fn priority_from_word(word: &str) -> Option<u8> {
    match word.to_ascii_lowercase().as_str() {
        "critical" | "urgent" | "highest" => Some(10),
        "high" => Some(8),
        "medium" | "normal" => Some(5),
        "low" => Some(3),
        "lowest" => Some(1),
        _ => None,
    }
}
