//! Which side's value of a field an update takes.

use baton_model::Node;
use serde_json::{Map, Value};

use crate::import::source_field::{
    IMPORT, SourceField, digest, digest_of_node, has_own_settings, remembered, remembered_fields,
};
use crate::import::warning::{ImportWarning, ImportWarningKind};

/// The key of the source's values of fields that a person had changed as well.
const CLASHES: &str = "clashes";

/// What is known of the value at the last import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base<'i> {
    Digest(&'i str),
    /// An older Baton only remembered that the person changed nothing.
    Ours,
    /// An older Baton only remembered that the source changed nothing.
    Theirs,
    Unknown,
}

/// The side whose value is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Ours,
    Theirs,
    /// Both changed it differently; the person's value stays.
    Clash,
}

impl Base<'_> {
    pub(super) fn side(self, ours: &Value, theirs: &Value) -> Side {
        match self {
            _ if ours == theirs => Side::Ours,
            Self::Ours => Side::Theirs,
            Self::Theirs => Side::Ours,
            Self::Digest(base) if digest(theirs) == base => Side::Ours,
            Self::Digest(base) if digest(ours) == base => Side::Theirs,
            Self::Digest(_) | Self::Unknown => Side::Clash,
        }
    }
}

/// The base of each of `count` fields; `now` are the fingerprints of both sides as an older Baton
/// remembered them.
pub(super) fn bases(
    import: Option<&Map<String, Value>>,
    count: usize,
    [ours, theirs]: [String; 2],
) -> Vec<Base<'_>> {
    let known = import.and_then(remembered_fields);
    let older = import.and_then(|import| import.get("digest")?.as_str());
    let all = match older {
        Some(older) if older == theirs => Base::Theirs,
        Some(older) if older == ours => Base::Ours,
        _ => Base::Unknown,
    };
    (0..count)
        .map(|at| match known.as_ref().and_then(|known| known.get(at)) {
            Some(known) => Base::Digest(known),
            None => all,
        })
        .collect()
}

/// `old` with what the source has changed in it.
pub(super) fn merge_node(old: &Node, new: &Node, warnings: &mut Vec<ImportWarning>) -> Node {
    let mut merged = old.clone();
    let import = remembered(&old.metadata);
    let now = [old, new].map(digest_of_node);
    let bases = bases(import, SourceField::ALL.len(), now);
    let earlier = import.and_then(|import| import.get(CLASHES)?.as_object());
    let (mut clashes, mut clashing) = (Map::new(), Vec::new());
    for (field, base) in SourceField::ALL.into_iter().zip(bases) {
        let (ours, theirs) = (field.value(old), field.value(new));
        let is_known = earlier.and_then(|earlier| earlier.get(field.as_str())) == Some(&theirs);
        match base.side(&ours, &theirs) {
            Side::Theirs => field.copy(new, &mut merged),
            Side::Ours if is_known && ours != theirs => {
                clashes.insert(field.as_str().to_owned(), theirs);
            }
            Side::Ours => {}
            Side::Clash => {
                clashing.push(field);
                clashes.insert(field.as_str().to_owned(), theirs);
            }
        }
    }
    if !clashing.is_empty() {
        warnings.push(ImportWarning::of_plan(ImportWarningKind::ChangedTwice {
            title: old.title.clone(),
            fields: clashing,
        }));
    }
    remember(&mut merged, new, clashes);
    merged
}

fn remember(merged: &mut Node, new: &Node, clashes: Map<String, Value>) {
    let Some(import) = remembered(&new.metadata) else {
        return;
    };
    let mut import = import.clone();
    if !clashes.is_empty() {
        import.insert(CLASHES.to_owned(), clashes.into());
    }
    merged.metadata.insert(IMPORT.to_owned(), import.into());
}

/// Whether a person changed something in a node of the last import besides its place.
pub(super) fn is_edited(node: &Node) -> bool {
    let Some(import) = remembered(&node.metadata) else {
        return true;
    };
    let has_other_texts = match remembered_fields(import) {
        Some(known) => SourceField::ALL
            .into_iter()
            .zip(known)
            .any(|(field, known)| digest(&field.value(node)) != known),
        None => {
            let known = import.get("digest").and_then(Value::as_str);
            known.is_some_and(|known| known != digest_of_node(node))
        }
    };
    has_other_texts || has_own_settings(import, node)
}
