//! Tests of importing plan files and the files they reference.

use std::sync::Arc;

use baton_model::node::Position;
use tempfile::TempDir;

use super::*;
use crate::Role;

/// An open Baton and a folder for files.
struct TestEnvironment {
    app: Arc<App>,
    place: TempDir,
}

impl TestEnvironment {
    fn new() -> Self {
        let place = TempDir::new().expect("temp dir");
        // Nothing runs here; the program only has to exist.
        let keeper = place.path().join("keeper");
        fs::write(&keeper, "").expect("write file");
        let app =
            App::open_with_keeper(place.path().join("data"), Role::Cli, keeper).expect("opens");
        Self { app, place }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.place.path().join(name);
        fs::create_dir_all(path.parent().expect("has a parent")).expect("create folders");
        fs::write(path, text).expect("write file");
    }

    fn input(&self, name: &str) -> PlanImport {
        let path = self.place.path().canonicalize().expect("exists").join(name);
        let text = fs::read_to_string(&path).expect("readable");
        PlanImport {
            file_name: path.display().to_string(),
            text,
            cwd: None,
            ..PlanImport::default()
        }
    }

    fn import_or_update(&self, name: &str) -> PlanImported {
        import_or_update(&self.app, self.input(name)).unwrap_or_else(|error| panic!("{error}"))
    }

    fn refusal(&self, name: &str) -> String {
        let before = self.titles();
        let message = import_or_update(&self.app, self.input(name))
            .expect_err("must be refused")
            .message;
        assert_eq!(self.titles(), before, "nothing is stored");
        message.replace(
            &self
                .place
                .path()
                .canonicalize()
                .expect("exists")
                .display()
                .to_string(),
            "PLACE",
        )
    }

    fn titles(&self) -> Vec<String> {
        let mut titles: Vec<_> = self
            .app
            .store
            .plans()
            .list()
            .expect("plans")
            .rows
            .into_iter()
            .map(|row| row.title)
            .collect();
        titles.sort();
        titles
    }
}

impl Drop for TestEnvironment {
    fn drop(&mut self) {
        self.app.shut_down();
    }
}

fn runs(title: &str, children: &[&str]) -> String {
    let node = |(number, child): (usize, &&str)| {
        format!("  - {{id: n{number}, kind: sub_plan, subPlanId: {child}}}\n")
    };
    let nodes: String = children.iter().enumerate().map(node).collect();
    format!("baton: 1\ntitle: {title}\nnodes:\n{nodes}")
}

fn does(title: &str, command: &str) -> String {
    format!("baton: 1\ntitle: {title}\nnodes:\n  - {{id: a, kind: command, command: {command}}}\n")
}

fn named(plan: &Plan) -> Vec<String> {
    plan.nodes
        .iter()
        .filter_map(|node| node.kind.sub_plan())
        .map(|task| task.sub_plan_id.clone())
        .collect()
}

#[test]
fn referenced_files_are_imported() {
    let env = TestEnvironment::new();
    env.write(
        "top.yaml",
        &runs(
            "Top",
            &[
                "parts/left.yaml",
                "parts/right.yaml",
                "parts/left.yaml",
                "Some title",
            ],
        ),
    );
    env.write("parts/left.yaml", &runs("Left", &["./right.yaml"]));
    env.write("parts/right.yaml", &does("Right", "ls"));
    let first = env.import_or_update("top.yaml");
    let [right, left] = first.sub_plans[..] else {
        panic!("expected two files, each once: {:?}", first.sub_plans)
    };
    let expected = [
        left.to_string(),
        right.to_string(),
        left.to_string(),
        "Some title".to_owned(),
    ];
    assert_eq!(named(&first.plan.plan), expected);
    let view = |plan| plans::view(&env.app, plan).expect("stored").plan;
    assert_eq!(
        named(&view(left)),
        [right.to_string()],
        "resolved relative to the file that sets it"
    );
    let folder = env
        .place
        .path()
        .canonicalize()
        .expect("exists")
        .join("parts");
    assert_eq!(view(right).cwd, Some(folder.display().to_string()));

    let again = env.import_or_update("top.yaml");
    assert_eq!(
        (again.plan.version, again.sub_plans),
        (1, first.sub_plans),
        "nothing has changed"
    );
    env.write("parts/right.yaml", &does("Right", "pwd"));
    let changed = env.import_or_update("top.yaml");
    assert_eq!(changed.plan.version, 1, "the referenced plans are the same");
    assert_eq!(plans::view(&env.app, right).expect("stored").version, 2);

    let copy = import(&env.app, env.input("top.yaml")).expect("valid plan");
    assert_ne!(copy.plan.plan.id, first.plan.plan.id, "a new plan");
    assert_eq!(
        copy.sub_plans, changed.sub_plans,
        "which references the same ones"
    );
}

