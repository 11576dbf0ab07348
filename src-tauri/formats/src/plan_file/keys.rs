//! The keys and words that a plan file knows, and which of them a person may have meant.
//!
//! The order of the keys is the order in which a file is written.

use baton_model::Color;
use baton_model::Direction;
use baton_model::isolation::Isolation;
use baton_model::node::{AfterCrash, InputType, OnFailedCriterion, OnUnverified, TriggerRule};
use baton_model::plan::{OnTakeover, ReplanMode, Source, ToolScopeMode};
use baton_model::sandbox::SandboxMode;

pub(super) const PLAN_KEYS: &[&str] = &[
    "baton",
    "title",
    "description",
    "cwd",
    "project",
    "autonomy",
    "toolScope",
    "guardedTools",
    "concurrency",
    "priority",
    "timeoutMs",
    "agentTimeoutMs",
    "commandTimeoutMs",
    "planRetries",
    "maxRetries",
    "replan",
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
    "worktreeSetup",
    "tags",
    "complexity",
    "constraints",
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

pub(super) const GROUP_KEYS: &[&str] = &["title", "colour", "nodes"];

/// The keys that nodes of every kind have.
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

/// What the keys of an OwnPilot plan are called here. Its `maxRetries` is how often the run starts again.
pub(super) const PLAN_ALIASES: &[(&str, &str)] = &[
    ("name", "title"),
    ("autonomyLevel", "autonomy"),
    ("steps", "nodes"),
    ("triggerId", "trigger"),
    ("maxRetries", "planRetries"),
];

/// The keys by which an OwnPilot plan is known.
pub(super) const OWN_PILOT_KEYS: &[&str] = &["name", "autonomyLevel", "steps", "triggerId"];

/// Other spellings of the keys of a node, likewise.
pub(super) const NODE_ALIASES: &[(&str, &str)] = &[
    ("type", "kind"),
    ("name", "title"),
    ("dependencies", "dependsOn"),
];

/// The kinds, each with the keys that only it and few others have.
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
    ("note", &["text", "colour", "size"]),
];

pub(super) const COLORS: &[(&str, Color)] = &[
    ("grey", Color::Grey),
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

/// The words of `onFailure`; everything else is a node.
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

/// The word for `value`.
pub(super) fn keyword_for<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words
        .iter()
        .find(|(_, known)| known == value)
        .map_or("", |(word, _)| word)
}
