//! Terminals over HTTP: off by default, for people and tokens that decide, and gone with Baton.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;

use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::WAIT_TIMEOUT;
use baton_tests::{Shell, TestEnvironment, processes};
use serde_json::{Value, json};
use uuid::Uuid;

/// `baton serve`, and the port it listens on.
struct Served {
    /// Taken when it ends. A test that fails must not leave it behind.
    running: Option<RunningCommand>,
    port: u16,
    token: String,
}

impl Served {
    fn start(shell: &Shell, home: &Path) -> Self {
        // The terminals' shell reads no settings of whoever runs the tests.
        let mut command = shell.baton(&["serve", "--port", "0", "--json"]);
        command.env("SHELL", "/bin/sh").env("HOME", home);
        let mut running = RunningCommand::new(command);
        let line = running.next_line().expect("the server prints its address");
        let printed: Value = serde_json::from_str(&line).expect("JSON");
        Self {
            port: u16::try_from(printed["port"].as_u64().expect("a port")).expect("a port"),
            token: printed["token"].as_str().expect("a token").to_owned(),
            running: Some(running),
        }
    }

    fn take(&mut self) -> RunningCommand {
        self.running.take().expect("it runs")
    }

    /// Calls an operation with the page's token.
    fn call(&self, operation: &str, input: &Value) -> (u16, Value) {
        self.call_with(&self.token, operation, input)
    }

    fn call_with(&self, token: &str, operation: &str, input: &Value) -> (u16, Value) {
        let (port, body) = (self.port, input.to_string());
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
        stream
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a limit");
        let head = format!(
            "POST /api/operations/{operation} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
             Authorization: Bearer {token}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let body = serde_json::from_str(body).expect("JSON");
        (status.expect("a status"), body)
    }

    fn turn_on(&self, token: &str) -> (u16, Value) {
        let (_, mut settings) = self.call("settings_get", &json!({}));
        settings["terminalOverHttp"] = json!(true);
        self.call_with(token, "settings_save", &settings)
    }

    /// Types a line, as the input with the number `sequence`.
    fn enter(&self, terminal: &Value, sequence: u64, base64: &str) -> (u16, Value) {
        let input = json!({
            "terminal": terminal, "writer": Uuid::nil(), "sequence": sequence, "base64": base64,
        });
        self.call("terminal_input", &input)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.running.take().map(RunningCommand::kill);
    }
}

/// The input that opens the terminal of a plan.
fn terminal_of_plan(env: &TestEnvironment) -> Value {
    let text = "baton: 1\ntitle: Terminals\nnodes:\n  - {id: a, kind: command, command: 'true'}\n";
    let plan = env.import(text).plan.id;
    json!({ "place": { "kind": "plan", "plan": plan }, "columns": 80, "rows": 24 })
}

/// The process id that the shell wrote, once it has.
fn shell_id(env: &TestEnvironment) -> i32 {
    processes::wait("the shell runs the command", || {
        let text = env.read("pid");
        let line = text.strip_suffix('\n').ok_or("not written completely")?;
        line.parse().map_err(|_| format!("{line:?}"))
    })
}

fn wait_until_gone(pid: i32) {
    processes::wait("the shell ends with Baton", || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let is_alive = stat
            .rsplit_once(')')
            .is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'));
        if is_alive { Err(stat) } else { Ok(()) }
    });
}

/// `echo $$ > pid` and Enter.
const WRITE_PID: &str = "ZWNobyAkJCA+IHBpZA0=";

#[test]
fn terminals_over_http_are_turned_on_by_a_person_and_end_with_the_server() {
    let env = TestEnvironment::new();
    let open = terminal_of_plan(&env);
    let shell = Shell::new(&env);
    let mut served = Served::start(&shell, env.data());
    let (status, refused) = served.call("terminal_open", &open);
    assert_eq!((status, &refused["code"]), (403, &json!("forbidden")));
    assert!(
        refused["fix"]
            .as_str()
            .is_some_and(|fix| fix.contains("Settings"))
    );

    let token = |surface: &str| {
        let input = json!({ "name": surface, "surface": surface });
        let (_, created) = served.call("token_create", &input);
        created["token"].as_str().expect("a token").to_owned()
    };
    let (write, decide) = (token("write"), token("decide"));
    assert_eq!(served.turn_on(&decide).0, 403, "only a person turns it on");
    assert_eq!(served.turn_on(&served.token).0, 200);
    assert_eq!(served.call_with(&write, "terminal_open", &open).0, 403);
    let (status, terminal) = served.call_with(&decide, "terminal_open", &open);
    assert_eq!(status, 200, "{terminal}");

    // A request that a browser repeats is carried out once.
    let id = &terminal["id"];
    let first = served.enter(id, 1, WRITE_PID);
    assert_eq!(first, (200, json!({ "written": true })));
    let second = served.enter(id, 1, WRITE_PID);
    assert_eq!(second, (200, json!({ "written": false })));
    let pid = shell_id(&env);
    let server = served.take();
    processes::signal("-TERM", server.pid());
    assert!(server.end().0.success());
    wait_until_gone(pid);
}

#[test]
fn shell_of_a_terminal_does_not_outlive_a_killed_server() {
    let env = TestEnvironment::new();
    let open = terminal_of_plan(&env);
    let mut served = Served::start(&Shell::new(&env), env.data());
    assert_eq!(served.turn_on(&served.token).0, 200);
    let (status, terminal) = served.call("terminal_open", &open);
    assert_eq!(status, 200, "{terminal}");
    served.enter(&terminal["id"], 1, WRITE_PID);
    let pid = shell_id(&env);
    assert!(served.take().kill());
    wait_until_gone(pid);
}

#[test]
fn commands_have_no_terminals() {
    let env = TestEnvironment::new();
    let open = terminal_of_plan(&env);
    let shell = Shell::new(&env);
    let said = shell.run(&["call", "terminal_open", &open.to_string()]);
    assert_ne!(said.code, Some(0), "{said:?}");
    assert!(said.err.contains("Baton's window"), "{said:?}");
}
