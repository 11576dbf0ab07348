//! The bodies that make and change plans, and the keys of a plan file that they mean.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::route::RequestBody;
use crate::schema::words;
use crate::{ErrorCode, RestError};

/// A new plan: the keys of a plan file, and those of this API.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanCreateBody {
    /// The title. Plans that are called by `name` need a `goal` as well.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// The title.
    #[serde(default)]
    pub(crate) title: Option<String>,
    /// What should be true when the plan is done.
    #[serde(default)]
    pub(crate) goal: Option<String>,
    /// Ask an agent to plan for the goal instead. The answer is a proposal, with status 202.
    #[serde(default)]
    pub(crate) generate: bool,
    /// The agent that plans; only with `generate`.
    #[serde(default)]
    pub(crate) agent: Option<String>,
    /// The planner's model; only with `generate`.
    #[serde(default)]
    pub(crate) model: Option<String>,
    /// Code that exists already and matters for the goal, as text: at most 50 entries, and 200 KB in
    /// total. Only with `generate`.
    #[serde(default)]
    pub(crate) existing_code: Option<Vec<String>>,
    /// What you learned from earlier work: at most 50 entries, of 2 KB each. The plan keeps them. Only
    /// with `generate`.
    #[serde(default)]
    pub(crate) memories: Option<Vec<String>>,
    /// The rest of the plan.
    #[serde(flatten)]
    #[cfg_attr(feature = "bindings", schemars(with = "PlanKeys"))]
    pub(crate) keys: Map<String, Value>,
}

/// Changes to the settings of a plan.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "bindings", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanChanges {
    /// Starts, resumes, pauses or cancels the plan's run. It must be the only change.
    #[serde(default)]
    pub(crate) status: Option<WantedStatus>,
    /// Settings to change; `null` stands for the default.
    #[serde(flatten)]
    #[cfg_attr(feature = "bindings", schemars(with = "PlanKeys"))]
    pub(crate) keys: Map<String, Value>,
}

words! {
    /// A state that a plan can be put into.
    pub(crate) enum WantedStatus {
        Running,
        Paused,
        Cancelled,
    }
}

impl RequestBody for PlanCreateBody {}
impl RequestBody for PlanChanges {}

/// Describes the keys of a plan. Unknown ones are refused by name when the plan is read.
#[cfg(feature = "bindings")]
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct PlanKeys {
    /// More about the goal.
    description: Option<String>,
    /// The directory in which nodes work, an absolute path.
    cwd: Option<String>,
    /// The name of a project.
    project_id: Option<String>,
    /// Whose plan it is.
    user_id: Option<String>,
    /// From 1 to 10.
    priority: Option<u8>,
    /// From 0 (asks before every node) to 4 (never asks).
    autonomy_level: Option<u8>,
    /// How often a failed run is retried by itself.
    max_retries: Option<u32>,
    /// The limit of a whole run in milliseconds.
    timeout_ms: Option<u64>,
    /// The goal that it serves.
    goal_id: Option<String>,
    /// The trigger that created it.
    trigger_id: Option<String>,
    source: Option<baton_model::plan::Source>,
    source_id: Option<String>,
    tags: Option<Vec<String>>,
    constraints: Option<Vec<String>>,
    /// The tools of agent nodes that list none themselves.
    tools_required: Option<Vec<String>>,
    /// Any data of other programs.
    metadata: Option<Map<String, Value>>,
    /// The nodes, as in a plan file.
    nodes: Option<Vec<Map<String, Value>>>,
    /// The same by another name.
    steps: Option<Vec<Map<String, Value>>>,
}

/// Keys of this API under other names than in plan files.
const RENAMED: [(&str, &str); 6] = [
    ("projectId", "project"),
    ("userId", "user"),
    ("autonomyLevel", "autonomy"),
    ("triggerId", "trigger"),
    ("maxRetries", "planRetries"),
    ("informedByMemories", "informedBy"),
];

/// Fields that Baton computes, with what to do instead.
const DERIVED: [(&str, &str); 13] = [
    ("currentStep", "it follows the running nodes"),
    ("totalSteps", "add or remove nodes"),
    ("progress", "it follows the finished nodes"),
    ("error", "it says why the latest run failed"),
    ("retryCount", "retry a node, or run the plan again"),
    ("checkpoint", "use POST /api/plans/{plan}/checkpoint"),
    ("startedAt", "run the plan"),
    ("completedAt", "run the plan"),
    ("createdAt", "leave it out"),
    ("updatedAt", "leave it out"),
    ("version", "leave it out"),
    ("revision", "send it as If-Match"),
    ("review", "use approve"),
];

/// The keys of a plan file that the fields of a body mean.
pub(crate) fn plan_file_keys(keys: &Map<String, Value>) -> Result<Map<String, Value>, RestError> {
    let mut file = Map::new();
    for (key, value) in keys {
        if let Some((field, instead)) = DERIVED.iter().find(|(field, _)| field == key) {
            return Err(RestError::derived(field, instead));
        }
        let renamed = RENAMED.iter().find(|(own, _)| own == key);
        let key = renamed.map_or(key.as_str(), |(_, file)| file);
        if file.insert(key.to_owned(), value.clone()).is_some() {
            let message = format!("'{key}' is there under two names");
            return Err(RestError::new(ErrorCode::InvalidRequest, message));
        }
    }
    Ok(file)
}
