//! The two message types of the control socket, one JSON object a line: requests in, events out.

use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::quote::Quote;

/// A client's request to a keeper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
pub enum Request {
    /// Write `text` to the program's stdin; answered by [`Event::Accepted`] or [`Event::Refused`].
    Input {
        /// Unique within the session; a repeated key has no effect.
        key: String,
        /// The text for the program's stdin; no newline is added.
        text: String,
    },
    /// Write a message that repeats a value of the program's own output, as it was before masking;
    /// answered like [`Request::Input`].
    Quote {
        /// Unique within the session; a repeated key has no effect.
        key: String,
        /// The message with the place of the value.
        #[serde(flatten)]
        quote: Quote,
    },
    /// Close the program's stdin once everything before has been written; answered like
    /// [`Request::Input`].
    CloseInput {
        /// Unique within the session; a repeated key has no effect.
        key: String,
    },
    /// Send a signal to the program itself, not to its descendants.
    Signal {
        /// The signal to send.
        signal: SignalName,
    },
    /// End all processes of the session: SIGTERM, the launch's grace period, SIGKILL.
    Cancel,
    /// Send [`Event::Grew`] to this client from now on.
    Follow,
}

/// A signal that may be sent to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SignalName {
    /// SIGINT, as Ctrl-C sends it.
    Int,
    Term,
    Hup,
    Quit,
    Usr1,
    Usr2,
    /// SIGSTOP: pause the program.
    Stop,
    /// SIGCONT: resume the program.
    Cont,
}

/// A message from a keeper to its clients.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase")]
pub enum Event {
    /// The first event of a connection, unless it comes too late or the program could not be
    /// started.
    Hello {
        /// The program's process id.
        pid: i32,
        /// The length of `stdout` so far.
        stdout: u64,
        /// The length of `stderr` so far.
        stderr: u64,
    },
    /// Output has grown; sent to followers, at most every 10 ms, and not for the last bytes before
    /// [`Event::Exited`].
    Grew {
        /// The length of `stdout` so far.
        stdout: u64,
        /// The length of `stderr` so far.
        stderr: u64,
    },
    /// The message is in `stdin.jsonl` and will be written; sent to the client that sent it.
    Accepted {
        /// The key of the accepted message.
        key: String,
    },
    /// A request had no effect; sent to its client, or to all clients for one of the launch's
    /// messages.
    Refused {
        /// The message's key, if the request had one.
        key: Option<String>,
        /// Why it was refused.
        reason: Refusal,
    },
    /// The session is stalled; an event about growth means that it has resumed.
    Trouble {
        /// The cause of the stall.
        kind: StallReason,
        /// The system's error message.
        detail: String,
    },
    /// The session is over and `exit.json` exists; the connection is closed after this event.
    Exited {
        /// The same record as in `exit.json`.
        exit: Exit,
    },
}

/// Why a request had no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Refusal {
    /// Stdin is closed, or was never open.
    InputClosed,
    /// The message could not be recorded, so it was not written either. It may be sent again.
    NotRecorded,
    /// The program has ended, so the signal has no target.
    ProgramOver,
    /// The line is not a request.
    Malformed,
    /// The peer runs within a session, or as another user; the connection is closed after this
    /// event.
    NotAllowed,
}

/// Why a session is stalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StallReason {
    /// Output cannot be stored. The keeper retries for 30 s and then ends the session.
    DiskFull,
}

impl Request {
    /// The request as a line of the socket, with its newline.
    pub fn to_line(&self) -> Vec<u8> {
        line(self)
    }
}

impl Event {
    /// The event as a line of the socket, with its newline.
    pub fn to_line(&self) -> Vec<u8> {
        line(self)
    }
}

fn line(message: &impl Serialize) -> Vec<u8> {
    // Serialization fails only for maps with non-string keys and on I/O errors; neither occurs
    // here.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_the_documented_wire_form() {
        for (line, request) in [
            (
                r#"{"op":"input","key":"k","text":"t"}"#,
                Request::Input {
                    key: "k".into(),
                    text: "t".into(),
                },
            ),
            (
                r#"{"op":"quote","key":"k","before":"b","line":7,"pointer":"/a","after":"z","otherwise":"o"}"#,
                Request::Quote {
                    key: "k".into(),
                    quote: Quote {
                        before: "b".into(),
                        line: 7,
                        pointer: "/a".into(),
                        after: "z".into(),
                        otherwise: "o".into(),
                    },
                },
            ),
            (
                r#"{"op":"closeInput","key":"close"}"#,
                Request::CloseInput {
                    key: "close".into(),
                },
            ),
            (
                r#"{"op":"signal","signal":"INT"}"#,
                Request::Signal {
                    signal: SignalName::Int,
                },
            ),
            (r#"{"op":"cancel"}"#, Request::Cancel),
            (r#"{"op":"follow"}"#, Request::Follow),
        ] {
            assert_eq!(serde_json::from_str::<Request>(line).unwrap(), request);
            assert_eq!(request.to_line(), format!("{line}\n").into_bytes());
        }
    }

    #[test]
    fn events_have_the_documented_wire_form() {
        for (line, event) in [
            (
                r#"{"event":"hello","pid":7,"stdout":1,"stderr":2}"#,
                Event::Hello {
                    pid: 7,
                    stdout: 1,
                    stderr: 2,
                },
            ),
            (
                r#"{"event":"grew","stdout":1,"stderr":2}"#,
                Event::Grew {
                    stdout: 1,
                    stderr: 2,
                },
            ),
            (
                r#"{"event":"refused","key":null,"reason":"malformed"}"#,
                Event::Refused {
                    key: None,
                    reason: Refusal::Malformed,
                },
            ),
            (
                r#"{"event":"trouble","kind":"diskFull","detail":"x"}"#,
                Event::Trouble {
                    kind: StallReason::DiskFull,
                    detail: "x".into(),
                },
            ),
        ] {
            assert_eq!(serde_json::from_str::<Event>(line).unwrap(), event);
            assert_eq!(event.to_line(), format!("{line}\n").into_bytes());
        }
    }
}
