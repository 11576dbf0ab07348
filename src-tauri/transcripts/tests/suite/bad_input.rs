//! Malformed histories and file system errors. None of them hides another transcript.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use baton_transcripts::{Library, TranscriptReader};
use rusqlite::Connection;

use crate::home::{Home, only, rows, search_hits};

const PROJECT: &str = ".claude/projects/-p";

fn prompt(text: &str, second: u32) -> String {
    let time = format!("2026-01-01T00:00:{second:02}.000Z");
    format!(
        r#"{{"type":"user","cwd":"/p","timestamp":"{time}","sessionId":"a","message":{{"role":"user","content":"{text}"}}}}"#
    )
}

/// The number of entries in the timeline of the only transcript.
fn entries(library: &Library) -> u64 {
    let row = only(library);
    let mut reading = TranscriptReader::new(&row);
    reading.catch_up(&row).expect("readable");
    reading.index().map_or(0, |index| index.len())
}

#[test]
fn incomplete_last_line_is_reported_and_read_later() {
    let home = Home::new();
    let whole = prompt("second apple", 2);
    let (begin, end) = whole.split_at(60);
    home.write(
        &format!("{PROJECT}/a.jsonl"),
        format!("{}\n{begin}", prompt("first", 1)),
    );
    let library = home.library();
    let row = only(&library);
    assert_eq!(
        (row.messages, row.trouble.as_deref()),
        (1, Some("the last line is incomplete"))
    );
    home.append(&format!("{PROJECT}/a.jsonl"), end);
    let row = only(&library);
    assert_eq!(
        (row.messages, row.trouble),
        (2, None),
        "a record is complete without its newline too"
    );
    assert_eq!(search_hits(&library, "apple"), ["claude:a"]);
    home.append(
        &format!("{PROJECT}/a.jsonl"),
        format!("\n{}\n", prompt("third", 3)),
    );
    assert_eq!(only(&library).messages, 3, "a late newline is not a record");
    assert_eq!(entries(&library), 3);
}

#[test]
fn interleaved_lines_are_both_read() {
    let home = Home::new();
    let (one, other) = (prompt("pears", 1), prompt("plums", 2));
    let torn = format!(
        "{one}{other}\n{}{}\n{}\n",
        &one[..40],
        other,
        prompt("cherries", 3)
    );
    home.write(&format!("{PROJECT}/a.jsonl"), torn);
    let library = home.library();
    let row = only(&library);
    assert_eq!(
        row.messages, 3,
        "two from the first line, none from the torn one, and the last one"
    );
    assert_eq!(row.trouble.as_deref(), Some("2 lines couldn't be parsed"));
    for word in ["pears", "plums", "cherries"] {
        assert_eq!(search_hits(&library, word), ["claude:a"], "{word}");
    }
}

#[test]
fn reads_20_mb_line_and_reports_longer_one() {
    let home = Home::new();
    let long = prompt(&"long words ".repeat(2 << 20), 1);
    assert!(long.len() > 20 << 20);
    let longer = prompt(&"x".repeat(33 << 20), 2);
    home.write(
        &format!("{PROJECT}/a.jsonl"),
        format!("{long}\n{longer}\n{}\n", prompt("last", 3)),
    );
    let library = home.library();
    let row = only(&library);
    assert_eq!(
        (row.messages, row.trouble.as_deref()),
        (2, Some("1 line is too long"))
    );
    assert_eq!(search_hits(&library, "last"), ["claude:a"]);
    assert_eq!(entries(&library), 3);
}

#[test]
fn invalid_utf8_is_replaced() {
    let home = Home::new();
    let mut line = prompt("caf? mocha", 1).into_bytes();
    let place = line.iter().position(|byte| *byte == b'?').expect("a mark");
    line[place] = 0xe9;
    line.push(b'\n');
    home.write(&format!("{PROJECT}/a.jsonl"), line);
    let library = home.library();
    let row = only(&library);
    assert_eq!(
        (row.title.as_deref(), row.trouble.clone()),
        (Some("caf\u{fffd} mocha"), None)
    );
    assert_eq!(search_hits(&library, "mocha"), ["claude:a"]);
    assert_eq!(entries(&library), 1);
}

