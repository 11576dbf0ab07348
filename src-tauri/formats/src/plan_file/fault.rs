//! Faults of plan files, each with its location, its data and a sentence for people.

use std::fmt;

use super::Format;
use super::tree::{DEPTH_LIMIT, SourceLocation, quoted};
use baton_model::ids::InvalidSlug;
use baton_model::problem::{GroupFault, NodeFault};
use baton_model::spelling_suggestion::did_you_mean;

/// All faults of a plan file, ordered by location.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PlanFileError {
    /// The file name as the caller gave it.
    pub file: String,
    pub faults: Vec<Fault>,
}

/// One fault and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The location of the value or key at fault.
    pub at: SourceLocation,
    /// The kind of fault, whose `Display` is a sentence for people.
    pub kind: FaultKind,
}

/// A fault at one location of a plan file.
///
/// `owner` names the owner of the key for people: `the plan`, `node "draft"`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FaultKind {
    #[error("this is not valid {format}: {reason}")]
    Syntax { format: Format, reason: String },
    /// A Markdown file without front matter.
    #[error(
        "a Markdown plan begins with front matter: a line \"---\", \"title: …\", and a line \"---\""
    )]
    NoFrontMatter,
    #[error("the front matter that begins here has no end; add a line \"---\"")]
    OpenFrontMatter,
    #[error("the code block that begins here has no end; add a line with the same marks")]
    OpenCodeBlock,
    /// Text in a section of a Markdown file that means nothing there.
    #[error("{}", stray_text(.section))]
    StrayText {
        /// The heading of the section.
        section: &'static str,
    },
    /// The file is empty or has only comments.
    #[error("the file is empty; a plan begins with \"baton: 1\" and a list of nodes")]
    Empty,
    /// More than one YAML document.
    #[error("a second document begins here; a plan file can contain only one")]
    SeveralDocuments,
    #[error("values are nested more than {DEPTH_LIMIT} levels deep here")]
    TooDeep,
    /// Expanding the aliases would take more memory than allowed.
    #[error(
        "this alias makes the plan too large: values repeated by aliases are limited to 16 MiB"
    )]
    TooMuchRepetition,
    /// An alias inside the value that it repeats.
    #[error("this alias refers to a value that contains it")]
    AliasOfItself,
    #[error("the tag {} is not supported in a plan; remove it", quoted(.tag))]
    UnknownTag { tag: String },
    #[error("a key must be text")]
    KeyNotText,
    #[error("the key {} is used twice, first on line {}", quoted(.key), .first.line)]
    DuplicateKey {
        key: String,
        /// The location of its first occurrence.
        first: SourceLocation,
    },
    /// The same setting twice: under another spelling, or inside of `config`.
    #[error("{} is set twice, first on line {}; remove one of the two", quoted(.key), .first.line)]
    DuplicateAlias {
        /// The key in its canonical spelling.
        key: String,
        /// The location of its first occurrence.
        first: SourceLocation,
    },
    /// A value of the wrong type.
    #[error("{what} must be {expected}, not {found}")]
    WrongType {
        /// The value's name: `"title" of node "draft"`.
        what: String,
        expected: &'static str,
        found: String,
    },
    #[error("{owner} has no \"{key}\"; {fix}")]
    MissingKey {
        key: &'static str,
        owner: String,
        fix: &'static str,
    },
    #[error("unknown key {} in {owner}{}", quoted(.key), did_you_mean(.nearest.as_deref()))]
    UnknownKey {
        key: String,
        owner: String,
        /// The most similar known key.
        nearest: Option<String>,
    },
    /// A key of another kind of node.
    #[error("{owner} is of kind {kind}, but \"{key}\" belongs to kind {belongs_to}; {}", misplaced_key_fix(.belongs_to, *.kind_is_written))]
    MisplacedKey {
        key: String,
        owner: String,
        kind: &'static str,
        belongs_to: &'static str,
        /// Whether the file states the node's kind. Otherwise it is the default.
        kind_is_written: bool,
    },
    #[error(
        "this plan uses format {found}, but this version of Baton only reads format 1; update Baton"
    )]
    NewerFormat {
        /// The number after `baton:`.
        found: u64,
    },
    /// A number outside its range.
    #[error("\"{key}\" of {owner} must be from {least} to {most}, not {found}")]
    OutOfRange {
        key: &'static str,
        owner: String,
        least: u64,
        most: u64,
        found: String,
    },
    /// A value that is none of the keywords of its key.
    #[error("\"{key}\" of {owner} can't be {}; {}", quoted(.found), keyword_fix(*.nearest, .known))]
    UnknownWord {
        key: &'static str,
        owner: String,
        found: String,
        /// The most similar keyword.
        nearest: Option<&'static str>,
        /// All keywords of the key.
        known: Vec<&'static str>,
    },
    #[error(transparent)]
    InvalidSlug(#[from] InvalidSlug),
    #[error("the id {} is already used by the node on line {}; choose another one", quoted(.id), .first.line)]
    DuplicateId {
        id: String,
        /// The location of the first node with this id.
        first: SourceLocation,
    },
    /// The same in a plan that is stored, not in a file.
    #[error("the id {} is already used by '{title}'; choose another one", quoted(.id))]
    TakenId { id: String, title: String },
    #[error("a node can't be without an id; leave out the key to keep the id")]
    NoId,
    #[error("a plan can't be without a title; leave out the key to keep the title")]
    NoTitle,
    /// A loop would take another node as its body.
    #[error(
        "\"loopStep\" would make another node the body of the loop; write the body as the loop's own call, and remove that node"
    )]
    NotSeparate,
    /// A key of the plan's file that isn't one of its settings.
    #[error(
        "\"{key}\" can't be changed as a setting of the plan; change its nodes one by one, or save the whole plan"
    )]
    NotSetting { key: &'static str },
    #[error("{owner} depends on {}, which doesn't exist{}", quoted(.on), did_you_mean(.nearest.as_deref()))]
    UnknownDependency {
        owner: String,
        on: String,
        /// The most similar existing id.
        nearest: Option<String>,
    },
    #[error("\"{key}\" of {owner} is {}, which doesn't exist{}", quoted(.to), jump_fix(.key, .nearest.as_deref()))]
    UnknownReference {
        key: &'static str,
        owner: String,
        to: String,
        /// The most similar existing id.
        nearest: Option<String>,
    },
    #[error(
        "{owner} has both \"{first}\" and \"{second}\", but a loop repeats only one thing; remove one of the two"
    )]
    SeveralBodies {
        owner: String,
        first: &'static str,
        second: &'static str,
    },
    #[error("{owner} repeats {}, which is of kind {kind}; a loop can only repeat a tool call or a plan", quoted(.step))]
    LoopStepKind {
        owner: String,
        /// The id of the node that the loop names.
        step: String,
        kind: &'static str,
    },
    /// A reference to a node that became the body of a loop.
    #[error("{owner} refers to {}, which is the body of {by}; refer to the loop instead", quoted(.step))]
    LoopStepNamed {
        /// The node with the reference.
        owner: String,
        step: String,
        by: String,
    },
    #[error("{owner} is neither a tool name nor a JSON definition: {reason}")]
    BadDefinition { owner: String, reason: String },
    #[error("{owner} {fault}")]
    Node { owner: String, fault: NodeFault },
    /// A template that refers to an unknown node.
    #[error("\"{key}\" of {owner} refers to the node {}, which doesn't exist{}", quoted(.slug), did_you_mean(.nearest.as_deref()))]
    UnknownNamedNode {
        key: &'static str,
        owner: String,
        slug: String,
        /// The most similar existing id.
        nearest: Option<String>,
    },
    /// A template that refers to something that the plan's context doesn't have.
    #[error("\"{key}\" of {owner} refers to {} in the context, which doesn't exist{}", quoted(.name), did_you_mean(.nearest.as_deref()))]
    UnknownContextKey {
        key: &'static str,
        owner: String,
        name: String,
        /// The most similar existing key.
        nearest: Option<String>,
    },
    #[error("{owner} contains {}, which doesn't exist{}", quoted(.node), did_you_mean(.nearest.as_deref()))]
    UnknownMember {
        owner: String,
        node: String,
        /// The most similar existing id.
        nearest: Option<String>,
    },
    #[error("{owner} {fault}")]
    Group { owner: String, fault: GroupFault },
    #[error("{owner} depends on itself")]
    SelfDependency { owner: String },
    /// The same dependency twice.
    #[error("{owner} depends on {} twice; keep one of the two", quoted(.on))]
    DuplicateDependency { owner: String, on: String },
    /// A dependency on a note.
    #[error("{owner} depends on {}, which is a note; notes never run", quoted(.on))]
    DependencyOnNote { owner: String, on: String },
    #[error("{owner} is a note and can't depend on anything; notes never run")]
    DependencyOfNote { owner: String },
    #[error("these nodes depend on each other: {}; remove one of the dependencies", .titles.join(" → "))]
    Cycle {
        /// Titles in order of dependency; the first is repeated at the end.
        titles: Vec<String>,
    },
    /// A command without a program.
    #[error("the command of {owner} is empty; enter what to run")]
    EmptyCommand { owner: String },
    #[error("the title of {owner} must have 1 to 500 characters, not {length}")]
    TitleLength {
        owner: String,
        /// In characters; 0 when all are blank.
        length: usize,
    },
}

