//! How soon `baton mcp` answers.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Stdio};
use std::time::Instant;

use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};

const STARTS: usize = 7;
const CALLS: usize = 15;

/// Prints how long a start takes, and how long `plan_find` takes then.
pub(crate) fn measure(env: &TestEnvironment) {
    let mut starts = Vec::new();
    let mut calls = Vec::new();
    for _ in 0..STARTS {
        let begun = Instant::now();
        let mut client = Client::start(env);
        starts.push(begun.elapsed());
        calls.extend((0..CALLS).map(|_| {
            let begun = Instant::now();
            let found =
                client.request("tools/call", &json!({"name": "plan_find", "arguments": {}}));
            assert!(found["result"]["isError"] != true, "{found}");
            begun.elapsed()
        }));
        client.stop();
    }
    println!("baton mcp ready        {:8.2} ms", crate::median_ms(starts));
    println!("plan_find              {:8.2} ms", crate::median_ms(calls));
}

struct Client {
    child: Child,
    lines: BufReader<ChildStdout>,
    last_id: u32,
}

impl Client {
    fn start(env: &TestEnvironment) -> Self {
        let mut command = Shell::new(env).baton(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("baton starts");
        let lines = BufReader::new(child.stdout.take().expect("an output"));
        let mut client = Self {
            child,
            lines,
            last_id: 0,
        };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        });
        client.request("initialize", &hello);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        let input = self.child.stdin.as_mut().expect("an input");
        writeln!(input, "{message}").expect("it reads");
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).expect("an answer");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Ends as its clients end it: without more input.
    fn stop(mut self) {
        drop(self.child.stdin.take());
        self.child.wait().expect("it ends");
    }
}
