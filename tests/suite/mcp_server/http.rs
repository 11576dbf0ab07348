//! The tools at `/mcp` of `baton serve`.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};

use baton_api::wire::{Nothing, RequestView, TokenCreate, TokenCreated};
use baton_api::{AccessLevel, Actor};
use baton_tests::shell::RunningCommand;
use baton_tests::test_environment::WAIT_TIMEOUT;
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};

use super::python::{MODES, assert_proposed, assert_sees_tools, script};

/// A running `baton serve`.
struct Served {
    _running: RunningCommand,
    port: u16,
}

impl Served {
    fn start(env: &TestEnvironment) -> Self {
        let mut running = Shell::new(env).start(&["serve", "--port", "0", "--json"]);
        let line = running.next_line().expect("it prints its address");
        let printed: Value = serde_json::from_str(&line).expect("JSON");
        let port = printed["port"].as_u64().expect("a port");
        Self {
            _running: running,
            port: port.try_into().expect("a port"),
        }
    }

    /// The status and the body of a request.
    fn request(&self, method: &str, token: Option<&str>, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let token = token.map(|token| format!("authorization: Bearer {token}\r\n"));
        let head = format!(
            "{method} /mcp HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n{}content-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.port,
            token.unwrap_or_default(),
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
        let body = serde_json::from_str(body).unwrap_or(Value::Null);
        (status.expect("a status"), body)
    }

    fn call(&self, token: &str, name: &str, arguments: &Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let (status, body) = self.request("POST", Some(token), &message);
        assert_eq!(status, 200, "{body:#}");
        body["result"].clone()
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

#[test]
fn python_client_uses_the_tools_over_http() {
    let env = TestEnvironment::new();
    let served = Served::start(&env);
    let reader = token(&env, AccessLevel::Read);
    let writer = token(&env, AccessLevel::Write);
    for mode in MODES {
        let seen = |token: &str| {
            let mut command = script(mode);
            command
                .arg(format!("http://127.0.0.1:{}/mcp", served.port))
                .env("TOKEN", token);
            assert_sees_tools(command)
        };
        assert_eq!(seen(&reader)["first"]["code"], "forbidden");
        assert_proposed(&seen(&writer));
    }
}

#[test]
fn token_decides_what_the_tools_may_do_and_never_more_than_asking() {
    let env = TestEnvironment::new();
    let plan = env.import_approved("baton: 1\nnodes: [{id: a, kind: command, command: 'true'}]");
    let served = Served::start(&env);
    let ask = json!({
        "plan": plan.plan.id, "version": plan.version, "reason": "why", "requestId": "one",
    });
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    assert_eq!(served.request("POST", None, &message).0, 401);
    assert_eq!(served.request("POST", Some("wrong"), &message).0, 401);

    let reader = token(&env, AccessLevel::Read);
    let refused = served.call(&reader, "run_request", &ask);
    assert_eq!(
        refused["structuredContent"]["code"], "forbidden",
        "{refused:#}"
    );
    assert_eq!(served.request("GET", Some(&reader), &json!({})).0, 405);

    let writer = token(&env, AccessLevel::Write);
    for token in [&writer, &token(&env, AccessLevel::Decide)] {
        let asked = served.call(token, "run_request", &ask);
        let state = &asked["structuredContent"]["state"];
        assert_eq!(state, "waits_for_person", "{asked:#}");
    }

    // The program that may decide can allow what another one asked for.
    let waiting: Vec<RequestView> = env.call("requests_list", Nothing {}).expect("a list");
    let program = env.app.acting_as(Actor::Program("decide".to_owned()));
    let request = json!({ "request": waiting[0].id });
    baton_api::call(&program, "request_allow", request).expect("it may decide");
    let started = served.call(&writer, "run_request", &ask);
    let content = &started["structuredContent"];
    assert_eq!(content["state"], "started", "{started:#}");
    assert!(content["run"].is_string(), "{started:#}");
}
