//! Tests `baton help`: the guide's pages in a shell.

use baton_tests::{Shell, TestEnvironment};

/// Returns what `baton` printed on both streams, and its exit code.
fn asked(shell: &Shell, words: &[&str]) -> (String, String, Option<i32>) {
    let done = shell.baton(words).output().expect("baton starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&done.stdout), text(&done.stderr), done.status.code())
}

#[test]
fn help_lists_the_commands_and_the_topics() {
    let env = TestEnvironment::new();
    let (printed, _, code) = asked(&Shell::new(&env), &["help"]);
    assert_eq!(code, Some(0));
    assert!(printed.contains("Usage: baton"), "{printed}");
    assert!(
        printed.contains("getting-started      Getting started"),
        "{printed}"
    );
}

#[test]
fn topic_prints_its_page_without_markup() {
    let env = TestEnvironment::new();
    let (printed, _, code) = asked(&Shell::new(&env), &["help", "takeover"]);
    assert_eq!(code, Some(0));
    assert!(printed.starts_with("Executors and takeover\n"), "{printed}");
    assert!(printed.contains("    baton resume --all\n"), "{printed}");
    assert!(!printed.contains("]("), "{printed}");
}

#[test]
fn commands_have_their_own_help() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    for words in [["plan", "export"], ["node", "retry"]] {
        let (printed, _, code) = asked(&shell, &[&["help"][..], &words[..]].concat());
        let (same, _, _) = asked(&shell, &[&words[..], &["--help"]].concat());
        assert_eq!((printed, code), (same, Some(0)));
    }
    let (nested, _, code) = asked(&shell, &["plan", "help", "export"]);
    assert_eq!(code, Some(0));
    assert!(nested.contains("Usage: baton plan export"), "{nested}");
}

#[test]
fn unknown_topic_is_a_usage_error_with_suggestions() {
    let env = TestEnvironment::new();
    let (printed, complaint, code) = asked(&Shell::new(&env), &["help", "takover"]);
    assert_eq!((printed.as_str(), code), ("", Some(2)));
    assert!(complaint.contains("Did you mean 'takeover'"), "{complaint}");
}

#[test]
fn json_contains_the_page() {
    let env = TestEnvironment::new();
    let (printed, _, code) = asked(&Shell::new(&env), &["help", "edges", "--json"]);
    assert_eq!(code, Some(0));
    let page: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(page["title"], "Edges and trigger rules");
    assert!(page["text"].as_str().expect("text").contains("one_success"));
}
