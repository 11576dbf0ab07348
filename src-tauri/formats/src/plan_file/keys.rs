//! The keys and keywords of plan files, including alternative spellings.
//!
//! The order of the keys is the order in which they are written.

use baton_model::Color;
use baton_model::Direction;
use baton_model::isolation::Isolation;
use baton_model::node::{AfterCrash, InputType, OnFailedCriterion, OnUnverified, TriggerRule};
use baton_model::plan::{OnTakeover, ReplanMode, Source, ToolScopeMode};
use baton_model::sandbox::SandboxMode;
use baton_model::session_tools::SessionTools;

pub(super) const PLAN_KEYS: &[&str] = &[
    "baton",
    "title",
    "description",
    "cwd",
    "project",
    "autonomy",
    "toolScope",
    "guardedTools",
    "toolsRequired",
    "concurrency",
    "priority",
    "timeoutMs",
    "agentTimeoutMs",
    "commandTimeoutMs",
    "planRetries",
    "maxRetries",
    "replan",
    "onFailure",
    "budget",
    "agent",
    "agentConcurrency",
    "review",
    "onFailedCriterion",
    "onUnverified",
    "takeoverAllowed",
    "onTakeover",
    "isolation",
    "sandbox",
    "sessionTools",
    "worktreeSetup",
    "tags",
    "complexity",
    "constraints",
    "context",
    "risks",
    "metadata",
    "source",
    "sourceId",
    "user",
    "createdBy",
    "plannerModel",
    "executorModel",
    "informedBy",
    "goal",
    "goalId",
    "trigger",
    "direction",
    "nodes",
    "groups",
    "plans",
];

pub(super) const GROUP_KEYS: &[&str] = &["title", "color", "nodes"];

/// The keys of all kinds of nodes.
pub(super) const COMMON_NODE_KEYS: &[&str] = &[
    "id",
    "title",
    "description",
    "kind",
    "dependsOn",
    "triggerRule",
    "instructions",
    "acceptanceCriteria",
    "toolsRequired",
    "suggestedAgent",
    "maxRetries",
    "retryExitCodes",
    "afterCrash",
    "timeoutMs",
    "silentAfterMs",
    "budget",
    "onSuccess",
    "onFailure",
    "isolation",
    "sandbox",
    "locks",
    "priority",
    "disabled",
    "position",
    "keepsPlace",
    "metadata",
];

/// Canonical keys for those of an OwnPilot plan. Its `maxRetries` is the number of retries of the
/// run.
pub(super) const PLAN_ALIASES: &[(&str, &str)] = &[
    ("name", "title"),
    ("autonomyLevel", "autonomy"),
    ("steps", "nodes"),
    ("triggerId", "trigger"),
    ("maxRetries", "planRetries"),
];

/// The keys that identify an OwnPilot plan.
pub(super) const OWN_PILOT_KEYS: &[&str] = &["name", "autonomyLevel", "steps", "triggerId"];

/// Canonical keys for alternative spellings in nodes.
pub(super) const NODE_ALIASES: &[(&str, &str)] = &[
    ("type", "kind"),
    ("name", "title"),
    ("dependencies", "dependsOn"),
    ("colour", "color"),
];

/// Canonical keys for alternative spellings in groups.
pub(super) const GROUP_ALIASES: &[(&str, &str)] = &[("colour", "color")];

/// The kinds with the keys that are specific to them.
pub(super) const KINDS: &[(&str, &[&str])] = &[
    (
        "agent",
        &["agent", "model", "prompt", "toolScope", "session"],
    ),
    ("command", &["command", "env", "cwd"]),
    ("tool_call", &["toolName", "toolArgs"]),
    ("llm_decision", &["agent", "model", "prompt", "choices"]),
    (
        "user_input",
        &["question", "inputType", "options", "timeout"],
    ),
    ("condition", &["condition", "trueStep", "falseStep"]),
    ("parallel", &["steps", "waitAll", "maxConcurrent"]),
    (
        "loop",
        &[
            "toolName",
            "toolArgs",
            "body",
            "loopStep",
            "subPlanId",
            "prompt",
            "maxIterations",
            "loopCondition",
        ],
    ),
    ("sub_plan", &["subPlanId", "prompt"]),
    ("note", &["text", "color", "size"]),
];

