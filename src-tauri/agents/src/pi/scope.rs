//! What a node's scope means for pi: the tools that it starts with. pi asks nobody, so that a tool that a person
//! would have to be asked about is left out.

use baton_model::plan::{Autonomy, ToolScopeMode};
use serde_json::Value;

use crate::scope::{Ruling, ToolScope};

/// The tools that pi has when nothing is said.
const USUAL: &[&str] = &["read", "bash", "edit", "write"];
/// Those that it has to be asked for.
const MORE: &[&str] = &["grep", "find", "ls"];

/// The only tools that pi shall have; `None` leaves it to pi's own settings.
pub(super) fn tools(scope: &ToolScope) -> Option<Vec<String>> {
    let binds = scope.mode == ToolScopeMode::Enforce && !scope.tools.is_empty() && scope.autonomy != Autonomy::Free;
    let allowed = |tool: &&str| scope.on_announcement(tool, &Value::Null) == Ruling::Allow;
    if !binds {
        let left: Vec<String> = USUAL.iter().copied().filter(|tool| allowed(tool)).map(str::to_owned).collect();
        return (left.len() < USUAL.len()).then_some(left);
    }
    let known = USUAL.iter().chain(MORE).copied().filter(|tool| scope.lists(tool));
    // Tools of extensions go by the names that their authors gave them.
    let others = scope.tools.iter().map(String::as_str).filter(|name| name.starts_with(|c: char| c.is_lowercase()));
    let mut named: Vec<String> = Vec::new();
    for tool in known.chain(others).filter(|tool| allowed(tool)) {
        if !named.iter().any(|name| name == tool) {
            named.push(tool.to_owned());
        }
    }
    Some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_becomes_pis_own_names() {
        use ToolScopeMode::{Enforce, Log};
        let words = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        for (mode, level, listed, guarded, expected) in [
            (Enforce, 1, &[][..], &[][..], None),
            (Enforce, 1, &["Read", "Glob"], &[], Some(&["read", "find"][..])),
            (Enforce, 0, &["Read"], &[], Some(&["read"])),
            (Enforce, 1, &["read", "my_tool"], &[], Some(&["read", "my_tool"])),
            (Enforce, 1, &["WebFetch"], &[], Some(&[])),
            (Enforce, 4, &["Read"], &[], None),
            (Log, 1, &["Read"], &[], None),
            // Nobody can be asked, so that a guarded tool is not there.
            (Enforce, 1, &[], &["Bash"], Some(&["read", "edit", "write"])),
            (Enforce, 2, &["Bash", "Read"], &["Bash"], Some(&["read"])),
        ] {
            let autonomy = Autonomy::try_from(level).expect("a level from 0 to 4");
            let (tools, guarded) = (words(listed), words(guarded));
            let scope = ToolScope { mode, tools, guarded, autonomy, ..ToolScope::default() };
            assert_eq!(super::tools(&scope), expected.map(words), "{mode:?} {level} {listed:?}");
        }
    }
}
