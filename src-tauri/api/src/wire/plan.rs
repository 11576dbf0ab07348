//! Plans as shown in lists and editors.

use baton_formats::export::ExportFormat;
pub use baton_formats::import::ImportFormat;
use baton_formats::plan_file::Format;
use baton_model::approval::Digest;
use baton_model::plan::Autonomy;
use baton_model::review::RejectionReason;
use baton_model::{
    Goal, GroupId, NodeId, Plan, PlanId, PlanStatus, Problem, ProposalId, ReviewState, RunId,
    RunState, Timestamp, VersionChange,
};

pub use baton_planning::{Check, CheckVerdict, Preflight};
pub use baton_store::{DeletedPlan, NodeStatus};

use super::{RunExecutorView, wire};

wire! {
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanRef {
        pub plan: PlanId,
    }
    /// One row of the blueprint list.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanSummary {
        pub id: PlanId,
        pub title: String,
        /// The goal, truncated to 300 characters.
        pub description: String,
        pub cwd: Option<String>,
        pub tags: Vec<String>,
        /// Its review and its latest run in one word.
        pub status: PlanStatus,
        /// From 1 to 10; plans with a higher priority go first.
        pub priority: u8,
        /// How much a person is asked; `None` for the default of the settings.
        pub autonomy: Option<Autonomy>,
        /// The person whose plan it is.
        pub user: Option<String>,
        /// The goal that it serves.
        pub goal: Option<String>,
        /// The trigger that created it.
        pub trigger: Option<String>,
        pub review: ReviewState,
        pub version: u32,
        /// Number of nodes, without notes.
        pub node_count: u32,
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
        /// Since when it is archived.
        pub archived_at: Option<Timestamp>,
        /// Its latest run. Above 200 nodes, `progress` is a summary in about 200 cells.
        pub last_run: Option<RunSummary>,
        /// Progress of that run, counted over all of its nodes.
        pub tally: Option<NodeProgress>,
        /// What can't be read of the plan or its last run, as a sentence. Other fields may then be
        /// empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub damage: Option<String>,
    }
    /// Submits a draft for review.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanSubmit {
        pub plan: PlanId,
        /// Refuse it unless the plan has this revision.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// Deletes a plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanDelete {
        pub plan: PlanId,
        /// Refuse it unless the plan has this revision.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
    }
    /// Rejects a plan that waits for review.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanReject {
        pub plan: PlanId,
        /// Refuse it unless the plan has this revision.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable, type = "number | null"))]
        pub base_revision: Option<u64>,
        /// What is wrong with it, from a list.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub reason: Option<RejectionReason>,
        /// What is wrong with it, in words.
        #[serde(default)]
        pub feedback: String,
    }
    /// How many nodes of a run have ended.
    pub struct NodeProgress {
        /// Nodes that are done or skipped.
        pub settled: u32,
        /// All executable nodes of the run.
        pub total: u32,
    }
    /// A run as shown in lists.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunSummary {
        pub id: RunId,
        pub plan: PlanId,
        /// Counts the runs of its plan from 1. Never changes, and is never used again.
        pub number: u32,
        /// The plan's title at that time.
        pub title: String,
        pub version: u32,
        pub state: RunState,
        /// Which nodes to execute.
        pub goal: Goal,
        pub started_at: Timestamp,
        pub ended_at: Option<Timestamp>,
        /// Status of every executable node in plan order, for the progress bar.
        pub progress: Vec<NodeStatus>,
        /// Nodes that failed and were skipped because the plan says so; omitted if zero.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub skipped_failures: Option<u32>,
        /// How many nodes used their pinned output instead of running; omitted if none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub pinned_nodes: Option<u32>,
        /// Its executor, and how that is doing.
        pub attendance: RunExecutorView,
        /// What can't be read of the run, as a sentence. Other fields may then be empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub damage: Option<String>,
    }
    /// A plan as needed by an editor.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanView {
        pub plan: Plan,
        /// Version of the content.
        pub version: u32,
        /// Increases with every write, including layout changes. A save sends the revision it is
        /// based on.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub revision: u64,
        pub review: ReviewState,
        /// The version that was approved last.
        pub approved_version: Option<u32>,
        /// The approval of that version; `None` if there is none or it wasn't recorded.
        pub approval: Option<ApprovalView>,
        /// Whether agent sessions may start the approved version without asking.
        pub agents_may_start: bool,
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
        /// Which of its runs are kept; `None` for the rule of the settings.
        pub retention: Option<super::Retention>,
        /// Since when it is archived. An edit or a run ends that.
        pub archived_at: Option<Timestamp>,
        pub last_run: Option<RunSummary>,
        /// What keeps the plan from running, such as an unfinished node.
        pub problems: Vec<PlanProblem>,
    }
    /// An approval of one version.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ApprovalView {
        pub version: u32,
        /// Who approved it, and through which channel.
        pub actor: String,
        pub at: Timestamp,
        /// Covers the plan, its criteria, and the files that the criteria run.
        pub digest: Digest,
        /// Files that the criteria run, relative to the plan's directory.
        pub files: Vec<String>,
    }
    /// Sets whether agent sessions may start the approved version of a plan without asking.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanAgentsMayStart {
        pub plan: PlanId,
        pub allowed: bool,
    }
    /// Creates an empty plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanCreate {
        pub title: String,
        /// The goal of the plan.
        pub description: String,
        /// Working directory as an absolute path, or `None` to set it later.
        pub cwd: Option<String>,
    }
    /// Saves a changed plan.
    pub struct PlanSave {
        /// The complete content, not only what changed.
        pub plan: Plan,
        /// The revision that the change is based on.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub base_revision: u64,
    }
    /// The result of a save. The content is what was sent; other fields of the plan are unchanged.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanSaved {
        /// Version of the content: a new one, unless only the layout changed.
        pub version: u32,
        /// The revision to base the next save on.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub revision: u64,
        /// A new version has to be approved again.
        pub review: ReviewState,
        pub updated_at: Timestamp,
        /// What keeps the plan from running, such as an unfinished node.
        pub problems: Vec<PlanProblem>,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanApprove {
        pub plan: PlanId,
        /// The revision that the person reviewed.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub revision: u64,
        /// Approve even if the plan can't run as it is, because that will be fixed before it runs.
        #[serde(default)]
        pub anyway: bool,
    }
    /// Imports a plan file, or the plans in another program's task list.
    #[derive(Default)]
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanImport {
        /// File name or path. Errors mention it, and its extension determines the format. If
        /// absolute, a relative `cwd` and referenced plan files are resolved against its folder.
        pub file_name: String,
        pub text: String,
        /// Working directory that overrides the one in the file.
        pub cwd: Option<String>,
        /// Whose task list it is; `None` recognizes plan files and task lists by their content.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub format: Option<ImportFormat>,
        /// `file_name` is a folder with a task list. It is read on the machine of Baton unless
        /// there are `files`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub folder: bool,
        /// The files of a task list that consists of several.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<ImportFile>>"))]
        pub files: Vec<ImportFile>,
        /// The names of plans in the task list, such as tags; empty for all of them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
        pub plans: Vec<String>,
        /// Make changes to plans that were imported before proposals, and submit new plans of a task
        /// list for review. Always so unless a person imports. Plan files ignore it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub propose: bool,
    }
    /// A file of a task list.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ImportFile {
        /// The path below the folder, with `/` between its parts.
        pub path: String,
        pub text: String,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanImported {
        pub plan: PlanView,
        /// Things the parser noticed but accepted.
        pub warnings: Vec<String>,
        /// Plans that were imported with it because it references their files, in dependency order.
        pub sub_plans: Vec<PlanId>,
        /// The other plans of the same task list.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<PlanId>>"))]
        pub more: Vec<PlanId>,
        /// Changes to plans that were imported before. A person decides about them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<ProposalId>>"))]
        pub proposals: Vec<ProposalId>,
    }
    /// The result that `plan_bring` would have. Nothing is stored.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanImportPreview {
        /// The content as it would be stored.
        pub plan: Plan,
        pub fate: PlanImportEffect,
        /// Things the parser noticed but accepted.
        pub warnings: Vec<String>,
        /// Number of plans that would be imported with it because it references their files.
        pub sub_plans: u32,
        /// Whose task list it is; `None` for a plan file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub format: Option<ImportFormat>,
        /// The plans of a task list that would be imported, the shown one first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<ImportablePlan>>"))]
        pub plans: Vec<ImportablePlan>,
    }
    /// A plan of a task list.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ImportablePlan {
        /// Its name in the task list; empty if that has only one.
        pub name: String,
        pub title: String,
        pub fate: PlanImportEffect,
        /// Number of nodes.
        pub nodes: u32,
        /// Number of edges that wait for confirmation.
        pub inferred: u32,
        pub warnings: Vec<String>,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanExport {
        pub plan: PlanId,
        pub format: Format,
        /// `None` for the current version.
        pub version: Option<u32>,
        /// Leave out the plans that its nodes run. By default, each of them is included once.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        pub alone: bool,
    }
    /// A text and the name to save it under.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct FileText {
        /// The name alone, without a folder.
        pub file_name: String,
        pub text: String,
    }
    /// Computes a layout. Nothing is saved.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanArrange {
        pub plan: Plan,
        pub direction: baton_model::Direction,
        /// Keep nodes that have a position and place only the others.
        pub missing_only: bool,
        /// Move only these nodes; `None` for all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub only: Option<Vec<NodeId>>,
        /// Groups drawn as one card; `None` for no group.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub collapsed: Option<Vec<GroupId>>,
    }
    /// Renders a plan as shown in the window.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanDraw {
        pub plan: Plan,
        pub format: ExportFormat,
        /// Show the states of this run.
        pub run: Option<RunId>,
        /// Only these nodes and the edges between them; `None` for all. Plan files always contain
        /// the whole plan.
        pub nodes: Option<Vec<NodeId>>,
        pub direction: baton_model::Direction,
        /// Use the dark color scheme.
        pub dark: bool,
    }
    /// Draws a plan as a PNG picture of the canvas.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanPicture {
        pub plan: Plan,
        /// Show the states of this run.
        pub run: Option<RunId>,
        /// Only these nodes and the edges between them; `None` for all.
        pub nodes: Option<Vec<NodeId>>,
        pub direction: baton_model::Direction,
        /// Use the dark color scheme.
        pub dark: bool,
    }
    /// Bytes and the name to save them under.
    pub struct FileBytes {
        /// The name alone, without a folder.
        pub file_name: String,
        /// The bytes in Base64, with padding.
        pub base64: String,
    }
    /// A text that may contain a plan.
    pub struct PlanText {
        /// Used in messages. Its extension determines the format if the content doesn't.
        pub file_name: String,
        /// YAML, JSON, or a Mermaid flowchart.
        pub text: String,
    }
    /// A plan parsed from text. Nothing is stored.
    pub struct ParsedPlan {
        /// The plan with new ids and with a position for every node.
        pub plan: Plan,
        /// Things the parser noticed but accepted, with line numbers.
        pub warnings: Vec<String>,
    }
    /// The position of a node.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct NodePlacement {
        pub node: NodeId,
        pub position: baton_model::node::Position,
    }
    /// Content to check without storing it.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanCheck {
        pub plan: Plan,
    }
    /// A problem of a plan's content, with its location. A plan with one can't run.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanProblem {
        pub problem: Problem,
        /// What is wrong and what to do, starting in lowercase.
        pub sentence: String,
        /// Whether the plan can't be saved either.
        pub prevents_saving: bool,
    }
    /// One version of a plan.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanVersionRow {
        pub version: u32,
        pub author: String,
        pub at: Timestamp,
        /// Its latest approval; `None` if there is none or it wasn't recorded.
        pub approval: Option<ApprovalView>,
        /// The name that a person gave it.
        pub name: Option<String>,
        /// What it changed against the version before; empty for the first version. `None` if an
        /// older Baton stored it and comparing takes too long.
        pub changes: Option<Vec<VersionChange>>,
        /// The newest runs of it, at most three.
        pub runs: Vec<PlanVersionRun>,
        /// Number of all its runs.
        pub run_count: u32,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanVersionRun {
        pub run: RunId,
        /// Counts the runs of its plan from 1.
        pub number: u32,
    }
    /// Names a version, to find it again.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanVersionName {
        pub plan: PlanId,
        pub version: u32,
        /// At most 80 characters; `None` removes the name.
        pub name: Option<String>,
    }
    /// Restores a version. Its content becomes a new version, which has to be approved again.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanVersionRestore {
        pub plan: PlanId,
        pub version: u32,
        /// The revision of the plan that the person saw.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub base_revision: u64,
    }
    /// Saves content as a new plan with new ids.
    pub struct PlanCopy {
        /// The complete content. The plan with its id needn't exist.
        pub plan: Plan,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanVersionRef {
        pub plan: PlanId,
        pub version: u32,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanCompare {
        pub plan: PlanId,
        pub from: u32,
        pub to: u32,
    }
    /// A template for new plans.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct TemplateRow {
        /// Its id in [`PlanFromTemplate`].
        pub id: String,
        pub title: String,
        /// What the template does.
        pub description: String,
        /// Runs on any machine, because it has only command nodes.
        pub runs_anywhere: bool,
        /// The plan, for a preview.
        pub plan: Plan,
    }
    /// Creates a plan from a template.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanFromTemplate {
        pub template: String,
        /// `None` for the template's title.
        pub title: Option<String>,
        /// Working directory of the new plan.
        pub cwd: Option<String>,
    }
    /// Asks for facts about a directory.
    pub struct DirectoryCheck {
        /// An absolute path; `~` is the home directory.
        pub path: String,
    }
    /// Facts about a directory.
    pub struct DirectoryView {
        /// The path, made absolute.
        pub path: String,
        /// The path exists and is a directory.
        pub exists: bool,
        /// The directory belongs to a git repository.
        pub git: bool,
    }
}

/// The effect of importing a plan file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlanImportEffect {
    /// A new plan would be created.
    New,
    /// A new version of the plan previously imported from this file.
    Changed,
    /// No effect: the plan previously imported from this file has the same content.
    Same,
}
