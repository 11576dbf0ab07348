//! The tools at `/mcp` of `baton serve`.

use baton_api::wire::{Nothing, RequestView};
use baton_api::{AccessLevel, Actor};
use baton_tests::TestEnvironment;
use baton_tests::served::{Served, token};
use serde_json::{Value, json};

use super::python::{MODES, assert_proposed, assert_sees_tools, script};

/// The status and the body of a request.
fn request(served: &Served, method: &str, token: Option<&str>, body: &Value) -> (u16, Value) {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n"));
    let headers = format!(
        "{}accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\n",
        token.unwrap_or_default()
    );
    served.request(&format!("{method} /mcp"), &headers, body)
}

fn call(served: &Served, token: &str, name: &str, arguments: &Value) -> Value {
    let params = json!({"name": name, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let (status, body) = request(served, "POST", Some(token), &message);
    assert_eq!(status, 200, "{body:#}");
    body["result"].clone()
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
                .arg(format!("{}/mcp", served.address()))
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
    assert_eq!(request(&served, "POST", None, &message).0, 401);
    assert_eq!(request(&served, "POST", Some("wrong"), &message).0, 401);

    let reader = token(&env, AccessLevel::Read);
    let refused = call(&served, &reader, "run_request", &ask);
    assert_eq!(
        refused["structuredContent"]["code"], "forbidden",
        "{refused:#}"
    );
    assert_eq!(request(&served, "GET", Some(&reader), &json!({})).0, 405);

    let writer = token(&env, AccessLevel::Write);
    for token in [&writer, &token(&env, AccessLevel::Decide)] {
        let asked = call(&served, token, "run_request", &ask);
        let state = &asked["structuredContent"]["state"];
        assert_eq!(state, "waits_for_person", "{asked:#}");
    }

    // The program that may decide can allow what another one asked for.
    let waiting: Vec<RequestView> = env.call("requests_list", Nothing {}).expect("a list");
    let program = env.app.acting_as(Actor::Program("decide".to_owned()));
    let request = json!({ "request": waiting[0].id });
    baton_api::call(&program, "request_allow", request).expect("it may decide");
    let started = call(&served, &writer, "run_request", &ask);
    let content = &started["structuredContent"];
    assert_eq!(content["state"], "started", "{started:#}");
    assert!(content["run"].is_string(), "{started:#}");
}
