//! What can be wrong with a plan file, each fault with its place, its data and a sentence for a person.

use std::fmt;

use super::Format;
use super::tree::{DEPTH_LIMIT, Place, quoted};
use baton_model::ids::InvalidSlug;
use baton_model::likeness::did_you_mean;
use baton_model::problem::{GroupFault, NodeFault};

/// A file that is no plan: every fault that was found, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanFileError {
    /// The file's name as it was given.
    pub file: String,
    /// At least one.
    pub faults: Vec<Fault>,
}

/// One fault and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where to look.
    pub at: Place,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong at one place of a plan file.
///
/// `of` names the owner of a key for people: `the plan`, `node "draft"`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// The text is not YAML or JSON.
    #[error("this is not valid {format}: {reason}")]
    Syntax {
        /// What the file should be.
        format: Format,
        /// What the parser says.
        reason: String,
    },
    /// There is nothing in the file, or nothing but comments.
    #[error("the file is empty; a plan begins with \"baton: 1\" and a list of nodes")]
    Empty,
    /// More than one YAML document.
    #[error("a second document begins here; a file holds one plan")]
    SeveralDocuments,
    /// Lists and mappings stand too deep in one another.
    #[error("values are nested more than {DEPTH_LIMIT} deep here")]
    TooDeep,
    /// Aliases repeat so much that the plan would not fit into memory.
    #[error(
        "this alias makes the plan too large: the values that aliases repeat may not exceed 16 MiB"
    )]
    TooMuchRepetition,
    /// An alias stands inside the very value that it repeats.
    #[error("this alias repeats a value that contains it")]
    AliasOfItself,
    /// A YAML tag that means nothing in a plan.
    #[error("the tag {} has no meaning in a plan; remove it", quoted(.tag))]
    UnknownTag {
        /// The tag.
        tag: String,
    },
    /// A list or mapping as a key.
    #[error("a key must be text")]
    KeyNotText,
    /// A key stands twice in one mapping.
    #[error("the key {} stands here a second time, first in line {}", quoted(.key), .first.line)]
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it stands first.
        first: Place,
    },
    /// What a key says is said elsewhere already: under another spelling, or inside of `config`.
    #[error("{} is said here a second time, first in line {}; keep one of the two", quoted(.key), .first.line)]
    SaidTwice {
        /// The key, as Baton spells it.
        key: String,
        /// Where it is said first.
        first: Place,
    },
    /// A value of the wrong type.
    #[error("{what} must be {expected}, not {found}")]
    WrongType {
        /// The value's name: `"title" of node "draft"`.
        what: String,
        /// What it should be.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A key that has to be there.
    #[error("{of} has no \"{key}\"; {mend}")]
    MissingKey {
        /// The key.
        key: &'static str,
        /// Whose key.
        of: String,
        /// What to do.
        mend: &'static str,
    },
    /// A key that nothing reads.
    #[error("unknown key {} in {of}{}", quoted(.key), did_you_mean(.nearest.as_deref()))]
    UnknownKey {
        /// The key.
        key: String,
        /// Whose key.
        of: String,
        /// The known key that is most like it.
        nearest: Option<String>,
    },
    /// A key that nodes of another kind have.
    #[error("{of} is of kind {kind}, and \"{key}\" is a key of kind {belongs_to}; {}", misplaced_mend(.belongs_to, *.kind_is_written))]
    MisplacedKey {
        /// The key.
        key: String,
        /// Whose key.
        of: String,
        /// The kind that the node has.
        kind: &'static str,
        /// The kind that the key belongs to.
        belongs_to: &'static str,
        /// Whether the file says the node's kind, or leaves it to the default.
        kind_is_written: bool,
    },
    /// A plan file of a later format.
    #[error(
        "this plan is of format {found} and was made for a newer Baton than this, which reads format 1: update Baton"
    )]
    NewerFormat {
        /// The number behind `baton:`.
        found: u64,
    },
    /// A number outside its range.
    #[error("\"{key}\" of {of} must be {least} to {most}, not {found}")]
    OutOfRange {
        /// The key.
        key: &'static str,
        /// Whose key.
        of: String,
        /// The least allowed.
        least: u64,
        /// The most allowed.
        most: u64,
        /// What stands there.
        found: String,
    },
    /// A word that is none of those that the key takes.
    #[error("\"{key}\" of {of} cannot be {}; {}", quoted(.found), word_mend(*.nearest, .known))]
    UnknownWord {
        /// The key.
        key: &'static str,
        /// Whose key.
        of: String,
        /// What stands there.
        found: String,
        /// The known word that is most like it.
        nearest: Option<&'static str>,
        /// The words that it takes.
        known: Vec<&'static str>,
    },
    /// An id that cannot be one.
    #[error(transparent)]
    InvalidSlug(#[from] InvalidSlug),
    /// Two nodes have one id.
    #[error("the id {} is taken by the node in line {}; give this node another one", quoted(.id), .first.line)]
    DuplicateId {
        /// The id.
        id: String,
        /// Where the first such id stands.
        first: Place,
    },
    /// A dependency on a node that is not there.
    #[error("{of} depends on {}, and there is no such node{}", quoted(.on), did_you_mean(.nearest.as_deref()))]
    UnknownDependency {
        /// Who depends.
        of: String,
        /// The id that nobody has.
        on: String,
        /// The id that is most like it.
        nearest: Option<String>,
    },
    /// A branch or jump to a node that is not there.
    #[error("\"{key}\" of {of} is {}, and there is no such node{}", quoted(.to), jump_mend(.key, .nearest.as_deref()))]
    UnknownReference {
        /// The key.
        key: &'static str,
        /// Whose key.
        of: String,
        /// The id that nobody has.
        to: String,
        /// The id that is most like it.
        nearest: Option<String>,
    },
    /// A loop that says in two ways what it repeats.
    #[error(
        "{of} has both \"{first}\" and \"{second}\", and a loop repeats one thing; remove one of the two"
    )]
    SeveralBodies {
        /// The loop.
        of: String,
        /// One way.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A loop over a node that is no tool call and no plan.
    #[error("{of} repeats {}, which is of kind {kind}; a loop repeats a tool call or a plan", quoted(.step))]
    LoopStepKind {
        /// The loop.
        of: String,
        /// The node's id.
        step: String,
        /// Its kind.
        kind: &'static str,
    },
    /// A node that is the body of a loop and is named by other nodes.
    #[error("{of} names {}, which {by} repeats and which is no node of its own then; name the loop", quoted(.step))]
    LoopStepNamed {
        /// Who names it.
        of: String,
        /// Its id.
        step: String,
        /// The loop.
        by: String,
    },
    /// A text that should be a tool definition.
    #[error("{of} is neither a tool's name nor a definition in JSON: {reason}")]
    BadDefinition {
        /// The step.
        of: String,
        /// What the parser says.
        reason: String,
    },
    /// A node that cannot do what it is told.
    #[error("{of} {fault}")]
    Node {
        /// The node.
        of: String,
        /// What is wrong, and what to do.
        fault: NodeFault,
    },
    /// A text that names the outputs or the failure of a node that is not there.
    #[error("\"{key}\" of {of} names the node {}, and there is no such node{}", quoted(.slug), did_you_mean(.nearest.as_deref()))]
    UnknownNamedNode {
        /// The key.
        key: &'static str,
        /// Whose key.
        of: String,
        /// The id that nobody has.
        slug: String,
        /// The id that is most like it.
        nearest: Option<String>,
    },
    /// A member of a group that is not there.
    #[error("{of} holds {}, and there is no such node{}", quoted(.node), did_you_mean(.nearest.as_deref()))]
    UnknownMember {
        /// The group.
        of: String,
        /// The id that nobody has.
        node: String,
        /// The id that is most like it.
        nearest: Option<String>,
    },
    /// A group that cannot be one.
    #[error("{of} {fault}")]
    Group {
        /// The group.
        of: String,
        /// What is wrong, and what to do.
        fault: GroupFault,
    },
    /// A node that waits for itself.
    #[error("{of} depends on itself")]
    SelfDependency {
        /// The node.
        of: String,
    },
    /// The same dependency twice.
    #[error("{of} depends on {} twice; keep one of the two", quoted(.on))]
    DuplicateDependency {
        /// Who depends.
        of: String,
        /// On whom.
        on: String,
    },
    /// A dependency on a note.
    #[error("{of} depends on {}, which is a note; notes never run", quoted(.on))]
    DependencyOnNote {
        /// Who depends.
        of: String,
        /// The note.
        on: String,
    },
    /// A note that waits for a node.
    #[error("{of} is a note and cannot depend on anything; notes never run")]
    DependencyOfNote {
        /// The note.
        of: String,
    },
    /// Nodes wait for one another.
    #[error("these nodes depend on each other: {}; remove one of the dependencies", .titles.join(" → "))]
    Cycle {
        /// Titles in order of dependency; the first is repeated at the end.
        titles: Vec<String>,
    },
    /// A command without a program.
    #[error("the command of {of} is empty; write what to run")]
    EmptyCommand {
        /// The node.
        of: String,
    },
    /// A title that is empty or too long.
    #[error("the title of {of} must have 1 to 500 characters, not {length}")]
    TitleLength {
        /// Whose title.
        of: String,
        /// How many characters it has; 0 when all are blank.
        length: usize,
    },
}

