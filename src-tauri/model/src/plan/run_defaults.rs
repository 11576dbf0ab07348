//! Defaults for plans from a person's settings, and the settings that a run keeps.

use serde::{Deserialize, Serialize};

use super::{Autonomy, PlanSettings};
use crate::Plan;

/// A person's settings for plans that don't specify their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct RunDefaults {
    /// How much a person is asked.
    pub autonomy: Autonomy,
    /// How many nodes of a run may run at once, 1 to 1,000.
    pub concurrency: u32,
    /// The time limit of a run in milliseconds; `None` means unlimited.
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub timeout_ms: Option<u64>,
    /// The time limit of an agent's attempt in milliseconds; `None` is
    /// [`AGENT_TIMEOUT_MS`](crate::node::AGENT_TIMEOUT_MS).
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub agent_timeout_ms: Option<u64>,
    /// The time limit of a command or tool call in milliseconds; `None` is
    /// [`COMMAND_TIMEOUT_MS`](crate::node::COMMAND_TIMEOUT_MS).
    #[cfg_attr(feature = "bindings", ts(type = "number | null"))]
    pub command_timeout_ms: Option<u64>,
}

impl Default for RunDefaults {
    fn default() -> Self {
        Self {
            autonomy: Autonomy::default(),
            concurrency: 4,
            timeout_ms: None,
            agent_timeout_ms: None,
            command_timeout_ms: None,
        }
    }
}

impl RunDefaults {
    /// `plan` with these settings where it doesn't specify its own.
    #[must_use]
    pub fn apply_to(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        let settings = &mut plan.settings;
        settings.autonomy.get_or_insert(self.autonomy);
        settings.concurrency.get_or_insert(self.concurrency);
        settings.timeout_ms = settings.timeout_ms.or(self.timeout_ms);
        settings.agent_timeout_ms = settings.agent_timeout_ms.or(self.agent_timeout_ms);
        settings.command_timeout_ms = settings.command_timeout_ms.or(self.command_timeout_ms);
        plan
    }
}

/// The settings that a run keeps even if they change later. The concurrency limit is stored
/// separately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EffectiveSettings {
    /// How much a person is asked.
    pub autonomy: Autonomy,
    /// The time limit of the run, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(type = "number", optional))]
    pub timeout_ms: Option<u64>,
    /// The time limit of an agent's attempt, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(type = "number", optional))]
    pub agent_timeout_ms: Option<u64>,
    /// The time limit of a command or tool call, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(type = "number", optional))]
    pub command_timeout_ms: Option<u64>,
    /// The agent tools that a person wants to decide about: those of the plan and of its project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub guarded_tools: Vec<String>,
}

impl EffectiveSettings {
    /// Returns what a run of a plan with these settings keeps.
    #[must_use]
    pub fn from_settings(settings: &PlanSettings) -> Self {
        Self {
            autonomy: settings.effective_autonomy(),
            timeout_ms: settings.timeout_ms,
            agent_timeout_ms: settings.agent_timeout_ms,
            command_timeout_ms: settings.command_timeout_ms,
            guarded_tools: settings.guarded_tools.clone(),
        }
    }

    /// `plan` with the settings that the run keeps.
    #[must_use]
    pub fn apply_to(&self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        let settings = &mut plan.settings;
        settings.autonomy = Some(self.autonomy);
        settings.timeout_ms = self.timeout_ms;
        settings.agent_timeout_ms = self.agent_timeout_ms;
        settings.command_timeout_ms = self.command_timeout_ms;
        // Runs of earlier versions of Baton have stored none.
        add_missing(&mut settings.guarded_tools, &self.guarded_tools);
        plan
    }
}

