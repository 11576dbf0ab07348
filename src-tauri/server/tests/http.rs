//! Tests the server with raw HTTP over loopback, so that no client library normalizes hostile
//! requests.

mod rest;
mod wire;

use std::error::Error;
use std::io::{ErrorKind, Read as _};
use std::net::TcpStream;
use std::time::Duration;

use baton_api::OPERATIONS;
use baton_server::{Limits, Options};
use serde_json::{Value, json};

use wire::{HttpResponse, TestServer};

type Result = std::result::Result<(), Box<dyn Error>>;

fn body(answer: &HttpResponse) -> Value {
    serde_json::from_str(&answer.body).unwrap_or_else(|error| panic!("{error}: {}", answer.body))
}

#[test]
fn operation_accepts_and_returns_json() -> Result {
    let served = TestServer::start()?;
    let made = served.call(
        "plan_create",
        &json!({ "title": "A plan", "description": "", "cwd": null }).to_string(),
    )?;
    assert_eq!(made.status, 200, "{}", made.body);
    assert_eq!(body(&made)["plan"]["title"], "A plan");
    assert_eq!(made.header("content-type"), Some("application/json"));
    assert_eq!(
        made.header("cache-control"),
        Some("no-store"),
        "plans must not be cached"
    );
    let titles = body(&served.call("plans_list", "")?);
    assert_eq!(
        titles[0]["title"], "A plan",
        "an empty body stands for no input"
    );
    Ok(())
}

