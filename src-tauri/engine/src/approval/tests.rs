use std::os::unix::fs::symlink;

use baton_model::node::{CommandLine, CommandTask};
use baton_model::{NodeId, PlanId, Slug};
use uuid::Uuid;

use super::*;

/// A plan in `directory` with one command node, in `own` if given, with these criteria.
fn plan(directory: &Path, own: Option<&str>, lines: &[&str]) -> Plan {
    let command = CommandLine::Shell("true".to_owned());
    let task = CommandTask {
        command,
        env: BTreeMap::new(),
        cwd: own.map(str::to_owned),
    };
    let slug = Slug::new("work").expect("valid slug");
    let mut node = Node::new(
        NodeId(Uuid::from_u128(2)),
        slug,
        "Work",
        NodeKind::Command(task),
    );
    node.acceptance_criteria = lines.iter().map(|line| Criterion::run(*line)).collect();
    let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "A plan");
    plan.cwd = Some(directory.display().to_string());
    plan.nodes.push(node);
    plan
}

fn write(path: &Path, content: &str, mode: u32) {
    fs::create_dir_all(path.parent().expect("create folder")).expect("create folder");
    fs::write(path, content).expect("write file");
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set permissions");
}

fn covered(plan: &Plan) -> Vec<String> {
    let files = approved_content(plan).expect("serializable").files;
    files.into_iter().map(|file| file.path).collect()
}

#[test]
fn criterion_programs_are_digested_but_not_data() {
    let folder = tempfile::tempdir().expect("temp dir");
    let at = |name: &str| folder.path().join(name);
    write(&at("check.sh"), "true\n", 0o644);
    write(&at("out.txt"), "done\n", 0o644);
    write(&at("ui/lint"), "#!/bin/sh\n", 0o644);
    write(&at("tool"), "any\n", 0o755);
    write(&at("built"), "\x7fELF and more", 0o755);
    let table: &[(&str, &[&str])] = &[
        ("sh check.sh out.txt", &["check.sh"]),
        ("sh ./ui/../check.sh", &["check.sh"]),
        ("test -s out.txt", &[]),
        ("cd ui && ./lint", &["ui/lint"]),
        (
            "unknown --with tool --and=ui/lint --or out.txt",
            &["tool", "ui/lint"],
        ),
        ("./built && sh check.sh", &["check.sh"]),
        ("sh missing.sh", &[]),
        ("sh ui", &[]),
    ];
    for (line, expected) in table {
        assert_eq!(
            covered(&plan(folder.path(), None, &[line])),
            *expected,
            "{line}"
        );
    }
    assert_eq!(
        covered(&plan(
            folder.path(),
            Some("ui"),
            &["./lint", "sh ../check.sh"]
        )),
        ["check.sh", "ui/lint"]
    );
    let absolute = format!("sh {}", at("check.sh").display());
    assert_eq!(
        covered(&plan(folder.path(), None, &[&absolute])),
        ["check.sh"]
    );
}

#[test]
fn only_regular_files_inside_are_read() {
    let (folder, outside) = (
        tempfile::tempdir().expect("temp dir"),
        tempfile::tempdir().expect("temp dir"),
    );
    let at = |name: &str| folder.path().join(name);
    write(&outside.path().join("secret.sh"), "secret\n", 0o755);
    write(&at("real.sh"), "true\n", 0o755);
    symlink(outside.path().join("secret.sh"), at("out.sh")).expect("create link");
    symlink(outside.path(), at("folder")).expect("create link");
    symlink("real.sh", at("in.sh")).expect("create link");
    symlink("/dev/zero", at("zero.sh")).expect("create link");
    nix::unistd::mkfifo(&at("fifo.sh"), nix::sys::stat::Mode::S_IRWXU).expect("create pipe");
    let lines = [
        "sh out.sh",
        "sh folder/secret.sh",
        "sh fifo.sh",
        "sh zero.sh",
        "sh /dev/zero",
        "sh ../../etc/passwd",
        "sh in.sh",
    ];
    assert_eq!(covered(&plan(folder.path(), None, &lines)), ["in.sh"]);
    // Behind a link, `..` is the parent of the link's target.
    write(&at("deep/real/check.sh"), "deep\n", 0o755);
    write(&at("deep/check.sh"), "the one that runs\n", 0o755);
    write(&at("check.sh"), "another\n", 0o755);
    symlink("deep/real", at("way")).expect("create link");
    assert_eq!(
        covered(&plan(
            folder.path(),
            None,
            &["sh check.sh", "sh way/../check.sh"]
        )),
        ["check.sh", "deep/check.sh"]
    );
    let reached = tempfile::tempdir().expect("temp dir");
    let by_link = reached.path().join("plan");
    symlink(folder.path(), &by_link).expect("create link");
    let real = format!("sh {}", at("real.sh").display());
    assert_eq!(
        covered(&plan(&by_link, None, &["sh check.sh", &real])),
        ["check.sh", "real.sh"]
    );
    // The criteria of a node that works elsewhere run files there.
    let own = outside.path().display().to_string();
    let elsewhere = covered(&plan(folder.path(), Some(&own), &["./secret.sh"]));
    assert_eq!(
        elsewhere,
        [outside.path().join("secret.sh").display().to_string()]
    );
}

#[test]
fn digest_ignores_layout_changes() {
    let folder = tempfile::tempdir().expect("temp dir");
    let check = folder.path().join("check.sh");
    write(&check, "exit 1\n", 0o644);
    let mut plan = plan(folder.path(), None, &["sh check.sh"]);
    let digest = |plan: &Plan| approved_content(plan).expect("serializable").digest;
    let first = digest(&plan);
    assert_eq!(digest(&plan), first);
    plan.nodes[0].position = Some(baton_model::node::Position { x: 1.0, y: 2.0 });
    assert_eq!(digest(&plan), first, "the layout is not approved");

    write(&check, "exit 0\n", 0o644);
    let second = digest(&plan);
    assert_ne!(second, first, "the file is covered");
    plan.nodes[0].acceptance_criteria = vec![Criterion::run("sh check.sh || true")];
    let third = digest(&plan);
    assert_ne!(third, second, "the criterion is covered");
    plan.title = "Another".to_owned();
    assert_ne!(digest(&plan), third, "the plan is covered");
}

#[test]
fn only_package_json_scripts_are_digested() {
    let folder = tempfile::tempdir().expect("temp dir");
    let package = folder.path().join("package.json");
    let plan = plan(folder.path(), None, &["npm test"]);
    let digest_of = |text: &str| {
        write(&package, text, 0o644);
        approved_content(&plan).expect("serializable").files[0].digest
    };
    let first = digest_of(r#"{"scripts": {"test": "vitest"}, "dependencies": {"a": "1"}}"#);
    assert_eq!(
        digest_of(r#"{"scripts": {"test": "vitest"}, "dependencies": {"a": "2"}}"#),
        first
    );
    assert_ne!(
        digest_of(r#"{"scripts": {"test": "true"}, "dependencies": {"a": "2"}}"#),
        first
    );
    assert_ne!(digest_of("no JSON"), first);
}
