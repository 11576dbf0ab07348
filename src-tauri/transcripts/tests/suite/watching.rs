//! New sessions appear without a refresh, and only one process at a time keeps the index.

use std::fs;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use baton_transcripts::{Filter, Library, Pagination, Sort};

use crate::home::Home;

fn line(text: &str) -> String {
    format!(
        r#"{{"type":"user","cwd":"/p","timestamp":"2026-01-01T00:00:00.000Z","message":{{"role":"user","content":"{text}"}}}}{}"#,
        "\n"
    )
}

fn titles(library: &Library) -> Vec<String> {
    let page = library
        .page(
            &Filter::default(),
            Sort::Title,
            Pagination {
                offset: 0,
                limit: 10,
            },
        )
        .expect("an index");
    page.rows.into_iter().filter_map(|row| row.title).collect()
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "waited for {what}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn session_in_new_folder_appears_grows_and_disappears() {
    let home = Home::new();
    fs::create_dir_all(home.path("")).expect("room");
    let library = home.library();
    let (sender, actual) = channel();
    library.start_indexing(move |ids| drop(sender.send(ids)));
    until("the index", || home.data().join("transcripts.db").exists());
    home.write(".claude/projects/-p/a.jsonl", line("first"));
    until("the new session", || titles(&library) == ["first"]);
    home.write(".claude/projects/-p/b.jsonl", line("other"));
    until("the other session", || {
        titles(&library) == ["first", "other"]
    });
    home.append(".claude/projects/-p/a.jsonl", line("more"));
    let messages = || library.get("claude:a").map(|row| row.messages).ok();
    until("the line", || messages() == Some(2));
    fs::remove_file(home.path(".claude/projects/-p/b.jsonl")).expect("it is there");
    until("the end of the other", || titles(&library) == ["first"]);
    library.stop_indexing();
    let named: Vec<String> = actual.iter().flatten().collect();
    assert!(
        named.contains(&"claude:a".to_owned()) && named.contains(&"claude:b".to_owned()),
        "{named:?}"
    );
}

/// The folders are created before, while and after the ones above them are watched.
#[test]
fn sessions_in_new_folders_are_all_seen() {
    for round in 0..30 {
        let home = Home::new();
        fs::create_dir_all(home.path("")).expect("room");
        let library = home.library();
        library.start_indexing(|_| {});
        std::thread::sleep(Duration::from_micros(round * 150));
        for session in ["a", "b", "c"] {
            home.write(
                &format!(".claude/projects/-{session}/deep/{session}.jsonl"),
                line(session),
            );
        }
        until("all sessions", || titles(&library) == ["a", "b", "c"]);
        library.stop_indexing();
    }
}

#[test]
fn opencode_writes_are_seen_while_database_is_open() {
    let home = Home::new();
    let database = home.put("opencode/opencode.db", ".local/share/opencode/opencode.db");
    let library = home.library();
    library.start_indexing(|_| {});
    until("the recording", || titles(&library) == ["Fake title"]);
    let connection = rusqlite::Connection::open(database).expect("a database");
    let rename = |title: &str, time: i64| {
        let statement = "UPDATE session SET title = ?1, time_updated = time_updated + ?2";
        connection
            .execute(statement, rusqlite::params![title, time])
            .expect("room");
        until(title, || titles(&library) == [title]);
    };
    for title in ["Pears", "Plums", "Quinces"] {
        rename(title, 1);
    }
    connection.execute("DELETE FROM part", []).expect("room");
    connection
        .execute("UPDATE session SET title = 'Last', time_updated = 0", [])
        .expect("room");
    connection.close().expect("no statement is open");
    until("what was written last", || titles(&library) == ["Last"]);
    library.stop_indexing();
}

#[test]
fn replaced_histories_are_seen() {
    let home = Home::new();
    home.write(".claude/projects/-p/a.jsonl", line("old"));
    let library = home.library();
    library.start_indexing(|_| {});
    until("the old session", || titles(&library) == ["old"]);
    fs::rename(
        home.path(".claude/projects"),
        home.path(".claude/projects.before"),
    )
    .expect("room");
    until("its end", || titles(&library).is_empty());
    home.write(".claude/projects/-p/b.jsonl", line("new"));
    until("the new session", || titles(&library) == ["new"]);
    home.append(".claude/projects/-p/b.jsonl", line("more"));
    until("the line", || {
        library.get("claude:b").map(|row| row.messages).ok() == Some(2)
    });
    library.stop_indexing();
}

#[test]
fn second_process_relays_changes_and_takes_over() {
    let home = Home::new();
    home.write(".claude/projects/-p/a.jsonl", line("first"));
    let (first, second) = (home.library(), home.library());
    first.start_indexing(|_| {});
    until("the first one's index", || titles(&first) == ["first"]);
    let (sender, actual) = channel();
    second.start_indexing(move |ids| drop(sender.send(ids)));
    home.write(".claude/projects/-p/b.jsonl", line("other"));
    until("the other session", || {
        titles(&second) == ["first", "other"]
    });
    actual
        .recv_timeout(Duration::from_secs(60))
        .expect("the second process reports it too");
    first.stop_indexing();
    // Only the second process can see this.
    home.write(".claude/projects/-p/c.jsonl", line("third"));
    until("the takeover", || titles(&second).len() == 3);
    second.stop_indexing();
}
