use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use serde_json::json;

use crate::support::TestWorkspace;

/// Starts a server that responds to each request with `answer(head, body)`. It runs until the
/// process exits.
fn serve(answer: impl Fn(&str, &str) -> String + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n")
                && reader.read_line(&mut head).is_ok_and(|count| count > 0)
            {}
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            if reader.read_exact(&mut body).is_ok() {
                let _ =
                    (&stream).write_all(answer(&head, &String::from_utf8_lossy(&body)).as_bytes());
            }
        }
    });
    address
}

fn reply(status: &str, kind: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn response_has_status_headers_and_body() {
    let workspace = TestWorkspace::new();
    let address = serve(|_, _| reply("200 OK", "application/json; charset=utf-8", r#"{"n": 3}"#));
    let value = workspace.value("http", json!({"url": address}));
    assert_eq!(value["status"], 200);
    assert_eq!(value["json"], json!({"n": 3}));
    assert_eq!(value["body"], r#"{"n": 3}"#);
    assert_eq!(
        value["headers"]["content-type"],
        "application/json; charset=utf-8"
    );
}

#[test]
fn request_matches_arguments() {
    let workspace = TestWorkspace::new();
    let address = serve(|head, body| reply("201 Created", "text/plain", &format!("{head}{body}")));
    let args = json!({"url": format!("{address}/a?b=c"), "method": "put", "headers": {"X-Word": "yes"}, "json": {"a": [1]}});
    let said = workspace.value("http", args)["body"]
        .as_str()
        .expect("text")
        .to_ascii_lowercase();
    assert!(said.starts_with("put /a?b=c http/1.1\r\n"), "{said}");
    for part in [
        "x-word: yes\r\n",
        "content-type: application/json\r\n",
        "user-agent: baton/",
        "\r\n\r\n{\"a\":[1]}",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let plain = workspace.value(
        "http",
        json!({"url": address, "method": "POST", "body": "as it is"}),
    );
    assert!(
        plain["body"]
            .as_str()
            .expect("text")
            .ends_with("\r\n\r\nas it is")
    );
}

#[test]
fn error_status_reports_body() {
    let workspace = TestWorkspace::new();
    let address = serve(|_, _| reply("404 Not Found", "text/plain", "no such page\n"));
    let failure = workspace.failure("http", json!({"url": address}));
    assert_eq!(
        failure,
        format!("http: GET {address} returned 404 Not Found: no such page")
    );
}

#[test]
fn unreachable_address_is_reported() {
    let workspace = TestWorkspace::new();
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    let failure = workspace.failure("http", json!({"url": closed}));
    assert!(
        failure.starts_with(&format!("http: couldn't GET {closed}: ")),
        "{failure}"
    );
    assert!(failure.contains("refused"), "{failure}");
    let failure = workspace.failure("http", json!({"url": "file:///etc/passwd"}));
    assert_eq!(
        failure,
        "http: 'file:///etc/passwd' is not an http:// or https:// URL"
    );
    let failure = workspace.failure("http", json!({"url": closed, "headers": {"a b": "c"}}));
    assert_eq!(failure, "http: 'a b' is not a valid header");
}

#[test]
fn silent_server_times_out() {
    let workspace = TestWorkspace::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let failure = workspace.failure("http", json!({"url": address, "timeoutMs": 100}));
    assert!(failure.contains("timed out"), "{failure}");
}

#[test]
fn long_response_is_truncated() {
    let workspace = TestWorkspace::new();
    let address = serve(|_, _| reply("200 OK", "text/plain", &"x".repeat(3 << 20)));
    let value = workspace.value("http", json!({"url": address}));
    assert_eq!(
        (value["body"].as_str().map(str::len), &value["truncated"]),
        (Some(1 << 20), &json!(true))
    );
}

/// A redirect within the same server is followed without a `Referer` header.
#[test]
fn cross_origin_redirects_are_not_followed() {
    let workspace = TestWorkspace::new();
    let (received, requests) = std::sync::mpsc::channel();
    let other = serve(move |head, _| {
        let _ = received.send(head.to_owned());
        reply("200 OK", "text/plain", "taken")
    });
    let away = other.clone();
    let address = serve(move |head, _| {
        let to = |place: &str| {
            format!(
                "HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        };
        match head.split(' ').nth(1) {
            Some("/near") => to("/here"),
            Some("/away") => to(&away),
            Some("/round") => to("/round"),
            _ => reply("200 OK", "text/plain", head),
        }
    });
    let ask = |path: &str| json!({"url": format!("{address}{path}"), "headers": {"Authorization": "Bearer x"}});
    let near = workspace.value("http", ask("/near"))["body"]
        .as_str()
        .expect("text")
        .to_ascii_lowercase();
    assert!(
        near.starts_with("get /here ") && !near.contains("referer"),
        "{near}"
    );
    let failure = workspace.failure("http", ask("/away"));
    assert_eq!(
        failure,
        format!(
            "http: GET {address}/away redirects to another server: {other}. Call that URL directly if you trust it"
        )
    );
    assert!(
        requests.try_recv().is_err(),
        "the other server was not called"
    );
    assert!(
        workspace
            .failure("http", ask("/round"))
            .contains("too many redirects")
    );
}