#[test]
fn every_operation_is_served() -> Result {
    let served = TestServer::start()?;
    for operation in OPERATIONS {
        // An input that no operation accepts: each operation must be found, but none called.
        let answer = served.call(operation.name, r#"{"thereIsNoSuchField":1}"#)?;
        assert_eq!(answer.status, 400, "{}: {}", operation.name, answer.body);
        assert_eq!(body(&answer)["code"], "bad_input", "{}", operation.name);
    }
    Ok(())
}

#[test]
fn errors_have_status_code_and_message() -> Result {
    let served = TestServer::start()?;
    let nowhere = json!({ "plan": "00000000-0000-0000-0000-000000000000" }).to_string();
    let broken =
        json!({ "fileName": "a.yaml", "text": "baton: 1\ntitel: x", "cwd": null }).to_string();
    let table = [
        ("no_such_operation", "{}", 404, "not_found"),
        ("plan_get", "{", 400, "bad_input"),
        ("plan_get", "[]", 400, "bad_input"),
        ("plan_get", &nowhere, 404, "not_found"),
        ("plan_import", &broken, 422, "invalid"),
    ];
    for (operation, input, status, code) in table {
        let answer = served.call(operation, input)?;
        assert_eq!(
            answer.status, status,
            "{operation} {input}: {}",
            answer.body
        );
        assert_eq!(body(&answer)["code"], code);
        assert!(
            body(&answer)["message"]
                .as_str()
                .is_some_and(|message| message.len() > 10),
            "{}",
            answer.body
        );
    }
    Ok(())
}

#[test]
fn output_of_unknown_sessions_is_not_found() -> Result {
    let served = TestServer::start()?;
    let id = "00000000-0000-0000-0000-000000000000";
    for path in [
        format!("{id}/output/stdout"),
        format!("{id}/output/launch.json"),
        format!("{id}/output/..%2flaunch.json"),
        "..%2f..%2fetc/output/stdout".to_owned(),
    ] {
        let target = format!("GET /api/sessions/{path}");
        let headers = format!("host: {}", served.host());
        let answer = served.with_token(&target, &headers, "")?;
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert_eq!(body(&answer)["code"], "not_found");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let answer = served.send(&target, &format!("{headers}\r\ncontent-length: 0"), "")?;
        assert_eq!(answer.status, 401, "{path} without a token");
    }
    Ok(())
}

#[test]
fn requests_without_token_are_rejected() -> Result {
    let served = TestServer::start()?;
    let wrong = "0".repeat(64);
    for authorization in [
        "".to_owned(),
        "Bearer".to_owned(),
        format!("Bearer {wrong}"),
        format!("Basic {}", served.token),
    ] {
        for target in [
            "POST /api/operations/plans_list",
            "GET /api/events",
            "GET /api/",
            "GET /api/nothing",
        ] {
            let headers = format!(
                "host: {}\r\nauthorization: {authorization}\r\ncontent-length: 0",
                served.host()
            );
            let answer = served.send(target, &headers, "")?;
            assert_eq!(answer.status, 401, "{target} with '{authorization}'");
        }
    }
    let in_the_address = format!("POST /api/operations/plans_list?token={}", served.token);
    let answer = served.send(
        &in_the_address,
        &format!("host: {}\r\ncontent-length: 0", served.host()),
        "",
    )?;
    assert_eq!(
        answer.status, 401,
        "a token in the URL is ignored, because URLs are logged"
    );
    Ok(())
}

#[test]
fn unknown_host_headers_are_rejected() -> Result {
    let served = TestServer::start()?;
    let port = served.port;
    let own = [
        format!("127.0.0.1:{port}"),
        format!("LOCALHOST:{port}"),
        format!("[::1]:{port}"),
    ];
    for host in own {
        assert_eq!(
            served
                .with_token("POST /api/operations/about", &format!("host: {host}"), "")?
                .status,
            200,
            "{host}"
        );
    }
    let foreign = [
        format!("host: attacker.example:{port}"),
        "host: 127.0.0.1".to_owned(),
        "host: 127.0.0.1:1".to_owned(),
        format!("host: 127.0.0.1:{port}.attacker.example"),
        format!("host: 127.0.0.1:{port}\r\nhost: attacker.example"),
        "x-nothing: 1".to_owned(),
    ];
    for headers in foreign {
        for target in ["POST /api/operations/about", "GET /"] {
            let status = served.with_token(target, &headers, "")?.status;
            assert!(
                status == 421 || status == 400,
                "{target} with '{headers}' gave {status}"
            );
        }
    }
    Ok(())
}

#[test]
fn cross_origin_requests_are_rejected() -> Result {
    let served = TestServer::start()?;
    let status = |origin: &str| -> std::result::Result<u16, Box<dyn Error>> {
        let headers = format!("host: {}\r\norigin: {origin}", served.host());
        Ok(served
            .with_token("POST /api/operations/about", &headers, "")?
            .status)
    };
    assert_eq!(status(&format!("http://127.0.0.1:{}", served.port))?, 200);
    assert_eq!(status(&format!("http://localhost:{}", served.port))?, 200);
    for origin in [
        "http://attacker.example",
        "null",
        "https://localhost",
        "http://127.0.0.1:1",
    ] {
        assert_eq!(status(origin)?, 403, "{origin}");
    }
    let question = "access-control-request-method: POST\r\norigin: http://attacker.example";
    let asked = served.send(
        "OPTIONS /api/operations/about",
        &format!("host: {}\r\n{question}", served.host()),
        "",
    )?;
    assert_eq!(
        asked.header("access-control-allow-origin"),
        None,
        "no other origin is allowed"
    );
    Ok(())
}

#[test]
fn input_size_is_limited() -> Result {
    let served = TestServer::start()?;
    let title = "x".repeat(baton_server::BODY_LIMIT);
    let answer = served.call("plan_create", &json!({ "title": title }).to_string())?;
    assert_eq!(answer.status, 413);
    assert_eq!(body(&answer)["code"], "bad_input");
    Ok(())
}

#[test]
fn caller_without_the_right_is_refused_before_its_body_is_read() -> Result {
    let served = TestServer::start()?;
    let input = json!({ "name": "reader", "surface": "read" }).to_string();
    let token = body(&served.call("token_create", &input)?)["token"].clone();
    let token = token.as_str().ok_or("a token")?;
    for target in ["/api/plans", "/api/operations/plan_create"] {
        let head = format!(
            "POST {target} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n",
            served.host()
        );
        // No body follows: a server that tried to read it would wait.
        let answer = rest(served.connect(&head)?)?;
        assert!(answer.starts_with("HTTP/1.1 403 "), "{target}: {answer}");
    }
    Ok(())
}

#[test]
fn only_whole_plans_may_be_large() -> Result {
    let served = TestServer::start()?;
    let text = "x".repeat(5 * 1024 * 1024);
    let file = json!({ "fileName": "a.yaml", "text": text });
    for (target, input, is_too_large) in [
        (
            "/api/operations/plan_create",
            json!({ "title": text }),
            true,
        ),
        ("/api/plans/nothing/cancel", json!({ "x": text }), true),
        ("/api/operations/plan_read", file.clone(), false),
        ("/api/plans/import", file, false),
    ] {
        let headers = format!("host: {}\r\ncontent-type: application/json", served.host());
        let answer = served.with_token(&format!("POST {target}"), &headers, &input.to_string())?;
        assert_eq!(
            answer.status == 413,
            is_too_large,
            "{target}: {}",
            answer.status
        );
    }
    Ok(())
}

#[test]
fn static_files_need_no_token_and_have_strict_headers() -> Result {
    let served = TestServer::start()?;
    for target in [
        "GET /",
        "GET /blueprints/new",
        "GET /assets/none.js",
        "GET /../../etc/passwd.txt",
        "GET /%2e%2e/secret.txt",
    ] {
        let answer = served.send(target, &format!("host: {}", served.host()), "")?;
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{target}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        let is_page = answer
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("text/html"));
        let is_address = target.ends_with('/') || target.ends_with("new");
        assert_eq!(
            is_page, is_address,
            "{target} gave {} {}",
            answer.status, answer.body
        );
        assert!(is_address || answer.status == 404, "{target}");
    }
    Ok(())
}

