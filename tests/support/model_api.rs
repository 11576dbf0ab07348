//! A scripted model API on 127.0.0.1, so that tests can run the real agents without an account. It
//! supports the APIs of several vendors; see `dialect`.
//!
//! The server stores no conversations: the URL contains the scenario (`/s/<scenario>/v1/messages`),
//! and the step follows from the request alone, by counting the assistant's turns since the last
//! user message. Any number of sessions can therefore share one server. It doesn't check keys,
//! count tokens, or imitate a model's judgment.

mod chat;
mod conversation;
mod dialect;
mod gemini;
mod http;
mod messages;
mod reply;
mod responses;
mod scenario;

use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use dialect::Dialect;
use http::Request;
use serde_json::json;

/// A running server. Dropping it closes all connections and frees the port.
#[derive(Debug)]
pub struct ModelApi {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

/// A request that the server has received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The scenario from the URL.
    pub scenario: String,
    /// The requested model.
    pub model: String,
    /// The last user message, without what the client adds to it.
    pub prompt: String,
    /// The scenario's turn, starting at 0.
    pub step: usize,
    /// The whole request as JSON, including tool results.
    pub sent: String,
}

#[derive(Debug, Default)]
struct Shared {
    stopped: Mutex<bool>,
    open: Mutex<HashMap<u64, TcpStream>>,
    seen: Mutex<Vec<Seen>>,
    /// The clients seen so far, for scenarios that refuse a client's first request. This is the
    /// only state that answers depend on.
    known: Mutex<HashSet<String>>,
}

impl ModelApi {
    /// Starts a server on a free port of the loopback interface.
    ///
    /// # Errors
    /// If no port can be bound.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let for_thread = Arc::clone(&shared);
        let acceptor = std::thread::spawn(move || accept(&listener, &for_thread));
        Ok(Self {
            address,
            shared,
            acceptor: Some(acceptor),
        })
    }

    /// Returns the value of `ANTHROPIC_BASE_URL` for one of [`SCENARIOS`]. For `OpenAI`'s APIs,
    /// append `/v1`.
    #[must_use]
    pub fn base_url(&self, scenario: &str) -> String {
        format!("http://{}/s/{scenario}", self.address)
    }

    /// Returns the requests received so far, in order.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        lock(&self.shared.seen).clone()
    }
}

/// The valid scenario names. Other names are answered with 404.
pub const SCENARIOS: &[&str] = scenario::NAMES;