#[test]
fn unknown_records_are_skipped_and_shown_raw() {
    let home = Home::new();
    let unknown =
        r#"{"type":"hologram","timestamp":17,"message":{"content":{"x":1}},"sessionId":["?"]}"#;
    home.write(
        &format!("{PROJECT}/a.jsonl"),
        format!("{unknown}\n{}\n[1]\n\"x\"\n", prompt("known", 1)),
    );
    let library = home.library();
    let row = only(&library);
    assert_eq!(
        (row.messages, row.trouble),
        (1, None),
        "complete records of an unknown kind are not faults"
    );
    assert_eq!(
        entries(&library),
        3,
        "the unknown record, the prompt, and non-objects as plain lines"
    );
}

#[test]
fn truncated_or_replaced_transcript_is_reread() {
    let home = Home::new();
    let path = format!("{PROJECT}/a.jsonl");
    home.write(
        &path,
        format!("{}\n{}\n", prompt("one apple", 1), prompt("two", 2)),
    );
    let library = home.library();
    let row = only(&library);
    let mut reading = TranscriptReader::new(&row);
    reading.catch_up(&row).expect("readable");
    home.write(&path, format!("{}\n", prompt("short", 3)));
    let row = only(&library);
    assert_eq!((row.messages, row.title.as_deref()), (1, Some("short")));
    assert_eq!(
        search_hits(&library, "apple"),
        Vec::<String>::new(),
        "removed text is not found"
    );
    reading.catch_up(&row).expect("readable");
    assert_eq!(reading.index().map(|index| index.len()), Some(1));
    home.write(
        &path,
        format!("{}\n", prompt("another one of more bytes than before", 4)),
    );
    assert_eq!(
        only(&library).title.as_deref(),
        Some("another one of more bytes than before")
    );
    fs::remove_file(home.path(&path)).expect("it is there");
    assert!(rows(&library).is_empty());
}

#[test]
fn pipes_links_and_unreadable_folders_are_skipped() {
    let home = Home::new();
    home.write(
        &format!("{PROJECT}/a.jsonl"),
        format!("{}\n", prompt("fine", 1)),
    );
    let folder = home.path(PROJECT);
    let pipe = Command::new("mkfifo")
        .arg(folder.join("pipe.jsonl"))
        .status()
        .expect("mkfifo");
    assert!(pipe.success());
    symlink(&folder, folder.join("loop")).expect("room");
    symlink("/nowhere", folder.join("b.jsonl")).expect("room");
    fs::create_dir(folder.join("c.jsonl")).expect("room");
    let locked = home.write(
        ".claude/projects/-q/b.jsonl",
        format!("{}\n", prompt("locked", 1)),
    );
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("ours");
    let library = home.library();
    let rows = rows(&library);
    let actual: Vec<_> = rows
        .iter()
        .map(|row| (row.id.as_str(), row.trouble.is_some()))
        .collect();
    // Root can read everything.
    let may_read = fs::File::open(&locked).is_ok();
    assert_eq!(actual.len(), 2, "{actual:?}");
    assert!(actual.contains(&("claude:a", false)));
    assert!(actual.contains(&("claude:b", !may_read)));
}

fn opencode(home: &Home, columns: &str) -> Connection {
    let path = home.write(".local/share/opencode/opencode.db", "");
    let connection = Connection::open(path).expect("a database");
    connection.execute_batch(columns).expect("tables");
    connection
}

const OPENCODE: &str = r#"
    CREATE TABLE session (id TEXT PRIMARY KEY, title TEXT, directory TEXT, version TEXT, parent_id TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    INSERT INTO session VALUES ('ses_1', 'Pears', '/p', '1.18.33', NULL, 1000, 5000);
    INSERT INTO message VALUES ('msg_1', 'ses_1', 1000, 1000, '{"role":"user","time":{"created":1000}}');
    INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1000, 1000, '{"type":"text","text":"peel the pears"}');
    INSERT INTO message VALUES ('msg_2', 'ses_1', 2000, 5000, '{"role":"assistant","modelID":"m","cost":0.5,"tokens":{"input":10,"output":4,"reasoning":1,"cache":{"read":7,"write":2}},"time":{"created":2000,"completed":5000}}');
    INSERT INTO part VALUES ('prt_2', 'msg_2', 'ses_1', 2000, 2000, '{"type":"text","text":"peeling"}');
    INSERT INTO part VALUES ('prt_3', 'msg_2', 'ses_1', 2000, 2000, '{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"peel"},"output":"done","time":{"start":3000,"end":4000}}}');
    INSERT INTO part VALUES ('prt_4', 'msg_2', 'ses_1', 2000, 2000, 'no json');
