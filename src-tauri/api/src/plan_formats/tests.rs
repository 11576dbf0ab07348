//! Which parser is used for a text, and its result.

use super::*;

const FLOWCHART: &str = "flowchart LR\n a[First] --> b[Second]\n";
const YAML: &str = "baton: 1\ntitle: A plan\nnodes:\n  - id: a\n    prompt: Do it\n";

fn titles(file_name: &str, text: &str) -> Result<Vec<String>, Vec<String>> {
    let Parsed { plan, .. } = parse(file_name, text).map_err(|error| error.faults)?;
    Ok(plan.nodes.into_iter().map(|node| node.title).collect())
}

#[test]
fn format_is_detected_by_name_or_content() {
    let json = r#"{"baton": 1, "nodes": [{"id": "a", "prompt": "Do it"}]}"#;
    for (name, text, titles_of) in [
        ("a.mmd", FLOWCHART, vec!["First", "Second"]),
        ("clipboard", FLOWCHART, vec!["First", "Second"]),
        ("a.yaml", YAML, vec!["a"]),
        ("clipboard", YAML, vec!["a"]),
        ("clipboard", json, vec!["a"]),
    ] {
        let expected: Vec<_> = titles_of.into_iter().map(str::to_owned).collect();
        assert_eq!(titles(name, text), Ok(expected), "{name}: {text}");
    }
}

#[test]
fn each_fault_has_its_line() {
    let faults = titles("flow.mmd", "flowchart LR\n a -> b\n c[open\n").expect_err("two faults");
    assert_eq!(faults.len(), 2);
    assert!(
        faults[0].starts_with("flow.mmd:2:1: ") && faults[1].starts_with("flow.mmd:3:1: "),
        "{faults:?}"
    );
}

#[test]
fn yaml_file_is_never_parsed_as_flowchart() {
    let faults = titles("plan.yaml", FLOWCHART).expect_err("no plan file");
    assert!(!faults.is_empty());
}

#[test]
fn code_fences_are_stripped() {
    let fenced = |language: &str, text: &str| format!("\n```{language}\n{text}\n```\n");
    assert_eq!(
        titles("clipboard", &fenced("mermaid", FLOWCHART)),
        titles("clipboard", FLOWCHART)
    );
    assert_eq!(
        titles("clipboard", &fenced("yaml", YAML)),
        titles("clipboard", YAML)
    );
    let faults =
        titles("clipboard", &fenced("mermaid", "flowchart LR\n a -> b")).expect_err("one fault");
    assert!(
        faults[0].starts_with("clipboard:4:1: "),
        "lines are counted as they were copied: {faults:?}"
    );
}

#[test]
fn node_fragments_can_be_pasted_but_not_imported() {
    let nodes = "- id: a\n  prompt: Do it\n- {id: b, kind: command, command: ls, dependsOn: [a]}\n";
    let indented = nodes
        .lines()
        .map(|line| format!("  {line}\n"))
        .collect::<String>();
    let json =
        r#"[{"id": "a", "prompt": "Do it"}, {"id": "b", "kind": "command", "command": "ls"}]"#;
    for text in [
        nodes,
        &format!("nodes:\n{indented}"),
        json,
        &format!("{{\"nodes\": {json}}}"),
    ] {
        let read =
            parse_text("clipboard", text, plan_file::read_fragment).map_err(|error| error.faults);
        let titles: Vec<String> = read
            .expect(text)
            .plan
            .nodes
            .into_iter()
            .map(|node| node.title)
            .collect();
        assert_eq!(titles, ["a", "b"], "{text}");
        assert!(
            parse("plan.yaml", text).is_err(),
            "a whole file needs its format: {text}"
        );
    }
    let faults = parse_text(
        "clipboard",
        "- id: a\n  kind: nothing\n",
        plan_file::read_fragment,
    )
    .err()
    .expect("a fault");
    assert!(
        faults.faults[0].starts_with("clipboard:2:9: "),
        "{:?}",
        faults.faults
    );
}