/// Adds those of `more` that `names` doesn't have.
pub(crate) fn add_missing(names: &mut Vec<String>, more: &[String]) {
    for name in more {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::PlanId;
    use crate::node::NodeKind;
    use crate::{Node, NodeId, Slug};

    fn plan() -> Plan {
        Plan::new(PlanId(uuid::Uuid::from_u128(1)), "Plan")
    }

    const DEFAULTS: RunDefaults = RunDefaults {
        autonomy: Autonomy::AskAll,
        concurrency: 9,
        timeout_ms: Some(1),
        agent_timeout_ms: Some(2),
        command_timeout_ms: Some(3),
    };

    #[test]
    fn defaults_fill_only_what_the_plan_leaves_open() {
        let filled = DEFAULTS.apply_to(&plan()).settings;
        assert_eq!(
            (filled.autonomy, filled.concurrency),
            (Some(Autonomy::AskAll), Some(9))
        );
        let limits = |settings: &PlanSettings| {
            (
                settings.timeout_ms,
                settings.agent_timeout_ms,
                settings.command_timeout_ms,
            )
        };
        assert_eq!(limits(&filled), (Some(1), Some(2), Some(3)));

        let mut explicit = plan();
        explicit.settings.autonomy = Some(Autonomy::Free);
        explicit.settings.concurrency = Some(1);
        (
            explicit.settings.timeout_ms,
            explicit.settings.agent_timeout_ms,
        ) = (Some(10), Some(20));
        let filled = DEFAULTS.apply_to(&explicit).settings;
        assert_eq!(
            (filled.autonomy, filled.concurrency),
            (Some(Autonomy::Free), Some(1))
        );
        assert_eq!(limits(&filled), (Some(10), Some(20), Some(3)));
    }

    #[test]
    fn effective_settings_ignore_later_changes() {
        let kept = EffectiveSettings::from_settings(&DEFAULTS.apply_to(&plan()).settings);
        let held = kept.apply_to(&plan());
        assert_eq!(
            RunDefaults::default().apply_to(&held).settings.autonomy,
            Some(Autonomy::AskAll)
        );
        assert_eq!(EffectiveSettings::from_settings(&held.settings), kept);
        let stored = serde_json::to_value(&kept).expect("plain data");
        assert_eq!(
            serde_json::from_value::<EffectiveSettings>(stored).expect("its own words"),
            kept
        );
    }

    #[test]
    fn run_keeps_the_tools_that_its_project_guarded() {
        let mut ruled = plan();
        ruled.settings.guarded_tools = vec!["Write".to_owned(), "Bash".to_owned()];
        let kept = EffectiveSettings::from_settings(&DEFAULTS.apply_to(&ruled).settings);
        let mut version = plan();
        version.settings.guarded_tools = vec!["Write".to_owned()];
        assert_eq!(
            kept.apply_to(&version).settings.guarded_tools,
            ["Write", "Bash"]
        );
    }

    #[test]
    fn most_specific_timeout_wins() {
        let task =
            |kind: serde_json::Value| serde_json::from_value::<NodeKind>(kind).expect("a kind");
        let command = task(serde_json::json!({ "kind": "command", "command": "true" }));
        let agent = task(serde_json::json!({ "kind": "agent", "agent": null, "prompt": "" }));
        let question = task(serde_json::json!({ "kind": "user_input", "question": "?" }));
        let (mut silent, filled) = (plan(), DEFAULTS.apply_to(&plan()));
        let node = |kind: &NodeKind| {
            Node::new(
                NodeId(uuid::Uuid::nil()),
                Slug::from_title("a"),
                "A",
                kind.clone(),
            )
        };
        let limits =
            |plan: &Plan| [&command, &agent, &question].map(|kind| plan.timeout_ms_of(&node(kind)));
        assert_eq!(limits(&silent), [Some(60_000), Some(1_800_000), None]);
        assert_eq!(limits(&filled), [Some(3), Some(2), None]);
        silent.settings.command_timeout_ms = Some(7);
        let own = Node {
            timeout_ms: Some(8),
            ..node(&command)
        };
        assert_eq!(
            (
                silent.timeout_ms_of(&node(&command)),
                silent.timeout_ms_of(&own)
            ),
            (Some(7), Some(8))
        );
    }
}
