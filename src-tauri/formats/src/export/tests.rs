//! All formats export the same plan, and titles are never more than text.

use uuid::Uuid;

use super::theme::{self, STATE_STYLES};
use super::{ExportFormat, View, write};
use crate::plan_fixture::{node_id, plan_of};
use baton_model::Direction;
use baton_model::node::{ConditionTask, Criterion, NodeKind, Note, OnFailure, Position};
use baton_model::plan::Risk;
use baton_model::{Color, Group};
use baton_model::{GroupId, NodeId, Plan};

const HOSTILE: &str =
    "\"</text><script>alert(1)</script> \\\" ]] --> & `x` *b* \u{202e}\u{7} 🎉 שלום";

/// A plan with everything that can be drawn.
fn fixture() -> Plan {
    let mut plan = plan_of(
        &["Draft", HOSTILE, "Fork", "Good", "Bad", "Note"],
        &[(0, 1), (0, 2), (1, 3)],
    );
    plan.title = "Ship <it> \"now\"".to_owned();
    plan.description = "Ship it.\n```\nrm -rf /\n```".to_owned();
    plan.edges[1].soft = true;
    let fork = ConditionTask {
        condition: "true".to_owned(),
        true_step: Some(node_id(3)),
        false_step: Some(node_id(4)),
    };
    plan.nodes[2].kind = NodeKind::Condition(fork);
    plan.nodes[0].on_failure = OnFailure::Node(node_id(4));
    plan.nodes[0].acceptance_criteria = vec![
        Criterion::Sentence("It *works*".to_owned()),
        Criterion::run("make `test`"),
    ];
    plan.nodes[5].kind = NodeKind::Note(Note {
        text: "# Mind\nthe gap".to_owned(),
        ..Note::default()
    });
    for (node, (x, y)) in
        plan.nodes
            .iter_mut()
            .zip([(0, 0), (300, 0), (300, 92), (600, 0), (600, 92), (0, 200)])
    {
        node.position = Some(Position {
            x: f64::from(x),
            y: f64::from(y),
        });
    }
    let nodes = vec![node_id(1), node_id(2)];
    plan.groups = vec![Group {
        id: GroupId(Uuid::from_u128(9)),
        title: "Checks & more".to_owned(),
        color: Color::Teal,
        nodes,
    }];
    plan
}

fn view() -> View {
    let states = [
        (node_id(0), "done"),
        (node_id(1), "running"),
        (node_id(2), "failed"),
    ]
    .into();
    View {
        states,
        ..View::default()
    }
}

#[test]
fn plan_exports_to_dot() {
    insta::assert_snapshot!(write(&fixture(), ExportFormat::Dot, &view()));
}

#[test]
fn plan_exports_to_markdown() {
    insta::assert_snapshot!(write(&fixture(), ExportFormat::Markdown, &view()));
}

/// Their text can't become Markdown of the document.
#[test]
fn markdown_shows_risks_and_context() {
    let mut plan = fixture();
    plan.risks = vec![
        Risk {
            text: "It might bounce\n## Approved".to_owned(),
            mitigation: Some("check *first*".to_owned()),
        },
        Risk {
            text: "It is late".to_owned(),
            mitigation: None,
        },
    ];
    plan.context.notes = "Pay ```now```".to_owned();
    let text = write(&plan, ExportFormat::Markdown, &view());
    let risks =
        "\n## Risks\n\n- It might bounce \\#\\# Approved (check \\*first\\*)\n- It is late\n";
    assert!(text.contains(risks), "{text}");
    assert!(
        text.contains("\n## Context\n\n````text\nPay ```now```\n````\n"),
        "{text}"
    );
}

#[test]
fn plan_exports_to_svg() {
    let plan = fixture();
    let picture = write(&plan, ExportFormat::Svg, &view());
    insta::assert_snapshot!(picture);
    let dark = write(
        &plan,
        ExportFormat::Svg,
        &View {
            dark: true,
            direction: Direction::TopDown,
            ..view()
        },
    );
    assert_eq!(
        elements(&dark),
        elements(&picture),
        "the same elements in dark mode and from top to bottom"
    );
    assert!(!dark.contains("#f4f5f8"), "no light background is left");
}