pub(super) const COLORS: &[(&str, Color)] = &[
    ("gray", Color::Gray),
    ("blue", Color::Blue),
    ("teal", Color::Teal),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("red", Color::Red),
    ("purple", Color::Purple),
];

pub(super) const INPUT_TYPES: &[(&str, InputType)] = &[
    ("text", InputType::Text),
    ("choice", InputType::Choice),
    ("confirm", InputType::Confirm),
];

pub(super) const AFTER_CRASHES: &[(&str, AfterCrash)] = &[
    ("ask", AfterCrash::Ask),
    ("resume", AfterCrash::Resume),
    ("restart", AfterCrash::Restart),
];

pub(super) const ISOLATIONS: &[(&str, Isolation)] = &[
    ("shared", Isolation::Shared),
    ("worktree", Isolation::Worktree),
];

pub(super) const SANDBOX_MODES: &[(&str, SandboxMode)] =
    &[("on", SandboxMode::On), ("off", SandboxMode::Off)];

pub(super) const SESSION_TOOLS: &[(&str, SessionTools)] = &[
    ("automatic", SessionTools::Automatic),
    ("on", SessionTools::On),
    ("off", SessionTools::Off),
];

pub(super) const DIRECTIONS: &[(&str, Direction)] = &[
    ("left_right", Direction::LeftRight),
    ("top_down", Direction::TopDown),
];

pub(super) const ON_FAILED_CRITERION: &[(&str, OnFailedCriterion)] = &[
    ("fail", OnFailedCriterion::Fail),
    ("continue", OnFailedCriterion::Continue),
];

pub(super) const ON_UNVERIFIED: &[(&str, OnUnverified)] = &[
    ("continue", OnUnverified::Continue),
    ("fail", OnUnverified::Fail),
];

pub(super) const ON_TAKEOVER: &[(&str, OnTakeover)] = &[
    ("continue", OnTakeover::Continue),
    ("verify", OnTakeover::Verify),
    ("review", OnTakeover::Review),
];

pub(super) const TRIGGER_RULES: &[(&str, TriggerRule)] = &[
    ("all_success", TriggerRule::AllSuccess),
    ("all_done", TriggerRule::AllDone),
    ("one_success", TriggerRule::OneSuccess),
    ("one_failed", TriggerRule::OneFailed),
    ("none_failed", TriggerRule::NoneFailed),
    (
        "none_failed_min_one_success",
        TriggerRule::NoneFailedMinOneSuccess,
    ),
];

/// The keywords of `onFailure`; any other value is the id of a node.
pub(super) const ON_FAILURES: &[&str] = &["abort", "skip"];

pub(super) const SOURCES: &[(&str, Source)] = &[
    ("user", Source::User),
    ("agent", Source::Agent),
    ("trigger", Source::Trigger),
    ("import", Source::Import),
    ("example", Source::Example),
];

pub(super) const REPLANS: &[(&str, ReplanMode)] =
    &[("off", ReplanMode::Off), ("propose", ReplanMode::Propose)];

pub(super) const TOOL_SCOPES: &[(&str, ToolScopeMode)] = &[
    ("level", ToolScopeMode::ByLevel),
    ("off", ToolScopeMode::Off),
    ("log", ToolScopeMode::Log),
    ("enforce", ToolScopeMode::Enforce),
];

/// The keyword for `value`.
pub(super) fn keyword_for<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words
        .iter()
        .find(|(_, known)| known == value)
        .map_or("", |(word, _)| word)
}
