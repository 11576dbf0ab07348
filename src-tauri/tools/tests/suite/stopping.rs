use std::process::{Child, Command};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::support::{TestWorkspace, ToolRun, call, is_alive, line, wait_until};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-server-for-tests");

fn terminate(workspace: &TestWorkspace, child: Child) -> ToolRun {
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM).expect("the process is running");
    workspace.end(child)
}

#[test]
fn children_end_with_the_job() {
    let workspace = TestWorkspace::new();
    let child = workspace.start(
        "call",
        json!({ "call": line("sleep 1000 & echo $! > child; echo $$ > shell; wait") }),
    );
    let pids = [workspace.wait_for("child"), workspace.wait_for("shell")];
    let ran = terminate(&workspace, child);
    assert_eq!(ran.failure(), "stopped before it finished");
    for pid in pids {
        wait_until("the process is gone", || !is_alive(&pid));
    }
}

#[test]
fn unresponsive_children_are_killed() {
    let workspace = TestWorkspace::new();
    let child = workspace.start(
        "call",
        json!({ "call": line("trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done") }),
    );
    let pid = workspace.wait_for("pid");
    let ran = terminate(&workspace, child);
    assert_eq!(ran.failure(), "stopped before it finished");
    assert!(!is_alive(&pid));
}

#[test]
fn loop_can_be_stopped() {
    let workspace = TestWorkspace::new();
    let work = json!({ "call": line("echo $BATON_ITERATION; [ $BATON_ITERATION -lt 2 ] || { echo $$ > pid; exec sleep 1000; }"), "maxIterations": 1000 });
    let child = workspace.start("loop", work);
    workspace.wait_for("pid");
    let ran = terminate(&workspace, child);
    assert_eq!(ran.failure(), "iteration 2: stopped before it finished");
    assert_eq!(ran.rest().as_array().map(Vec::len), Some(1));
}

#[test]
fn parallel_calls_are_stopped() {
    let workspace = TestWorkspace::new();
    let calls: Vec<Value> = (0..3)
        .map(|number| line(&format!("echo $$ > pid-{number}; exec sleep 1000")))
        .collect();
    let child = workspace.start("parallel", json!({ "calls": calls }));
    let pids: Vec<String> = (0..3)
        .map(|number| workspace.wait_for(&format!("pid-{number}")))
        .collect();
    let ran = terminate(&workspace, child);
    assert_eq!(ran.failure(), "stopped before it finished");
    assert!(pids.iter().all(|pid| !is_alive(pid)));
}

#[test]
fn pending_request_is_stopped() {
    let workspace = TestWorkspace::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let child = workspace.start(
        "call",
        json!({ "call": call("http", json!({ "url": url })) }),
    );
    let _request = listener.accept().expect("the request comes");
    assert_eq!(
        terminate(&workspace, child).failure(),
        "stopped before it finished"
    );
}

#[test]
fn mcp_server_ends_with_the_job() {
    let workspace = TestWorkspace::new();
    // The shell writes its process id, then becomes the server.
    let command = format!("echo $$ > pid; exec {SERVER} stdio");
    for name in ["wait", "count"] {
        let server = json!({ "name": "near", "transport": { "kind": "stdio", "command": "sh", "args": ["-c", command] } });
        let work = json!({ "call": call(&format!("near/{name}"), json!({})), "servers": [server] });
        let child = workspace.start("call", work);
        let pid = workspace.wait_for("pid");
        if name == "wait" {
            assert_eq!(
                terminate(&workspace, child).failure(),
                "stopped before it finished"
            );
        } else {
            assert_eq!(workspace.end(child).value(), "1");
        }
        wait_until("the server is gone", || !is_alive(&pid));
        workspace.write("pid", "");
    }
}

#[test]
fn unreadable_job_is_rejected() {
    let workspace = TestWorkspace::new();
    let path = workspace.write("work.json", r#"{"kind": "dance", "directory": "/"}"#);
    for (arguments, message) in [
        (vec![], "usage: baton-tool run JOB.json"),
        (
            vec!["run", "/nowhere"],
            "couldn't read /nowhere: No such file",
        ),
        (
            vec!["run", path.to_str().expect("text")],
            "unknown variant `dance`",
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_baton-tool"))
            .args(&arguments)
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(said.contains(message), "{said}");
    }
}
