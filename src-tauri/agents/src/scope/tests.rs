use serde_json::json;

use super::*;

const LISTED: &[&str] = &["Read", "Write"];
const SENTENCE: &str = "Tool Bash is not available in this plan. Only: Read, Write";

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn scope(mode: ToolScopeMode, level: u8, tools: &[&str], guarded: &[&str]) -> ToolScope {
    let autonomy = Autonomy::try_from(level).expect("level from 0 to 4");
    ToolScope {
        mode,
        tools: strings(tools),
        guarded: strings(guarded),
        autonomy,
        has_session_tools: false,
        granted: Vec::new(),
    }
}

/// One character for each level: `r` runs, `a` asks, `-` is denied.
fn rulings(mode: ToolScopeMode, tools: &[&str], guarded: &[&str], tool: &str) -> String {
    let letter = |level| match scope(mode, level, tools, guarded).on_announcement(tool, &json!({}))
    {
        Ruling::Allow => 'r',
        Ruling::Ask => 'a',
        Ruling::Deny(_) => '-',
    };
    (0..=4).map(letter).collect()
}

/// The tools of each kind, by the names of several agents.
const KINDS: &[(ToolKind, &[&str])] = &[
    (
        ToolKind::Read,
        &["Read", "read_file", "grep", "list_directory"],
    ),
    (ToolKind::Bookkeeping, &["TodoWrite", "update_plan", "Task"]),
    (
        ToolKind::Execute,
        &[
            "Bash",
            "exec_command",
            "run_shell_command",
            "bash",
            "execute",
        ],
    ),
    (ToolKind::Edit, &["Write", "apply_patch", "replace", "edit"]),
    (ToolKind::Delete, &["delete"]),
    (ToolKind::Move, &["move"]),
    (ToolKind::Fetch, &["WebFetch", "web_search", "fetch"]),
    (ToolKind::Unknown, &["mcp__notes__erase", "Skill", "other"]),
];

/// Every level, kind of tool, and list, for the names that agents have for tools.
#[test]
fn autonomy_level_decides_ruling() {
    use ToolKind::{Bookkeeping, Read};
    for (kind, names) in KINDS {
        let (listed, outside, without) = match kind {
            Read => ("rrrrr", "aarrr", "rrrrr"),
            Bookkeeping => ("rrrrr", "arrrr", "rrrrr"),
            _ => ("arrrr", "aaa-r", "ara-r"),
        };
        for name in *names {
            assert_eq!(ToolKind::from_name(name), *kind, "{name}");
            let by_level = |tools: &[&str]| rulings(ToolScopeMode::ByLevel, tools, &[], name);
            assert_eq!(by_level(&[name, "none-such"]), listed, "{name} is listed");
            assert_eq!(
                by_level(&["none-such"]),
                outside,
                "{name} is outside the list"
            );
            assert_eq!(by_level(&[]), without, "{name} without a list");
        }
    }
}

#[test]
fn scope_mode_decides_how_list_binds() {
    use ToolScopeMode::{ByLevel, Enforce, Log, Off};
    for (mode, read, execute) in [
        (ByLevel, "aarrr", "aaa-r"),
        (Enforce, "a---r", "a---r"),
        (Log, "rrrrr", "ara-r"),
        (Off, "rrrrr", "ara-r"),
    ] {
        assert_eq!(rulings(mode, &["Write"], &[], "Read"), read, "{mode:?}");
        assert_eq!(rulings(mode, &["Write"], &[], "Bash"), execute, "{mode:?}");
        assert_eq!(
            rulings(mode, &["Bash"], &[], "Bash"),
            "arrrr",
            "{mode:?}: listed tools are in scope"
        );
        assert_eq!(
            rulings(mode, &[], &[], "Bash"),
            "ara-r",
            "{mode:?}: without a list everything is in scope"
        );
    }
}

#[test]
fn user_guarded_tools_are_always_guarded() {
    use ToolScopeMode::{ByLevel, Enforce, Log, Off};
    for mode in [ByLevel, Log, Off] {
        for (tools, tool, expected) in [
            (&[][..], "Read", "aaa-r"),
            (&["Read"][..], "Read", "arrrr"),
            (&["Write"], "Read", "aaa-r"),
            (&[], "TodoWrite", "aaa-r"),
            (&["Write"], "TodoWrite", "aaa-r"),
            (&[], "Bash", "aaa-r"),
        ] {
            assert_eq!(
                rulings(mode, tools, &["Read", "TodoWrite", "Bash"], tool),
                expected,
                "{mode:?} {tools:?} {tool}"
            );
        }
    }
    assert_eq!(
        rulings(Enforce, &["Write"], &["Read"], "Read"),
        "a---r",
        "enforcing is stricter than asking"
    );
}

#[test]
fn level_0_asks_for_every_request() {
    for (level, expected) in [(0, Ruling::Ask), (1, Ruling::Allow), (4, Ruling::Allow)] {
        assert_eq!(
            scope(ToolScopeMode::ByLevel, level, &[], &[]).on_request("Read", &json!({})),
            expected,
            "{level}"
        );
    }
}

