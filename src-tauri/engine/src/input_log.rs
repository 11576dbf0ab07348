//! Checks that every message that a session's program read came from Baton.
//!
//! The keeper records each message before it writes it. A forged answer to the program's question
//! leaves a line that this executor has not sent.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use baton_keeper::{INPUT, Input, Launch, Request};

use crate::tail::Tail;

/// A message that was sent to a session under one key.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sent {
    Text(String),
    /// The keeper inserts the quoted text between the first two, or writes the last text instead.
    Quote {
        before: String,
        after: String,
        otherwise: String,
    },
    Close,
}

impl Sent {
    fn is(&self, input: &Input) -> bool {
        match (self, input) {
            (Sent::Text(sent), Input::Text { text, .. }) => sent == text,
            (
                Sent::Quote {
                    before,
                    after,
                    otherwise,
                },
                Input::Text { text, .. },
            ) => {
                text == otherwise
                    || (text.starts_with(before.as_str()) && text.ends_with(after.as_str()))
            }
            (Sent::Close, Input::Close { .. }) => true,
            _ => false,
        }
    }
}

/// The messages that this executor has sent to a session, by key.
#[derive(Debug, Default)]
pub(crate) struct SentInputs(HashMap<String, Vec<Sent>>);

impl SentInputs {
    /// Records a request before it is sent, so that its line cannot appear first.
    pub(crate) fn record(&mut self, request: &Request) {
        let (key, sent) = match request {
            Request::Input { key, text } => (key, Sent::Text(text.clone())),
            Request::Quote { key, quote } => {
                let (before, after) = (quote.before.clone(), quote.after.clone());
                (
                    key,
                    Sent::Quote {
                        before,
                        after,
                        otherwise: quote.otherwise.clone(),
                    },
                )
            }
            Request::CloseInput { key } => (key, Sent::Close),
            Request::Signal { .. } | Request::Cancel | Request::Follow => return,
        };
        self.0.entry(key.clone()).or_default().push(sent);
    }

    /// Returns whether the line of the log belongs to a message that was sent.
    pub(crate) fn has(&self, input: &Input) -> bool {
        self.0
            .get(input.key())
            .is_some_and(|sent| sent.iter().any(|sent| sent.is(input)))
    }
}

/// The keeper's record of what the program of one session read.
pub(crate) struct InputLog {
    folder: PathBuf,
    tail: Tail,
    /// Whether lines are checked; set once this executor has started or attached to the session.
    is_watched: bool,
    /// The messages of the launch. The keeper masks secrets in its file once the program has
    /// started, so they are read before.
    first: Vec<Input>,
    unknown: Vec<Input>,
}

impl InputLog {
    pub(crate) fn of(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            tail: Tail::new(folder.join(INPUT)),
            is_watched: false,
            first: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// This executor is about to start the session, so every line of the log is checked.
    pub(crate) fn begin(&mut self) {
        self.is_watched = true;
        self.first = Launch::read(&self.folder)
            .map(|launch| launch.first_input)
            .unwrap_or_default();
    }

    /// This executor attached to a session that another one started. Earlier lines cannot be
    /// checked.
    pub(crate) fn join(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_watched, true) {
            self.tail.lines(|_| {})?;
        }
        Ok(())
    }

    /// The messages since the last call for which `is_sent` is false. They are not remembered: the
    /// next call returns them again.
    pub(crate) fn unknown(&mut self, is_sent: impl Fn(&Input) -> bool) -> io::Result<&[Input]> {
        if !self.is_watched {
            return Ok(&[]);
        }
        let mut read = Vec::new();
        self.tail.lines(|lines| {
            read.extend(
                lines
                    .iter()
                    .filter_map(|line| serde_json::from_slice::<Input>(line.bytes).ok()),
            );
        })?;
        self.unknown.extend(read);
        let first = &self.first;
        self.unknown
            .retain(|input| !is_sent(input) && !first.contains(input));
        Ok(&self.unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(key: &str, text: &str) -> Request {
        Request::Input {
            key: key.to_owned(),
            text: text.to_owned(),
        }
    }

    fn written(key: &str, text: &str) -> Input {
        Input::Text {
            key: key.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn forged_answer_with_a_known_key_is_detected() {
        let mut sent = SentInputs::default();
        sent.record(&text("answer-1", "deny"));
        assert!(sent.has(&written("answer-1", "deny")));
        assert!(!sent.has(&written("answer-1", "allow")));
        assert!(!sent.has(&written("answer-2", "deny")));
        assert!(!sent.has(&Input::Close {
            key: "answer-1".to_owned()
        }));
    }

    #[test]
    fn quote_is_matched_by_its_ends_or_fallback() {
        let mut sent = SentInputs::default();
        let quote = baton_keeper::Quote {
            before: "{\"a\":".to_owned(),
            line: 3,
            pointer: "/x".to_owned(),
            after: "}".to_owned(),
            otherwise: "{}".to_owned(),
        };
        sent.record(&Request::Quote {
            key: "1".to_owned(),
            quote,
        });
        assert!(sent.has(&written("1", "{\"a\":\"***\"}")) && sent.has(&written("1", "{}")));
        assert!(!sent.has(&written("1", "{\"b\":1}")));
    }

    #[test]
    fn first_message_with_a_secret_is_known_after_the_keeper_masked_it() {
        let folder = tempfile::tempdir().expect("temp dir");
        let launch = |text: &str| {
            let first = serde_json::to_value([written("prompt", text)]).expect("JSON");
            serde_json::json!({"argv": ["true"], "cwd": "/", "env": {}, "mark": "", "firstInput": first})
                .to_string()
        };
        let file = folder.path().join(baton_keeper::LAUNCH);
        std::fs::write(&file, launch("use k3y")).expect("write file");
        let mut started = InputLog::of(folder.path());
        started.begin();
        std::fs::write(&file, launch("use ***")).expect("write file");
        let read = ["use k3y", "use ***"]
            .map(|text| serde_json::to_string(&written("prompt", text)).expect("JSON") + "\n");
        std::fs::write(folder.path().join(INPUT), read.concat()).expect("write file");
        assert_eq!(
            started.unknown(|_| false).expect("readable"),
            [written("prompt", "use ***")]
        );
    }

    #[test]
    fn inputs_before_joining_are_not_checked() {
        let folder = tempfile::tempdir().expect("temp dir");
        let log = folder.path().join(INPUT);
        std::fs::write(&log, "{\"key\":\"earlier\",\"text\":\"x\"}\n").expect("write file");
        let mut joined = InputLog::of(folder.path());
        assert!(
            joined.unknown(|_| false).expect("readable").is_empty(),
            "not watched yet"
        );
        joined.join().expect("readable");
        assert!(joined.unknown(|_| false).expect("readable").is_empty());
        let more = "{\"key\":\"earlier\",\"text\":\"x\"}\n{\"key\":\"later\",\"text\":\"x\"}\n";
        std::fs::write(&log, more).expect("write file");
        assert_eq!(
            joined.unknown(|_| false).expect("readable"),
            [written("later", "x")]
        );
        assert!(
            joined.unknown(|_| true).expect("readable").is_empty(),
            "it was sent after all"
        );
    }
}
