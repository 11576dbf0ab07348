//! The sandbox and approval settings for a node's scope.
//!
//! Codex runs commands that it considers harmless (`ls`, `cat`) without asking, regardless of its
//! settings. Everything else is sent to Baton if a rule may apply. If none can, the sandbox is
//! the limit, and Codex asks before it goes beyond.

use serde_json::Value;

use crate::codex::item::PATCH_TOOL;
use crate::scope::{Ruling, ToolScope};
use crate::tool_name::is_shell;
use baton_model::plan::{Autonomy, ToolScopeMode};

/// The approval policy: when the client asks.
pub(super) fn approval(scope: &ToolScope) -> &'static str {
    match scope.autonomy {
        Autonomy::Free => "never",
        Autonomy::AskAll => "untrusted",
        _ if scope.wants_announcements() => "untrusted",
        _ => "on-request",
    }
}

/// The sandbox: what commands may do without a permission request.
pub(super) fn sandbox(scope: &ToolScope) -> &'static str {
    let only_reads = scope.mode == ToolScopeMode::Enforce
        && !scope.tools.is_empty()
        && !scope.tools.iter().any(|tool| is_shell(tool))
        && !scope.lists(PATCH_TOOL)
        && !scope.lists("Write");
    match scope.autonomy {
        Autonomy::Free => "danger-full-access",
        _ if only_reads => "read-only",
        _ => "workspace-write",
    }
}

/// The decision of the scope on a call that the client asks about.
///
/// A patch counts as an edit. A patch that only adds files is also allowed by a list that names
/// the tool for writing files.
pub(super) fn ruling(scope: &ToolScope, tool: &str, input: &Value) -> Ruling {
    let changes = input["changes"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let only_adds = !changes.is_empty() && changes.iter().all(|change| change["change"] == "added");
    let tool = if tool == PATCH_TOOL && only_adds && scope.lists("Write") {
        "Write"
    } else {
        tool
    };
    scope.on_request(tool, input)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn scope(level: u8, mode: ToolScopeMode, tools: &[&str]) -> ToolScope {
        let autonomy = Autonomy::try_from(level).expect("level from 0 to 4");
        let tools = tools.iter().map(|&tool| tool.to_owned()).collect();
        ToolScope {
            mode,
            tools,
            autonomy,
            ..ToolScope::default()
        }
    }

    #[test]
    fn scope_maps_to_sandbox_and_approval_policy() {
        use ToolScopeMode::{ByLevel, Enforce, Log, Off};
        for (level, mode, tools, expected) in [
            (1, ByLevel, &[][..], ("on-request", "workspace-write")),
            // The sandbox must allow what a person may allow.
            (1, ByLevel, &["Read"], ("untrusted", "workspace-write")),
            (2, ByLevel, &[], ("untrusted", "workspace-write")),
            (3, ByLevel, &[], ("untrusted", "workspace-write")),
            (0, Enforce, &[], ("untrusted", "workspace-write")),
            (1, Enforce, &[], ("on-request", "workspace-write")),
            (1, Enforce, &["Bash"], ("untrusted", "workspace-write")),
            (1, Enforce, &["Write"], ("untrusted", "workspace-write")),
            (1, Enforce, &["Read", "Grep"], ("untrusted", "read-only")),
            (1, Log, &["Read"], ("untrusted", "workspace-write")),
            (1, Off, &["Read"], ("on-request", "workspace-write")),
            (4, Enforce, &["Read"], ("never", "danger-full-access")),
        ] {
            let scope = scope(level, mode, tools);
            assert_eq!(
                (approval(&scope), sandbox(&scope)),
                expected,
                "{level} {mode:?} {tools:?}"
            );
        }
    }

    #[test]
    fn patch_counts_as_edit_or_write() {
        let (adds, edits) = (
            json!({"changes": [{"change": "added"}]}),
            json!({"changes": [{"change": "changed"}]}),
        );
        for (tools, input, allowed) in [
            (&["Write"][..], &adds, true),
            (&["Write"], &edits, false),
            (&["Edit"], &adds, true),
            (&["apply_patch"], &edits, true),
            (&["Bash"], &adds, false),
            (&["Write"], &json!({}), false),
        ] {
            let scope = scope(1, ToolScopeMode::Enforce, tools);
            assert_eq!(
                ruling(&scope, PATCH_TOOL, input) == Ruling::Allow,
                allowed,
                "{tools:?} {input}"
            );
        }
    }
}