impl FaultKind {
    fn may_hide_edges(&self) -> bool {
        !matches!(
            self,
            Self::OutOfRange { .. }
                | Self::TitleLength { .. }
                | Self::EmptyCommand { .. }
                | Self::UnknownNamedNode { .. }
                | Self::UnknownContextKey { .. }
                | Self::UnknownMember { .. }
                | Self::BadDefinition { .. }
                | Self::Group { .. }
                | Self::Node { .. }
        )
    }
}

fn jump_fix(key: &str, nearest: Option<&str>) -> String {
    match nearest {
        None if key == "onFailure" => "; use abort, skip, or the id of a node".to_owned(),
        nearest => did_you_mean(nearest),
    }
}

fn stray_text(section: &str) -> String {
    let belongs = match section {
        "Tool Outputs" => "only one code block with JSON; move other text below \"### Notes\"",
        "Artifacts" => "only lines such as \"- report.pdf → docs/report.pdf\"",
        "Risks" => "only lines such as \"- It may be slow (measure first)\"",
        _ => {
            "numbered lines such as \"1. Write the tests\" and text below them; move this text before the heading"
        }
    };
    format!("the section \"{section}\" takes {belongs}")
}

fn keyword_fix(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(nearest) => format!("did you mean \"{nearest}\"?"),
        None => format!("use one of {}", known.join(", ")),
    }
}