#[test]
fn event_stream_resumes_after_last_event_id() -> Result {
    let served = TestServer::start()?;
    let mut events = served.events(None)?;
    let start = events.next()?;
    assert_eq!(start.data, "", "the first message only carries an id");
    let make = |title: &str| {
        served.call(
            "plan_create",
            &json!({ "title": title, "description": "", "cwd": null }).to_string(),
        )
    };
    let first = body(&make("One")?)["plan"]["id"].clone();
    let event = events.next()?;
    assert_eq!(
        serde_json::from_str::<Value>(&event.data)?,
        json!({ "change": "plan", "plan": first, "revision": 1 })
    );
    assert!(event.id > start.id, "ids increase");
    drop(events);

    let second = body(&make("Two")?)["plan"]["id"].clone();
    let missed = served.events(Some(&event.id.to_string()))?.next()?;
    assert_eq!(
        serde_json::from_str::<Value>(&missed.data)?["plan"],
        second,
        "changes between two connections are delivered"
    );

    for stale in ["0", "17", "not a number", "18446744073709551615"] {
        let event = served.events(Some(stale))?.next()?;
        assert_eq!(
            serde_json::from_str::<Value>(&event.data)?,
            json!({ "change": "all" }),
            "{stale}"
        );
    }
    Ok(())
}

#[test]
fn open_event_stream_does_not_block_shutdown() -> Result {
    let mut served = TestServer::start()?;
    let mut events = served.events(None)?;
    events.next()?;
    served.stop()?;
    assert!(events.next().is_err(), "the stream has ended");
    Ok(())
}

#[test]
fn only_loopback_addresses_can_be_bound() -> Result {
    for address in ["0.0.0.0", "192.0.2.1", "::"] {
        let refused = wire::bind(address.parse()?);
        assert!(
            refused
                .err()
                .is_some_and(|error| error.to_string().contains("only loopback")),
            "{address}"
        );
    }
    Ok(())
}

/// Reads a connection until the server closes it.
fn rest(mut stream: TcpStream) -> std::result::Result<String, Box<dyn Error>> {
    let mut text = String::new();
    // A connection closed with unread data is reset, which also counts as closed.
    match stream.read_to_string(&mut text) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => Err(error.into()),
        _ => Ok(text),
    }
}

#[test]
fn slow_request_head_closes_the_connection() -> Result {
    let served = TestServer::with_limits(Limits {
        head: Duration::from_millis(50),
        ..Limits::default()
    })?;
    for words in ["", "POST /api/operations/about HTTP/1.1\r\nhost: 127", "G"] {
        let answer = rest(served.connect(words)?)?;
        assert!(
            answer.is_empty() || answer.contains(" 408 "),
            "{words}: {answer}"
        );
    }
    assert_eq!(served.call("about", "")?.status, 200);
    Ok(())
}

