//! Tests of the templates: all of them can be parsed and are valid plans.

use std::collections::BTreeSet;

use baton_model::NodeKind;
use baton_model::node::CommandLine;

use super::*;
use crate::Role;

#[test]
fn every_template_parses_without_warnings() {
    for template in TEMPLATES {
        let file = plan_file::read(template.text, Format::Yaml, template.id, &mut Uuid::now_v7);
        let file = file.unwrap_or_else(|error| panic!("{error}"));
        assert!(
            file.warnings.is_empty(),
            "{}: {:?}",
            template.id,
            file.warnings
        );
        assert!(
            file.plan.problems().is_empty(),
            "{}: {:?}",
            template.id,
            file.plan.problems()
        );
        assert!(
            !file.plan.description.trim().is_empty(),
            "{} has a description",
            template.id
        );
    }
}

#[test]
fn every_file_in_the_folder_is_registered() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    let files = std::fs::read_dir(folder)
        .expect("template folder exists")
        .map(|file| file.expect("readable"));
    let names: BTreeSet<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    let listed: BTreeSet<String> = TEMPLATES
        .iter()
        .map(|template| format!("{}.baton.yaml", template.id))
        .collect();
    assert_eq!(names, listed);
}

#[test]
fn nodes_have_titles_and_positions() {
    for template in TEMPLATES {
        let plan = template.plan().expect("parses");
        let nodes = plan.nodes.iter().filter(|node| node.is_executable());
        for node in nodes.clone() {
            let slug = node.slug.as_str();
            assert!(
                slug.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}: {slug}",
                template.id
            );
            assert_ne!(
                node.title, slug,
                "{}: a title says more than the id",
                template.id
            );
            assert!(
                node.position.is_some(),
                "{}: {slug} has a position",
                template.id
            );
        }
        assert!(
            (3..=7).contains(&nodes.count()),
            "{} is small enough to grasp at a glance",
            template.id
        );
        assert!(!plan.edges.is_empty(), "{} is a graph", template.id);
    }
}

/// A misspelled name would make the node fail only when it runs.
#[test]
fn values_come_only_from_ancestors_that_output_them() {
    for template in TEMPLATES {
        let plan = template.plan().expect("parses");
        let graph = plan.graph().expect("no cycle");
        for node in plan.nodes.iter().filter(|node| node.is_executable()) {
            for (slug, key) in referenced_outputs(node) {
                let from = plan.nodes.iter().find(|other| other.slug.as_str() == slug);
                let from =
                    from.unwrap_or_else(|| panic!("{}: there is no node {slug}", template.id));
                let number = |id| graph.number(id).expect("executable");
                let comes_first = graph.ancestors(number(node.id)).contains(&number(from.id));
                let is_soft = graph
                    .context_parents(number(node.id))
                    .any(|parent| parent == number(from.id));
                assert!(
                    comes_first || is_soft,
                    "{}: {} does not wait for {slug}",
                    template.id,
                    node.slug
                );
                assert!(
                    has_output(from, &key),
                    "{}: {slug} has no output {key}",
                    template.id
                );
            }
        }
    }
}

/// Program output must not become part of a command: a folder may be called `$(reboot)`.
#[test]
fn commands_receive_values_only_through_variables() {
    for template in TEMPLATES {
        for node in &template.plan().expect("parses").nodes {
            assert!(
                !shell(node).contains("{{"),
                "{}: {}",
                template.id,
                node.slug
            );
        }
    }
}

#[test]
fn examples_need_no_agent_and_agent_templates_use_the_default() {
    for template in TEMPLATES {
        for node in template.plan().expect("parses").nodes {
            if let NodeKind::Agent(task) = &node.kind {
                assert!(
                    !template.example,
                    "{}: {} needs an agent",
                    template.id, node.slug
                );
                assert_eq!(
                    (&task.agent, &task.model),
                    (&None, &None),
                    "{}: {}",
                    template.id,
                    node.slug
                );
                assert!(
                    !node.acceptance_criteria.is_empty(),
                    "{}: {}",
                    template.id,
                    node.slug
                );
                assert!(
                    !node.tools_required.is_empty(),
                    "{}: {}",
                    template.id,
                    node.slug
                );
            }
        }
    }
    assert_eq!(
        TEMPLATES.iter().filter(|template| template.example).count(),
        3
    );
}

#[test]
fn every_template_can_be_instantiated() {
    let data = tempfile::TempDir::new().expect("temp dir");
    // Nothing runs here; the program only has to exist.
    let keeper = data.path().join("keeper");
    std::fs::write(&keeper, "").expect("write file");
    let app = App::open_with_keeper(data.path().to_owned(), Role::Cli, keeper).expect("opens");
    for row in list(&app, Nothing {}).expect("parses") {
        let cwd = Some(data.path().display().to_string());
        let input = PlanFromTemplate {
            template: row.id.clone(),
            title: Some(" Mine ".to_owned()),
            cwd: cwd.clone(),
        };
        let made = instantiate(&app, input).expect("valid plan").plan;
        assert_eq!(
            (made.title.as_str(), &made.cwd),
            ("Mine", &cwd),
            "{}",
            row.id
        );
        assert_eq!(made.nodes.len(), row.plan.nodes.len());
        assert_ne!(made.id, row.plan.id, "each call creates a new plan");
    }
    app.shut_down();
}

/// The `(slug, key)` pairs in the `{{nodes.<slug>.outputs.<key>}}` references of a node.
fn referenced_outputs(node: &baton_model::Node) -> Vec<(String, String)> {
    let text = serde_json::to_string(node).expect("serializable");
    let expressions = text
        .split("{{nodes.")
        .skip(1)
        .filter_map(|rest| rest.split_once("}}"));
    let pairs = expressions.filter_map(|(expression, _)| expression.split_once(".outputs."));
    pairs
        .map(|(slug, key)| (slug.to_owned(), key.to_owned()))
        .collect()
}

/// Returns whether the node produces an output of this name.
fn has_output(node: &baton_model::Node, key: &str) -> bool {
    match &node.kind {
        NodeKind::UserInput(_) => key == "answer",
        NodeKind::Loop(_) => ["result", "iterations"].contains(&key),
        NodeKind::Parallel(_) | NodeKind::ToolCall(_) => key == "result",
        _ => shell(node).contains(&format!("{key}=")),
    }
}

/// All lines that a node passes to the shell.
fn shell(node: &baton_model::Node) -> String {
    match &node.kind {
        NodeKind::Command(task) => match &task.command {
            CommandLine::Shell(line) => line.clone(),
            CommandLine::Argv(words) => words.join(" "),
        },
        kind => {
            let calls = kind
                .tool_calls()
                .iter()
                .filter(|call| call.tool_name == "shell");
            calls
                .filter_map(|call| call.tool_args["command"].as_str())
                .collect::<Vec<_>>()
                .join("\n")
        }
    }
}