fn jump_mend(key: &str, nearest: Option<&str>) -> String {
    match nearest {
        None if key == "onFailure" => "; write abort, skip, or the id of a node".to_owned(),
        nearest => did_you_mean(nearest),
    }
}

fn word_mend(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(nearest) => format!("did you mean \"{nearest}\"?"),
        None => format!("it is one of {}", known.join(", ")),
    }
}

fn misplaced_mend(belongs_to: &str, kind_is_written: bool) -> String {
    if kind_is_written {
        format!("remove the key or write \"kind: {belongs_to}\"")
    } else {
        format!("add \"kind: {belongs_to}\"")
    }
}

/// The most faults that [`PlanFileError`] prints; the rest is counted.
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

/// Collects faults while the reading goes on.
#[derive(Debug, Default)]
pub(super) struct Faults(Vec<Fault>);

impl Faults {
    pub(super) fn add(&mut self, at: Place, kind: FaultKind) {
        self.0.push(Fault { at, kind });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether so many faults are there already that a costly search for a likely name is not worth its time.
    pub(super) fn are_many(&self) -> bool {
        self.0.len() > PRINTED_LIMIT
    }

    /// All faults in the order of the file.
    pub(super) fn into_sorted(mut self) -> Vec<Fault> {
        self.0.sort_by_key(|fault| fault.at);
        self.0
    }
}
