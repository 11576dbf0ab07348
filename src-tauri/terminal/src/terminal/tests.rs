//! Real shells on real pseudo terminals.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use uuid::Uuid;

use super::*;
use crate::Terminals;

/// A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a plain shell, and what its pages are told.
struct Fixture {
    terminal: Terminal,
    events: Receiver<TerminalEvent>,
    sequence: u64,
    printed: String,
    position: u64,
}

fn plain_shell(directory: &Path) -> Shell {
    let variables = [
        ("SHELL", "/bin/sh"),
        ("PATH", "/usr/bin:/bin"),
        ("PS1", "> "),
    ];
    let environment: BTreeMap<String, String> = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Shell::in_directory(directory.to_owned(), &environment)
}

impl Fixture {
    fn open(directory: &Path) -> Self {
        let (sender, events) = channel();
        let listener: TerminalListener = Arc::new(move |event| {
            // The test may be over.
            let _ = sender.send(event);
        });
        let terminal = Terminal::open(
            TerminalId(Uuid::new_v4()),
            &plain_shell(directory),
            TerminalSize::new(80, 24),
            listener,
        )
        .expect("a shell starts");
        Self {
            terminal,
            events,
            sequence: 0,
            printed: String::new(),
            position: 0,
        }
    }

    fn mark(&self) -> InputMark {
        InputMark {
            writer: Uuid::nil(),
            sequence: self.sequence,
        }
    }

    fn enter(&mut self, line: &str) {
        self.sequence += 1;
        let taken = self
            .terminal
            .input(self.mark(), format!("{line}\r").into_bytes());
        assert!(taken.expect("the shell runs"));
    }

    /// Reads until `text` was printed, each time after being told that there is output. What the
    /// terminal echoes does not contain the same text if a command is written `ec''ho`.
    fn expect(&mut self, text: &str) {
        let begun = Instant::now();
        while !self.printed.contains(text) {
            let event = self
                .events
                .recv_timeout(PATIENCE.saturating_sub(begun.elapsed()));
            event.unwrap_or_else(|_| panic!("no '{text}' in {:?}", self.printed));
            self.read();
        }
    }

    fn read(&mut self) {
        let part = self.terminal.output(self.position);
        self.position = part.from + part.bytes.len() as u64;
        self.printed.push_str(&String::from_utf8_lossy(&part.bytes));
    }

    fn expect_end(&mut self) -> TerminalEnd {
        assert!(self.terminal.shared.wait_for_end(PATIENCE), "it ends");
        self.terminal.end().expect("ended")
    }
}

fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map_or("", |(_, rest)| rest.trim());
    !stat.is_empty() && !state.starts_with('Z')
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        thread::yield_now();
    }
}

#[test]
fn shell_has_a_terminal_in_its_directory_and_learns_its_size() {
    let folder = tempfile::tempdir().expect("temp dir");
    let place = folder.path().canonicalize().expect("a path");
    let mut fixture = Fixture::open(&place);
    fixture.enter("tty; pwd; echo te''rm=$TERM");
    fixture.expect("term=xterm-256color");
    assert!(fixture.printed.contains("/dev/"), "{}", fixture.printed);
    assert!(fixture.printed.contains(&*place.to_string_lossy()));
    fixture.enter("stty size");
    fixture.expect("24 80");
    fixture
        .terminal
        .resize(TerminalSize::new(132, 40))
        .expect("resized");
    fixture.enter("stty size");
    fixture.expect("40 132");
}

#[test]
fn input_that_arrives_twice_is_written_once_and_output_is_replayed() {
    let folder = tempfile::tempdir().expect("temp dir");
    let mut fixture = Fixture::open(folder.path());
    fixture.enter("echo on''ce >> log; echo do''ne1");
    let repeated = fixture.terminal.input(
        fixture.mark(),
        b"echo on''ce >> log; echo do''ne1\r".to_vec(),
    );
    assert!(!repeated.expect("the shell runs"), "it was seen");
    fixture.expect("done1");
    fixture.enter("echo do''ne2");
    fixture.expect("done2");
    let log = std::fs::read_to_string(folder.path().join("log")).expect("written");
    assert_eq!(log, "once\n");
    let whole = fixture.terminal.output(0);
    assert_eq!(whole.from, 0);
    // The next prompt may be there already.
    let text = String::from_utf8_lossy(&whole.bytes);
    assert!(text.starts_with(&fixture.printed), "{text:?}");
    assert_eq!(whole.already_read, whole.bytes.len());
    let rest = fixture.terminal.output(whole.end - 3);
    assert_eq!(rest.bytes, whole.bytes[whole.bytes.len() - 3..]);
}

