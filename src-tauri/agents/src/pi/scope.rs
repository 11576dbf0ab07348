//! The tools that pi starts with for a node's scope. pi asks for no permission, so tools that
//! would need it are left out.

use serde_json::Value;

use crate::scope::{Ruling, ToolScope};

/// pi's tools by default.
const DEFAULT_TOOLS: &[&str] = &["read", "bash", "edit", "write"];
/// Further built-in tools, which must be requested.
const OPTIONAL_TOOLS: &[&str] = &["grep", "find", "ls"];

/// Stands for unlisted tools of extensions.
const EXTENSION_TOOL: &str = "a tool of an extension";

/// The only tools that pi may have; `None` leaves the choice to pi's own settings.
pub(super) fn tools(scope: &ToolScope) -> Option<Vec<String>> {
    let allowed = |tool: &&str| scope.on_announcement(tool, &Value::Null) == Ruling::Allow;
    if DEFAULT_TOOLS.iter().chain([&EXTENSION_TOOL]).all(allowed) {
        return None;
    }
    let more = OPTIONAL_TOOLS
        .iter()
        .copied()
        .filter(|tool| scope.lists(tool));
    // The names of extension tools are up to their authors.
    let others = scope
        .tools
        .iter()
        .map(String::as_str)
        .filter(|name| name.starts_with(|c: char| c.is_lowercase()));
    let mut named: Vec<String> = Vec::new();
    for tool in DEFAULT_TOOLS
        .iter()
        .copied()
        .chain(more)
        .chain(others)
        .filter(allowed)
    {
        if !named.iter().any(|name| name == tool) {
            named.push(tool.to_owned());
        }
    }
    Some(named)
}

#[cfg(test)]
mod tests {
    use baton_model::plan::{Autonomy, ToolScopeMode};

    use super::*;

    #[test]
    fn maps_scope_to_pi_tool_names() {
        use ToolScopeMode::{ByLevel, Enforce, Log};
        let words = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        for (mode, level, listed, guarded, expected) in [
            (Enforce, 1, &[][..], &[][..], None),
            (
                Enforce,
                1,
                &["Read", "Glob"],
                &[],
                Some(&["read", "find"][..]),
            ),
            (Enforce, 0, &["Read"], &[], Some(&["read"])),
            (
                Enforce,
                1,
                &["read", "my_tool"],
                &[],
                Some(&["read", "my_tool"]),
            ),
            (Enforce, 1, &["WebFetch"], &[], Some(&[])),
            (Enforce, 4, &["Read"], &[], None),
            (Log, 1, &["Read"], &[], None),
            // There is no way to ask, so guarded tools are left out.
            (Enforce, 1, &[], &["Bash"], Some(&["read", "edit", "write"])),
            (Enforce, 2, &["Bash", "Read"], &[], Some(&["read", "bash"])),
            (ByLevel, 0, &[], &[], Some(&["read"])),
            (ByLevel, 1, &[], &[], None),
            (ByLevel, 2, &[], &[], Some(&["read"])),
            (ByLevel, 3, &[], &[], Some(&["read"])),
            (ByLevel, 4, &[], &[], None),
            (ByLevel, 1, &["Read", "Bash"], &[], Some(&["read", "bash"])),
            (
                ByLevel,
                2,
                &["Write", "Glob"],
                &[],
                Some(&["read", "write", "find"]),
            ),
            (
                ByLevel,
                2,
                &["read", "bash", "edit", "write"],
                &[],
                Some(&["read", "bash", "edit", "write"]),
            ),
        ] {
            let autonomy = Autonomy::try_from(level).expect("level from 0 to 4");
            let (tools, guarded) = (words(listed), words(guarded));
            let scope = ToolScope {
                mode,
                tools,
                guarded,
                autonomy,
                ..ToolScope::default()
            };
            assert_eq!(
                super::tools(&scope),
                expected.map(words),
                "{mode:?} {level} {listed:?}"
            );
        }
    }
}