#[test]
fn one_invalid_file_rejects_the_import() {
    let env = TestEnvironment::new();
    env.write(
        "missing.yaml",
        &runs("Top", &["sound.yaml", "nowhere.yaml"]),
    );
    env.write("sound.yaml", &does("Sound", "ls"));
    env.write("faulty.yaml", &runs("Top", &["sound.yaml", "broken.yaml"]));
    env.write("broken.yaml", "baton: 1\nnods: []\n");
    env.write("a.yaml", &runs("First", &["b.yaml"]));
    env.write("b.yaml", &runs("Second", &["sound.yaml", "a.yaml"]));
    env.write("self.yaml", &runs("Alone", &["self.yaml"]));
    env.write("folder.yaml/x", "");
    env.write("odd.yaml", &runs("Odd", &["folder.yaml"]));
    for number in 0..=DEPTH_LIMIT {
        env.write(
            &format!("deep{number}.yaml"),
            &runs(
                &format!("D{number}"),
                &[&format!("deep{}.yaml", number + 1)],
            ),
        );
    }
    let refusals = [
        "missing.yaml",
        "faulty.yaml",
        "a.yaml",
        "self.yaml",
        "odd.yaml",
        "deep0.yaml",
    ]
    .map(|name| env.refusal(name));
    insta::assert_snapshot!(refusals.join("\n"));
    let mut loose = env.input("missing.yaml");
    loose.file_name = "missing.yaml".to_owned();
    let error = import(&env.app, loose).expect_err("unknown folder");
    insta::assert_snapshot!(error.message);
}

#[test]
fn title_that_looks_like_a_file_name_is_accepted() {
    let env = TestEnvironment::new();
    env.write("titled.yaml", &does("v1.json", "ls"));
    env.import_or_update("titled.yaml");
    env.write("top.yaml", &runs("Top", &["v1.json"]));
    let top = env.import_or_update("top.yaml");
    assert_eq!(named(&top.plan.plan), ["v1.json"]);
    assert!(top.sub_plans.is_empty());
}

#[test]
fn reimport_keeps_node_ids() {
    let env = TestEnvironment::new();
    let text = |nodes: &str| format!("baton: 1\ntitle: Same\nnodes:\n{nodes}");
    let build = "  - {id: build, kind: command, command: make, onFailure: tidy}\n";
    let tidy = "  - {id: tidy, kind: command, command: make clean}\n";
    env.write("same.yaml", &text(&format!("{build}{tidy}")));
    let first = env.import_or_update("same.yaml").plan;
    let mut placed = first.plan.clone();
    placed.nodes[0].position = Some(Position { x: 7.0, y: 7.0 });
    let save = PlanSave {
        plan: placed,
        base_revision: first.revision,
    };
    plans::save(&env.app, save).expect("only moved");

    let fork =
        "  - {id: fork, kind: condition, condition: 'true', trueStep: build, falseStep: tidy}\n";
    env.write("same.yaml", &text(&format!("{fork}{build}{tidy}")));
    let second = env.import_or_update("same.yaml").plan;
    assert_eq!((second.plan.id, second.version), (first.plan.id, 2));
    assert_eq!(second.plan.nodes[1].id, first.plan.nodes[0].id);
    assert_eq!(
        second.plan.nodes[1].position,
        Some(Position { x: 7.0, y: 7.0 }),
        "position is kept"
    );
    let NodeKind::Condition(task) = &second.plan.nodes[0].kind else {
        panic!("a fork")
    };
    assert_eq!(
        task.true_step,
        Some(first.plan.nodes[0].id),
        "branches lead to the existing nodes"
    );
    assert!(second.plan.problems().is_empty());
    assert_eq!(env.import_or_update("same.yaml").plan.version, 2);
}