#[test]
fn close_ends_the_shell_and_all_that_it_started() {
    let folder = tempfile::tempdir().expect("temp dir");
    let mut fixture = Fixture::open(folder.path());
    // One job in the background that ignores the hangup, and one in the foreground.
    fixture.enter("(trap '' HUP; while :; do sleep 1; done) & echo b=$!");
    fixture.expect("b=");
    fixture.enter("echo c=$$; echo rea''dy; sleep 1000");
    fixture.expect("ready\r\n");
    wait_until("the foreground program is known", || {
        fixture.terminal.running_program().as_deref() == Some("sleep")
    });
    let ids: Vec<String> = ["b=", "c="]
        .iter()
        .map(|name| {
            let (_, rest) = fixture.printed.rsplit_once(name).expect("printed");
            rest.chars().take_while(char::is_ascii_digit).collect()
        })
        .collect();
    assert!(ids.iter().all(|pid| is_alive(pid)), "{ids:?}");
    fixture.terminal.close();
    assert!(fixture.terminal.end().is_some());
    for pid in &ids {
        wait_until("all processes are gone", || !is_alive(pid));
    }
    let late = fixture.terminal.input(
        InputMark {
            writer: Uuid::nil(),
            sequence: 99,
        },
        b"x".to_vec(),
    );
    assert!(matches!(late, Err(TerminalError::Ended)));
}

#[test]
fn closing_never_carries_out_a_half_typed_command() {
    let folder = tempfile::tempdir().expect("temp dir");
    let mut fixture = Fixture::open(folder.path());
    fixture.enter("echo rea''dy");
    fixture.expect("ready\r\n");
    fixture.sequence += 1;
    let taken = fixture
        .terminal
        .input(fixture.mark(), b"touch made".to_vec());
    assert!(taken.expect("the shell runs"));
    fixture.expect("touch made");
    drop(fixture);
    assert!(!folder.path().join("made").exists());
}

#[test]
fn end_of_the_shell_is_reported() {
    let folder = tempfile::tempdir().expect("temp dir");
    let mut fixture = Fixture::open(folder.path());
    let id = fixture.terminal.id();
    assert_eq!(fixture.terminal.end(), None);
    fixture.enter("exit 7");
    assert_eq!(fixture.expect_end(), TerminalEnd::Exited(7));
    let events: Vec<TerminalEvent> =
        std::iter::from_fn(|| fixture.events.recv_timeout(PATIENCE).ok())
            .take_while(|event| *event != TerminalEvent::Ended(id))
            .collect();
    assert!(
        events
            .iter()
            .all(|event| *event == TerminalEvent::Output(id))
    );
    assert_eq!(fixture.terminal.running_program(), None);
}

#[test]
fn pages_are_told_of_output_once_until_they_have_read_it() {
    let shared = Shared::default();
    assert!(push(&shared, b"a"));
    assert!(!push(&shared, b"b"), "they know");
    shared.state().output.read(0, 1);
    assert!(!push(&shared, b"c"), "they haven't read everything");
}

#[test]
fn a_place_has_one_terminal() {
    let folder = tempfile::tempdir().expect("temp dir");
    let terminals: Terminals<u8> = Terminals::default();
    let listener: TerminalListener = Arc::new(|_| ());
    let open = |place| {
        let (shell, size) = (plain_shell(folder.path()), TerminalSize::new(80, 24));
        let opened = terminals.open(place, &shell, size, Arc::clone(&listener));
        opened.expect("a shell starts").id()
    };
    let first = open(1);
    assert_eq!(open(1), first);
    let second = open(2);
    assert_ne!(second, first);
    let found = terminals.get(first).expect("open");
    found.close();
    assert_ne!(open(1), first, "an ended one is replaced");
    assert!(terminals.get(first).is_err());
    terminals.close(second).expect("open");
    assert!(matches!(
        terminals.close(second),
        Err(TerminalError::NotFound)
    ));
    assert_eq!(terminals.list().len(), 1);
    let last = terminals.list();
    terminals.close_all();
    assert!(last.iter().all(|(_, terminal)| terminal.end().is_some()));
    assert!(terminals.list().is_empty());
}

#[test]
fn a_shell_that_is_missing_is_an_error() {
    let folder = tempfile::tempdir().expect("temp dir");
    let listener: TerminalListener = Arc::new(|_| ());
    // The directory is gone before the shell starts.
    let gone = folder.path().join("gone");
    let opened = Terminal::open(
        TerminalId(Uuid::new_v4()),
        &plain_shell(&gone),
        TerminalSize::new(80, 24),
        listener,
    );
    assert!(opened.is_err(), "it would start in the home directory");
}