"#;

#[test]
fn opencode_database_with_faulty_part_is_read() {
    let home = Home::new();
    let connection = opencode(&home, OPENCODE);
    let library = home.library();
    let row = only(&library);
    assert_eq!(
        (row.id.as_str(), row.title.as_deref(), row.messages),
        ("opencode:ses_1", Some("Pears"), 2)
    );
    assert_eq!(
        (
            row.usage.input_tokens,
            row.usage.output_tokens,
            row.usage.usd
        ),
        (Some(10), Some(5), Some(0.5))
    );
    assert_eq!((row.started_at, row.ended_at), (Some(1000), Some(5000)));
    assert_eq!(row.trouble.as_deref(), Some("1 line couldn't be parsed"));
    assert_eq!(search_hits(&library, "peel"), ["opencode:ses_1"]);
    assert_eq!(
        entries(&library),
        4,
        "prompt, answer, call with result, and invalid JSON"
    );
    connection
        .execute(
            "UPDATE session SET title = 'Plums', time_updated = 6000",
            [],
        )
        .expect("room");
    assert_eq!(only(&library).title.as_deref(), Some("Plums"));
}

#[test]
fn unreadable_database_is_reported_and_the_rest_is_read() {
    for (columns, lock) in [
        ("CREATE TABLE session (id TEXT)", false),
        (OPENCODE, true),
        ("", false),
    ] {
        let home = Home::new();
        home.write(
            &format!("{PROJECT}/a.jsonl"),
            format!("{}\n", prompt("fine", 1)),
        );
        let connection = opencode(&home, columns);
        if lock {
            connection
                .execute_batch("BEGIN EXCLUSIVE")
                .expect("the lock");
        }
        let library = home.library();
        assert_eq!(only(&library).id, "claude:a");
        let trouble = library.progress().trouble;
        assert!(
            trouble
                .iter()
                .any(|trouble| trouble.contains("opencode.db can't be read")),
            "{trouble:?}"
        );
        if lock {
            connection.execute_batch("ROLLBACK").expect("the lock");
            assert_eq!(rows(&library).len(), 2, "it is read when the lock is gone");
            connection
                .execute_batch("BEGIN EXCLUSIVE")
                .expect("the lock");
            assert_eq!(
                rows(&library).len(),
                2,
                "locked sources do not count as gone"
            );
        }
    }
}

#[test]
fn lists_many_files_in_bounded_time() {
    let home = Home::new();
    for number in 0..3_000 {
        home.write(
            &format!("{PROJECT}{}/{number}.jsonl", number % 20),
            format!("{}\n", prompt("many", 1)),
        );
    }
    let library = home.library();
    library.refresh(false).expect("an index");
    let part = baton_transcripts::Pagination {
        offset: 2_990,
        limit: 100,
    };
    let page = library
        .page(&Default::default(), Default::default(), part)
        .expect("an index");
    assert_eq!((page.total, page.rows.len()), (3_000, 10));
}

#[test]
fn damaged_or_outdated_index_is_rebuilt() {
    let home = Home::new();
    home.write(
        &format!("{PROJECT}/a.jsonl"),
        format!("{}\n", prompt("fine", 1)),
    );
    let index = home.data().join("transcripts.db");
    for content in [
        b"this is no database at all, but a longer text than a header is".as_slice(),
        b"",
    ] {
        fs::write(&index, content).expect("room");
        assert_eq!(only(&home.library()).id, "claude:a");
    }
    let connection = Connection::open(&index).expect("a database");
    connection
        .execute_batch("DROP TABLE sources; PRAGMA user_version = 999")
        .expect("room");
    drop(connection);
    assert_eq!(only(&home.library()).id, "claude:a");
    assert_eq!(search_hits(&home.library(), "fine"), ["claude:a"]);
}
