//! The processor time that many clients of one run's events cost the server.

use std::process::Stdio;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use baton_tests::{Shell, TestEnvironment};

use crate::http::Connection;
use crate::served::Served;

const CLIENTS: usize = 1000;
const NODES: usize = 40;
/// Enough for reading lines.
const STACK: usize = 128 * 1024;

/// Prints how much of a core the server uses while another process executes a run, without and with
/// clients.
pub(crate) fn measure(env: &TestEnvironment, served: &Served) {
    let alone = share(env, served, 0);
    let with = share(env, served, CLIENTS);
    println!("server during a run    {alone:8.2} % of a core");
    println!("with {CLIENTS} SSE clients {with:8.2} % of a core");
}

fn share(env: &TestEnvironment, served: &Served, clients: usize) -> f64 {
    let plan = env.import_approved(&chain(clients)).plan.id.to_string();
    let path = format!("/api/plans/{plan}/events");
    let followers: Vec<_> = (0..clients).map(|_| follow(served, &path)).collect();
    let (before, began) = (served.ticks(), Instant::now());
    let ended = Shell::new(env)
        .baton(&["run", &plan, "--yes"])
        .stdout(Stdio::null())
        .status()
        .expect("it runs");
    assert!(ended.success(), "the run of {NODES} commands failed");
    for follower in followers {
        let received = follower.join().expect("a client that reads");
        assert_eq!(received, NODES, "each client receives each node's end");
    }
    let ticks = served.ticks() - before;
    ticks as f64 / began.elapsed().as_secs_f64() / served.ticks_per_second() * 100.0
}

/// A plan file with one command after the other.
fn chain(clients: usize) -> String {
    let node = |node: usize| match node.checked_sub(1) {
        None => "  - {id: n0, kind: command, command: 'true'}\n".to_owned(),
        Some(before) => {
            format!("  - {{id: n{node}, kind: command, command: 'true', dependsOn: [n{before}]}}\n")
        }
    };
    let nodes: String = (0..NODES).map(node).collect();
    format!("baton: 1\ntitle: Chain for {clients} clients\nnodes:\n{nodes}")
}

/// Begins to read events, and returns when the server has answered. The thread counts the nodes
/// that completed until the run has.
fn follow(served: &Served, path: &str) -> JoinHandle<usize> {
    let mut connection = Connection::open(served.port, &served.token);
    connection.ask(path, "text/event-stream");
    let head = connection.line();
    assert!(head.contains(" 200"), "{head}");
    let count = move || {
        let mut completed = 0;
        loop {
            match connection.line().as_str() {
                "event: step:completed" => completed += 1,
                "event: plan:completed" => return completed,
                _ => {}
            }
        }
    };
    let builder = thread::Builder::new().stack_size(STACK);
    builder.spawn(count).expect("a thread")
}
