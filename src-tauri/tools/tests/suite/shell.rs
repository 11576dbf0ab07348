use serde_json::json;

use crate::support::{TestWorkspace, is_alive, wait_until};

#[test]
fn shell_returns_output() {
    let workspace = TestWorkspace::new();
    workspace.write("sub/x", "");
    let args = json!({"command": "pwd; echo $A-$B >&2", "cwd": "sub", "env": {"A": "x y", "B": 2}});
    let value = workspace.value("shell", args);
    let folder = workspace
        .path()
        .canonicalize()
        .expect("a folder")
        .join("sub");
    assert_eq!(
        value,
        json!({"exitCode": 0, "stdout": format!("{}\n", folder.display()), "stderr": "x y-2\n"})
    );
}

#[test]
fn failed_shell_reports_error() {
    let workspace = TestWorkspace::new();
    for (command, failure) in [
        (
            "echo out; echo bad news >&2; exit 3",
            "shell: ended with exit code 3: bad news",
        ),
        (
            "echo only this; exit 4",
            "shell: ended with exit code 4: only this",
        ),
        ("exit 5", "shell: ended with exit code 5"),
        ("kill -9 $$", "shell: was terminated by signal 9"),
    ] {
        assert_eq!(
            workspace.failure("shell", json!({"command": command})),
            failure
        );
    }
    let failure = workspace.failure("shell", json!({"command": "true", "cwd": "nowhere"}));
    assert!(
        failure.contains("nowhere: No such file or directory"),
        "{failure}"
    );
}

#[test]
fn long_output_is_cut_and_counted() {
    let workspace = TestWorkspace::new();
    let ran = workspace.call(
        "shell",
        json!({"command": "head -c 3000000 /dev/zero | tr '\\0' x"}),
    );
    let value = ran.value();
    assert_eq!(value["stdout"].as_str().map(str::len), Some(256 * 1024));
    assert_eq!(value["leftOutBytes"], 3_000_000 - 256 * 1024);
    // Named outputs have a smaller limit: the value is truncated to valid JSON.
    let result = ran.outputs.strip_prefix("result=").expect("a result");
    assert!(result.len() <= 64 * 1024);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(result).expect("JSON")["exitCode"],
        0
    );
}

#[test]
fn background_processes_are_ended() {
    let workspace = TestWorkspace::new();
    // The child keeps the output open, so that waiting for the end of the output would take
    // forever.
    let value = workspace.value(
        "shell",
        json!({"command": "sleep 1000 & echo $! > child; echo done"}),
    );
    assert_eq!(value["stdout"], "done\n");
    let child = workspace.read("child");
    wait_until("the child is gone", || !is_alive(&child));
}

#[test]
fn unresponsive_child_is_killed() {
    let workspace = TestWorkspace::new();
    let command = "(trap '' TERM; echo $(exec sh -c 'echo $PPID') > child; while :; do sleep 1; done) & while [ ! -s child ]; do sleep 0.01; done";
    workspace.value("shell", json!({"command": command}));
    let child = workspace.read("child");
    wait_until("the child is gone", || !is_alive(&child));
}

#[test]
fn shell_may_write_outputs() {
    let workspace = TestWorkspace::new();
    let ran = workspace.call("shell", json!({"command": "echo n=3 >> \"$BATON_OUTPUT\""}));
    assert_eq!(
        ran.outputs,
        "n=3\nresult={\"exitCode\":0,\"stderr\":\"\",\"stdout\":\"\"}\n"
    );
}

#[test]
fn invalid_call_fails_immediately() {
    let workspace = TestWorkspace::new();
    assert_eq!(
        workspace.failure("shel", json!({"command": "touch made"})),
        "there is no tool 'shel'; did you mean 'shell'?"
    );
    assert_eq!(
        workspace.failure("shell", json!({"comand": "true"})),
        "shell has no argument 'comand'; it takes command, cwd, env; shell needs the argument 'command'"
    );
}