impl Drop for ModelApi {
    fn drop(&mut self) {
        *lock(&self.shared.stopped) = true;
        for (_, stream) in lock(&self.shared.open).drain() {
            // The peer may already be gone.
            stream.shutdown(Shutdown::Both).ok();
        }
        // Connects once more to wake up `accept`, which then returns.
        TcpStream::connect(self.address).ok();
        if let Some(acceptor) = self.acceptor.take() {
            acceptor.join().ok();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for (number, stream) in (0..).zip(listener.incoming().flatten()) {
        // Registered under the lock that `drop` takes, so that every connection is closed.
        let stopped = lock(&shared.stopped);
        if *stopped {
            return;
        }
        if let Ok(handle) = stream.try_clone() {
            lock(&shared.open).insert(number, handle);
        }
        drop(stopped);
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            // In many tests, the client disconnects early.
            serve(stream, &shared).ok();
            // The client waits for the end of the stream, so that the registered handle must not
            // keep it open.
            if let Some(handle) = lock(&shared.open).remove(&number) {
                handle.shutdown(Shutdown::Both).ok();
            }
        });
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let request = Request::read(&mut stream)?;
    let Some((scenario, rest)) = request
        .path
        .strip_prefix("/s/")
        .and_then(|path| path.split_once('/'))
    else {
        return not_found(&mut stream, "no scenario in the path");
    };
    let Some(dialect) = Dialect::at(rest) else {
        return not_found(&mut stream, "this path is not served");
    };
    if dialect.answer_side_request(&mut stream, &request.body)? {
        return Ok(());
    }
    let conversation = dialect.conversation(&request.body);
    lock(&shared.seen).push(Seen {
        scenario: scenario.to_owned(),
        model: conversation.model.clone(),
        prompt: conversation.prompt.clone(),
        step: conversation.step,
        sent: request.body.to_string(),
    });
    let (is_retry, clients) = {
        let mut known = lock(&shared.known);
        (!known.insert(conversation.client.clone()), known.len())
    };
    match scenario::answer(scenario, &conversation, is_retry, clients) {
        scenario::Answer::Message(message) => dialect.send(&mut stream, &conversation, &message),
        scenario::Answer::Refused(refusal) => dialect.refuse(&mut stream, refusal),
        scenario::Answer::Silence => {
            dialect.begin(&mut stream, &conversation)?;
            // Returns when the client disconnects or the server is dropped.
            io::copy(&mut stream.by_ref(), &mut io::sink()).map(|_| ())
        }
    }
}

fn not_found(stream: &mut TcpStream, words: &str) -> io::Result<()> {
    let error = json!({"type": "not_found_error", "message": words});
    http::write_json(stream, 404, &[], &json!({"type": "error", "error": error}))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn ask(api: &ModelApi, path: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(api.address).expect("the server listens");
        let head = format!(
            "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .expect("the server reads");
        stream
    }

    fn whole(mut stream: TcpStream) -> String {
        let mut text = String::new();
        stream
            .read_to_string(&mut text)
            .expect("the server ends the connection");
        text
    }

    #[test]
    fn every_scenario_answers_or_hangs() {
        let messages = r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"go"}]}"#;
        let input = r#"{"model":"m","stream":true,"input":[{"role":"user","content":"go"}]}"#;
        for (path, body, ends) in [
            ("v1/messages?beta=true", messages, ["message_stop"; 2]),
            ("v1/chat/completions", messages, ["[DONE]"; 2]),
            (
                "v1/responses",
                input,
                ["response.completed", "response.incomplete"],
            ),
        ] {
            let api = ModelApi::start().expect("a port is free");
            for scenario in SCENARIOS
                .iter()
                .filter(|&&name| name != "hang" && name != "slow")
            {
                let answer = whole(ask(&api, &format!("/s/{scenario}/{path}"), body));
                let complete =
                    ends.iter().any(|end| answer.contains(end)) || answer.contains("\"error\":{");
                assert!(
                    complete && !answer.contains("no such scenario"),
                    "{path} {scenario}: {answer}"
                );
            }
            assert_eq!(api.seen().len(), SCENARIOS.len() - 2);
        }
    }

    #[test]
    fn unknown_routes_return_not_found() {
        let api = ModelApi::start().expect("a port is free");
        for path in ["/", "/s/text/v1/models", "/s/nothing/v1/messages"] {
            assert!(
                whole(ask(&api, path, "{}")).starts_with("HTTP/1.1 404"),
                "{path}"
            );
        }
    }

    #[test]
    fn handoff_is_sent_on_the_second_turn() {
        let api = ModelApi::start().expect("a port is free");
        let first = r#"{"messages":[{"role":"user","content":"**What was done:** by a parent"}]}"#;
        assert!(
            whole(ask(&api, "/s/text/v1/messages", first))
                .contains("Hello from the scripted model.")
        );
        let second = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},
            {"role":"user","content":"Begin with **What was done:**"}]}"#;
        assert!(
            whole(ask(&api, "/s/text/v1/messages", second)).contains("The scripted work was done.")
        );
    }

    #[test]
    fn dropping_the_server_closes_hanging_connections() {
        let api = ModelApi::start().expect("a port is free");
        let mut stream = ask(&api, "/s/hang/v1/messages", r#"{"stream":true}"#);
        let mut first = [0];
        stream.read_exact(&mut first).expect("the answer begins");
        drop(api);
        whole(stream);
    }
}
