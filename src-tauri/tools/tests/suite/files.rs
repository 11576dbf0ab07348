use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::json;

use crate::support::TestWorkspace;

#[test]
fn read_returns_whole_file_or_lines() {
    let workspace = TestWorkspace::new();
    workspace.write("notes/a.txt", "one\ntwo\nthree\nfour");
    for (args, text) in [
        (json!({"path": "notes/a.txt"}), "one\ntwo\nthree\nfour"),
        (
            json!({"path": "notes/a.txt", "offset": 2, "limit": 2}),
            "two\nthree\n",
        ),
        (json!({"path": "notes/a.txt", "offset": "4"}), "four"),
        (json!({"path": "notes/a.txt", "offset": 9}), ""),
        (
            json!({"path": workspace.path().join("notes/a.txt"), "limit": 1}),
            "one\n",
        ),
    ] {
        assert_eq!(workspace.value("read", args.clone()), text, "{args}");
    }
}

#[test]
fn unreadable_file_is_reported() {
    let workspace = TestWorkspace::new();
    let missing = workspace.failure("read", json!({"path": "nothing.txt"}));
    let path = workspace.path().join("nothing.txt");
    assert_eq!(
        missing,
        format!(
            "read: couldn't read {}: No such file or directory (os error 2)",
            path.display()
        )
    );
    workspace.write("long", &"x".repeat(1024 * 1024 + 1));
    assert!(
        workspace
            .failure("read", json!({"path": "long"}))
            .contains("Use offset and limit")
    );
}

#[test]
fn single_line_text_is_the_result() {
    let workspace = TestWorkspace::new();
    workspace.write("version", "1.2.3\n");
    assert_eq!(
        workspace.call("read", json!({"path": "version"})).outputs,
        "result=1.2.3\n"
    );
    workspace.write("version", "1\n2\n");
    assert!(
        workspace
            .call("read", json!({"path": "version"}))
            .outputs
            .ends_with("result=\"1\\n2\\n\"\n")
    );
}

#[test]
fn write_creates_missing_folders() {
    let workspace = TestWorkspace::new();
    let value = workspace.value("write", json!({"path": "a/b/c.txt", "content": "héllo\n"}));
    assert_eq!(value["bytes"], 7);
    assert_eq!(workspace.read("a/b/c.txt"), "héllo\n");
    workspace.value(
        "write",
        json!({"path": "a/b/c.txt", "content": 42, "append": true}),
    );
    assert_eq!(workspace.read("a/b/c.txt"), "héllo\n42");
    workspace.value("write", json!({"path": "a/b/c.txt", "content": "new"}));
    assert_eq!(workspace.read("a/b/c.txt"), "new");
    let left: Vec<_> = fs::read_dir(workspace.path().join("a/b"))
        .expect("a folder")
        .flatten()
        .collect();
    assert_eq!(left.len(), 1, "temporary files remain: {left:?}");
}

#[test]
fn write_keeps_file_mode_and_links() {
    let workspace = TestWorkspace::new();
    let script = workspace.write("run.sh", "old");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o751)).expect("permissions are set");
    symlink("run.sh", workspace.path().join("link")).expect("the link is created");
    workspace.value("write", json!({"path": "link", "content": "new"}));
    assert_eq!(workspace.read("run.sh"), "new");
    assert_eq!(
        fs::metadata(&script).expect("a file").permissions().mode() & 0o777,
        0o751
    );
    assert!(
        fs::symlink_metadata(workspace.path().join("link"))
            .expect("a link")
            .is_symlink()
    );
}

#[test]
fn unwritable_file_is_reported() {
    let workspace = TestWorkspace::new();
    workspace.write("file", "");
    let failure = workspace.failure("write", json!({"path": "file/below", "content": "x"}));
    assert!(failure.starts_with("write: couldn't write "), "{failure}");
}

#[test]
fn glob_finds_matching_files() {
    let workspace = TestWorkspace::new();
    for name in [
        "a.rs",
        "src/b.rs",
        "src/deep/c.rs",
        "src/d.toml",
        ".hidden/e.rs",
        "src/[f].rs",
    ] {
        workspace.write(name, "");
    }
    for (args, found) in [
        (json!({"pattern": "*.rs"}), json!(["a.rs"])),
        (
            json!({"pattern": "**/*.rs"}),
            json!(["a.rs", "src/[f].rs", "src/b.rs", "src/deep/c.rs"]),
        ),
        (
            json!({"pattern": "src/*.{rs,toml}"}),
            json!(["src/[f].rs", "src/b.rs", "src/d.toml"]),
        ),
        (
            json!({"pattern": "*.rs", "cwd": "src"}),
            json!(["[f].rs", "b.rs"]),
        ),
        (json!({"pattern": ".hidden/*"}), json!([".hidden/e.rs"])),
        (json!({"pattern": "*.py"}), json!([])),
    ] {
        assert_eq!(workspace.value("glob", args.clone()), found, "{args}");
    }
    assert!(
        workspace
            .failure("glob", json!({"pattern": "a**b"}))
            .contains("is not a valid pattern")
    );
}