fn misplaced_key_fix(belongs_to: &str, kind_is_written: bool) -> String {
    if kind_is_written {
        format!("remove the key or write \"kind: {belongs_to}\"")
    } else {
        format!("add \"kind: {belongs_to}\"")
    }
}

/// The maximum number of faults that [`PlanFileError`] prints; the rest are only counted.
const PRINTED_LIMIT: usize = 50;

impl fmt::Display for PlanFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, fault) in self.faults.iter().take(PRINTED_LIMIT).enumerate() {
            let separator = if position == 0 { "" } else { "\n" };
            write!(f, "{separator}{}:{}: {}", self.file, fault.at, fault.kind)?;
        }
        match self.faults.len().saturating_sub(PRINTED_LIMIT) {
            0 => Ok(()),
            more => write!(f, "\n{}: and {more} more", self.file),
        }
    }
}

impl std::error::Error for PlanFileError {}

/// Collects faults while a file is read.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(super) fn add(&mut self, at: SourceLocation, kind: FaultKind) {
        self.0.push(Fault { at, kind });
    }

    /// Adds the faults of a part of the file that begins on line `first`.
    pub(super) fn append_from_line(&mut self, part: Self, first: usize) {
        for mut fault in part.0 {
            fault.at = fault.at.shifted_to(first);
            if let FaultKind::DuplicateKey { first: other, .. } = &mut fault.kind {
                *other = other.shifted_to(first);
            }
            self.0.push(fault);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops the faults of nodes that only lack something.
    pub(super) fn accept_unfinished(&mut self) {
        self.0.retain(
            |fault| !matches!(&fault.kind, FaultKind::Node { fault, .. } if fault.is_unfinished()),
        );
    }

    /// Whether an edge may be missing because of a fault, so that nothing can be said about the
    /// order of nodes.
    pub(super) fn may_hide_edges(&self) -> bool {
        self.0.iter().any(|fault| fault.kind.may_hide_edges())
    }

    /// Whether there are so many faults already that searching for similar names is not worth its
    /// time.
    pub(super) fn are_many(&self) -> bool {
        self.0.len() > PRINTED_LIMIT
    }

    /// All faults in the order of the file.
    pub(crate) fn into_sorted(mut self) -> Vec<Fault> {
        self.0.sort_by_key(|fault| fault.at);
        self.0
    }
}
