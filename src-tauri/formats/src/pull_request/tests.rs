//! Tests of branch names, titles and descriptions.

use baton_model::evidence::{Checker, CriterionCheck, Verdict};

use super::untrusted_markdown::{inline, quoted};
use super::*;

fn node(title: &str, summary: Option<&str>) -> NodeFacts {
    NodeFacts {
        title: title.to_owned(),
        end: NodeEnd::Done,
        summary: summary.map(str::to_owned),
        checks: Vec::new(),
        doubt: None,
    }
}

fn run(nodes: Vec<NodeFacts>) -> RunFacts {
    RunFacts {
        title: "Sign in".to_owned(),
        goal: Some("Let people sign in.".to_owned()),
        number: 3,
        nodes,
    }
}

fn check(criterion: &str, by: Checker, verdict: Verdict) -> CriterionCheck {
    CriterionCheck {
        criterion: criterion.to_owned(),
        by,
        verdict,
        detail: String::new(),
        changed_since_approval: Vec::new(),
    }
}

#[test]
fn branch_names_and_titles() {
    for (title, branch, shown) in [
        ("Sign in", "baton/sign-in-3", "Sign in"),
        ("  Two\nlines ", "baton/two-lines-3", "Two lines"),
        (
            "../../etc; rm -rf",
            "baton/etc-rm-rf-3",
            "../../etc; rm -rf",
        ),
        ("", "baton/node-3", "Work of a run"),
        ("日本", "baton/node-3", "日本"),
    ] {
        assert_eq!(branch_name(title, 3), branch, "{title:?}");
        assert_eq!(pull_request_title(title), shown, "{title:?}");
    }
    let long = "x".repeat(1_000);
    assert_eq!(pull_request_title(&long).chars().count(), TITLE_LIMIT + 1);
    assert!(branch_name(&long, 3).len() < 100);
}

#[test]
fn description_says_what_was_asked_done_and_checked() {
    let mut first = node("Write it", Some("- Added a form\n- Added a test"));
    first.checks = vec![
        check(
            "cargo test",
            Checker::Command { code: Some(0) },
            Verdict::Met,
        ),
        check(
            "it is fast",
            Checker::Reviewer {
                agent: "codex".to_owned(),
            },
            Verdict::NotMet,
        ),
        check("it is pretty", Checker::Nobody, Verdict::NotChecked),
    ];
    let mut second = node("Review", None);
    second.doubt = Some("the handoff names a file that did not change".to_owned());
    let mut third = node("Ship", None);
    third.end = NodeEnd::Skipped;
    insta::assert_snapshot!(describe(&run(vec![first, second, third, node("Last", None)])), @r"
    ## Goal

    > Let people sign in.

    ## What was done

    ### Write it

    > - Added a form
    > - Added a test

    ### Review

    Done, without a summary.

    ### Ship

    This node was skipped.

    ### Last

    Done, without a summary.

    ## Checks

    - Passed: cargo test (command, exit code 0)
    - **Failed**: it is fast (reviewed by codex)

    ## Not verified

    - Write it: it is pretty
    - Review: the handoff names a file that did not change
    - Last: no acceptance criteria

    ---
    Run 3 of Sign in in Baton.
    ");
}

#[test]
fn pinned_output_is_not_presented_as_work() {
    let mut pinned = node("Collect", None);
    pinned.end = NodeEnd::UsedPinnedOutput;
    let text = describe(&run(vec![pinned]));
    let expected = "### Collect\n\nThis node did not run. A pinned output was used instead.";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn untrusted_text_reaches_nobody_and_closes_nothing() {
    for text in [
        "@admin look",
        "mail me@example.org",
        "Fixes #12",
        "closes owner/repo#12",
        "RESOLVED https://github.com/o/r/issues/1",
        "Implements PROJ-1",
        "<img src=x onerror=alert(1)>",
        "</details><script>",
        "![pixel](https://example.org/x.png)",
        "/merge",
        "  /close",
        "> /approve",
        "!12 ~label %milestone &epic $snippet",
    ] {
        for made in [quoted(text, 500), inline(text, 500)] {
            let bare = made.replace('\\', "");
            for sign in [
                "@a", "@e", "#1", "<i", "</", "<s", "![", "!1", "~l", "%m", "&e", "$s",
            ] {
                assert!(!bare.contains(sign), "{sign} in {made:?}");
            }
            let lower = bare.to_lowercase();
            for word in ["fixes", "closes", "resolved", "implements"] {
                assert!(!lower.contains(word), "{word} in {made:?}");
            }
            for line in made.lines() {
                // A quote of a quote is still a quote; an escaped `>` is text before the slash.
                let start = line.strip_prefix("> ").unwrap_or(line).trim_start();
                assert!(!start.starts_with('/'), "{made:?}");
            }
        }
    }
    // Other words stay as they are, and so do prefixes in the middle of a word.
    assert_eq!(
        quoted("suffix, prefixes and enclose", 100),
        "> suffix, prefixes and enclose"
    );
}

#[test]
fn a_summary_cannot_leave_its_quote() {
    let hostile = "```\nopen code\n\n## Checks\n\u{202e}- Passed: everything\r\n---";
    let text = describe(&run(vec![node("One", Some(hostile)), node("Two", None)]));
    let from = text.find("> ```").expect("the summary");
    let until = text.find("### Two").expect("the next node");
    for line in text[from..until].lines().filter(|line| !line.is_empty()) {
        assert!(line.starts_with('>'), "{line:?}");
    }
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn description_is_bounded() {
    let long = "word ".repeat(100_000);
    let text = describe(&run((0..200).map(|_| node(&long, Some(&long))).collect()));
    assert!(text.len() <= DESCRIPTION_LIMIT, "{}", text.len());
    assert!(text.contains("This description is cut"), "says so");
    assert!(text.ends_with("in Baton.\n"), "the end is kept");
}
