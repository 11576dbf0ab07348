//! A running `baton serve`, and a bare server beside it.

use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;
use std::thread;

use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use baton_tests::shell::RunningCommand;
use baton_tests::{Shell, TestEnvironment};
use serde_json::Value;
use tokio::net::TcpListener;

pub(crate) struct Served {
    running: RunningCommand,
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Served {
    pub(crate) fn start(env: &TestEnvironment) -> Self {
        let mut running = Shell::new(env).start(&["serve", "--port", "0", "--json"]);
        let line = running.next_line().expect("it prints its address");
        let printed: Value = serde_json::from_str(&line).expect("JSON");
        let port = printed["port"].as_u64().expect("a port");
        Self {
            running,
            port: port.try_into().expect("a port"),
            token: fs::read_to_string(env.data().join("browser-token"))
                .expect("a token")
                .trim()
                .to_owned(),
        }
    }

    /// The processor time of the server so far.
    pub(crate) fn ticks(&self) -> u64 {
        let path = format!("/proc/{}/stat", self.running.pid());
        let text = fs::read_to_string(path).expect("Linux, and a server that runs");
        // The name in parentheses may contain anything. After it, user and system time are at index
        // 11 and 12.
        let (_, fields) = text.rsplit_once(')').expect("a name");
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let field = |at: usize| fields[at].parse::<u64>().expect("a number");
        field(11) + field(12)
    }

    pub(crate) fn ticks_per_second(&self) -> f64 {
        let printed = Command::new("getconf").arg("CLK_TCK").output();
        let text = String::from_utf8(printed.expect("getconf").stdout).expect("text");
        text.trim().parse().expect("a number")
    }
}

/// Serves the same bytes at every address with nothing but axum, until the program ends. Returns
/// the port.
pub(crate) fn bare(body: Vec<u8>) -> u16 {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    listener.set_nonblocking(true).expect("a socket");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let answer =
                move || async move { ([(CONTENT_TYPE, "application/json")], body.clone()) };
            let router = axum::Router::new().fallback(get(answer));
            let listener = TcpListener::from_std(listener).expect("a socket");
            axum::serve(listener, router).await.expect("it serves");
        });
    });
    port
}
