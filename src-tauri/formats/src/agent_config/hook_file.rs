//! The programs that an agent runs before each tool call, and Baton's among them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::EntryError;
use super::{json_hook, toml_hook};

/// The subcommand of `baton agents` that checks a tool call. It tells Baton's hook from others.
pub const GUARD_SUBCOMMAND: &str = "guard-call";

/// The moment before a tool call, as gemini calls it.
pub(super) const BEFORE_TOOL: &str = "BeforeTool";
/// The moment before a tool call, as claude and codex call it.
pub(super) const PRE_TOOL_USE: &str = "PreToolUse";

/// The key of all hooks.
pub(super) const HOOKS: &str = "hooks";

/// What Baton's hook does with calls of guarded tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GuardMode {
    /// They run, and are recorded.
    Log,
    /// They are refused.
    Block,
}

impl GuardMode {
    /// The value of `--mode`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Block => "block",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HookFormat {
    Json,
    Toml,
}

/// The file where an agent keeps its hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookFile {
    /// May be the file of its servers.
    pub path: PathBuf,
    /// The agent's name of the moment before a tool call.
    pub(super) event: &'static str,
    pub(super) format: HookFormat,
}

impl HookFile {
    /// The text of the file with Baton's hook, which runs the shell command `command`. Everything
    /// else stays as it is.
    ///
    /// # Errors
    ///
    /// The text can't be read, or has something else where the hooks belong.
    pub fn with_guard(&self, text: &str, command: &str) -> Result<String, EntryError> {
        if self.guard_command(text).as_deref() == Some(command) {
            return Ok(text.to_owned());
        }
        let text = self.without_guard(text)?;
        match self.format {
            HookFormat::Json => json_hook::with_hook(&text, self.event, command),
            HookFormat::Toml => toml_hook::with_hook(&text, self.event, command),
        }
    }

    /// The text without Baton's hook; the same text if it isn't there.
    ///
    /// # Errors
    ///
    /// As for [`HookFile::with_guard`].
    pub fn without_guard(&self, text: &str) -> Result<String, EntryError> {
        if text.trim().is_empty() {
            return Ok(text.to_owned());
        }
        match self.format {
            HookFormat::Json => json_hook::without_hook(text, self.event),
            HookFormat::Toml => toml_hook::without_hook(text, self.event),
        }
    }

    /// What Baton's hook in the text does; `None` if there is none.
    #[must_use]
    pub fn guard_mode(&self, text: &str) -> Option<GuardMode> {
        let command = self.guard_command(text)?;
        let has = |mode: GuardMode| command.ends_with(&format!("--mode {}", mode.name()));
        [GuardMode::Log, GuardMode::Block]
            .into_iter()
            .find(|mode| has(*mode))
    }

    /// The answer of a hook that refuses a call; the agent shows `reason` to its model.
    #[must_use]
    pub fn refusal(&self, reason: &str) -> serde_json::Value {
        match self.event {
            BEFORE_TOOL => serde_json::json!({"decision": "deny", "reason": reason}),
            event => serde_json::json!({"hookSpecificOutput": {
                "hookEventName": event,
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            }}),
        }
    }

    /// The command of Baton's hook in the text; `None` if there is none, or the text can't be read.
    #[must_use]
    pub fn guard_command(&self, text: &str) -> Option<String> {
        match self.format {
            HookFormat::Json => json_hook::guard_command(text, self.event),
            HookFormat::Toml => toml_hook::guard_command(text, self.event),
        }
    }
}

/// Whether a hook's command is Baton's.
pub(super) fn is_guard(command: &str) -> bool {
    command.contains(&format!(" agents {GUARD_SUBCOMMAND}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{AgentSetup, agent_setups};
    use super::*;

    const COMMAND: &str = "/opt/baton agents guard-call --agent x --mode log";

    fn hook_files() -> Vec<(&'static str, HookFile)> {
        let setups = agent_setups(Path::new("/home/ada"), &|_| None);
        let file = |setup: AgentSetup| Some((setup.id, setup.hooks?));
        setups.into_iter().filter_map(file).collect()
    }

    fn examples(file: &HookFile) -> Vec<&'static str> {
        match file.format {
            HookFormat::Toml => vec![
                "",
                "# mine\nmodel = \"m\" # fast\n",
                "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"other\"\n\n[tui]\na = 1\n",
                "hooks = { PreToolUse = [{ hooks = [{ type = \"command\", command = \"other\" }] }] }\n",
            ],
            HookFormat::Json => vec![
                "",
                "{}\n",
                "{\n  // mine\n  \"theme\": \"dark\",\n}\n",
                "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      // mine\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"other\"}]}\n    ],\n    \"BeforeTool\": [],\n    \"Stop\": []\n  }\n}\n",
            ],
        }
    }

    #[test]
    fn hook_is_added_once_changed_and_removed() {
        for (id, file) in hook_files() {
            for text in examples(&file) {
                let with = file.with_guard(text, COMMAND).expect("valid");
                assert_eq!(file.guard_command(&with).as_deref(), Some(COMMAND), "{id}");
                assert_eq!(file.guard_command(text), None);
                assert_eq!(file.with_guard(&with, COMMAND).expect("valid"), with);
                let other = COMMAND.replace("log", "block");
                let changed = file.with_guard(&with, &other).expect("valid");
                assert_eq!(changed.matches(GUARD_SUBCOMMAND).count(), 1, "{changed}");
                assert_eq!(file.guard_command(&changed), Some(other));
                assert_eq!(file.guard_mode(&changed), Some(GuardMode::Block));
                let without = file.without_guard(&changed).expect("valid");
                assert!(!without.contains(GUARD_SUBCOMMAND), "{without}");
                for kept in ["mine", "# fast", "other", "theme", "Bash", "Stop", "tui"] {
                    assert_eq!(with.contains(kept), text.contains(kept), "{id}: {with}");
                    assert_eq!(without.contains(kept), text.contains(kept), "{without}");
                }
                file.with_guard(&without, COMMAND).expect("still valid");
            }
        }
    }

    #[test]
    fn new_hook_has_the_shape_that_agents_read() {
        for (id, file) in hook_files() {
            let text = file.with_guard("", COMMAND).expect("valid");
            let (kind, ran) = match file.format {
                HookFormat::Json => {
                    let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                    let hook = &read["hooks"][file.event][0]["hooks"][0];
                    (hook["type"].clone(), hook["command"].clone())
                }
                HookFormat::Toml => {
                    let read: toml_edit::DocumentMut = text.parse().expect("TOML");
                    let hook = &read["hooks"][file.event][0]["hooks"][0];
                    (
                        hook["type"].as_str().into(),
                        hook["command"].as_str().into(),
                    )
                }
            };
            assert_eq!((kind, ran), ("command".into(), COMMAND.into()), "{id}");
        }
    }

    #[test]
    fn faulty_settings_are_refused_with_the_place() {
        for (id, file) in hook_files() {
            let faulty = match file.format {
                HookFormat::Toml => ["a = 1\nb =\n", "a = 1\nhooks = 3\n"],
                HookFormat::Json => ["{\n  \"a\": ,\n}", "{\n  \"hooks\": 3\n}"],
            };
            for text in faulty {
                let error = file.with_guard(text, COMMAND).expect_err(text);
                assert!(error.to_string().starts_with("line 2"), "{id}: {error}");
            }
        }
    }
}