#[test]
fn reimport_with_changed_groups_keeps_version_and_group_ids() {
    let env = TestEnvironment::new();
    let text = |groups: &str| {
        format!("baton: 1\nnodes:\n  - {{id: a, prompt: x}}\n  - {{id: b, prompt: y}}\n{groups}")
    };
    env.write(
        "groups.yaml",
        &text("groups:\n  - {title: G, nodes: [a]}\n  - {title: H, nodes: [b]}\n"),
    );
    let first = env.import_or_update("groups.yaml").plan;
    env.write(
        "groups.yaml",
        &text("groups:\n  - {title: G, nodes: [a]}\n  - {title: G, nodes: [b]}\n"),
    );
    let second = env.import_or_update("groups.yaml").plan;
    assert_eq!(second.version, first.version, "groups are layout");
    assert!(second.revision > first.revision, "but they are stored");
    assert_eq!(second.plan.groups[0], first.plan.groups[0]);
    assert_eq!(second.plan.groups[1].nodes, first.plan.groups[1].nodes);
    assert!(
        second.plan.problems().is_empty(),
        "groups with the same title stay separate"
    );
    assert_eq!(
        env.import_or_update("groups.yaml").plan.revision,
        second.revision,
        "the same file changes nothing"
    );
}

#[test]
fn plan_copy_references_its_own_nodes() {
    let env = TestEnvironment::new();
    env.write(
        "jump.yaml",
        "baton: 1\nnodes:\n  - {id: a, prompt: x, onFailure: b}\n  - {id: b, prompt: y}\n",
    );
    let plan = env.import_or_update("jump.yaml").plan.plan;
    let copy = plans::duplicate(&env.app, PlanRef { plan: plan.id })
        .expect("a copy")
        .plan;
    assert_eq!(
        copy.nodes[0].on_failure,
        baton_model::node::OnFailure::Node(copy.nodes[1].id)
    );
}

#[test]
fn preview_reports_the_effect_and_stores_nothing() {
    let env = TestEnvironment::new();
    env.write("child.yaml", &does("Child", "echo one"));
    env.write("parent.yaml", &runs("Parent", &["child.yaml"]));
    let preview_file =
        |name: &str| preview(&env.app, env.input(name)).unwrap_or_else(|error| panic!("{error}"));

    let before = env.titles();
    let fresh = preview_file("parent.yaml");
    assert_eq!(
        (fresh.plan.title.as_str(), fresh.fate, fresh.sub_plans),
        ("Parent", PlanImportEffect::New, 1)
    );
    assert_eq!(env.titles(), before, "preview stores nothing");

    let brought = env.import_or_update("parent.yaml").plan;
    let same = preview_file("parent.yaml");
    assert_eq!(
        (same.plan.id, same.fate),
        (brought.plan.id, PlanImportEffect::Same)
    );

    env.write("child.yaml", &does("Child", "echo two"));
    assert_eq!(
        preview_file("parent.yaml").fate,
        PlanImportEffect::Same,
        "an import of the file gives the same"
    );
    assert_eq!(preview_file("child.yaml").fate, PlanImportEffect::Changed);
    let child = env
        .app
        .store
        .plans()
        .current(named(&brought.plan)[0].parse().map(PlanId).expect("an id"));
    assert!(
        format!("{:?}", child.expect("stored").1).contains("echo one"),
        "the preview changed nothing"
    );
}

#[test]
fn preview_refuses_what_import_refuses() {
    let env = TestEnvironment::new();
    env.write("lonely.yaml", &runs("Lonely", &["gone.yaml"]));
    let refused = preview(&env.app, env.input("lonely.yaml"))
        .map(drop)
        .expect_err("missing file");
    assert_eq!(refused.code, Code::Invalid);
}
