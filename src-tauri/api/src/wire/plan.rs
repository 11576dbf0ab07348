//! Plans as lists and editors see them.

use baton_formats::export::ExportFormat;
use baton_formats::plan_file::Format;
use baton_model::approval::Digest;
use baton_model::{
    Goal, GroupId, NodeId, Plan, PlanId, Problem, ReviewState, RunId, RunState, Timestamp,
};

pub use baton_planning::{Check, CheckVerdict, Preflight};
pub use baton_store::StateWord;

use super::{Attendance, wire};

wire! {
    /// Names a plan.
    pub struct PlanRef {
        /// The plan.
        pub plan: PlanId,
    }
    /// One row of the blueprints list.
    pub struct PlanSummary {
        /// The plan.
        pub id: PlanId,
        /// One line for people.
        pub title: String,
        /// The goal, cut to 300 characters.
        pub description: String,
        /// Where it runs.
        pub cwd: Option<String>,
        /// Words to find it by.
        pub tags: Vec<String>,
        /// Whether it may run.
        pub review: ReviewState,
        /// The version of the content.
        pub version: u32,
        /// How many nodes it has, notes left out.
        pub node_count: u32,
        /// When it was made.
        pub created_at: Timestamp,
        /// When it was last changed.
        pub updated_at: Timestamp,
        /// Its latest run; of more than 200 nodes its `progress` is a picture in about 200 cells.
        pub last_run: Option<RunSummary>,
        /// How far that run is, counted over all of its nodes.
        pub tally: Option<Tally>,
        /// What of the plan or its last run cannot be read, as a sentence; what else the row says may be missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub damage: Option<String>,
    }
    /// How many nodes of a run came to their end.
    pub struct Tally {
        /// Done or skipped.
        pub settled: u32,
        /// All of them.
        pub total: u32,
    }
    /// A run in one line.
    pub struct RunSummary {
        /// The run.
        pub id: RunId,
        /// The plan.
        pub plan: PlanId,
        /// The plan's title at that time.
        pub title: String,
        /// The executed version.
        pub version: u32,
        /// How it goes.
        pub state: RunState,
        /// Which nodes are wanted.
        pub goal: Goal,
        /// When it began.
        pub started_at: Timestamp,
        /// When it ended, if it has.
        pub ended_at: Option<Timestamp>,
        /// The state's word for every executable node, in the order of the plan: the progress bar.
        pub progress: Vec<StateWord>,
        /// How many nodes failed and were skipped over, as the plan says; none: no node.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub skipped_failures: Option<u32>,
        /// Who works on it.
        pub attendance: Attendance,
        /// What of the run cannot be read, as a sentence; what else the row says may be missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub damage: Option<String>,
    }
    /// A plan as an editor needs it.
    pub struct PlanView {
        /// The content.
        pub plan: Plan,
        /// The version of the content.
        pub version: u32,
        /// Moves with every write, also of the layout alone; a save must name the one it was based on.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub revision: u64,
        /// Whether it may run.
        pub review: ReviewState,
        /// The latest version that was approved.
        pub approved_version: Option<u32>,
        /// Who approved that version, and what; none: nobody did, or nothing was recorded at that time.
        pub approval: Option<ApprovalView>,
        /// Whether sessions of agents may start the approved version without asking.
        pub agents_may_start: bool,
        /// When it was made.
        pub created_at: Timestamp,
        /// When it was last changed.
        pub updated_at: Timestamp,
        /// Its latest run.
        pub last_run: Option<RunSummary>,
    }
    /// An approval of one version.
    pub struct ApprovalView {
        /// The version.
        pub version: u32,
        /// Who approved it, and by which way.
        pub actor: String,
        /// When.
        pub at: Timestamp,
        /// Of the plan, its criteria and the files that these run.
        pub digest: Digest,
        /// The files that its criteria run, relative to the plan's directory.
        pub files: Vec<String>,
    }
    /// Whether sessions of agents may start the approved version of a plan without asking.
    pub struct PlanAgentsMayStart {
        /// The plan.
        pub plan: PlanId,
        /// They may.
        pub allowed: bool,
    }
    /// A new, empty plan.
    pub struct PlanCreate {
        /// One line for people.
        pub title: String,
        /// The goal.
        pub description: String,
        /// Where it shall run: an absolute path, or none yet.
        pub cwd: Option<String>,
    }
    /// A changed plan.
    pub struct PlanSave {
        /// The whole content.
        pub plan: Plan,
        /// The revision that the change was made on.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub base_revision: u64,
    }
    /// What a save made of a plan. Its content is what was sent, and everything else about it stays.
    pub struct PlanSaved {
        /// The version of the content: a new one, unless only the layout changed.
        pub version: u32,
        /// The revision that the next save is based on.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub revision: u64,
        /// Whether it may run: a new version has to be approved again.
        pub review: ReviewState,
        /// When it was saved.
        pub updated_at: Timestamp,
    }
    /// A word on a plan.
    pub struct PlanApprove {
        /// The plan.
        pub plan: PlanId,
        /// The revision that the person looked at.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub revision: u64,
        /// Also when it cannot run as it is: somebody will put that right before it runs.
        #[serde(default)]
        pub anyway: bool,
    }
    /// A plan file to be taken in.
    pub struct PlanImport {
        /// The file's name or path: errors name it, its ending tells the format, and a relative `cwd`, and plan files that it names, are relative to its folder when it is absolute.
        pub file_name: String,
        /// Its content.
        pub text: String,
        /// Where the plan shall run, whatever the file says.
        pub cwd: Option<String>,
    }
    /// A plan that was taken in.
    pub struct PlanImported {
        /// The plan.
        pub plan: PlanView,
        /// What the reader noticed and took as meant.
        pub warnings: Vec<String>,
        /// The plans of the files that it names, which were taken in with it; those that they name come first.
        pub sub_plans: Vec<PlanId>,
    }
    /// What taking in a plan file by `plan_bring` would do. Nothing is stored.
    pub struct PlanLook {
        /// The content as it would be stored.
        pub plan: Plan,
        /// What would become of it.
        pub fate: FileFate,
        /// What the reader noticed and took as meant.
        pub warnings: Vec<String>,
        /// How many plans would be taken in with it, because it names their files.
        pub sub_plans: u32,
    }
    /// A plan to be written out.
    pub struct PlanExport {
        /// The plan.
        pub plan: PlanId,
        /// As what.
        pub format: Format,
        /// Which version; none: the current one.
        pub version: Option<u32>,
        /// Leave out the plans that its nodes run. Otherwise the file brings each of them along, once.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub alone: bool,
    }
    /// A text with a name to save it under.
    pub struct FileText {
        /// A file name without folders.
        pub file_name: String,
        /// The content.
        pub text: String,
    }
    /// A plan to be laid out. Nothing is saved.
    pub struct PlanArrange {
        /// The content.
        pub plan: Plan,
        /// Which way it shall read.
        pub direction: baton_model::Direction,
        /// Leave nodes that have a place where they are, and find one for the others.
        pub missing_only: bool,
        /// Only these nodes move; none: all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub only: Option<Vec<NodeId>>,
        /// The groups that are drawn as one card; none: no group is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub collapsed: Option<Vec<GroupId>>,
    }
    /// A plan to be written out as it is looked at.
    pub struct PlanDraw {
        /// The content.
        pub plan: Plan,
        /// As what.
        pub format: ExportFormat,
        /// A run of it whose states are shown.
        pub run: Option<RunId>,
        /// These nodes alone, with the edges between them; none: all. Plan files hold the whole plan either way.
        pub nodes: Option<Vec<NodeId>>,
        /// Which way it reads.
        pub direction: baton_model::Direction,
        /// Light on dark.
        pub dark: bool,
    }
    /// A text that may be a plan.
    pub struct PlanText {
        /// What messages call it; its ending tells the format where the text itself does not.
        pub file_name: String,
        /// The content: YAML, JSON or a Mermaid flowchart.
        pub text: String,
    }
    /// A text that was read as a plan, which nothing is stored of.
    pub struct PlanRead {
        /// The plan under new identifiers, every node of it with a place.
        pub plan: Plan,
        /// What the reader noticed and took as meant, with its line.
        pub warnings: Vec<String>,
    }
    /// Where a node shall stand.
    pub struct Placement {
        /// The node.
        pub node: NodeId,
        /// Its place.
        pub position: baton_model::node::Position,
    }
    /// A plan to be looked at before it is saved.
    pub struct PlanCheck {
        /// The content.
        pub plan: Plan,
    }
    /// What keeps a plan from being saved.
    pub struct PlanProblems {
        /// Each fault with its place.
        pub problems: Vec<Problem>,
        /// The same as sentences, in the same order.
        pub sentences: Vec<String>,
    }
    /// One earlier content of a plan.
    pub struct PlanVersionRow {
        /// Its number.
        pub version: u32,
        /// Who wrote it.
        pub author: String,
        /// When.
        pub at: Timestamp,
        /// Who approved it last, and what; none: nobody did, or nothing was recorded at that time.
        pub approval: Option<ApprovalView>,
    }
    /// Names a version.
    pub struct PlanVersionRef {
        /// The plan.
        pub plan: PlanId,
        /// The version.
        pub version: u32,
    }
    /// Two versions to be compared.
    pub struct PlanCompare {
        /// The plan.
        pub plan: PlanId,
        /// The earlier version.
        pub from: u32,
        /// The later one.
        pub to: u32,
    }
    /// A plan that can be made from a template.
    pub struct TemplateRow {
        /// Its name in [`PlanFromTemplate`].
        pub id: String,
        /// One line for people.
        pub title: String,
        /// What it does.
        pub description: String,
        /// It runs on any machine: command nodes only.
        pub runs_anywhere: bool,
        /// The plan, to look at.
        pub plan: Plan,
    }
    /// A plan made from a template.
    pub struct PlanFromTemplate {
        /// Which.
        pub template: String,
        /// Its title; none: the template's.
        pub title: Option<String>,
        /// Where it shall run.
        pub cwd: Option<String>,
    }
    /// A directory to be looked at.
    pub struct DirectoryCheck {
        /// An absolute path; `~` is the person's home.
        pub path: String,
    }
    /// What a directory is.
    pub struct DirectoryView {
        /// The path, made absolute.
        pub path: String,
        /// It is there, and is a directory.
        pub exists: bool,
        /// It belongs to a git repository.
        pub git: bool,
    }
}

/// What becomes of a plan file that is taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FileFate {
    /// A new plan.
    New,
    /// The next version of the plan that came from this file before.
    Changed,
    /// Nothing: the plan that came from this file before says the same.
    Same,
}