#[test]
fn refusal_lists_available_tools() {
    let refusal =
        |mode, tools: &[&str]| match scope(mode, 3, tools, &[]).on_request("Bash", &json!({})) {
            Ruling::Deny(reason) => reason,
            ruling => panic!("{ruling:?}"),
        };
    assert_eq!(refusal(ToolScopeMode::ByLevel, LISTED), SENTENCE);
    assert_eq!(refusal(ToolScopeMode::Enforce, LISTED), SENTENCE);
    assert!(refusal(ToolScopeMode::ByLevel, &[]).contains("guarded"));
}

#[test]
fn scope_matches_exact_names() {
    let scope = scope(
        ToolScopeMode::Enforce,
        1,
        &["BashOutput", "Read, Write"],
        &[],
    );
    for tool in ["Bash", "Read", "bashoutput"] {
        assert!(
            matches!(scope.on_announcement(tool, &json!({})), Ruling::Deny(_)),
            "{tool}"
        );
    }
}

#[test]
fn grant_turns_refusal_into_question() {
    let mut scope = scope(ToolScopeMode::Enforce, 3, LISTED, &["Bash"]);
    scope.granted.push(Grant::exact("Bash", Some("ls")));
    let (one, other) = (json!({"command": "ls"}), json!({"command": "ls -l"}));
    assert_eq!(
        scope.on_announcement("Bash", &one),
        Ruling::Ask,
        "the run knows whether it is still granted"
    );
    assert_eq!(scope.out_of_scope_event("t", "Bash", &one), None);
    let refused = Ruling::Deny(SENTENCE.to_owned());
    assert_eq!(
        scope.on_announcement("Bash", &other),
        refused,
        "permission applies to the exact command"
    );
}

#[test]
fn reports_refused_and_would_block_calls() {
    use ToolScopeMode::{ByLevel, Enforce, Log, Off};
    let input = json!({"command": "cargo test"});
    for (mode, level, expected_note) in [
        (Off, 1, None),
        (
            Log,
            1,
            Some((format!("would have been blocked: {SENTENCE}"), false)),
        ),
        (Enforce, 1, Some((SENTENCE.to_owned(), true))),
        (
            Enforce,
            4,
            Some((format!("would have been blocked: {SENTENCE}"), false)),
        ),
        (ByLevel, 1, None),
        (ByLevel, 3, Some((SENTENCE.to_owned(), true))),
        (
            ByLevel,
            4,
            Some((format!("would have been blocked: {SENTENCE}"), false)),
        ),
    ] {
        let expected = expected_note.map(|(note, refused)| {
            let (call, what) = ("t".to_owned(), "Bash: cargo test".to_owned());
            SessionEvent::OutsideScope {
                call,
                what,
                note,
                refused,
            }
        });
        assert_eq!(
            scope(mode, level, LISTED, &[]).out_of_scope_event("t", "Bash", &input),
            expected,
            "{mode:?} {level}"
        );
        assert_eq!(
            scope(mode, level, LISTED, &[]).out_of_scope_event("t", "Read", &input),
            None
        );
    }
}

#[test]
fn calls_are_announced_only_if_rules_may_apply() {
    use ToolScopeMode::{ByLevel, Enforce, Off};
    for (mode, tools, guarded, wanted) in [
        (ByLevel, &[][..], &[][..], [true, false, true, true, false]),
        (ByLevel, LISTED, &[], [true; 5]),
        (Enforce, LISTED, &[], [true; 5]),
        (Off, LISTED, &[], [true, false, true, true, false]),
        (Off, &[], &["Read"][..], [true, true, true, true, false]),
    ] {
        for (level, wanted) in (0..).zip(wanted) {
            assert_eq!(
                scope(mode, level, tools, guarded).wants_announcements(),
                wanted,
                "{mode:?} {level} {tools:?}"
            );
        }
    }
}

#[test]
fn own_tools_need_no_permission_unless_a_person_guards_them() {
    let own = "mcp__baton__output_set";
    for level in 0..=3 {
        let mut scope = scope(ToolScopeMode::Enforce, level, &["Read"], &[]);
        assert_ne!(scope.on_request(own, &json!({})), Ruling::Allow, "{level}");
        scope.has_session_tools = true;
        assert_eq!(scope.on_request(own, &json!({})), Ruling::Allow, "{level}");
        assert_eq!(scope.on_announcement(own, &json!({})), Ruling::Allow);
        let other = scope.on_request("mcp__baton__plan_propose", &json!({}));
        assert_ne!(other, Ruling::Allow, "{level}");
    }
    let mut guarded = scope(ToolScopeMode::ByLevel, 2, &[], &[own]);
    guarded.has_session_tools = true;
    assert_eq!(guarded.on_request(own, &json!({})), Ruling::Ask);
}