/// The element names of `xml` in order. Panics unless it is well-formed: all elements are closed,
/// attributes are quoted, and text is escaped.
fn elements(xml: &str) -> Vec<String> {
    let (mut names, mut open): (Vec<String>, Vec<String>) = Default::default();
    let mut rest = xml.trim_end();
    while let Some(at) = rest.find('<') {
        assert!(
            !rest[..at].contains('>'),
            "text is escaped: {}",
            &rest[..at]
        );
        let end = at + rest[at..].find('>').expect("tag is closed");
        let tag = &rest[at + 1..end];
        assert!(
            !tag.contains('<') && tag.matches('"').count().is_multiple_of(2),
            "{tag}"
        );
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else {
            let name = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
            names.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    assert_eq!((rest, open.is_empty()), ("", true));
    names
}

#[test]
fn svg_has_no_scripts_or_remote_resources() {
    let picture = write(&fixture(), ExportFormat::Svg, &view());
    let known = ["svg", "title", "rect", "path", "g", "text"];
    assert!(
        elements(&picture)
            .iter()
            .all(|name| known.contains(&name.as_str()))
    );
    for word in [
        "href",
        "onload",
        "style=",
        "url(",
        "<script",
        "foreignObject",
    ] {
        assert!(!picture.contains(word), "{word}");
    }
}

#[test]
fn empty_and_large_plans_export_to_svg() {
    let empty = plan_of(&[], &[]);
    for format in ExportFormat::ALL {
        assert!(
            write(&empty, format, &View::default()).ends_with('\n'),
            "{format:?}"
        );
    }
    let chain: Vec<_> = (1..200).map(|n| (n / 2, n)).collect();
    let large = plan_of(&vec!["A node of many"; 200], &chain);
    let drawn = elements(&write(&large, ExportFormat::Svg, &View::default()));
    assert_eq!(
        drawn.iter().filter(|name| *name == "g").count(),
        200,
        "nodes without a position get one"
    );
}

#[test]
fn selection_exports_only_selected_nodes() {
    let only = Some([node_id(0), node_id(1)].into());
    for format in [
        ExportFormat::Svg,
        ExportFormat::Dot,
        ExportFormat::Mermaid,
        ExportFormat::Markdown,
    ] {
        let text = write(
            &fixture(),
            format,
            &View {
                only: only.clone(),
                ..View::default()
            },
        );
        assert!(
            text.contains("Draft") && !text.contains("Good") && !text.contains("Mind"),
            "{format:?}: {text}"
        );
    }
}

/// The quoted strings of a DOT text as Graphviz reads them. Panics if anything else is not plain
/// syntax.
#[test]
fn dot_strings_are_escaped() {
    let text = write(&fixture(), ExportFormat::Dot, &view());
    let (mut outside, mut strings, mut inside, mut escaped) = (String::new(), 0, false, false);
    for char in text.chars() {
        match (inside, escaped, char) {
            (true, false, '\\') => escaped = true,
            (_, false, '"') => {
                inside = !inside;
                strings += usize::from(inside);
            }
            (false, ..) => outside.push(char),
            _ => escaped = false,
        }
    }
    assert!(!inside && strings > 20);
    assert!(
        !outside.contains("script") && !outside.contains('<'),
        "{outside}"
    );
    assert_eq!(outside.matches('{').count(), 1);
}

#[test]
fn colors_match_ui_tokens() {
    let tokens = include_str!("../../../../ui/src/design/tokens.css");
    for style in &STATE_STYLES {
        let line = format!(
            "--state-{}: light-dark({}, {});",
            style.state,
            style.hue.hex(false),
            style.hue.hex(true)
        );
        assert!(tokens.contains(&line), "{line}");
    }
    for (name, color) in [
        ("canvas", theme::CANVAS),
        ("surface", theme::SURFACE),
        ("line", theme::LINE),
        ("fg", theme::TEXT),
        ("faint", theme::FAINT),
    ] {
        let line = format!(
            "--{name}: light-dark({}, {});",
            color.hex(false),
            color.hex(true)
        );
        assert!(tokens.contains(&line), "{line}");
    }
}

#[test]
fn file_names_round_trip_to_formats() {
    for format in ExportFormat::ALL {
        assert_eq!(
            ExportFormat::from_file_name(&format!("a.{}", format.extension())),
            Some(format)
        );
    }
}

#[test]
fn disabled_node_is_marked() {
    let mut plan = plan_of(&["Draft", "Review"], &[(0, 1)]);
    plan.nodes[1].disabled = true;
    let written = |format| write(&plan, format, &View::default());
    let marks = [
        (ExportFormat::Dot, "style=\"rounded,filled,dashed\""),
        (ExportFormat::Markdown, ", disabled\n"),
        (ExportFormat::Svg, "stroke-dasharray=\"4 3\""),
        (ExportFormat::Svg, "text-decoration=\"line-through\""),
        (
            ExportFormat::Mermaid,
            "    classDef disabled stroke-dasharray:4 3\n    class",
        ),
    ];
    for (format, mark) in marks {
        assert_eq!(
            written(format).matches(mark).count(),
            1,
            "{format:?} marks the disabled node"
        );
    }
    let mut number = 100;
    let mut ids = || {
        number += 1;
        Uuid::from_u128(number)
    };
    let again = crate::mermaid::read(&written(ExportFormat::Mermaid), "again.mmd", &mut ids);
    assert!(again.is_ok(), "the mark can be read back");
}

/// Imports `text` as a file of GitHub issues.
fn import_issues(text: &str) -> Plan {
    let file = crate::import::SourceFile {
        path: "plan.issues.jsonl".to_owned(),
        text: text.to_owned(),
    };
    let files = [file];
    let format = crate::import::detect(&files).expect("one format");
    assert_eq!(format, Some(crate::import::ImportFormat::GithubIssues));
    let mut number = 500;
    let mut ids = || {
        number += 1;
        Uuid::from_u128(number)
    };
    let format = crate::import::ImportFormat::GithubIssues;
    let mut plans = crate::import::import(format, &files, &mut ids).expect("a plan");
    plans.remove(0).plan
}

/// What a plan consists of, without ids.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    nodes: Vec<String>,
    edges: Vec<(String, String)>,
    groups: Vec<(String, Vec<String>)>,
}

fn shape(plan: &Plan) -> Shape {
    let title = |id: &NodeId| {
        plan.node(*id)
            .map_or(String::new(), |node| node.title.clone())
    };
    let nodes = plan.nodes.iter().map(|node| node.title.clone());
    let edges = plan
        .edges
        .iter()
        .map(|edge| (title(&edge.parent), title(&edge.child)));
    let groups = plan.groups.iter().map(|group| {
        let nodes = group.nodes.iter().map(title);
        (group.title.clone(), nodes.collect())
    });
    let mut edges: Vec<_> = edges.collect();
    edges.sort();
    Shape {
        nodes: nodes.collect(),
        edges,
        groups: groups.collect(),
    }
}

#[test]
fn github_issues_import_as_the_same_graph() {
    let titles = [
        "Build",
        "Test <b>",
        "Ask @person, fixes #3",
        "Release 🚀",
        "Announce",
    ];
    let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (0, 4)];
    let mut plan = plan_of(&titles, &edges);
    plan.groups.push(baton_model::Group {
        id: baton_model::GroupId(Uuid::from_u128(900)),
        title: "Checks".to_owned(),
        color: baton_model::Color::default(),
        nodes: vec![node_id(1), node_id(2)],
    });
    plan.nodes[1].acceptance_criteria = vec![
        baton_model::node::Criterion::Sentence("It works".to_owned()),
        baton_model::node::Criterion::run("true"),
    ];
    let text = write(&plan, ExportFormat::GithubIssues, &View::default());
    let again = import_issues(&text);
    assert_eq!(shape(&again), shape(&plan));
    assert_eq!(again.nodes[1].acceptance_criteria.len(), 2);
    assert!(
        again.edges.iter().all(|edge| !edge.inferred),
        "nothing is a guess"
    );
    for (line, number) in text.lines().zip(1..) {
        let issue: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(issue["number"], number);
        assert_eq!(issue["labels"], serde_json::json!(["baton"]));
        assert!(
            issue["title"].is_string() && issue["body"].is_string(),
            "{line}"
        );
    }
}

#[test]
fn github_issues_mention_nobody_and_name_their_nodes() {
    let mut plan = plan_of(&["Build"], &[]);
    plan.nodes[0].description = "@octocat fixes #1\n/merge \u{1b}[31m".to_owned();
    let text = write(&plan, ExportFormat::GithubIssues, &View::default());
    let issue: serde_json::Value = serde_json::from_str(text.trim()).expect("JSON");
    let body = issue["body"].as_str().expect("text");
    for word in ["@octocat", "fixes", "#1", "\n/merge", "\u{1b}"] {
        assert!(!body.contains(word), "{word:?} in {body:?}");
    }
    let mark = format!("<!-- baton node: n0 {} -->", node_id(0));
    assert!(body.contains(&mark), "{body}");
}
