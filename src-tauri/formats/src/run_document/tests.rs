//! Tests of the document of a run.

use baton_model::artifact::Author;
use baton_model::evidence::{
    AttemptEnding, Checker, CommandEnd, CommandRun, CriterionCheck, Evidence, FileChanges,
    FileSource, Mismatch, Verdict,
};
use baton_model::{Attempt, NodeState, Plan, Timestamp};

use super::*;
use crate::plan_fixture::{node_id, plan_of};

/// Texts that would be markup, a script, an address or a control code if they were not escaped.
const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "</title></style></pre></td><img src=x onerror=alert(2)>",
    "javascript:alert(3)",
    "\" onmouseover=\"alert(4)\" '",
    "\u{1b}[31m red \u{202e}\u{0} \u{8}",
    "<!-- ]]> &lt;svg onload=alert(5)>",
];

fn all_hostile() -> String {
    HOSTILE.join("\n")
}

fn evidence(text: &str) -> Evidence {
    Evidence {
        files: FileChanges {
            source: FileSource::Git,
            created: vec![text.to_owned()],
            changed: vec!["src/lib.rs".to_owned()],
            base: Some("4b825dc".to_owned()),
            ..FileChanges::default()
        },
        commands: vec![CommandRun {
            command: text.to_owned(),
            end: CommandEnd::Exited { code: 1 },
        }],
        checks: vec![CriterionCheck {
            criterion: text.to_owned(),
            by: Checker::Reviewer {
                agent: text.to_owned(),
            },
            verdict: Verdict::NotMet,
            detail: text.to_owned(),
            changed_since_approval: Vec::new(),
        }],
        mismatches: vec![Mismatch::Unmentioned {
            path: text.to_owned(),
        }],
        ending: Some(AttemptEnding {
            exit_code: Some(1),
            output: text.to_owned(),
            ..AttemptEnding::default()
        }),
        ..Evidence::default()
    }
}

fn attempt(text: &str) -> AttemptFacts {
    AttemptFacts {
        attempt: Attempt(1),
        agent: Some(text.to_owned()),
        reason: Some(text.to_owned()),
        cause: Some(text.to_owned()),
        started_at: Some(Timestamp(1_000)),
        ended_at: Some(Timestamp(61_000)),
        worked_ms: Some(60_000),
        succeeded: Some(false),
        outcome: text.to_owned(),
        usage: UsageFacts {
            input_tokens: Some(1_200),
            output_tokens: Some(34),
            cached_tokens: None,
            usd: Some(0.25),
        },
        evidence: Some(evidence(text)),
        handoffs: vec![HandoffFacts {
            author: Author::Person,
            at: Timestamp(61_000),
            text: text.to_owned(),
            outputs: vec![(text.to_owned(), text.to_owned())],
        }],
    }
}

fn facts<'a>(plan: &'a Plan, text: &str) -> RunFacts<'a> {
    let node = |at: usize, attempts: Vec<AttemptFacts>| NodeFacts {
        node: node_id(at),
        state: NodeState::Done { by_hand: false },
        worked_ms: Some(60_000),
        unverified: true,
        attempts,
        commits: Some(CommitRange {
            base: text.to_owned(),
            head: text.to_owned(),
        }),
    };
    let event = |is_by_person: bool| EventFacts {
        at: Timestamp(1_000),
        actor: text.to_owned(),
        is_by_person,
        sentence: text.to_owned(),
        details: vec![text.to_owned()],
    };
    RunFacts {
        plan,
        version: 2,
        number: 3,
        state: "completed",
        started_at: Timestamp(0),
        ended_at: Some(Timestamp(100_000)),
        nodes: vec![node(0, vec![attempt(text)]), node(1, Vec::new())],
        events: vec![event(true), event(false)],
        events_left_out: 1,
        nested_runs: 1,
        pull_request: Some(text.to_owned()),
    }
}

fn hostile_plan() -> Plan {
    let mut plan = plan_of(&HOSTILE[..2], &[(0, 1)]);
    plan.title = all_hostile();
    plan.description = all_hostile();
    plan
}

/// The tags of `html`, outside of texts.
fn tags(html: &str) -> Vec<&str> {
    html.split('<')
        .skip(1)
        .filter_map(|part| part.split('>').next())
        .collect()
}

#[test]
fn hostile_texts_are_text_everywhere() {
    let plan = hostile_plan();
    let html = write(&facts(&plan, &all_hostile()));
    for tag in tags(&html) {
        let name = tag.split_whitespace().next().unwrap_or_default();
        assert!(
            !["script", "img", "iframe", "a", "form"].contains(&name),
            "{tag}"
        );
        assert!(
            !tag.contains(" on") && !tag.contains("javascript:"),
            "{tag}"
        );
    }
    assert!(!html.contains("<script"), "no script");
    assert_eq!(
        html.matches("</title>").count(),
        html.matches("<title>").count()
    );
    assert_eq!(
        html.matches("</style>").count(),
        1,
        "no text ends the style sheet"
    );
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "shown as text"
    );
    for hidden in ['\u{1b}', '\u{202e}', '\u{0}', '\u{8}'] {
        assert!(!html.contains(hidden), "{hidden:?} is left out");
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let plan = hostile_plan();
    let html = write(&facts(&plan, "text"));
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">";
    let head = html.split("</head>").next().unwrap_or_default();
    assert!(head.contains(policy), "{head}");
    assert!(
        head.find(policy) < head.find("<style>"),
        "the policy comes first"
    );
    for tag in tags(&html) {
        assert!(!tag.contains("src=") && !tag.contains("url("), "{tag}");
        assert!(
            !tag.contains("href=") || tag.contains("href=\"data:,\""),
            "{tag}"
        );
    }
    assert!(
        !html.contains("@import") && !html.contains("url("),
        "no style is loaded"
    );
}

#[test]
fn document_tells_what_happened() {
    let plan = plan_of(&["Build", "Test"], &[(0, 1)]);
    let mut run = facts(&plan, "words of an agent");
    run.events[0].actor = "a person in the window".to_owned();
    run.events[0].sentence = "'Build' was approved to start".to_owned();
    let html = write(&run);
    for part in [
        "<h1>A plan</h1>",
        "Run #3 of version 2",
        "<h2 id=\"decisions\">What people decided</h2>",
        "a person in the window",
        "&#39;Build&#39; was approved to start",
        "<h3>Build</h3>",
        "<h4>Attempt 1</h4>",
        "1,200 read, 34 written",
        "$0.25",
        "1970-01-01 00:01:40 UTC",
        "1m 40s",
        "src/lib.rs",
        "4b825dc",
        "not met",
        "exit code 1",
        "Handoff, written or edited by a person",
        "1 earlier event left out.",
        "<rect class=\"bar failed\"",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert!(
        !html.contains("<h3>Test</h3>"),
        "a node without attempts has only its row"
    );
    assert_eq!(html.matches("role=\"img\"").count(), 2, "light and dark");
}

#[test]
fn run_that_did_nothing_has_a_document() {
    let plan = plan_of(&[], &[]);
    let mut run = facts(&plan, "");
    (run.nodes, run.events, run.ended_at) = (Vec::new(), Vec::new(), None);
    let html = write(&run);
    assert!(html.contains("No node has started."));
    assert!(html.contains("No person did anything in this run."));
    assert!(html.ends_with("</html>\n"));
}
