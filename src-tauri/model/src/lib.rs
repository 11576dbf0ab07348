//! The pure core of Baton: what a plan is, what its graph allows, and how a run of it progresses.
//!
//! Nothing here reads a clock, touches a file, awaits, or draws a random number. Time, identifiers
//! and randomness are arguments. So every rule can be tested without a process or a database, and
//! the history of a run can be replayed through the same functions that produced it.
//!
//! - [`Plan`], [`Node`], [`Edge`]: what a person writes and approves.
//! - [`Graph`]: the dependencies between nodes. It rejects cycles and reports their path.
//! - [`Run`]: one execution of an approved plan. [`Run::step`] turns a command into events;
//!   [`Run::apply`] turns events into the next state and the effects to perform.

pub mod access_level;
pub mod approval;
pub mod arbiter;
pub mod artifact;
pub mod change_review;
pub mod color;
pub mod command_prefix;
pub mod context;
pub mod count;
pub mod critical_path;
pub mod direction;
pub mod duration;
pub mod edge;
pub mod event_name;
pub mod evidence;
pub mod expression;
pub mod git_setting;
pub mod grant;
pub mod graph;
pub mod group;
pub mod history_type;
pub mod ids;
pub mod isolation;
pub mod loop_round;
pub mod money;
pub mod named_files;
pub mod node;
pub mod outcome;
pub mod plan;
pub mod plan_diff;
#[cfg(test)]
mod plan_fixture;
pub mod plan_merge;
pub mod plan_status;
pub mod plan_step;
pub mod planning;
pub mod problem;
pub mod project_changes;
pub mod project_rules;
pub mod project_state;
pub mod retention;
pub mod review;
pub mod run;
pub mod sandbox;
pub mod session_tools;
pub mod shell;
mod short_title;
pub mod simulation;
pub mod spelling_suggestion;
pub mod template_text;
pub mod time;
pub mod tool_scope;
mod version_change;
pub mod visible_text;
mod work_fingerprint;
pub mod work_time;

pub use access_level::AccessLevel;
pub use artifact::Artifact;
pub use change_review::{ChangeReview, LineComment, LineRange};
pub use color::Color;
pub use direction::Direction;
pub use edge::Edge;
pub use event_name::EventName;
pub use evidence::Evidence;
pub use expression::Expression;
pub use grant::Grant;
pub use graph::{Graph, StartRule};
pub use group::Group;
pub use history_type::HistoryType;
pub use ids::{
    ArtifactId, Attempt, Epoch, ExecutorId, GroupId, NodeId, PlanId, ProposalId, RunId, SessionId,
    Slug, TerminalId,
};
pub use isolation::Isolation;
pub use loop_round::LoopRound;
pub use node::{Node, NodeKind};
pub use outcome::Outcome;
pub use plan::Plan;
pub use plan_diff::PlanDiff;
pub use plan_merge::{MergeClash, PlanMerge};
pub use plan_status::PlanStatus;
pub use problem::Problem;
pub use project_rules::ProjectRules;
pub use retention::Retention;
pub use review::ReviewState;
pub use run::{Goal, NodeState, Run, RunState};
pub use sandbox::SandboxMode;
pub use session_tools::SessionTools;
pub use time::{TIMESTAMP_NAME, Timestamp};
pub use version_change::{NodeTitles, VersionChange};
pub use work_time::{AttemptTimes, WorkTime};
