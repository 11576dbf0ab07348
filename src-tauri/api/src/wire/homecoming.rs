//! The work of isolated nodes on its way home, what a node would begin with, and files that two nodes changed.

use baton_model::run::{Conflict, ConflictFile, Resolution};
use baton_model::{NodeId, PlanId, RunId, RunState, Timestamp};

use super::wire;

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DeltaWord {
    /// It was not there.
    Created,
    /// It is another.
    Changed,
    /// It is gone.
    Deleted,
    /// It was moved, and may have been changed.
    Renamed,
}

/// Where the work of a node has come to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum WorkPlace {
    /// In the plan's directory.
    Directory,
    /// On this branch, and not in the directory.
    Branch {
        /// Its name.
        name: String,
    },
    /// Only in Baton's own commits.
    Nowhere,
}

/// How sure it is that both nodes changed a file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OverlapProof {
    /// Each worked apart, so that its changes are its own.
    Apart,
    /// Both worked in one directory at the same time, and both say that they changed it.
    BothSay,
    /// It changed while both worked in one directory; whose change it was is not known.
    SameTime,
}

wire! {
    /// A file that differs.
    pub struct FileDeltaView {
        /// Relative to the root of the repository.
        pub path: String,
        /// What happened to it.
        pub change: DeltaWord,
        /// Its path before, when it was moved.
        pub from: Option<String>,
        /// How many lines came; none for what is no text.
        pub added: Option<u32>,
        /// How many went.
        pub removed: Option<u32>,
    }
    /// Asks what bringing work home would come to.
    pub struct HomeLook {
        /// The run.
        pub run: RunId,
        /// The nodes whose work is to come; none: all of it.
        #[serde(default)]
        pub nodes: Option<Vec<NodeId>>,
    }
    /// What stands apart from the plan's directory, and what bringing it home would come to.
    pub struct HomeView {
        /// The root of the person's work tree; empty when no node works apart.
        pub root: String,
        /// The nodes that worked apart and are done, in the order of the plan.
        pub nodes: Vec<HomeNode>,
        /// How many of them have changes that are nowhere but in Baton's own commits.
        pub outside: u32,
        /// The files that would change in the directory, sorted by path.
        pub files: Vec<HomeFile>,
        /// How many more would change than are listed.
        pub files_left_out: u32,
        /// What does not fit together.
        pub clashes: Vec<ClashView>,
        /// Files that would be written where others lie that git ignores.
        pub in_the_way: Vec<String>,
        /// The titles of nodes that may be at work in the directory: nothing can be written there meanwhile.
        pub at_work: Vec<String>,
        /// A conflict that stands in a worktree until somebody has settled it.
        pub open: Option<Conflict>,
        /// The branch that is made when it is settled; none: the work comes into the directory.
        pub open_branch: Option<String>,
        /// The agent that was asked to settle it, last.
        pub solver: Option<HomeSolver>,
        /// What was brought into the directory, the latest first.
        pub brought: Vec<BroughtView>,
    }
    /// A node that worked apart.
    pub struct HomeNode {
        /// The node.
        pub node: NodeId,
        /// Its title.
        pub title: String,
        /// Where its work has come to.
        pub whereabouts: WorkPlace,
        /// Its work would come.
        pub coming: bool,
        /// What it changed itself.
        pub files: Vec<FileDeltaView>,
        /// How many more it changed than are listed.
        pub files_left_out: u32,
    }
    /// A file that would change in the directory.
    pub struct HomeFile {
        /// What would happen to it.
        pub delta: FileDeltaView,
        /// Whose work that is.
        pub nodes: Vec<NodeId>,
        /// Several changes to it are put together, and nobody left it so.
        pub combined: bool,
    }
    /// Work that does not fit together.
    pub struct ClashView {
        /// Whose work came first.
        pub ours: String,
        /// Whose comes to it.
        pub theirs: String,
        /// In which files.
        pub files: Vec<ConflictFile>,
    }
    /// The agent that settles a conflict on the way home: a plan of one node.
    pub struct HomeSolver {
        /// The plan.
        pub plan: PlanId,
        /// Its run.
        pub run: RunId,
        /// How far that came.
        pub state: RunState,
    }
    /// Work that was brought into the directory.
    pub struct BroughtView {
        /// What taking it back calls it.
        pub act: String,
        /// The shared node that received it; none when a person brought it.
        pub node: Option<NodeId>,
        /// When.
        pub at: Timestamp,
        /// Whose work it is.
        pub titles: Vec<String>,
        /// What it changed.
        pub files: Vec<FileDeltaView>,
        /// How many more it changed than are listed.
        pub files_left_out: u32,
        /// A crash may have cut it off: bringing home again completes it.
        pub unfinished: bool,
        /// It was taken back.
        pub undone: bool,
    }
    /// Brings work home.
    pub struct HomeBring {
        /// The run.
        pub run: RunId,
        /// The nodes whose work is to come, with what they build upon; none: all of it.
        #[serde(default)]
        pub nodes: Option<Vec<NodeId>>,
        /// A new branch that gets the work, instead of the directory.
        #[serde(default)]
        pub branch: Option<String>,
        /// How the conflict is settled that stands in the worktree. Then it goes on with the nodes and the branch that were wished when
        /// that was found.
        #[serde(default)]
        pub resolution: Option<Resolution>,
    }
    /// What became of it.
    pub struct HomeBrought {
        /// The branch, when one was made.
        pub branch: Option<String>,
        /// The files that changed in the directory.
        pub files: Vec<FileDeltaView>,
        /// How many more changed than are listed.
        pub files_left_out: u32,
        /// What does not fit: then nothing was brought, and the files stand in a worktree.
        pub conflict: Option<Conflict>,
    }
    /// Takes back what was brought into the directory.
    pub struct HomeUndo {
        /// The run.
        pub run: RunId,
        /// Which act.
        pub act: String,
    }
    /// Hands the conflict that stands in the worktree to an agent.
    pub struct HomeAgent {
        /// The run whose work it is.
        pub run: RunId,
        /// Which agent; none: the default one.
        #[serde(default)]
        pub agent: Option<String>,
    }
    /// What a node would begin with.
    pub struct FanInView {
        /// Whose work is merged, in the order of the merge; none when the node receives no work of isolated nodes.
        pub sources: Vec<FanInSide>,
        /// What does not fit together.
        pub clashes: Vec<ClashView>,
        /// The titles of parents that are not done yet.
        pub missing: Vec<String>,
        /// The work comes into the plan's directory.
        pub into_directory: bool,
    }
    /// One side of the merge.
    pub struct FanInSide {
        /// A node's title, or words for the plan's directory.
        pub title: String,
        /// What it changes, compared with what all sides have in common.
        pub files: Vec<FileDeltaView>,
        /// How many more it changes than are listed.
        pub files_left_out: u32,
    }
    /// Two nodes beside each other that changed the same files.
    pub struct OverlapView {
        /// The one, first in the plan.
        pub first: NodeId,
        /// The other.
        pub second: NodeId,
        /// The title of the first.
        pub first_title: String,
        /// The title of the second.
        pub second_title: String,
        /// How sure it is.
        pub proof: OverlapProof,
        /// The files.
        pub files: Vec<String>,
        /// How many more.
        pub files_left_out: u32,
    }
}
