//! A running `baton serve`, and raw requests to it.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};

use baton_api::AccessLevel;
use baton_api::wire::{TokenCreate, TokenCreated};
use serde_json::Value;

use crate::processes;
use crate::shell::{RunningCommand, Shell};
use crate::test_environment::{TestEnvironment, WAIT_TIMEOUT};

/// A running `baton serve`, which ends with it.
pub struct Served {
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
    /// Starts it on a free port.
    #[must_use]
    pub fn start(env: &TestEnvironment) -> Self {
        let mut running = Shell::new(env).start(&["serve", "--port", "0", "--json"]);
        let line = running.next_line().expect("it prints its address");
        let printed: Value = serde_json::from_str(&line).expect("JSON");
        let port = printed["port"].as_u64().expect("a port");
        Self {
            running: Some(running),
            port: port.try_into().expect("a port"),
        }
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The status and the JSON of a request. Each of the `headers` ends with a line break.
    #[must_use]
    pub fn request(&self, what: &str, headers: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let head = format!(
            "{what} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
            self.port,
            body.len()
        );
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("it listens");
        let limit = stream.set_read_timeout(Some(WAIT_TIMEOUT));
        limit.expect("a limit");
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        // Other lines are the lengths of chunks, and blanks that keep a waiting client.
        let body = body.lines().find(|line| line.trim_start().starts_with('{'));
        let body = body.and_then(|body| serde_json::from_str(body).ok());
        (status.expect("a status"), body.unwrap_or(Value::Null))
    }
}

/// A new token, named by its surface.
#[must_use]
pub fn token(env: &TestEnvironment, surface: AccessLevel) -> String {
    let input = TokenCreate {
        name: surface.as_str().to_owned(),
        surface,
    };
    let created: TokenCreated = env.call("token_create", input).expect("a new name");
    created.token
}
