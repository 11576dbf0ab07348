//! The REST API of `baton serve`, with real runs and with clients that nobody here wrote.

mod clients;
mod generating;
mod waiting;

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};

use baton_api::AccessLevel;
use baton_api::wire::{TokenCreate, TokenCreated};
use baton_tests::processes;
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::WAIT_TIMEOUT;
use baton_tests::{Shell, TestEnvironment};
use serde_json::Value;

/// A running `baton serve`, which ends with it.
struct Served {
    running: Option<RunningCommand>,
    port: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            processes::signal("-TERM", running.pid());
            let _ = running.end();
        }
    }
}

impl Served {
    fn start(env: &TestEnvironment) -> Self {
        let mut running = Shell::new(env).start(&["serve", "--port", "0", "--json"]);
        let line = running.next_line().expect("it prints its address");
        let printed: Value = serde_json::from_str(&line).expect("JSON");
        let port = printed["port"].as_u64().expect("a port");
        Self {
            running: Some(running),
            port: port.try_into().expect("a port"),
        }
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The status and the body of a POST request with more headers.
    fn post(&self, token: &str, path: &str, headers: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\
             {headers}\r\n{body}",
            self.port,
            body.len()
        );
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a limit");
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        // The lines between are the lengths of chunks.
        let body = body.lines().find(|line| line.trim_start().starts_with('{'));
        let body = body.and_then(|body| serde_json::from_str(body).ok());
        (status.expect("a status"), body.unwrap_or(Value::Null))
    }
}

fn token(env: &TestEnvironment, surface: AccessLevel) -> String {
    let input = TokenCreate {
        name: surface.as_str().to_owned(),
        surface,
    };
    let created: TokenCreated = env.call("token_create", input).expect("a new name");
    created.token
}