#[test]
fn slow_request_body_is_rejected() -> Result {
    let served = TestServer::with_limits(Limits {
        body: Duration::from_millis(50),
        ..Limits::default()
    })?;
    let head = format!(
        "POST /api/operations/about HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-length: 100\r\n\r\n{{",
        served.host(),
        served.token
    );
    let answer = rest(served.connect(&head)?)?;
    assert!(
        answer.starts_with("HTTP/1.1 408 ") && answer.contains(r#""code":"bad_input""#),
        "{answer}"
    );
    assert_eq!(served.call("about", "")?.status, 200);
    Ok(())
}

#[test]
fn oversized_content_length_is_rejected_immediately() -> Result {
    let served = TestServer::start()?;
    let length = baton_server::BODY_LIMIT + 1;
    let head = format!(
        "POST /api/operations/about HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-length: {length}\r\n\r\n",
        served.host(),
        served.token
    );
    // No body follows: a server that tried to read it would wait.
    let answer = rest(served.connect(&head)?)?;
    assert!(
        answer.starts_with("HTTP/1.1 413 ") && answer.contains(r#""code":"bad_input""#),
        "{answer}"
    );
    Ok(())
}

#[test]
fn oldest_unauthenticated_connection_is_closed_for_a_new_one() -> Result {
    let served = TestServer::with_limits(Limits {
        unauthenticated: 3,
        head: Duration::from_secs(600),
        ..Limits::default()
    })?;
    let mut events = served.events(None)?;
    events.next()?;
    let first = served.connect("GET / HTTP/1.1\r\n")?;
    let later: Vec<TcpStream> = (0..20)
        .map(|_| served.connect("GET / HTTP/1.1\r\n"))
        .collect::<std::result::Result<_, _>>()?;
    assert_eq!(rest(first)?, "", "the oldest was closed before its timeout");
    assert_eq!(served.call("about", "")?.status, 200);
    let made = served.call(
        "plan_create",
        &json!({ "title": "One", "description": "", "cwd": null }).to_string(),
    )?;
    assert_eq!(made.status, 200);
    assert_ne!(
        events.next()?.data,
        "",
        "an authenticated connection stays open"
    );
    drop(later);
    Ok(())
}

#[test]
fn missing_routes_answer_with_json() -> Result {
    let served = TestServer::start()?;
    let table = [
        ("GET /api/nothing", 404, "not_found"),
        ("GET /api/operations/about", 405, "bad_input"),
        ("DELETE /api/operations/about", 405, "bad_input"),
        ("POST /api/events", 405, "bad_input"),
        ("POST /", 405, "bad_input"),
        ("GET /assets/none.js", 404, "not_found"),
    ];
    for (target, status, code) in table {
        let answer = served.with_token(target, &format!("host: {}", served.host()), "")?;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (status, Some("application/json")),
            "{target}"
        );
        assert_eq!(body(&answer)["code"], code, "{target}");
        assert!(
            body(&answer)["message"]
                .as_str()
                .is_some_and(|message| message.len() > 10),
            "{target}"
        );
    }
    Ok(())
}

#[test]
fn responses_identify_the_server_to_callers_with_a_token_only() -> Result {
    let served = TestServer::start()?;
    let names = ["baton-instance", "baton-data", "baton-interface"];
    let known = served.call("about", "")?;
    let again = served.call("plans_list", "")?;
    let host = format!("host: {}\r\ncontent-length: 0", served.host());
    let stranger = served.send("POST /api/operations/about", &host, "")?;
    let page = served.send("GET /", &host, "")?;
    for name in names {
        let value = known.header(name).unwrap_or_default();
        assert!(value.len() >= 16, "{name}: {value}");
        assert_eq!(again.header(name), Some(value), "{name}");
        assert!(
            !served.token.contains(value),
            "{name} is no part of the token"
        );
        assert_eq!(stranger.header(name), None, "{name} without a token");
        assert_eq!(page.header(name), None, "{name} of a page");
    }
    Ok(())
}

#[test]
fn restarted_server_keeps_token_and_data_but_not_instance() -> Result {
    let mut served = TestServer::start()?;
    let before = served.call("about", "")?;
    let token = served.token.clone();
    served.restart(Options::default())?;
    let after = served.call("about", "")?;
    assert_eq!(after.status, 200);
    assert_eq!(served.token, token);
    assert_eq!(after.header("baton-data"), before.header("baton-data"));
    assert_eq!(
        after.header("baton-interface"),
        before.header("baton-interface")
    );
    assert_ne!(
        after.header("baton-instance"),
        before.header("baton-instance")
    );

    let new_token = Options {
        new_token: true,
        ..Options::default()
    };
    served.restart(new_token)?;
    assert_ne!(served.token, token);
    let headers = format!(
        "host: {}\r\nauthorization: Bearer {token}\r\ncontent-length: 0",
        served.host()
    );
    let former = served.send("POST /api/operations/about", &headers, "")?;
    assert_eq!(former.status, 401, "the former token is revoked");
    assert_eq!(served.call("about", "")?.status, 200);
    Ok(())
}

#[test]
fn no_response_sets_a_cookie_or_repeats_the_token() -> Result {
    let served = TestServer::start()?;
    let host = format!("host: {}", served.host());
    let missing = format!("GET /api/{}", served.token);
    for target in ["GET /", "POST /api/operations/about", missing.as_str()] {
        let answer = served.with_token(target, &host, "")?;
        assert_eq!(answer.header("set-cookie"), None, "{target}");
        assert!(!answer.body.contains(&served.token), "{target}");
    }
    let cookie = format!(
        "{host}\r\ncookie: token={}\r\ncontent-length: 0",
        served.token
    );
    let answer = served.send("POST /api/operations/about", &cookie, "")?;
    assert_eq!(
        answer.status, 401,
        "cookies reach other ports, so none gives access"
    );
    Ok(())
}
