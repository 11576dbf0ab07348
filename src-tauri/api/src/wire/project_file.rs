//! Plans as files in projects.

use baton_model::PlanId;

pub use baton_formats::project_file::ProjectFileFormat;
pub use baton_planning::project_files::ProjectFileState;

use super::wire;

wire! {
    /// Switches plan files of a project on or off.
    pub struct PlanFilesSave {
        /// The directory of the project, as an absolute path.
        pub directory: String,
        /// Whether its plans are kept as files. When it is switched off, files stay as they are.
        pub on: bool,
        /// The syntax of the files.
        #[serde(default)]
        pub format: ProjectFileFormat,
        /// Whether each file has a line about the plan's last run.
        #[serde(default)]
        pub run_line: bool,
    }
    /// A project whose plans are kept as files.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct PlanFilesProject {
        pub directory: String,
        pub format: ProjectFileFormat,
        pub run_line: bool,
        /// Why its folder can't be used; `None` if it can.
        pub fault: Option<String>,
        /// What its `.baton/plans.json` asks of its plans.
        pub rules: ProjectRulesShown,
        /// Its files, and its plans without one.
        pub files: Vec<PlanFileView>,
    }
    /// The rules of a project. They only make the settings of a person stricter.
    pub struct ProjectRulesShown {
        /// Agent tools that a person decides about, besides those of the plan and the settings.
        pub guarded_tools: Vec<String>,
        /// After how many days a proposal expires, at the latest.
        pub stale_after_days: Option<u32>,
        /// The time limit of a run in minutes, at most.
        pub executor_timeout_minutes: Option<u32>,
        /// What is wrong with the file, each with its path and key. What can be read counts.
        pub faults: Vec<String>,
    }
    /// A plan file in a project.
    pub struct PlanFileView {
        /// Its name in `.baton/plans`.
        pub name: String,
        /// The plan; `None` if it can't be told.
        pub plan: Option<PlanId>,
        /// Where the file and its plan stand.
        pub state: ProjectFileState,
        /// What is wrong with the file, with lines.
        pub faults: Vec<String>,
    }
}
