//! What a node's scope means for pi: the tools that it starts with. pi asks nobody, so that a tool that a person
//! would have to be asked about is left out.

use serde_json::Value;

use crate::scope::{Ruling, ToolScope};

/// The tools that pi has when nothing is said.
const USUAL: &[&str] = &["read", "bash", "edit", "write"];
/// Those that it has to be asked for.
const MORE: &[&str] = &["grep", "find", "ls"];

/// Stands for the tools of extensions that nobody has listed.
const OF_AN_EXTENSION: &str = "a tool of an extension";

/// The only tools that pi shall have; `None` leaves it to pi's own settings.
pub(super) fn tools(scope: &ToolScope) -> Option<Vec<String>> {
    let allowed = |tool: &&str| scope.on_announcement(tool, &Value::Null) == Ruling::Allow;
    if USUAL.iter().chain([&OF_AN_EXTENSION]).all(allowed) {
        return None;
    }
    let more = MORE.iter().copied().filter(|tool| scope.lists(tool));
    // Tools of extensions go by the names that their authors gave them.
    let others = scope
        .tools
        .iter()
        .map(String::as_str)
        .filter(|name| name.starts_with(|c: char| c.is_lowercase()));
    let mut named: Vec<String> = Vec::new();
    for tool in USUAL
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
    fn the_list_becomes_pis_own_names() {
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
            // Nobody can be asked, so that a guarded tool is not there.
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
            let autonomy = Autonomy::try_from(level).expect("a level from 0 to 4");
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
