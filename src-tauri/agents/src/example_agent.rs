//! A complete agent in one file, to show what a new one needs: an adapter, a driver, a line reader
//! and the place of its histories. Like any other agent, it is registered by one line in a list of
//! adapters.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::history::{HistoryLayout, HomeFolder, HomeVariable};
use crate::log_format::LogFormat;
use crate::record::Record;
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::timeline::{ReadAt, TimelineKind};
use crate::{
    Adapter, Driver, Input, LaunchPlan, Probe, ProcessEnd, SessionEvent, Stdin, Stream, Task,
    TimelineIndex, ToolScope, Verdict, builtin,
};

/// Prints `{"say": "…"}` for each text, and writes the same lines to its histories.
struct Parrot;

static HISTORY: HistoryLayout = HistoryLayout {
    format: FORMAT,
    home_variable: Some(HomeVariable::Folder("PARROT_HOME")),
    homes: &[HomeFolder::Home(".parrot")],
    folders: &["talks"],
    files: &["talk-*.jsonl"],
    session_file: Some("-{id}.jsonl"),
    ..HistoryLayout::EMPTY
};

const FORMAT: LogFormat = LogFormat::lines("parrot", read);

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    say: &'a RawValue,
}

fn read(line: &[u8]) -> Record<'_> {
    let part = match serde_json::from_slice::<Line<'_>>(line) {
        Ok(line) => RecordPart::Text {
            role: Role::Answer,
            raw: line.say,
        },
        Err(_) => RecordPart::Plain,
    };
    Record {
        parts: vec![part],
        ..Record::default()
    }
}

impl Adapter for Parrot {
    fn id(&self) -> &str {
        "parrot"
    }

    fn title(&self) -> &str {
        "Parrot"
    }

    fn launch(&self, task: &Task) -> LaunchPlan {
        LaunchPlan {
            argv: vec!["parrot".to_owned(), "--json".to_owned()],
            env: Vec::new(),
            env_remove: Vec::new(),
            stdin: Stdin::Piped,
            first_inputs: vec![Input::text("prompt", task.prompt.clone()), Input::close()],
            prompt_file: None,
        }
    }

    fn driver(&self, _: &Task) -> Box<dyn Driver> {
        Box::new(ParrotSession)
    }

    fn probe(&self) -> Probe {
        Probe {
            program: "parrot".to_owned(),
            version_argv: Vec::new(),
            parse_version: |_| None,
            missing: "Install Parrot.".to_owned(),
            login: Vec::new(),
            not_logged_in: String::new(),
        }
    }

    fn log_format(&self) -> LogFormat {
        FORMAT
    }

    fn history(&self) -> Option<&'static HistoryLayout> {
        Some(&HISTORY)
    }
}

struct ParrotSession;

impl Driver for ParrotSession {
    fn handle_line(&mut self, _: Stream, line: &[u8]) -> Vec<SessionEvent> {
        let record = read(line);
        let events = record.parts.iter().filter_map(|part| part.event(line));
        events.collect()
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        Verdict::from_process_end(exit)
    }
}

struct Log(&'static [u8]);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let rest = &self.0[start.min(self.0.len())..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

fn texts(format: LogFormat, log: &'static [u8]) -> Vec<TimelineKind> {
    let mut index = TimelineIndex::new(format);
    index.feed(Stream::Stdout, 0, log).expect("no gap");
    index.finish();
    let page = index.page(0..index.len(), &mut Log(log)).expect("a page");
    page.into_iter().map(|entry| entry.kind).collect()
}

#[test]
fn new_agent_is_one_file_and_one_line() {
    let mut agents = builtin();
    agents.push(Box::new(Parrot));

    let agent = agents
        .iter()
        .find(|agent| agent.id() == "parrot")
        .expect("registered");
    let task = Task {
        session: Uuid::nil(),
        cwd: "/tmp".to_owned(),
        prompt: "Hello".to_owned(),
        resume: None,
        tool_server: None,
        model: None,
        scope: ToolScope::default(),
        handoff_prompt: String::new(),
    };
    assert_eq!(agent.mark(), 'P');
    assert_eq!(agent.launch(&task).argv, ["parrot", "--json"]);

    // The driver.
    let mut driver = agent.driver(&task);
    let event = SessionEvent::Text {
        markdown: "Hello".to_owned(),
    };
    assert_eq!(
        driver.handle_line(Stream::Stdout, br#"{"say": "Hello"}"#),
        [event]
    );
    assert_eq!(driver.verdict(&ProcessEnd::Exited(0)), Verdict::Succeeded);

    // The timeline of a session that Baton runs.
    let entry = TimelineKind::Text {
        markdown: "Hello".to_owned(),
    };
    let log = b"{\"say\": \"Hello\"}\n";
    assert_eq!(texts(agent.log_format(), log), std::slice::from_ref(&entry));

    // Its own histories.
    let layout = agent.history().expect("has histories");
    let home = Path::new("/home/me");
    let roots = layout.roots(home, &|_| None);
    assert_eq!(roots, [Path::new("/home/me/.parrot/talks")]);
    let moved = |name: &str| (name == "PARROT_HOME").then(|| OsString::from("/data/parrot"));
    assert_eq!(
        layout.roots(home, &moved),
        [Path::new("/data/parrot/talks")]
    );
    assert!(layout.is_history(&roots[0].join("2026/talk-1.jsonl")));
    assert!(!layout.is_history(&roots[0].join("2026/notes.jsonl")));
    assert_eq!(layout.session_file("1").as_deref(), Some("-1.jsonl"));
    assert_eq!(texts(layout.format, log), [entry]);
}
